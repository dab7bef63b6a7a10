// Do the empty nodes of a partition hold the job? Slurm's select/cons_tres as it answers
// `--test-only`: what each node can give, then the nodes that it would choose, in its order.
const ANY = Infinity // as many tasks as fit
const up = (number, by) => Math.ceil(number / by)

/**
 * @param {System} system @param {string} key the partition whose nodes are asked
 * @param {PartitionFacts} own the first partition that the job names: its limits count for all of them
 * @param {Job} job as slurmctld has it @returns {boolean}
 */
export function fit(system, key, own, job) {
  const partition = system.partitions[key]
  const least = Math.max(job.minNodes, partition.min_nodes ?? 1)
  const most = Math.min(job.maxNodes ?? Infinity, partition.max_nodes ?? Infinity)
  job = {...job, gres: job.gres.map(each => ({...each})), ...needs(job, own)}
  const groups = [] // of nodes that are alike
  let at = 0
  for (const [type, node] of Object.entries(system.nodes)) {
    const number = partition.nodes[type] ?? 0
    const can = number ? canRun(node, own, job) : null
    if (can) groups.push({at, number, node, ...can})
    at +=
      node.count ??
      Math.max(
        ...Object.values(system.partitions)
          .map(({nodes}) => nodes[type])
          .filter(Boolean),
      )
  }
  if (count(groups) < least) return false
  const needed = job.tasksPerNode && job.tasks ? Math.max(least, up(job.tasks, job.tasksPerNode)) : least
  return (
    choose(groups, needed, most, job.maxNodes ? most : least, job) &&
    (partition.whole || job.whole || placed(job.chosen, job))
  )
}

const sum = (list, number) => list.reduce((all, each) => all + number(each), 0)
const count = groups => sum(groups, group => group.number)

// Cores that GPUs bring with them.
function needs(job, own) {
  const most = number => Math.max(...job.gres.map(number))
  return {
    minGresCpu: most(({cpus, perNode, perTask}) => cpus * (perNode || (perTask ? 0 : 1))),
    minJobGresCpu: most(({cpus, perJob}) => cpus * perJob),
    gpuMemory: own.memory_per_gpu,
  }
}

// Has a node the features that a job's constraint names?
function hasFeatures(text, there) {
  if (!text) return true
  const words = text.split(/[&|]/),
    has = word => there.includes(word)
  return text.includes("|") ? words.some(has) : words.every(has)
}

// What a node without other jobs can give this one; null if nothing.
function canRun(node, own, job) {
  const {threads = 1} = node,
    cores = node.cpus / threads,
    each = job.threads ?? threads // of a core's
  if (job.nodeCpus > node.cpus || job.tmp > node.tmp) return null
  if (job.memory * (job.perCpu ? job.nodeCpus : 1) > node.memory) return null
  if (!hasFeatures(job.features, node.features ?? [])) return null
  const cpuMemory = job.perCpu && (job.memorySaid || !job.gres.some(gres => memoryEach(gres, job)))
  const total = cores * each
  const limit = own.max_cores_per_node < node.cpus ? own.max_cores_per_node : Infinity
  if (limit < Infinity && job.whole) return null
  if (total < job.nodeCpus) return null
  let cpus = Math.min(total, limit)
  const gres = []
  for (const wanted of job.gres) {
    const there = usable(node, wanted, job)
    if (!there) return null
    gres.push(there)
  }
  if (cpuMemory) {
    if (job.whole && job.memory * cpus > node.memory) return null
    while (job.memory * cpus > node.memory) cpus = Math.max(cpus - each, 0)
    cpus -= cpus % job.cpusPerTask
  }
  const gpus = gres.filter(({wanted}) => wanted.name === "gpu")
  const near = sum(gpus, ({total, most}) => Math.min(total, most))
  return cpus ? {cpus, cores, threads, gres, near, gpus: sum(gpus, ({total}) => total)} : null
}

// Memory that each of these resources brings with it.
const memoryEach = (gres, job) => gres.memory || (gres.name === "gpu" ? job.gpuMemory : 0)

// How many of a resource a node has for the job, and the most that it may take here; null: too few.
function usable(node, wanted, job) {
  let total = sum(
    node.gres.filter(([name, type]) => name === wanted.name && (!wanted.type || type === wanted.type)),
    ([, , number]) => number,
  )
  const needed = Math.max(job.whole ? total : wanted.perNode, wanted.perTask * (job.tasksPerNode ?? 1), 1)
  const memory = memoryEach(wanted, job),
    held = memory ? Math.floor(node.memory / memory) : Infinity
  let most = held
  if (!job.whole) most = Math.min(most, ...[wanted.perNode, wanted.perJob].filter(Boolean))
  if (wanted.cpus) most = Math.min(most, Math.floor(node.cpus / wanted.cpus))
  total = Math.min(total, held)
  return total < needed || most < needed ? null : {wanted, total, most}
}

