// The decision of Slurm 22.05, as `sbatch --test-only` gives it: what the client refuses, what the
// operator's rules refuse, what slurmctld refuses, and whether the nodes hold the job.
import {HETJOB} from "../../script/directives.js"
import {setOf} from "../../script/text.js"
import {fit} from "./fit.js"
import {gresOf} from "./gres.js"
import {slurmJob} from "./job.js"
import {defaultOf, policy} from "./policy.js"
import {indices} from "./values.js"

const TIME = "Requested time limit is invalid (missing or exceeds some limit)"
const NODES = "Node count specification invalid"
const MEMORY = "Memory required by task is not available"
const CPUS = "More processors requested than permitted"
const CONFIG = "Requested node configuration is not available"

// What is not judged here, and can only take something away from what is judged.
const NARROWS =
  setOf(`constraint prefer licenses dependency exclude begin deadline distribution mem-bind gpu-bind switches
  qos mail-type signal open-mode`)

/**
 * @param {System} system @param {Option[]} options of the whole script
 * @returns {{verdict: "accepted" | "refused" | "not judged", unjudged: Option[],
 *   refused: Refusal[], job?: Job | null, sure?: boolean}}
 */
export function slurm(system, options) {
  const several = options.find(option => option.name === HETJOB)
  if (several) return {verdict: "not judged", refused: [], unjudged: [several]}
  const {job, refused, unjudged} = slurmJob(system, options)
  unjudged.push(...options.filter(option => unknown(system, option, job) && !unjudged.includes(option)))
  const sure = unjudged.every(option => NARROWS.has(option.name))
  if (!refused.length && job && sure) {
    const [what, ...others] = readings(system, job, unjudged).map(
      each => policy(system, each) ?? controller(system, each),
    )
    if (others.some(other => !other !== !what)) unjudged.push(options.findLast(({name}) => name === "mincpus"))
    else if (what) refused.push({what})
  }
  return {
    verdict: refused.length ? "refused" : unjudged.length ? "not judged" : "accepted",
    refused,
    unjudged,
    job,
    sure,
  }
}

// The job as Slurm may read it: beside GPUs it counts --mincpus in cores here and in threads there.
function readings(system, job, unjudged) {
  const read = {...job, features: unjudged.some(({name}) => name === "constraint") ? undefined : job.features}
  const threads = Math.max(...Object.values(system.nodes).map(node => node.threads ?? 1))
  if (threads === 1 || !job.gres.length || !job.mincpus) return [read]
  return [read, {...read, nodeCpus: job.mincpus * threads}]
}

// Is this beyond the facts, or beyond this engine?
function unknown({nodes, rules}, {name, value}, job) {
  // What a try in the first of several partitions makes of these stays for the next.
  if (name === "mem-per-gpu") return /,/.test(job?.partition)
  if (name === "cpus-per-gpu") {
    if (/,/.test(job?.partition)) return true
    // Where a core gives one thread, Slurm keeps too few cores for the tasks of each node.
    return job?.perJob && job.tasksPerNode && Object.values(nodes).some(node => node.threads)
  }
  if (name === "qos") return !Object.hasOwn(rules.qos ?? {}, value)
  if (name !== "constraint") return false
  const known = Object.values(nodes).flatMap(node => node.features ?? [])
  return !FEATURES.test(value) || value.split(/[&|]/).some(word => !known.includes(word))
}

const FEATURES = /^[\w.:+-]+(&[\w.:+-]+)*$|^[\w.:+-]+(\|[\w.:+-]+)*$/

// What slurmctld says of a job that the rules let pass.
function controller(system, job) {
  const {partitions} = system
  if (job.array && !indices(job.array)) return "Invalid job array specification"
  if (job.tasksPerNode && job.minNodes && job.tasks === undefined) job.tasks = job.tasksPerNode * job.minNodes
  if (job.tasks > job.minCpus) job.minCpus = job.tasks * (job.cpusPerTask ?? 1)
  const names = [...new Set((job.partition || (defaultOf(system) ?? "")).split(",").filter(Boolean))]
  if (!names.length) return "No partition specified or system default partition"
  const strange = names.find(name => !Object.hasOwn(partitions, name))
  if (strange) return `invalid partition specified: ${strange}`
  const parts = names.map(name => partitions[name])
  const reasons = parts.map(part => access(system, part, job))
  if (reasons.every(Boolean)) return reasons.at(-1)
  return (
    limits(parts, job) ??
    memory(system, parts, job) ??
    resources(system, job) ??
    (fits(system, names, job) ? undefined : CONFIG)
  )
}

const total = part => Object.values(part.nodes).reduce((sum, number) => sum + number, 0)

// One partition's own test of a job.
function access({nodes}, part, {minCpus, minNodes, maxNodes, time}) {
  const cpus = Object.entries(part.nodes).reduce((sum, [type, number]) => sum + nodes[type].cpus * number, 0)
  if (minCpus > cpus || minCpus > part.max_cores_per_node * total(part)) return CPUS
  if (minNodes > total(part) || minNodes < part.min_nodes || maxNodes > part.max_nodes) return NODES
  if (time > part.max_time) return TIME
}

// The widest limits of all partitions of the job.
function limits(parts, job) {
  const least = Math.min(...parts.map(part => part.min_nodes ?? 1))
  const longest = Math.max(...parts.map(part => part.max_time ?? Infinity))
  job.minNodes = Math.max(job.minNodes ?? least, least)
  if (job.maxNodes < least) return NODES
  if (job.time > longest) return TIME
}

function memory(system, parts, job) {
  job.memorySaid = job.memory !== undefined
  if (job.memorySaid) {
    if (!parts.some(part => enoughMemory(system, part, job))) return MEMORY
  } else {
    const {memory_per_node: node, memory_per_cpu: cpu} = parts[0]
    job.memory = node ?? cpu
    job.perCpu = node === undefined
  }
  if (!job.memory) job.perCpu = false
}

// Against the most that a job may have on one node of the partition.
function enoughMemory({nodes}, part, job) {
  const first = nodes[Object.keys(nodes).find(type => part.nodes[type])]
  if (!part.max_memory_per_node || (job.perCpu && !job.memory)) return true
  if (!job.perCpu) return (job.memory || first.memory) <= part.max_memory_per_node
  let cpus = job.tasksPerNode ?? 1
  if (job.tasks && job.maxNodes) cpus = Math.max(cpus, Math.ceil(job.tasks / job.maxNodes))
  cpus = Math.max(cpus * (job.cpusPerTask ?? 1), job.nodeCpus)
  if (part.whole || job.shared === "none") cpus = first.cpus
  return job.memory * cpus <= part.max_memory_per_node
}

function resources(system, job) {
  const wrong = gresOf(system.gres, job, false)
  if (wrong?.text) return wrong.text
  if (job.maxNodes < job.minNodes) return NODES
  job.cpusPerTask ??= 1
  job.tasks ??= 0
  if (job.tasksPerNode && job.tasks > 1) job.nodeCpus = Math.max(job.nodeCpus, job.cpusPerTask * job.tasksPerNode)
  job.nodeCpus = Math.max(job.nodeCpus, job.cpusPerTask)
  job.whole = job.shared === "none"
}

function fits(system, names, job) {
  const own = system.partitions[names[0]]
  return names.some(name => fit(system, name, own, job))
}
