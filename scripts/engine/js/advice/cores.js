// Advice about cores that nobody uses: one thread, one rank, or one step at a time, where the job has many cores.
import {isTool} from "./case.js"
import {base, documents} from "../script/payload.js"
import {many} from "../script/units.js"
import {runsOf} from "./runs.js"

/** What compiles or installs, and is not what the cores are for. */
export const BUILDS =
  /^(?:\w*(?:cc|c\+\+|g\+\+|CC|clang|nvc|fortran|f90|ftn|ifx|ifort|rustc)(?:-[\d.]+)?|make|cmake|ninja|pip3?|virtualenv|conda|mamba)$/
export const INTERPRETER = /^(?:python[\d.]*|Rscript|R|perl|julia|matlab|octave|java|ruby|node|(?:ba|z)?sh)$/
// Words of programs that start threads or processes by another way than OpenMP.
const SEVERAL =
  /thread|worker|proc|core|cpu|jobs?\b|parallel|\bpool|ncores|tasks|(?:^|\s)-(?:j|t|np|nt|n|p)(?:[\s=]|\d)|SLURM_|\$\{?N[A-Z]*\}?\b/i
// Programs of the table that have MPI, and no threads in their usual builds: from knowledge of their manuals.
const ONLY_MPI =
  /^(?:WRF|OpenFOAM|CASTEP|CRYSTAL|FHI-aims|GPAW|NWChem|pmemd\.MPI|sander\.MPI|CP2K without OpenMP|\w+ with MPI)$/
const MADE_FOR_THREADS = /openmp|OMP_(?:PLACES|PROC_BIND|SCHEDULE|STACKSIZE)/i

const workOf = ({runs}) => runs.filter(({name}) => !isTool(name) && !BUILDS.test(name))
/** Does nothing else run beside it? */
const alone = ({command, spread, launcher, tasks}) =>
  !spread && !command.background && !command.nested && !command.fn && (!launcher || tasks === 1)

/** Cores that one process has: of a node that the job has alone, all. */
function coresOf({whole, nodeCores, job}, {cores}) {
  if (cores !== null || !whole() || (job.nodes ?? 1) > 1) return cores ?? 0
  return Number.isFinite(nodeCores()) ? nodeCores() : 0
}

/** One thread of one process. */
function* oneThread(given, model) {
  const {commands, lines, wantsGpu, say, option, job} = given
  const working = workOf(model)
  if (wantsGpu || model.asked > 1 || !working.length || !working.every(alone)) return
  const everything = lines.join("\n")
  const single = run => {
    const {name, command, words, entry} = run
    const own = command.sets.find(part => part.startsWith("OMP_NUM_THREADS="))
    const threads = model.number(own ? own.slice(16) : model.omp)
    const text = [...words.slice(1), ...documents(command)].join(" ")
    if (name === "matlab")
      return words.includes("-singleCompThread") && !/par(?:pool|for|cluster|feval)|spmd|batch\(/.test(everything) // also in a file that the script writes
        ? ["-singleCompThread gives MATLAB one thread", "Remove -singleCompThread", "doubtful"]
        : null // what MATLAB calls may open a pool
    if (entry && entry.runs !== "mpi") return null
    if (threads === 1 && !INTERPRETER.test(name) && (entry || !SEVERAL.test(text))) {
      const sure = entry || MADE_FOR_THREADS.test(everything)
      const cure = job.cpus_per_task ? "Write OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK" : "Set it to the number of cores"
      return [`OMP_NUM_THREADS is 1, so ${base(words[0])} uses one thread`, cure, sure ? "unwise" : "doubtful"]
    }
    const plain = given.whole() && /^(?:python[\d.]*|Rscript|perl)$/.test(name) && !entry
    const told = option("ntasks", "ntasks-per-node") && !job.cpus_per_task && model.asked === 1
    const may = () =>
      SEVERAL.test(text) || commands.some(({name: other, text}) => other !== name && /NUM_THREADS=[^1]/.test(text))
    if (plain && told && !may())
      return [`${base(words[0])} starts as one process`, "Run many at once with `parallel`", "doubtful"]
    return null
  }
  const found = working.map(single)
  const run = working.find((each, at) => found[at] && coresOf(given, each) >= 4)
  if (!run || found.includes(null)) return
  const [reason, cure, kind] = found[working.indexOf(run)]
  const what = `${reason}, but the job has ${many(coresOf(given, run), "core")}.`
  yield say("program-threads-under", what, `${cure}, or request fewer cores.`, run.command, {kind})
}

/** One rank of a program whose work is divided among ranks. */
function* oneRank(given, model) {
  const {wantsGpu, gpuOption, commands, job, say} = given
  const working = workOf(model)
  if (wantsGpu || gpuOption() || model.asked > 1 || !working.length) return
  if (!working.every(run => alone(run) && run.entry?.runs === "mpi" && !run.threads && !run.processes)) return
  if (commands.some(({text}) => /NUM_THREADS=|multidir/.test(text))) return
  const run = working.find(each => coresOf(given, each) >= 4)
  if (!run || !job.cpus_per_task || /^gmx/.test(run.name)) return
  const sure = ONLY_MPI.test(run.entry.name)
  const cores = coresOf(given, run)
  const reason = sure ? "and has no threads" : "and only some of its builds have threads"
  const what = `${run.entry.name} starts as one rank ${reason}, but the job has ${many(cores, "core")}.`
  const cure = `Request --ntasks=${cores} and --cpus-per-task=1, and start it with srun.`
  yield say("program-tasks-under", what, cure, run.command, {kind: sure ? "unwise" : "doubtful"})
}

/** A loop that waits for each small step of a large job. */
function* stepByStep(given, model) {
  const {commands, job, say, kind} = given
  if (kind !== "slurm" || !(model.asked >= 4) || commands.some(({background}) => background)) return
  const working = workOf(model)
  const small = ({launcher, tasks, command}) =>
    launcher && tasks > 0 && tasks * 4 <= model.asked && command.loops.length && command.loops.at(-1).kind === "for"
  if (!working.length || !working.every(small)) return
  const [{launcher, tasks, command}] = working
  const what = `the loop waits for each ${launcher.name}, so ${many(tasks, "task")} of the job's ${model.asked} ${tasks === 1 ? "runs" : "run"} at a time.`
  const cure = `Add & to the line, ${launcher.name === "srun" ? "--exact to srun, " : ""}and wait after done.`
  yield say("one-at-a-time", what, cure, command, {kind: job.gpus_total ? "doubtful" : "unwise"})
}

function* cores(given) {
  if (!given.known) return
  const model = runsOf(given)
  for (const idea of [oneThread, oneRank, stepByStep]) yield* idea(given, model)
}
export const ideas = [cores]
