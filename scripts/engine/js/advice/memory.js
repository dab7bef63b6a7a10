// Advice about memory that several processes take at once, and that a program's own option states.
import {mebibytes} from "../schedulers/slurm/values.js"
import {rounds} from "./fits.js"
import {defaultMemory} from "./request.js"
import {WORKERS, optionValue, runsOf} from "./runs.js"

// An option of a program that nobody has described, by which it is told a size with its unit: `--cube-memory 8G`.
const SIZED = /^--?(?!no[-_])(?:[a-z]+[-_])*(?:mem(?:ory)?|ram|heap)(?:[-_](?:size|limit|max|gb|per[-_][a-z]+))*$/i
const EACH = /per[-_](?:process|proc|worker|task|rank|job|thread|core|cpu)/i
const ELSEWHERE = /gpu|vram|device|cuda/i // of other memory
const OF_OTHER_JOBS = /^(?:nextflow|snakemake|cromwell|toil|cwltool|sbatch|ssh|dask\S*|ray|echo|printf|fio|java)$/
const size = text => (/^\d+(?:\.\d+)?[MGT]i?B?$/i.test(text ?? "") ? mebibytes(text.replace(/i?b$/i, "")) : null)
export const gib = mib => `${+(mib / 1024).toFixed(1)} GiB`

/** MiB of the job on a node: what it asks for, or gets if it asks for none; null: all of the node, or not known. */
export function memoryOf(given) {
  const {job, cores, wantsGpu} = given
  if (given.whole()) return null
  const usual = wantsGpu || job.memory_per_gpu ? null : Number(defaultMemory(given)?.[0] ?? 0) || null
  const ofAll = job.memory_per_cpu ? job.memory_per_cpu * cores() : job.memory_per_node === 0 ? null : usual
  return job.memory_per_node || (ofAll && ofAll / (job.nodes || 1))
}

/** [MiB, whether each process takes it, the option] that a run is told. */
function told({entry, memory, name, words}, expand) {
  if (memory !== null) return [memory, true, entry.name]
  if (entry?.memory || OF_OTHER_JOBS.test(name)) return null
  for (const [place, word] of words.entries()) {
    const [option, value = words[place + 1]] = word.split("=")
    const mib = SIZED.test(option) && !ELSEWHERE.test(option) ? size(expand(value ?? "")) : null
    if (mib) return [mib, EACH.test(option), option]
  }
  return null
}

/** How many processes run at once on a node. */
function atOnce({commands, job, expand}, {command, entry, spread, launcher, tasks, words}, each, {number, cores}) {
  const own = [spread?.name ?? "", ...(spread?.words ?? [])].map(expand)
  const value = spread ? optionValue(own, ["-j", "-P", "--jobs", "--max-procs"]) : null
  const loop = command.background && command.loops.length === 1
  const waits = loop && commands.some(({loops, text}) => loops.length && /\bwait\b|\bjobs\b|\bsem\b/.test(text))
  return spread
    ? value === null
      ? own[0] === "parallel"
        ? (cores ?? 1)
        : 1
      : (number(value) ?? 1)
    : launcher && each
      ? Math.ceil((tasks ?? 1) / (job.nodes || 1))
      : loop && !waits
        ? (rounds(commands, command) ?? 1)
        : each && !entry?.memory // which is that of all its processes
          ? (number(optionValue(words, WORKERS)) ?? 1)
          : 1
}

function* together(given) {
  const has = given.known ? memoryOf(given) : null
  if (!has) return
  const model = runsOf(given)
  for (const run of model.runs) {
    const [mib, each, option] = told(run, given.expand) ?? []
    if (!mib || run.command.fn) continue
    const count = atOnce(given, run, each, model)
    const all = count * mib
    if (all <= has * 1.05 || (count === 1 && run.entry?.memory)) continue // programs.js says it of one
    const what =
      count === 1
        ? `\`${option}\` is ${gib(mib)}, but the job has ${gib(has)} of memory.`
        : `${count} processes run at the same time with ${gib(mib)} each, which is ${gib(all)}, but the job has ${gib(has)}.`
    const most = Math.floor(has / mib)
    const cure =
      count > 1 && most > 0 ? `Request more memory, or start at most ${most} at a time.` : "Request more memory."
    yield given.say("program-memory-over", what, cure, run.command, {
      kind: run.entry?.memory || all >= 2 * has ? "unwise" : "doubtful",
    })
    return
  }
}

/** The memory of a whole job, written as that of each core. */
function* perCore({job, cores, option, say}) {
  const at = option("mem-per-cpu")
  const all = (job.memory_per_cpu ?? 0) * cores()
  if (!at || cores() < 8 || job.memory_per_cpu < 32 * 1024 || all < 512 * 1024) return
  const what = `--mem-per-cpu=${at.value} applies to each core, so the job requests ${gib(all)} for its ${cores()} cores.`
  const cure = `If the job needs ${at.value} in total, write --mem=${at.value}.`
  yield say("memory-per-core", what, cure, at, {kind: "doubtful"})
}

export const ideas = [together, perCore]
