// The operator's own rules, which slurm.conf cannot say: what the twin's job_submit.lua decides,
// with the same numbers and words (scripts/twin/slurm/*.lua).
const words = (text, number) => text.replace("%d", number)

// `gpu:a100:2` as its type, "" if none is named, and the number; null for other resources.
function parse(item) {
  if (item === "gpu") return {kind: "", number: 1}
  if (!item.startsWith("gpu:")) return null
  const rest = item.slice(4),
    found = /^(?:(.*?):)?(\d+)$/.exec(rest)
  return found ? {kind: found[1] ?? "", number: +found[2]} : {kind: rest, number: 1}
}

const items = text => (text ?? "").split(",").filter(Boolean)

// How often a request in each of these fields counts in the whole job.
function times(job) {
  const nodes = job.minNodes ?? 1
  return {perJob: 1, perNode: nodes, perTask: job.tasks}
}

// Other names of a GPU become the one that its nodes have.
function useOneName({synonyms = {}}, job) {
  for (const field of ["perJob", "perNode", "perTask"])
    job[field] = items(job[field])
      .map(item => {
        const gpu = parse(item),
          name = gpu && Object.hasOwn(synonyms, gpu.kind) ? synonyms[gpu.kind] : null
        return name === null ? item : `gpu${name && ":"}${name}:${gpu.number}`
      })
      .join(",")
}

/** The GPUs of the job, and their number. Several fields speak of the same: the one with most counts.
 * @returns {[{kind: string, count: number, perNode: number}[], number]}
 */
