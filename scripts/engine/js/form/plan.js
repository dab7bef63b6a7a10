// Where a job of the form can run, and with which share of a node: a plan, or the reason why there is none.
import {many, timeWords} from "../script/units.js"

const CHAIN_MINUTES = 10 // a job that is warned five minutes before its end needs some before that
const gib = mib => `${Math.floor(mib / 1024)} GiB`

/** The kinds of node of a partition that have what the job wants of one. */
const withGpus = (place, wish) =>
  place.nodes.filter(node => (wish.gpu ? node.gpus[wish.gpu] : !Object.keys(node.gpus).length))
const perNode = (nodes, gpu) => Math.max(0, ...nodes.map(node => node.gpus[gpu] ?? 0))
const most = (nodes, field) => Math.max(...nodes.map(node => node[field] ?? Infinity))

/** Cores and MiB that are proposed for a job on each of its nodes; null where none can be asked for. */
function shareOf(form, place, wish, nodes) {
  if (!wish.gpu) return ofCores(form, place, wish, nodes)
  const share = form.gpus[wish.gpu].share
  const whole = perNode(nodes, wish.gpu)
  const cores = share
    ? share.cores * wish.gpus
    : (place.maxCores ?? Math.max(1, Math.floor(most(nodes, "cores") / whole) * wish.gpus))
  const mib = share?.mib ? share.mib * wish.gpus : (place.maxMib ?? (most(nodes, "mib") / whole) * wish.gpus)
  const least = Math.min(...nodes.map(node => node.mib ?? Infinity))
  return {
    cores: Math.min(cores, most(nodes, "cores"), place.maxCoresPerNode ?? Infinity),
    mib: Math.floor(Math.min(mib, least, place.maxMib ?? Infinity) / 1024) * 1024,
  }
}
// A job without a GPU has as many cores as in the guide's script, and memory in the same proportion.
function ofCores(form, place, wish, nodes) {
  const cores = wish.cores ?? Math.min(form.cpu.cores, most(nodes, "cores"), place.maxCores ?? Infinity)
  const each = form.cpu.mib / form.cpu.cores
  const mib = Math.min(each * cores, most(nodes, "mib"), place.maxMib ?? Infinity)
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
  if (!nodes.length) return found
  const share = shareOf(form, place, wish, nodes)
  coresAgainst(asked, nodes, share)
  memoryAgainst(asked, nodes, share)
  sizeAgainst(asked, nodes, share, found)
  timeAgainst(asked)
  return found
}

/** @returns {any[]} the kinds of node that have as many GPUs as are asked for */
function gpusAgainst({place, wish, where, at, say}, nodes) {
  if (!wish.gpu) {
    if (place.gpuOnly) say("gpu", null, `${where} takes GPU jobs only`)
    return nodes
  }
  const whole = perNode(nodes, wish.gpu)
  const limit = Math.min(whole, place.maxGpusPerNode ?? Infinity)
  if (wish.gpus > limit) say("gpus", limit, `a node ${at} has ${many(limit, "such GPU")}`)
  const gpus = wish.gpus * wish.nodes
  if (gpus > place.maxGpus)
    say(wish.nodes > 1 ? "nodes" : "gpus", place.maxGpus, `a job ${at} has at most ${many(place.maxGpus, "GPU")}`)
  if (gpus < place.minGpus) say("gpus", place.minGpus, `a job ${at} has at least ${many(place.minGpus, "GPU")}`)
  if (place.exclusive && wish.gpus < whole) say("gpus", whole, `${where} gives whole nodes of ${many(whole, "GPU")}`)
  return nodes.filter(node => node.gpus[wish.gpu] >= wish.gpus)
}

function coresAgainst({system, form, place, wish, where, at, say}, nodes, share) {
  if (wish.cores === null) return
  const all = most(nodes, "cores")
  if (!form.says[wish.gpu ? "gpu" : "cpu"].includes("cpus-per-task"))
    return say("cores", null, `the number of GPUs fixes the cores on ${system.name}`)
  const limit = Math.min(all, place.maxCoresPerNode ?? Infinity)
  if (wish.cores > limit) return say("cores", limit, `a job ${at} has at most ${many(limit, "core")} of a node`)
  const shared = wish.gpu && (form.gpus[wish.gpu].maxCores || wish.gpus < perNode(nodes, wish.gpu))
  if (shared && wish.cores > share.cores)
    return say("cores", share.cores, overShare(wish, many(share.cores, "core"), at))
  if (!wish.gpu && place.exclusive && wish.cores < all) say("cores", all, `${where} gives whole nodes of ${all} cores`)
}

function memoryAgainst({form, place, wish, at, say}, nodes, share) {
  if (wish.memory === null) return
  const all = Math.min(most(nodes, "mib"), place.maxMib ?? Infinity)
  if (!form.memory[wish.gpu ? "gpu" : "cpu"] || place.exclusive)
    return say("memory", null, `memory is not asked for ${at}: it comes with the ${wish.gpu ? "GPUs" : "node"}`)
  if (wish.memory > all) return say("memory", all, `a job ${at} has at most ${gib(all)} on a node`)
  if (wish.gpu && wish.memory > share.mib && wish.gpus < perNode(nodes, wish.gpu))
    say("memory", share.mib, overShare(wish, gib(share.mib), at))
}

const overShare = ({gpus}, share, at) =>
  `the share of ${many(gpus, "GPU")} is ${share} ${at}, and with more others' GPUs would stand idle`

