// Where a job of the form can run, and with which share of a node: a plan, or the reason why there is none.
import {limitOf} from "../limits.js"
import {brokenEvenly, kindOf, onNode, perPart, tightest} from "../schedulers/slurm/all_limits.js"
import {many, timeWords} from "../script/units.js"

const CHAIN_MINUTES = 10 // a job that is warned five minutes before its end needs some before that
export const isTorch = program => ["pytorch-module", "pytorch-container", "own-environment"].includes(program)
const gib = mib => `${Math.floor(mib / 1024)} GiB`

/** The kinds of node of a partition that have what the job wants of one. */
const withGpus = (place, wish) =>
  place.nodes.filter(node => (wish.gpu ? node.gpus[wish.gpu] : !Object.keys(node.gpus).length))
const perNode = (nodes, gpu) => Math.max(0, ...nodes.map(node => node.gpus[gpu] ?? 0))
const most = (nodes, field) => Math.max(...nodes.map(node => node[field] ?? Infinity))

/** Has it all GPUs of its nodes? Slices never are: a GPU has others. */
const takesAll = (form, nodes, {gpu, gpus}) => gpus >= perNode(nodes, gpu) && !form.gpus[gpu].slice

/** The limits that hold for the job in this partition, as all_limits.js has them. */
const limitsOf = (form, place, {gpu}) => ({
  partitions: place.limits,
  gpus: () => form.gpus[gpu].limits,
  policy: form.limits,
})
/** The most of cores or memory that the job may have on each node by its limits. */
const allowed = (form, place, wish, kind) =>
  tightest(limitsOf(form, place, wish), {nodes: wish.nodes, gpus: wish.gpus, cores: 1}, kind).value

/** Cores and MiB that are proposed for a job on each of its nodes; null where none can be asked for. */
function shareOf(form, place, wish, nodes) {
  if (!wish.gpu) return ofCores(form, place, wish, nodes)
  const {share, few} = form.gpus[wish.gpu]
  const whole = perNode(nodes, wish.gpu)
  const [ofJob, memory] = ["cores", "memory_per_node"].map(each => limitOf(place.limits, each))
  const part = of => (most(nodes, of) / whole) * wish.gpus
  const cores =
    share?.cores * wish.gpus || (ofJob < Infinity ? ofJob : few * wish.gpus || Math.max(1, Math.floor(part("cores"))))
  const least = Math.min(...nodes.map(node => node.mib ?? Infinity))
  const usual = share?.mib * wish.gpus || (memory < Infinity ? memory : part("mib"))
  const mib = Math.min(usual, least, allowed(form, place, wish, "memory"))
  return {
    cores: Math.max(1, Math.floor(Math.min(cores, most(nodes, "cores"), allowed(form, place, wish, "cores")))),
    mib: mib < Infinity ? Math.floor(mib / 1024) * 1024 : null,
  }
}
// A job without a GPU has as many cores as in the guide's script, or all of a full node, and memory in that proportion.
function ofCores(form, place, wish, nodes) {
  const fit = Math.floor(Math.min(most(nodes, "cores"), allowed(form, place, wish, "cores")))
  const cores = wish.cores ?? (place.exclusive ? fit : Math.min(Math.max(form.cpu.cores, wish.tasks), fit))
  const each = form.cpu.mib / form.cpu.cores
  const mib = Math.min(each * cores, most(nodes, "mib"), allowed(form, place, wish, "memory"))
  return {cores, mib: form.cpu.mib ? Math.max(1, Math.floor(mib / 1024)) * 1024 : null}
}

/** Is the partition written? Where the guide's script names none, Slurm chooses it. */
const named = ({says}, place, wish) =>
  says[wish.gpu ? "gpu" : "cpu"].includes("partition") ||
  (!wish.gpu && says.gpu.includes("partition") && !place.default)

/** What of the job this partition does not take: [{field, reason, limit}], the first first. */
function against(system, place, wish) {
  const {form} = system
  const found = []
  const where = named(form, place, wish) ? `${place.name} on ${system.name}` : system.name
  const at = `${where === system.name ? "on" : "in"} ${where}`
  const say = (field, limit, reason) =>
    found.push({field, limit, reason: `${reason[0].toUpperCase()}${reason.slice(1)}.`})
  const asked = {system, form, place, wish, where, at, say}
  const nodes = gpusAgainst(asked, withGpus(place, wish))
  const share = nodes.length ? shareOf(form, place, wish, nodes) : {}
  if (nodes.length) {
    coresAgainst(asked, nodes, share)
    memoryAgainst(asked, nodes, share)
  }
  limitsAgainst(asked, share)
  if (nodes.length) nodesAgainst(asked, nodes, share, found)
  return found.sort((one, other) => ORDER.indexOf(one.field) - ORDER.indexOf(other.field))
}

