// Where a finished job ran, and where the next one can.
import {schedulerOf} from "../schedulers/registry.js"

// A partition by the name that a listing has of it.
const calledOf = (system, key) => system.why.partitions[key]?.called ?? key
const isCpu = system => type => !system.nodes[type]?.gres.length
const minutesOf = facts => facts.max_time ?? Infinity

/** Where the system itself chooses the partition by the time: that with the longest. */
function longestOf(system, key) {
  const {partitions, rules} = system
  const {longer_jobs_in} = partitions[key]
  if (longer_jobs_in) return longer_jobs_in
  if (!rules.route?.includes(key)) return key
  const same = rules.route.filter(other => !partitions[other].gpu === !partitions[key].gpu)
  return same.reduce((best, other) => (minutesOf(partitions[other]) > minutesOf(partitions[best]) ? other : best), key)
}

/** The GPUs of a partition, as `system.move.gpus` calls them. @param {System} system @param {string} key */
function gpusOf({move, nodes, partitions}, key) {
  const there = Object.keys(partitions[key].nodes).flatMap(type => nodes[type].gres.map(([, type]) => type))
  const names = Object.keys(move.gpus)
  return [...new Set(there)].flatMap(type => names.find(name => move.gpus[name].types.includes(type)) ?? [])
}

/** A script that asks for a job of this size, and for what `more` says. @param {System} system */
function scriptOf({move}, name, {gpu, gpus, nodes}, more) {
  const number = option => (option === "gpus" ? gpus : Math.ceil(gpus / nodes)) // --gpus counts those of all nodes
  const request = gpus ? move.gpus[gpu].request.map(([name, value]) => [name, value.replace(/1$/, number(name))]) : []
  const asked = [["account", move.account.sample], ["partition", name], ["nodes", nodes], ...more, ...request]
  const lines = asked.filter(([, value]) => value).map(([name, value]) => `#SBATCH --${name}=${value}`)
  return ["#!/bin/bash", ...lines, "srun ./my_program", ""].join("\n")
}

/** Does the scheduler accept a job of this size there, for longer than `minutes`? Any other fault of it is its own. */
function accepts(system, key, size, minutes) {
  const [gpu] = gpusOf(system, key)
  if (size.gpus && !gpu) return false
  const {readOptions, decide} = schedulerOf(system.kind)
  const text = scriptOf(system, calledOf(system, key), {...size, gpu}, [["time", minutes + 1]])
  return decide(system, readOptions(text), "job.sh").verdict !== "refused"
}

/** Can the job have had a GPU, or none? By its partition, where the listing does not say it. @returns {boolean[]} */
export function kindsOf(system, {gpus, gpu, partition}) {
  if (gpus !== null || gpu !== null) return [gpus !== 0]
  const named = Object.keys(system.partitions).filter(key => calledOf(system, key) === partition)
  const keys = named.length ? named : Object.keys(system.partitions)
  const types = keys.flatMap(key => Object.keys(system.partitions[key].nodes))
  return [false, true].filter(gpu => types.some(type => isCpu(system)(type) !== gpu))
}

/**
 * Scripts for a job as large as one whose script is not known, the likeliest first: {partition, gpu, text}.
 * @param {System} system @param {any} job as readJob gives it @param {boolean} hasGpu
 * @param {[string, any][]} more what else it asked for
 */
export function likeScripts(system, job, hasGpu, more) {
  const {move, nodes: types, partitions, why} = system
  const own = move.partitions.filter(({key}) => calledOf(system, key) === job.partition)
  const open = move.partitions.filter(({key, trial}) => !trial && !why.partitions[key]?.closed)
  const part = ({key}) =>
    // where jobs have full nodes, none has fewer cores
    partitions[key].whole && Object.keys(partitions[key].nodes).every(type => job.cores < move.nodes[type].cores / 2)
  const keys = (own.length ? own : open.filter(each => !job.cores || !part(each)))
    .sort((one, other) => Number(other.used) - Number(one.used))
    .map(({key}) => key)
  const nodes = job.nodes ?? 1
  const counts = key => {
    const most = Math.max(...Object.keys(partitions[key].nodes).flatMap(type => types[type].gres.map(each => each[2])))
    return job.gpus ? [job.gpus] : [1, 2, 4, 8].filter(each => each <= most).map(each => each * nodes)
  }
  const sizes = key => {
    if (hasGpu) return counts(key).flatMap(gpus => gpusOf(system, key).map(gpu => ({gpu, gpus, nodes})))
    return Object.keys(partitions[key].nodes).some(isCpu(system)) ? [{gpu: null, gpus: 0, nodes}] : []
  }
  const all = keys.flatMap(key => {
    const partition = move.partition === "leave out" ? null : calledOf(system, key)
    return sizes(key).map(size => ({partition, gpu: size.gpu, text: scriptOf(system, partition, size, more)}))
  })
  return [...new Map(all.map(each => [each.text, each])).values()]
}

