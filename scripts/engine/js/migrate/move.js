// A job script for one system becomes one for another: each change with its reason.
// The order in which new directives come, behind those that are there.
import {bodyMover} from "./body.js"
import {ROLES, jobsOfArray, needOf} from "./need.js"
import * as place from "./place.js"
import {schedulerOf} from "../schedulers/registry.js"
import {mebibytes} from "../schedulers/slurm/values.js"

const ORDER = [
  "job-name",
  "account",
  "partition",
  "array",
  "nodes",
  "tasks",
  "cores",
  "memory",
  "gpu",
  "features",
  "time",
]
const clock = minutes => {
  const whole = Math.floor(minutes),
    rest = Math.floor(whole % 1440)
  const two = number => String(number).padStart(2, "0")
  const text = `${two(Math.floor(rest / 60))}:${two(rest % 60)}:${two(Math.round((minutes - whole) * 60))}`
  return whole >= 1440 ? `${Math.floor(whole / 1440)}-${text}` : text
}
const words = minutes => {
  for (const [size, unit] of [
    [1440, "day"],
    [60, "hour"],
    [1, "minute"],
  ])
    if (minutes % size === 0 && (minutes / size > 1 || unit !== "day"))
      return `${minutes / size} ${unit}${minutes / size > 1 ? "s" : ""}`
  return `${Math.round(minutes)} minutes`
}
const memory = mib => (mib >= 1024 ? `${Math.floor(mib / 1024)}G` : `${Math.floor(mib)}M`)
const times = (number, what) => (number === 1 ? `one ${what}` : `${number} ${what}`)
const nothing = sentence => ({script: "", changes: [], impossible: [sentence]})

/**
 * @param {object} from the system that the script is for
 * @param {object} to the other system; both with their part `move`
 * @param {string} text the script
 * @returns {{script: string, changes: {line: number|null, from: string, to: string,
 *   reason: string}[], impossible: string[]}} `script` is empty where nothing there takes
 *   the job; `impossible` says what cannot be moved. A change without a line is a new line.
 */
export function move(from, to, text) {
  if (text.includes("\r\n")) {
    const found = move(from, to, text.replace(/\r\n/g, "\n"))
    const reason = "The line ends of Windows are taken out: schedulers refuse them."
    return found.script ? {...found, changes: [{line: null, from: "", to: "", reason}, ...found.changes]} : found
  }
  if (!text.trim()) return nothing("The file is empty.")
  if (to.kind !== "slurm")
    return nothing(
      from.kind === "slurm"
        ? `${to.name} has Grid Engine, which has no place for much of what Slurm can ask: a script moves from it, not to it.`
        : `${to.name} has Grid Engine: a script moves from it, not to it.`,
    )
  if (!to.move.running) return nothing(`${to.name} takes no jobs: no script can be moved to it.`)
  if (!text.startsWith("#!")) return begun(from, to, text)
  const options = schedulerOf(from.kind).readOptions(text)
  if (options.some(option => option.name === "hetjob"))
    return nothing("A job of several components cannot be moved: move each of them by itself.")
  const need = needOf(from, options)
  const plan = planned(from, to, need)
  if (plan.none) return nothing(plan.none)
  const own = options.findLast(option => option.name === (from.kind === "slurm" ? "account" : "P"))
  const account = own ? own.value : null
  plan.account = accountOf(from.move, to.move, account)
  plan.sameAccount = plan.account === account
  const rows = from.kind === "slurm" ? slurm(from, to, need, plan, options) : gridEngine(from, to, plan, options)
  return written(from, to, text, need, plan, rows, options, account)
}

/** sbatch takes no script whose first line names no shell. */
function begun(from, to, text) {
  const found = move(from, to, `#!/bin/bash\n${text}`)
  if (!found.script) return found
  const first = {line: null, from: "", to: "#!/bin/bash", reason: "A script begins with its shell."}
  const changes = found.changes.map(each => ({...each, line: each.line && each.line - 1}))
  return {...found, changes: [first, ...changes]}
}

