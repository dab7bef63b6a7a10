// Nodes of another size: as few as hold all processes of a job, with the memory that the old ones had, and what stays idle.
import {arrayTasks} from "../schedulers/slurm/quantities.js"
import {thousands} from "../script/units.js"
import {gib, hadOnANode, times} from "./amounts.js"
import * as place from "./place.js"

const bare = ({gpus}) => !Object.keys(gpus).length
/** `one node`, `2 nodes` */
export const nodesOf = number => times(number, number > 1 ? "nodes" : "node")
/** Of so large a part of its nodes' cores, a job may as well have the whole nodes. */
const fills = (cores, whole) => cores >= 0.75 * whole

/** Has a partition nodes with GPUs, or without, as the job needs? */
const serves =
  (move, need) =>
  ({nodes}) =>
    nodes.some(name => bare(move.nodes[name]) === !need.key)

/** The smallest of the nodes that the job had: {cores, memory}; null for what is not known. */
export function oldNode({move}, need) {
  const all = move.partitions.filter(serves(move, need))
  const room =
    all.find(({name}) => name === need.partition) ??
    move.partitions.find(({name}) => name === need.partition) ??
    all.find(each => each.default && !need.key) ??
    all[0]
  const whole = need.key && move.gpus[need.key].whole
  const kind = node => (need.key ? need.key in node.gpus || whole in node.gpus : bare(node))
  const uses = Math.max(need.perTask * need.tasksPerNode, need.inScript?.perTask ?? 0)
  const large = node => (node.cores ?? uses) >= uses
  const found = (room?.nodes ?? []).map(name => move.nodes[name]).filter(kind)
  const nodes = found.some(large) ? found.filter(large) : found
  const least = of => (nodes.length && nodes.every(node => node[of]) ? Math.min(...nodes.map(node => node[of])) : null)
  return {cores: least("cores"), memory: least("memory")}
}

/** The memory of the usual nodes without GPUs. */
export function usualMemory(move) {
  const nodes = Object.values(move.nodes).filter(bare)
  const most = Math.max(...nodes.map(({cores}) => cores ?? 0))
  return Math.min(...nodes.filter(({cores}) => (cores ?? 0) === most).map(({memory}) => memory ?? Infinity))
}

/** What `--mem=0` gave on a node: not the last tenth, where the usual nodes there have as much but for that. */
export function allMemory(from, to, need) {
  const {memory} = oldNode(from, need)
  const usual = usualMemory(to.move)
  return memory && !need.key && memory * 0.9 <= usual ? Math.min(memory, usual) : memory
}

/** The cores of a node where the job is alone on it, else null: `exclusive`, or its operator shares nodes elsewhere. */
export function wholeNode({move}, {room}, exclusive) {
  const apart = move.partitions.some(({name}) => /shared/.test(name)) && !/shared/.test(room.name)
  if (!(room.exclusive || exclusive || apart)) return null
  return Math.max(...room.nodes.map(name => move.nodes[name].cores ?? 0))
}

/** What a node gave a job that names no cores: {perTask, memory}, all of it; only {perhaps} where that is not certain. */
export function unnamed(from, to, need) {
  const {partitions} = from.move
  const room =
    partitions.find(each => each.name === need.partition && serves(from.move, need)(each)) ??
    partitions.find(({name}) => name === need.partition) ??
    partitions.find(each => each.default && each.exclusive && serves(from.move, need)(each)) // of full nodes
  const old = oldNode(from, need)
  if (from.kind !== "slurm" || need.key || need.sized) return {}
  if (need.exclusive && !old.cores) return need.inScript ?? {}
  if ((!room && !need.exclusive) || !old.cores) return {}
  const open = need.memory === null && !room?.perCore // no default is published
  if (!need.exclusive && !wholeNode(from, {room}, false) && !(need.counts && open)) return open ? {perhaps: old} : {}
  const memory = need.memory ?? allMemory(from, to, need)
  const tasksPerNode = need.tasks ? 1 : need.starts / need.nodes
  const divided = tasksPerNode > 1 && tasksPerNode <= old.cores && Number.isInteger(tasksPerNode)
  const perTask = Math.floor(old.cores / (divided ? tasksPerNode : 1))
  const started = divided ? {tasks: need.starts, tasksPerNode, perTask, started: need.starts, sized: true} : null
  return {
    ...started,
    divided: started,
    perTask,
    memory,
    cores: old.cores,
    unnamed: true,
    named: need.memory !== null && !need.all,
  }
}

