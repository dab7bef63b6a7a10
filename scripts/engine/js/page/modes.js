// What stands beside and below the script when it is the reader's own: to check it, to move it, to explain a message.
import {data} from "../data.js"
import {bar, editor, filled, main, name, offer, script, side, systemChoice, verdict} from "./bench.js"
import {plain} from "./bytes.js"
import {listing} from "./editor.js"
import {element, labelled, words} from "./element.js"
import {judge, tooLong} from "./judge.js"
import {loaded, part, readyToJudge, systemOf} from "./parts.js"
import {go, state, systems, text} from "./state.js"
import {take} from "./take.js"

/** Each shows a mode: (system, current), which is false as soon as another state is asked for. */
export const modes = {check: showCheck, move: showMove, explain: showExplain}

const hint = words => element("p.own-hint", {}, words)
const ofSystem = (label, key) => systemChoice(label, key, systems, cluster => go({cluster}))
const wrapped = parts => element("div", {}, parts)

function chooser() {
  const field = element("input", {type: "file"})
  field.addEventListener("change", () => take(field.files[0]))
  return field
}
function editing() {
  offer(true)
  editor.show(plain(text()))
  name.textContent = state.file
}

async function showCheck(system, current) {
  side.replaceChildren(
    ...ofSystem("System", system.key),
    ...labelled("Your script", chooser(), hint("Choose a file, or drop it on the page. It stays in your browser.")),
    hint("Each finding names its line. If there is only one possible fix, a button applies it."),
  )
  main.replaceChildren(script, verdict.root)
  editing()
  state.edited = () => judge(system)
  await readyToJudge(system.key)
  if (current()) judge(system)
}

async function showMove(system, current) {
  const there = systems.filter(({key, running}) => running && key !== system.key)
  if (!there.some(({key}) => key === state.to)) state.to = there[0].key
  side.replaceChildren(
    wrapped(ofSystem("From", system.key)),
    wrapped(systemChoice("To", state.to, there, to => go({to}))),
    wrapped(labelled("Your script", chooser())),
  )
  const result = element("div.own-moved", {role: "region", ariaLabel: "The moved script"})
  main.replaceChildren(script, result, verdict.root)
  editing()
  // The chunk `move` runs behind those that a verdict needs.
  const ready = readyToJudge(system.key).then(() => part("move"))
  const [target] = await Promise.all([systemOf(state.to), ready])
  if (!current()) return
  state.edited = () => showMoved(system, target, result)
  state.edited()
}

function showMoved(system, target, result) {
  const given = text()
  const long = tooLong(given)
  editor.mark([])
  result.replaceChildren()
  verdict.root.querySelector(".own-changes")?.remove()
  if (!given.trim()) return verdict.say(`Paste a script for ${system.name}, or choose a file. It stays on this page.`)
  if (long) return verdict.show(system, long)
  const moved = loaded("move").move(system, target, given)
  if (moved.script) {
    const title = element("span.own-name", {}, target.name)
    const above = bar(title, () => ({script: moved.script, cluster: target.key}))
    result.append(element("figure.own-script", {}, above, listing(moved.script)))
    verdict.show(target, loaded("rules").found(target, filled(moved.script, target.key), state.file))
  } else verdict.say(`We could not create a script for ${target.name}.`)
  verdict.root.append(changeList(moved))
}

function changeList({script, impossible, changes}) {
  const line = text => (text ? element("code", {}, text) : "nothing")
  const cannot = element("strong", {}, script ? "Needs your attention" : "Cannot be moved")
  return element(
    "ol.own-changes",
    {},
    ...impossible.map(reason => element("li.refused", {}, cannot.cloneNode(true), ": ", ...words(reason))),
    ...changes.map(({from, to, reason}) =>
      element("li", {}, line(from), " → ", line(to), element("span", {}, ...words(reason))),
    ),
  )
}

async function showExplain(system, current) {
  side.replaceChildren(...ofSystem("System", system.key))
  const field = element("textarea", {rows: 5, spellcheck: false, value: state.message ?? ""})
  const answer = element("div.own-answers", {role: "status"})
  main.replaceChildren(...labelled("Error message or squeue reason", field), answer)
  const {explain} = await part("explain")
  if (!current()) return
  const say = () => {
    state.message = field.value
    const found = field.value.trim() ? explain(data.messages, system, field.value) : null
    answer.replaceChildren(...(found?.length ? found.slice(0, 3).map(explained) : found ? [unknown()] : []))
  }
  field.addEventListener("input", say)
  say()
}

function unknown() {
  const list = element("a", {href: "wrong/index.html"}, "Browse all known messages")
  return element("p", {}, "We do not know this message. ", list, ".")
}

function explained({title, means, here, was, now, cure, elsewhere, link}) {
  const code = text => element("code", {}, text)
  const example = () => (was ? ["For example, instead of ", code(was), " write "] : "For example: ")
  return element(
    "section",
    {},
    element("h3", {}, code(title)),
    elsewhere ? element("p", {}, "Other systems print this message, but not this one.") : null,
    element("p", {}, ...words(means), here ? [" ", ...words(here)] : null),
    element("p.own-cure", {}, ...words(cure)),
    now ? element("p", {}, example(), code(now)) : null,
    link ? element("p", {}, element("a", {href: link}, "More about this message")) : null,
  )
}
