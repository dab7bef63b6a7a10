// Advice about what programs are told: scripts/facts/programs.yml says how, and runs.js what each has.
import {base, documents} from "../script/payload.js"
import {setOf} from "../script/text.js"
import {many} from "../script/units.js"
import {FILES, isTool} from "./case.js"
import {BUILDS} from "./cores.js"
import {gib, memoryOf} from "./memory.js"
import {minutes} from "../schedulers/slurm/values.js"
import {has, optionValue, runsOf} from "./runs.js"

/** Hardware threads that the job's nodes give for each core. */
const perCore = ({system, job}) =>
  job.threads_per_core ?? Math.max(1, ...Object.values(system.nodes ?? {}).map(node => node.threads ?? 1))

function* programs(given) {
  if (!given.known) return
  const model = runsOf(given)
  const nodes = given.job.nodes ?? 1
  for (const run of model.runs) {
    if (!run.entry) yield* oneRank(given, run)
    if (!run.entry) continue
    yield* options(given, run)
    yield* threads(given, run)
    yield* memory(given, run)
    yield* gpus(given, run)
    yield* started(given, run, model)
    yield* particular(given, run, model)
  }
  yield* tooFew(given, model)
  yield* toldNone(given, model)
  yield* neverEnds(given, model)
  yield* notAwaited(given, model)
  yield* oneProcess(given, model)
  yield* fewRanks(given, model)
  if (nodes > 1) yield* oneNode(given, model)
}

const OTHER_NODES =
  /srun|mpirun|mpiexec|aprun|ssh|pdsh|clush|NODELIST|hostfile|machine-?file|-sshlogin|\bray\b|dask|torchrun|deepspeed|accelerate|\bcomsol\b|^(?:source|\.) /
/** A program that computes on one node only, in a job of several. */
function* oneNode({job, say, commands, kind: scheduler}, {runs}) {
  const working = runs.filter(({name}) => !FILES.has(name))
  const [first] = working
  if (scheduler !== "slurm" || !first || commands.some(({text}) => OTHER_NODES.test(text))) return
  const alone = ({entry, name, words, command, launcher}) =>
    (entry
      ? /^(?:threads|serial)$/.test(entry.runs) ||
        (name === "julia" && has(words, ["-t", "--threads", "-p"])) ||
        (/^namd[23]$/.test(name) && !launcher && words.some(word => /^\+p\d*$/.test(word)))
      : /^(?:matlab|Rscript|R)$/.test(name) || (name === "charmrun" && has(words, ["++local"]))) && !command.background
  if (!working.every(alone)) return
  const what = `${first.entry?.name ?? first.name} computes on one node, and leaves ${job.nodes - 1} of the job's ${job.nodes} nodes idle.`
  const kind = first.entry && !/^(?:julia|g16)$/.test(first.name) ? "unwise" : "doubtful" // its code or input may name them
  yield say("nodes-stay-idle", what, "Request --nodes=1.", first.command, {kind})
}

/** Options that it needs, and options that it rejects. */
function* options({say}, {entry, words, command}) {
  for (const {without, what, cure} of entry.needs ?? [])
    if (!has(words, without) && !words.some(word => word.startsWith("$")))
      yield say("program-option-missing", what, cure, command, {kind: "fails"})
  for (const {options, what, cure} of entry.excludes ?? [])
    if (has(words, options)) yield say("program-option-rejected", what, cure, command, {kind: "fails"})
}

/** More threads, times processes, than its cores. */
function* threads(given, run) {
  const {entry, command, cores, spread, processes} = run
  if (processes && (given.job.nodes ?? 1) > 1) return // the number may be that of all nodes
  const told = run.threads && run.threads - (entry.threads?.plus ?? 0) // a main thread that only distributes needs no core
  const own = told ?? (processes ? 1 : typeof run.usual === "number" && !run.launcher ? run.usual : null)
  if (own === null || cores === null || (!command.certain && command.fn)) return
  const jobs = spread && told ? Number(optionValue([spread.name, ...spread.words], ["-j", "--jobs", "-P"])) : 0
  if (spread && !jobs) return
  const total = own * (processes ?? 1) * (jobs || 1)
  if (total <= cores * perCore(given)) return
  const all = jobs
    ? `${jobs} × ${told} threads`
    : processes && told
      ? `${processes} × ${told} threads`
      : processes
        ? many(processes, "process")
        : many(own, "thread")
  const what = `${entry.name} is set to use ${all}, but can use ${many(cores, "core")}.`
  const each = Math.floor(cores / ((processes ?? 1) * (jobs || 1)))
  const cure =
    each > 0 && each < cores && told
      ? `Give each process ${each === 1 ? "one thread" : `${each} threads`}, so that all fit on the cores.`
      : `Set the number of ${each > 0 ? "threads" : "processes"} to $SLURM_CPUS_PER_TASK.`
  yield given.say("program-threads-over", what, cure, command)
}

