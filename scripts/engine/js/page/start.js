// The page "Write or check a job script": one form, one script beside it, one verdict beside it.
import {addressOf} from "./address.js"
import {bench, editor, main, modes, side, told, verdict} from "./bench.js"
import {element} from "./element.js"
import {loaded, part, systemOf} from "./parts.js"
import {arrive, drawWith, redraw, state, text} from "./state.js"
import {ready, showWrite} from "./write.js"

const TITLES = {write: "Write a script", check: "Check a script", move: "Move a script", explain: "Explain a message"}

function modeLink([mode, title]) {
  const href = `#${mode === "write" ? addressOf({...state, mode}) : `mode=${mode}&cluster=${state.cluster}`}`
  return element("a", {href, ariaCurrent: mode === state.mode ? "page" : null}, title)
}

// The control with the focus, [its kind, its name]: showing a state may replace it, and the keyboard goes on from the new one.
let focused = null
const nameOf = control => control.ariaLabel || control.labels?.[0]?.textContent || control.textContent
new MutationObserver(() => {
  if (!focused || document.activeElement !== document.body) return
  const [kind, name] = focused
  const same = [...bench.querySelectorAll(kind)].find(each => nameOf(each) === name)
  const next = /** @type {HTMLElement} */ (same ?? side.querySelector("select"))
  next?.focus({preventScroll: true})
}).observe(bench, {childList: true, subtree: true})
const keep = control => (focused = [control.localName, nameOf(control)])
bench.addEventListener("focusin", ({target}) => focused && keep(target)) // who moves on meanwhile stays there

let asked = 0 // what arrives for an older state is not shown
async function show() {
  const mine = ++asked
  const active = document.activeElement
  if (bench.contains(active)) keep(active)
  else if (active !== document.body) focused = null
  const {mode, cluster} = state
  const current = () => mine === asked
  modes.replaceChildren(...Object.entries(TITLES).map(modeLink))
  bench.className = `own-bench ${mode}`
  verdict.fixed("")
  editor.changed([])
  try {
    const [system] = await Promise.all([systemOf(cluster, mode !== "write"), mode === "write" || part("more")])
    if (current()) await (mode === "write" ? showWrite : loaded("more").modes[mode])(system, current)
  } catch (fault) {
    if (!current()) return
    if (!verdict.said.isConnected) main.replaceChildren(verdict.said)
    verdict.say(`${fault.message} Load the page again. If it is a saved copy, open the original page.`)
    if (!/could not load/.test(fault.message)) throw fault
  } finally {
    if (current()) focused = null
  }
}

// For the dialog of My account, and for tests.
globalThis.jobscriptPage = {state, text, ready, part}

const [without, place] = [".own-without", ".own-place"].map(
  name => /** @type {HTMLElement} */ (document.querySelector(name)),
)
without.hidden = true
place.replaceChildren(bench, told) // a page that a browser has saved still has its own
place.hidden = false
addEventListener("hashchange", arrive)
addEventListener("my-account", redraw)
drawWith(show)
redraw()
