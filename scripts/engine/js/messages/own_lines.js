// A line or a sentence of a message as a system has it: scripts/messages/own_lines.yml says what differs.
import {data} from "../data.js"

const PLACE = /\$(\d)|\{([^{}|]+)(?:\|([^{}]*))?\}/g // of what a row puts
const SLURM_ONLY = /^(?:#SBATCH|scontrol|squeue|sacct|sbatch)\b|\bsrun\b|SLURM_/
const GPU = /^#SBATCH --(?:gres=gpu|gpus)\S*$/
const GPUS = /--(?:gres=gpu:|gpus(?:-per-node)?=)(?:[\w.-]+:)?([2-8])\b/ // as many as were requested
const MISSING = /'(\/[\w.+-]+(?:\/[\w.+-]+)?)\/[^'\s]*'/ // the upper directories of a path that a container lacks

const compiled = new Map()
function regex(source) {
  if (!compiled.has(source)) compiled.set(source, RegExp(source, "g"))
  return compiled.get(source)
}

/**
 * A text after a table's rows, null where the system has no such line.
 * @param {string} table @param {any} system @param {string | null} said @param {string} pasted
 * @returns {string | null}
 */
const rewritten = (table, system, said, pasted) =>
  data.own_lines[table].reduce((text, row) => text && after(row, system, text, pasted), said)

function after({match, on, unless, paste, put}, system, text, pasted) {
  const holds = (!on || system.taught[on]) && !system.taught[unless]
  const found = holds && text.search(regex(match)) >= 0 && (paste ? RegExp(paste).exec(pasted) : [])
  if (!found) return text
  if (put === undefined) return null
  const values = name => {
    if (name === "as pasted") return found[1]
    return name === "pasted" ? found[1]?.toLowerCase() : lookup(system, name, pasted)
  }
  return text.replace(regex(match), (...groups) => filled(put, groups, values) ?? groups[0])
}

/** What a row puts, with the groups of its match; null where the system has no value for it. */
function filled(put, groups, values) {
  let known = true
  const text = put.replace(PLACE, (_, group, name, otherwise) => {
    if (group) return groups[group] ?? ""
    const value = values(name.replace(/\$(\d)/, (_, group) => groups[group])) ?? otherwise
    known &&= value !== undefined
    return value
  })
  return known ? text : null
}