/** More memory than the job has on a node. */
function* memory(given, {entry, command, memory}) {
  if (memory === null) return
  const has = memoryOf(given)
  const all = memory === has && (entry.memory?.options.includes("-Xmx") || entry.name === "Gaussian")
  if (!has || (memory <= has * 1.05 && !all)) return
  const what = all
    ? `${entry.name} is set to use all ${gib(has)} of the job's memory, but it needs more than this setting.`
    : `${entry.name} is set to use ${gib(memory)} of memory, but the job has ${gib(has)}.`
  yield given.say("program-memory-over", what, "Request more memory, or give the program less.", command)
}

/** GPUs that are not there, or stay idle. */
function* gpus(given, run) {
  const {job, wantsGpu, gpuOption, say} = given,
    {entry, words, command, through} = run
  const sure = wantsGpu && !words.some(word => /\[@\]|\$@|\$\*/.test(word)) // its options may be in a list
  const said = optionValue(words, entry.gpus?.options ?? []) !== null // by a variable that nobody knows here
  const usual = sure && !said && !has(words, entry.cpu ?? []) ? (entry.gpus?.default ?? null) : null
  const told = run.gpus ?? (typeof usual === "number" ? usual : null)
  const on = Array.isArray(entry.gpu) && has(words, entry.gpu) && !has(words, entry.cpu ?? [])
  if (!wantsGpu && !gpuOption() && !job.exclusive && (entry.gpu === "always" || on || told > 0)) {
    const what = `${entry.name} ${on || told > 0 ? "is set to use" : "needs"} a GPU, but the job requests none.`
    yield say("program-without-gpu", what, "Request one.", command, {kind: "fails"})
  }
  const there =
    through.some(({name}) => name === "srun") || (job.nodes ?? 1) > 1
      ? job.gpus_total
      : (job.gpus_per_node ?? job.gpus_total)
  if (wantsGpu && told && told > there) {
    const what = `${entry.name} is set to use ${many(told, "GPU")}, but the job has ${many(there, "GPU")}.`
    const cure = `Set ${entry.name} to use ${many(there, "GPU")}, or request ${many(told, "GPU")}.`
    yield say("program-gpus-over", what, cure, command, {kind: "fails"})
  } else if (
    wantsGpu &&
    told &&
    told < there &&
    entry.runs !== "mpi" &&
    entry.runs !== "launcher" &&
    !command.background &&
    !command.loops.length
  ) {
    const verb = run.gpus === null ? "uses" : "is set to use"
    const what = `${entry.name} ${verb} ${many(told, "GPU")}, but the job has ${there}.`
    const all =
      entry.gpus?.options[0] === "--tensor-parallel-size" ? `Add --tensor-parallel-size ${there}` : "Use all of them"
    yield say("program-gpus-under", what, `${all}, or request fewer.`, command)
  }
}

/** A GPU for a program that the script tells to use none. */
function* toldNone({wantsGpu, say}, {runs}) {
  const without = ({entry, words}) => entry?.cpu?.length > 0 && has(words, entry.cpu)
  const working = runs.filter(({name}) => !isTool(name))
  if (!wantsGpu || !working.length || !working.every(without)) return
  const what = `the job requests a GPU, but ${working[0].entry.name} is set to use the CPU.`
  yield say("gpu-told-cpu", what, "Request no GPU, or remove that option.", working[0].command)
}

