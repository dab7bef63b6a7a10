// What a link of the guide's own pages fills into *Explain*: page.html?message=key#mode=explain
import {data} from "../data.js"

/** Of the message or listing with this key, the text to show, and the one to explain. @param {string | null} key */
export function linked(key) {
  const {texts, beside} = data.messages.find(each => each.key === key) ?? {texts: [data.listings[key ?? ""] ?? ""]}
  // Other messages may have its text: what must stand beside it tells them apart, and is not shown.
  return {shown: texts[0], meant: [texts[0], ...(beside ?? []).slice(0, 1)].join("\n")}
}