/** Another partition with nodes of the same kind, where a job of this size may run for longer. */
function longerThan(system, key, job) {
  const {partitions, move} = system
  const own = partitions[key]
  const cpu = Object.keys(own.nodes).filter(isCpu(system))
  const types = job.gpus || !cpu.length ? Object.keys(own.nodes) : cpu
  const size = {gpus: job.gpus ?? (cpu.length ? 0 : 1), nodes: job.nodes ?? own.min_nodes ?? 1}
  const strange = ([, facts]) => Number(Boolean(facts.whole) !== Boolean(own.whole))
  const [found] = move.partitions
    .filter(({trial}) => !trial)
    .map(({key}) => [key, partitions[key]])
    .filter(
      ([, facts]) => minutesOf(facts) > minutesOf(own) && Object.keys(facts.nodes).some(each => types.includes(each)),
    )
    .filter(([other]) => accepts(system, other, size, minutesOf(own)))
    .sort((one, other) => strange(one) - strange(other) || minutesOf(one[1]) - minutesOf(other[1]))
  return found ? {name: calledOf(system, found[0]), minutes: minutesOf(found[1])} : null
}

/**
 * The partition of this name: {name, last, minutes, least, whole, longer}; `last` has the longest time, `minutes`.
 * @param {System} system @param {string} [name] @param {any} [job]
 */
export function placeOf(system, name, job = {}) {
  const gpus = job.gpus ?? null
  const hasGpus = facts => !Object.keys(facts.nodes).every(isCpu(system))
  const same = Object.entries(system.partitions).filter(([key]) => name && calledOf(system, key) === name)
  const [key, facts] = same.find(([, facts]) => gpus === null || hasGpus(facts) === gpus > 0) ?? same[0] ?? []
  if (!key) return null
  const last = longestOf(system, key)
  return {
    name: calledOf(system, key),
    last: calledOf(system, last),
    minutes: minutesOf(system.partitions[last]),
    least: facts.min_time ?? 0,
    whole: Boolean(facts.whole),
    longer: last === key ? longerThan(system, key, job) : null,
  }
}

/** MiB of the largest node, of a partition or of all. @param {System} system @param {string | null} name */
export function mostMemory(system, name) {
  const there = Object.entries(system.partitions).filter(([key]) => !name || calledOf(system, key) === name)
  const most = facts => Math.max(...Object.keys(facts.nodes).map(type => system.nodes[type]?.memory ?? Infinity))
  return (
    Math.max(0, ...there.map(([, facts]) => Math.min(facts.max_memory_per_node ?? Infinity, most(facts)))) || Infinity
  )
}

/** Of partitions for CPU jobs with larger nodes, that with the smallest. @param {System} system @param {number} than */
export function largerNodes(system, than) {
  const found = Object.entries(system.partitions)
    .filter(([key, {nodes}]) => !system.why.partitions[key]?.closed && Object.keys(nodes).every(isCpu(system)))
    .map(([key]) => ({name: calledOf(system, key), memory: mostMemory(system, calledOf(system, key))}))
    .filter(({memory}) => memory > than && memory < Infinity)
  return found.sort((one, other) => one.memory - other.memory)[0] ?? null
}

/** Have CPU-only jobs full nodes everywhere? @param {System} system */
export const onlyWhole = system =>
  Object.values(system.partitions)
    .filter(({nodes}) => Object.keys(nodes).every(isCpu(system)))
    .every(({whole}) => whole)
