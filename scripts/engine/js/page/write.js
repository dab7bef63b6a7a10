// The form, and the script that it writes. A control offers only what can be had there.
import * as form from "../form/form.js"
import {FIELDS, minutesOf, tidy} from "../form/request.js"
import {timeWords} from "../script/units.js"
import {bench, editor, filled, main, name, offer, place, script, side, systemChoice, verdict} from "./bench.js"
import {button, element, labelled, words} from "./element.js"
import {loaded, part, readyToJudge} from "./parts.js"
import {FILE, go, state, systems} from "./state.js"

// What may have a value that no list holds, and how it is written.
const EXAMPLES = {
  nodes: ["6"],
  time: ["30h", "90 min", "1 day 6 hours", "1-06:00"],
  memory: ["64G"],
  cores: ["12"],
  tasks: ["4"],
  array: ["1-20", "1-100%5"],
  model: ["meta-llama/Llama-3.1-8B-Instruct"],
}
const HALF = ["gpus", "nodes", "memory", "cores", "array", "mail"] // two stand beside each other
const SHORT = {share: "GPUs' share"}
const OTHER = "other…"

/** The systems of which all is here. @type {Set<string>} */
export const ready = new Set()
const controls = new Map() // field -> its elements: they stay while their choices change
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
    const plain = !state.form || state.form === `cluster=${system.key}`
    const {fields = {}, reason} = plain ? {} : (await part("more")).fieldsOf(state.form)
    if (!current()) return
    Object.assign(state, {fields, arrived: false, wrong: reason})
  }
  const given = {...state.fields, cluster: system.key}
  // Only what cannot be had needs the part that finds what can be had instead.
  const {write, choices} = form.write(system, given).faults ? await part("more") : form
  if (!current()) return
  const made = write(system, given)
  showForm(system, choices(system, given), made.faults ?? [])
  place(main, verdict.said, script, verdict.list)
  const here = state.of === system.key
  if (!here) Object.assign(state, {script: "", written: "", of: system.key})
  if (made.script) {
    const anew = filled(made.script, system.key)
    const edited = state.script && state.script !== state.written
    if (edited) await readyToJudge(system.key)
    state.script = edited ? loaded("more").rewrite(state.written, state.script, anew) : anew
    state.written = anew
  }
  const stale = !made.script && state.script
  name.textContent = stale ? `${FILE}, not updated` : FILE
  script.classList.toggle("stale", Boolean(stale))
  offer(false)
  editor.show(state.script)
  const more = [...words(made.cost?.words), ...whose(system)]
  const judge = () => loaded("more").judge(system, more)
  state.edited = judge
  if (!made.script || state.wrong) return loaded("more").refuse(made, stale)
  if (ready.has(system.key)) return judge()
  if (!location.hash) return verdict.say(`This example is for ${system.name}. Choose your system.`)
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
  if (account && state.script.includes(account))
    return words(
      ` \`${account}\` is a placeholder. Replace it with your account, or save yours once under My account at the top.`,
    )
  const yours = globalThis.myAccount?.values?.[key]?.account
  return yours && state.script.includes(yours) ? words(` \`${yours}\` is your account, from My account.`) : []
}

function showForm(system, fields, faults) {
  const own = fields.filter(({name}) => name !== "cluster")
  if (controlsOf !== system.key || !side.querySelector("form")) {
    controls.clear()
    controlsOf = system.key
    const running = systems.filter(each => each.running)
    const choice = systemChoice("System", system.key, running, cluster => go({cluster}))
    const last = own.filter(({name}) => name === "checkpoint")
    const controlled = [...own.filter(each => !last.includes(each)), ...last].map(control)
    side.replaceChildren(element("form", {ariaLabel: "What the job needs"}, ...choice, ...controlled))
  }
  const faultOf = name => faults.find(({field}) => field === name)
  for (const field of own) update(field, faultOf(field.name))
}

