// The form of a job script: what each field can be on a system, and the script that its values stand for. What can be had
// instead of what cannot is in offers.js, which a page needs only then.
import {systems} from "../data.js"
import {limitOf} from "../limits.js"
import {timeWords} from "../script/units.js"
import {costOf} from "./cost.js"
import {planOf} from "./plan.js"
import {FIELDS, minutesOf, shortTime, tidy, usualModel, wishOf} from "./request.js"
import {textOf} from "./script.js"

const TIMES = ["15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "2d", "3d", "7d"]
const MEMORY = ["8G", "16G", "32G", "64G", "128G", "256G", "512G"]
const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
export const once = values => [...new Set(values.map(String))]

/**
 * The plan of a job with these fields, or what is at fault, the first first.
 * @returns {{plan?: any, fault?: any, faults?: any[]}}
 */
export function asked(system, fields) {
  const {wish, faults} = wishOf(system, fields)
  if (faults.length) return {fault: faults[0], faults}
  const {plan, fault} = planOf(system, wish)
  return fault ? {fault, faults: [fault]} : {plan}
}
const hasKind = (place, gpu) => place.nodes.some(({gpus}) => (gpu ? gpus[gpu] : !Object.keys(gpus).length))
/** The limits of the partitions that take jobs with this GPU, or without any. */
const limits = (system, wish, quantity) =>
  system.form.places
    .filter(place => !place.closed && hasKind(place, wish?.gpu))
    .map(place => limitOf(place.limits, quantity))
    .filter(limit => limit < Infinity)
const increasing = (values, size) => once(values).sort((a, b) => size(a) - size(b))

/** All that a field of this system can be asked for, possible or not, as the address says it. */
export const VALUES = {
  cluster: system => Object.keys(systems ?? {[system.key]: system}),
  gpu: system => [...Object.keys(system.form.gpus), "none"],
  gpus(system, wish) {
    if (!wish?.gpu) return ["0"]
    const most = Math.max(1, ...system.form.places.flatMap(place => place.nodes.map(node => node.gpus[wish.gpu] ?? 0)))
    return Array.from({length: most}, (_, number) => String(number + 1))
  },
  nodes: (system, wish) => increasing([1, 2, 3, 4, 8, 16, 32, 64, ...limits(system, wish, "nodes")], Number),
  time: (system, wish) => increasing([...TIMES, ...limits(system, wish, "minutes").map(shortTime)], minutesOf),
  memory: () => ["share", ...MEMORY],
  cores: () => ["share", ...COUNTS.map(String)],
  tasks: (_, wish) => increasing([...COUNTS, wish?.gpus || 1], Number),
  program: system => Object.keys(system.form.programs),
  // The name of any other model can be typed.
  model: (system, wish) => [usualModel(system, wish?.program) ?? "no"],
  array: () => ["no", "1-4", "1-10", "1-100"],
  shard: () => ["no", "yes"],
  checkpoint: () => ["no", "yes"],
  mail: () => ["no", "yes"],
}
/** GPUs on each node and nodes, so that all nodes have as many of this GPU. */
export function spread(system, number, gpu = Object.keys(system.form.gpus ?? {})[0]) {
  const most = gpu ? VALUES.gpus(system, {gpu}).length : 1
  const per = [...Array(Math.min(most, number)).keys()].map(each => each + 1).findLast(each => number % each === 0)
  return {gpus: String(per), nodes: String(number / per)}
}
const nothing = (/** @type {any[]} */ ..._) => null

/**
 * The script that the fields stand for.
 * @param {System} system `systems.<cluster>`
 * @param {Record<string, string>} fields as `fieldsOf` reads them from an address
 * @param {(system: any, fields: any, fault: any) => any} instead what can be had instead
 * @returns {{script?: string, plan?: any, cost?: any, faults?: {field: string, reason: string, unread: boolean, nearest: any}[],
 *   reason?: string, field?: string, nearest?: any}} the last three of the first fault
 */
export function write(system, fields, instead = nothing) {
  const {plan, faults = []} = asked(system, fields)
  if (plan) return {script: textOf(system, plan), plan, cost: costOf(system, plan)}
  const others = field => Object.fromEntries(faults.filter(each => each.field !== field).map(each => [each.field, ""]))
  const told = faults.map(fault => ({
    field: fault.field,
    reason: fault.reason,
    unread: Boolean(fault.unread),
    nearest: instead(system, {...fields, ...others(fault.field)}, fault),
  }))
  return {...told[0], faults: told}
}

function label(system, field, value) {
  const {gpus, programs} = system.form
  if (field === "cluster") return (systems?.[value] ?? system).name
  if (field === "gpu") return gpus[value]?.label ?? "no GPU"
  if (field === "program") return programs[value].label
  if (field === "time") return timeWords(minutesOf(value))
  if (value === "share") return "the GPUs' share (default)"
  return value
}
/** The fields that a choice sets: another program has another model. */
export const changed = (name, value) => ({[name]: value, ...(name === "program" && {model: ""})})
/** What the form shows in a field: what is asked for, or what is proposed. */
export function shown(field, fields, wish) {
  const said = tidy(field, String(fields[field] ?? ""))
  if (said || !wish) return said
  if (field === "gpu") return wish.gpu ?? "none"
  if (field === "time") return shortTime(wish.time)
  if (["gpus", "nodes", "tasks", "program"].includes(field)) return String(wish[field])
  if (field === "model") return wish.model ?? "no"
  return ["memory", "cores"].includes(field) ? "share" : "no"
}

/**
 * All fields of the form with their values, given what the others say.
 * @returns {{name: string, label: string, value: string, values: {value: string, label: string,
 *   possible: boolean, reason?: string, nearest?: any}[]}[]}
 */
export function choices(system, fields, instead = nothing) {
  const {wish} = wishOf(system, fields)
  // While two values contradict each other, the other fields offer what can be had once that is settled.
  const {faults} = write(system, fields, instead)
  const settled =
    faults && Object.assign({}, fields, ...faults.map(({field, nearest}) => nearest?.fields ?? {[field]: ""}))
  return Object.keys(FIELDS).map(name => {
    const value = name === "cluster" ? system.key : shown(name, fields, wish)
    const every = system.form.gone && name !== "cluster" ? [] : VALUES[name](system, wish)
    const values = every.map(each => {
      const there = name === "cluster" ? (systems?.[each] ?? system) : system
      let given = name === "cluster" ? {} : {...fields, ...changed(name, each)}
      const found = {value: each, label: label(system, name, each), possible: true}
      let {fault} = asked(there, given)
      if (fault && settled && name !== "cluster") {
        given = {...settled, ...changed(name, each)}
        fault = asked(there, given).fault
      }
      if (!fault) return found
      const after = there.form.successor
      return {
        ...found,
        possible: false,
        reason: fault.reason,
        get nearest() {
          // reckoned when it is asked for: it takes longer than all else
          if (name !== "cluster") return instead(there, given, fault)
          return after ? {field: name, value: after, fields: {[name]: after}} : null
        },
      }
    })
    return {name, label: FIELDS[name], value, values}
  })
}
