// Advice about launchers: options of another one or in the wrong place, ports and addresses, lists of ranks.
import {base, started} from "../script/payload.js"
import {setOf} from "../script/text.js"
import {many} from "../script/units.js"
import {has, optionValue, runsOf, startedBy} from "./runs.js"

const MPIRUN = /^(?:mpirun|mpiexec|orterun|prterun)$/
/** @type {[RegExp, string][]} */
const FAMILIES = [
  [/^(?:openmpi|hpcx)\b/, "Open MPI"],
  [/^(?:intelmpi|impi|intel-oneapi-mpi|intel-mpi|mpich|mvapich2?)\b/, "Intel MPI or MPICH"],
]
/** The MPI of the modules that the script loads; null where it loads none or several. */
function mpiOf({commands}) {
  const modules = commands
    .filter(({name, words}) => (name === "module" && /^(?:load|add|swap)$/.test(words[1] ?? "")) || name === "ml")
    .flatMap(({words}) => words.slice(1))
  const found = FAMILIES.filter(([pattern]) => modules.some(word => pattern.test(word)))
  if (found.length !== 1) return null
  const version = modules.find(word => found[0][0].test(word)).split("/")[1] ?? ""
  return {name: found[0][1], major: Number.parseInt(version, 10) || null}
}

// Options that only one launcher has: Slurm's srun(1), Open MPI's mpirun(1), Intel's and MPICH's Hydra. Written from
// knowledge of their manuals, and not compared with them word by word.
const OF_SRUN = setOf(
  "--ntasks --nodes --ntasks-per-node --cpus-per-task --gpus --gpus-per-task --gpus-per-node --gres --hint --exact --mem " +
    "--distribution --mpi --threads-per-core --exclusive",
)
const OF_HYDRA = setOf(
  "-ppn --ppn -perhost -genv -genvall -genvlist -env -envall -hosts -bootstrap -rr -print-rank-map",
)
const OF_OPEN_MPI = setOf(
  "--mca -mca -x --oversubscribe -oversubscribe --report-bindings -report-bindings -npernode --npernode " +
    "--allow-run-as-root --display-map --display-allocation --use-hwthread-cpus",
)
const OF_MPIRUN = setOf(
  "-map-by -bind-to -rank-by -report-bindings -hostfile -machinefile -npernode -oversubscribe -mca -genv -genvall " +
    "-genvlist -env -envall -ppn -perhost -hosts -bootstrap -wdir",
)
const SAME = {
  "-ppn": "With Open MPI, write --map-by ppr:N:node, and with srun, --ntasks-per-node.",
  "--ppn": "With Open MPI, write --map-by ppr:N:node, and with srun, --ntasks-per-node.",
  "-perhost": "With Open MPI, write --map-by ppr:N:node, and with srun, --ntasks-per-node.",
  "-npernode": "Write -ppn with Intel MPI or MPICH, and --ntasks-per-node with srun.",
  "-x": "Export the variable, because srun and Intel MPI pass on all variables.",
  "-genv": "Export the variable above.",
  "-env": "Export the variable above.",
  "--ntasks": "Write -np.",
}
/** Options of one launcher behind the name of another. */
function* dialect(given) {
  const {commands, expand, say} = given
  const mpi = mpiOf(given)
  for (const command of commands) {
    for (const {through} of startedBy(command, expand)) {
      const launcher = through.find(({name}) => name === "srun" || MPIRUN.test(name))
      if (!launcher) continue
      const {name, words} = launcher
      const wrong =
        name === "srun"
          ? words.find(
              (word, at) =>
                OF_MPIRUN.has(word) ||
                /^(?:-{1,2}mca)$/.test(word) ||
                (word === "-x" && /^[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:=|$)/.test(words[at + 1] ?? "")),
            )
          : words.find(
              word =>
                OF_SRUN.has(word.split("=")[0]) ||
                (mpi?.name === "Open MPI" && OF_HYDRA.has(word)) ||
                (mpi && mpi.name !== "Open MPI" && OF_OPEN_MPI.has(word)),
            )
      if (!wrong) continue
      const option = wrong.split("=")[0]
      const what =
        name === "srun"
          ? `\`${option}\` is an option of mpirun, and srun reads it as something else.`
          : `\`${option}\` is an option of ${OF_SRUN.has(option) ? "srun" : "a different MPI"}, and ${
              mpi?.name ?? "mpirun"
            } does not have it.`
      yield say("launcher-option-of-another", what, SAME[option] ?? "Remove it.", command, {kind: "fails"})
    }
  }
}

