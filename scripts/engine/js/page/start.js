// The page "Write or check a job script": one form, one script beside it, one verdict beside it.
import {addressOf} from "./address.js"
import {bench, editor, modes, told, verdict} from "./bench.js"
import {element} from "./element.js"
import {loaded, part, systemOf} from "./parts.js"
import {arrive, drawWith, redraw, state, text} from "./state.js"
import {ready, showWrite} from "./write.js"

const TITLES = {write: "Write a script", check: "Check a script", move: "Move a script", explain: "Explain a message"}

function modeLink([mode, title]) {
  const href = `#${mode === "write" ? addressOf({...state, mode}) : `mode=${mode}&cluster=${state.cluster}`}`
  return element("a", {href, ariaCurrent: mode === state.mode ? "page" : null}, title)
}

let asked = 0 // what arrives for an older state is not shown
async function show() {
  const mine = ++asked
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
    verdict.say(`${fault.message} Load the page again.`)
    if (!/could not load/.test(fault.message)) throw fault
  }
}

// For the dialog of My account, and for tests.
globalThis.jobscriptPage = {state, text, ready, part}

const [without, place] = [".own-without", ".own-place"].map(
  name => /** @type {HTMLElement} */ (document.querySelector(name)),
)
without.hidden = true
place.append(bench, told)
place.hidden = false
addEventListener("hashchange", arrive)
addEventListener("my-account", redraw)
drawWith(show)
redraw()
