// Where a job finds its place on another system, with which sizes, what is told of them, and what cannot be had.
import {perPart} from "../schedulers/slurm/all_limits.js"
import {many} from "../script/units.js"
import {tellGpu, tellOpen} from "./about_gpus.js"
import {gib, hadOnANode} from "./amounts.js"
import {giveMemory, giveMemoryOfCores, keepMemory, keepTold, lessEach, moreThanShare, shareOf} from "./memory.js"
import {
  allMemory,
  countsMore,
  tooFewCores,
  enough,
  mostOnNode,
  nodesOf,
  oldNode,
  regrouped,
  takeWhole,
  unnamed,
} from "./nodes.js"
import * as place from "./place.js"
import {shareCores} from "./shared_cores.js"
import {giveTime, usualTime} from "./time.js"

/**
 * @param {System} from @param {System} to @param {any} given as need.js has it
 * @returns {any} {none} where nothing takes the job, a sentence; else nodes, GPUs `per` node, `key` of the GPU, `room`,
 *   cores and memory (MiB) a node, minutes, `notes` by role, `impossible`
 */
export function planOf(from, to, given) {
  const plan = planned(from, to, given, false)
  const [start] = to.rules?.allocation_accounts ?? []
  if (!plan.none || !start) return plan
  const other = planned(from, to, given, true)
  if (other.none) return plan
  other.impossible.unshift(
    `${to.name} accepts so large a job only from an account with an allocation, such as ${start}…`,
  )
  return other
}

/** allocated: for an account with an allocation, whose jobs may be larger */
function planned(from, to, given, allocated) {
  const [here, there] = [from.move, to.move]
  const all = given.memory === 0
  const own = {...given, all, whole: given.exclusive || all, memory: all ? allMemory(from, to, given) : given.memory}
  const need = {...own, ...unnamed(from, to, own)}
  const plan = {
    impossible: [],
    allocated,
    nodes: need.nodes,
    per: 0,
    key: null,
    notes: {},
    had: need.perTask,
    divided: need.divided,
  }
  const old = need.key && here.gpus[need.key]
  if (need.gpus) {
    plan.key = place.successor(old, there, need.gpus, need.torch, need.memory ?? 0)
    if (!plan.key) return {none: `${to.name} has no GPU to replace ${old.model}.`}
    Object.assign(plan, place.layout(there, plan.key, need.gpus, need.nodes, need.batch))
    const fits = () => there.partitions.some(room => place.takes(there, room, {...plan, cores: 1, memory: 0}))
    if (need.nodes > 1 && need.gpus >= need.nodes && !fits()) {
      Object.assign(plan, place.layout(there, plan.key, need.gpus, 1))
      plan.notes.nodes = `${to.name} has no partition for these GPUs on ${need.nodes} nodes, so they are on ${nodesOf(plan.nodes)}.`
      plan.impossible.push(plan.notes.nodes)
    }
  }
  const gpu = plan.key && there.gpus[plan.key]
  if (gpu) plan.impossible.push(...tellGpu(to, need, plan, old, gpu))
  const data = need.said?.mib ?? 0
  plan.disk = need.diskSize ?? (place.lacksRoom(to, data) ? data : 0)
  const endless = need.minutes === 0 || need.minutes === Infinity
  plan.minutes = endless ? 0 : (need.minutes ?? usualTime(here, need) ?? 60)
  giveSizes(from, to, need, plan, gpu)
  const named = here.centre === there.centre ? need.partition : null
  const wanted = need.told && need.memory === null ? Math.ceil(need.told.mib * 1.05) : 0 // a program needs some besides
  const asked = {...plan, whole: need.whole, named}
  const roomFor = job =>
    place.partition(there, {...job, memory: Math.max(job.memory ?? 0, wanted) || job.memory}) ??
    place.partition(there, job)
  plan.room = roomFor(asked)
  plan.without = plan.disk && roomFor({...asked, disk: 0}) // its disk
  if (!plan.room) return {none: none(to, plan, gpu)}
  if (gpu && !plan.room.open) plan.impossible.push(...tellOpen(there, need, plan))
  takeWhole(from, to, need, plan, all)
  if (plan.memory === null && !(plan.room.exclusive && !gpu)) {
    giveMemoryOfCores(there, plan)
    keepMemory(from, there, need, plan)
    if (all && !plan.all && plan.memory)
      plan.impossible.push(
        `--mem=0 requested all the memory of a node of ${from.name}, whose size we do not know. The job now has ${gib(plan.memory)} per node, so check that this is enough.`,
      )
  }
  if (plan.all && plan.nodes < need.nodes && !oldNode(from, need).memory)
    plan.impossible.push(
      `--mem=0 requested all the memory of ${nodesOf(need.nodes)} of ${from.name}, whose size we do not know. Check that all of ${nodesOf(plan.nodes)} of ${to.name} is enough.`,
    )
  if (plan.all && gpu) tellAll(from, to, need, plan)
  keepTold(there, need, plan, wanted)
  if (need.unnamed) {
    plan.notes.cores ??= `The script names no cores, and a node of ${from.name} had ${many(need.cores, "core")}.`
    const had = given.memory === null && oldNode(from, need).memory
    plan.notes.memory ??=
      had > need.memory
        ? `A ${from.name} node had ${gib(had)} of memory, and one of ${to.name} has ${gib(need.memory)}.`
        : hadOnANode(from, need.memory)
  }
  if (need.written) plan.notes.cores ??= `The script has \`${need.written}\`.`
  if (need.perhaps && plan.memory)
    plan.impossible.push(
      `The script names neither cores nor memory, so the new job has ${many(plan.cores, "core")} and ${gib(plan.memory)}. If the old job used a full node, request as much: ${many(need.perhaps.cores, "core")} and ${gib(need.perhaps.memory)}.`,
    )
  plan.impossible.push(...lessEach(from, to, need, plan), ...shareCores(from, to, need, plan))
  plan.impossible.push(...[tooFewCores(there, plan)].filter(Boolean))
  plan.impossible.push(...[countsMore(to, need, plan)].filter(Boolean))
  giveTime(to, need, plan, endless)
  return plan
}