/** What a job of full nodes leaves idle, and what would fill them; null where that is little. */
function idle(to, plan, need, exclusive) {
  const shared = plan.room.nodes.some(name => to.move.nodes[name].threads) // two hardware threads are one core
  const whole = wholeNode(to, plan, exclusive) / (shared ? 2 : 1)
  const uses = Math.max(plan.cores, need.inScript?.perTask ?? 0)
  if (!whole || fills(uses, whole)) return null
  const memory = Math.min(...plan.room.nodes.map(name => to.move.nodes[name].memory ?? Infinity))
  const there = to.move.partition === "leave out" ? "" : ` in \`${plan.room.name}\``
  const gets = `${times(plan.nodes, plan.nodes > 1 ? "full nodes" : "full node")}${there}`
  const said = `On ${to.name}, the job gets ${gets}, but uses only ${uses} of the ${whole} cores per node.`
  if (plan.nodes > 1) {
    if (plan.tasksPerNode === 1 && plan.perTask > 1)
      return `${said} To use them, write \`--cpus-per-task=${whole}\`${need.steps ? ` and more processes in \`${need.steps}\`` : ""}, if the program is then faster.`
    const total = plan.nodes * plan.tasksPerNode
    const fewer = Math.ceil(total / Math.floor(whole / plan.perTask))
    const room = `If the work can be divided, run up to ${thousands(plan.nodes * Math.floor(whole / plan.perTask))} processes.`
    const fits = Math.max(need.memory ?? 0, (need.told?.mib ?? 0) * Math.ceil(total / fewer)) <= usualMemory(to.move)
    const enough = `If ${gib(usualMemory(to.move))} of memory per node is enough, use \`--nodes=${fewer} --ntasks=${total}\` without \`--ntasks-per-node\`.`
    return `${said} ${room}${fewer < plan.nodes && !plan.could && fits ? ` ${enough}` : ""}`
  }
  if (need.follows?.pieces) {
    const before = plan.cores
    const fit = need.memory ? Math.floor((memory * before) / need.memory) : whole
    const limit = place.limitOn(to.move, plan.room, plan, "cores").value
    plan.cores = plan.perTask = Math.max(before, Math.min(whole, fit, limit))
    plan.filled = [before, plan.cores]
    if (plan.memory) plan.memory = Math.min(memory, Math.ceil((plan.memory * plan.cores) / before))
    plan.notes.cores = `The job gets a full node of ${to.name}, and \`${need.follows.written}\` uses the cores that it requests${fit < whole ? ", limited by the memory per core that it had" : ""}.`
    return null
  }
  const number = Math.floor(Math.min(whole / uses, memory / (need.memory || 1)))
  if (number < 2 || (number > 16 && need.array === null))
    return plan.tasksPerNode > 1 && need.launches
      ? `${said} If the work can be divided, run up to ${thousands(Math.floor(whole / plan.perTask))} processes.`
      : `${said} If the program can use more, write \`--cpus-per-task=${Math.floor(whole / plan.tasksPerNode)}\`.`
  const more = need.follows
    ? `raise \`--cpus-per-task\` to as many as ${whole}, which \`${need.follows.written}\` follows, if the program is then faster. Or `
    : ""
  const tasks = need.array === null ? 0 : arrayTasks(need.array)
  const some = number < tasks ? `${number} of the array's tasks` : `all ${tasks} of the array's tasks`
  const each = tasks ? some : `${number} such jobs`
  const apart = need.oneFile
    ? ` Then create a directory for each, because several would otherwise use the same \`${need.oneFile}\`.`
    : ""
  return `${said} To fill the node, ${more}run ${each} at the same time in one job.${apart}`
}

