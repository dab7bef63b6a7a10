// Advice about commands in the wrong order, and about numbers of one command that the job or another one contradicts.
import {base, payload, program, started} from "../script/payload.js"
import {many} from "../script/units.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {FILES, SETUP} from "./case.js"
import {has, optionValue, runsOf} from "./runs.js"

const works = command => {
  const name = program(command)
  return (
    Boolean(name) && !SETUP.has(name) && !FILES.has(name) && !/^(?:\[\[?|test|true|sleep|date|hostname)$/.test(name)
  )
}
/** `$!` where nothing runs in the background. */
function* noProcess({commands, say}) {
  const at = commands.find(({text, fn}) => !fn && /\$!(?![\w(])|\$\{!\}/.test(text))
  if (
    !at ||
    commands.some(
      ({background, name, line}) => line <= at.line && (background || /^(?:coproc|bg|source|\.)$/.test(name)),
    )
  )
    return
  const before = commands.findLast(each => each.line < at.line && works(each))
  const what = "`$!` is empty here, because no command above it runs in the background."
  yield say("no-process-in-the-background", what, "Add & to the end of the command that it is about.", before ?? at, {
    kind: "fails",
  })
}

const USED_BY = {
  JULIA_NUM_THREADS: /^julia$/,
  OMP_NUM_THREADS: /^(?:python[\d.]*|julia|gmx\w*|lmp\w*|cp2k\S*|pw\.x|namd\d?|vasp\w*)$/,
  MKL_NUM_THREADS: /^(?:python[\d.]*|julia|Rscript|matlab)$/,
  OPENBLAS_NUM_THREADS: /^(?:python[\d.]*|julia|Rscript)$/,
  CUDA_VISIBLE_DEVICES: /^(?:python[\d.]*|torchrun|accelerate)$/,
  HF_HOME: /^(?:python[\d.]*|torchrun|accelerate|deepspeed)$/,
  HF_HUB_OFFLINE: /^(?:python[\d.]*|torchrun|accelerate|deepspeed)$/,
  WANDB_MODE: /^(?:python[\d.]*|torchrun|accelerate|deepspeed)$/,
}
/** A variable that is set below the program that should read it. */
function* setTooLate({certain, say}) {
  const told = ({name, sets, words}) =>
    (name === "export" ? words.slice(1) : words.length ? [] : sets).map(part => part.split("=")[0])
  for (const [variable, user] of Object.entries(USED_BY)) {
    const settings = certain.filter(command => !command.fn && told(command).includes(variable))
    const [first] = settings
    if (!first || settings.length > 1) continue
    const runs = certain.filter(
      each => works(each) && !each.fn && !/^(?:python[\d.]* -c|pip)/.test(payload(each).join(" ")),
    )
    const used = runs.filter(each => user.test(program(each)))
    const early = used.findLast(({line}) => line < first.line)
    if (!early || (variable !== "JULIA_NUM_THREADS" && runs.some(({line}) => line > first.line))) continue
    const what = `${variable} is set only after \`${program(early)}\` of line ${early.line} has run.`
    yield say("variable-set-too-late", what, `Move it above line ${early.line}.`, first)
    return
  }
}

/** What each task of an array does, though it should be done once. */
function* onceForAll({option, commands, lines, say}) {
  const array = option("array")
  if (!array || !/[-,]/.test(array.value ?? "")) return
  const own = command => /TASK_ID/.test(command.text)
  if (/TASK_ID[^\n]*(?:==|-eq|-ge|=)|(?:==|-eq|-ge)[^\n]*TASK_(?:ID|MAX|MIN|COUNT)/.test(lines.join("\n"))) return
  for (const command of commands) {
    if (command.branch || command.fn || !command.certain) continue
    if (
      command.name === "sbatch" &&
      /depend\S*(?:after\w+)?:?\S*SLURM_(?:ARRAY_)?JOB_ID/.test(command.text) &&
      !own(command)
    ) {
      const what = `each task of ${array.written} submits this job again.`
      return yield say("submitted-by-each-task", what, "Submit it once, with --dependency, next to this job.", command)
    }
  }
}

/** A heap of Java that the job's memory cannot hold. */
function* heap({commands, memory, whole, expand, say}) {
  const has = memory()
  if (!has || whole()) return
  for (const command of commands) {
    const text = [...command.words, ...command.sets].map(expand).join(" ")
    const [option, number, unit] = /-Xmx(\d+)([gGmMtT])\b/.exec(text) ?? []
    const mib = option ? mebibytes(`${number}${unit.toUpperCase()}`) : 0
    if (mib <= has) continue
    const what = `${option} lets Java use more memory than the job's ${+(has / 1024).toFixed(1)} GiB, so the job may be ended.`
    yield say("program-memory-over", what, "Give Java about 90% of the job's memory.", command)
    return
  }
}

const OF_SBATCH = ["--array", "--wrap", "--parsable", "--export-file", "--requeue", "--no-requeue"]
const QE = /^(?:pw|ph|pp|bands|dos|projwfc|cp|neb|dynmat|q2r|matdyn|hp)\.x$/
const CPU = {
  // options of a program that then computes on the processor alone
  mdrun: words => optionValue(words, ["-nb"]) === "cpu",
  python: words =>
    /^(?:cpu)$/.test(optionValue(words, ["--device", "--accelerator"]) ?? "") || words.includes("--no-cuda"),
}
/** Options that contradict the job, or what the program needs. */
function* ofPrograms(given) {
  const {commands, certain, wantsGpu, job, kind, say, expand} = given
  for (const command of commands) {
    const {through, words} = started(command.words)
    const srun = through.find(({name}) => name === "srun")
    const wrong = srun?.words.find(word => OF_SBATCH.some(option => word === option || word.startsWith(`${option}=`)))
    if (wrong && kind === "slurm") {
      const cure = /^--array/.test(wrong) ? "Put it into an #SBATCH line." : "Remove it."
      yield say("option-of-sbatch", `\`${wrong}\` is an option of sbatch, and srun rejects it.`, cure, command, {
        kind: "fails",
      })
    }
    const own = base(words[0] ?? "")
    const input = [...words.slice(1)].filter((word, at, all) => !/^-/.test(word) && !/^-/.test(all[at - 1] ?? ""))
    if (
      QE.test(own) &&
      !has(words, ["-in", "-i", "-inp", "-input", "--input"]) &&
      input.some(word => /\.(?:in|inp|pwi?)$/.test(word)) &&
      !command.redirects.some(({op}) => op.startsWith("<")) &&
      !command.piped
    ) {
      const what = `${own} reads \`${input.at(-1)}\` only after -in, and without it waits for standard input.`
      yield say("input-not-named", what, "Write -in before the file.", command, {kind: "fails"})
    }
    if (
      /^python/.test(own) &&
      words.join(" ").includes("-m mpi4py.futures") &&
      srun &&
      /^1$/.test(expand(optionValue(["", ...srun.words], ["-n", "--ntasks"]) ?? ""))
    ) {
      const what = "mpi4py.futures has no workers with 1 rank: rank 0 only hands out the work."
      yield say("no-workers", what, `Start ${Math.max(2, job.tasks ?? 2)} ranks.`, command)
    }
    const range = /^\d[\d,-]*$/.test(optionValue(command.words, ["-c", "--cpu-list"]) ?? "")
    if (base(command.words[0] ?? "") === "taskset" && range && command.background && command.loops.length) {
      const what = "all programs of this loop get the same cores."
      yield say("same-cores-for-all", what, "Give each its own cores, or remove taskset.", command)
    }
  }
  if (!wantsGpu) return
  const own = certain.filter(each => works(each) && !each.fn)
  const onCpu = own.filter(each => {
    const words = payload(each)
    const name = /^gmx/.test(base(words[0])) ? words[1] : base(words[0]).replace(/^(python)[\d.]*$/, "$1")
    const mdrun = words.includes("mdrun") ? "mdrun" : name
    return CPU[mdrun]?.(words.map(expand))
  })
  if (!onCpu.length || onCpu.length < own.length) return
  const what = `\`${program(onCpu[0])}\` is told to compute on the CPU, but the job requests a GPU.`
  yield say("gpu-not-used", what, "Remove the option, or request no GPU.", onCpu[0])
}

/** Copies of a workflow's manager, and one job at a time of many. */
function* managers(given) {
  if (!given.known) return
  const {say, whole, gpuOption, option} = given,
    {runs} = runsOf(given)
  for (const {name, launcher, tasks, command} of runs)
    if (launcher && tasks > 1 && /^(?:snakemake|nextflow|cromwell|make|parsl)$/.test(name)) {
      const what = `${launcher.name} starts ${tasks} copies of ${name}, and all but one find the directory locked or do the same work.`
      yield say("program-copies", what, `Start it without ${launcher.name}.`, command)
      return
    }
  for (const {words, through, command, cores} of given.commands.flatMap(each => {
    const {through, words} = started(each.words)
    return [{words, through, command: each, cores: given.cores()}]
  })) {
    const parallel = through.find(({name}) => name === "parallel")
    const jobs = parallel && given.expand(optionValue(["", ...parallel.words], ["-j", "--jobs", "-P"]) ?? "")
    const count = /SLURM_NTASKS/.test(jobs ?? "") ? (given.job.tasks ?? 0) : Number(jobs || NaN)
    if (count !== 1 || !(cores > 3) || gpuOption()) continue
    const threads = optionValue(
      words.flatMap(word => given.expand(word).split(/\s+/)),
      ["-T", "-t", "--threads", "-@", "-p", "--cpus"],
    )
    if (threads !== null && Number(threads) * 4 > cores) continue
    if (threads === null && !whole()) continue
    const what = `parallel runs one job at a time, but the job has ${many(cores, "core")}.`
    yield say("one-at-a-time", what, 'Write -j "$SLURM_CPUS_PER_TASK", divided by the threads of each.', command)
    return
  }
  const sizes = given
    .nodes()
    .map(([key]) => given.system.nodes?.[key])
    .filter(Boolean)
  const all = Math.min(...sizes.map(({cpus, threads}) => cpus / (threads ?? 1)))
  const asked = (given.job.tasks ?? 1) * (given.job.cpus_per_task ?? 1)
  const at = option("cpus-per-task", "ntasks", "ntasks-per-node", "n", "c")
  if (
    !given.wantsGpu &&
    !gpuOption() &&
    given.job.array &&
    whole() &&
    !given.job.exclusive &&
    at &&
    asked * 8 <= all &&
    (given.job.nodes ?? 1) === 1
  ) {
    const what = `each task of the array gets and pays for a full node of ${all} cores, but requests ${many(asked, "core")}.`
    yield say("full-node-for-few-cores", what, "Run several in one job, or use a partition that shares its nodes.", at)
  }
}

export const ideas = [noProcess, setTooLate, onceForAll, heap, ofPrograms, managers]