/** @returns {any[]} the kinds of node that have as many GPUs as are asked for */
function gpusAgainst({place, wish, where, at, say}, nodes) {
  if (!wish.gpu) return nodes
  const whole = perNode(nodes, wish.gpu)
  if (wish.gpus > whole && whole <= limitOf(place.limits, "gpus_per_node"))
    say("gpus", whole, `a node ${at} has ${many(whole, "such GPU")}`)
  if (place.exclusive && wish.gpus < whole) say("gpus", whole, `${where} gives full nodes of ${many(whole, "GPU")}`)
  return nodes.filter(node => node.gpus[wish.gpu] >= wish.gpus)
}

// Of several faults the first is told: what a job is for comes before how long it lasts.
const ORDER = ["gpu", "gpus", "tasks", "cores", "memory", "nodes", "time", "array"]

// Kind of quantity -> the field of the form that it comes from, and what is counted.
const FIELDS = {
  nodes: ["nodes", "node"],
  gpus: ["gpus", "GPU"],
  slices: ["gpus", "slice"],
  cores: ["cores", "core"],
  memory: ["memory", "memory"],
  minutes: ["time", "minute"],
  jobs: ["array", "job"],
}

/** The limits of the partition, those of its GPUs, and those of the whole system. */
function limitsAgainst({system, form, place, wish, where, at, say}, share) {
  const {nodes, gpus, time: minutes, jobs} = wish
  const cores = wish.cores ?? share.cores
  const asksForMemory = form.memory[wish.gpu ? "gpu" : "cpu"] && !place.exclusive
  const memory = wish.memory ?? (asksForMemory ? share.mib : null)
  const job = {nodes, gpus, cores, memory, minutes, jobs}
  for (const each of brokenEvenly(limitsOf(form, place, wish), job, {system})) {
    const {limit, row} = each
    const {quantity, test} = row
    const [field, noun] = FIELDS[kindOf(quantity)]
    const words = test === "at_least" ? "must request at least" : "can request at most"
    const amount = field === "memory" ? gib(limit) : many(limit, noun)
    const per = kindOf(quantity) === quantity ? "" : perPart(quantity)
    const here = each.group === "partitions" ? at : `on ${system.name}`
    if (quantity === "minutes") say(field, limit, `a job ${here} ${words} ${timeWords(limit)}`)
    else if (quantity === "jobs")
      say(field, limit, `${where} accepts ${limit} jobs per user, and each array task counts as one`)
    else if (quantity === "gpus" && !wish.gpu) say("gpu", null, `${where} accepts only GPU jobs`)
    else if (quantity === "gpus" && test === "at_most" && nodes > 1)
      say("nodes", limit, `a job ${here} ${words} ${amount}`)
    else {
      const tooMany = quantity === "cores" && test === "at_most" && !wish.cores // nodes, with a core on each
      const most = /cores|memory/.test(field) && !tooMany ? Math.floor(onNode(each, wish)) : limit
      say(tooMany ? "nodes" : field, most, `a job ${here} ${words} ${amount}${per}`)
    }
  }
}

function coresAgainst({system, form, place, wish, where, at, say}, nodes, share) {
  const room = wish.cores ?? share.cores
  if (wish.tasks > room)
    say("tasks", room, `each rank needs a core, and the job has ${many(room, "core")} per node ${at}`)
  if (wish.cores === null) return
  const all = most(nodes, "cores")
  if (!form.says[wish.gpu ? "gpu" : "cpu"].includes("cpus-per-task"))
    return say("cores", null, `the number of GPUs fixes the cores on ${system.name}`)
  if (wish.cores > all && all <= limitOf(place.limits, "cores_per_node"))
    return say("cores", all, `a job ${at} has at most ${many(all, "core")} per node`)
  const shared = wish.gpu && all < Infinity && !takesAll(form, nodes, wish)
  const limited = share.cores >= allowed(form, place, wish, "cores")
  if (shared && !limited && wish.cores > share.cores)
    return say("cores", share.cores, overShare(wish, many(share.cores, "core"), at))
  if (!wish.gpu && place.exclusive && wish.cores < all) say("cores", all, `${where} gives full nodes of ${all} cores`)
}