/** Copies of a program without MPI, or one process of a program with MPI. */
function* started({say, job, wantsGpu}, {entry, command, words, launcher, tasks}, {asked}) {
  const apart = /PROCID|LOCALID|NODEID|NODENAME|HOSTNAME|hostname|PMI|OMPI_COMM|TASK_PID|%[tn]\b|--multi-prog/.test(
    [...words, ...command.sets, command.text, ...command.tokens.map(({raw}) => raw)].join(" "),
  )
  if (launcher && (entry.runs === "serial" || entry.runs === "threads") && tasks > 1 && !apart) {
    const what = `${launcher.name} starts ${tasks} copies of ${entry.name}, which has no MPI, so each does the same work.`
    yield say("program-copies", what, "Start it once, with --cpus-per-task for its threads.", command)
  }
  if (launcher && entry.name === "OpenFOAM" && tasks > 1 && !has(words, ["-parallel", "-help"]) && !apart) {
    const what = `${launcher.name} starts ${tasks} copies of ${words[0]}, and without -parallel each solves the whole case.`
    yield say("program-copies", what, "Add -parallel, and run decomposePar first.", command)
  }
  const ranks = launcher ? tasks : 1
  const onGpus = entry.runs === "mpi" && wantsGpu && entry.gpu !== "never" && !has(words, entry.cpu ?? [])
  if (onGpus && ranks && ranks < job.gpus_total && !(asked > ranks) && !command.background && !command.loops.length) {
    const [used, all] = [many(ranks, "rank"), job.gpus_total]
    const what = `${entry.name} has ${used}, and each computes on one GPU, so ${all - ranks} of ${all} GPUs stay idle.`
    yield say("program-gpus-under", what, `Request --ntasks=${all}, or fewer GPUs.`, command)
  }
  const serial = has(words, ["-postProcess", "-help"]) // OpenFOAM's options for one process
  if (!launcher && entry.runs === "mpi" && asked > 1 && !command.background && !serial) {
    const what = `${entry.name} starts as one process, but the job has ${asked} tasks.`
    yield say("program-without-launcher", what, "Start it with srun.", command)
  }
  if (
    launcher &&
    entry.runs === "mpi" &&
    tasks &&
    asked &&
    tasks < asked &&
    !command.background &&
    !command.loops.length &&
    !/\s--(?:exact|exclusive|overlap)\b/.test(command.text) && // other steps run beside it
    (job.nodes ?? 1) === 1
  ) {
    const what = `${launcher.name} starts ${many(tasks, "process")} of ${entry.name}, but the job has ${asked} tasks.`
    yield say("program-tasks-under", what, 'Use the same number: "$SLURM_NTASKS".', command, {kind: "doubtful"})
  }
}

/** A tool of GROMACS besides mdrun, which computes as one process. */
function* oneRank({say}, {name, words, launcher, tasks, command}) {
  if (!/^gmx(?:_mpi)?$/.test(name) || !launcher || !(tasks > 1) || !/^[a-z][\w-]+$/.test(words[1] ?? "")) return
  const what = `${launcher.name} starts ${tasks} copies of ${name} ${words[1]}, which is one process, so each writes the same file.`
  yield say("program-copies", what, `Start it with ${launcher.name} -n 1.`, command)
}

/** mdrun decides by itself how many ranks share the GPUs, and stops where only their threads are told: resourcedivision.cpp. */
const alone = (words, gpus) =>
  has(words, ["-ntomp"]) &&
  !has(words, ["-ntmpi", "-nt", "-nb cpu", "-pme gpu"]) &&
  (gpus > 1 || (gpus > 0 && has(words, ["-pme cpu"])))
