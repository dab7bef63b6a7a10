// What stands beside and below the script when it is the reader's own: to check it, to move it, to explain a message.
import {data} from "../data.js"
import {addressOf} from "./address.js"
import {bar, editor, filled, main, name, offer, place, script, side, systemChoice, verdict} from "./bench.js"
import {differing, plain} from "./bytes.js"
import {lineOf} from "./editor.js"
import {button, element, labelled, words} from "./element.js"
import {judge, tooLong} from "./judge.js"
import {jobReport} from "./job_report.js"
import {loaded, part, readyToJudge, systemOf} from "./parts.js"
import {go, keep, redraw, state, systems, text} from "./state.js"
import {take} from "./take.js"

/** Each shows a mode: (system, current), which is false as soon as another state is asked for. */
export const modes = {check: showCheck, move: showMove, explain: showExplain}

const EXAMPLE = "#!/bin/bash\n#SBATCH --account=…\n#SBATCH --time=01:00:00\n…"
const MESSAGE = "sbatch: error: Batch job submission failed: Requested time limit is invalid"

const hint = words => element("p.own-hint", {}, words)
// What the reader chooses for a text stays: `chosen` and `chosenTo`; `found` is the system that the text names.
const ofSystem = (label, key) => systemChoice(label, key, systems, cluster => go({cluster, chosen: true}))
const wrapped = parts => element("div", {}, parts)
const beside = element("div.own-beside")

function chooser() {
  const field = element("input", {type: "file"})
  field.addEventListener("change", () => take(field.files[0]))
  return wrapped(labelled("Script file", field, hint("Or paste the script below, or drop its file on the page.")))
}
const origin = element("p.own-hint", {role: "status"})
// Always the same, or the editor would lose the focus when the page finds out which system a text is for.
const result = element("div.own-moved", {role: "region", ariaLabel: "The moved script"})
const below = element("div.own-changes")

/** Says under the choice of system for which one the script seems to be. @param {any[]} likely as originsOf gives it */
function sayOrigin(system, likely) {
  const here = likely.find(({key}) => key === system.key)
  const asks = state.mode === "move" && !state.chosen && text().trim()
  const others = likely.filter(({key, score}) => key !== system.key && (!here || (asks && score >= here.score)))
  const use = ({key, name}, place) => [
    place ? " · " : " ",
    button(`Use ${name}`, () => go({cluster: key, chosen: true})),
  ]
  let said = ""
  if (here && others.length) said = `The script fits ${system.name}, but it may also be for a different system.`
  else if (here && asks && here.key === state.found?.key) said = `Chosen because the script names ${here.why}.`
  else if (others.length > 1)
    said = `The script contains names that ${others.length} systems share. Which system is it for?`
  else if (others.length) said = `The script looks like one for ${others[0].name}, because it names ${others[0].why}.`
  else if (!here && asks) said = "Nothing in the script identifies its system. Choose the system."
  origin.replaceChildren(...words(said), ...others.flatMap(use))
}

/** The systems that the text fits; a new text is nobody's choice yet. */
function likelyOrigins() {
  if (!text().trim()) Object.assign(state, {chosen: false, found: null})
  return loaded("rules").originsOf(text())
}
function editing() {
  offer(true)
  editor.field.placeholder = EXAMPLE
  editor.show(plain(text()))
  name.textContent = state.file
}

async function showCheck(system, current) {
  side.replaceChildren(wrapped([...ofSystem("System", system.key), origin]), chooser())
  place(main, script, beside)
  place(beside, verdict.said, verdict.list)
  editing()
  state.edited = () => {
    sayOrigin(system, likelyOrigins())
    judge(system)
  }
  await readyToJudge(system.key)
  if (current()) state.edited()
}

async function showMove(system, current) {
  const there = systems.filter(({key, running}) => running && key !== system.key)
  if (!there.some(({key}) => key === state.to)) state.to = there[0].key
  side.replaceChildren(
    wrapped([...ofSystem("From", system.key), origin]),
    wrapped(systemChoice("To", state.to, there, to => go({to, chosenTo: true}))),
    chooser(),
  )
  place(main, verdict.said, script, result, verdict.list, below)
  editing()
  // The chunk `move` runs behind those that a verdict needs.
  const ready = readyToJudge(system.key).then(() => part("move"))
  const [target] = await Promise.all([systemOf(state.to), ready])
  if (!current()) return
  state.edited = () => showMoved(system, target)
  state.edited()
}

function showMoved(system, target) {
  const given = text()
  const likely = likelyOrigins()
  const [only, another] = likely
  if (only && !another && only.key !== system.key && !state.chosen) {
    const {after} = systems.find(({key}) => key === only.key)
    Object.assign(state, {cluster: only.key, found: only, to: (!state.chosenTo && after) || state.to})
    history.replaceState(null, "", `#${addressOf(state)}`) // or the way back would lead here again
    return redraw()
  }
  sayOrigin(system, likely)
  const long = tooLong(given)
  for (const part of [result, below]) part.replaceChildren()
  editor.mark()
  if (!given.trim()) return verdict.say(`Paste a script for ${system.name}, or choose a file. It stays on this page.`)
  if (long) return verdict.show(system, long)
  const moved = loaded("move").moveTold(system, target, given)
  const anew = filled(moved.script, target.key)
  if (anew) {
    const title = element("span.own-name", {}, `${state.file} for ${target.name}`)
    const listed = listing(anew, differing(anew, given))
    result.append(
      element(
        "figure.own-script",
        {},
        bar(title, () => anew),
        listed,
      ),
    )
    editor.changed(differing(given, anew))
    verdict.show(target, loaded("rules").found(target, anew, state.file))
  } else verdict.say(`We could not create a script for ${target.name}.`, "refused")
  const own = anew !== moved.script // the reader's account stands in it
  const impossible = moved.impossible.filter(({kind}) => !own || kind !== "account")
  below.append(...toDo({...moved, impossible}), ...changed(moved))
}

