// Slurm's options as they are on another system.
import {timeWords} from "../script/units.js"
import {noBuffer} from "./burst_buffer.js"
import {askForDisk} from "./disk_request.js"
import {ROLES} from "./need.js"
import {limitOn, longestTime, overQos, perNode} from "./place.js"
import {requested} from "./request.js"
import {computed} from "./submissions.js"

/** @param {System} from @param {System} to @param {Option[]} options */
export function fromSlurm(from, to, need, plan, options) {
  const there = to.move
  const given = name => options.findLast(option => option.name === name)
  const found = requested(to, need, plan, new Set(options.map(option => ROLES[option.name])))
  if (need.minutes === plan.minutes && need.minutes) delete found.time
  const shared = given("exclusive") && plan.key && perNode(there, plan.key) > plan.per
  const like = ["nodes", "tasksPerNode", "perTask"].every(each => plan[each] === need[each])
  const same = (need.memoryOfCores ? like && given("mem-per-cpu") : given("mem")) && plan.memory === need.memory
  if ((plan.all || same) && found.memory[0].length) delete found.memory
  // There, Slurm finds nodes for tasks with memory of their own.
  const largest = Math.max(...Object.values(there.nodes).map(node => node.memory ?? 0))
  if (plan.spread && need.memoryOfCores && need.memory <= largest && there.partition === "leave out")
    for (const role of ["nodes", "tasks", "memory"]) delete found[role]
  if (need.memoryOfCores)
    found.memory &&= [found.memory[0], found.memory[1] || "The option covers all cores of the job on a node."]
  found.features ??= [[], `No node on ${to.name} has this feature.`]
  found.named = [[], `Nodes, reservations and licenses of ${from.name} do not exist on ${to.name}.`]
  found.sockets = [[], `It is for the nodes or the network of ${from.name}.`]
  if (there.threads === "leave out") found.threads = [[], `Omit it on ${to.name}.`]
  found.bb = found.bbf = [[], noBuffer(to)]
  const qos = given("qos")
  if (qos && !Object.hasOwn(there.qos, qos.value)) found.qos = [[], `${to.name} has no such quality of service.`]
  for (const {row, limit} of qos ? overQos(there, plan, qos.value) : []) {
    const allows =
      row.quantity === "minutes" ? `allows jobs of up to ${timeWords(limit)}` : "rejects a job of this size"
    found.qos = [[], `On ${to.name}, this quality of service ${allows}.`]
  }
  if (/^multi/.test(given("hint")?.value ?? "") && !Object.values(to.nodes ?? {}).some(node => node.threads > 1))
    found.hint = [[], `A core on ${to.name} has one thread.`]
  if (need.threads)
    found.hint = [[], `Jobs on ${to.name} request cores, not threads: ${need.perTask} instead of ${need.threads}.`]
  if (/\bCSC_ENV_INIT/.test(given("export")?.value ?? "") && from.move.centre !== there.centre)
    found.export = [[], `It is for ${from.name}'s login nodes.`]
  if (shared) {
    const whole = perNode(there, plan.key)
    found.exclusive = [
      [],
      plan.room.exclusive
        ? `In \`${plan.room.name}\`, a job gets full nodes without it.`
        : `A full node on ${to.name} has ${whole} GPUs.`,
    ]
    if (!plan.room.exclusive)
      plan.impossible.push(
        `--exclusive is removed, because on ${to.name} it gives a full node with ${whole} GPUs, and you pay for all of them.`,
      )
  }
  if (plan.apart) found.exclusive = [[], `The job uses a part of a node on ${to.name}.`]
  if (limitOn(there, plan.room, plan, "exclusive").value < 1)
    found.exclusive = [[], "This partition rejects the option."]
  plan.impossible.push(...askForDisk(to, need, plan, given("tmp"), found))
  plan.impossible.push(...asComputed(to, plan, options, found))
  return {found, role: option => ROLES[option.name] ?? option.name}
}

/** Values that the shell computes stay. found: UPDATED */
function* asComputed(to, plan, options, found) {
  for (const {name, value, written} of options.filter(each => computed(each.value))) {
    const role = ROLES[name]
    const [words = []] = found[role] ?? []
    if (!words.length) continue
    const [, count] = role === "gpu" ? (/[:=](\uE011[^:,]+)(?:,|$)/.exec(`=${value}`) ?? []) : []
    if (count) found.gpu[0] = words.map(each => each.replace(/(?<=[:=])\d+(?=,|$)/, count))
    if (!/^(?:time|memory|cores|nodes|tasks)$/.test(role)) continue
    delete found[role]
    const usual = words.map(each => `\`${each}\``).join(" ")
    const there =
      role === "time"
        ? `The time limit${to.move.partition === "leave out" ? "" : ` in \`${plan.room.name}\``} is ${timeWords(longestTime(to.move, plan.room, plan))}.`
        : `If you need no other value, write ${usual}.`
    yield `\`${written}\` stays, because the script computes its value. Check it for ${to.name}. ${there}`
  }
}