/** What the system's page writes, the modules of an application, or the name of a module that it has not. */
function lookup({taught, move}, name, pasted) {
  const [, module] = /^no module (.*)/.exec(name) ?? []
  if (module) return lacks(move, module) ? module : undefined
  const {gpu, cpu} = move.applications[name] ?? {}
  // A build for GPUs is no help in other jobs, but its line may name the only directory of the modules.
  return (
    taught[name] ?? (/gpu|"cuda\//i.test(pasted) ? (gpu ?? cpu) : (cpu ?? (/module use/.test(gpu) ? gpu : undefined)))
  )
}

function lacks({documented, modules, noted, versions}, name) {
  const known = [...documented, ...modules, ...noted, ...Object.keys(versions), "apptainer"]
  return documented.length > 0 && !known.some(each => each.split("/")[0] === name)
}

/** A line as the system has it. */
function own(system, line, pasted) {
  const tables = ["software", system.kind, "places", "tool"]
  const there = tables.reduce((text, table) => rewritten(table, system, text, pasted), line)
  return isForeign(system, there) ? null : there
}

const isForeign = ({kind}, line) => kind === "grid_engine" && SLURM_ONLY.test(line)

/** What to do there, in its words. */
export const cureThere = (system, cure, pasted) => inWordsOf(system, rewritten("cures", system, cure, ""), pasted)

/** A sentence in the words of this system's scheduler and container program, with the ways to install that it has. */
export const inWordsOf = (system, said, pasted = "") =>
  rewritten("tool", system, rewritten("words", system, said, "") ?? "", pasted) ?? ""

const SCALE = {M: 1 / 1024, G: 1, T: 1024} // GiB
const OF_JOB = /--mem[= ](\d+)([MGT])|^Memory Efficiency: .* of ([\d.]+) GB/im
const MEMORY = /--(mem(?:-per-cpu)?)[= ](\d+)([MGT])/i
// Interfaces as NCCL lists them, and those that each node has for itself.
const INTERFACE = /\[\d+\]([\w.-]+):/g
const NODES_OWN = /^(?:lo|docker|br-|veth|virbr|cni|podman)/
const HEAP = /-Xmx(\d+)([gm])|space for (\d+)KB object heap/i
const SLOTS = /-pe \S+ (\d+)/ // each has its own memory
const HOURS = /^[^\n]*?(?:--time|-t)[= ](?:(\d+)-)?(\d+):\d\d/m
/** The job's memory per node in GiB, as the script or seff has it, else 0. */
function memoryOf(pasted) {
  const [, amount, unit, listed] = OF_JOB.exec(pasted) ?? []
  return amount ? Number(amount) * SCALE[unit.toUpperCase()] : Math.ceil(Number(listed ?? 0))
}

/**
 * A line after what is pasted: twice its memory, a heap for Java that fits the job, more memory than this heap, no example of a time that is less, an interface
 * that it lists.
 * @param {string | null} line as the message has it @param {string} pasted
 */
export function more(line, pasted) {
  const [, option, amount, unit] = MEMORY.exec(pasted) ?? []
  if (amount && line === "#SBATCH --mem=64G") return `#SBATCH --${option}=${2 * Number(amount)}${unit}`
  if (line === "#SBATCH --mem=64G" && memoryOf(pasted) > 32) return `#SBATCH --mem=${2 * memoryOf(pasted)}G`
  const [, given, scale, kilobytes] = HEAP.exec(pasted) ?? []
  const heap = kilobytes ? Number(kilobytes) / 2 ** 20 : Number(given) / (/m/i.test(scale) ? 1024 : 1)
  if (line?.includes("-Xmx28g")) {
    const [most, had] = [0.8 * memoryOf(pasted), heap || 0]
    return line.replace("28g", `${Math.floor(most > (had || 28) ? most : 2 * had) || 28}g`)
  }
  if (heap && line === "#SBATCH --mem=8G") {
    const slots = Number(SLOTS.exec(pasted)?.[1] ?? 1)
    return `#SBATCH --mem=${Math.ceil(Math.max(heap + 4, heap * 1.25) / slots)}G`
  }
  const listed = line?.endsWith("=ib0") ? [...pasted.matchAll(INTERFACE)].map(([, name]) => name) : []
  const between = listed.filter(name => !NODES_OWN.test(name))
  if (between.length && between.length < listed.length)
    return line.replace("ib0", between.find(name => /^(?:ib|hsn)/.test(name)) ?? between[0])
  const [, days, hours] = HOURS.exec(pasted) ?? []
  if (hours && line === "#SBATCH --time=24:00:00" && Number(days ?? 0) * 24 + Number(hours) >= 24) return null
  return line
}

/** A line after a rejected time that was pasted: no example, which may be rejected too. */
export const less = (line, pasted) => (line === "#SBATCH --time=24:00:00" && HOURS.test(pasted) ? null : line)

/** A system's line with the number of GPUs, and the directories to bind, that were pasted. */
function withPasted({taught}, line, now, pasted) {
  const [, gpus] = GPUS.exec(pasted) ?? []
  if (gpus && GPU.test(now)) return line?.replace(/([:=])1$/, `$1${gpus}`)
  if (gpus && line === "#SBATCH --mem=64G")
    return `#SBATCH --mem=${Number(gpus) * Math.min(64, taught.gpu_share ?? 64)}G`
  const [, missing] = (/--bind \/scratch/.test(now) && MISSING.exec(pasted)) || []
  const bound = missing ? line?.replace(/--bind \/\S+/, `--bind ${missing}`) : line
  return gpus ? bound?.replace(/(?<=--ntasks-per-node=)\d+$/, gpus) : bound
}

/** {was, now} of a message here, for what was pasted; what is wrong is left out where it is this system's way. */
export function taughtLines(system, {was, now}, pasted) {
  const here = withPasted(system, own(system, now, pasted), now, pasted) ?? null
  return {now: here, was: here && here !== was && !isForeign(system, was) ? was : null}
}