/** Nodes, and cores of the whole job. */
function sizeAgainst({place, wish, where, at, say}, nodes, share, found) {
  const cores = wish.cores ?? share.cores
  const mib = wish.memory ?? share.mib ?? 0
  const room = nodes.filter(node => cores <= (node.cores ?? Infinity) && mib <= (node.mib ?? Infinity))
  const there = room.reduce((sum, node) => sum + node.count, 0)
  const count = Math.min(place.maxNodes ?? Infinity, there)
  if (!room.length && !found.length) {
    const [best] = [...nodes].sort((a, b) => (b.mib ?? Infinity) - (a.mib ?? Infinity))
    say("cores", best.cores, `no node of ${where} has both ${many(cores, "core")} and ${gib(wish.memory ?? share.mib)}`)
  }
  if (room.length && wish.nodes > count) say("nodes", count, `a job ${at} has at most ${many(count, "node")}`)
  if (wish.nodes < place.minNodes)
    say("nodes", place.minNodes, `a job ${at} has at least ${many(place.minNodes, "node")}`)
  if (cores * wish.nodes > place.maxCores) {
    const limit = Math.floor(place.maxCores / wish.nodes)
    say(wish.cores ? "cores" : "nodes", limit, `a job ${at} has at most ${many(place.maxCores, "core")}`)
  }
  if (cores * wish.nodes < place.minCores)
    say("cores", place.minCores, `a job ${at} has at least ${many(place.minCores, "core")}`)
}

/** Time, and jobs of an array. */
function timeAgainst({form, place, wish, where, at, say}) {
  if (wish.time > place.maxTime) say("time", place.maxTime, `a job ${at} lasts ${timeWords(place.maxTime)} at most`)
  if (wish.time < place.minTime) say("time", place.minTime, `a job ${at} lasts ${timeWords(place.minTime)} at least`)
  const jobs = Math.min(place.maxJobs ?? Infinity, form.maxJobs ?? Infinity)
  if (wish.jobs > jobs) say("array", jobs, `${where} takes ${jobs} jobs of one user, and each of an array counts`)
}

/** What speaks against the job anywhere on the system: [{field, reason}]. */
function everywhere(system, wish) {
  const {form, name} = system,
    found = [],
    gpu = form.gpus[wish.gpu],
    program = form.programs[wish.program]
  const say = (field, reason, nearest) => found.push({field, reason, nearest})
  if (program.reason) say("program", program.reason, program.nearest)
  else if (!gpu && program.gpuOnly) say("program", program.gpuOnly, "cpu")
  else if (gpu && wish.program === "cpu") say("program", "A program for processors leaves the GPU idle.", "own-command")
  else if (gpu && program.maker && program.maker !== gpu.vendor)
    say(
      "program",
      `${program.label}, as the guide starts it on ${name}, does not run on GPUs of ${gpu.vendor}.`,
      "own-command",
    )
  else if (program.site && gpu?.unsuited)
    say("program", `${gpu.label}: ${gpu.unsuited.replace(/\.$/, "")}.`, "own-environment")
  else if (gpu && program.gpus < wish.gpus)
    say("gpus", `${program.label}, as the guide starts it, uses ${many(program.gpus, "GPU")}.`)
  else if (wish.nodes > 1 && (program.gpus || (!gpu && wish.program !== "own-command")))
    say(
      gpu ? "nodes" : "program",
      `${program.label[0].toUpperCase()}${program.label.slice(1)}${gpu ? "" : ", without GPUs,"} runs on one node; a program for several is an own command.`,
      gpu ? undefined : "own-command",
    )
  if (gpu?.slice && wish.gpus * wish.nodes > 1) say(wish.gpus > 1 ? "gpus" : "nodes", `A job on ${name} has one slice.`)
  const whole = gpu?.counts?.at(-1)
  if (whole && !(gpu.counts.includes(wish.gpus) && (wish.nodes === 1 || wish.gpus === whole)))
    say(
      "gpus",
      `A job on ${name} has ${[...gpu.counts.slice(0, -1), `a multiple of ${whole}`].join(" or ")} of these GPUs` +
        `${wish.nodes > 1 ? ", and of several nodes all" : ""}.`,
    )
  if (wish.checkpoint && wish.time < CHAIN_MINUTES)
    say("time", `A job that saves its state five minutes before its end lasts ${CHAIN_MINUTES} minutes at least.`)
  const torch = ["pytorch-module", "pytorch-container", "own-environment"].includes(wish.program)
  if (gpu && torch && wish.cores && wish.cores < wish.gpus)
    say(
      "cores",
      `PyTorch runs a process for each of the ${many(wish.gpus, "GPU")}, and each wants a core.`,
      String(wish.gpus),
    )
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
  const whole = wish.gpu && wish.gpus === perNode(nodes, wish.gpu)
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
  const also = closed.length ? ` ${closed[0].name} would take it, and ${closed[0].closed.replace(/\.$/, "")}.` : ""
  if (!tried.length) {
    const what = wish.gpu ? `the GPU ${wish.gpu}` : "nodes without GPUs"
    const shut = there[0]?.closed
    return {
      field: "gpu",
      reason: shut
        ? `${there[0].name}, the partition with ${what}, ${shut.replace(/\.$/, "")}.`
        : `${system.name} has no partition with ${what}.`,
    }
  }
  const least = Math.min(...tried.map(({found}) => found.length))
  const near = tried.filter(({found}) => found.length === least).map(({found}) => found[0])
  const field = near[0].field
  const [best] = near.filter(each => each.field === field).sort((a, b) => (b.limit ?? 0) - (a.limit ?? 0))
  return {...best, reason: best.reason + also}
}
