// What can be had instead of what cannot: the nearest values of a field at fault, or of others.
import {nearest as nearestName} from "../script/text.js"
import * as form from "./form.js"
import {VALUES, asked, once, shown} from "./form.js"
import {mibOf, minutesOf, shortMemory, shortTime, wishOf} from "./request.js"

/** As in form.js, with what is `nearest`. @type {typeof form.write} */
export const write = (system, fields) => form.write(system, fields, instead)
/** @type {typeof form.choices} */
export const choices = (system, fields) => form.choices(system, fields, instead)

const SIZES = {
  gpus: Number,
  nodes: Number,
  cores: Number,
  tasks: Number,
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
  if (fault.unread) return fault.nearest ? meantInstead(system, fields, fault) : null
  const alone = [fault.field, "gpus", "nodes", "time", "cores", "memory", ...(fault.field === "program" ? ["gpu"] : [])]
  for (const field of once(alone)) {
    const value = field in VALUES ? nearest(system, fields, field, field === fault.field ? fault : {}) : null
    if (value !== null) return {field, value, fields: {[field]: value}}
  }
  return severalChanges(system, fields, fault)
}
/** What was probably meant by a value that is none, or what is nearest to that. */
function meantInstead(system, fields, {field, nearest: value}) {
  const given = {...fields, [field]: value}
  const {fault} = asked(system, given)
  const more = fault ? instead(system, given, fault) : {fields: {}}
  const all = {[field]: value, ...more?.fields}
  return more && {field, value: all[field], fields: all}
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
