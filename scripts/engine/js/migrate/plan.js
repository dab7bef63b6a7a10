// Where a job finds its place on another system, with which sizes, what is told of them, and what cannot be had.
import {limitOf} from "../limits.js"
import {arrayTasks} from "../schedulers/slurm/quantities.js"
import {many, timeWords} from "../script/units.js"
import {gib, hadOnANode} from "./amounts.js"
import {giveMemory, giveMemoryOfCores, keepMemory, keepTold, moreThanShare, shareOf} from "./memory.js"
import {allMemory, countsMore, enough, mostOnNode, nodesOf, regrouped, takeWhole, unnamed} from "./nodes.js"
import * as place from "./place.js"

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
  const own = {...given, whole: given.exclusive || all, memory: all ? allMemory(from, to, given) : given.memory}
  const need = {...own, ...unnamed(from, to, own)}
  const plan = {impossible: [], allocated, nodes: need.nodes, per: 0, key: null, notes: {}, had: need.perTask}
  const old = need.key && here.gpus[need.key]
  if (need.gpus) {
    plan.key = place.successor(old, there, need.gpus, need.torch)
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
  if (gpu) tellGpu(to, need, plan, old, gpu)
  plan.disk = need.diskSize ?? (place.lacksRoom(to, need.data ?? 0) ? need.data : 0)
  const endless = need.minutes === 0 || need.minutes === Infinity
  plan.minutes = endless ? 0 : (need.minutes ?? usualTime(here, need) ?? 60)
  giveSizes(from, to, need, plan, gpu)
  const named = here.centre === there.centre ? need.partition : null
  const wanted = need.told && need.memory === null ? Math.ceil(need.told.mib * 1.05) : 0 // a program needs some besides
  const asked = {...plan, whole: need.whole, named}
  plan.room = place.partition(there, {...asked, memory: Math.max(plan.memory ?? 0, wanted) || plan.memory})
  plan.room ??= place.partition(there, asked)
  if (!plan.room) return {none: none(to, plan, gpu)}
  if (gpu && !plan.room.open) tellOpen(there, need, plan)
  takeWhole(from, to, need, plan, all)
  if (plan.memory === null && !(plan.room.exclusive && !gpu)) {
    giveMemoryOfCores(there, plan)
    keepMemory(from, there, need, plan)
    if (all && !plan.all && plan.memory)
      plan.impossible.push(
        `--mem=0 requested all the memory of a node of ${from.name}, whose size we do not know. The job now has ${gib(plan.memory)} per node, so check that this is enough.`,
      )
  }
  keepTold(there, need, plan, wanted)
  if (need.unnamed) {
    plan.notes.cores ??= `The script names no cores, and a node of ${from.name} had ${many(need.perTask, "core")}.`
    plan.notes.memory ??= hadOnANode(from, need.memory)
  }
  if (need.perhaps && plan.memory)
    plan.impossible.push(
      `The script names neither cores nor memory, so the new job has ${many(plan.cores, "core")} and ${gib(plan.memory)}. If the old job used a full node, request as much: ${many(need.perhaps.cores, "core")} and ${gib(need.perhaps.memory)}.`,
    )
  plan.impossible.push(...[countsMore(to, need, plan)].filter(Boolean))
  giveTime(to, need, plan, endless)
  cutArray(to, need, plan)
  return plan
}

/** Where access to the partition is restricted: fewer GPUs that everybody gets, with the same batch. */
function tellOpen(there, need, plan) {
  const per = place.perNode(there, plan.key)
  for (let nodes = plan.nodes; nodes >= 1; nodes--) {
    const fewer = {...plan, nodes, per}
    const room = there.partitions.find(each => each.open && !each.trial && place.takes(there, each, fewer))
    if (!room || need.gpus % (nodes * per) || nodes * per >= need.gpus) continue
    plan.impossible.push(
      `Access to \`${plan.room.name}\` is restricted. Without it, use \`${room.name}\` with ${per} GPUs on ${nodes > 1 ? `each of ${nodesOf(nodes)}` : "one node"}, if their memory is enough.${need.trains ? ` To keep the batch, multiply the steps of gradient accumulation by ${need.gpus / (nodes * per)}.` : ""}`,
    )
    return
  }
}

