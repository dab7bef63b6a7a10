// What stands beside and below the script in each mode, but Write, which has a file of its own.
import {data} from "../data.js"
import {page} from "./shared.js"

const {element, labelled, button} = page

const chooser = () => {
  const field = element("input", {type: "file"})
  field.addEventListener("change", () => page.take(field.files[0]))
  return field
}
const editing = () => {
  page.editor.show(page.plain(page.text()))
  page.name.textContent = page.state.file
}

page.modes.check = {
  async show(system, current) {
    const {state} = page,
      hint = element("p.own-hint", {}, "It is read here and sent nowhere. Or drop it on the page.")
    page.offer(true)
    page.side.replaceChildren(
      ...page.systemChoice("System", system.key, page.systems, cluster => page.go({cluster})),
      ...labelled("A file of yours", chooser(), hint),
      element("p.own-hint", {}, "Each finding names its line. Where only one edit can be right, a button makes it."),
    )
    page.main.replaceChildren(page.script, page.verdict.root)
    editing()
    state.edited = () => page.judge(system)
    await page.judging(system.key)
    if (current()) page.judge(system)
  },
}

page.modes.move = {
  async show(system, current) {
    const {state, systems} = page
    page.offer(true)
    const there = systems.filter(({key, running}) => running && key !== system.key)
    if (!there.some(({key}) => key === state.to)) state.to = there[0].key
    page.side.replaceChildren(
      ...wrapped(page.systemChoice("It was for", system.key, systems, cluster => page.go({cluster}))),
      ...wrapped(page.systemChoice("It shall run on", state.to, there, to => page.go({to}))),
      ...wrapped(labelled("A file of yours", chooser())),
    )
    const result = element("div.own-moved", {role: "region", ariaLabel: "The moved script"})
    page.main.replaceChildren(page.script, result, page.verdict.root)
    editing()
    const [target] = await Promise.all([
      page.system(state.to),
      page.judging(system.key),
      page.part("move").then(moves => (page.moves = moves)),
    ])
    if (!current()) return
    state.edited = () => moved(system, target, result)
    state.edited()
  },
}

function moved(system, target, result) {
  const given = page.text()
  if (!given.trim()) {
    page.verdict.say(`Paste a script for ${system.name}, or choose a file. Nothing of it leaves this page.`)
    page.editor.mark([])
    return result.replaceChildren()
  }
  if (page.tooLong(given)) return (page.verdict.show(system, page.tooLong(given), []), result.replaceChildren())
  const {script, changes, impossible} = page.moves.move(system, target, given)
  const name = element("span.own-name", {}, target.name)
  const shown = () =>
    element(
      "figure.own-script",
      {},
      page.bar(
        name,
        () => script,
        () => page.state.file,
        () => target.key,
      ),
      page.listing(script),
    )
  const line = text => (text ? element("code", {}, text) : "nothing")
  result.replaceChildren(...(script ? [shown()] : []))
  page.editor.mark([])
  if (script) page.verdict.show(target, page.engine.found(target, page.filled(script, target.key), page.state.file))
  else page.verdict.say(`There is no script for ${target.name}.`)
  const list = element(
    "ol.own-changes",
    {},
    ...impossible.map(words =>
      element("li.refused", {}, element("strong", {}, "Cannot be moved"), ": ", ...page.words(words)),
    ),
    ...changes.map(({from, to, reason}) =>
      element("li", {}, line(from), " → ", line(to), element("span", {}, ...page.words(reason))),
    ),
  )
  page.verdict.root.append(list)
  page.verdict.root.querySelectorAll(".own-changes").forEach(old => old !== list && old.remove())
}
const wrapped = parts => [element("div", {}, parts)]

page.modes.explain = {
  async show(system, current) {
    const {state} = page
    page.side.replaceChildren(...page.systemChoice("System", system.key, page.systems, cluster => page.go({cluster})))
    const field = element("textarea", {rows: 5, spellcheck: false, value: state.message ?? ""})
    const answer = element("div.own-answers", {role: "status"})
    page.main.replaceChildren(...labelled("The message, or the reason that squeue shows", field), answer)
    const {explain} = await page.part("explain")
    if (!current()) return
    const say = () => {
      state.message = field.value
      if (!field.value.trim()) return answer.replaceChildren()
      const found = explain(data.messages, system, field.value)
      answer.replaceChildren(
        ...(found.length
          ? found.slice(0, 3).map(explained)
          : [
              element(
                "p",
                {},
                "The guide does not know this message. ",
                element("a", {href: "wrong/index.html"}, "All that it knows"),
                " are in one list.",
              ),
            ]),
      )
    }
    field.addEventListener("input", say)
    say()
  },
}

const explained = ({title, means, here, was, now, cure, elsewhere, link}) =>
  element(
    "section",
    {},
    element("h3", {}, element("code", {}, title)),
    elsewhere ? element("p", {}, "Other systems of this guide say this, not this one.") : null,
    element("p", {}, ...page.words(means), here ? [" ", ...page.words(here)] : null),
    element("p.own-cure", {}, ...page.words(cure)),
    now
      ? element(
          "p",
          {},
          was ? ["For example, instead of ", element("code", {}, was), " write "] : "For example: ",
          element("code", {}, now),
        )
      : null,
    link ? element("p", {}, element("a", {href: link}, "More about this message")) : null,
  )
