// What a job asks for: the quantities of scripts/facts/limits.yml. The twin's plugin computes the same in Lua.

/** `gpu:a100:2` as its type, "" if none is named, and the number; null for other resources. */
export function parse(item) {
  if (item === "gpu") return {kind: "", number: 1}
  if (!item.startsWith("gpu:")) return null
  const rest = item.slice(4)
  const found = /^(?:(.*?):)?(\d+)$/.exec(rest)
  return found ? {kind: found[1] ?? "", number: +found[2]} : {kind: rest, number: 1}
}

export const items = text => (text ?? "").split(",").filter(Boolean)

/**
 * The GPUs of the job, and their number. Several fields speak of the same: the one with most counts.
 * @returns {[{kind: string, count: number, perNode: number}[], number]}
 */
function gpusOf(job) {
  const times = {perJob: 1, perNode: job.minNodes ?? 1, perTask: job.tasks} // how often it counts in the whole job
  let most = []
  let total = 0
  for (const [field, factor] of Object.entries(times)) {
    const found = items(job[field])
      .map(parse)
      .filter(Boolean)
      .map(({kind, number}) => {
        const count = number * factor
        const perNode = field === "perNode" ? number : job.maxNodes ? Math.ceil(count / job.maxNodes) : 1
        return {kind, count, perNode}
      })
    const sum = found.reduce((all, gpu) => all + gpu.count, 0)
    if (sum > total) [most, total] = [found, sum]
  }
  return [most, total]
}

const cpus = (job, total) => Math.max(job.minCpus, (job.cpusPerGpu ?? 0) * total)

// In MiB; 0 is all that the node has, and no number if it says nothing.
function memoryPerNode(job, gpus, cpusOnNode) {
  if (job.memPerGpu) return job.memPerGpu * gpus || undefined
  return job.memory * (job.perCpu ? cpusOnNode : 1) || undefined
}

/** What the operator asks of jobs with this GPU. */
export function rulesOf(rules, {kind}) {
  const name = kind || rules.only_gpu
  return rules.gpus && Object.hasOwn(rules.gpus, name) ? rules.gpus[name] : {}
}

/**
 * The quantities of the whole job; undefined for what it does not say. `wanted`: its GPUs.
 * @param {{rules?: any}} system @param {any} job as job.js has it
 */
export function quantities({rules = {}}, job) {
  const [wanted, gpus] = gpusOf(job)
  const nodes = job.minNodes ?? 1
  const all = cpus(job, gpus)
  const onNode = Math.ceil(all / nodes)
  const gpusOnNode = Math.max(0, ...wanted.map(gpu => gpu.perNode))
  return {
    wanted,
    gpus,
    gpus_per_node: gpusOnNode,
    slices: wanted.filter(gpu => rulesOf(rules, gpu).slice).reduce((sum, gpu) => sum + gpu.count, 0),
    cores: job.tasksPerCore ? Math.ceil(all / 2) : all, // with --hint=multithread they are a core's threads
    cores_per_node: Math.max(onNode, job.nodeCpus ?? 1, (job.tasksPerNode ?? 1) * (job.cpusPerTask ?? 1)), // Slurm's CPUs
    memory_per_node: rules.memory_ignored ? 0 : memoryPerNode(job, gpusOnNode, onNode),
    minutes: job.time,
    nodes: job.maxNodes,
    min_nodes: nodes,
    exclusive: job.shared === "none" ? 1 : 0,
    jobs: arrayTasks(job.array),
    several_gpus: gpus > 1,
    no_allocation: !(rules.allocation_accounts ?? []).some(start => (job.account ?? "").startsWith(start)),
  }
}

/** Those that are of one kind of GPU. */
export const shareOf = (job, all, gpu) => ({
  ...all,
  cores_per_gpu: Math.ceil(cpus(job, all.gpus) / gpu.count),
  memory_per_gpu: Math.ceil(
    (job.memPerGpu * all.gpus || job.memory * (job.perCpu ? cpus(job, all.gpus) : all.min_nodes)) / gpu.count,
  ),
})

/**
 * A job that has so much on each of its nodes, as job.js would have it.
 * @param {{nodes: number, gpus?: number, cores: number, memory?: number | null, minutes?: number, jobs?: number,
 *   exclusive?: number}} of memory in MiB
 */
export const evenJob = ({nodes, gpus = 0, cores, memory, minutes, jobs = 1, exclusive = 0}) => ({
  minNodes: nodes,
  maxNodes: nodes,
  minCpus: cores * nodes,
  perNode: gpus ? `gpu:${gpus}` : "",
  memory: memory ?? undefined,
  time: minutes,
  array: `1-${jobs}`,
  shared: exclusive ? "none" : undefined,
})

/** The Lua's own count of an array, which is none where slurmctld refuses the indices anyway. */
export function arrayTasks(text) {
  return items((text ?? "1").replace(/%.*/, "")).reduce((number, item) => {
    const found = /^(\d+)-(\d+):?(\d*)$/.exec(item)
    return number + (found ? Math.floor((+found[2] - +found[1]) / (+found[3] || 1)) + 1 : 1)
  }, 0)
}