function memoryAgainst({form, place, wish, at, say}, nodes, share) {
  if (wish.memory === null) return
  const all = most(nodes, "mib")
  if (!form.memory[wish.gpu ? "gpu" : "cpu"] || place.exclusive)
    return say(
      "memory",
      null,
      `you do not request memory ${at}, because it comes with the ${wish.gpu ? "GPUs" : "node"}`,
    )
  if (wish.memory > all && all <= limitOf(place.limits, "memory_per_node"))
    return say("memory", all, `a job ${at} has at most ${gib(all)} per node`)
  const limited = share.mib + 1024 > allowed(form, place, wish, "memory")
  const shared = wish.gpu && share.mib !== null && !takesAll(form, nodes, wish)
  if (shared && !limited && wish.memory > share.mib) say("memory", share.mib, overShare(wish, gib(share.mib), at))
}

const overShare = ({gpus}, share, at) =>
  `the share of ${many(gpus, "GPU")} is ${share} ${at}, and with more, other users' GPUs stay idle`

/** Are there as many nodes with so many cores and so much memory? */
function nodesAgainst({place, wish, where, at, say}, nodes, share, found) {
  const cores = wish.cores ?? share.cores
  const mib = wish.memory ?? share.mib ?? 0
  const room = nodes.filter(node => cores <= (node.cores ?? Infinity) && mib <= (node.mib ?? Infinity))
  const there = room.reduce((sum, node) => sum + node.count, 0)
  if (!room.length && !found.length) {
    const [best] = [...nodes].sort((a, b) => (b.mib ?? Infinity) - (a.mib ?? Infinity))
    say("cores", best.cores, `no node of ${where} has both ${many(cores, "core")} and ${gib(wish.memory ?? share.mib)}`)
  }
  if (room.length && wish.nodes > there && there <= limitOf(place.limits, "nodes"))
    say("nodes", there, `a job ${at} has at most ${many(there, "node")}`)
}

/** What speaks against the job anywhere on the system: [{field, reason}]. */
function everywhere(system, wish) {
  const {form, name} = system,
    found = [],
    gpu = form.gpus[wish.gpu],
    program = form.programs[wish.program]
  const say = (field, reason, nearest) => found.push({field, reason, nearest})
  const asStarted = `${program.label}, as the guide starts it`
  const torch = isTorch(wish.program)
  if (wish.tasks > 1 && wish.program !== "own-command")
    say("program", `${asStarted} on ${name}, has no MPI ranks. For MPI, use your own command.`, "own-command")
  else if (program.reason) say("program", program.reason, program.nearest)
  else if (!gpu && program.gpuOnly) say("program", program.gpuOnly, "cpu")
  else if (gpu && wish.program === "cpu") say("program", "A CPU-only program leaves the GPU idle.", "own-command")
  else if (gpu && program.maker && program.maker !== gpu.vendor)
    say("program", `${asStarted} on ${name}, does not run on ${gpu.vendor} GPUs.`, "own-command")
  else if (program.site && gpu?.unsuited)
    say("program", `${gpu.label}: ${gpu.unsuited.replace(/\.$/, "")}.`, "own-environment")
  else if (gpu && program.gpus < wish.gpus) say("gpus", `${asStarted}, uses ${many(program.gpus, "GPU")}.`)
  else if (wish.nodes > 1 && (program.gpus || (!gpu && wish.program !== "own-command"))) {
    const called = program.label.replace(/^a(?:ny)?\b/, word => `A${word.slice(1)}`)
    const why = "runs on one node. For multiple nodes, use your own command."
    if (gpu) say("nodes", `${called} ${why}`)
    else say("program", `${called}, without GPUs, ${why}`, "own-command")
  }
  if (wish.shard && (!gpu || gpu.slice)) say("shard", "FSDP shards a model across several full GPUs.", "no")
  else if (wish.shard && !torch)
    say("shard", `FSDP is part of PyTorch, so it does not apply to ${program.label}.`, "no")
  else if (wish.shard && wish.gpus * wish.nodes < 2)
    say("gpus", "FSDP shards a model across several GPUs. Request at least two.", "2")
  if (wish.model && wish.program !== "vllm")
    say("model", `You can choose a model only for vLLM, not for ${program.label}.`, "no")
  if (wish.program === "vllm" && gpu && ![1, 2, 4, 8].includes(wish.gpus))
    say("gpus", "vLLM divides a model's attention heads among the GPUs. Request 1, 2, 4 or 8 GPUs.")
  if (wish.program === "finetune" && wish.array)
    say("array", "The guide's program saves every adapter to the same folder, so an array would overwrite it.")
  if (gpu?.slice && wish.gpus * wish.nodes > 1)
    say(wish.gpus > 1 ? "gpus" : "nodes", `A job on ${name} can have only one MIG slice.`)
  const whole = gpu?.counts?.at(-1)
  if (whole && !(gpu.counts.includes(wish.gpus) && (wish.nodes === 1 || wish.gpus === whole))) {
    const counts = [...gpu.counts.slice(0, -1), `a multiple of ${whole}`].join(" or ")
    say(
      "gpus",
      `A job on ${name} can have ${counts} of these GPUs${wish.nodes > 1 ? `. On multiple nodes, first set GPUs per node to ${whole}` : ""}.`,
    )
  }
  if (wish.checkpoint && wish.time < CHAIN_MINUTES)
    say(
      "time",
      `A job that saves its state five minutes before the time limit needs at least ${CHAIN_MINUTES} minutes.`,
    )
  if (gpu && torch && wish.cores && wish.cores < wish.gpus) {
    const why = `PyTorch runs a process for each of the ${many(wish.gpus, "GPU")}, and each process needs a core.`
    say("cores", why, String(wish.gpus))
  }
  return found
}

