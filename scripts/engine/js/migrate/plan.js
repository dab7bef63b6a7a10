// Where a job finds its place on another system, with which sizes, what is told of them, and what cannot be had.
import {limitOf} from "../limits.js"
import {arrayTasks} from "../schedulers/slurm/quantities.js"
import {many, timeWords} from "../script/units.js"
import {gib, times} from "./amounts.js"
import {sameSoftware} from "./leftovers.js"
import * as place from "./place.js"

/**
 * @param {System} from @param {System} to @param {any} need as need.js has it
 * @returns {any} {none} where nothing takes the job, a sentence; else nodes, GPUs `per` node, `key` of the GPU, `room`,
 *   cores and memory (MiB) a node, minutes, `notes` by role, `impossible`
 */
export function planOf(from, to, need) {
  const [here, there] = [from.move, to.move]
  const plan = {impossible: [], nodes: need.nodes, per: 0, key: null, notes: {}}
  const old = need.key && here.gpus[need.key]
  if (need.gpus) {
    plan.key = place.successor(old, there, need.gpus, need.torch)
    if (!plan.key) return {none: `${to.name} has no GPU to replace ${old.model}.`}
    Object.assign(plan, place.layout(there, plan.key, need.gpus, need.nodes))
  }
  const gpu = plan.key && there.gpus[plan.key]
  if (gpu) tellGpu(to, need, plan, old, gpu)
  plan.disk = need.diskSize ?? 0
  const endless = need.minutes === 0 || need.minutes === Infinity
  plan.minutes = endless ? 0 : (need.minutes ?? usualTime(here, need) ?? 60)
  giveSizes(from, to, need, plan, gpu)
  plan.room = place.partition(there, {...plan, named: from.move.centre === to.move.centre ? need.partition : null})
  if (!plan.room) return {none: none(to, plan, gpu)}
  if (plan.memory === null && !(plan.room.exclusive && !gpu)) giveMemoryOfCores(there, plan)
  giveTime(to, need, plan, endless)
  cutArray(to, need, plan)
  return plan
}

/** Minutes of a job that names none. */
function usualTime(move, need) {
  const room = move.partitions.find(each => each.name === need.partition)
  return room && place.longestTime(room) < Infinity ? place.longestTime(room) : null
}

function none(to, plan, gpu) {
  const nodes = times(plan.nodes, plan.nodes > 1 ? "nodes" : "node")
  const what = gpu
    ? times(plan.per * plan.nodes, gpu.model)
    : `a job of ${plan.cores} cores${plan.memory ? ` and ${gib(plan.memory)}` : ""}`
  return `${to.name} has no partition that accepts ${what} on ${nodes}.`
}

function tellGpu(to, need, plan, old, gpu) {
  const called = each => `${each.model}${each.slice ? " slice" : ""}`
  const maker = place.maker(gpu)
  const total = plan.per * plan.nodes
  const said = [`${called(gpu)} with ${gpu.size} instead of ${called(old)} with ${old.size}.`]
  if (gpu.memory !== null && gpu.memory < old.memory)
    plan.impossible.push(
      `${to.name} has no GPU with ${old.size}: its ${gpu.model} has ${gpu.size}. A program that needs more fails.`,
    )
  if (old.slice && !gpu.slice)
    said.push(`${to.name} has no MIG slice for this job, so you get a full GPU and pay for it.`)
  if (maker !== place.maker(old)) {
    const [language, others] = maker === "AMD" ? ["CUDA", "ROCm"] : ["HIP", "CUDA"]
    said.push(
      `This is an ${maker} GPU. Programs in ${language} do not run on it, but PyTorch does if built for ${others}.`,
    )
    plan.impossible.push(
      `Programs compiled for ${place.maker(old)} GPUs do not run on ${maker} GPUs. Rebuild them if possible.`,
    )
  }
  if (total > need.gpus)
    said.push(`${to.name} gives ${gpu.counts.join(" or ")} GPUs, so the job gets ${total} instead of ${need.gpus}.`)
  if (plan.nodes > need.nodes) said.push(`A node has ${many(plan.per, "GPU")}, so the job needs ${plan.nodes} nodes.`)
  const enough = Math.ceil((need.gpus * old.memory) / gpu.memory)
  if (old.memory && enough < total && !gpu.counts.length)
    said.push(
      `${enough > 1 ? `${enough} of these GPUs have` : "One of these GPUs has"} at least as much memory as ${need.gpus} of the old ones.`,
    )
  if (need.implied)
    plan.impossible.push(
      `The new script requests ${many(total, "GPU")}, because the nodes of \`${need.implied}\` have GPUs.`,
    )
  plan.notes.gpu = said.join(" ")
}