/** Launcher: which of its options cannot be the script's own, where its own options end, and what happens. */
const BEHIND = [
  [
    /^torchrun$/,
    /\.py$/,
    /^--(?:nproc[-_]per[-_]node|nnodes|node[-_]rank|rdzv[-_]\w+|standalone|max[-_]restarts)(?:=|$)/,
  ],
  [
    /^accelerate$/,
    /\.py$/,
    /^--(?:num_processes|num_machines|machine_rank|main_process_(?:ip|port)|multi_gpu|config_file|use_deepspeed|use_fsdp)(?:=|$)/,
  ],
  [/^deepspeed$/, /\.py$/, /^--(?:num_gpus|num_nodes|hostfile|include|exclude|launcher)(?:=|$)/],
  [/^java$/, /\.jar$/, /^-(?:Xm[xs]\d|XX:)/],
  [/^julia$/, /\.jl$/, /^--(?:project|threads|procs)(?:=|$)/],
]
const SCRIPT = /\.(?:py|jl|R|r|sh|pl|m)$/
const OF_LAUNCHERS =
  /^--(?:map-by|bind-to|rank-by|mca|oversubscribe|ntasks|ntasks-per-node|cpus-per-task|gpus-per-task|gpus-per-node|cpu-bind|gpu-bind|het-group)(?:=|$)/
const ALSO_OF_PROGRAMS = /^--(?:ntasks|cpus-per-task|gpus-per-)/ // which a script may read itself
/** Options of a launcher behind the script, which gets them. */
function* behind({commands, expand, say}) {
  const threads = commands.some(({sets, words}) =>
    [...sets, ...words].some(each => each.startsWith("JULIA_NUM_THREADS=")),
  )
  const meant = (name, word) => name === "julia" && threads && word.startsWith("--threads")
  for (const command of commands) {
    for (const {words, through} of startedBy(command, expand)) {
      const name = base(words[0] ?? "")
      const [, script, options] = BEHIND.find(([of]) => of.test(name)) ?? []
      const end = script ? words.findIndex((word, at) => at > 0 && script.test(word)) : 0
      const launcher = through.find(each => each.name === "srun" || MPIRUN.test(each.name))
      const next = words.indexOf(":") // of several programs at once
      const late = words
        .slice(end + 1, next < 0 ? undefined : next)
        .find(
          word =>
            (script && end > 0 && options.test(word) && !meant(name, word)) ||
            (launcher &&
              OF_LAUNCHERS.test(word) &&
              !(ALSO_OF_PROGRAMS.test(word) && words.some(each => SCRIPT.test(each)))),
        )
      if (!late || !name) continue
      const own = script && end > 0 && options.test(late)
      const what = `\`${late.split("=")[0]}\` comes after \`${own ? words[end] : words[0]}\`, so the program gets it, not ${own ? name : launcher.name}.`
      yield say("launcher-option-behind", what, "Write it before the program.", command, {
        kind: own && name !== "java" && name !== "julia" ? "fails" : "unwise",
      })
    }
  }
}

const LOW = 1024,
  HIGH = 65535
