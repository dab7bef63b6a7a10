// A text that the reader brings: as a file, pasted, or dropped.
import {bench, editor, verdict} from "./bench.js"
import {decoded, plain} from "./bytes.js"
import {go, keep, own, redraw, state} from "./state.js"

const LARGEST = 2_000_000 // bytes
const LATEST = 100_000 // of what a job printed: its end has the message

/** Takes a file in place of the text; or, with `printed`, of the message to explain. @param {File} [file] */
export async function take(file, printed = false) {
  if (!file) return
  const part = printed ? file.slice(-LATEST) : file
  if (part.size > LARGEST) return verdict.say("This file is larger than any job script.")
  let taken
  try {
    taken = decoded(await part.arrayBuffer())
  } catch {
    return verdict.say("This file cannot be read. Choose a file, not a folder.")
  }
  if (state.mode === "write") await go({mode: "check"})
  Object.assign(state, printed ? {message: plain(taken)} : {own: taken, file: file.name, chosen: false})
  redraw()
}

editor.field.addEventListener("paste", event => {
  // with the ends of lines that the clipboard has
  const {field} = editor
  const all = field.selectionStart === 0 && field.selectionEnd === field.value.length
  if (!all || !own()) return
  event.preventDefault()
  keep(event.clipboardData.getData("text/plain"))
  state.chosen = false
  editor.show(plain(state.own))
  state.edited()
})
for (const name of /** @type {const} */ (["dragover", "dragleave", "drop"]))
  bench.addEventListener(name, event => {
    const files = event.dataTransfer.types.includes("Files") // a piece of text goes where it is dropped
    bench.classList.toggle("over", files && name === "dragover")
    if (!files || name === "dragleave") return
    event.preventDefault()
    const ofScript = /** @type {Element} */ (event.target).closest(".own-asks")
    if (name === "drop") take(event.dataTransfer.files[0], state.mode === "explain" && !ofScript)
  })