/** What only one program knows. */
function* particular(
  {option, say, job, kind, commands, wantsGpu},
  {entry, command, words, processes, launcher, tasks},
  {asked},
) {
  const hours = /^gmx/.test(entry.name) ? Number(optionValue(words, ["-maxh"]) ?? 0) : 0
  const limit = minutes(option("time")?.value ?? "")
  if (hours * 60 > limit && Number.isFinite(limit) && limit > 0) {
    const what = `mdrun stops by itself after ${hours} hours, but the job ends after ${+(limit / 60).toFixed(1)} hours, without its last checkpoint.`
    yield say("program-time-over", what, "Give -maxh a little less than the time limit.", command)
  }
  const texts = () => commands.flatMap(documents).join("\n")
  const seconds =
    /^(?:pw\.x|cp\.x|Quantum ESPRESSO)$/.test(entry.name) &&
    /max_seconds\s*=\s*([\d.]+)(?:[dDeE]\+?(\d+))?/.exec(texts())
  if (seconds && Number(seconds[1]) * 10 ** Number(seconds[2] ?? 0) > limit * 60 && limit > 0) {
    const what = `max_seconds is longer than the time limit, so the job ends before Quantum ESPRESSO stops by itself.`
    yield say("program-time-over", what, "Give max_seconds a little less than the time limit.", command)
  }
  const open =
    entry.name === "Gaussian" && command.redirects.find(({document}) => document && !/\n[ \t]*\n$/.test(document.text))
  if (open) {
    const what = "Gaussian needs a blank line at the end of its input, and this here-document has none."
    yield say("gaussian-without-a-blank-line", what, "Add a blank line above the end of the here-document.", command, {
      kind: "fails",
    })
  }
  const kokkos =
    entry.name === "LAMMPS" &&
    /\s(?:-k|-kokkos) on .*?\bg(?:pus)? (\d+)|\s(?:-pk|-package) gpu (\d+)/.exec(words.join(" "))
  const [told, there] = kokkos ? [Number(kokkos[1] ?? kokkos[2]), job.gpus_per_node ?? 0] : [0, 0]
  const own = () =>
    option("gpus-per-task", "gpu-bind") ||
    /VISIBLE_DEVICES/.test(texts()) ||
    commands.some(({text}) => /gpus-per-task|gpu-bind|VISIBLE_DEVICES/.test(text))
  if (there && told && !own() && (told > there || (told < there && tasks > told && launcher))) {
    const what = `LAMMPS is set to use ${many(told, "GPU")} per node, but the job has ${there}${told < there ? ", so the others stay idle" : ""}.`
    const cure = `Write ${kokkos[1] ? "-k on g" : "-pk gpu"} ${there}.`
    yield say(told > there ? "program-gpus-over" : "program-gpus-under", what, cure, command, {
      kind: told > there ? "fails" : "unwise",
    })
  }
  const onCores = / -(?:k|kokkos) on t(?:hreads)? \d+(?! g)/.test(` ${words.join(" ")}`)
  if (
    entry.enable &&
    wantsGpu &&
    !has(words, [...entry.gpu, "-h"]) &&
    (onCores || !has(words, ["-sf kk", "-suffix kk", "-k on", "-kokkos on"])) &&
    !words.some(word => /hybrid|^\$/.test(word))
  ) {
    const what = `${entry.name} computes on the CPU unless an option names the GPU.`
    yield say("gpu-not-used", what, onCores ? "Write -k on g 1 -sf kk." : entry.enable, command, {
      kind: entry.name === "mmseqs" || onCores ? "unwise" : "doubtful",
    })
  }
  if (/^gmx mdrun$/.test(entry.name) && alone(words, job.gpus_total)) {
    const what = "with GPUs, mdrun stops if it gets -ntomp without -ntmpi, because it cannot know the number of ranks."
    yield say("program-option-missing", what, `Add -ntmpi ${job.gpus_total}.`, command, {kind: "fails"})
  }
  const one = /^gmx mdrun$/.test(entry.name) && has(words, ["-pme gpu"]) && !has(words, ["-ntmpi", "-nt", "-gpu_id"])
  if (one && job.gpus_total > 1 && !command.background && !command.loops.length) {
    const what = `with -pme gpu and without -ntmpi, mdrun starts one rank, so it uses one of ${job.gpus_total} GPUs.`
    const cure = `Add -ntmpi ${job.gpus_total} -npme 1, or request one GPU.`
    yield say("program-gpus-under", what, cure, command, {kind: "unwise"})
  }
  const ranks = launcher && entry.runs === "mpi" ? tasks : Number(optionValue(words, ["-ntmpi"]) ?? 1)
  if (
    /^gmx(?:_mpi)? mdrun$/.test(entry.name) &&
    ranks > 1 &&
    has(words, ["-pme gpu"]) &&
    !has(words, ["-npme", "-multidir"])
  ) {
    const what = `with -pme gpu and ${ranks} ranks, mdrun stops unless it gets the number of PME ranks.`
    yield say("program-option-missing", what, "Add -npme 1.", command, {kind: "fails"})
  }
  if (entry.name !== "ORCA") return
  const slots = asked ?? (job.cpus_per_task ? 1 : null)
  if (
    kind === "slurm" &&
    slots &&
    processes > slots &&
    !commands.some(({text}) => /oversubscribe|use-hwthread/i.test(text))
  ) {
    const what = `ORCA starts ${processes} processes with mpirun, but the job has ${many(slots, "task")}, and Open MPI starts one for each.`
    yield say("orca-over-tasks", what, `Request --ntasks=${processes} instead of --cpus-per-task.`, command, {
      kind: "fails",
    })
  }
  if (processes && asked >= 2 * processes && !command.background && !command.loops.length) {
    const what = `ORCA starts ${many(processes, "process")}, but the job has ${asked} tasks.`
    yield say("program-tasks-under", what, `Write %pal nprocs ${asked} end, or request fewer tasks.`, command)
  }
  if (processes > 1 && words[0] === "orca") {
    const what = "ORCA with several processes must be called by its full path."
    yield say("orca-without-its-path", what, 'Write "$(which orca)" instead of orca.', command, {kind: "fails"})
  }
  if (launcher && tasks > 1) {
    const what = `ORCA starts its processes itself, and ${launcher.name} starts ${tasks} copies of it.`
    yield say("program-copies", what, `Remove ${launcher.name}.`, command)
  }
}