/** The largest value of a sum such as `10000 + RANDOM % 5000`; null: not known. */
function largest(text) {
  const parts = text.replace(/^\$\(\(|\)\)$|[()"'\s]/g, "").split("+")
  const most = parts.map(part => {
    if (/^\d+$/.test(part)) return Number(part)
    const [, digits, last] = /^(\d*)\$\{SLURM_(?:ARRAY_)?JOB_?ID:-(\d)\}$/.exec(part) ?? []
    if (last) return Number(digits + "9".repeat(Number(last)))
    const [, id, divisor] = /^\$?\{?(SLURM_JOB_?ID|RANDOM)\}?(?:%(\d+))?$/.exec(part) ?? []
    if (!id) return null
    const top = id === "RANDOM" ? 32767 : Infinity
    return divisor ? Math.min(top, Number(divisor) - 1) : top
  })
  return most.includes(null) ? null : most.reduce((sum, each) => sum + each, 0)
}
const PORT = /^(?:[A-Z]+_)?PORT=(.*)$/i
const PORTS = ["--master-port", "--master_port", "--main_process_port", "--port"]
/** Ports that do not exist, or that only root may open. */
function* ports({commands, expand, say}) {
  for (const command of commands) {
    const said = [...command.sets, ...(command.name === "export" ? command.words.slice(1) : [])]
      .map(part => PORT.exec(part)?.[1])
      .filter(Boolean)
    const told = startedBy(command, expand).flatMap(({words}) => {
      const end = optionValue(words, ["--rdzv-endpoint", "--rdzv_endpoint"])
      return [optionValue(words, PORTS), /:(\d+)$/.exec(end ?? "")?.[1]]
    })
    for (const text of [...said, ...told]) {
      const most = text ? largest(text) : null
      if (
        most === null ||
        (most >= (command.sets.concat(command.words).some(part => /MASTER/i.test(part)) ? LOW : 0) && most <= HIGH) ||
        most === 0
      )
        continue
      const fixed = /^["']?\d+["']?$/.test(text)
      const what =
        most < LOW
          ? `port ${most} is below ${LOW}, and only root can open such a port.`
          : fixed
            ? `${most} is not a port, because the largest is ${HIGH}.`
            : `\`${text}\` can be more than ${HIGH}, which is the largest port.`
      const cure = "Write $((20000 + SLURM_JOB_ID % 20000))."
      yield say("port-out-of-range", what, cure, command, {kind: fixed || most === Infinity ? "fails" : "unwise"})
      break
    }
  }
}

const ADDRESS = /^(?:MASTER_ADDR|HEAD_NODE|MAIN_ADDR|RDZV_HOST)=/
const LIST = /^["']?\$\{?SLURM_(?:JOB_|STEP_)?NODELIST\}?["']?(?::\S*)?$/
const AT = ["--rdzv-endpoint", "--rdzv_endpoint", "--master-addr", "--master_addr", "--main_process_ip"]
/** The address of the first node: a list of nodes, or another one on each node. */
function* addresses({job, commands, expand, say}) {
  if (!(job.nodes > 1)) return
  for (const command of commands) {
    const set = [...command.sets, ...command.words].find(part => ADDRESS.test(part))
    const told = startedBy(command, expand).map(({words}) => optionValue(words, AT) ?? "")
    const list = [set?.replace(ADDRESS, "") ?? "", ...told].find(value => LIST.test(value))
    const first = 'Write $(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1).'
    if (list) {
      const what = `\`${list}\` is a list of nodes such as n[1-2], but no node has this name.`
      yield say("nodes-apart", what, first, command, {kind: "fails"})
    }
    const inTask = command.name === "srun" && command.tokens.map(({raw}) => raw).find(raw => /^'|\\\$/.test(raw))
    const own =
      /\b(MASTER_(?:ADDR|PORT))=["'\\]*\$(\(\s*hostname|RANDOM|\(\(\s*(?:\d+\s*\+\s*)?\$?RANDOM|\(\s*shuf)/.exec(
        inTask || "",
      )
    if (!own || /head\s+-n|NODEID|PROCID/.test(own.input.slice(own.index, own.index + 60))) continue
    const what = `each task sets ${own[1]} for itself, so the nodes cannot find each other.`
    const cure = `Set it above, before srun starts. ${own[1] === "MASTER_ADDR" ? first : ""}`.trim()
    yield say("nodes-apart", what, cure, command, {kind: "fails"})
  }
}

/** The here-document that a command of the script writes to this file. */
export function written(commands, file) {
  const at = commands.find(
    ({redirects}) =>
      redirects.some(({document}) => document) &&
      redirects.some(({op, target}) => /^>/.test(op) && base(target.text) === base(file)),
  )
  return at?.redirects.find(({document}) => document)?.document.text ?? null
}
/** Ranks that the file of srun --multi-prog names. */
function* multiProg(given, {asked}) {
  for (const command of given.commands) {
    const at = command.words.indexOf("--multi-prog")
    if (command.name !== "srun" || at < 0) continue
    const count = optionValue(command.words.slice(0, at + 1), ["-n", "--ntasks"])
    const tasks = count === null ? asked : /^\d+$/.test(count) ? Number(count) : asked
    const file = command.words.slice(at + 1).find(word => !word.startsWith("-"))
    const text = file && written(given.commands, file)
    const ranks = (text ?? "")
      .split("\n")
      .map(line => line.trim().split(/\s+/)[0])
      .filter(word => word && !word.startsWith("#"))
    if (!tasks || !ranks.length || !ranks.every(word => /^[\d,-]+$/.test(word))) continue
    const all = new Set(
      ranks.flatMap(word =>
        word.split(",").flatMap(part => {
          const [from, to = from] = part.split("-").map(Number)
          return Array.from({length: Math.max(0, to - from + 1)}, (_, place) => from + place)
        }),
      ),
    )
    const missing = Array.from({length: tasks}, (_, rank) => rank).find(rank => !all.has(rank))
    const most = Math.max(...all)
    if (missing === undefined && most < tasks) continue
    const what =
      missing === undefined
        ? `${file} names rank ${most}, but srun starts ${many(tasks, "task")}, with ranks from 0.`
        : `${file} names no program for rank ${missing} of the ${tasks} tasks, so srun starts none.`
    const cure = "Name each rank from 0 to the number of tasks minus one."
    yield given.say("ranks-do-not-fit", what, cure, command, {kind: "fails"})
  }
}

/** Components of a heterogeneous job that srun names, or leaves out. */
function* components({commands, lines, say}) {
  const count = 1 + lines.filter(line => /^#SBATCH\s+(?:hetjob|packjob)\s*$/.test(line)).length
  const steps = commands.filter(({name}) => name === "srun")
  const named = steps.map(({words}) => optionValue(words, ["--het-group", "--pack-group"]))
  for (const [place, value] of named.entries()) {
    const most = Math.max(...(value ?? "").split(/[,-]/).map(part => (/^\d+$/.test(part) ? Number(part) : -1)))
    if (most < count) continue
    const what =
      count === 1
        ? "`--het-group` is for heterogeneous jobs, and this job has only one component."
        : `\`--het-group=${value}\` names component ${most}, but the job has only ${count}, numbered from 0.`
    yield say("component-not-there", what, "Name a component that exists.", steps[place], {kind: "fails"})
  }
  const own = named.map(value => value ?? "0") // where srun starts without the option
  if (count === 1 || !steps.length || own.some(value => !/^[\d,]+$/.test(value))) return
  const used = new Set(own.flatMap(value => value.split(",")).map(Number))
  const idle = Array.from({length: count}, (_, part) => part).find(part => !used.has(part))
  if (idle === undefined || steps.some(({words}) => words.includes(":")) || lines.some(line => /HET_GROUP/.test(line)))
    return
  const at = steps[Math.max(0, named.indexOf(null))]
  const what = `no step runs in component ${idle} of this job: without --het-group, srun uses component 0.`
  yield say("component-not-used", what, `Add --het-group=${idle} to the step for that component.`, at)
}

/** Processes that Open MPI has no slots for, and ranks that do not fit a socket. */
function* slots(given, {runs, asked}) {
  const {kind, job, nodes, commands} = given
  const mpi = mpiOf(given)
  const sizes = nodes().map(([, node]) => node)
  const least = (of, per) => {
    const found = sizes.map(node => (node[of] ? node[of] / (per ? (node.sockets ?? NaN) : 1) : NaN))
    return found.length && found.every(each => each > 0) ? Math.max(...found) : null
  }
  const seen = new Set()
  for (const {command, launcher, tasks} of runs) {
    if (!launcher || !MPIRUN.test(launcher.name) || seen.has(command)) continue
    seen.add(command)
    const own = launcher.words.join(" ")
    const [, count, where, each = "1"] = /ppr:(\d+):(node|socket|package)(?::PE=(\d+))?/i.exec(own) ?? []
    const cores = count ? least("cores", where !== "node") : null
    if (cores && Number(count) * Number(each) > cores) {
      const what = `${count} ranks of ${many(Number(each), "core")} need ${Number(count) * Number(each)} cores, but a ${where === "node" ? "node" : "socket"} has ${cores}.`
      const fits = Math.floor(cores / Number(count))
      const cure = fits ? `Write PE=${fits}, or start fewer ranks.` : `Start at most ${cores} ranks on each.`
      yield given.say("ranks-over-socket", what, cure, command, {kind: "fails"})
      continue
    }
    const there = asked ?? (job.cpus_per_task ? (job.nodes ?? 1) : null)
    if (kind !== "slurm" || (mpi && mpi.name !== "Open MPI") || !there || !(tasks > there)) continue
    const free =
      /oversubscribe|hostfile|machinefile|-host\b|-H\b|hwthread/.test(own) ||
      (!mpi && /apptainer|singularity|PATH=/.test(commands.map(({text}) => text).join("\n"))) ||
      commands.some(({text}) => /OVERSUBSCRIBE|rmaps_base/i.test(text))
    if (free) continue
    const what = `mpirun starts ${tasks} processes, but the job has ${many(there, "task")}, and Open MPI has one slot for each.`
    yield given.say("mpirun-over-tasks", what, `Request --ntasks=${tasks}.`, command, {
      kind: mpi ? "fails" : "doubtful",
    })
  }
}

/** mpirun with the nodes of another job, or with one computer for several nodes. */
function* hosts({job, kind, commands, say}) {
  if (kind !== "slurm") return
  for (const command of commands) {
    const launcher = started(command.words).through.find(({name}) => MPIRUN.test(name))
    if (!launcher) continue
    const own = [launcher.name, ...launcher.words]
    const file = optionValue(own, ["-hostfile", "--hostfile", "-machinefile", "--machinefile", "-f"])
    const list = optionValue(own, ["-host", "--host", "-H", "-hosts"])
    const made = () =>
      commands.some(
        each =>
          each !== command &&
          (each.text.includes(file) || each.redirects.some(({target}) => target.text.includes(file))),
      )
    const what =
      file && /^[\w./-]+$/.test(file) && !made()
        ? `nothing here writes \`${file}\`, so it names the nodes of another job, or none.`
        : list && /^[\w.:,-]+$/.test(list) && !/^localhost|^127/.test(list)
          ? `\`${list}\` names fixed nodes, but each job gets different nodes.`
          : list && job.nodes > 1 && /^[\w.:-]+$/.test(list)
            ? `\`${list}\` is one node, but the job has ${job.nodes}.`
            : null
    if (what)
      yield say("hosts-of-another-job", what, "Remove the option, because mpirun asks Slurm.", command, {
        kind: file ? "unwise" : "fails",
      })
  }
}

/** Parts of Open MPI that its versions do not have any more. */
function* removed(given) {
  const mpi = mpiOf(given)
  if (mpi?.name !== "Open MPI" || !mpi.major) return
  for (const command of given.commands) {
    const said = [
      ...command.words.map((word, at) =>
        /^-{1,2}mca$/.test(word) ? `${command.words[at + 1]}=${command.words[at + 2]}` : "",
      ),
      ...command.sets,
      ...command.words,
    ].map(part => /^(?:OMPI_MCA_)?(btl|pml|mtl)=([\w,]+)$/.exec(part)?.[2].split(",") ?? [])
    const part = said
      .flat()
      .find(
        name =>
          (mpi.major >= 5 && /^(?:openib|yalla|mxm)$/.test(name)) || (mpi.major === 4 && /^(?:sm|yalla)$/.test(name)),
      )
    if (!part) continue
    const what = `Open MPI ${mpi.major} has no component ${part}, so MPI_Init fails.`
    const cure =
      part === "sm" ? "Write vader, or omit the option." : "Omit the option: Open MPI uses UCX for InfiniBand."
    yield given.say("mpi-part-not-there", what, cure, command, {kind: "fails"})
  }
}

/** A program of one MPI, and the launcher of another: by their paths, or by the module above each. */
function* twoMpis({commands, expand, say}, {runs}) {
  const names = text => ["openmpi", "mpich", "mvapich", "intel"].find(name => text.includes(name)) ?? null
  const built = commands.find(({words}) => /^(?:\S*\/)?mpi(?:cc|cxx|f90|fort|ifort|icc|icpc)$/.test(words[0] ?? ""))
  const made = built?.words.find((_, at) => built.words[at - 1] === "-o") ?? null
  const start = made && runs.find(({launcher, words}) => launcher && base(made) === base(words[0]))
  if (!start || !MPIRUN.test(start.launcher.name) || start.command.words.some(word => /\/mpi(?:run|exec)$/.test(word)))
    return
  const loaded = commands
    .filter(({name}) => name === "module" || name === "ml")
    .flatMap(({line, words}) => words.filter(word => /mpi/.test(word)).map(word => ({line, name: names(word)})))
    .filter(({name}) => name)
  const at = line => loaded.findLast(each => each.line < line)?.name ?? null
  const own = names(expand(built.words[0])) ?? at(built.line)
  const other = at(start.command.line)
  if (!own || !other || own === other) return
  if (commands.some(({text}) => /\bPATH=/.test(text) && names(text) === own)) return
  const what = `${base(start.words[0])} is built with ${own} on line ${built.line}, but ${start.launcher.name} comes from ${other}, so each process runs alone.`
  yield say("two-mpis", what, "Build and start it with the same MPI.", start.command)
}

/** What Ray starts in a step ends with the step. */
function* ray({commands, expand, say}) {
  for (const command of commands)
    for (const {words, through} of startedBy(command, expand))
      if (
        base(words[0] ?? "") === "ray" &&
        words[1] === "start" &&
        through.some(({name}) => name === "srun") &&
        !has(words, ["--block"])
      )
        yield say(
          "ray-ends-with-its-step",
          "without --block, the step ends immediately, and Slurm ends Ray with it.",
          "Add --block, and & after the command.",
          command,
          {kind: "fails"},
        )
}

/** Ray on the first node of several. */
function* rayAlone({job, commands, say}) {
  const head = commands.find(({text}) => /\bray start\b.*--head/.test(text))
  if (
    !head ||
    !(job.nodes > 1) ||
    commands.some(({text}) => /ray start.*--address|\bsrun\b|symmetric-run|pdsh|\bssh\b/.test(text))
  )
    return
  const what = `Ray starts on the first node only, and leaves ${job.nodes - 1} of the job's ${job.nodes} nodes idle.`
  yield say("nodes-stay-idle", what, "Start it on the others: srun ... ray start --address=HEAD:6379 --block &", head)
}

function* withRuns(given) {
  if (!given.known) return
  const model = runsOf(given)
  for (const idea of [multiProg, slots, twoMpis]) yield* idea(given, model)
}
export const ideas = [dialect, behind, ports, addresses, components, removed, hosts, ray, rayAlone, withRuns]
