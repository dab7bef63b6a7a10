// The page "Write or check a job script": one form, one script beside it, one verdict under it.
import {page} from "./shared.js"

const {element, labelled, button} = page
const TITLES = {write: "Write", check: "Check mine", move: "Move it", explain: "Explain"}
const FILE = "job.sh"

// The systems, as the list says that stands here without JavaScript.
const systems = [...document.querySelectorAll('[id^="cluster="]')].map(link => {
  const after = link.parentElement.querySelectorAll("a")[1]?.getAttribute("href")
  return {
    key: link.id.slice("cluster=".length),
    name: link.textContent,
    running: link.hash === "#one-gpu",
    after: after?.replace(/^.*\/|\.html.*$/g, ""),
  }
})
const state = {...page.readAddress(systems), fields: {}, script: "", written: "", own: "", file: FILE}

const modes = element("nav.own-modes", {ariaLabel: "What to do with a script"})
const side = element("div.own-side"),
  main = element("div.own-main")
page.modes = {}
const bench = element("div.own-bench", {}, modes, side, main)
const editor = page.editor("The script")
const verdict = page.verdict({select: line => editor.select(line), mend: finding => page.mend(finding)})
const told = element("span.own-told", {role: "status"})
const name = element("span.own-name")
const own = () => state.mode !== "write" // the text is the reader's, not the form's

/** The text in the editor, as the file has it. */
const text = () => (own() ? state.own : state.script)
const keep = given => (own() ? (state.own = given) : (state.script = given))

let asked = 0 // what arrives for an older state is not shown
async function show() {
  const mine = ++asked,
    {mode, cluster} = state
  modes.replaceChildren(
    ...Object.entries(TITLES).map(([each, title]) =>
      element(
        "a",
        {
          href: "#" + (each === "write" ? page.fragmentOf({...state, mode: each}) : `mode=${each}&cluster=${cluster}`),
          ariaCurrent: each === mode ? "page" : null,
        },
        title,
      ),
    ),
  )
  bench.className = `own-bench ${mode}`
  try {
    const [system] = await Promise.all([page.system(cluster, mode !== "write"), mode === "write" || page.part("more")])
    if (mine !== asked) return
    await page.modes[mode].show(system, () => mine === asked)
  } catch (fault) {
    if (mine !== asked) return
    verdict.say(`${fault.message} Load the page again.`)
    if (!(fault instanceof Error) || !/could not load/.test(fault.message)) throw fault
  }
}

/** Takes the address for the state. */
function arrive() {
  const before = state.cluster
  Object.assign(state, page.readAddress(systems))
  state.arrived = true
  if (before !== state.cluster) state.fields = {}
  show()
}

/** Takes the state into the address: a step that the back button undoes, or none while one types. */
function go(change, typing = false) {
  Object.assign(state, change)
  const fragment = "#" + page.fragmentOf(state)
  if (fragment !== location.hash) history[typing ? "replaceState" : "pushState"](null, "", fragment)
  return show()
}

/** A choice of system. */
function systemChoice(label, key, among, act) {
  const select = element("select", {})
  const group = (label, some) =>
    some.length &&
    select.append(element("optgroup", {label}, ...some.map(({key, name}) => element("option", {value: key}, name))))
  group(
    "Running",
    among.filter(({running}) => running),
  )
  group(
    "Switched off",
    among.filter(({running}) => !running),
  )
  select.value = key
  select.addEventListener("change", () => act(select.value))
  return labelled(label, select)
}

/** All that a verdict needs. */
page.judging = async key => {
  const {kind} = await page.system(key)
  const [, , rules] = await Promise.all(
    ["more", "verdict", "rules", ...(kind === "grid_engine" ? ["grid"] : [])].map(page.part),
  )
  page.engine = rules.engine
}

const tell = words => {
  told.textContent = words
  clearTimeout(tell.later)
  tell.later = setTimeout(() => (told.textContent = ""), 4000)
}
const copy = async (text, yes, no) => {
  await page.part("more")
  tell((await page.copy(text)) ? yes : no)
}
const share = button("Copy a link", () => copy(location.href, "The link is copied", "Copy it from the address bar"))
// cluster: whose account the script wears
const bar = (title, given, fileName, cluster, ...more) =>
  element(
    "figcaption",
    {},
    title,
    element(
      "span.own-acts",
      {},
      button("Copy", () => copy(page.filled(given(), cluster()), "Copied", "Press Ctrl+C")),
      button("Download", async () => {
        await page.part("more")
        page.download(fileName(), page.filled(given(), cluster()))
      }),
      ...more,
    ),
  )
const clear = button("Clear", () => {
  Object.assign(state, {own: "", file: FILE})
  show().then(() => editor.field.focus())
})
page.offer = own => {
  // a link says nothing of a reader's own text
  share.hidden = own
  clear.hidden = !own
}
const script = element(
  "figure.own-script",
  {},
  bar(
    name,
    text,
    () => state.file,
    () => state.cluster,
    button("Print", () => print()),
    share,
    clear,
  ),
  editor.root,
)

/** The script with what the reader has said of their own account, if they have. */
page.filled = (given, cluster) => globalThis.myAccount?.filled?.(given, cluster) ?? given

editor.field.addEventListener("input", async () => {
  if (own()) await page.part("more")
  keep(own() ? page.ended(text(), editor.field.value) : editor.field.value)
  if (!own()) await page.judging(state.cluster)
  state.edited()
})
Object.assign(page, {
  systems,
  state,
  side,
  main,
  editor,
  verdict,
  script,
  told,
  name,
  bar,
  show,
  go,
  bench,
  systemChoice,
  text,
  keep,
  own,
})

page.start = () => {
  document.querySelector(".own-without").hidden = true
  const place = document.querySelector(".own-place")
  place.append(bench, told)
  place.hidden = false
  addEventListener("hashchange", arrive)
  addEventListener("my-account", show)
  page.touched = new Promise(resolve => {
    for (const event of ["pointerover", "focusin", "keydown", "dragenter"])
      bench.addEventListener(event, resolve, {once: true})
  }).then(() => page.part("more"))
  state.arrived = true
  show()
}
