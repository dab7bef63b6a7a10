// What a moved job asks for in any script of Slurm: role -> [its options, why]; what has no role is taken along.
import {clock, many, thousands, timeWords} from "../script/units.js"
import {gib, times} from "./amounts.js"
import {nodesOf, usualMemory} from "./nodes.js"
import {limitOn, longestTime} from "./place.js"

/** had: the roles that the old script has @returns {Record<string, [string[], string]>} */
export function requested(to, need, plan, had) {
  const there = to.move
  const {room, notes} = plan
  const leaves = ["leave out", "ignored"].includes(plan.key ? there.memory.gpu : there.memory.cpu)
  /** @type {Record<string, [string[], string]>} */
  const found = {
    account: [[], there.account.open ? `${to.name} may require an account.` : `${to.name} requires no account.`],
    partition: [[], `Slurm chooses the partition on ${to.name}.`],
    time: [[`--time=${clock(plan.minutes * 60)}`], notes.time ?? ""],
    memory: [[], ofNodes(to, plan) ?? `On ${to.name}, you get memory with each GPU or node, so omit \`--mem\`.`],
  }
  if (plan.account) found.account = [[`--account=${plan.account}`], plan.notes.account]
  if (there.partition !== "leave out" && !(room.default && !room.used))
    found.partition = [[`--partition=${room.name}`], aboutPartition(plan, longestTime(there, room, plan), need, there)]
  const exact = plan.memory === need.memory && plan.memory % 1024 ? `${plan.memory}M` : null // no less than asked
  if (!leaves && plan.memory !== null) found.memory = [[`--mem=${exact ?? gib(plan.memory)}`], notes.memory ?? ""]
  if (plan.chain) found.array = [[`--array=1-${plan.chain}%1`], notes.array]
  if (plan.array) found.array = [[`--array=${plan.array}`], notes.array]
  if (need.mostNodes > need.nodes && need.mostNodes > limitOn(there, room, plan, "nodes").value)
    found.nodes = [[`--nodes=${plan.nodes}`], "The partition allows no more nodes."]
  if (plan.nodes !== need.nodes) {
    found.nodes = [[`--nodes=${plan.nodes}`], notes.nodes ?? notes.gpu]
    found.tasks = [[`--ntasks-per-node=${plan.tasksPerNode}`], `Each node runs ${many(plan.tasksPerNode, "task")}.`]
  }
  if (plan.nodes !== need.nodes && plan.spread) {
    found.nodes[1] = `The job's tasks need ${times(plan.nodes, "nodes")} on ${to.name}.`
    const most = need.memoryOfCores ? [`--ntasks-per-node=${plan.tasksPerNode}`] : [] // no node needs more memory
    const limits = most.length ? ", and `--ntasks-per-node` the most on one node" : ""
    found.tasks = [[`--ntasks=${need.tasks}`, ...most], `\`--ntasks\` sets the number of all tasks${limits}.`]
  }
  if (plan.total) {
    const most = Math.max(...room.nodes.map(name => there.nodes[name].cores ?? 0))
    found.nodes = [
      [`--nodes=${plan.nodes}`],
      plan.forMemory
        ? `The job's ${plan.total} processes had ${gib(plan.forMemory)} of memory, which needs ${nodesOf(plan.nodes)} of ${to.name}.`
        : `The job's ${plan.total} processes ${plan.nodes > need.nodes ? "need" : "fit on"} ${nodesOf(plan.nodes)} of ${to.name}, with ${most} cores${plan.nodes > 1 ? " each" : ""}.`,
    ]
    const uses = plan.total * plan.perTask
    const all = most * plan.nodes
    found.tasks = [
      [plan.total % plan.nodes ? `--ntasks=${plan.total}` : `--ntasks-per-node=${plan.tasksPerNode}`],
      uses < all
        ? `The processes use ${thousands(uses)} of the ${thousands(all)} cores of ${nodesOf(plan.nodes)}.`
        : "The option sets the number of processes.",
    ]
  }
  if (need.started && !had.has("tasks"))
    found.tasks ??= [[`--ntasks-per-node=${plan.tasksPerNode}`], `The script starts ${need.started} processes.`]
  if (plan.key && plan.nodes > 1 && !had.has("nodes"))
    found.nodes ??= [[`--nodes=${plan.nodes}`], "The job's GPUs are on this many nodes."]
  if (plan.fewer)
    found.tasks = [[`--ntasks-per-node=${plan.fewer}`], `The maximum on ${to.name} is ${plan.fewer} tasks per node.`]
  const sameCores =
    plan.spread || plan.total ? plan.perTask === need.perTask : plan.cores === need.perTask * need.tasksPerNode
  const all = room.exclusive && need.exclusive && !need.sized && !plan.key // of the node, for any steps
  if (plan.cores && (had.has("cores") || !sameCores || (need.started && plan.perTask > 1)) && !all)
    found.cores = [[`--cpus-per-task=${plan.perTask}`], notes.cores ?? ""]
  if (plan.key) askForGpus(to, plan, found)
  return found
}

/** All the memory of the nodes, where that is what a job gets. */
function ofNodes(to, {room, key}) {
  const sizes = room.nodes.map(name => to.move.nodes[name].memory ?? 0)
  return room.exclusive && !key
    ? `A job on ${to.name} gets all the memory of its nodes, ${gib(Math.min(...sizes))} each.`
    : null
}

function aboutPartition({room, without, key}, longest, need, there) {
  const usual = usualMemory(there)
  const large = !key && need.memory !== null && room.nodes.every(name => there.nodes[name].memory > usual)
  const time = large
    ? `\`${room.name}\` has more than the usual ${gib(usual)} of memory per node, as the job had. If ${gib(usual)} is enough, choose a partition with the usual nodes.`
    : longest < Infinity
      ? `\`${room.name}\` allows up to ${timeWords(longest)}.`
      : `\`${room.name}\` accepts such jobs.`
  const said = [
    without && without !== room
      ? `\`${room.name}\` has the local disk that the job ${need.disk ? "requests" : "uses"}, and \`${without.name}\` does not.`
      : time,
  ]
  const why = room.open ? "The partition is for tests or similar" : "Access to the partition is restricted"
  if (room.trial && !room.used) said.push(`${why}, but no other partition accepts the job.`)
  return said.join(" ")
}

function askForGpus(to, plan, found) {
  const [[name, value], ...rest] = to.move.gpus[plan.key].request
  const option = name === "gpus" && plan.nodes > 1 ? "gpus-per-node" : name
  found.gpu = [[`--${option}=${value.replace(/\d+$/, plan.per)}`], plan.notes.gpu]
  found.features = [
    rest.map(([other, what]) => `--${other}=${what}`),
    rest.length ? "The feature selects among GPUs with this name." : `No node on ${to.name} has this feature.`,
  ]
}