/** The sizes that the job has there, what is told of them, and what cannot be had. */
function planned(from, to, need) {
  const [here, there] = [from.move, to.move]
  const plan = {impossible: [], nodes: need.nodes, per: 0, key: null, notes: {}}
  const old = need.key && here.gpus[need.key]
  if (need.gpus) {
    plan.key = place.successor(old, there, need.gpus)
    if (!plan.key) return {none: `${to.name} has no GPU that takes the place of ${old.model}: no such GPU there.`}
    Object.assign(plan, place.layout(there, plan.key, need.gpus, need.nodes))
  }
  const gpu = plan.key && there.gpus[plan.key]
  if (gpu) tellGpu(from, to, need, plan, old, gpu)
  const endless = need.minutes === 0 || need.minutes === Infinity
  plan.minutes = endless ? 0 : (need.minutes ?? asked(here, need) ?? 60)
  sizes(from, to, need, plan, gpu)
  const room = place.partition(there, plan)
  if (!room) return {none: none(to, need, plan, gpu)}
  plan.room = room
  if (plan.memory === null) ofCores(there, plan)
  const [shortest, most] = room.time
  if (endless) {
    plan.minutes = most ?? 1440
    plan.notes.time = `The longest job there; it had no end.`
    plan.impossible.push(`A job without an end is not taken: it gets ${words(plan.minutes)}.`)
  }
  plan.total = plan.minutes
  if (most && plan.minutes > most) chain(to, need, plan, most)
  else if (shortest && plan.minutes < shortest) {
    plan.minutes = shortest
    plan.notes.time = `No shorter job is taken there than ${words(shortest)}.`
  }
  arrays(to, need, plan)
  return plan
}

/** More jobs in an array than may be there at once: its first ones. */
function arrays(to, need, plan) {
  const limit = Math.min(plan.room.jobs ?? Infinity, to.move.jobs ?? Infinity)
  const number = plan.chain ?? (need.array === null ? 1 : jobsOfArray(need.array))
  if (number <= limit) return
  const why = `${to.name} takes ${limit} jobs at most, each of an array counts; it had ${number}.`
  plan.impossible.push(`${why} Submit the others when these have ended.`)
  const first = /^(\d+)-\d+(?::(\d+))?(%\d+)?$/.exec(plan.chain ? `1-${number}%1` : need.array)
  if (!first) return
  const [, begin, step = 1, together = ""] = first
  plan.array = `${begin}-${Number(begin) + (limit - 1) * step}${step > 1 ? `:${step}` : ""}${together}`
  plan.notes.array = why
}

/** The memory of a job that names none: the part of a node that its cores are. */
function ofCores(there, plan) {
  const nodes = plan.room.nodes.map(name => there.nodes[name]).filter(node => node.cores >= plan.cores && node.memory)
  if (!nodes.length) return
  const part = Math.min(...nodes.map(node => Math.floor((node.memory / node.cores) * plan.cores)))
  plan.memory = Math.min(part, plan.room.memory ?? Infinity)
  plan.notes.memory = "The part of a node that its cores are."
}

function asked(move, need) {
  const room = move.partitions.find(each => each.name === need.partition)
  return room?.defaultTime ?? move.defaultTime ?? room?.time[1] ?? null
}

function none(to, need, plan, gpu) {
  const what = gpu
    ? `${times(plan.per * plan.nodes, gpu.model)} on ${times(plan.nodes, plan.nodes > 1 ? "nodes" : "node")}`
    : `a job of ${plan.cores} cores and ${memory(plan.memory ?? 0)} on ${times(plan.nodes, plan.nodes > 1 ? "nodes" : "node")}`
  return `${to.name} has no partition that takes ${what}.`
}

function tellGpu(from, to, need, plan, old, gpu) {
  const maker = each => each.model.split(" ")[0]
  const total = plan.per * plan.nodes
  let why = `${gpu.model}${gpu.slice ? " slice" : ""} with ${gpu.size}; it was ${old.model}${old.slice ? " slice" : ""} with ${old.size}.`
  if (gpu.memory < old.memory)
    plan.impossible.push(
      `${to.name} has no GPU with ${old.size}: its ${gpu.model} has ${gpu.size}. A program that needs more stops.`,
    )
  if (old.slice && !gpu.slice) why += " There is no slice for it: you get a whole GPU, and pay for it."
  if (maker(gpu) !== maker(old)) {
    const [language, others] = maker(gpu) === "AMD" ? ["CUDA", "ROCm"] : ["HIP", "CUDA"]
    why += ` A GPU of ${maker(gpu)}: programs in ${language} do not run on it; PyTorch does, built for ${others}.`
    plan.impossible.push(
      `What was compiled for ${maker(old)}'s GPUs does not run on those of ${maker(gpu)}: build it anew, if it can be.`,
    )
  }
  if (total > need.gpus)
    why += ` ${to.name} gives ${gpu.counts.join(" or ")} of them: ${total} in place of ${need.gpus}.`
  if (plan.nodes > need.nodes) why += ` A node has ${plan.per}: ${plan.nodes} nodes.`
  plan.notes.gpu = why
}