/** Cores and memory a node: the GPUs' share, or what was asked for where that is more. */
function giveSizes(from, to, need, plan, gpu) {
  const there = to.move
  // Tasks that may be on any number of nodes: as many nodes as hold them there.
  const free = !gpu && !need.nodesGiven && need.tasks > 1
  if (free) plan.nodes = enough(there, need, plan)
  plan.spread = free && plan.nodes > 1
  plan.slice = gpu?.whole
  const total = need.tasks ?? need.tasksPerNode * need.nodes
  const other = free || gpu || !need.launches || total < 2 ? null : packed(from, to, need, plan, total)
  if (other) Object.assign(plan, {nodes: other, total})
  plan.tasksPerNode = Math.max(1, Math.ceil((other ? total : need.tasksPerNode * need.nodes) / plan.nodes))
  const most = mostOnNode(there, plan, gpu)
  const oldCores = need.perTask * (free || other ? plan.tasksPerNode : need.tasksPerNode)
  giveCores(need, plan, gpu?.share, oldCores)
  giveMemory(to, need, plan, gpu?.share)
  const atMost = (said, had) =>
    plan.impossible.push(`${to.name} allows at most ${said} per node, but the job had ${had}.`)
  if (plan.cores > most.cores && most.cores) {
    atMost(`${most.cores} cores`, plan.cores)
    plan.notes.cores = `The maximum on ${to.name} is ${many(most.cores, "core")}.`
    if (plan.tasksPerNode > most.cores) plan.fewer = plan.tasksPerNode = most.cores
    plan.cores = inTasks(plan, most.cores)
  }
  if (plan.memory > most.memory && most.memory && most.memory < Infinity) {
    atMost(gib(most.memory), gib(plan.memory))
    plan.notes.memory = `The maximum on ${to.name} is ${gib(most.memory)}.`
    plan.memory = most.memory
  }
  plan.perTask = Math.floor(plan.cores / plan.tasksPerNode)
}

/** Nodes that hold all processes of a job of full nodes, or of one that a node there is too small for; null: as many. */
function packed(from, to, need, plan, total) {
  const there = to.move
  const room =
    from.move.partitions.find(({name}) => name === need.partition) ??
    from.move.partitions.find(({default: usual}) => usual) ??
    from.move.partitions.find(({nodes}) => nodes.some(name => !Object.keys(from.move.nodes[name].gpus).length))
  const old = room?.nodes.map(name => from.move.nodes[name]).find(({gpus}) => !Object.keys(gpus).length)
  const most = mostOnNode(there, {...plan, nodes: 1}, null)
  const each = Math.floor(most.cores / need.perTask)
  const [had, memory] = [need.perTask * need.tasksPerNode, need.memory ?? old?.memory ?? 0]
  const full =
    !sameSoftware(from, to) &&
    need.nodes > 1 &&
    need.tasksPerNode > 3 &&
    old?.cores &&
    had >= 0.75 * old.cores &&
    most.cores > old.cores
  if (!each || !(had > most.cores || full)) return null
  const usual = Object.values(there.nodes).filter(({cores, gpus}) => cores >= most.cores && !Object.keys(gpus).length)
  const bytes = full ? Math.ceil((memory * need.nodes) / Math.min(...usual.map(node => node.memory ?? Infinity))) : 1
  for (let nodes = Math.max(bytes, Math.ceil(total / each)); nodes !== need.nodes; nodes++) {
    if (full && nodes > need.nodes) return null
    const tasks = Math.ceil(total / nodes)
    const job = {...plan, nodes, cores: tasks * need.perTask, memory: 0}
    if (there.partitions.some(each => !each.trial && place.takes(there, each, job))) return nodes
    if (nodes > 9999) return null
  }
  return null
}

/** So many cores that each task has as many. */
const inTasks = ({tasksPerNode}, cores) => Math.max(1, Math.floor(cores / tasksPerNode)) * tasksPerNode
const shareOf = ({per, slice}) => (per > 1 ? `the share of ${per} GPUs` : `${slice ? "the slice" : "one GPU"}'s share`)
const moreThanShare = (need, asked, share) => share && asked > share * need.perNode

/** The most cores and MiB that such a job may have on one node. */
function mostOnNode(there, plan, gpu) {
  const rooms = there.partitions.filter(room => place.takes(there, room, {...plan, cores: 1, memory: 0}))
  const usual = rooms.filter(room => !room.trial)
  const usable = usual.length ? usual : rooms
  const hasKind = ({gpus}) => (gpu ? plan.key in gpus || gpu.whole in gpus : !Object.keys(gpus).length)
  const largest = (of, limit) =>
    Math.max(
      0,
      ...usable.flatMap(room =>
        room.nodes
          .map(name => there.nodes[name])
          .filter(hasKind)
          .map(node => Math.min(node[of] ?? Infinity, limit(room))),
      ),
    )
  const ofRoom = ({limits}) => Math.min(limitOf(limits, "cores_per_node"), limitOf(limits, "cores") / plan.nodes)
  const ofGpus = gpu ? limitOf(gpu.limits, "cores_per_gpu", {group: "gpus"}) * plan.per : Infinity
  const memory = largest("memory", room => limitOf(room.limits, "memory_per_node"))
  return {cores: Math.min(largest("cores", ofRoom), ofGpus), memory}
}

