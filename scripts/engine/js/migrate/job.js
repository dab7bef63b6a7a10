// A moved job before and now, as its commands must know: nodes, cores, GPUs, time, local disk.
import {firstPyTorch} from "../advice/software.js"
import {data} from "../data.js"
import {capability, maker} from "./place.js"
import {room as sizeOf} from "./sizes.js"

export function sizes(need, plan) {
  const {nodes, perNode: per, tasksPerNode: tasks} = need
  const total = plan.total ?? (plan.spread ? need.tasks : plan.tasksPerNode * plan.nodes)
  return {
    kind: plan.key ? (plan.nodes > 1 ? "nodes" : "gpu") : "cpu",
    old: {nodes, per, tasks, total: need.tasks ?? tasks * nodes},
    now: {nodes: plan.nodes, per: plan.per, tasks: plan.tasksPerNode, total},
    oldMinutes: need.minutes || null,
    minutes: plan.minutes,
    oldPerTask: need.hasCores ?? plan.had,
    oldCores: Math.max((need.hasCores ?? plan.had) * tasks, need.sized ? 0 : (need.share?.cores ?? 0) * per),
    perTask: plan.cores ? plan.perTask : null,
  }
}

/**
 * @param {System} from @param {System} to @param {string | null} account the old one
 * @param {any} room the job's disk there, as sizes.js has it
 * @returns disk: the local disk that the script requests; reserved: the resource that brings it there; diskless: a node of
 *   the job may have none; said: what comments put on the old one; tooMuch: that does not fit
 */
export function jobOf(from, to, need, plan, account, room) {
  const cores = name => to.move.nodes[name].cores ?? 0
  return {
    ...sizes(need, plan),
    ...processors(from, to, need, plan),
    partOfNode: !plan.room.exclusive && !need.exclusive && plan.cores < Math.max(...plan.room.nodes.map(cores)),
    account: plan.sameAccount ? plan.account : account,
    newAccount: plan.account,
    disk: need.diskOfSlots ? sizeOf(need.diskOfSlots) : (need.disk ?? null),
    array: need.array ?? plan.chain,
    sameRun: plan.chain ? need.continues?.own : null,
    reserved: plan.reserved,
    room,
    said: need.said,
    tasks: need.array,
    wanted: need.diskSize ?? need.diskOfSlots,
    toldDisk: plan.toldDisk,
    tooMuch: plan.tooMuch && !plan.reserved,
    // Where no node of the job's partition has a local disk: the partitions whose nodes do.
    disks: plan.room.nodes.every(name => to.move.nodes[name].disk === 0) && {
      here: plan.room.name,
      others: to.move.partitions
        .filter(({trial, nodes}) => !trial && nodes.every(name => disked(to.move.nodes[name], plan)))
        .map(({name}) => name),
    },
    diskless: plan.room.nodes.some(name => to.move.nodes[name].disk === 0) && !plan.disk,
  }
}

/** Does a node without other GPUs than the job's have a local disk? */
const disked = (node, plan) => node.disk > 0 && Boolean(plan.key) === Object.keys(node.gpus).length > 0

/** Must programs be built anew, and are the GPUs AMD's? */
function processors(from, to, need, plan) {
  const likely = Object.values(from.move.nodes).find(({gpus}) => Object.keys(gpus).length > 0 === Boolean(plan.key))
  const was = likely?.architecture
  const now = to.move.nodes[plan.room.nodes[0]].architecture
  const anew = Boolean(was) && was !== now
  if (anew)
    plan.impossible.push(
      `The ${plan.key ? "GPU" : "CPU"} nodes have ${now} processors, not ${was}, so rebuild programs, environments and containers for them.`,
    )
  const gpu = plan.key && to.move.gpus[plan.key].model
  const oldVendor = need.key ? maker(from.move.gpus[need.key]) : null
  const known = Object.values(to.advice?.gpus ?? {}).find(each => each.model === gpu && each.cuda)
  const isSlice = (system, key) => Boolean(key && system.move.gpus[key].slice)
  const oldestCuda = known?.cuda ?? data.advice.cuda.capabilities[capability(to, plan.key)] ?? null
  const [before, after] = [capability(from, need.key), capability(to, plan.key)]
  const newer = before && after && parseInt(before, 10) < parseInt(after, 10)
  const oldestTorch = newer ? (to.move.gpus[plan.key].oldest_pytorch ?? firstPyTorch(after)) : null
  return {
    anew,
    amd: Boolean(gpu?.startsWith("AMD")),
    oldVendor,
    gpu,
    nowSlice: isSlice(to, plan.key) && !isSlice(from, need.key),
    oldestCuda,
    oldestTorch,
    gpuMemory: [from.move.gpus[need.key]?.memory, to.move.gpus[plan.key]?.memory],
    gpuSize: to.move.gpus[plan.key]?.size,
    oldCapability: before,
    capability: after === before ? null : after,
  }
}