function control({name, label}) {
  const select = element("select", {name})
  const error = element("div.own-error")
  const why = element("details.own-hint", {hidden: true})
  const examples = EXAMPLES[name] ?? []
  const hint = element("p.own-hint", {id: `own-write-${name}`, hidden: true}, `For example ${examples.join(", ")}`)
  const typed = element("input", {ariaLabel: label, placeholder: examples[0] ?? "", hidden: true, autocomplete: "off"})
  const parts = {select, typed, hint, why, error, value: "", open: false, bad: false}
  controls.set(name, parts)
  select.addEventListener("change", () => {
    if (select.value !== OTHER) return choose(form.changed(name, select.value))
    typed.value = ""
    parts.open = true
    show(parts)
    typed.focus()
  })
  const end = () => {
    if (typed.hidden) return
    const value = tidy(name, typed.value)
    parts.open = false
    if (value ? value !== state.fields[name] : parts.bad) return choose({[name]: value})
    select.value = parts.value
    show(parts)
  }
  typed.addEventListener("blur", end)
  typed.addEventListener("keydown", event => {
    if (event.key === "Escape") typed.value = ""
    if (event.key !== "Escape" && event.key !== "Enter") return
    event.preventDefault()
    end()
  })
  const [above] = labelled(label, select, error)
  typed.setAttribute("aria-describedby", `${error.id} ${hint.id}`)
  return element(HALF.includes(name) ? "div.half" : "div", {}, above, select, typed, error, hint, why)
}

/** Shows the text field in the place of the list, or the list. */
function show({select, typed, hint, open, bad}) {
  const focused = document.activeElement === typed
  select.hidden = open || bad
  typed.hidden = hint.hidden = !select.hidden
  if (focused && typed.hidden) select.focus()
}

function update({name, label: title, value, values}, fault) {
  const parts = controls.get(name)
  const {select, typed, why, error} = parts
  const known = values.some(each => each.value === value)
  select.replaceChildren(
    ...(known ? [] : [element("option", {value}, worded(name, value))]),
    ...values.map(({value, label, possible}) => element("option", {value, disabled: !possible}, SHORT[value] ?? label)),
    ...(name in EXAMPLES ? [element("option", {value: OTHER}, OTHER)] : []),
  )
  select.value = parts.value = value
  select.parentElement.hidden = name === "model" && value === "no" // of vLLM alone
  parts.bad = Boolean(fault?.unread)
  if (parts.bad && !parts.open) typed.value = value
  show(parts)
  for (const each of [select, typed]) each.ariaInvalid = String(Boolean(fault))
  const near = fault?.nearest
  const own = now => values.find(each => each.value === now)?.label ?? worded(name, now)
  const label = ([field, now]) => (field === name ? own(now) : `${FIELDS[field]} ${worded(field, now)}`)
  const offered = near && `Use ${Object.entries(near.fields).map(label).join(", ")}`
  const use = near && button(offered, () => choose(near.fields).then(() => select.focus()))
  error.replaceChildren(...(fault ? [...words(fault.reason), ...(use ? [" ", use] : [])] : []))
  const impossible = values.filter(({possible}) => !possible)
  const reasons = [...new Set(impossible.map(({reason}) => reason))]
  const item = reason => {
    const labels = impossible.filter(each => each.reason === reason).map(({label}) => label)
    return element("li", {}, `${labels.join(", ")}: `, ...words(reason))
  }
  why.hidden = !reasons.length
  const asks = impossible[1] ? `Why are ${impossible.length} choices unavailable?` : "Why is 1 choice unavailable?"
  why.replaceChildren(
    element("summary", {ariaLabel: `${title}: ${asks}`}, asks),
    element("ul", {}, ...reasons.map(item)),
  )
}

const worded = (name, value) =>
  name === "time" && minutesOf(value) ? timeWords(minutesOf(value)) : (SHORT[value] ?? value)
