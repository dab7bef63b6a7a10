// Advice about how programs are started: launchers, steps of srun, numbers of threads.
import {all, number} from "./case.js"
import {program} from "../script/payload.js"
import {SHORT} from "../schedulers/slurm/option_table.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {many} from "../script/units.js"
import {looped, startedBy} from "./runs.js"

// Launchers of training programs: as many processes as GPUs, as many nodes as the job has, started once a node.
function* processes({job, commands, expand, say}) {
  const nodes = job.nodes || 1
  const found = commands
    .flatMap(command => startedBy(command, expand).map(({words}) => [command, ...launcher(words.map(expand))]))
    .filter(([, name]) => name)
  for (const [command, name, said] of found) {
    if (!command.certain || (job.nodes ?? null) !== (job.max_nodes ?? null) || "cpu" in said) continue
    const wanted = number(said.nnodes || said.num_machines)
    if (wanted > nodes && !job.array) {
      // jobs of an array may wait for each other
      const what = `${name} waits for ${wanted} nodes, but the job has ${nodes}.`
      yield say("launcher-over-nodes", what, "Request that many in the directives.", command)
    }
    const here = name === "accelerate" ? job.gpus_total : (job.gpus_per_node ?? 0)
    const all = name === "deepspeed" && !said.num_gpus && !said.include && !said.hostfile // it takes all GPUs
    const count = number(said.nproc_per_node || said.num_gpus || said.num_processes) || (all ? here : 0)
    if (!here || !count) continue
    if (count > here) {
      const each = nodes > 1 && name !== "accelerate" ? " on each node" : ""
      const what = `${name} starts ${count} processes${each}, but the job has ${many(here, "GPU")}${each}.`
      yield say("processes-over-gpus", what, "Start one process per GPU.", command)
    } else if (
      count < here &&
      found.length === 1 &&
      !("include" in said) &&
      !("gpu_ids" in said) &&
      !command.fn &&
      !command.sets.some(part => part.includes("VISIBLE_DEVICES"))
    ) {
      const what = `${name} starts ${count} process${count > 1 ? "es" : ""}, but the job has ${here} GPUs.`
      yield say("processes-under-gpus", what, "Start one process per GPU, or request fewer GPUs.", command)
    }
    const tasks = job.tasks_per_node || Math.floor((job.tasks || 1) / nodes)
    const own = /\s(-n|--ntasks|--ntasks-per-node|-N|--nodes)\b/u.test(command.words.join(" "))
    if (command.name === "srun" && count > 1 && tasks > 1 && !own) {
      const what = `srun starts ${name} ${tasks} times per node, and each starts ${count} processes.`
      yield say("launcher-each-task", what, "Request one task per node: --ntasks-per-node=1.", command)
    }
  }
}
/** Its name, and its own options with their values, with underscores; an empty name for any other program. */
function launcher(words) {
  let name = (words[0] ?? "").split("/").at(-1),
    rest = words.slice(1)
  if (all("python[0-9.]*", name) && rest[0] === "-m") {
    name = ["torch.distributed.run", "torch.distributed.launch"].includes(rest[1]) ? "torchrun" : ""
    rest = rest.slice(2)
  }
  if (name === "accelerate") [name, rest] = rest[0] === "launch" ? [name, rest.slice(1)] : ["", []]
  if (!["torchrun", "accelerate", "deepspeed"].includes(name)) return ["", {}]
  const said = {}
  while (rest.length && !rest[0].endsWith(".py")) {
    const [option, ...value] = rest.shift().split("=")
    if (!option.startsWith("--")) continue
    said[option.slice(2).replaceAll("-", "_")] = value.join("=") || (/^\d+$/.test(rest[0] ?? "") ? rest.shift() : "")
  }
  return [name, said]
}