/** A script in colours, to read only. @param {number[]} changed lines that are marked */
const listing = (text, changed) =>
  element(
    "pre.own-listing",
    {tabIndex: 0},
    ...text.split("\n").map((line, at) => lineOf(line, "plain", changed.includes(at + 1))),
  )

/** What the reader has to do; or why nothing came out. */
function toDo({script, impossible}) {
  const box = () => element("input", {type: "checkbox"})
  const item = ({text}) => element("li", {}, script ? element("label", {}, box(), ...words(text)) : words(text))
  const title = element("h2", {}, script ? "To do" : "Cannot be moved")
  return impossible.length ? [title, element("ul.own-todo", {}, ...impossible.map(item))] : []
}

function changed({changes}) {
  const line = text => (text ? element("code", {}, text) : "nothing")
  const item = ({from, to, reason}) =>
    element("li", {}, line(from), " → ", line(to), element("span", {}, ...words(reason)))
  return changes.length ? [element("h2", {}, "Changed for you"), element("ol", {}, ...changes.map(item))] : []
}

async function showExplain(system, current) {
  side.replaceChildren(...ofSystem("System", system.key))
  const field = element("textarea", {rows: 5, spellcheck: false, value: state.message ?? "", placeholder: MESSAGE})
  const answer = element("div.own-answers", {role: "status"})
  const job = element("textarea", {rows: 4, spellcheck: false, value: text(), placeholder: EXAMPLE})
  const asks = element(
    "div.own-asks",
    {hidden: true},
    ...labelled("The job's script, to get the next one (optional)", job),
  )
  main.replaceChildren(...labelled("Error message, squeue reason, or the output of seff or sacct", field), asks, answer)
  const {adviseOn, explain, linked, readJob, unknown} = await part("explain")
  if (!current()) return
  const {shown, meant} = linked(new URLSearchParams(location.search).get("message"))
  if (state.message === undefined && !field.value) field.value = shown
  let last = 0 // what arrives for an older text is not shown
  const say = async () => {
    const mine = ++last
    state.message = field.value
    const pasted = field.value === shown ? meant : field.value
    const ended = system.kind === "slurm" ? readJob(pasted) : null
    asks.hidden = !ended?.ended
    const script = ended?.ended ? text() : ""
    if (ended) await readyToJudge(system.key) // whether another partition takes the job, the scheduler decides
    if (mine !== last || !current()) return
    const report = ended && (ended.listed || script.trim()) ? reported(system, adviseOn, ended, script) : null
    const found = pasted.trim() ? explain(data.messages, system, report ? ended.rest : pasted) : []
    const lost = report || !pasted.trim() ? null : unknown(data.messages, system, pasted, found)
    const told = found.slice(0, 3).map(explained)
    const reports = report ? [report] : []
    // That a job failed says less than why.
    const parts = ended?.state === "FAILED" ? [...told, ...reports] : [...reports, ...told]
    answer.replaceChildren(...parts, ...(lost ? onward(lost) : []))
  }
  field.addEventListener("input", say)
  job.addEventListener("input", () => {
    keep(job.value)
    say()
  })
  say()
}

/** What a job used, what to ask for next, and the script that does, with the lines marked that differ. */
function reported(system, adviseOn, ended, script) {
  const told = loaded("rules").propose(system, ended, script, adviseOn)
  const {next} = told
  if (!next) return jobReport(told)
  const title = element("span.own-name", {}, `${state.file} for the next job`)
  const shown = listing(next.script, differing(next.script, script))
  const give = bar(title, () => next.script)
  return jobReport(told, system, next, element("figure.own-script", {}, give, shown))
}

/** Where an unknown message leads. */
function onward({said, near, terms, search, ask}) {
  const name = ({title, link}) => (link.includes("#") ? element("code", {}, title) : title)
  const item = each => element("li", {}, element("a", {href: each.link}, name(each)), ...words(each.sign))
  const all = element("a", {href: "wrong/index.html"}, "browse all known messages")
  return [
    element("p", {}, said),
    near.length ? element("ul", {}, ...near.map(item)) : "",
    element(
      "p",
      {},
      search ? [element("a", {href: `index.html?q=${encodeURIComponent(terms)}`}, search), ", or "] : "",
      all,
      ".",
    ),
    element("p", {}, ...words(ask)),
  ]
}

function explained({title, means, here, was, now, cure, link}) {
  const code = text => element("code", {}, text)
  const example = () => (was ? ["For example, instead of ", code(was), ", write "] : "For example: ")
  return element(
    "section",
    {},
    element("h2", {}, code(title)),
    element("p", {}, ...words(means), here ? [" ", ...words(here)] : null),
    element("p.own-cure", {}, ...words(cure)),
    now ? element("p", {}, example(), code(now)) : null,
    link ? element("p", {}, element("a", {href: link}, "More about this message")) : null,
  )
}