/** Cores that no program of the script uses. */
function* tooFew(given, {runs}) {
  const working = runs.filter(({name}) => !FILES.has(name) && !/^(pip3?|tar|gzip|rsync|make|cmake)$/.test(name))
  if (
    !working.length ||
    working.some(
      ({entry, command, launcher, spread, cores, usual}) =>
        !entry ||
        launcher ||
        spread ||
        command.background ||
        command.nested ||
        !(cores > 1) ||
        typeof usual !== "number",
    )
  )
    return
  const elsewhere = /\[@\]|\$@|\$\*|^--machine-file\b/ // its options are in a list, or Julia's workers in a file
  if (working.some(({words}) => words.some(word => elsewhere.test(word)))) return
  const use = run => run.usual * (run.processes ?? 1)
  const best = working.reduce((one, other) => (use(other) > use(one) ? other : one))
  if (use(best) * 2 > best.cores || (given.wantsGpu && best.cores <= 16)) return
  const option = best.entry.threads?.options[0]
  const what = `${best.entry.name} uses ${many(use(best), "thread")}, but the job has ${best.cores} cores.`
  const cure = option ? `Write ${option} "$SLURM_CPUS_PER_TASK", or request fewer cores.` : "Request fewer cores."
  yield given.say("program-threads-under", what, cure, best.command)
}

/** A server in the background, and its client at once. */
function* notAwaited({say, commands}, {runs}) {
  const waits = ({loops, fn, condition, op, text}) =>
    loops.length || fn || condition || op || /--retry|wait|ready|until/i.test(text)
  const place = runs.findIndex(
    ({entry, command}) =>
      entry?.runs === "server" && command.background && command.certain && !/^tensorboard/.test(entry.name),
  )
  const client = place < 0 ? null : runs[place + 1]
  if (!client || client.command.fn || client.command.background || client.entry?.runs === "server") return
  const between = commands.slice(commands.indexOf(runs[place].command) + 1, commands.indexOf(client.command))
  if (
    between.some(
      ({name, loops, fn, text}) =>
        /^(sleep|curl|wget|nc|timeout|ssh|until|while|wait)$/.test(name) ||
        loops.length ||
        fn ||
        /wait|health|ready|until/i.test(text),
    )
  )
    return
  if (/^(?:curl|ollama)$/.test(client.name) && waits(client.command)) return
  if (!/^(?:python[\d.]*|curl|ollama|\w*client\w*)$/.test(client.name)) return
  const what = `${runs[place].entry.name} needs time to start, and \`${client.name}\` on line ${client.command.line} does not wait for it.`
  const cure = "Wait until it answers: until curl -s localhost:8000/health; do sleep 5; done"
  yield say("server-not-awaited", what, cure, client.command)
}

