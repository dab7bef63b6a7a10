// A job script for one system becomes one for another: each change with its reason.
import {firstPyTorch} from "../advice/software.js"
import {schedulerOf} from "../schedulers/registry.js"
import {bodyMover} from "./body.js"
import {toBuild} from "./builds.js"
import {fromGridEngine, fromSlurm} from "./directives.js"
import {directiveLines} from "./lines.js"
import {loadsModule} from "./modules.js"
import {toldMemory} from "./memory.js"
import {ROLES, needOf} from "./need.js"
import {capability, maker} from "./place.js"
import {planOf} from "./plan.js"
import {continuing} from "./restart.js"
import {diskOf, ofDisk} from "./sizes.js"
import {apart, submitted, together} from "./submissions.js"
import {submissionsOf} from "../script/submissions.js"
import {withSteps} from "./unknown.js"

const OTHER_LANGUAGE = /^#!.*\b(t?csh|fish|python[\d.]*|perl|Rscript|julia|ruby)\b/
// Compute capability -> the first CUDA that builds for it: NVIDIA's release notes.
const OLDEST_CUDA = {"8.0": [11, 0], 8.6: [11, 1], 8.9: [11, 8], "9.0": [11, 8], "10.0": [12, 8], "12.0": [12, 8]}

// What a command computes from the number of nodes, or of processes on each.
const LAYOUT =
  /\bSLURM_(?:NNODES|JOB_NUM_NODES|NTASKS_PER_NODE|TASKS_PER_NODE)\b|--map-by[= ]ppr:\S*|(?:-ppn|--?npernode|--ppn|-perhost|\+\+ppn)[= ]\S+/

// An mpirun that a container starts reaches no other node.
const IN_CONTAINER = /\b(?:apptainer|singularity)\s+(?:exec|run)\b(?:\\\n|[^\n;&|])*\bmpi(?:run|exec)\b/

// Programs that divide one batch, which their own plan fixes, among the GPUs: nnU-Net's `nnUNetTrainer.py`.
const FIXED_BATCH = /\bnnUNet(?:v2)?_train\b/