function gpusOf(job) {
  let most = [],
    total = 0
  for (const [field, factor] of Object.entries(times(job))) {
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

function coresOf(job, total) {
  return Math.max(job.minCpus, (job.cpusPerGpu ?? 0) * total)
}

// In MiB, of the whole job; no number if it says nothing.
export function memoryOf(job, total) {
  return job.memPerGpu * total || job.memory * (job.perCpu ? coresOf(job, total) : (job.minNodes ?? 1))
}

// `counts` ends with what a whole node has; more come as whole nodes.
export function rightNumber(count, counts, nodes) {
  const whole = counts.at(-1)
  if (nodes > 1) return count === nodes * whole
  return counts.includes(count) || count % whole === 0
}

function wrongGpus(rules, job, wanted, total) {
  const asked = coresOf(job, total)
  let slices = 0
  for (const gpu of wanted) {
    if (rules.gpu_model && !gpu.kind) return rules.gpu_model
    const name = gpu.kind || rules.only_gpu,
      own = Object.hasOwn(rules.gpus, name) ? rules.gpus[name] : {}
    if (own.slice) slices += gpu.count
    if (own.counts && !rightNumber(gpu.count, own.counts, job.minNodes ?? 1)) return own.refusal
    if (own.max_cores && asked > own.max_cores * gpu.count) return `At most ${own.max_cores} cores for each ${gpu.kind}`
    if (own.max_memory && memoryOf(job, total) > own.max_memory * gpu.count)
      return `At most ${own.max_memory} MiB of memory for each ${gpu.kind}`
  }
  if (slices > (rules.slices_per_job ?? Infinity)) return "Only one MIG instance may be requested at a time"
}

function wrongAmount({qos = {}, max_queued_jobs: most}, job, all) {
  const longest = Object.hasOwn(qos, job.qos ?? "") ? qos[job.qos].minutes : undefined
  if (all.time > longest) return `Requested time limit is longer than QOS ${job.qos} allows, ${longest} minutes`
  if (all.jobs > most) return "Job violates accounting/QOS policy: too many jobs, each of an array counts"
}

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

export function limitsOf({rules, partitions}, job, name) {
  if (!Object.hasOwn(partitions, name)) return {}
  const {max_time, max_nodes, min_nodes} = partitions[name]
  const limits = {max_time, max_nodes, min_nodes, ...partitions[name].rules}
  const allocated = (rules.allocation_accounts ?? []).some(start => (job.account ?? "").startsWith(start))
  return allocated ? {...limits, ...limits.with_allocation} : limits
}

// The first rule of a partition that the job breaks, as a sentence.
function broken(system, job, all, name, several) {
  const limits = limitsOf(system, job, name)
  if (limits.gpu_required && !all.gpus) return "This partition takes GPU jobs only"
  if (limits.exclusive_refused && job.shared === "none") return "This partition takes no job with --exclusive"
  const nodes = several || limits.with_allocation ? (all.maxNodes ?? all.minNodes) : undefined
  const least = [
    [all.gpus, limits.min_gpus, "This partition takes jobs with at least %d GPUs"],
    [all.cores, limits.min_cores, "This partition takes jobs with at least %d cores"],
    [all.time, limits.min_time, "This partition takes jobs of at least %d minutes"],
    [several ? all.maxNodes : undefined, limits.min_nodes, "This partition takes jobs with at least %d nodes"],
  ]
  const most = [
    [all.gpus, limits.max_gpus, "This partition takes jobs with at most %d GPUs"],
    [all.gpusPerNode, limits.max_gpus_per_node, "At most %d GPUs on one node"],
    [all.cores, limits.max_cores, "This partition takes jobs with at most %d cores"],
    [
      all.gpus > 1 ? all.time : undefined,
      limits.max_time_several_gpus,
      "Jobs with several GPUs last %d minutes at most here",
    ],
    [all.jobs, limits.max_jobs, "Job violates accounting/QOS policy: at most %d jobs here; each of an array counts"],
    [several ? all.time : undefined, limits.max_time, "Requested time limit is longer than %d minutes"],
    [nodes, limits.max_nodes, "This partition takes jobs with at most %d nodes"],
  ]
  for (const [asked, limit, text] of least) if (asked < limit) return words(text, limit)
  for (const [asked, limit, text] of most) if (asked > limit) return words(text, limit)
}

// The partitions that a job names, or that it is sent to if it names none; some move it on.
function named({rules, partitions}, job, all) {
  const is = name => Object.hasOwn(partitions, name),
    own = name => (is(name) && partitions[name].rules) || {}
  const suffix = Object.hasOwn(rules.qos ?? {}, job.qos ?? "") ? rules.qos[job.qos].suffix : undefined
  const names = job.partition
    ? items(job.partition)
    : rules.route
      ? rules.route.filter(name => !!own(name).gpu === all.gpus > 0)
      : rules.default
        ? [rules.default]
        : []
  return names.map(name => {
    const {gpu_jobs_in, longer_jobs_in} = own(name)
    const tooLong = longer_jobs_in && all.time > partitions[name].max_time
    if (all.gpus && gpu_jobs_in) name = gpu_jobs_in
    if (tooLong) name = longer_jobs_in
    return suffix && is(name + suffix) ? name + suffix : name
  })
}

// Has a partition a kind of node with those GPUs, and the memory and local disk that the job wants of one?
function hasRoom({nodes, partitions}, job, all, name) {
  const memory = job.perCpu ? job.memory * Math.ceil(all.cores / all.minNodes) : job.memory
  return Object.keys(partitions[name].nodes)
    .map(type => nodes[type])
    .some(
      node =>
        !(job.tmp > node.tmp || memory > node.memory) &&
        all.wanted.every(({kind}) => !kind || node.gres.some(([gres, type]) => gres === "gpu" && type === kind)),
    )
}

// Leaves in job.partition those that may take the job; if it names none, the first with room.
function useFittingPartitions(system, job, all) {
  const {rules} = system,
    routed = rules.route && !job.partition,
    names = named(system, job, all)
  let fitting = [],
    why
  for (const name of names) {
    const sentence = broken(system, job, all, name, names.length > 1 || routed)
    if (sentence) why = sentence
    else fitting.push(name)
  }
  if (why && !fitting.length) return why
  const room = routed ? fitting.find(name => hasRoom(system, job, all, name)) : undefined
  if (room) fitting = [room]
  if (fitting.length) job.partition = fitting.join(",")
}

/** What a job asks for in all, and on one node. @param {Job} job @returns {any} */
export function sizes(job) {
  const [wanted, total] = gpusOf(job),
    cores = coresOf(job, total)
  return {
    wanted,
    gpus: total,
    gpusPerNode: Math.max(...wanted.map(gpu => gpu.perNode)),
    cores: job.tasksPerCore ? Math.ceil(cores / 2) : cores,
    time: job.time,
    minNodes: job.minNodes ?? 1,
    maxNodes: job.maxNodes,
    jobs: arrayTasks(job.array),
  }
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
  const all = sizes(job),
    {wanted, gpus: total} = all
  if (rules.no_partition && job.partition === rules.no_partition) job.partition = ""
  if (rules.account && !job.account) return rules.account
  if (rules.time && job.time === undefined) return rules.time
  if (rules.partition && !job.partition) return rules.partition
  const refusal =
    wrongGpus(rules, job, wanted, total) ??
    wrongAmount(rules, job, all) ??
    chooseLogin(rules, job, total) ??
    useFittingPartitions(system, job, all)
  if (refusal) return refusal
  if (rules.threads && !job.threads && !job.tasksPerCore) job.threads = 1
  if (rules.memory_ignored) Object.assign(job, {memory: 0, perCpu: false, memPerGpu: undefined})
  job.minNodes ??= 1 // as Slurm has it from 23.02 on
}

// The Lua's own count of an array, which is none where slurmctld refuses the indices anyway.
function arrayTasks(text) {
  return (text ?? "1")
    .replace(/%.*/, "")
    .split(",")
    .filter(Boolean)
    .reduce((number, item) => {
      const found = /^(\d+)-(\d+):?(\d*)$/.exec(item)
      return number + (found ? Math.floor((+found[2] - +found[1]) / (+found[3] || 1)) + 1 : 1)
    }, 0)
}
