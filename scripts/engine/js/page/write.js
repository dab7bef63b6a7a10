// The form, and the script that it writes. A control offers only what can be had there.
import {fieldsOf} from "../form/address.js"
import {choices, write} from "../form/form.js"
import {bench, editor, filled, main, name, offer, script, side, systemChoice, verdict} from "./bench.js"
import {button, element, labelled, words} from "./element.js"
import {loaded, part, readyToJudge} from "./parts.js"
import {FILE, go, state, systems} from "./state.js"

const OWN = ["nodes", "time", "memory", "cores", "array"] // may have a value that no list holds
const HALF = ["gpus", "nodes", "memory", "cores", "array", "mail"] // two stand beside each other
const SHORT = {share: "GPUs' share"}
const OTHER = "other…"

/** The systems of which all is here. @type {Set<string>} */
export const ready = new Set()
const controls = new Map() // field -> its {select, why}: they stay while their choices change
let controlsOf = "" // the system
const choose = fields => go({fields: {...state.fields, ...fields}})

// A reader who is about to do something gets the engine that judges.
const touched = new Promise(resolve => {
  for (const event of ["pointerover", "focusin", "keydown", "dragenter"])
    bench.addEventListener(event, resolve, {once: true})
}).then(() => part("more"))

/** Shows the form of a system. @param {any} system @param {() => boolean} current */
export async function showWrite(system, current) {
  if (state.arrived) {
    // by a link: the address says what the form holds
    const {fields = {}, reason} = fieldsOf(state.form || `cluster=${system.key}`)
    Object.assign(state, {fields, arrived: false, wrong: reason})
  }
  const given = {...state.fields, cluster: system.key}
  showForm(system, choices(system, given))
  main.replaceChildren(script, verdict.root)
  const made = write(system, given)
  if (made.script) {
    const edited = state.script && state.script !== state.written && state.of === system.key
    if (edited) await readyToJudge(system.key)
    state.script = edited ? loaded("more").rewrite(system, given, state.written, state.script) : made.script
    Object.assign(state, {written: made.script, of: system.key})
  }
  name.textContent = FILE
  offer(false)
  editor.show(state.script)
  const more = [...words(made.cost?.words), ...whose(system)]
  const judge = () => loaded("more").judge(system, more)
  state.edited = judge
  if (!made.script || state.wrong) return refuse(made, state.wrong)
  if (ready.has(system.key)) return judge()
  // What the form writes is taken; the page looks itself as soon as a reader is about to do something.
  verdict.show(system, {verdict: "accepted", findings: []}, more)
  await touched
  if (!current()) return
  await readyToJudge(system.key)
  ready.add(system.key)
  if (current()) judge()
}

/** Whose account stands in the script. */
function whose({key, form: {account}}) {
  if (!account || !state.script.includes(account)) return []
  return filled(state.script, key) === state.script
    ? words(
        ` \`${account}\` is a placeholder. Replace it with your account, or save yours once under My account at the top.`,
      )
    : [" Copy and Download insert your account."]
}

/** The script stays as it was; what is asked for cannot be had. */
function refuse({reason = "", nearest = null}, wrong) {
  editor.mark([])
  if (wrong) return verdict.say(`${wrong} The form shows the defaults.`, "refused")
  const change = nearest && button("Use this value", () => choose({[nearest.field]: nearest.value}))
  verdict.say(reason, "refused", change)
}

function showForm(system, fields) {
  const own = fields.filter(({name}) => name !== "cluster")
  if (controlsOf !== system.key || !side.querySelector("form")) {
    const focused = side.contains(document.activeElement)
    controls.clear()
    controlsOf = system.key
    const running = systems.filter(each => each.running)
    const choice = systemChoice("System", system.key, running, cluster => go({cluster}))
    const last = own.filter(({name}) => name === "checkpoint")
    const controlled = [...own.filter(each => !last.includes(each)), ...last].map(control)
    side.replaceChildren(element("form", {ariaLabel: "What the job needs"}, ...choice, ...controlled))
    if (focused) choice[1].focus()
  }
  own.forEach(update)
}

function control({name, label}) {
  const select = element("select", {name})
  const why = element("details.own-hint", {hidden: true})
  controls.set(name, {select, why})
  select.addEventListener("change", () => {
    if (select.value !== OTHER) return choose({[name]: select.value})
    loaded("more").ask(select, label, state.fields[name], value => choose(value ? {[name]: value} : {}))
  })
  return element(`div.${HALF.includes(name) ? "half" : "whole"}`, {}, ...labelled(label, select), why)
}

function update({name, value, values}) {
  const {select, why} = controls.get(name)
  const known = values.some(each => each.value === value)
  select.replaceChildren(
    ...(known ? [] : [element("option", {value}, value)]),
    ...values.map(({value, label, possible}) => element("option", {value, disabled: !possible}, SHORT[value] ?? label)),
    ...(OWN.includes(name) ? [element("option", {value: OTHER}, OTHER)] : []),
  )
  select.value = value
  const impossible = values.filter(({possible}) => !possible)
  const reasons = [...new Set(impossible.map(({reason}) => reason))]
  const item = reason => {
    const labels = impossible.filter(each => each.reason === reason).map(({label}) => label)
    return element("li", {}, `${labels.join(", ")}: `, ...words(reason))
  }
  why.hidden = !reasons.length
  why.replaceChildren(
    element("summary", {}, "Why are some options unavailable?"),
    element("ul", {}, ...reasons.map(item)),
  )
}
