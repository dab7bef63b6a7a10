// Advice about commands in the wrong order, and about numbers of one command that the job or another one contradicts.
import {base, payload, program, started} from "../script/payload.js"
import {many} from "../script/units.js"
import {mebibytes, minutes} from "../schedulers/slurm/values.js"
import {FILES, HELPERS, SETUP} from "./case.js"
import {has, optionValue, runsOf} from "./runs.js"
import {sharing} from "./work.js"

const works = command => {
  const name = program(command)
  return (
    Boolean(name) && !SETUP.has(name) && !FILES.has(name) && !/^(?:\[\[?|test|true|sleep|date|hostname)$/.test(name)
  )
}
/** `$!` where nothing runs in the background. */
function* noProcess({commands, say}) {
  const at = commands.find(({text, fn}) => !fn && /(?<!\\)\$(?:!(?![\w(])|\{!\})/.test(text))
  if (
    !at ||
    commands.some(
      ({background, name, line}) => line <= at.line && (background || /^(?:coproc|bg|source|\.)$/.test(name)),
    )
  )
    return
  const before = commands.findLast(each => each.line < at.line && works(each))
  const what = "`$!` is empty here, because no command above it runs in the background."
  const cure = "Add & to the end of the command whose process ID you need."
  yield say("no-process-in-the-background", what, cure, before ?? at, {
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
      each => works(each) && !each.fn && !/^(?:python[\d.]* -(?:c|V|-version|m pip)|pip)/.test(payload(each).join(" ")),
    )
    const used = runs.filter(each => user.test(program(each)))
    const early = used.findLast(({line}) => line < first.line)
    if (!early || (variable !== "JULIA_NUM_THREADS" && runs.some(({line}) => line > first.line))) continue
    const what = `${variable} is set only after \`${program(early)}\` on line ${early.line} has run.`
    yield say("variable-set-too-late", what, `Move it above line ${early.line}.`, first)
    return
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
    const what = `${option} lets Java use more memory than the job's ${+(has / 1024).toFixed(1)} GiB, so the system may end the job.`
    yield say("program-memory-over", what, "Give Java about 90% of the job's memory.", command)
    return
  }
}

/** A limit of the shell below what the job has. */
function* limits({certain, memory, whole, option, say}) {
  const time = minutes(option("time")?.value ?? "")
  for (const command of certain.filter(({name, fn}) => name === "ulimit" && !fn)) {
    const [kib, seconds] = ["-v", "-t"].map(each => Number(optionValue(command.words, [each]) ?? NaN))
    const has = whole() ? null : memory()
    const what =
      has && kib / 1024 < has * 0.9
        ? `\`${command.text}\` ends programs above ${+(kib / 1024 ** 2).toFixed(1)} GiB, but the job has ${+(has / 1024).toFixed(1)} GiB.`
        : seconds < time * 54
          ? `\`${command.text}\` ends programs after ${+(seconds / 60).toFixed(0)} minutes of CPU time, but the job has ${time}.`
          : null
    if (what) yield say("limit-below-the-job", what, "Remove the line, because Slurm limits the job.", command)
  }
}

const ENVIRONMENT = /^(?:virtualenv|python[\d.]* -m (?:venv|virtualenv)|(?:conda|mamba|micromamba) create)\b/
/** All tasks of an array make one environment. */
function* madeByEach({job, option, certain, say}) {
  if (!job.array || /%1$/.test(option("array")?.value ?? "")) return
  const at = certain.find(
    command => ENVIRONMENT.test([program(command), ...payload(command).slice(1)].join(" ")) && !command.fn,
  )
  if (!at || /TMP|TASK|JOB_?ID|mktemp|LOCAL|\$\$|\/tmp/.test(payload(at).join(" "))) return
  const what = `each task of the array creates \`${payload(at).at(-1)}\` again, at the same time as the others.`
  yield say("environment-made-by-each-task", what, "Create it once beforehand, on a login node.", at)
}

/** An environment that is made, and not used. */
function* notActivated({commands, say}) {
  const at = commands.find(
    command => ENVIRONMENT.test([program(command), ...payload(command).slice(1)].join(" ")) && !command.fn,
  )
  if (!at) return
  const everything = commands.map(({text}) => text).join("\n")
  const folder = base(payload(at).at(-1) ?? "").replace(/["'$]/g, "")
  if (/activate|conda.* run |\bPATH=|VIRTUAL_ENV/.test(everything) || !folder) return
  const behind = commands.slice(commands.indexOf(at) + 1)
  if (
    behind.some(
      ({text, name}) => text.includes(`${folder}/`) || text.includes("/bin/p") || /^(?:source|\.|eval)$/.test(name),
    )
  )
    return
  const run = behind.find(
    each => /^(?:python[\d.]*|pip[\d.]*|torchrun|accelerate)$/.test(program(each)) && !/-[np] /.test(each.text),
  )
  if (!run) return
  const what = `nothing activates the environment of this line, so \`${program(run)}\` on line ${run.line} does not use it.`
  const cure = /conda|mamba/.test(program(at))
    ? "Activate it below."
    : `Add below: source ${payload(at).at(-1)}/bin/activate`
  yield say("environment-not-activated", what, cure, at)
}

const OF_SBATCH = ["--array", "--wrap", "--parsable", "--export-file", "--requeue", "--no-requeue"]
const QE = /^(?:pw|ph|pp|bands|dos|projwfc|cp|neb|dynmat|q2r|matdyn|hp)\.x$/
/** Options that contradict the job, or what the program needs. */
function* ofPrograms(given) {
  const {commands, job, kind, say, expand} = given
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
      const what = `${own} reads \`${input.at(-1)}\` only after -in, and without -in, it waits for standard input.`
      yield say("input-not-named", what, "Write -in before the file.", command, {kind: "fails"})
    }
    if (
      /^python/.test(own) &&
      words.join(" ").includes("-m mpi4py.futures") &&
      srun &&
      /^1$/.test(expand(optionValue(["", ...srun.words], ["-n", "--ntasks"]) ?? ""))
    ) {
      const what = "mpi4py.futures has no workers with 1 rank: rank 0 only distributes the work."
      yield say("no-workers", what, `Start ${Math.max(2, job.tasks ?? 2)} ranks.`, command)
    }
    const range = /^\d[\d,-]*$/.test(optionValue(command.words, ["-c", "--cpu-list"]) ?? "")
    if (base(command.words[0] ?? "") === "taskset" && range && command.background && command.loops.length) {
      const what = "all programs of this loop get the same cores."
      yield say("same-cores-for-all", what, "Give each its own cores, or remove taskset.", command)
    }
  }
}

const OF_OTHERS =
  /(?:getenv\(|environ(?:\.get)?[[(]|ENV\[)\s*["'](NSLOTS|SGE_\w+|LSB_\w+|PBS_\w+|OMPI_COMM_WORLD_\w+)["']/
/** Variables that somebody else would have set, in code and in wrappers. */
function* ofOthers({commands, job, kind, option, say}) {
  if (kind !== "slurm") return
  const everything = commands.map(({text}) => text).join("\n")
  const srun = /\bsrun\b/.test(everything),
    rank = srun && !/\b(?:mpirun|mpiexec|orterun|prterun)\b/.test(everything)
  for (const command of commands) {
    const texts = [
      ...command.tokens.map(({raw}) => raw),
      ...command.redirects.flatMap(({document}) => (document ? [document.text] : [])),
    ].join("\n")
    const code = OF_OTHERS.exec(texts)?.[1]
    const ompi = rank ? /\$\{?(OMPI_COMM_WORLD_\w+)\b(?!:-)/.exec(texts)?.[1] : null
    const name = code && (rank || !code.startsWith("OMPI")) ? code : ompi
    if (name) {
      const what = `\`${name}\` is empty here, because ${name.startsWith("OMPI") ? "only Open MPI's mpirun sets it" : "another scheduler sets it"}.`
      const cure = name.includes("LOCAL_RANK")
        ? "Use SLURM_LOCALID."
        : name.includes("RANK")
          ? "Use SLURM_PROCID."
          : "Use Slurm's variable."
      yield say("variable-of-another-in-code", what, cure, command, {kind: "fails"})
      return
    }
    for (const part of [...command.sets, ...(command.name === "export" ? command.words.slice(1) : [])]) {
      const [, host] = /^MASTER_ADDR=["']?([a-z]+[a-z-]*\d[\w.-]*)["']?$/.exec(part) ?? []
      if (host && host !== "localhost" && job.nodes > 1 && !option("nodelist")) {
        const what = `\`${host}\` is the name of one node, but the next job gets different nodes.`
        const cure = "Write MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)."
        yield say("node-by-its-name", what, cure, command, {kind: "fails"})
        return
      }
      const world =
        /^WORLD_SIZE=["']?\$\{?(SLURM_NTASKS_PER_NODE|SLURM_GPUS_ON_NODE|SLURM_GPUS_PER_NODE)\}?["']?$/.exec(part)?.[1]
      if (world && job.nodes > 1 && srun) {
        const what = `\`$${world}\` counts one node, but WORLD_SIZE is the number of all ranks.`
        yield say("world-of-one-node", what, "Write WORLD_SIZE=$SLURM_NTASKS.", command, {kind: "fails"})
        return
      }
    }
  }
}

/** GNU parallel, which knows of no other node. */
function* onFirstNode({commands, job, lines, say}) {
  if (
    !(job.nodes > 1) ||
    lines.some(line => /^\s*[^#].*\b(?:srun|mpirun|mpiexec|pdsh|clush|ssh|sshlogin|torchrun|ray)\b/.test(line))
  )
    return
  const command = commands.find(each => base(each.words[0] ?? "") === "parallel")
  if (!command || has(command.words, ["-S", "--sshlogin", "--slf", "--sshloginfile", "--pipe"])) return
  const what = `parallel starts everything on the first of the ${job.nodes} nodes, so the others stay idle.`
  const cure = "Request one node, or put srun -N1 -n1 --exact before the program."
  yield say("parallel-on-one-node", what, cure, command, {
    kind: "fails",
  })
}

/** Copies of a workflow's manager, and one job at a time of many. */
function* managers(given) {
  if (!given.known) return
  const {say, whole, gpuOption, option} = given
  const {runs, number, omp} = runsOf(given)
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
    yield say("one-at-a-time", what, 'Write -j "$SLURM_CPUS_PER_TASK", divided by the threads of each job.', command)
    return
  }
  const all = given.nodeCores()
  const shared = sharing(given).length > 0
  const or = shared ? ", or use a partition that shares its nodes" : ""
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
    yield say("full-node-for-few-cores", what, `Run several in one job${or}.`, at)
    return
  }
  const nodes = given.job.nodes || 1
  const working = runs.filter(({name}) => !FILES.has(name) && !HELPERS.has(name))
  const sure =
    working.length > 0 && working.every(({launcher, tasks, command}) => launcher && tasks > 1 && !command.background)
  const used = sure
    ? Math.max(...working.map(({tasks, threads}) => tasks * (threads ?? number(omp) ?? given.job.cpus_per_task ?? 1)))
    : NaN
  const told = option("mem", "mem-per-cpu", "exclusive")
  if (given.kind !== "slurm" || !at || !whole() || told || given.wantsGpu || gpuOption() || !(used * 4 <= all * nodes))
    return
  const what = `the job gets and pays for ${nodes > 1 ? `${nodes} full nodes` : "a full node"} of ${all} cores, but its programs use ${many(used, "core")}.`
  const fewer = nodes > 1 ? ", request fewer nodes" : ""
  const cure = `Start more processes${shared ? `${fewer}${or}` : fewer.replace(",", " or")}.`
  yield say("full-node-for-few-cores", what, cure, at)
}

export const ideas = [
  noProcess,
  setTooLate,
  heap,
  limits,
  notActivated,
  madeByEach,
  ofPrograms,
  ofOthers,
  onFirstNode,
  managers,
]
