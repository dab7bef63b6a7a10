// What a job asks for, in MiB, minutes and counts. The advice rests on it, whichever scheduler the job is for.
import {defaultOf, policy} from "./policy.js"
import {items, parse} from "./quantities.js"

const gpusOf = (text, per) =>
  items(text)
    .map(parse)
    .filter(Boolean)
    .map(({kind, number}) => ({type: kind, per, number}))

/** @param {System} system @param {Job} job as job.js makes it @returns {Asked} null for what it does not say */
export function requestOf(system, job) {
  const nodes = job.minNodes ?? null
  const times = {job: 1, node: nodes ?? 1, task: job.tasks ?? (job.tasksPerNode ?? 1) * (nodes ?? 1)}
  const gpus = [...gpusOf(job.perJob, "job"), ...gpusOf(job.perNode, "node"), ...gpusOf(job.perTask, "task")]
  const number = per => gpus.filter(each => each.per === per).reduce((sum, each) => sum + each.number, 0)
  const total = Math.max(...Object.entries(times).map(([per, factor]) => number(per) * factor))
  const routed = {...job}
  policy(system, routed)
  return {
    account: job.account ?? null,
    partition: job.partition || null,
    routed: job.partition ? null : routed.partition || (defaultOf(system) ?? null),
    nodes,
    max_nodes: job.maxNodes ?? null,
    tasks: job.tasks ?? null,
    tasks_per_node: job.tasksPerNode ?? null,
    cpus_per_task: job.cpusPerTask ?? null,
    cpus_per_gpu: job.cpusPerGpu ?? null,
    cores: Math.max(job.minCpus || 1, (job.cpusPerGpu ?? 0) * total),
    memory_per_node: job.perCpu ? null : (job.memory ?? null),
    memory_per_cpu: job.perCpu ? (job.memory ?? null) : null,
    memory_per_gpu: job.memPerGpu ?? null,
    gpus,
    gpus_total: total,
    gpus_per_node: number("node") || (total ? Math.ceil(total / (nodes || 1)) : null),
    exclusive: job.shared === "none",
    array: job.array ?? null,
    threads_per_core: job.threads ?? null,
  }
}