/** A server in the foreground: nothing below it starts. */
function* neverEnds({say}, {runs}) {
  const place = runs.findIndex(
    ({entry, command}) => entry?.runs === "server" && !command.background && command.certain && !command.pipes,
  )
  const behind =
    place < 0 ? null : runs.slice(place + 1).find(({command}) => !command.fn && command.line > runs[place].command.line)
  if (!behind) return
  const {entry, command} = runs[place]
  const what = `${entry.name} does not end by itself, so \`${behind.name}\` on line ${behind.command.line} never starts.`
  yield say("server-before-the-work", what, "Start it in the background, with & after it.", command, {kind: "fails"})
}

/** Every step is told far fewer tasks than the job has. */
function* fewRanks({kind, say, job}, {runs, asked}) {
  const working = runs.filter(({name}) => !isTool(name))
  if (kind !== "slurm" || !(asked > 1) || !working.length || (job.cpus_per_task ?? 1) > 1 || job.gpus_total) return
  const told = ({launcher, tasks, command}) =>
    launcher &&
    tasks > 0 &&
    !command.background &&
    !command.loops.length &&
    !command.fn &&
    !/--overlap|-[cNw]\b|--cpus|ppr|PE=/.test(launcher.words.join(" "))
  if (!working.every(run => (!run.entry || (job.nodes > 1 && run.entry.runs === "mpi")) && told(run))) return
  const most = working.reduce((one, other) => (other.tasks > one.tasks ? other : one))
  const ofOneNode = job.nodes > 1 && /nproc|CPUS_ON_NODE/.test(most.command.text)
  if (most.tasks * (ofOneNode ? job.nodes : asked >= 16 ? 2 : 4) > asked) return
  const what = `${most.launcher.name} starts ${many(most.tasks, "process")}, but the job has ${asked} tasks.`
  yield say("program-tasks-under", what, "Omit the number, or request fewer tasks.", most.command)
}

const SPREADS_ITSELF = setOf(
  "parallel xargs torchrun accelerate deepspeed ray horovodrun charmrun snakemake nextflow orca g16 prun dask-mpi flux pdsh clush ssh make",
)
/** Several tasks, and nothing that starts more than one process. */
function* oneProcess({kind, commands, option, say}, {runs, asked}) {
  const at = option("ntasks", "ntasks-per-node")
  if (kind !== "slurm" || !(asked > 1) || !at || !runs.length) return
  if (
    runs.some(
      ({launcher, spread, name, command, entry, processes, threads}) =>
        launcher ||
        spread ||
        SPREADS_ITSELF.has(name) ||
        command.background ||
        command.nested ||
        entry?.runs === "mpi" ||
        entry?.runs === "launcher" ||
        processes > 1 ||
        threads > 1,
    )
  )
    return
  const everything = commands.flatMap(({words, sets, text}) => [...words, ...sets, text]).join(" ")
  if (
    /SLURM_(?:NTASKS|NPROCS|CPUS_ON_NODE|JOB_CPUS|TASKS|JOB_NODELIST|NODELIST)|nproc\b|srun|mpirun|mpiexec|\bMPI|PBS_|NSLOTS/.test(
      everything,
    )
  )
    return
  if (
    commands.some(({name}) => name === "source" || name === "." || name === "eval") &&
    !commands.some(({text}) => /activate|conda|venv/.test(text))
  )
    return
  const working = runs.filter(
    ({name}) => !isTool(name) && !BUILDS.test(name) && !/^(nvidia-smi|rocm-smi|apptainer|singularity)$/.test(name),
  )
  if (working.length !== 1 || /\.sh$/.test(base(working[0].words[0])) || /^(bash|sh|zsh)$/.test(working[0].name)) return
  const [{words, command, entry, name}] = working
  const alone = /^(?:python[\d.]*|Rscript|julia|matlab|octave|java|perl)$/.test(name) || words[0].startsWith("./")
  if (!alone && entry?.runs !== "threads" && entry?.runs !== "serial") return
  const what = `the job has ${asked} tasks, but \`${base(words[0])}\` on line ${command.line} starts once, as one process.`
  const cure = "For threads, request one task with --cpus-per-task. For MPI, start the program with srun."
  yield say("tasks-for-one-process", what, cure, at)
}

export const ideas = [programs]