/** Minutes of a job that names none. */
function usualTime(move, need) {
  const room = move.partitions.find(each => each.name === need.partition)
  return room && place.longestTime(room) < Infinity ? place.longestTime(room) : null
}

function none(to, plan, gpu) {
  const nodes = nodesOf(plan.nodes)
  const what = gpu
    ? many(plan.per * plan.nodes, `${gpu.model} GPU`)
    : `a job of ${many(plan.cores, "core")}${plan.memory ? ` and ${gib(plan.memory)}` : ""}`
  return `${to.name} has no partition that accepts ${what} on ${nodes}.`
}

function tellGpu(to, need, plan, old, gpu) {
  const called = each => `${each.model}${each.slice ? " slice" : ""}`
  const maker = place.maker(gpu)
  const total = plan.per * plan.nodes
  const series = each => `${called(each).replace(/ (?:SXM|PCIe)\d*\b/, "")} with ${each.size}`
  const said = [
    series(gpu) === series(old)
      ? `This requests the same GPU on ${to.name}, an ${series(gpu)}.`
      : `An ${called(gpu)} with ${gpu.size} replaces an ${called(old)} with ${old.size}.`,
  ]
  if (gpu.memory !== null && gpu.memory < old.memory)
    plan.impossible.push(
      `${to.name} has no GPU with ${old.size}: its ${gpu.model} has ${gpu.size}. Your program fails if it needs more.`,
    )
  if (old.slice && !gpu.slice)
    said.push(`${to.name} has no MIG slice for this job, so you get a full GPU and pay for it.`)
  if (maker !== place.maker(old)) {
    const [language, others] = maker === "AMD" ? ["CUDA", "ROCm"] : ["HIP", "CUDA"]
    const frameworks = need.frameworks.length
      ? `, but ${need.frameworks.join(" and ")} ${need.frameworks.length > 1 ? "do" : "does"} if built for ${others}`
      : ""
    said.push(`This is an ${maker} GPU. Programs in ${language} do not run on it${frameworks}.`)
    plan.impossible.push(
      `Programs compiled for ${place.maker(old)} GPUs do not run on ${maker} GPUs. Rebuild them if possible.`,
    )
  }
  if (total < need.gpus) {
    const why = `${to.name} gives ${gpu.counts.join(" or ")} GPUs. \`${need.batch}\` divides a fixed batch among its GPUs, so the job gets ${total} instead of ${need.gpus}.`
    said.push(why)
    plan.impossible.push(
      `${why} It may take longer. More GPUs work only if the batch is at least as large as their number.`,
    )
  } else if (total > need.gpus) {
    const why = `${to.name} gives ${gpu.counts.join(" or ")} GPUs, so the job gets ${total} instead of ${need.gpus}.`
    said.push(why)
    plan.impossible.push(
      `${why} Check how your program uses more GPUs${need.trains ? ", because its batch may become larger" : ""}.`,
    )
  }
  if (plan.nodes > need.nodes) {
    const most = place.perNode(to.move, plan.key)
    said.push(`A node has ${many(most, "GPU")}, so the job needs ${plan.nodes} nodes with ${plan.per} each.`)
  }
  const least = Math.ceil((need.gpus * old.memory) / gpu.memory)
  let parts = Math.max(1, Math.min(need.gpus, Math.floor(need.gpus / least))) // each GPU has a whole number of them
  while (need.gpus % parts) parts--
  const enough = Math.max(least, need.gpus / parts)
  const fewer = enough <= total / 2 || Math.ceil(enough / place.perNode(to.move, plan.key)) < plan.nodes
  if (old.memory && enough < total && fewer && !gpu.counts.length)
    said.push(
      `${enough > 1 ? `${enough} of these GPUs have` : "One of these GPUs has"} at least as much memory as ${need.gpus} of the old ones, so ${enough > 1 ? enough : "one"} may be enough.`,
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
  const other = free || gpu ? null : regrouped(from, to, need, plan)
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
    plan.notes.cores = `The maximum per node on ${to.name} is ${many(most.cores, "core")}.`
    if (plan.tasksPerNode > most.cores) plan.fewer = plan.tasksPerNode = most.cores
    if (plan.fewer && need.inContainer)
      plan.impossible.push(
        `A container's mpirun reaches only its own node, so the job stays on one node, with ${plan.fewer} processes. It may need more time.`,
      )
    plan.cores = inTasks(plan, most.cores)
  }
  if (plan.memory > most.memory && most.memory && most.memory < Infinity) {
    atMost(`${gib(most.memory)} of memory`, gib(plan.memory))
    plan.notes.memory = `The maximum memory per node on ${to.name} is ${gib(most.memory)}.`
    plan.memory = most.memory
  }
  plan.perTask = Math.floor(plan.cores / plan.tasksPerNode)
}