/** Cores and memory a node: the GPUs' share, or what was asked for where that is more. */
function sizes(from, to, need, plan, gpu) {
  const there = to.move
  const perTaskOld = need.perTask
  // Tasks that may be on any number of nodes: as many nodes as hold them there.
  const free = !gpu && !need.nodesGiven && need.tasks > 1
  if (free) plan.nodes = enough(there, need, plan)
  plan.spread = free && plan.nodes > 1
  let tasks = Math.max(1, Math.ceil((need.tasksPerNode * need.nodes) / plan.nodes))
  plan.tasksPerNode = tasks
  const share = gpu?.share
  const rooms = there.partitions.filter(room => place.takes(there, room, {...plan, cores: 1, memory: 0}))
  const usable = rooms.filter(room => !room.trial).length ? rooms.filter(room => !room.trial) : rooms
  const largest = (of, limit) =>
    Math.max(
      0,
      ...usable.flatMap(room =>
        room.nodes.map(name => {
          const node = there.nodes[name]
          const fits = gpu ? plan.key in node.gpus || gpu.whole in node.gpus : !Object.keys(node.gpus).length
          return fits ? Math.min(node[of] ?? Infinity, limit(room) ?? Infinity) : 0
        }),
      ),
    )
  const onNode = largest("cores", room =>
    Math.min(room.coresPerNode ?? Infinity, (room.cores[1] ?? Infinity) / plan.nodes),
  )
  const ofGpus = gpu?.maxCores ? gpu.maxCores * plan.per : Infinity
  const mostMemory = largest("memory", room => room.memory)
  const mostCores = Math.min(onNode, ofGpus)
  const oldCores = perTaskOld * (free ? tasks : need.tasksPerNode)
  const more = (asked, share) => share && asked > share * need.perNode
  if (share) {
    plan.cores = Math.max(1, Math.floor((share.cores * plan.per) / tasks)) * tasks
    plan.notes.cores = `The share of ${times(plan.per, plan.per > 1 ? "GPUs" : "GPU")}: ${share.cores * plan.per} cores.`
    if (more(oldCores, need.share?.cores) && oldCores > plan.cores) {
      plan.cores = oldCores
      plan.notes.cores = "More than a GPU's share, as before."
    }
  } else plan.cores = oldCores
  plan.memory = plan.spread ? partOf(need, tasks) : need.memory
  if (share?.memory) {
    const part = share.memory * plan.per
    if (more((need.memory ?? 0) * 0.99, need.share?.memory) && need.memory > part)
      plan.notes.memory = "More than a GPU's share, as before."
    else {
      plan.memory = part
      plan.notes.memory = `The share of ${times(plan.per, plan.per > 1 ? "GPUs" : "GPU")} there.`
    }
  }
  if (plan.cores > mostCores && mostCores) {
    plan.impossible.push(
      `${to.name} gives a job of this kind ${mostCores} cores on one node at most; it had ${plan.cores}.`,
    )
    plan.notes.cores = `${mostCores} is the most there.`
    if (tasks > mostCores) plan.fewer = plan.tasksPerNode = tasks = mostCores
    plan.cores = Math.max(1, Math.floor(mostCores / tasks)) * tasks
  }
  if (plan.memory > mostMemory && mostMemory && mostMemory < Infinity) {
    plan.impossible.push(
      `${to.name} gives a job of this kind ${memory(mostMemory)} on one node at most; it had ${memory(plan.memory)}.`,
    )
    plan.notes.memory = `${memory(mostMemory)} is the most there.`
    plan.memory = mostMemory
  }
  plan.perTask = Math.floor(plan.cores / tasks)
  plan.mostCores = mostCores
}