/**
 * Where the job can run.
 * @returns {{plan?: any, fault?: {field: string, reason: string, nearest?: string}}}
 *   plan: the wish, with place, cores and mib (null where they are not said), and nodes of that kind
 */
export function planOf(system, wish) {
  const [wrong] = everywhere(system, wish)
  if (wrong) return {fault: wrong}
  const there = system.form.places.filter(place => withGpus(place, wish).length)
  const open = there.filter(place => !place.closed)
  const tried = open.map(place => ({place, found: against(system, place, wish)}))
  const fitting = tried.filter(({found}) => !found.length).map(({place}) => place)
  if (!fitting.length) return {fault: why(system, wish, there, tried)}
  // Who takes whole nodes goes where whole nodes are given.
  const place = fitting.find(each => each.exclusive && wish.gpu && wish.memory === null) ?? fitting[0]
  const nodes = withGpus(place, wish).filter(node => !wish.gpu || node.gpus[wish.gpu] >= wish.gpus)
  const kind = wish.gpu ? "gpu" : "cpu",
    share = shareOf(system.form, place, wish, nodes)
  const says = system.form.says[kind]
  const whole = wish.gpu && takesAll(system.form, nodes, wish)
  return {
    plan: {
      ...wish,
      place,
      kind,
      whole,
      share,
      cores: says.includes("cpus-per-task") ? (wish.cores ?? share.cores) : null,
      mib: place.exclusive || !system.form.memory[kind] ? null : (wish.memory ?? share.mib),
      named: named(system.form, place, wish),
    },
  }
}
// Of the partitions the one against which least speaks; of several the one that allows most.
function why(system, wish, there, tried) {
  const closed = there.filter(place => place.closed && !against(system, place, wish).length)
  const also = closed.length ? ` ${closed[0].name} would accept it, but ${closed[0].closed.replace(/\.$/, "")}.` : ""
  if (!tried.length) {
    const what = wish.gpu ? `the GPU ${wish.gpu}` : "nodes without GPUs"
    const shut = there[0]?.closed
    if (!shut) return {field: "gpu", reason: `${system.name} has no partition with ${what}.`}
    return {field: "gpu", reason: `${there[0].name}, the partition with ${what}, ${shut.replace(/\.$/, "")}.`}
  }
  const least = Math.min(...tried.map(({found}) => found.length))
  const near = tried.filter(({found}) => found.length === least).map(({found}) => found[0])
  const field = near[0].field
  const [best] = near.filter(each => each.field === field).sort((a, b) => (b.limit ?? 0) - (a.limit ?? 0))
  return {...best, reason: best.reason + also}
}