// A step of srun, or a number of threads, larger than the job that it is part of.
function* stepSize(given) {
  if (!given.known || given.lines.some(line => /hetjob|^#\$.*\bnodes=/.test(line))) return
  const whole = given.whole() // its memory and GPUs are not known here
  if (!whole) yield* together(given)
  for (const command of given.certain) {
    const {name, words, sets} = command
    if (program(command) && name === "srun") yield* step(given, command)
    else if (whole) continue
    else if (["mpirun", "mpiexec"].includes(name) && !words.includes("--oversubscribe")) {
      const count = /^-{1,2}np? (\d+)/.exec(words.slice(1, 3).join(" "))
      yield* tooMany(given, command, count ? Number(count[1]) : 0, "processes")
    }
    for (const part of [...sets, ...(name === "export" ? words : [])]) {
      const threads =
        /^(?:(?:OMP|MKL|OPENBLAS|BLIS|NUMEXPR|JULIA|NUMBA|RAYON|R_DATATABLE)_NUM_THREADS|POLARS_MAX_THREADS|MC_CORES|ITK_GLOBAL_DEFAULT_NUMBER_OF_THREADS)=([1-9]\d*)$/.exec(
          part,
        )
      if (threads) yield* tooMany(given, command, Number(threads[1]), "threads")
    }
  }
}
/** Steps that run at once, and together want more memory than there is: then they run one after another. */
function* together(given) {
  const has = given.job.memory_per_node
  const steps = given.commands.filter(({name, background, fn}) => name === "srun" && background && !fn)
  const wanted = steps.map(each => (each.loops.length ? 2 : 1) * (mebibytes(own(each).mem ?? "") || 0))
  const sum = wanted.reduce((one, other) => one + other, 0)
  if (!has || !(sum > has) || steps.some(({text}) => /-[Nw]|--nodes|--nodelist|--overlap/.test(text))) return
  if (
    given.commands
      .slice(given.commands.indexOf(steps[0]), given.commands.indexOf(steps.at(-1)))
      .some(({name}) => name === "wait")
  )
    return
  const at = steps[wanted.findLastIndex(size => size > 0)]
  if (steps.length < 2 && !at.loops.length) return
  const said = `these steps request ${(sum / 1024).toFixed(0)} GiB of memory together, but the job has ${(has / 1024).toFixed(0)} GiB, so they wait for each other.`
  yield* over(given, at, said, "Set the memory of each step with --mem.")
}
/** What a command starts is more than the job has. */
function* over({say}, command, what, cure = "Request that many in the directives.") {
  yield say("step-over-job", what, cure, command)
}

function* tooMany(given, command, count, what) {
  const {kind, job, gpus, cores} = given
  if (!(job.tasks || job.tasks_per_node || job.cpus_per_task) && kind === "slurm") return // it may give cores unasked
  const shares = gpus().map(([, {share}]) => share?.cores ?? 0)
  const whole = given.whole()
    ? (job.nodes || Infinity) * Math.max(...given.nodes().map(([key]) => given.system.nodes?.[key]?.cpus ?? Infinity))
    : 0
  const most = Math.max(cores(), Math.max(0, ...shares) * job.gpus_total, whole)
  const said = `${count} ${what} exceed the ${many(most, "core")} of this job.`
  const threads = Math.max(1, ...Object.values(given.system.nodes ?? {}).map(node => node.threads ?? 1)) // of a core: so many more are no fault for certain
  if (count > most * threads)
    yield* over(given, command, said, "Start as many as you have cores, or request more cores.")
}
function* step(given, command) {
  const {job, gpuOption} = given
  const asked = own(command)
  const [, variable] = /^\$\{?(\w+)\}?$/.exec(asked.ntasks ?? "") ?? []
  const wanted = variable ? Math.max(0, ...(looped(given.commands, command, variable) ?? [])) : number(asked.ntasks)
  const same = !["ntasks", "nodes", "ntasks-per-node", "nodelist"].some(name => name in asked) // as many as the job
  const tasks = same ? (job.tasks ?? (job.tasks_per_node ?? 1) * (job.nodes ?? 1)) : 1
  const passed = versionOf(given) >= FIXED && !("overcommit" in asked) ? (job.cpus_per_task ?? 1) : 1
  const count = Math.max(1, wanted || tasks) * Math.max(1, number(asked["cpus-per-task"]) || (wanted ? passed : 1))
  yield* tooMany(given, command, count, "tasks or cores of a step")
  const nodes = number(asked.nodes)
  if (nodes > (job.max_nodes || job.nodes || 1) && (job.nodes || (job.tasks || 1) === 1))
    yield* over(given, command, `srun requests ${nodes} nodes, but the job has ${job.nodes || 1}.`)
  if (given.whole()) return
  const gres = /\bgpu(?::[\w.]+)?:(\d+)/u.exec(asked.gres ?? "")
  const each = ["gpus", "gpus-per-node", "gpus-per-task"].map(name => number((asked[name] ?? "").split(":").at(-1)))
  const started = number(asked.ntasks) || (job.tasks ?? 0)
  const gpus = Math.max(...each, each[2] * started, gres ? Number(gres[1]) : 0)
  if (gpus > job.gpus_total && (job.gpus_total || !gpuOption()))
    yield* over(given, command, `srun requests ${many(gpus, "GPU")}, but the job has ${job.gpus_total || "none"}.`)
  const has = job.memory_per_node
  const said = `srun requests ${asked.mem} of memory, but the job has ${(has / 1024).toFixed(0)} GiB per node.`
  if (has && mebibytes(asked.mem ?? "") > has) yield* over(given, command, said, "Request that much in the directives.")
}
/** srun's own options that have a value, by their long names. */
function own(command) {
  const found = {},
    rest = command.words.slice(1)
  while (rest[0]?.startsWith("-")) {
    const option = rest.shift(),
      long = option.startsWith("--")
    const [name, ...value] = long ? option.slice(2).split("=") : [SHORT[option[1]] ?? "", option.slice(2)]
    let given = value.join("=")
    const said = long ? option.includes("=") : given
    if (!said && rest.length > 1 && !rest[0].startsWith("-")) given = rest.shift()
    found[name] = given
  }
  return found
}

// Slurm's own release notes: srun hands the cores on again from 23.11.
const FIRST = 22 * 1000 + 5,
  FIXED = 23 * 1000 + 11
const versionOf = ({facts}) => {
  const [, year, month] = /^(\d+)\.(\d+)/.exec(facts.version ?? "") ?? []
  return Number(year) * 1000 + Number(month)
}
function* srunCores(given) {
  const {facts, kind, job, commands, certain, say} = given
  const version = versionOf(given)
  if (kind !== "slurm" || !(version >= FIRST && version < FIXED) || !(job.cpus_per_task >= 2)) return
  const known = ({words, sets}) => [...words, ...sets].some(word => word.includes("SRUN_CPUS_PER_TASK"))
  if (commands.some(known)) return
  const SAYS_SO = '-c[0-9$"]*|--cpus-per-task.*|--exact|--cpus-per-gpu.*'
  const command = certain.find(({name, words}) => name === "srun" && !words.some(word => all(SAYS_SO, word)))
  if (!command) return
  const what = `srun gets one core, because Slurm ${facts.version} does not pass --cpus-per-task to it.`
  const cure = 'Add above it: export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"'
  yield say("srun-one-core", what, cure, command, "scheduler.version")
}

export const ideas = [processes, stepSize, srunCores]
