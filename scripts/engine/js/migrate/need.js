// What a job script asks for, in numbers that hold on every system: GPUs, cores, memory, nodes, time.
import {mebibytes, minutes} from "../schedulers/slurm/values.js"
import {byWord} from "../script/by_word.js"

/**
 * What an option is about. Those that are not here are taken along as they stand.
 * @type {Record<string, string>}
 */
export const ROLES = byWord({
  account: "account",
  partition: "partition",
  nodes: "nodes",
  tasks: "ntasks ntasks-per-node",
  cores: "cpus-per-task cpus-per-gpu mincpus",
  memory: "mem mem-per-cpu mem-per-gpu",
  gpu: "gres gpus gpus-per-node gpus-per-task",
  features: "constraint",
  time: "time time-min",
  qos: "qos",
  named: "nodelist exclude reservation licenses clusters",
  tmp: "tmp",
  threads: "threads-per-core",
  exclusive: "exclusive",
  sockets: "ntasks-per-socket sockets-per-node cores-per-socket extra-node-info core-spec contiguous switches",
  hint: "hint",
})
const number = text => (/^\d+/.test(text ?? "") ? parseInt(text, 10) : null)

/** Grid Engine's time: seconds, or hours:minutes:seconds. In minutes; null if it is none. */
function clock(text) {
  if (!/^[\d:]+$/.test(text ?? "")) return null
  const parts = text.split(":").map(Number)
  const seconds = parts.length === 1 ? parts[0] : parts[0] * 3600 + parts[1] * 60 + (parts[2] || 0)
  return Math.ceil(seconds / 60)
}

/** `gpu:v100:2,nvme:100` -> [["v100", 2]] and ["nvme:100"]. */
function lists(name, value) {
  const gpus = [],
    others = []
  for (const item of (value ?? "").split(",").filter(Boolean)) {
    const parts = item.replace("=", ":").split(":")
    if (name === "gres" && parts.shift() !== "gpu") {
      others.push(item)
      continue
    }
    const [last = ""] = parts.slice(-1)
    if (/^(?:\d+$|\uE011)/.test(last)) parts.pop() // or the shell computes it
    const count = /^\d+$/.test(last) ? Number(last) : 1
    gpus.push([parts.join(":"), count])
  }
  return {gpus, others}
}

/** Does the system have GPUs of this type, or a slice of a size that others have, too? */
const knownType = (move, type) =>
  /\dg\.\d+gb$/.test(type) || Object.values(move.gpus).some(({types}) => types.includes(type))

/** The GPU that a request means: by its type, the features, the partition; else the first. */
function gpuOf(move, type, features, partition) {
  const room = move.partitions.find(each => each.name === partition)
  const there = key =>
    !room ||
    room.nodes.some(node => {
      const {gpus} = move.nodes[node]
      return key in gpus || move.gpus[key].whole in gpus
    })
  const keys = Object.keys(move.gpus)
  const known = keys.filter(key => !type || move.gpus[key].types.includes(type))
  const [memory] = /(?<=\dg)\.\d+gb$/.exec(type) ?? [] // of a slice: another has as much
  const like = memory ? keys.filter(key => move.gpus[key].types.some(each => each.endsWith(memory))) : []
  const typed = known.length ? known : like
  const placed = typed.filter(there)
  const named = (features ?? "").split(/[&|,]/).filter(Boolean)
  const featured = placed.filter(key => {
    const nodes = Object.values(move.nodes).filter(node => key in node.gpus)
    const own = move.gpus[key].request.some(([, value]) => named.includes(value))
    return own || nodes.some(node => named.some(name => node.features.includes(name)))
  })
  return (named.length && featured[0]) || placed[0] || typed[0] || keys[0] || null
}

/**
 * @param {System} system the system that the script is for, with its part `move`
 * @param {{name: string, value: string|null}[]} options of its directives, in their order
 * @returns what it asks for; memory in MiB a node, time in minutes, null for what it
 *   does not say. `others` are generic resources besides GPUs.
 */
export function needOf(system, options) {
  const move = system.move
  const given = {}
  for (const {name, value} of options) given[name] = value ?? ""
  const found = system.kind === "slurm" ? slurm(move, given) : gridEngine(move, options)
  // There, a CPU is a thread.
  if (/^multithread/.test(given.hint ?? "") && found.perTask > 1) {
    const threads = Math.max(1, ...Object.values(system.nodes ?? {}).map(node => node.threads ?? 1))
    found.threads = found.perTask
    found.perTask = Math.ceil(found.perTask / threads)
  }
  const gpu = found.key && move.gpus[found.key]
  found.nodes ??= 1
  found.perNode = found.gpus && Math.ceil(found.gpus / found.nodes)
  found.perTask ??= 1
  found.tasksPerNode ??= Math.ceil((found.tasks ?? 1) / found.nodes)
  found.share = gpu?.share ?? null
  return found
}

