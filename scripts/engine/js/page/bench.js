// What stands on the page in every mode: the editor with its buttons, the verdict, and places for the rest.
import {editorOf} from "./editor.js"
import {button, element, labelled} from "./element.js"
import {loaded, part, readyToJudge} from "./parts.js"
import {FILE, keep, own, redraw, state, text} from "./state.js"
import {verdictView} from "./verdict.js"

export const modes = element("nav.own-modes", {ariaLabel: "What to do with a script"})
export const side = element("div.own-side")
export const main = element("div.own-main")
export const bench = element("div.own-bench", {}, modes, side, main)
export const editor = editorOf("The script")
export const verdict = verdictView({
  select: line => editor.select(line),
  mend: finding => loaded("more").mend(finding),
  undo: () => loaded("more").undo(),
})
/** Puts these into a part of the page; those that are there already stay, with the focus in them. */
export const place = (into, ...parts) => {
  if (parts.length !== into.children.length || parts.some((part, at) => part !== into.children[at]))
    into.replaceChildren(...parts)
}
/** The name of the file above the script. */
export const name = element("span.own-name")
/** What a button did, for a moment. */
export const told = element("span.own-told", {role: "status"})

let later
function tell(words) {
  told.textContent = words
  clearTimeout(later)
  later = setTimeout(() => (told.textContent = ""), 4000)
}
async function copy(text, yes, no) {
  const more = await part("more")
  tell((await more.copy(text)) ? yes : no)
}

/** The script with what the reader has said of their own account, if they have. */
export const filled = (given, cluster) => globalThis.myAccount?.filled?.(given, cluster) ?? given

/** The line above a script: its title and its buttons. @param {() => string} given the script */
export function bar(title, given, ...more) {
  const download = async () => (await part("more")).download(state.file, given())
  const acts = [button("Copy", () => copy(given(), "Copied", "Press Ctrl+C")), button("Download", download), ...more]
  return element("figcaption", {}, title, element("span.own-acts", {}, ...acts))
}

const share = button("Copy link", () => copy(location.href, "Link copied", "Copy it from the address bar"))
const clear = button("Clear", () => {
  Object.assign(state, {own: "", file: FILE})
  redraw().then(() => editor.field.focus())
})
const print = button("Print", () => globalThis.print())
export const script = element("figure.own-script", {}, bar(name, text, print, share, clear), editor.root)

/** Shows the buttons for a reader's own text, of which a link says nothing; or those for the form's. */
export function offer(own) {
  share.hidden = own
  clear.hidden = !own
}

const MANY = 30 // systems: a phone's list of more cannot be searched
/** A choice of system; of many, with a field that leaves those whose name or operator has these letters. */
export function systemChoice(label, key, among, act) {
  const select = element("select", {})
  const find = element("input", {type: "search", placeholder: "Find a system", ariaLabel: `${label}: find`})
  const fill = () => {
    const fit = among.filter(({said}) => said.toLowerCase().includes(find.value.trim().toLowerCase()))
    const group = (label, wanted) => {
      const some = fit.filter(({running}) => running === wanted)
      return (
        some[0] && element("optgroup", {label}, ...some.map(({key, name}) => element("option", {value: key}, name)))
      )
    }
    select.replaceChildren(...[group("Running", true), group("Retired", false)].filter(Boolean))
    if (fit.some(each => each.key === key)) select.value = key
  }
  fill()
  const chosen = () => select.value && select.value !== key && act(select.value)
  select.addEventListener("change", chosen)
  find.addEventListener("input", fill)
  find.addEventListener("change", chosen)
  const [above] = labelled(label, select)
  return [above, ...(among.length > MANY ? [find] : []), select]
}

editor.field.addEventListener("input", async () => {
  if (own()) await part("more")
  keep(own() ? loaded("more").ended(text(), editor.field.value) : editor.field.value)
  if (!own()) await readyToJudge(state.cluster)
  verdict.fixed("")
  state.edited()
})