/** A node's memory where it has so many of the job's tasks. */
const partOf = (need, tasks) =>
  need.memory && need.memoryOfCores ? Math.ceil((need.memory * tasks) / need.tasks) : need.memory

/** As few nodes as hold all tasks in a partition that takes so many; 1 if there is none. */
function enough(there, need, plan) {
  const rooms = there.partitions.filter(room => !room.trial)
  const cores = rooms.flatMap(room =>
    room.nodes
      .map(name => there.nodes[name])
      .filter(node => !Object.keys(node.gpus).length)
      .map(node => Math.min(node.cores ?? 0, room.coresPerNode ?? Infinity)),
  )
  for (const each of [...new Set(cores)].sort((a, b) => b - a)) {
    const nodes = Math.ceil(need.tasks / Math.floor(each / need.perTask)),
      tasks = Math.ceil(need.tasks / nodes)
    const job = {...plan, nodes, cores: tasks * need.perTask, memory: partOf(need, tasks) ?? 0}
    if (nodes < Infinity && rooms.some(room => place.takes(there, room, job))) return nodes
  }
  return 1
}

/** Longer than any job there: several after each other. */
function chain(to, need, plan, most) {
  const number = Math.ceil(plan.minutes / most)
  const why = `A job there ends after ${words(most)}; it was ${words(plan.minutes)}.`
  plan.minutes = most
  if (need.array !== null) {
    plan.notes.time = why
    plan.impossible.push(`${why} Cut the work of each job of the array into ${number}.`)
    return
  }
  plan.chain = number
  plan.notes.time = `${why} Cut into ${number} jobs.`
  plan.notes.array = `${number} jobs, one after the other, have the time together: the program must save its state, and go on from it.`
}

/** The account that is written there: the own one if it has the form of those there. */
function accountOf(here, there, account) {
  if (!there.account.sample) return null
  const form = each =>
    RegExp(
      `^${each
        .replace(/[\\^$.|?+()[\]{}]/g, "\\$&")
        .replace(/#/g, "[0-9]")
        .replace(/\*/g, "[\\w-]+")}$`,
    )
  if (account && there.account.forms.some(each => form(each).test(account))) return account
  if (account && here.centre === there.centre && !there.account.forms.length) return account
  return there.account.sample
}

/** What each role becomes: its directives, or none; undefined: taken along. */
function wanted(to, need, plan, had) {
  const there = to.move,
    {room} = plan,
    rule = plan.key ? there.memory.gpu : there.memory.cpu
  const named = there.partition === "leave out" || (room.default && !room.used) ? [] : [`--partition=${room.name}`]
  const access =
    room.trial && !room.used ? " Not everybody may use it, or it is for trials: nothing else there takes this job." : ""
  const whole = Math.max(...room.nodes.map(name => there.nodes[name].cores ?? 0))
  const idle =
    room.exclusive && !plan.key && plan.cores < whole / 2
      ? ` It gives whole nodes of ${whole} cores, and this job uses ${plan.cores} of each: put it on fewer, if it can be.`
      : ""
  const found = {
    account: plan.account
      ? [[`--account=${plan.account}`], plan.sameAccount ? "" : "An account as that system has them: write your own."]
      : [[], `${to.name} asks for no account.`],
    partition: named.length
      ? [named, `${room.time[1] ? `Up to ${words(room.time[1])}.` : "It takes such jobs."}${access}${idle}`]
      : [[], "No partition is named there: Slurm takes the right one."],
    time: [[`--time=${clock(plan.minutes)}`], plan.notes.time ?? ""],
    memory:
      rule === "leave out" || rule === "ignored" || plan.memory === null
        ? [[], "The GPUs or the node bring their memory there."]
        : [[`--mem=${memory(plan.memory)}`], plan.notes.memory ?? ""],
  }
  if (plan.chain) found.array = [[`--array=1-${plan.chain}%1`], plan.notes.array]
  if (plan.array) found.array = [[`--array=${plan.array}`], plan.notes.array]
  if (need.mostNodes > (room.count[1] ?? Infinity))
    found.nodes = [[`--nodes=${plan.nodes}`], "More are not taken in this partition."]
  if (plan.nodes !== need.nodes) {
    found.nodes = [[`--nodes=${plan.nodes}`], plan.notes.gpu]
    found.tasks = plan.spread
      ? [[`--ntasks=${need.tasks}`], "All of them together."]
      : [[`--ntasks-per-node=${plan.tasksPerNode}`], "So many on each node."]
    if (plan.spread) found.nodes[1] = `Its tasks need ${times(plan.nodes, "nodes")} there.`
  }
  if (plan.fewer) found.tasks = [[`--ntasks-per-node=${plan.fewer}`], `${plan.fewer} is the most there.`]
  const sameCores = plan.spread ? plan.perTask === need.perTask : plan.cores === need.perTask * need.tasksPerNode
  if (plan.cores && (had.has("cores") || !sameCores))
    found.cores = [[`--cpus-per-task=${plan.perTask}`], plan.notes.cores ?? ""]
  if (plan.key) {
    const [[name, value], ...rest] = there.gpus[plan.key].request
    const job = name === "gpus"
    const number = job && plan.nodes === 1 ? plan.per * plan.nodes : plan.per
    found.gpu = [
      [`--${job && plan.nodes > 1 ? "gpus-per-node" : name}=${value.replace(/\d+$/, number)}`],
      plan.notes.gpu,
    ]
    found.features = [
      rest.map(([other, what]) => `--${other}=${what}`),
      rest.length ? "It chooses among the GPUs of this name." : "No node there is called so.",
    ]
  }
  return found
}