/** Whole nodes of the old system: whole ones there, or the part of a larger one that the job uses. all: `--mem=0` */
export function takeWhole(from, to, need, plan, all) {
  const there = to.move
  const {room} = plan
  if (plan.key) {
    plan.all = all && place.perNode(there, plan.key) === plan.per
    return
  }
  const nodes = room.nodes.map(name => there.nodes[name])
  const cores = Math.max(...nodes.map(node => node.cores ?? 0))
  const full = (need.exclusive && plan.nodes > 1) || fills(plan.cores, cores) || Boolean(wholeNode(to, plan, false))
  const fit = nodes.filter(node => node.cores >= plan.cores && bare(node)).map(node => node.memory ?? Infinity)
  const limit = place.limitOn(there, room, plan, "memory").value
  const most = Math.min(...fit, limit)
  plan.all = all && full && Math.min(...fit) <= limit && (need.memory ?? 0) <= most
  plan.apart = need.exclusive && !full
  const old = oldNode(from, need)
  const ofNode = plan.couldMemory && (need.memory || !room.exclusive) && to.move.memory.cpu !== "leave out"
  const could = plan.could?.replace("<memory>", ofNode ? ` --mem=${gib(plan.couldMemory)}` : "")
  plan.impossible.push(...[idle(to, plan, need, need.exclusive && full), could].filter(Boolean))
  if (plan.apart)
    plan.impossible.push(
      `--exclusive is removed, because on ${to.name} it gives a full node with ${cores} cores${need.sized || old.cores || need.inScript ? `, but the job uses ${plan.cores}` : `. We do not know how many a node of ${from.name} had, so request as many as the program uses with --cpus-per-task`}.`,
    )
  if (all && !plan.all && old.memory)
    plan.notes.memory = `--mem=0 requested all the memory of ${nodesOf(need.nodes)}, which was ${gib(old.memory)}${need.nodes > 1 ? " each" : ""}.`
  const part = plan.apart || (all && !plan.all && old.memory && !wholeNode(to, plan, false))
  const tellShare = () => {
    if (part && plan.memory * cores > 1.1 * most * plan.cores)
      plan.impossible.push(
        `The new job requests ${gib(plan.memory)} of memory, as ${need.named ? "before" : plan.nodes < need.nodes ? `the ${need.nodes} nodes of ${from.name} had together` : `a node of ${from.name} had`}. If it needs less, lower --mem, because you may pay for its share of the node's memory instead of its cores.`,
      )
  }
  if (need.unnamed || (all && plan.memory)) tellShare()
  if (plan.memory !== null || room.exclusive) return
  if (old.memory && (plan.apart || (plan.nodes < need.nodes && !wholeNode(to, plan, need.exclusive)))) {
    plan.memory = Math.min(most, Math.ceil((old.memory * need.nodes) / plan.nodes))
    plan.notes.memory =
      plan.nodes < need.nodes
        ? `The job had ${need.nodes} nodes of ${from.name} with ${gib(old.memory)} of memory each.${plan.memory === most ? ` A node of ${to.name} has no more than this.` : ""}`
        : hadOnANode(from, old.memory)
    tellShare()
  } else if (need.exclusive && full && most < Infinity) {
    plan.memory = most
    plan.notes.memory = "--exclusive gives only the memory that you request, so this requests that of a full node."
  }
}

/** A program that counts its node's cores finds more than the job has: a sentence, or null. */
export function countsMore(to, need, plan) {
  const whole = Math.max(...plan.room.nodes.map(name => to.move.nodes[name].cores ?? 0))
  if (!need.counted || !plan.cores || fills(plan.cores, whole) || wholeNode(to, plan, need.exclusive && !plan.apart))
    return null
  return `\`${need.counted}\` counts all ${whole} cores of a node of ${to.name}, but the job has ${plan.cores}. In the program, read SLURM_CPUS_PER_TASK instead.`
}

/** Where cores determine the memory: that the job has too few for what it requests; or null. */
export function tooFewCores(there, plan) {
  const {room, cores, memory} = plan
  const least = Math.min(...room.nodes.map(name => there.nodes[name].memory / there.nodes[name].cores))
  if (!room.byCores || !(memory > cores * least)) return null
  return `In \`${room.name}\`, the number of cores determines the memory. For ${gib(memory)}, request ${Math.ceil(memory / least)} cores.`
}

/**
 * The nodes for all processes of a job of full nodes, or of one that a node there is too small for; null: as many.
 * What is not certain is written to `plan.could`.
 */