function slurm(move, given) {
  const found = {gpus: 0, key: null, others: [], nodes: number(given.nodes)}
  found.tasks = number(given.ntasks)
  found.tasksPerNode = number(given["ntasks-per-node"])
  found.mostNodes = number(/^\d+-(\d+)$/.exec(given.nodes ?? "")?.[1]) ?? found.nodes
  // So few processes run on so many nodes only.
  if (found.tasks && found.nodes > found.tasks) found.nodes = found.tasks
  if (found.tasks && found.tasksPerNode && found.nodes === null)
    found.nodes = Math.ceil(found.tasks / found.tasksPerNode)
  const nodes = found.nodes ?? 1
  const tasks = found.tasks ?? (found.tasksPerNode ?? 1) * nodes
  const times = {gres: nodes, "gpus-per-node": nodes, "gpus-per-task": tasks, gpus: 1}
  for (const name of Object.keys(times)) {
    const {gpus, others} = lists(name, given[name])
    found.others.push(...others)
    for (const [type, count] of gpus) {
      found.gpus = Math.max(found.gpus, count * times[name])
      found.key ??= count ? gpuOf(move, type, given.constraint, given.partition) : null
      if (count && type && !/[${]/.test(type) && !knownType(move, type)) found.unknownGpu = type
    }
  }
  const room = move.partitions.find(each => each.name === given.partition)
  const rooms = move.partitions.filter(each => each.name === given.partition) // of one name, with and without GPUs
  const gpusOn = name => Object.values(move.nodes[name].gpus).reduce((sum, count) => sum + count, 0)
  const fewest = Math.min(...rooms.flatMap(({nodes}) => nodes.map(gpusOn)))
  // All nodes of the partition have GPUs, and the job names none: it has those of its nodes, or means one.
  if (fewest > 0 && fewest < Infinity && !Object.keys(times).some(name => lists(name, given[name]).gpus.length)) {
    found.gpus = (given.exclusive !== undefined || room.exclusive ? fewest : 1) * nodes
    found.key = gpuOf(move, "", given.constraint, given.partition)
    found.implied = given.partition
  }
  found.nodesGiven = found.nodes !== null
  found.exclusive = given.exclusive !== undefined
  found.disk = found.others.find(item => /^(?:nvme|tmp|disk|lscratch)/.test(item)) ?? given.tmp ?? null
  found.diskSize =
    found.disk && (found.disk === given.tmp ? mebibytes(found.disk) : 1024 * number(found.disk.split(":").at(-1)))
  found.perTask = number(given["cpus-per-task"])
  if (given["cpus-per-gpu"]) found.perTask = Math.ceil((number(given["cpus-per-gpu"]) * found.gpus) / tasks)
  const perNode = Math.ceil(tasks / nodes)
  if (number(given.mincpus)) found.perTask ??= Math.ceil(number(given.mincpus) / perNode)
  // All cores of its GPUs are the job's, where their number cannot be requested.
  const all = found.gpus > 0 && found.perTask === null && move.memory.gpu === "ignored" && move.gpus[found.key].share
  found.hasCores = all ? Math.floor((all.cores * found.gpus) / tasks) : null
  found.sized = found.perTask !== null || perNode > 1
  const size = name => (given[name] ? mebibytes(given[name]) : null)
  found.memory = size("mem")
  found.memoryOfCores = size("mem-per-cpu") !== null
  if (found.memoryOfCores) found.memory = size("mem-per-cpu") * (found.perTask ?? 1) * perNode
  if (size("mem-per-gpu") !== null) found.memory = size("mem-per-gpu") * Math.ceil(found.gpus / nodes)
  found.minutes = given.time ? minutes(given.time) : null
  found.partition = given.partition ?? null
  found.array = given.array ?? null
  return found
}

/** Grid Engine's memory in MiB, which may have a point: `4.8G`; null if it is none. */
function size(text) {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([KMGT])$/i.exec(text) ?? []
  return amount ? Math.ceil(Number(amount) * 1024 ** ("kmgt".indexOf(unit.toLowerCase()) - 1)) : null
}

function gridEngine(move, options) {
  const found = {gpus: 0, key: null, others: [], nodes: null, tasks: null, nodesGiven: false, array: null}
  let perSlot = null
  /** @type {any} */
  const whole = {}
  for (const {name, value} of options) {
    for (const part of name === "l" ? (value ?? "").split(",") : []) {
      const [resource, amount = "1"] = part.split("=")
      if (resource === "disk") found.disk = amount
      if (resource === "h_rt") found.minutes = clock(amount)
      if (resource === "h_vmem") perSlot = size(amount)
      if (/^(nodes|np|ppn|tpp)$/.test(resource)) whole[resource] = number(amount)
      if (number(amount) !== 0 && (move.gpus[resource] || /^coproc/.test(resource))) {
        found.key = move.gpus[resource] ? resource : Object.keys(move.gpus)[0]
        found.gpus = number(amount) ?? 0
      }
    }
    const [kind, slots] = name === "pe" ? (value ?? "").split(" ") : []
    if (kind === "smp") found.perTask = number(slots)
    if (kind === "ib") found.tasks = number(slots)
    if (name === "t") found.array = value + (found.array ?? "")
    if (name === "tc") found.array = `${found.array ?? ""}%${value}`
  }
  if (whole.nodes || whole.np) wholeNodes(move, whole, found)
  const share = found.key && move.gpus[found.key].share
  found.perTask ??= share ? share.cores * found.gpus : null
  found.memory =
    share && share.memory
      ? share.memory * found.gpus
      : perSlot && perSlot * (found.perTask ?? 1) * Math.ceil((found.tasks ?? 1) / (found.nodes ?? 1))
  found.memoryOfCores = !share && Boolean(perSlot)
  if (found.disk && !found.tasks) found.diskOfSlots = size(found.disk) * (found.perTask ?? 1)
  found.minutes ??= null
  return found
}

/** Whole nodes: so many of them, full of processes, or as many as hold so many processes. */
function wholeNodes(move, {nodes, np, ppn, tpp}, found) {
  const cores = Math.max(...Object.values(move.nodes).map(node => node.cores ?? 1))
  found.perTask = tpp || 1
  const processes = ppn || Math.max(1, Math.floor(cores / found.perTask))
  found.nodes = nodes || (ppn && Math.ceil(np / ppn))
  found.tasks = nodes ? nodes * processes : np
  found.nodesGiven = Boolean(found.nodes)
}