function slurm(from, to, need, plan, options) {
  const there = to.move,
    had = new Set(options.map(option => ROLES[option.name]))
  const found = wanted(to, need, plan, had)
  if (need.minutes === plan.minutes && need.minutes) delete found.time
  if (need.memory === 0 && found.memory[0].length) delete found.memory
  if (need.memoryOfCores) found.memory &&= [found.memory[0], found.memory[1] || "For all the cores of a node together."]
  found.features ??= [[], "No node there is called so."]
  found.named = [[], `Nodes, reservations and licences are those of ${from.name}.`]
  found.threads = there.threads === "leave out" ? [[], "Leave it out there."] : undefined
  const qos = options.findLast(option => option.name === "qos")
  if (qos && !Object.hasOwn(there.qos, qos.value)) found.qos = [[], `${to.name} has no such quality of service.`]
  else if (qos && (there.qos[qos.value] ?? Infinity) < plan.minutes)
    found.qos = [[], `There it is for jobs of up to ${words(there.qos[qos.value])}.`]
  if (plan.room.noExclusive) found.exclusive = [[], "Refused in this partition."]
  const tmp = options.findLast(option => option.name === "tmp")
  const disk = plan.room.nodes.some(name => (there.nodes[name].tmp ?? 0) >= (tmp ? mebibytes(tmp.value) : 0))
  if (tmp && !disk) {
    found.tmp = [[], "No node of this partition has so much local disk."]
    plan.impossible.push(`Local disk of ${tmp.value} cannot be asked for in ${plan.room.name}.`)
  }
  for (const item of need.others) {
    const bare = item.split(":")[0]
    if (plan.room.nodes.some(name => there.nodes[name].gres.includes(bare)))
      found.gpu = found.gpu
        ? [
            [`${found.gpu[0][0].startsWith("--gres=") ? `${found.gpu[0][0]},${item}` : `${found.gpu[0][0]}`}`],
            found.gpu[1],
          ]
        : [[`--gres=${item}`], ""]
    else {
      found.gpu ??= [[], `${to.name} has no ${bare} to ask for.`]
      plan.impossible.push(
        `${to.name} has no ${item} to ask for with --gres: the node's own disk is there without asking, if it has one.`,
      )
    }
  }
  return {found, role: option => ROLES[option.name] ?? option.name}
}

