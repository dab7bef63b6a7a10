// What a job needs, as its options, its commands and its comments tell.
import {expander} from "../script/variables.js"
import {toldMemory} from "./memory.js"
import {needOf} from "./need.js"
import {continuing} from "./restart.js"
import {ofDisk, ofTask} from "./sizes.js"

// What a command computes from the number of nodes, or of processes on each.
const LAYOUT =
  /\bSLURM_(?:NNODES|JOB_NUM_NODES|NTASKS_PER_NODE|TASKS_PER_NODE)\b|--map-by[= ]ppr:\S*|(?:-ppn|--?npernode|--ppn|-perhost|\+\+ppn)[= ]\S+/

// An mpirun that a container starts reaches no other node.
const IN_CONTAINER = /\b(?:apptainer|singularity)\s+(?:exec|run)\b(?:\\\n|[^\n;&|])*\bmpi(?:run|exec)\b/

// The processes that mpirun starts, where the job has no slots for them: Grid Engine's GPUs bring cores.
const PROCESSES = /\bmpi(?:run|exec)\s(?:[^\n;&|]*\s)?-np?\s+(\d+)/

// Programs that divide one batch, which their own plan fixes, among the GPUs: nnU-Net's `nnUNetTrainer.py`.
const FIXED_BATCH = /\bnnUNet(?:v2)?_train\b/