// What has as many processes or threads as a task has cores; the first runs pieces of work that need not know of each other.
const PIECES =
  /\b(parallel|xargs)\s(?:[^\n|;]{0,200}\s)?((?:-j|--jobs|-P|--max-procs)[= ]?["']?(?:\$\{?SLURM_CPUS_(?:PER_TASK|ON_NODE)\b\}?|\$\(nproc\)))/
const FOLLOWS =
  /()((?:(?<![\w-])-{0,2}[\w-]{0,30}(?:THREADS|threads|workers|cores|cpus|jobs|procs)|-[jtp])[= ]["']?\$\{?SLURM_CPUS_PER_TASK\b\}?)/

// A comment tells of a program that counts the cores of its node.
const COUNTED = /^[ \t]*#(?!!).*?((?:\b\w+\.)?\bcpu_count\(\)|\b(?:parallel::)?detectCores\(\)|\bPool\(\))/m

// A step with as many tasks as nodes, which fits any number of them.
const EACH_NODE = /(?:--ntasks|--nodes|--nnodes|\s-n|\s-N)[= ]?"?\$\{?SLURM_(?:NNODES|JOB_NUM_NODES)\b/g

// What has builds for GPUs of both makers. Python may run any of them.
const FRAMEWORKS = {PyTorch: /torch|\.py\b/i, JAX: /\bjax|\bflax\b/i, TensorFlow: /\b(?:tensorflow|keras)/i}
const frameworks = text => {
  const found = Object.keys(FRAMEWORKS).filter(name => FRAMEWORKS[name].test(text))
  return found.length > 1 && !/torch/i.test(text) ? found.slice(1) : found
}

const nothing = sentence => ({script: "", changes: [], impossible: [sentence]})

/**
 * @param {System} from the system that the script is for
 * @param {System} to the other system; both with their part `move`
 * @param {string} text the script
 * @returns {{script: string, changes: {line: number|null, from: string, to: string,
 *   reason: string}[], impossible: string[]}} `script` is empty where nothing there takes
 *   the job; `impossible` says what cannot be moved. A change without a line is a new line.
 */
export function move(from, to, text) {
  if (text.includes("\r\n")) {
    const found = move(from, to, text.replace(/\r\n/g, "\n"))
    const reason = "Windows line endings are removed, because schedulers reject them."
    return found.script ? {...found, changes: [{line: null, from: "", to: "", reason}, ...found.changes]} : found
  }
  if (!text.trim()) return nothing("The file is empty.")
  if (to.kind !== "slurm") {
    const why = from.kind === "slurm" ? ", which has no equivalent for many Slurm options" : ""
    return nothing(`${to.name} uses Grid Engine${why}. We move scripts from it, but not to it.`)
  }
  if (!to.move.running) return nothing(`${to.name} accepts no jobs, so we cannot move a script to it.`)
  if (!text.startsWith("#!")) return begun(from, to, text)
  const options = schedulerOf(from.kind).readOptions(text)
  if (options.some(option => option.name === "hetjob"))
    return nothing("We cannot move a job with several components. Move each component separately.")
  if (from.kind === "slurm" && !options.length && /^\s*(?:salloc|sinteractive|srun\b.*--pty)\b/m.test(text))
    return nothing("We move job scripts, not interactive sessions. Write the options as #SBATCH lines, and move those.")
  return whole(from, to, text, options)
}

/** The script, and those that stand in it. */
function whole(from, to, text, options) {
  const {text: rest, scripts} = apart(text)
  const submits = from.kind === "slurm" && !options.length && submissionsOf(text, from.kind) !== null
  /** @type {any} */
  const found = submits ? submitting(from, to, rest) : moved(from, to, rest, options)
  if (!found.lines) return found
  const impossible = [...found.impossible]
  const inside = script => moved(from, to, script, schedulerOf(from.kind).readOptions(script))
  const lines = together(found.lines, scripts, inside, impossible)
  const script = lines.flatMap(each => each.text ?? []).join("\n") + (text.endsWith("\n") ? "\n" : "")
  return {script, changes: changesOf(lines), impossible: withSteps(text, script, [...new Set(impossible)], to)}
}

/** A script that runs where its user logs in. */
function submitting(from, to, text) {
  const need = needOf(from, [])
  const plan = planOf(from, to, need)
  if (plan.none) return nothing(plan.none)
  const newAccount = to.move.account.sample
  const job = {...sizes(need, plan), perTask: null, amd: false, anew: false, account: null, newAccount, disk: null}
  const [first, ...lines] = text.replace(/\n$/, "").split("\n")
  const done = bodyMover(from, to, job)(lines, [])
  const impossible = withJobs(from, to, lines, text, done.impossible)
  return {lines: [{from: first, text: first, reason: ""}, ...done.lines], impossible}
}

/** sbatch takes no script whose first line names no shell. */
function begun(from, to, text) {
  const found = move(from, to, `#!/bin/bash\n${text}`)
  if (!found.script) return found
  const first = {line: null, from: "", to: "#!/bin/bash", reason: "The first line names the shell."}
  const changes = found.changes.map(each => ({...each, line: each.line && each.line - 1}))
  return {...found, changes: [first, ...changes]}
}

function moved(from, to, text, options) {
  const said = ofDisk(from.move, text)
  /** @type {any} */
  const need = {
    ...needOf(from, options),
    frameworks: frameworks(text),
    torch: /\b(?:py)?torch(?:run|vision)?\b/.test(text),
    trains: /\b(?:py)?torch|grad\w*[-_]accum|deepspeed|\bfsdp|accelerate launch|\.py\b.*--lr[= ]/is.test(text),
    batch: FIXED_BATCH.exec(text.replace(/^\s*#.*/gm, ""))?.[0] ?? null,
    launches: /\b(?:srun|mpirun|mpiexec|mpprun)\b/.test(text) && !/NODEID/.test(text),
    counts:
      /^[^#\n]*(?:\bnproc\b|\bSLURM_(?:JOB_)?CPUS_(?:ON|PER)_NODE\b|cpu_count\()/m.test(text) ||
      COUNTED.test(text) ||
      /^[ \t]*#.*\b(?:all|every) (?:of )?(?:the |its )?(?:cores|CPUs|processors)\b/im.test(text),
    counted: COUNTED.exec(text)?.[1] ?? null,
    data: said?.mib ?? 0,
    told: toldMemory(text),
    continues: OTHER_LANGUAGE.test(text) ? null : continuing(text, from.move.places),
    inContainer: IN_CONTAINER.test(text.replace(/^\s*#.*/gm, "")),
    layout: LAYOUT.exec(text.replace(/^\s*(?:#|echo|printf).*/gm, "").replace(EACH_NODE, ""))?.[0] ?? null,
  }
  const commands = text.replace(/^\s*#.*/gm, "")
  const [, program, setting] = PIECES.exec(commands) ?? FOLLOWS.exec(commands) ?? []
  if (setting && need.tasksPerNode === 1)
    need.follows = {pieces: Boolean(program), written: `${program} ${setting}`.trim()}
  // mpirun starts a process for each slot of Grid Engine's.
  const slots = from.kind !== "slurm" && !need.tasks && !need.gpus && need.perTask > 1
  if (slots && /\bmpi(?:run|exec)\b/.test(text) && !/THREADS=\$\{?NSLOTS/.test(text))
    Object.assign(need, {tasks: need.perTask, tasksPerNode: need.perTask, perTask: 1, nodesGiven: true})
  const plan = planOf(from, to, need)
  if (plan.none) return nothing(plan.none)
  const room = diskOf(to, need, plan)
  plan.hasDisk = room?.mib ?? null
  plan.tooMuch = room && said?.mib > room.mib * 1.02 && room.can < said.mib
  const account = options.findLast(({name}) => name === (from.kind === "slurm" ? "account" : "P"))?.value ?? null
  plan.account = accountOf(from.move, to.move, account)
  const starts = plan.allocated ? to.rules.allocation_accounts : [""]
  if (!starts.some(start => plan.account?.startsWith(start) ?? true))
    plan.account = plan.account.replace(/^[a-z]+-/, starts[0])
  plan.sameAccount = plan.account === account
  const own = from.move.centre === to.move.centre && plan.sameAccount
  const usual = account?.replace(/^r[rp][gp]-/, "def-")
  if (own && account && !/^def-/.test(account))
    plan.impossible.push(
      `Check that the account \`${account}\` can be used on ${to.name}.${usual === account ? "" : ` Such awards are for one system. Otherwise, use \`${usual}\`.`}`,
    )
  if (plan.account && !plan.sameAccount)
    plan.impossible.push(`Replace \`${plan.account}\` with your account on ${to.name}.`)
  const become = (from.kind === "slurm" ? fromSlurm : fromGridEngine)(from, to, need, plan, options)
  const lines = directiveLines(from.kind, text.replace(/\n$/, "").split("\n"), options, become, to.name)
  const job = {
    ...sizes(need, plan),
    ...processors(from, to, need, plan),
    account,
    newAccount: plan.account,
    disk: need.disk ?? null,
    array: need.array ?? plan.chain,
    sameRun: plan.chain ? need.continues?.own : null,
    reserved: plan.reserved,
    room,
    said,
    tasks: need.array,
    wanted: need.diskSize,
    toldDisk: plan.toldDisk,
    tooMuch: plan.tooMuch && !plan.reserved,
    diskless: plan.room.nodes.some(name => to.move.nodes[name].disk === 0) && !plan.disk,
  }
  const first = lines.findIndex(each => each.body && !/^\s*(#|$)/.test(each.from))
  const head = first < 0 ? lines : lines.slice(0, first)
  const body = lines.slice(head.length).map(each => each.text ?? "")
  const [, language] = OTHER_LANGUAGE.exec(text) ?? []
  const done = bodyMover(from, to, job)(language ? [] : body, head)
  if (language) {
    done.lines = lines.slice(head.length)
    plan.impossible.push(
      `The script is in ${language}, so only its options are moved. Move its paths and commands yourself.`,
    )
  }
  const at = to.move.submit[plan.key ? "gpu" : "cpu"]
  const all = [...head, ...done.lines]
  const submit = at ? [`On ${to.name}, ${at}.`] : []
  const tool = to.advice?.software?.container_module
  const runs = /^[^#]*\b(?:apptainer|singularity)\s+(?:exec|run|shell)\b/
  const run = all.findIndex(({text: line}) => runs.test(line ?? ""))
  if (tool && run >= 0 && !all.some(({text: line}) => loadsModule(line, tool))) {
    const before = all.slice(0, run).findLastIndex(({text: line}) => /^(?:module|ml)\s/.test(line ?? ""))
    const reason = `On ${to.name}, a module provides the container program.`
    const at =
      before >= 0
        ? before + 1
        : Math.min(
            run,
            all.findIndex(({text: line}) => /^[^#\s]/.test(line ?? "")),
          )
    all.splice(at, 0, {text: `module load ${tool}`, from: null, reason})
  }
  const build = language ? [] : toBuild(from, to, need, plan, text)
  return {
    lines: all,
    impossible: [...plan.impossible, ...withJobs(from, to, body, text, [...done.impossible, ...build]), ...submit],
  }
}

/** What is said of the script, and of the jobs that it submits. */
function withJobs(from, to, lines, text, impossible) {
  const {said, told} = submitted(from, to, lines, text, (options, alone) => asked(from, to, options, alone))
  const names = each => /^`([^`]+)`:/.exec(each)?.[1] ?? "\n"
  return [...impossible.filter(each => !told.some(option => option.startsWith(names(each)))), ...said]
}

/**
 * What options of sbatch become there: those that go, and those that come. What the shell computes is not known.
 * @param {boolean} alone no script has more of them
 */
function asked(from, to, options, alone) {
  const read = text => schedulerOf("slurm").readOptions(text)
  const role = ({name}) => ROLES[name] ?? name
  const script = `#!/bin/bash\n${options.map(each => `#SBATCH ${each}\n`).join("")}true\n`
  const before = read(script)
  const {lines, impossible} = moved(from, to, script, before)
  if (!lines) return {none: impossible[0], gone: [], come: []}
  const after = read(lines.map(({text}) => text ?? "").join("\n"))
  const unknown = new Set(before.filter(({value}) => /[${}]/.test(value ?? "")).map(role))
  const roles = new Set(before.map(role))
  const less = (some, others) =>
    some.filter(
      each => !unknown.has(role(each)) && !others.some(({name, value}) => name === each.name && value === each.value),
    )
  return {
    gone: less(before, after).map(({written}) => written),
    come: less(after, before).flatMap(each =>
      (alone && each.name !== "time") || roles.has(role(each)) ? [each.written] : [],
    ),
  }
}

const sizes = (need, plan) => ({
  kind: plan.key ? (plan.nodes > 1 ? "nodes" : "gpu") : "cpu",
  old: {
    nodes: need.nodes,
    per: need.perNode,
    tasks: need.tasksPerNode,
    total: need.tasks ?? need.tasksPerNode * need.nodes,
  },
  now: {
    nodes: plan.nodes,
    per: plan.per,
    tasks: plan.tasksPerNode,
    total: plan.total ?? (plan.spread ? need.tasks : plan.tasksPerNode * plan.nodes),
  },
  oldMinutes: need.minutes || null,
  minutes: plan.minutes,
  oldPerTask: plan.had,
  oldCores: Math.max(plan.had * need.tasksPerNode, need.sized ? 0 : (need.share?.cores ?? 0) * need.perNode),
  perTask: plan.cores ? plan.perTask : null,
})

/** Must programs be built anew, and are the GPUs AMD's? */
function processors(from, to, need, plan) {
  const likely = Object.values(from.move.nodes).find(({gpus}) => Object.keys(gpus).length > 0 === Boolean(plan.key))
  const was = likely?.architecture
  const now = to.move.nodes[plan.room.nodes[0]].architecture
  const anew = Boolean(was) && was !== now
  if (anew)
    plan.impossible.push(
      `The ${plan.key ? "GPU" : "CPU"} nodes have ${now} processors, not ${was}, so rebuild programs, environments and containers for them.`,
    )
  const gpu = plan.key && to.move.gpus[plan.key].model
  const oldVendor = need.key ? maker(from.move.gpus[need.key]) : null
  const known = Object.values(to.advice?.gpus ?? {}).find(each => each.model === gpu && each.cuda)
  const oldestCuda = known?.cuda ?? OLDEST_CUDA[capability(to, plan.key)] ?? null
  const [before, after] = [capability(from, need.key), capability(to, plan.key)]
  const newer = before && after && parseInt(before, 10) < parseInt(after, 10)
  const oldestTorch = newer ? (to.move.gpus[plan.key].oldest_pytorch ?? firstPyTorch(after)) : null
  const memory = [from.move.gpus[need.key]?.memory, to.move.gpus[plan.key]?.memory]
  const code = {
    gpuMemory: memory,
    gpuSize: to.move.gpus[plan.key]?.size,
    oldCapability: before,
    capability: after === before ? null : after,
  }
  return {anew, amd: Boolean(gpu?.startsWith("AMD")), oldVendor, gpu, oldestCuda, oldestTorch, ...code}
}

/** The account that is written there: the own one if it has the form of those there. */
function accountOf(here, there, account) {
  const {sample, forms} = there.account
  if (!sample) return null
  const form = each => {
    const escaped = each.replace(/[\\^$.|?+()[\]{}]/g, "\\$&")
    return RegExp(`^${escaped.replace(/#/g, "[0-9]").replace(/\*/g, "[\\w-]+")}$`)
  }
  if (account && forms.some(each => form(each).test(account))) return account
  return account && here.centre === there.centre && !forms.length ? account : sample
}

function changesOf(lines) {
  let number = 0
  return lines.flatMap(({from, text, reason}) => {
    if (from !== null) number++
    if (from === text) return []
    return [{line: from === null ? null : number, from: from ?? "", to: text ?? "", reason}]
  })
}
