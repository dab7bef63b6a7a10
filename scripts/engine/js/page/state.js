// What the page shows: its mode, its systems, what the form holds, and the reader's own text.
import {addressOf, readAddress} from "./address.js"

export const FILE = "job.sh"

// The systems, as the list says that stands here without JavaScript.
export const systems = [...document.querySelectorAll('[id^="cluster="]')].map(
  (/** @type {HTMLAnchorElement} */ link) => {
    const after = link.parentElement.querySelectorAll("a")[1]?.getAttribute("href")
    return {
      key: link.id.slice("cluster=".length),
      name: link.textContent,
      said: link.parentElement.textContent,
      running: link.hash === "#one-gpu",
      after: after?.replace(/^.*\/|\.html.*$/g, ""),
    }
  },
)

/** @type {Record<string, any>} arrived: the address is to be read; edited(): what follows an edit */
export const state = {...readAddress(systems), arrived: true, fields: {}, script: "", written: "", own: "", file: FILE}

/** Is the text the reader's, not the form's? */
export const own = () => state.mode !== "write"

/** The text in the editor, as the file has it. */
export const text = () => (own() ? state.own : state.script)
export const keep = given => (own() ? (state.own = given) : (state.script = given))

const drawing = {show: async () => {}}

/** Shows the state. */
export const redraw = () => drawing.show()

/** Says what shows the state. @param {() => Promise<void>} show */
export const drawWith = show => (drawing.show = show)

/** Takes the state into the address: a step that the back button undoes. */
export function go(change) {
  Object.assign(state, change)
  const fragment = `#${addressOf(state)}`
  if (fragment !== location.hash) history.pushState(null, "", fragment)
  return redraw()
}

/** Takes the address for the state. */
export function arrive() {
  const before = state.cluster
  Object.assign(state, readAddress(systems), {arrived: true})
  if (before !== state.cluster) state.fields = {}
  return redraw()
}
