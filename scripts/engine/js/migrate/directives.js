// What each option of the old script becomes there: role -> [its options, why]; what has no role is taken along.
import {limitOf} from "../limits.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {clock, many, timeWords} from "../script/units.js"
import {gib, times} from "./amounts.js"
import {ROLES} from "./need.js"
import {nodesOf} from "./nodes.js"
import {longestTime, perNode} from "./place.js"
import {OWN_DISK, WORK} from "./places.js"
import {ifMore} from "./sizes.js"

/** What a job asks for in any script of Slurm. had: the roles that the old script has */
function wanted(to, need, plan, had) {
  const there = to.move
  const {room, notes} = plan
  const leaves = ["leave out", "ignored"].includes(plan.key ? there.memory.gpu : there.memory.cpu)
  /** @type {Record<string, [string[], string]>} */
  const found = {
    account: [[], there.account.open ? `${to.name} may require an account.` : `${to.name} requires no account.`],
    partition: [[], `Slurm chooses the partition on ${to.name}.`],
    time: [[`--time=${clock(plan.minutes * 60)}`], notes.time ?? ""],
    memory: [[], ofNodes(to, plan) ?? `On ${to.name}, memory comes with the GPUs or the node.`],
  }
  if (plan.account)
    found.account = [
      [`--account=${plan.account}`],
      plan.sameAccount ? "" : `Replace this with your account on ${to.name}.`,
    ]
  if (there.partition !== "leave out" && !(room.default && !room.used))
    found.partition = [[`--partition=${room.name}`], aboutPartition(plan)]
  const exact = plan.memory === need.memory && plan.memory % 1024 ? `${plan.memory}M` : null // no less than asked
  if (!leaves && plan.memory !== null) found.memory = [[`--mem=${exact ?? gib(plan.memory)}`], notes.memory ?? ""]
  if (plan.chain) found.array = [[`--array=1-${plan.chain}%1`], notes.array]
  if (plan.array) found.array = [[`--array=${plan.array}`], notes.array]
  if (need.mostNodes > need.nodes && need.mostNodes > limitOf(room.limits, "nodes"))
    found.nodes = [[`--nodes=${plan.nodes}`], "The partition allows no more nodes."]
  if (plan.nodes !== need.nodes) {
    found.nodes = [[`--nodes=${plan.nodes}`], notes.nodes ?? notes.gpu]
    found.tasks = [[`--ntasks-per-node=${plan.tasksPerNode}`], `Each node runs ${many(plan.tasksPerNode, "task")}.`]
  }
  if (plan.nodes !== need.nodes && plan.spread) {
    found.nodes[1] = `The job's tasks need ${times(plan.nodes, "nodes")} on ${to.name}.`
    found.tasks = [[`--ntasks=${need.tasks}`], "`--ntasks` sets the number of all tasks."]
  }
  if (plan.total) {
    const most = Math.max(...room.nodes.map(name => there.nodes[name].cores ?? 0))
    found.nodes = [
      [`--nodes=${plan.nodes}`],
      plan.forMemory
        ? `The job's ${plan.total} processes had ${gib(plan.forMemory)} of memory, which needs ${nodesOf(plan.nodes)} of ${to.name}.`
        : `The job's ${plan.total} processes ${plan.nodes > need.nodes ? "need" : "fit on"} ${nodesOf(plan.nodes)} of ${to.name}, with ${most} cores${plan.nodes > 1 ? " each" : ""}.`,
    ]
    found.tasks = [
      [plan.total % plan.nodes ? `--ntasks=${plan.total}` : `--ntasks-per-node=${plan.tasksPerNode}`],
      "The option sets the number of processes.",
    ]
  }
  if (plan.key && plan.nodes > 1 && !had.has("nodes"))
    found.nodes ??= [[`--nodes=${plan.nodes}`], "The job's GPUs are on this many nodes."]
  if (plan.fewer)
    found.tasks = [[`--ntasks-per-node=${plan.fewer}`], `The maximum on ${to.name} is ${plan.fewer} tasks per node.`]
  const sameCores =
    plan.spread || plan.total ? plan.perTask === need.perTask : plan.cores === need.perTask * need.tasksPerNode
  if (plan.cores && (had.has("cores") || !sameCores))
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

function aboutPartition({room}) {
  const longest = longestTime(room)
  const said = [
    longest < Infinity ? `\`${room.name}\` allows up to ${timeWords(longest)}.` : `\`${room.name}\` accepts such jobs.`,
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

/** Slurm's options as they are there. @param {System} from @param {System} to @param {Option[]} options */
export function fromSlurm(from, to, need, plan, options) {
  const there = to.move
  const given = name => options.findLast(option => option.name === name)
  const found = wanted(to, need, plan, new Set(options.map(option => ROLES[option.name])))
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
  const qos = given("qos")
  if (qos && !Object.hasOwn(there.qos, qos.value)) found.qos = [[], `${to.name} has no such quality of service.`]
  else if (qos && (there.qos[qos.value] ?? Infinity) < plan.minutes)
    found.qos = [[], `On ${to.name}, this quality of service allows jobs of up to ${timeWords(there.qos[qos.value])}.`]
  if (/^multi/.test(given("hint")?.value ?? "") && !Object.values(to.nodes ?? {}).some(node => node.threads > 1))
    found.hint = [[], `A core on ${to.name} has one thread.`]
  if (need.threads)
    found.hint = [[], `Jobs on ${to.name} request cores, not threads: ${need.perTask} instead of ${need.threads}.`]
  if (shared) {
    const whole = perNode(there, plan.key)
    found.exclusive = [[], `A full node on ${to.name} has ${whole} GPUs.`]
    plan.impossible.push(
      `--exclusive is removed, because on ${to.name} it gives a full node with ${whole} GPUs, and you pay for all of them.`,
    )
  }
  if (plan.apart) found.exclusive = [[], `The job uses a part of a node on ${to.name}.`]
  if (limitOf(plan.room.limits, "exclusive") < 1) found.exclusive = [[], "This partition rejects the option."]
  const tmp = given("tmp")
  const nodes = plan.room.nodes.map(name => there.nodes[name])
  if (tmp && !nodes.some(node => (node.tmp ?? 0) >= mebibytes(tmp.value))) {
    found.tmp = [[], "No node of this partition lets you request that much local disk with `--tmp`."]
    const [name] = nodes.flatMap(node => Object.keys(node.gres).filter(each => node.gres[each] * 1024 >= plan.disk))
    const fits = plan.hasDisk !== null && plan.hasDisk >= plan.disk
    if (fits) found.tmp[1] = `On ${to.name}, the job has local disk without a request.`
    else if (name) otherResource(to, nodes, plan, found, `${name}:${Math.ceil(plan.disk / 1024)}`)
    else plan.impossible.push(`On ${to.name}, no node for this job lets you request ${gib(plan.disk)} of local disk.`)
  } else if (tmp) {
    plan.reserved = "tmp"
    if (nodes.every(node => node.usual && node.usual < plan.disk))
      plan.impossible.push(
        `Most nodes of ${to.name} have ${gib(Math.max(...nodes.map(node => node.usual)))} of local disk, so a job with --tmp=${tmp.value} waits for one of the few with more.`,
      )
    if (plan.nodes < need.nodes)
      plan.impossible.push(
        `The job had ${tmp.value} of local disk on each of ${need.nodes} nodes, and now has it on ${nodesOf(plan.nodes)}. If it needs more in total, change --tmp.`,
      )
  }
  const most = Math.max(...nodes.map(node => node.disk ?? Infinity))
  const can = Math.max(...nodes.map(node => node.tmp ?? 0))
  if (plan.disk && !need.diskSize && can >= plan.disk)
    found.tmp = [
      [`--tmp=${Math.floor(Math.min(can, Math.ceil(plan.disk / 93091) * 102400) / 1024)}G`], // a tenth more
      `The script puts about ${gib(plan.disk)} on the local disk.`,
    ]
  plan.toldDisk = plan.disk > most && !plan.tooMuch
  if (plan.toldDisk)
    plan.impossible.push(
      `A node for this job has ${gib(most)} of local disk, but the job ${need.disk ? `requested ${need.disk}` : `copies about ${gib(plan.disk)} there`}. ${ifMore(work(there, plan))}`,
    )
  for (const item of need.others) otherResource(to, nodes, plan, found, item, need)
  return {found, role: option => ROLES[option.name] ?? option.name}
}

/** Where running jobs' data are. */
const work = (there, {account}) =>
  (there.places.find(([kind]) => kind === WORK)?.[1] ?? "another place").replace(/<\w+>/, account)

/** A generic resource that is no GPU stands behind the GPUs, or alone. */
function otherResource(to, nodes, plan, found, item, need = {}) {
  const [name, amount] = item.split(":")
  const [gpus = [], why = ""] = found.gpu ?? []
  if (nodes.some(node => node.gres[name] >= Number(amount ?? 1))) {
    plan.reserved = name
    const own = gpus[0]?.startsWith("--gres=") ? [`${gpus[0]},${item}`] : [...gpus, `--gres=${item}`]
    found.gpu = [own, why || "It requests local disk."]
    return
  }
  if (plan.disk && nodes.some(node => node.tmp >= plan.disk)) {
    found.gpu = [[...gpus, `--tmp=${Math.ceil(plan.disk / 1024)}G`], why || "It requests local disk."]
    return
  }
  const all = to.move.partitions.filter(room => room.nodes.some(each => to.move.nodes[each].gres[name]))
  const others = all.filter(room => !room.trial)
  const only = others.length
    ? ` Only ${others.map(room => `\`${room.name}\``).join(" and ")} ${others.length > 1 ? "have" : "has"} ${name}.`
    : ""
  const here = all.length ? `in \`${plan.room.name}\` on ${to.name}` : `on ${to.name}`
  found.gpu ??= [[], `You cannot request ${name} ${here}.`]
  const disk = to.move.places.find(([kind, , about]) => kind === OWN_DISK && !about.memory)
  const otherwise =
    disk && !disk[2].diskless ? `you can use ${disk[1]} without a request` : "we know of no other local disk there"
  plan.impossible.push(
    `You cannot request ${item} with --gres ${here}${plan.tooMuch || plan.toldDisk || (plan.hasDisk ?? Infinity) < need.diskSize ? "" : `, but ${otherwise}`}.${only}`,
  )
}

const MAIL = {b: "BEGIN", e: "END", a: "FAIL", s: "REQUEUE", n: "NONE"}
// Why an option has no place in Slurm.
const GONE = {
  cwd: "A job starts in the directory from which you submit it.",
  e: "Output and errors go to one file unless you request two.",
  S: "The first line of the script sets it.",
  j: "Output and errors go to one file unless you request two.",
  V: "Slurm passes the environment to the job.",
  P: "The option is for private queues only.",
  tc: "The limit is part of --array.",
}
// Grid Engine's resources, by what they are about.
/** @type {[RegExp, string][]} */
const RESOURCES = [
  [/h_rt=/, "time"],
  [/h_vmem=/, "memory"],
  [/^np=/, "tasks"],
  [/^(nodes|ppn|tpp)=/, "nodes"],
  [/^/, "gpu"],
]

function roleInGridEngine({name, value}) {
  if (name === "l") return RESOURCES.find(([pattern]) => pattern.test(value))[1]
  if (name === "pe") return /ib/.test(value ?? "") ? "tasks" : "cores"
  return {t: "array", P: "account"}[name] ?? name
}

/** Grid Engine's options in Slurm's words. */
export function fromGridEngine(_from, to, need, plan, options) {
  const found = wanted(to, need, plan, new Set(["cores"]))
  const given = name => options.findLast(option => option.name === name)
  const job = given("N")?.value
  const variables = text =>
    text
      .replace(/\$JOB_ID/g, need.array ? "%A" : "%j")
      .replace(/\$JOB_NAME/g, "%x")
      .replace(/\$TASK_ID/g, "%a")
  const named = text => variables(job && text.startsWith(`${job}.`) ? text.replace(`${job}.`, "%x.") : text)
  const together = options.some(({name, value}) => name === "j" && /^y/.test(value ?? "y"))
  /** Grid Engine creates a file in a directory; sbatch writes a file of that name. */
  const output = text => {
    if (!/\/$|(?:^|\/)[^./$]+$/.test(text) || text.startsWith("/dev/")) return named(text)
    const folder = text.replace(/\/$/, "")
    plan.impossible.push(
      `Grid Engine wrote files into ${folder} if it was a directory. sbatch needs a file name, in a directory that exists.`,
    )
    return `${folder}/%x-${need.array ? "%A-%a" : "%j"}`
  }
  const words = {
    N: value => `--job-name=${value}`,
    o: value => `--output=${output(value)}${/%[ja]$/.test(output(value)) && !/\$[JT]/.test(value) ? ".out" : ""}`,
    e: value => `--error=${output(value)}${/%[ja]$/.test(output(value)) && !/\$[JT]/.test(value) ? ".err" : ""}`,
    m: value => `--mail-type=${[...value].flatMap(sign => MAIL[sign] ?? []).join(",")}`,
    M: value => `--mail-user=${value}`,
    v: value => `--export=ALL,${value}`,
    hold_jid: value => `--dependency=afterany:${value.replace(/,/g, ":")}`,
  }
  for (const [name, becomes] of Object.entries(words)) {
    const option = given(name)
    const one = together || option?.value === given("o")?.value
    if (option && !(name === "e" && one)) found[name] = [[becomes(option.value ?? "")], ""]
  }
  const waits = given("hold_jid")?.value ?? ""
  if (/[^\d,]/.test(waits)) {
    // a job's name
    found.hold_jid = [[], "Slurm waits for job IDs, not for names."]
    const instead = "Move that job's script as well, and submit with: sbatch --dependency=afterany:NUMBER"
    plan.impossible.push(`-hold_jid ${waits}: Slurm waits for job IDs. ${instead}`)
  }
  if (!given("cwd") && !given("wd"))
    plan.impossible.push(
      "Without `-cwd`, Grid Engine started the job in your home directory. `sbatch` starts it in the directory from which you submit it. To keep the old behavior, submit from your home directory.",
    )
  if (need.array && !plan.array) {
    const most = given("tc")?.value
    found.array = [[`--array=${need.array}${most ? `%${most}` : ""}`], ""]
  }
  if (need.nodes === plan.nodes) found.nodes = [[`--nodes=${plan.nodes}`], ""]
  const asSaid = need.tasks && (!need.nodesGiven || need.nodes === plan.nodes)
  found.tasks ??= [[`--ntasks=${asSaid ? need.tasks : plan.tasksPerNode * plan.nodes}`], ""]
  if (need.tasks > 1 && !need.nodesGiven && !plan.spread) delete found.nodes
  for (const option of options) {
    found[roleInGridEngine(option)] ??= [[], GONE[option.name] ?? "Slurm has no equivalent."]
    if (option.name === "l" && !/^(?:h_rt|h_vmem|nodes|np|ppn|tpp|disk|coproc)/.test(option.value ?? ""))
      plan.impossible.push(`\`-l ${option.value}\` has no equivalent that we know. Check the kind of node.`)
    if (option.name === "l" && /disk/.test(option.value))
      plan.impossible.push(
        `Local disk (-l ${option.value}) is not reserved on ${to.name}. If its nodes have one, request it with --tmp.`,
      )
  }
  return {found, role: roleInGridEngine}
}
