// The generic resources of a job, GPUs above all: one record for each kind, and whether what the
// options say of it goes together. sbatch asks this, and slurmctld again.
import {resources} from "./values.js"

export const GRES_WRONG = "Invalid generic resource (gres) specification"
const FIELDS = ["perJob", "perNode", "perTask"]

/**
 * Sets `job.gres`, and the tasks and nodes that follow from it.
 * @param {string[]} names of the cluster's resources @param {Job} job UPDATED
 * @param {boolean} atClient as sbatch asks, not slurmctld
 * @returns {{text?: string} | undefined} what is wrong; undefined: it is not judged here
 */
export function gresOf(names, job, atClient) {
  const {cpusPerGpu, memPerGpu} = job,
    records = new Map()
  job.gres = []
  if (!cpusPerGpu && !memPerGpu && !FIELDS.some(field => job[field])) return {}
  if (job.perTask && !job.tasks && !job.cpusPerTask && job.minNodes === job.maxNodes) job.tasks = job.minNodes
  const record = (name, type) => {
    const key = `${name}:${type}`
    if (!records.has(key)) records.set(key, {name, type, perJob: 0, perNode: 0, perTask: 0, cpus: 0, memory: 0})
    return records.get(key)
  }
  if (cpusPerGpu) record("gpu", "").cpus = cpusPerGpu
  for (const field of FIELDS.filter(each => job[each])) {
    const items = resources(names, job[field])
    if (items === undefined) return undefined
    if (items === null) return wrong()
    for (const item of items) record(item.name, item.type)[field] = item.count
  }
  const gpus = [...records.values()].filter(each => each.name === "gpu" && each.type)
  if (cpusPerGpu && gpus.length > 1) return undefined // Slurm then takes what it complains of
  const asked = [...records.values()].some(each => each.name === "gpu" && FIELDS.some(field => each[field]))
  if (memPerGpu) record("gpu", "").memory = memPerGpu
  if (memPerGpu && !asked) return wrong()
  for (const each of records.values()) {
    if (mismatch(each, job, atClient)) return wrong()
  }
  return merge(records, job)
}

const wrong = () => ({text: GRES_WRONG})

// One record's numbers among themselves and against tasks and nodes; true if they are at odds.
function mismatch(gres, job, atClient) {
  const {perJob, perNode, perTask} = gres
  if (atClient && gres.cpus && job.cpusPerTask) return true
  if (perJob && perNode) {
    const nodes = perJob / perNode
    if (perJob % perNode || nodes < job.minNodes || nodes > job.maxNodes) return true
    job.minNodes = job.maxNodes = nodes
  }
  if (perTask && perJob) {
    if (perJob % perTask || (job.tasks ?? perJob / perTask) !== perJob / perTask) return true
    job.tasks = perJob / perTask
  } else if (perTask) {
    if (job.tasks === undefined) return true
    gres.perJob = job.tasks * perTask
  }
  if (perNode && perTask) {
    if (perNode % perTask || (job.tasksPerNode ?? perNode / perTask) !== perNode / perTask) return true
    job.tasksPerNode = perNode / perTask
  }
  if (gres.cpus && perTask) job.cpusPerTask = gres.cpus * perTask
  if (gres.perJob) job.maxNodes &&= Math.min(job.maxNodes, gres.perJob)
  return gres.perJob && gres.perJob < job.minNodes
}

// What is said of GPUs without a type holds for those with one; counts of both kinds do not go together.
function merge(records, job) {
  const all = [...records.values()]
  for (const plain of all.filter(each => !each.type)) {
    const typed = all.filter(each => each.type && each.name === plain.name)
    if (!typed.length) continue
    if (FIELDS.some(field => plain[field])) return wrong()
    for (const each of typed) {
      each.cpus ||= plain.cpus
      each.memory ||= plain.memory
    }
    records.delete(`${plain.name}:`)
  }
  job.gres = [...records.values()]
  return {}
}