/** `--mem=0` gives the memory of the node, whatever the old job's was. plan: UPDATED */
function tellAll(from, to, need, plan) {
  plan.impossible = plan.impossible.filter(each => !/^The job had \S+ of memory and keeps it/.test(each.text ?? each))
  const nodes = plan.room.nodes.map(name => to.move.nodes[name]).filter(({gpus}) => plan.key in gpus)
  const least = Math.min(...nodes.map(({memory}) => memory ?? Infinity))
  const had = oldNode(from, need).memory
  if (least * plan.nodes < 0.9 * had * need.nodes)
    plan.impossible.push(
      `--mem=0 requests all the memory of a node, which was ${gib(had)} on ${from.name}, but can be ${gib(least)} on ${to.name}.`,
    )
}

function none(to, plan, gpu) {
  const nodes = nodesOf(plan.nodes)
  const what = gpu
    ? many(plan.per * plan.nodes, `${gpu.model} GPU`)
    : `${many(plan.cores, "core")}${plan.memory ? ` and ${gib(plan.memory)}` : ""}`
  return `${to.name} has no partition that accepts a job with ${what} on ${gpu || plan.nodes === 1 ? "" : "each of "}${nodes}.`
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
  const other = free || gpu ? null : regrouped(from, to, need, plan)
  if (other) Object.assign(plan, {nodes: other, total})
  plan.tasksPerNode = Math.max(1, Math.ceil((other ? total : need.tasksPerNode * need.nodes) / plan.nodes))
  const most = mostOnNode(there, plan, gpu)
  const oldCores = need.perTask * (free || other ? plan.tasksPerNode : need.tasksPerNode)
  const share = gpu?.share && atMostOf(gpu.share, most, plan)
  giveCores(need, plan, share, oldCores)
  giveMemory(from, to, need, plan, share)
  const cores = overMost(to, need, plan, "cores", most)
  if (cores) {
    if (plan.tasksPerNode > cores) plan.fewer = plan.tasksPerNode = cores
    if (plan.fewer && need.inContainer)
      plan.impossible.push(
        `A container's mpirun reaches only its own node, so the job stays on one node, with ${plan.fewer} processes. It may need more time.`,
      )
    plan.cores = inTasks(plan, cores)
  }
  const asked = ((need.memory ?? 0) * need.nodes) / plan.nodes
  const less = overMost(to, need, plan, "memory", most, asked)
  plan.memory = less ?? plan.memory
  plan.perTask = Math.floor(plan.cores / plan.tasksPerNode)
}

/** A GPU's share, or what limits leave of it. */
function atMostOf(share, most, {per}) {
  const limited = kind => share[kind] && most[kind].row && most[kind].value < share[kind] * per
  const part = kind => (limited(kind) ? most[kind].value / per : share[kind])
  return {cores: part("cores"), memory: part("memory"), limited}
}

/** The most that a job may have on a node, which is told, if it has more; else null. */
function overMost(to, need, plan, kind, most, asked = plan[kind]) {
  const {value, row, limit = value} = most[kind]
  if (!value || !(plan[kind] > value)) return null
  const amount = number => (kind === "memory" ? gib(number) : `${number}`)
  const what = kind === "memory" ? "of memory" : limit === 1 ? "core" : "cores"
  const had = amount((asked * limit) / value)
  if (had === amount(limit) || !(asked > value)) return Math.floor(value)
  const allows = `${to.name} allows at most ${amount(limit)} ${what}${(row && perPart(row.quantity)) ?? " per node"}${plan.key ? " with this GPU" : ""}`
  const on = nodes => (nodes > 1 ? `on each of ${nodes}` : "on one")
  const divided =
    kind === "memory" && plan.nodes !== need.nodes
      ? `${amount((need.memory * limit) / value)} ${on(need.nodes)}${need.nodes > 1 ? " nodes" : " node"}, which is ${had} ${on(plan.nodes)}`
      : had
  plan.impossible.push(
    `${allows}, but the job had ${divided}${kind === "cores" && plan.tasksPerNode === plan.cores ? " tasks" : ""}.`,
  )
  plan.notes[kind] = `${allows}.`
  return Math.floor(value)
}

/** So many cores that each task has as many. */
const inTasks = ({tasksPerNode}, cores) => Math.max(1, Math.floor(cores / tasksPerNode)) * tasksPerNode
function giveCores(need, plan, share, oldCores) {
  plan.cores = oldCores
  if (!share) return
  const all = Math.floor(share.cores * plan.per)
  const part = inTasks(plan, all)
  if (moreThanShare(need, oldCores, need.share?.cores) && oldCores > part)
    plan.notes.cores = "The job requests more cores than a GPU's share, as before."
  else {
    plan.cores = part
    const most = shareOf(plan, share.limited("cores"))
    plan.notes.cores = `${most[0].toUpperCase()}${most.slice(1)} is ${many(all, "core")}.`
  }
}
