// What a job asks for, in the words of scripts/check/asked.py, where a twin says the same: in MiB, minutes, and counts.
// The advice rests on it, whoever understood the job.
;(jobscript => {
  /** Of a job of which nothing is known. */
  const NOTHING = Object.freeze({gpus: [], gpus_total: 0})

  const items = (text, per) => (text ?? "").split(",").filter(item => item === "gpu" || item.startsWith("gpu:")).map(item => {
    const [, type = "", number = "1"] = /^gpu(?::(.*?))??(?::(\d+))?$/.exec(item)
    return {type, per, number: Number(number)}
  })
  const sum = numbers => numbers.reduce((all, each) => all + each, 0)
  const defaultOf = ({partitions}) => Object.keys(partitions).find(key => partitions[key].default) ?? null

  /** @param {object} system @param {object} job as slurmJob makes it */
  function ofSlurm(system, job) {
    const nodes = job.minNodes ?? null
    const times = {job: 1, node: nodes ?? 1, task: job.tasks ?? (job.tasksPerNode ?? 1) * (nodes ?? 1)}
    const gpus = [...items(job.perJob, "job"), ...items(job.perNode, "node"), ...items(job.perTask, "task")]
    const number = per => sum(gpus.filter(each => each.per === per).map(each => each.number))
    const total = Math.max(...Object.entries(times).map(([per, factor]) => number(per) * factor))
    const led = {...job}
    jobscript.policy(system, led)
    return {
      account: job.account ?? null, partition: job.partition || null,
      routed: job.partition ? null : led.partition || defaultOf(system),
      nodes, max_nodes: job.maxNodes ?? null, tasks: job.tasks ?? null, tasks_per_node: job.tasksPerNode ?? null,
      cpus_per_task: job.cpusPerTask ?? null, cpus_per_gpu: job.cpusPerGpu ?? null,
      cores: Math.max(job.minCpus || 1, (job.cpusPerGpu ?? 0) * total),
      memory_per_node: job.perCpu ? null : job.memory ?? null, memory_per_cpu: job.perCpu ? job.memory ?? null : null,
      memory_per_gpu: job.memPerGpu ?? null, gpus, gpus_total: total,
      gpus_per_node: number("node") || (total ? Math.ceil(total / (nodes || 1)) : null),
      exclusive: job.shared === "none", array: job.array ?? null, threads_per_core: job.threads ?? null,
    }
  }

  /** As it was asked for, before a request for GPUs brings cores and memory. memory: bytes for each core, or null. */
  function ofGridEngine(system, options, {gpus: named, memory}) {
    const gpus = [...named].map(([type, {number}]) => ({type, per: "job", number}))
    const total = sum(gpus.map(({number}) => number)), value = name => jobscript.last(options).get(name)?.value ?? null
    const slots = Number(/\d+$/.exec(value("pe") ?? "")?.[0] ?? 0) || null
    return {
      account: value("P"), partition: value("q"), routed: Object.keys(system.grid_engine.queues)[0] ?? null,
      tasks: slots, cores: slots ?? 1, memory_per_cpu: memory === null ? null : Math.round(memory / 2 ** 20),
      gpus, gpus_total: total, gpus_per_node: total || null, array: value("t"),
    }
  }

  Object.assign(jobscript, {understood: {NOTHING, ofSlurm, ofGridEngine}})
})(globalThis.jobscript ??= {})