/** Grid Engine's options in Slurm's words. */
function gridEngine(from, to, plan, options) {
  const had = new Set(["cores"])
  const need = needOf(from, options)
  const found = wanted(to, need, plan, had)
  const name = text =>
    text
      .replace(/\$JOB_ID/g, "%j")
      .replace(/\$JOB_NAME/g, "%x")
      .replace(/\$TASK_ID/g, "%a")
  const job = options.findLast(option => option.name === "N")?.value
  const output = text => name(job && text.startsWith(`${job}.`) ? text.replace(`${job}.`, "%x.") : text)
  const MAIL = {b: "BEGIN", e: "END", a: "FAIL", s: "REQUEUE", n: "NONE"}
  const made = {
    N: value => `--job-name=${value}`,
    o: value => `--output=${output(value)}`,
    e: value => `--error=${output(value)}`,
    m: value =>
      `--mail-type=${[...value]
        .map(sign => MAIL[sign])
        .filter(Boolean)
        .join(",")}`,
    M: value => `--mail-user=${value}`,
    v: value => `--export=ALL,${value}`,
    hold_jid: value => `--dependency=afterany:${value.replace(/,/g, ":")}`,
  }
  const waits = options.findLast(each => each.name === "hold_jid")?.value ?? ""
  if (/[^\d,]/.test(waits)) {
    // a job's name
    delete made.hold_jid
    found.hold_jid = [[], "Slurm waits for numbers of jobs, not for names."]
    plan.impossible.push(
      `-hold_jid ${waits}: Slurm waits for numbers of jobs. Give it when you submit: sbatch --dependency=afterany:NUMBER`,
    )
  }
  for (const [option, text] of Object.entries(made)) {
    const given = options.findLast(each => each.name === option)
    if (given) found[option] = [[text(given.value ?? "")], ""]
  }
  if (need.array && !plan.array) {
    const most = options.findLast(each => each.name === "tc")?.value
    found.array = [[`--array=${need.array}${most ? `%${most}` : ""}`], ""]
  }
  if (need.nodes === plan.nodes) found.nodes = [[`--nodes=${plan.nodes}`], ""]
  found.tasks ??= [
    [
      need.tasks && (!need.nodesGiven || need.nodes === plan.nodes)
        ? `--ntasks=${need.tasks}`
        : `--ntasks=${plan.tasksPerNode * plan.nodes}`,
    ],
    "",
  ]
  if (need.tasks > 1 && !need.nodesGiven && !plan.spread) delete found.nodes
  const why = {
    cwd: "A job starts where it was submitted.",
    S: "The first line of the script says it.",
    j: "Output and errors go to one file unless you ask for two.",
    V: "Slurm takes the environment along.",
    P: "For private queues only.",
    tc: "It stands behind the array.",
  }
  const role = option => {
    if (option.name === "l")
      return /h_rt=/.test(option.value)
        ? "time"
        : /h_vmem=/.test(option.value)
          ? "memory"
          : /^np=/.test(option.value)
            ? "tasks"
            : /^(nodes|ppn|tpp)=/.test(option.value)
              ? "nodes"
              : "gpu"
    return {pe: /ib/.test(option.value ?? "") ? "tasks" : "cores", t: "array", P: "account"}[option.name] ?? option.name
  }
  for (const option of options) {
    const key = role(option)
    found[key] ??= [[], why[option.name] ?? "Slurm has nothing for it."]
    if (option.name === "l" && /disk/.test(option.value))
      plan.impossible.push(`-l ${option.value}: local disk cannot be set aside there.`)
  }
  return {found, role}
}