// What has as many processes or threads as a task has cores; the first runs pieces of work that need not know of each other.
const PIECES =
  /\b(parallel|xargs)\s(?:[^\n|;]{0,200}\s)?((?:-j|--jobs|-P|--max-procs)[= ]?["']?(?:\$\{?SLURM_CPUS_(?:PER_TASK|ON_NODE)\b\}?|\$\(nproc\)))/
const FOLLOWS =
  /()((?:(?<![\w-])-{0,2}[\w-]{0,30}(?:THREADS|threads|workers|cores|cpus|jobs|procs)|-[jtp])[= ]["']?\$\{?SLURM_CPUS_PER_TASK\b\}?)/

// The threads or processes that a program is told to use.
const THREADS =
  /(?:--(?:threads|num[-_]threads|cores|cpus|jobs|max-procs)[= ]|(?<=\s)-[jtPT@] ?|OMP_NUM_THREADS=)(\d{1,3})(?!\.?\w|:)/g

// A comment tells of a program that counts the cores of its node.
const COUNTED = /^[ \t]*#(?!!).*?((?:\b\w+\.)?\bcpu_count\(\)|\b(?:parallel::)?detectCores\(\)|\bPool\(\))/m

// What gives each process its GPU.
const PINS =
  /\b(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES=["']?(?!\$\{?(?:CUDA|HIP|ROCR)_)(?:\$|\d+,|[1-9])[^\s"';]*|\bcuda:(?:\$\{?\w+\}?|[1-9])/

// A file on the node's disk, which jobs there have for themselves.
const ON_DISK = /\$\{?(?:SLURM_TMPDIR|TMPDIR|LOCAL_SCRATCH|TMP_LOCAL|JOB_TMPDIR)\b\}?[^\s"';|&)>]*/g

// A step with as many tasks as nodes, which fits any number of them.
const EACH_NODE = /(?:--ntasks|--nodes|--nnodes|\s-n|\s-N)[= ]?"?\$\{?SLURM_(?:NNODES|JOB_NUM_NODES)\b/g

// A step with a number of processes, each with so many cores.
const STEP = /\bsrun\s(?=[^\n]*\s(?:-c|--cpus-per-task)[= ]?\d)(?:-\S+\s+(?:\d+\s+)?)*?(?:-n ?|--ntasks[= ])\d+/

// How many processes a step starts.
const STARTS = /^(?:srun|mpi(?:run|exec))\s+(?:-\S+\s+(?:\d+\s+)?)*?(?:-np? ?|--ntasks[= ])(\d+)(?=\s)/

// Parts of a model, each of which needs a GPU.
const PARTS = /--(tensor|pipeline|data)[-_](?:model[-_])?parallel[-_]size[= ]["']?(\d+)/g

// What has builds for GPUs of both makers. Python may run any of them.
const FRAMEWORKS = {
  PyTorch: /torch|\bvllm\b|\.py\b/i,
  JAX: /\bjax|\bflax\b|alphafold/i,
  TensorFlow: /\b(?:tensorflow|keras)/i,
}
const frameworks = text => {
  const found = Object.keys(FRAMEWORKS).filter(name => FRAMEWORKS[name].test(text))
  return found.length > 1 && !/torch/i.test(text) ? found.slice(1) : found
}

/** The most processes that a command starts, where their number is written in the script. */
function startedIn({commands}) {
  const expand = expander(commands)
  const found = commands.flatMap(({text}) => Number(STARTS.exec(expand(text).replace(/["']/g, ""))?.[1] ?? 0))
  return Math.max(0, ...found)
}

/**
 * @param {System} from @param {string} text the script @param {Shell} shell its reading @param {boolean} bash may a later job continue it?
 * @param {Option[]} options @returns {any} as need.js has it; said: what comments put on the local disk
 */
export function needOfScript(from, text, shell, bash, options) {
  const commands = text.replace(/^\s*#.*/gm, "")
  const taskwise = ofTask(text)
  /** @type {any} */
  const need = {
    ...needOf(from, options),
    frameworks: frameworks(text),
    torch: /\b(?:py)?torch(?:run|vision)?\b/.test(text),
    trains: /\b(?:py)?torch|grad\w*[-_]accum|deepspeed|\bfsdp|accelerate launch|\.py\b.*--lr[= ]/is.test(text),
    parts: [...new Map([...commands.matchAll(PARTS)].map(each => [each[1], each])).values()],
    batch: FIXED_BATCH.exec(commands)?.[0] ?? null,
    launches: /\b(?:srun|mpirun|mpiexec|mpprun)\b/.test(text) && !/NODEID/.test(text),
    counts:
      /^[^#\n]*(?:\bnproc\b|\bSLURM_(?:JOB_)?CPUS_(?:ON|PER)_NODE\b|cpu_count\()/m.test(text) ||
      COUNTED.test(text) ||
      /^[ \t]*#.*\b(?:all|every) (?:of )?(?:the |its )?(?:cores|CPUs|processors)\b/im.test(text),
    counted: COUNTED.exec(text)?.[1] ?? null,
    pins: PINS.exec(commands)?.[0] ?? null,
    oneFile: [...commands.matchAll(ON_DISK)].map(([found]) => found).find(found => !taskwise(found)) ?? null,
    said: ofDisk(from.move, text, shell),
    told: toldMemory(text, shell),
    starts: STEP.test(commands) || shell.commands.some(({background}) => background) ? 0 : startedIn(shell),
    steps: STEP.exec(commands)?.[0] ?? null,
    continues: bash ? continuing(text, shell, from.move.places) : null,
    chained:
      /^\d+-\d+%1$/.test(options.findLast(({name}) => name === "array")?.value ?? "") &&
      !/ARRAY_TASK_ID/.test(commands),
    inContainer: IN_CONTAINER.test(commands),
    layout: LAYOUT.exec(text.replace(/^\s*(?:#|echo|printf).*/gm, "").replace(EACH_NODE, ""))?.[0] ?? null,
  }
  const most = [...commands.matchAll(THREADS)].sort((one, other) => Number(other[1]) - Number(one[1]))[0]
  if (Number(most?.[1]) > 1) need.inScript = {perTask: Number(most[1]), written: most[0].trim()}
  const [, program, setting] = PIECES.exec(commands) ?? FOLLOWS.exec(commands) ?? []
  if (setting && need.tasksPerNode === 1)
    need.follows = {pieces: Boolean(program), written: `${program} ${setting}`.trim()}
  // mpirun starts a process for each slot of Grid Engine's.
  const slots = from.kind !== "slurm" && !need.tasks && !need.gpus && need.perTask > 1
  if (slots && /\bmpi(?:run|exec)\b/.test(text) && !/THREADS=\$\{?NSLOTS/.test(text))
    Object.assign(need, {tasks: need.perTask, tasksPerNode: need.perTask, perTask: 1, nodesGiven: true})
  const tasks = Number(PROCESSES.exec(commands)?.[1] ?? 1)
  const perTask = Math.max(1, Math.floor(need.perTask / tasks))
  if (from.kind !== "slurm" && need.gpus && !need.tasks && tasks > 1)
    Object.assign(need, {tasks, tasksPerNode: tasks, perTask, nodesGiven: true})
  // A job that names no cores has all of its nodes or GPUs for them.
  if (from.kind === "slurm" && !need.tasks && !need.sized && tasks > 1 && tasks % need.nodes === 0) {
    const each = tasks / need.nodes
    const [threads] = /(?<=\bOMP_NUM_THREADS=)\d+/.exec(commands) ?? [1]
    Object.assign(need, {tasks, tasksPerNode: each, perTask: Number(threads), sized: true, started: tasks})
    if (need.hasCores) need.hasCores = Math.floor(need.hasCores / each)
  }
  return need
}
