// The operator's own rules, which slurm.conf cannot say: what the twin's job_submit.lua decides,
// with the same numbers and words (scripts/twin/slurm/*.lua).
import {data} from "../../data.js"
import {broken} from "./all_limits.js"
import {items, parse, quantities, rulesOf} from "./quantities.js"

// Other names of a GPU become the one that its nodes have.
export function useOneName({synonyms = {}}, job) {
  for (const field of ["perJob", "perNode", "perTask"])
    job[field] = items(job[field])
      .map(item => {
        const gpu = parse(item),
          name = gpu && Object.hasOwn(synonyms, gpu.kind) ? synonyms[gpu.kind] : null
        return name === null ? item : `gpu${name && ":"}${name}:${gpu.number}`
      })
      .join(",")
}

// `counts` ends with what a whole node has; more come as whole nodes.
export function rightNumber(count, counts, nodes) {
  const whole = counts.at(-1)
  if (nodes > 1) return count === nodes * whole
  return counts.includes(count) || count % whole === 0
}

function wrongGpus(rules, all) {
  for (const gpu of all.wanted) {
    if (rules.gpu_model && !gpu.kind) return rules.gpu_model
    const {counts, refusal} = rulesOf(rules, gpu)
    if (counts && !rightNumber(gpu.count, counts, all.min_nodes)) return refusal
  }
}

// The operator's words for the first of these limits that the job breaks. Slurm itself keeps those of slurm.conf, but
// among several partitions it would take one's time and another's nodes.
function refusal(rules, there, job, all) {
  const kept = ({group, key}) => data.refusals[group][key]
  const first = broken(there, job, all).find(each => kept(each) && (!kept(each).several || all.several_partitions))
  return (
    first &&
    kept(first)
      .says.replace("{limit}", first.limit)
      .replace("{name}", nameOf(first, rules, job))
  )
}

/** The GPU or the QOS whose limit it is. @param {import("./all_limits.js").Broken} broken */
export const nameOf = ({group, gpu}, rules, job) => ({gpus: gpu?.kind || rules.only_gpu, qos: job.qos})[group] ?? ""

/** The limits that hold for a job in every partition. */
export const limitsEverywhere = (rules, job) => ({
  gpus: gpu => rulesOf(rules, gpu),
  policy: rules.limits,
  qos: qosOf(rules, job),
})

/** Has a partition any nodes with GPUs? @param {System} system @param {string} key */
export const offersGpus = ({nodes, partitions}, key) =>
  Object.keys(partitions[key].nodes).some(type => nodes[type].gres.some(([name]) => name === "gpu"))

export const defaultOf = ({partitions}) => Object.keys(partitions).find(key => partitions[key].default)

const qosOf = ({qos = {}}, job) => (Object.hasOwn(qos, job.qos ?? "") ? qos[job.qos] : {})

// The login nodes for GPU jobs and those for others may have a partition of one name each.
function chooseLogin({same_name: same, default: first}, job, total) {
  if (!same) return
  const hidden = Object.values(same).map(own => own.gpu),
    names = []
  for (const name of items(job.partition || first)) {
    if (hidden.includes(name)) return `invalid partition specified: ${name}`
    names.push(Object.hasOwn(same, name) ? (same[name][total > 0 ? "gpu" : "cpu"] ?? name) : name)
  }
  job.partition = names.join(",")
}

// The partitions that a job names, or that it is sent to if it names none; some move it on.
function named({rules, partitions}, job, all) {
  const is = name => Object.hasOwn(partitions, name)
  const {suffix} = qosOf(rules, job)
  const chosen = rules.route?.filter(name => !!partitions[name].gpu === all.gpus > 0) ?? items(rules.default)
  return (job.partition ? items(job.partition) : chosen).map(name => {
    const {gpu_jobs_in, longer_jobs_in, max_time} = is(name) ? partitions[name] : {}
    if (all.gpus && gpu_jobs_in) name = gpu_jobs_in
    if (longer_jobs_in && all.minutes > max_time) name = longer_jobs_in
    return suffix && is(name + suffix) ? name + suffix : name
  })
}

// Has a partition a kind of node with those GPUs, and the memory and local disk that the job wants of one?
function hasRoom({nodes, partitions}, job, all, name) {
  return Object.keys(partitions[name].nodes)
    .map(type => nodes[type])
    .some(
      node =>
        !(job.tmp > node.tmp || all.memory_per_node > node.memory) &&
        all.wanted.every(({kind}) => !kind || node.gres.some(([gres, type]) => gres === "gpu" && type === kind)),
    )
}

// Leaves in job.partition those that may take the job; if it names none, the first with room.
function useFittingPartitions(system, job, all) {
  const {partitions, rules} = system
  const routed = rules.route && !job.partition
  const names = named(system, job, all)
  const fitting = []
  let why
  for (const name of names) {
    const own = Object.hasOwn(partitions, name) ? partitions[name] : {}
    const among = {...all, several_partitions: names.length > 1 || routed}
    const sentence = refusal(rules, {partitions: own}, job, among)
    if (sentence) why = sentence
    else fitting.push(name)
  }
  if (why && !fitting.length) return why
  const room = routed ? fitting.find(name => hasRoom(system, job, all, name)) : undefined
  if (room) job.partition = room
  else if (fitting.length) job.partition = fitting.join(",")
}

// The partitions where a job goes.
export function places(system, job, all) {
  const own = {...job, partition: job.partition === system.rules.no_partition ? "" : job.partition}
  chooseLogin(system.rules, own, all.gpus)
  return named(system, own, all)
}

/**
 * What the operator refuses, in the operator's words.
 * @param {System} system @param {Job} job UPDATED: its partition, and names of GPUs
 * @returns {string | undefined}
 */
export function policy(system, job) {
  const {rules} = system
  useOneName(rules, job)
  const all = quantities(system, job)
  if (rules.no_partition && job.partition === rules.no_partition) job.partition = ""
  if (rules.account && !job.account) return rules.account
  if (rules.time && job.time === undefined) return rules.time
  if (rules.partition && !job.partition) return rules.partition
  const why =
    wrongGpus(rules, all) ??
    refusal(rules, limitsEverywhere(rules, job), job, all) ??
    chooseLogin(rules, job, all.gpus) ??
    useFittingPartitions(system, job, all)
  if (why) return why
  if (rules.threads && !job.threads && !job.tasksPerCore) job.threads = 1
  if (rules.memory_ignored) Object.assign(job, {memory: 0, perCpu: false, memPerGpu: undefined})
  job.minNodes ??= 1 // as Slurm has it from 23.02 on
}