/** So many cores that each task has as many. */
const inTasks = ({tasksPerNode}, cores) => Math.max(1, Math.floor(cores / tasksPerNode)) * tasksPerNode
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
  const [before, now] = plan.filled ?? []
  if (now >= before * number) {
    plan.notes.time = `${why} With ${now} cores instead of ${before}, it needs less time.`
    return
  }
  const next = need.continues
  if (next?.why || need.array !== null) {
    plan.notes.time = why
    plan.impossible.push(`${why} ${parts(to, need.array === null ? "job" : "array", next, number)}`)
    return
  }
  plan.chain = number
  plan.notes.time = why
  const must = "the program must save its state and restart from it"
  plan.notes.array = `${number} jobs, one after the other, provide the total time, but ${must}.`
}

/** How several jobs do the work of one, or of each task of an array. next: as restart.js has it, null where nobody knows */
function parts(to, what, next, number) {
  const each = "each with --dependency=afterany:NUMBER for the one before"
  const several = `Submit the ${what} ${number} times, ${each}`
  const divide = "Only work with independent parts can be divided into more jobs instead."
  if (next?.again) return `${several}, because the program continues from what it saved.`
  if (next?.named)
    return `${several}, and remove the job's number from \`${next.named}\`, so that the next job finds what is saved there.`
  if (next?.self) {
    const less = `The script submits itself. Make sure that each job ends its part of the work in time: about ${number} times as many jobs may be needed.`
    return to.advice?.submit === false
      ? `${less} Jobs on ${to.name} cannot submit jobs, so remove ${next.submits}, and submit them yourself, ${each}.`
      : less
  }
  const plain = what === "job" ? `We do not add \`--array=1-${number}%1\`, because ${next?.why}. ` : ""
  if (next?.submits) return `${plain}${several}. Only the last may run ${next.submits}.`
  const because = plain || !next ? "" : `, because ${next.why}`
  if (next?.cure) return `${plain}${several}.${plain ? "" : ` But ${next.why}.`} ${next.cure}${next.lost}`
  return `${plain}${several}, but first make the program save its state and restart from it${because}. ${divide}${next?.lost ?? ""}`
}

/** More jobs in an array than may be there at once: its first ones. */
function cutArray(to, need, plan) {
  const limit = Math.min(limitOf(plan.room.limits, "jobs"), limitOf(to.move.limits, "jobs", {group: "policy"}))
  const number = plan.chain ?? (need.array === null ? 1 : arrayTasks(need.array))
  if (number <= limit) return
  const why = `${to.name} accepts at most ${limit} jobs, and each array task counts as one. The job had ${number}.`
  plan.impossible.push(`${why} Submit the others when the first have ended.`)
  const first = /^(\d+)-\d+(?::(\d+))?(%\d+)?$/.exec(plan.chain ? `1-${number}%1` : need.array)
  if (!first) return
  const [begin, step] = [Number(first[1]), Number(first[2] ?? 1)]
  plan.array = `${begin}-${begin + (limit - 1) * step}${step > 1 ? `:${step}` : ""}${first[3] ?? ""}`
  plan.notes.array = why
}
