// The form of a job script: what each field can be on a system, and the script that its values stand for.
import {systems} from "../data.js"
import {limitOf} from "../limits.js"
import {nearest as nearestName} from "../script/text.js"
import {timeWords} from "../script/units.js"
import {fragmentOf} from "./address.js"
import {costOf} from "./cost.js"
import {planOf} from "./plan.js"
import {FIELDS, mibOf, minutesOf, shortMemory, shortTime, wishOf} from "./request.js"
import {textOf} from "./script.js"

const TIMES = ["15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "2d", "3d", "7d"]
const MEMORY = ["8G", "16G", "32G", "64G", "128G", "256G", "512G"]
const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const once = values => [...new Set(values.map(String))]

/**
 * The plan of a job with these fields, or what is at fault: {field, reason}.
 * @returns {{plan?: any, fault?: any}}
 */
export function asked(system, fields) {
  const read = wishOf(system, fields)
  return read.fault ? read : planOf(system, read.wish)
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
const VALUES = {
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
  program: system => Object.keys(system.form.programs),
  array: () => ["no", "1-4", "1-10", "1-100"],
  checkpoint: () => ["no", "yes"],
  mail: () => ["no", "yes"],
}
const SIZES = {
  gpus: Number,
  nodes: Number,
  cores: Number,
  time: minutesOf,
  memory: mibOf,
  array: text => Number(/-(\d+)/.exec(text)?.[1] ?? NaN),
}

/** The values that a field could have instead, the nearest first. */
function candidates(system, fields, field, fault) {
  const {wish} = wishOf(system, {...fields, [field]: ""})
  const values = [...(fault.nearest ? [fault.nearest] : []), ...VALUES[field](system, wish)]
  if (field === "gpu") return nearGpu(system, fields.gpu, values)
  if (!(field in SIZES)) return values.filter(value => value !== fields[field])
  if (fault.limit) values.unshift((WRITTEN[field] ?? String)(fault.limit))
  const size = SIZES[field],
    from = size(String(fields[field] ?? ""))
  const words = values.filter(value => size(value) === null || Number.isNaN(size(value)))
  const near = once(values).filter(value => !words.includes(value))
  return [...near.sort((a, b) => Math.abs(size(a) - from) - Math.abs(size(b) - from)), ...words]
}
/** The first of them with which the whole job can be had; null where there is none. */
const nearest = (system, fields, field, fault) =>
  candidates(system, fields, field, fault).find(value => asked(system, {...fields, [field]: value}).plan) ?? null
const WRITTEN = {
  time: shortTime,
  memory: mib => shortMemory(Math.floor(mib / 1024) * 1024),
  array: jobs => `1-${jobs}`,
}
// By memory on the device, those of the same maker first.
function nearGpu(system, asked, keys) {
  const {gpus} = system.form,
    from = gpus[asked]
  const near = from ? null : nearestName(String(asked).toLowerCase(), keys)
  if (!from) return near ? once([near, ...keys]) : keys
  const far = key =>
    gpus[key] ? (gpus[key].vendor === from.vendor ? 0 : 1e9) + Math.abs(gpus[key].mib - from.mib) : 1e12
  return keys.filter(key => key !== asked).sort((a, b) => far(a) - far(b))
}

/**
 * What can be had instead: the first change, and all changes that it takes.
 * @returns {{field: string, value: string, fields: Object<string, string>}|null}
 */
function instead(system, fields, fault) {
  if (fault.field === "cluster" || system.form.gone) return null
  const alone = [fault.field, "gpus", "nodes", "time", "cores", "memory", ...(fault.field === "program" ? ["gpu"] : [])]
  for (const field of once(alone)) {
    const value = field in VALUES ? nearest(system, fields, field, field === fault.field ? fault : {}) : null
    if (value !== null) return {field, value, fields: {[field]: value}}
  }
  return severalChanges(system, fields, fault)
}
/** Mends one fault after the other, each by what is nearest, else by what is proposed. */
function severalChanges(system, fields, fault) {
  const changes = {}
  while (fault && !(fault.field in changes && changes[fault.field] === null)) {
    const {field} = fault
    const free = value => asked(system, {...fields, ...known(changes), [field]: value}).fault?.field !== field
    const value =
      field in changes || !(field in VALUES) ? null : (candidates(system, fields, field, fault).find(free) ?? null)
    changes[field] = value
    fault = asked(system, {...fields, ...known(changes)}).fault
  }
  const shown = Object.entries(changes).map(([field, value]) => [field, value ?? proposed(system, field)])
  return fault ? null : {field: shown[0][0], value: shown[0][1], fields: Object.fromEntries(shown)}
}
// A change to null takes the field out, so that it is proposed.
const known = changes => Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, value ?? ""]))
const proposed = (system, field) => shown(field, {}, wishOf(system, {}).wish)

/**
 * The script that the fields stand for.
 * @param {System} system `systems.<cluster>`
 * @param {Record<string, string>} fields as `fieldsOf` reads them from an address
 * @returns {{script?: string, plan?: any, cost?: any, reason?: string, field?: string, nearest?: any}}
 */
export function write(system, fields) {
  const {plan, fault} = asked(system, fields)
  if (plan) return {script: textOf(system, plan), plan, cost: costOf(system, plan)}
  const near = instead(system, fields, fault)
  const also = near ? ` The nearest possible value is ${fragmentOf(near.fields)}.` : ""
  return {reason: fault.reason + also, field: fault.field, nearest: near}
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
/** What the form shows in a field: what is asked for, or what is proposed. */
function shown(field, fields, wish) {
  const said = String(fields[field] ?? "").trim()
  if (said || !wish) return said
  if (field === "gpu") return wish.gpu ?? "none"
  if (field === "time") return shortTime(wish.time)
  if (["gpus", "nodes", "program"].includes(field)) return String(wish[field])
  return ["memory", "cores"].includes(field) ? "share" : "no"
}

/**
 * All fields of the form with their values, given what the others say.
 * @returns {{name: string, label: string, value: string, values: {value: string, label: string,
 *   possible: boolean, reason?: string, nearest?: any}[]}[]}
 */
export function choices(system, fields) {
  const {wish} = wishOf(system, fields)
  return Object.keys(FIELDS).map(name => {
    const value = name === "cluster" ? system.key : shown(name, fields, wish)
    const every = system.form.gone && name !== "cluster" ? [] : VALUES[name](system, wish)
    const values = every.map(each => {
      const there = name === "cluster" ? (systems?.[each] ?? system) : system
      const given = name === "cluster" ? {} : {...fields, [name]: each}
      const found = {value: each, label: label(system, name, each), possible: true}
      const {fault} = asked(there, given)
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