// As choose_nodes(): try all nodes; then without those that have least, a few more each time.
function choose(groups, least, most, wanted, job) {
  if (job.tasks) most = Math.min(most, Math.max(job.tasks, least))
  if (evaluate(groups, least, most, wanted, job)) return true
  const rest = group => group.cpus + group.gpus
  const largest = Math.max(...groups.map(rest))
  for (let size = 1; size < largest; size++) {
    if (size > 1 && !groups.some(group => rest(group) <= size)) continue
    let gone = Math.max(1, count(groups) - least)
    for (const group of [...groups].filter(each => rest(each) <= size)) {
      const number = Math.min(gone, group.number)
      group.number -= number
      group.at += number
      gone -= number
    }
    groups = groups.filter(group => group.number)
    if (evaluate(groups, least, most, wanted, job)) return true
  }
  return false
}

// As _eval_nodes(): take nodes from runs of neighbours, the best run first, until there is enough.
// UPDATES groups: a node keeps the CPUs that it was found to need.
function evaluate(groups, least, most, wanted, job) {
  if (count(groups) < least) return false
  job.chosen = []
  const counted = job.gres.filter(gres => gres.perJob)
  for (const gres of counted) gres.total = 0
  let cpusLeft = job.minCpus,
    nodesLeft = counted.length ? Math.min(least, wanted) : Math.max(least, wanted)
  let minLeft = least
  let maxCpus = Math.max(job.minCpus, job.minJobGresCpu)
  const usableNow = new Map(),
    runs = []
  for (const group of groups) {
    const cpus = selectCores(group, job)
    if (!cpus) continue
    usableNow.set(group, cpus)
    if (runs.at(-1)?.end !== group.at || runs.at(-1).near !== group.near) runs.push({near: group.near, groups: []})
    const run = runs.at(-1)
    run.end = group.at + group.number
    run.groups.push(group)
  }
  for (const run of runs) run.cpus = sum(run.groups, group => usableNow.get(group) * group.number)
  const done = () => counted.every(gres => gres.total >= gres.perJob)
  const enough = number => number >= nodesLeft - Math.max(wanted - least, 0)
  const sufficient = (list, times = group => group.number) =>
    counted.every(gres => gres.total + sum(list, group => found(group, gres).total * times(group)) >= gres.perJob)
  while (runs.length) {
    const rank = run => run.cpus >= cpusLeft && enough(count(run.groups)) && sufficient(run.groups)
    let best, bestRank
    for (const run of runs) {
      const ranked = rank(run)
      const better =
        !best ||
        run.near > best.near ||
        (run.near === best.near && (ranked ? !bestRank || run.cpus < best.cpus : run.cpus > best.cpus))
      if (better) [best, bestRank] = [run, ranked]
    }
    runs.splice(runs.indexOf(best), 1)
    let list = best.groups,
      each = Infinity
    if (nodesLeft <= 1) {
      const [alone] = list
        .filter(group => usableNow.get(group) >= cpusLeft && sufficient([group], () => 1))
        .sort((a, b) => usableNow.get(a) - usableNow.get(b))
      if (alone) [list, each] = [[alone], 1]
    }
    for (const group of list) {
      const number = Math.min(group.number, each),
        usual = usableNow.get(group),
        {at} = group
      let part // with other CPUs from now on
      for (let i = 0; i < number; i++) {
        if (nodesLeft <= 0 && cpusLeft <= 0 && done()) return true
        if (most === 0 || (most === 1 && usual < cpusLeft)) break
        let cpus = cpusToUse(usual, maxCpus, minLeft, job.threads ?? group.threads, job)
        if (cpus !== usual) part = split(groups, group, cpus, part)
        for (const gres of counted) cpus = take(gres, found(group, gres), cpus)
        job.chosen.push({at: at + i, cpus, group, tasks: 0, used: 0})
        cpusLeft -= cpus
        maxCpus -= cpus
        nodesLeft--
        minLeft--
        most--
      }
    }
  }
  return cpusLeft <= 0 && done() && enough(0)
}