function giveCores(need, plan, share, oldCores) {
  plan.cores = oldCores
  if (!share) return
  const part = inTasks(plan, share.cores * plan.per)
  if (moreThanShare(need, oldCores, need.share?.cores) && oldCores > part)
    plan.notes.cores = "The job requests more cores than a GPU's share, as before."
  else {
    plan.cores = part
    plan.notes.cores = `${share.cores * plan.per} cores are ${shareOf(plan)}.`
  }
}

function giveMemory(to, need, plan, share) {
  plan.memory = plan.spread ? partOf(need, plan.tasksPerNode) : need.memory
  if (plan.total && need.memory) plan.memory = Math.max(need.memory, Math.ceil((need.memory * need.nodes) / plan.nodes))
  if (!share?.memory) return
  const part = share.memory * plan.per
  if (moreThanShare(need, (need.memory ?? 0) * 0.99, need.share?.memory) && need.memory > part)
    plan.notes.memory = "The job requests more memory than a GPU's share, as before."
  else {
    plan.memory = part
    plan.notes.memory = `The memory is ${shareOf(plan)} on ${to.name}.`
  }
}

/** A node's memory where it has so many of the job's tasks. */
const partOf = (need, tasks) =>
  need.memory && need.memoryOfCores ? Math.ceil((need.memory * tasks) / need.tasks) : need.memory

/** The memory of a job that names none: the part of a node that its cores are. */
function giveMemoryOfCores(there, plan) {
  const nodes = plan.room.nodes.map(name => there.nodes[name]).filter(node => node.cores >= plan.cores && node.memory)
  if (!nodes.length) return
  const part = Math.min(...nodes.map(node => Math.floor((node.memory / node.cores) * plan.cores)))
  plan.memory = Math.min(part, limitOf(plan.room.limits, "memory_per_node"))
  plan.notes.memory = "The memory is in proportion to the cores."
}

/** As few nodes as hold all tasks in a partition that takes so many; 1 if there is none. */
function enough(there, need, plan) {
  const rooms = there.partitions.filter(room => !room.trial)
  const cores = rooms.flatMap(room =>
    room.nodes
      .map(name => there.nodes[name])
      .filter(node => !Object.keys(node.gpus).length)
      .map(node => Math.min(node.cores ?? 0, limitOf(room.limits, "cores_per_node"))),
  )
  for (const each of [...new Set(cores)].sort((a, b) => b - a)) {
    const nodes = Math.ceil(need.tasks / Math.floor(each / need.perTask))
    const tasks = Math.ceil(need.tasks / nodes)
    const job = {...plan, nodes, cores: tasks * need.perTask, memory: partOf(need, tasks) ?? 0}
    if (nodes < Infinity && rooms.some(room => place.takes(there, room, job))) return nodes
  }
  return 1
}

function giveTime(to, need, plan, endless) {
  const shortest = limitOf(plan.room.limits, "minutes", {test: "at_least"})
  const most = place.longestTime(plan.room)
  if (endless) {
    plan.minutes = most < Infinity ? most : 1440
    plan.notes.time = `This is the longest time limit on ${to.name}, because the job had none.`
    plan.impossible.push(`Unlimited time is not allowed, so the job gets ${timeWords(plan.minutes)}.`)
  }
  if (plan.minutes > most) chain(to, need, plan, most)
  else if (plan.minutes < shortest) {
    plan.minutes = shortest
    plan.notes.time = `The minimum time limit on ${to.name} is ${timeWords(shortest)}.`
  }
}

/** Longer than any job there: several after each other. */
function chain(to, need, plan, most) {
  const number = Math.ceil(plan.minutes / most)
  const why = `The time limit on ${to.name} is ${timeWords(most)}, but the job had ${timeWords(plan.minutes)}.`
  plan.minutes = most
  if (need.array !== null) {
    plan.notes.time = why
    plan.impossible.push(`${why} Divide the work of each array task into ${number}.`)
    return
  }
  plan.chain = number
  plan.notes.time = `${why} The work is divided into ${number} jobs.`
  const must = "the program must save its state and restart from it"
  plan.notes.array = `${number} jobs in sequence provide the total time, but ${must}.`
}

/** More jobs in an array than may be there at once: its first ones. */
function cutArray(to, need, plan) {
  const limit = Math.min(limitOf(plan.room.limits, "jobs"), limitOf(to.move.limits, "jobs", {group: "policy"}))
  const number = plan.chain ?? (need.array === null ? 1 : arrayTasks(need.array))
  if (number <= limit) return
  const why = `${to.name} accepts at most ${limit} jobs, and each array task counts. The job had ${number}.`
  plan.impossible.push(`${why} Submit the others when the first have ended.`)
  const first = /^(\d+)-\d+(?::(\d+))?(%\d+)?$/.exec(plan.chain ? `1-${number}%1` : need.array)
  if (!first) return
  const [begin, step] = [Number(first[1]), Number(first[2] ?? 1)]
  plan.array = `${begin}-${begin + (limit - 1) * step}${step > 1 ? `:${step}` : ""}${first[3] ?? ""}`
  plan.notes.array = why
}
