// What a reader takes along: copied, as a file, on paper, as a link.
import {encoded} from "./bytes.js"
import {element} from "./element.js"

/** Puts text where Paste finds it. Resolves to whether that worked. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // an older browser, or one that asks and was told no
    const focused = /** @type {HTMLElement} */ (document.activeElement)
    const field = element("textarea.own-unseen", {value: text})
    document.body.append(field)
    field.select()
    const copied = document.execCommand("copy")
    field.remove()
    focused.focus()
    return copied
  }
}

export function download(name, text) {
  const link = element("a", {download: name, href: URL.createObjectURL(new Blob([encoded(text)]))})
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
