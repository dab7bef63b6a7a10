// The form, and the script that it writes. A control offers only what can be had there.
import {fieldsOf} from "../form/address.js"
import {choices, write} from "../form/form.js"
import {page} from "./shared.js"

const {element, labelled, button, state} = page
const OWN = ["nodes", "time", "memory", "cores", "array"] // may have a value that no list holds
const HALF = ["gpus", "nodes", "memory", "cores", "array", "mail"] // two stand beside each other
const SHORT = {share: "their share"}
const OTHER = "another…"
page.ready = new Set() // the systems of which all is here
const controls = new Map() // by the field's name: they stay while their choices change
const choose = fields => page.go({fields: {...state.fields, ...fields}})

page.modes.write = {
  async show(system, current) {
    if (state.arrived) {
      // by a link: the address says what the form holds
      const {fields = {}, reason} = fieldsOf(state.form || `cluster=${system.key}`)
      Object.assign(state, {fields, arrived: false, wrong: reason})
    }
    const given = {...state.fields, cluster: system.key}
    form(system, choices(system, given))
    page.main.replaceChildren(page.script, page.verdict.root)
    const made = write(system, given)
    if (made.script) {
      const edited = state.script && state.script !== state.written && state.of === system.key
      if (edited) await page.judging(system.key)
      state.script = edited ? page.rewrite(system, given, state.written, state.script) : made.script
      Object.assign(state, {written: made.script, of: system.key})
    }
    page.name.textContent = "job.sh"
    page.offer(false)
    page.editor.show(state.script)
    const more = [...costs(made), ...whose(system)]
    state.edited = () => page.judge(system, more)
    if (!made.script || state.wrong) return refuse(made, state.wrong)
    if (page.ready.has(system.key)) return page.judge(system, more)
    // What the form writes is taken; the page looks itself as soon as a reader is about to do something.
    page.verdict.show(system, {verdict: "accepted", findings: []}, more)
    await page.touched
    if (!current()) return
    await page.judging(system.key)
    page.ready.add(system.key)
    if (current()) page.judge(system, more)
  },
}

const costs = ({cost}) => (cost ? page.words(cost.words ?? cost.sentence ?? "") : [])

/** Whose account stands in the script. */
function whose({key, form: {account}}) {
  if (!account || !state.script.includes(account)) return []
  return page.filled(state.script, key) === state.script
    ? page.words(` \`${account}\` stands for your account: write your own, or enter it once in My account, at the top.`)
    : [" Copy and Download put your account into it."]
}

/** The script stays as it was; what is asked for cannot be had. */
function refuse({reason, nearest}, wrong) {
  page.editor.mark([])
  page.verdict.say(
    wrong ? `${wrong} The form shows what is proposed.` : reason,
    "refused",
    !wrong && nearest && button("Take that", () => choose({[nearest.field]: nearest.value})),
  )
}

function form(system, fields) {
  if (controls.of !== system.key || !page.side.querySelector("form")) {
    const has = page.side.contains(document.activeElement)
    controls.clear()
    controls.of = system.key
    const choice = page.systemChoice(
      "System",
      system.key,
      page.systems.filter(({running}) => running),
      cluster => page.go({cluster}),
    )
    page.side.replaceChildren(
      element(
        "form",
        {ariaLabel: "What the job needs"},
        ...choice,
        ...[...fields]
          .sort((a, b) => (a.name === "checkpoint") - (b.name === "checkpoint"))
          .filter(({name}) => name !== "cluster")
          .map(({name, label}) => made(name, label)),
      ),
    )
    if (has) choice[1].focus()
  }
  for (const field of fields) if (field.name !== "cluster") update(field)
}

function made(name, label) {
  const select = element("select", {name}),
    why = element("details.own-hint", {hidden: true})
  const has = {
    select,
    why,
    root: element(`div.${HALF.includes(name) ? "half" : "whole"}`, {}, ...labelled(label, select), why),
  }
  controls.set(name, has)
  select.addEventListener("change", () =>
    select.value === OTHER
      ? page.ask(select, label, state.fields[name], value => choose(value ? {[name]: value} : {}))
      : choose({[name]: select.value}),
  )
  return has.root
}

function update({name, value, values}) {
  const {select, why} = controls.get(name),
    known = values.some(each => each.value === value)
  select.replaceChildren(
    ...(known ? [] : [element("option", {value}, value)]),
    ...values.map(({value, label, possible}) => element("option", {value, disabled: !possible}, SHORT[value] ?? label)),
    ...(OWN.includes(name) ? [element("option", {value: OTHER}, OTHER)] : []),
  )
  select.value = value
  const reasons =
    Map.groupBy?.(
      values.filter(({possible}) => !possible),
      ({reason}) => reason,
    ) ?? new Map()
  why.hidden = !reasons.size
  why.replaceChildren(
    element("summary", {}, "Why not all?"),
    element(
      "ul",
      {},
      ...[...reasons].map(([reason, those]) =>
        element("li", {}, `${those.map(({label}) => label).join(", ")}: `, ...page.words(reason)),
      ),
    ),
  )
}