// As dist_tasks_compute_c_b() and _cyclic_sync_core_bitmap(): do the cores that each node keeps hold its tasks?
// A GPU's CPUs are threads: where a core gives one of them, Slurm keeps too few.
function placed(chosen, job) {
  if (!job.gres.some(gres => gres.cpus)) return true
  const perCore = ({group}) => Math.min(group.threads, job.threads ?? ANY),
    each = job.cpusPerTask
  const nodes = chosen.length,
    perNode = job.tasksPerNode ?? 0
  let left = Math.max(
    nodes * perNode,
    job.minCpus,
    ...job.gres.map(gres => gres.cpus * (gres.perJob || gres.perNode * nodes)),
  )
  if (each > 1) left = perNode ? nodes * perNode : left / each
  const add = node => {
    left--
    node.tasks++
    node.used = Math.min(node.used + each, node.cpus)
  }
  const room = node => node.cpus - node.used >= each && !(perNode && node.tasks >= perNode)
  chosen.sort((a, b) => a.at - b.at)
  chosen.forEach(add)
  let over = false
  while (left >= 1) {
    let more = false
    for (const node of chosen)
      for (let i = Math.max(node.group.threads / each, 1); i >= 1 && left >= 1; i--) {
        if (!over && !room(node)) break
        add(node)
        more = true
      }
    over ||= !more
  }
  return chosen.every(node => node.used <= node.group.left * perCore(node))
}

// One node of a group goes to that part of it which has so many CPUs.
function split(groups, group, cpus, part) {
  if (part?.cpus !== cpus) {
    part = {...group, number: 0, cpus, gres: group.gres.map(each => ({...each}))}
    groups.splice(groups.indexOf(group), 0, part)
  }
  part.number++
  group.number--
  group.at++
  return part
}

const found = (group, gres) => group.gres.find(each => each.wanted === gres)

function cpusToUse(cpus, maxCpus, nodesLeft, perCore, job) {
  if (job.whole) return cpus
  const mine = maxCpus - Math.max(nodesLeft - 1, 0) * perCore
  return Math.min(cpus, Math.max(mine, job.nodeCpus, job.minGresCpu))
}

function take(gres, there, cpus) {
  const number = gres.cpus ? Math.min(Math.floor(cpus / gres.cpus), there.total) : there.total
  gres.total += number
  return gres.cpus && number ? number * gres.cpus : cpus
}

// As _select_cores(): the CPUs of a node that the job can use, by tasks and GPUs; 0: not this node.
function selectCores(node, job) {
  let least = 1,
    most = ANY
  if (job.tasksPerNode) least = most = job.tasksPerNode
  else if (job.maxNodes === 1) [least, most] = [job.tasks || 1, job.tasks || ANY]
  else if (job.tasks === 1 || (job.tasks === job.minNodes && job.tasks === job.maxNodes)) most = 1
  const fits = Math.floor(node.cpus / job.cpusPerTask)
  node.left = node.cores // those that the job keeps
  if (fits < least) return 0
  return job.gres.length ? byGres(node, job, least, Math.min(most, fits)) : node.cpus
}

// As gres_select_filter_sock_core(), for resources that belong to no socket.
function byGres(node, job, least, most) {
  const {threads} = node,
    perCore = job.threads ?? threads
  let cpus = node.cpus,
    cores = node.cores,
    withCpus = false
  for (const there of node.gres) {
    const {wanted} = there
    let limit = there.most
    if (limit < ANY && wanted.perJob) limit = Math.min(limit, wanted.perJob)
    withCpus ||= wanted.cpus > 0
    let all = there.total
    if (wanted.cpus) all = Math.min(all, Math.floor(cpus / wanted.cpus), limit)
    if (!all || wanted.perNode > Math.min(all, limit)) return 0
    if (wanted.perTask) most = Math.min(most, Math.floor(all / wanted.perTask))
    if (most < least) return 0
    if (most === ANY) continue
    let asked
    for (; most >= least; most--) {
      asked = up(most * job.cpusPerTask, perCore)
      if (asked <= cores) break
    }
    if (wanted.cpus) {
      const number = wanted.perNode || wanted.perTask * most || all
      asked = Math.max(asked, up(number * wanted.cpus, threads))
    }
    while (cores > asked) {
      cores--
      if (cores * threads < cpus) cpus -= threads
    }
    if (wanted.cpus) {
      there.total = Math.min(Math.floor(cpus / wanted.cpus), there.total)
      if (wanted.perNode > there.total) return 0
    }
  }
  node.left = cores
  return withCpus ? cpus : Math.min(cpus, most * job.cpusPerTask)
}