/** The whole script, line by line. */
function written(from, to, text, need, plan, {found, role}, options, account) {
  const lines = text.split("\n")
  const ended = lines.at(-1) === ""
  if (ended) lines.pop()
  const prefix = from.kind === "slurm" ? "#SBATCH" : "#$"
  const touched = new Map()
  for (const option of options)
    for (const [line] of option.pieces.slice(0, 1)) touched.set(line, [...(touched.get(line) ?? []), option])
  const more = new Set(options.flatMap(option => option.pieces.map(([line]) => line)))
  const done = new Set(),
    out = []
  const reasons = new Map()
  let last = 0
  lines.forEach((line, index) => {
    const here = touched.get(index + 1)
    if (!here) {
      if (more.has(index + 1)) out.push({from: line, text: null, reason: "It stands with the option's name."})
      else out.push({from: line, text: line, reason: "", body: !line.startsWith(prefix) && index > 0})
      return
    }
    const to = [],
      why = [],
      own = []
    let changed =
      from.kind !== "slurm" ||
      here.some(option => option.pieces.length > 1 && option.pieces[0][0] !== option.pieces[1][0])
    for (const option of here) {
      const name = role(option)
      const now = found[name]
      if (!now) {
        to.push(option.written)
        own.push(here.length > 1 ? "The same, on a line of its own." : "")
        continue
      }
      const again = done.has(name)
      done.add(name)
      const same = !again && now[0].length === 1 && now[0][0] === option.written
      if (!again) {
        to.push(...now[0])
        now[0].forEach(() => own.push(now[1] || (same ? "The same, on a line of its own." : "")))
      }
      if (!same) {
        changed = true
        why.push(again ? "It is said once." : now[1])
      }
    }
    last = out.length + 1
    if (!changed) {
      out.push({from: line, text: line, reason: "", directive: true})
      return
    }
    const plain = from.kind === "slurm" ? "The same in its long form." : "Slurm's word for it."
    const reason = [...new Set(why.filter(Boolean))].join(" ") || plain
    const several = here.length > 1 && to.length > 1
    if (!to.length) out.push({from: line, text: null, reason})
    to.forEach((each, i) =>
      out.push({
        from: i ? null : line,
        text: `#SBATCH ${each}`,
        reason: several && i ? own[i] || plain : reason,
        roles: here.map(role),
      }),
    )
    last = out.length
  })
  insert(out, found, done, plan, last)
  return joined(from, to, out, need, plan, account, ended)

  function insert(out, found, done, plan) {
    for (const name of ORDER) {
      const now = found[name]
      if (!now || done.has(name) || !now[0].length) continue
      const before = ORDER.slice(0, ORDER.indexOf(name)).reverse()
      let at = -1
      for (const other of before) {
        at = out.findLastIndex(
          each =>
            each.role === other || (each.text !== null && each.text.startsWith("#SBATCH") && of(each.text) === other),
        )
        if (at >= 0) break
      }
      if (at < 0) at = out[0]?.from?.startsWith("#!") ? 0 : -1
      out.splice(
        at + 1,
        0,
        ...now[0].map(text => ({from: null, text: `#SBATCH ${text}`, reason: now[1] || "Said there.", role: name})),
      )
    }
  }
}
/** The role of a directive's line. */
const of = line => {
  const name = /^#SBATCH\s+--?([\w-]+)/.exec(line)?.[1]
  return ROLES[name] ?? name
}

function joined(from, to, out, need, plan, account, ended) {
  const architecture = move => {
    const nodes = Object.values(move.nodes).filter(node => Boolean(Object.keys(node.gpus).length) === Boolean(plan.key))
    return nodes[0]?.architecture
  }
  const [was, now] = [architecture(from.move), plan.room.nodes.map(name => to.move.nodes[name])[0].architecture]
  if (was && was !== now)
    plan.impossible.push(
      `The processors are ${now}, not ${was}: programs, environments and containers must be built anew there.`,
    )
  const kind = plan.key ? (plan.nodes > 1 ? "nodes" : "gpu") : "cpu"
  const job = {
    kind,
    account,
    newAccount: plan.account,
    anew: was && was !== now,
    amd: plan.key && to.move.gpus[plan.key].model.startsWith("AMD"),
    old: {nodes: need.nodes, per: need.perNode},
    now: {nodes: plan.nodes, per: plan.per},
  }
  const first = out.findIndex(each => each.body && !/^\s*(#|$)/.test(each.from))
  const cut = first < 0 ? out.length : first
  const {lines, impossible} = bodyMover(
    from,
    to,
    job,
  )(
    out.slice(cut).map(each => each.text ?? ""),
    out.slice(0, cut),
  )
  const all = [...out.slice(0, cut), ...lines]
  const changes = []
  let number = 0
  for (const each of all) {
    if (each.from !== null) number++
    if (each.from !== each.text)
      changes.push({
        line: each.from === null ? null : number,
        from: each.from ?? "",
        to: each.text ?? "",
        reason: each.reason,
      })
  }
  const script =
    all
      .filter(each => each.text !== null)
      .map(each => each.text)
      .join("\n") + (ended ? "\n" : "")
  return {script, changes, impossible: [...new Set([...plan.impossible, ...impossible])]}
}