export function regrouped(from, to, need, plan) {
  const total = need.tasks ?? need.tasksPerNode * need.nodes
  if (!need.launches || total < 2 || (need.inContainer && need.nodes === 1)) return null
  const old = oldNode(from, need)
  const {cores, memory: onNode} = mostOnNode(to.move, {...plan, nodes: 1}, null)
  const most = cores.value
  const had = need.perTask * need.tasksPerNode
  if (had > most) {
    // Slurm fills nodes one after the other.
    const fits = ((need.memory ?? 0) / total) * Math.floor(most / need.perTask) <= onNode.value
    const needed = fewest(to.move, need, plan, total, most, 1, 9999, fits)
    return needed === need.nodes ? null : needed
  }
  const full = need.whole || fills(had, old.cores ?? Infinity)
  const single = need.tasksPerNode < 2 // it may be meant so
  if (need.nodes < 2 || (single && fills(had, most)) || (!full && had < (old.cores ?? 64) / 4)) return null
  const memory = need.memory ?? (full ? old.memory : null) ?? 0
  const wanted = memory * need.nodes
  const part = need.memory === null ? 0.9 : 0.97 // what nobody requested is not needed to the last tenth
  const forMemory = Math.ceil((wanted * part) / usualMemory(to.move))
  const found = fewest(to.move, need, plan, total, most, forMemory, need.nodes - 1, single)
  if (!found) return null
  if (found > fewest(to.move, need, plan, total, most, 1, found)) plan.forMemory = wanted
  if (full && !need.layout && !single) return found
  const then = need.layout
    ? `, but the script has \`${need.layout}\`. If you adapt this`
    : single
      ? ". If a node may have several of them"
      : ". If they filled the old nodes"
  plan.could = `The job's ${total} processes${memory ? " and their memory" : ""} fit on ${nodesOf(found)} of ${to.name}${then}, use \`--nodes=${found} --ntasks=${total}${single ? ` --ntasks-per-node=${Math.ceil(total / found)}` : ""}<memory>\`${single ? "" : " without `--ntasks-per-node`"}.`
  plan.couldMemory = memory && Math.min(Math.ceil(wanted / found), usualMemory(to.move))
  return null
}

/** As few nodes as have room for so many processes, at least and at most so many; null if there are none. uneven: a node may have more of them than the others */
function fewest(there, need, plan, total, cores, least, most, uneven = false) {
  const rooms = there.partitions.filter(room => !room.trial)
  const even = nodes => total % nodes === 0 || fills(Math.ceil(total / nodes) * need.perTask, cores)
  const [some, alike] = [() => true, even].map(good =>
    fewestThat(there, need, {...plan, memory: 0}, total, cores, rooms, [least, most], good),
  )
  return !uneven || (alike && alike <= 1.5 * some) ? alike : some
}

/** The fewest nodes, from least to most, on which some room takes the job and that are `good`; null if there are none. */
function fewestThat(there, need, plan, total, cores, rooms, [least, most], good) {
  const start = Math.ceil(total / Math.floor(cores / need.perTask))
  for (let nodes = Math.max(least, start); nodes <= most; nodes++) {
    const tasks = Math.ceil(total / nodes)
    const job = {...plan, nodes, cores: tasks * need.perTask, memory: plan.memory ?? partOf(need, tasks) ?? 0}
    if (good(nodes) && rooms.some(room => place.takes(there, room, job))) return nodes
  }
  return null
}

/** The most cores and MiB that such a job may have on one node: {value}, and {row, limit} where a limit says so. */
export function mostOnNode(there, plan, gpu) {
  const least = room => Math.ceil(place.limitOn(there, room, plan, "cores", "at_least").value) || 1
  const rooms = there.partitions.filter(room => place.takes(there, room, {...plan, cores: least(room), memory: 0}))
  const usual = rooms.filter(room => !room.trial)
  const usable = usual.length ? usual : rooms
  const hasKind = node => (gpu ? plan.key in node.gpus || gpu.whole in node.gpus : bare(node))
  const largest = of => {
    const all = usable.flatMap(room => {
      const limit = place.limitOn(there, room, plan, of)
      const nodes = room.nodes.map(name => there.nodes[name]).filter(hasKind)
      return nodes.map(node => (limit.value <= (node[of] ?? Infinity) ? limit : {value: node[of]}))
    })
    return all.reduce((most, one) => (one.value > most.value ? one : most), {value: 0})
  }
  return {cores: largest("cores"), memory: largest("memory")}
}

/** A node's memory where it has so many of the job's tasks. */
export const partOf = (need, tasks) =>
  need.memory && need.memoryOfCores ? Math.ceil((need.memory * tasks) / need.tasks) : need.memory

/** As few nodes as hold all tasks in a partition that takes so many, one that is open to all first; 1 if there is none. */
export function enough(there, need, plan) {
  const nodes = Object.values(there.nodes).filter(bare)
  const cores = Math.max(...nodes.map(node => node.cores ?? 0))
  const forMemory = need.memoryOfCores ? Math.ceil(need.memory / usualMemory(there)) : 1
  const found = rooms =>
    fewestThat(there, need, plan, need.tasks, cores, rooms, [forMemory, Math.min(need.tasks, 999)], () => true)
  return found(there.partitions.filter(room => !room.trial)) ?? found(there.partitions) ?? 1
}
