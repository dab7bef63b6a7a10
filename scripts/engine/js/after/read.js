// What a listing says of a job that has ended: of seff, sacct, jobstats, `scontrol show job`, or the end of a log. Memory
// is in MiB, time in seconds, what was used of cores and GPUs a fraction. What is not said is null.
import {straightened, unwrapped} from "./paste.js"
import {mib, seconds} from "./sizes.js"

// The first tells the cause before the next where a job and its steps, or several jobs, ended differently.
const STATES = `OUT_OF_MEMORY TIMEOUT NODE_FAIL BOOT_FAIL PREEMPTED DEADLINE FAILED CANCELLED COMPLETED RUNNING PENDING
SUSPENDED COMPLETING REQUEUED`.split(/\s+/)
const CAUSES = STATES.slice(0, 5)
const NOT_ENDED = STATES.slice(STATES.indexOf("RUNNING"))
const OF_MEMORY = /oom[_-]kill|task.*: Out Of Memory|^Killed\b/i
/** @type {[RegExp, string][]} */
const LOG = [
  [/oom[_-]kill|task.*: Out Of Memory/i, "OUT_OF_MEMORY"],
  [/DUE TO TIME LIMIT/, "TIMEOUT"],
  [/DUE TO NODE FAILURE|error: Node failure on/, "NODE_FAIL"],
  [/DUE TO PREEMPTION/, "PREEMPTED"],
  [/\*\*\* JOB .* CANCELLED AT /, "CANCELLED"],
  [/Exited with exit code \d+/, "FAILED"],
]

const number = text => (/^\d+$/.test(text ?? "") ? Number(text) : null)
const percent = text => (text === undefined ? null : Number(text) / 100)
const mean = list => (list.length ? list.reduce((sum, each) => sum + each, 0) / list.length : null)

/** {state, by} of `CANCELLED by 1000`, and of `OUT_OF_ME+`, as a narrow column has it. */
function stateOf(text) {
  const [, word, user] = /^([A-Z_]{3,})\+?(?:.*? by (\d+))?/.exec(text?.trim() ?? "") ?? []
  return {state: (word && STATES.find(each => each.startsWith(word))) ?? null, by: user ?? null}
}

/** {exit, signal} of `3:0`. */
function exitOf(text) {
  const [, exit, signal] = /^(\d+):(\d+)$/.exec(text ?? "") ?? []
  return {exit: exit ? Number(exit) : null, signal: Number(signal) || null}
}

/** Cores, GPUs, nodes and memory of `cpu=4,mem=2G,node=1,gres/gpu=1`. */
function ofTres(text) {
  const of = pattern => pattern.exec(text ?? "")?.[1]
  const gpus = number(of(/gres\/gpu(?::[^=,]*)?=(\d+)/))
  return {
    cores: number(of(/\bcpu=(\d+)/)),
    nodes: number(of(/\bnode=(\d+)/)),
    requested: mib(of(/\bmem=([^,]+)/)),
    gpus: gpus ?? (text ? 0 : null),
  }
}

/** The job that needs a change most. */
function worstOf(jobs) {
  const order = ({state}) => (STATES.indexOf(state) + 100) % 100
  const [worst] = jobs.filter(Boolean).sort((a, b) => order(a) - order(b) || (b.used ?? 0) - (a.used ?? 0))
  return worst ? {...worst, jobs: jobs.filter(Boolean).length} : null
}
const fromLines = text => worstOf(text.split(/^(?=[ \t]*Job ID:)/m).map(ofLines))
const fromScontrol = text => worstOf(text.split(/^(?=JobId=)/m).map(ofScontrol))

/** Lines `Name: value`, as seff and jobstats have them. */
function ofLines(given) {
  const text = given.replace(/(\d),(\d+)(?= ?(?:%|[KMGT]B))/g, "$1.$2")
  const line = name => new RegExp(`^[ \\t]*${name}:[ \\t]*(.+?)[ \\t]*$`, "m").exec(text)?.[1]
  const bar = name => percent(new RegExp(`^[ \\t]*${name}[ \\t]*\\[[^\\]]*?([\\d.]+)%`, "m").exec(text)?.[1])
  const [, cpu] = /^([\d.]+)% of /.exec(line("CPU Efficiency") ?? "") ?? []
  const [, all, per] =
    /(?:^[\d.]+% of |^)([\d.]+ ?\w+)(?: \([\d.]+ ?[KMGT]?B(?:\/| per )(node|core|CPU-core)\))?/.exec(
      line("Memory Efficiency") ?? line("CPU Memory") ?? "",
    ) ?? []
  const elapsed = seconds(line("Job Wall-clock time") ?? line("Run Time"))
  const nodes = number(line("Nodes"))
  const here = number(line("Cores per node"))
  const load = /^GPU load\n.*\n((?:[ \t]+\S+[ \t]+\d+[ \t]+[\d. \t]+\n?)+)/m.exec(text)?.[1] ?? ""
  const each = [...load.matchAll(/^\s*\S+\s+\d+\s+([\d.]+)/gm), ...text.matchAll(/\(GPU \d+\): ([\d.]+)%/g)]
  const loads = each.map(([, value]) => Number(value) / 100)
  const requested = mib(all)
  const share = bar("CPU memory usage")
  const [, exit] = /exit code (\d+)/.exec(line("State") ?? "") ?? []
  const said = stateOf(line("State"))
  if (!said.state && elapsed === null && !line("Memory Efficiency")) return null
  return {
    ...said,
    id: number(line("Job ID")),
    exit: number(exit),
    elapsed,
    limit: seconds(line("Time Limit")),
    nodes,
    cores: number(line("CPU Cores") ?? line("Cores")) ?? (here && here * (nodes ?? 1)),
    cpu: percent(cpu) ?? bar("CPU utilization"),
    used: mib(line("Memory Utilized")?.replace(/ \(.*/, "")) ?? (share && requested && share * requested),
    estimated: /estimated/.test(line("Memory Utilized") ?? ""),
    requested: requested || null,
    // jobstats divides by cores whatever was asked for
    per: line("Memory Efficiency") ? (per ?? null) : null,
    gpus: number(line("GPUs")) ?? (loads.length || null),
    gpu: bar("GPU utilization") ?? mean(loads),
    idle: loads.filter(each => each < 0.05).length,
  }
}

/** `Name=value`, as `scontrol show job` has it. */
function ofScontrol(text) {
  const value = name => new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(text)?.[1]
  if (!value("JobState")) return null
  const tres = ofTres(value("AllocTRES") ?? value("TRES") ?? value("ReqTRES"))
  return {
    ...tres,
    ...stateOf(value("JobState")),
    ...exitOf(value("ExitCode")),
    id: number(value("JobId")),
    elapsed: seconds(value("RunTime")),
    limit: seconds(value("TimeLimit")),
    tasks: number(value("NumTasks")),
    partition: value("Partition") ?? null,
    reason: value("Reason") ?? null,
    per: value("MinMemoryCPU") ? "core" : value("MinMemoryNode") ? "node" : null,
  }
}

/** The rows of sacct's table, by the names of its columns: between bars, below a line of dashes, or with one blank. */
function rowsOf(given) {
  const first = given.findIndex(line => /^[^|]*\bJobID(?:Raw)?\|/i.test(line))
  const lines = first < 0 ? given : [...given.slice(0, first), ...unwrapped(given.slice(first))]
  for (const [at, line] of lines.entries()) {
    if (!/(?:^|[\s|])JobID(?:Raw)?(?:[\s|]|$)/i.test(line)) continue
    const below = lines.slice(at + 1)
    const spans = [...(below[0] ?? "").matchAll(/-+/g)].map(found => [found.index, found.index + found[0].length])
    const ruled = spans.length && /^[-\s]+$/.test(below[0])
    const plain = /^\s*JobID(?:Raw)?(?:\s+[A-Za-z]+)+\s*$/.test(line) && /\s(?:State|Elapsed)\b/.test(line)
    if (!ruled && !line.includes("|") && !plain) continue
    const blanks = text => [text.trim().split(/\s+/), text.split(" ")].find(row => row.length === names?.length)
    const words = text => {
      if (line.includes("|")) return text.split("|").map(word => word.trim())
      return (!ruled && names && blanks(text)) || text.trim().split(/\s+/)
    }
    const blank = letter => letter === undefined || letter === " "
    const straight = text => spans.every(([from, to]) => blank(text[from - 1]) && blank(text[to]))
    const cut = text => spans.map(([from, to]) => text.slice(from, to).trim())
    let names = null
    names = words(line).map(name => name.toLowerCase())
    const cells = below
      .slice(ruled ? 1 : 0)
      .map(text => (ruled && straight(text) ? cut(text) : words(text)))
      .filter(row => row.length === names.length)
    const rows = cells.map(row => Object.fromEntries(names.map((name, column) => [name, row[column]])))
    return rows.map(row => ({...row, id: row.jobid ?? row.jobidraw ?? ""})).filter(({id}) => /^\d/.test(id))
  }
  return []
}

/** Of a job's rows, which are its own and those of its steps. */
function ofRows(rows) {
  const own = rows.find(({id}) => !id.includes(".")) ?? rows[0]
  const tres = ofTres(own.alloctres ?? own.reqtres)
  const said = stateOf(own.state)
  const cause = CAUSES.find(each => rows.some(({state}) => stateOf(state).state === each))
  const cores = number(own.alloccpus ?? own.ncpus ?? own.reqcpus) ?? tres.cores
  const nodes = number(own.nnodes ?? own.allocnodes ?? own.reqnodes) ?? tres.nodes
  const elapsed = seconds(own.elapsed)
  const busy = seconds(own.totalcpu)
  // A step's MaxRSS is that of one process, and the script itself is one.
  const steps = rows
    .filter(({id}) => !/\.ex/.test(id))
    .map(({id, maxrss, ntasks}) => ({one: mib(maxrss) ?? 0, tasks: /\.\d/.test(id) ? number(ntasks) : 1}))
  const most = steps.reduce((best, each) => (each.one > best.one ? each : best), {one: 0, tasks: 1})
  const tasks = Math.max(...rows.map(({ntasks}) => number(ntasks) ?? 0)) || null
  const used = Math.max(...steps.map(({one, tasks}) => one * (tasks ?? 1)))
  const [, amount, per] = /^([\d.]+[KMGTP])([nc]?)$/i.exec(own.reqmem ?? "") ?? []
  const times = {n: nodes, c: cores}[per?.toLowerCase()] ?? (per ? null : 1)
  return {
    ...said,
    ...exitOf(own.exitcode),
    state: CAUSES.includes(said.state) ? said.state : (cause ?? said.state),
    id: own.id,
    elapsed,
    limit: seconds(own.timelimit),
    cores,
    nodes,
    tasks,
    cpu: busy !== null && elapsed && cores ? busy / (elapsed * cores) : null,
    used: used || null,
    one: most.tasks === null ? most.one : null,
    estimated: (most.tasks ?? 1) > 1,
    requested: (amount && times && mib(amount) * times) || tres.requested,
    per: {n: "node", c: "core"}[per?.toLowerCase()] ?? null,
    gpus: tres.gpus,
    gpu: tres.gpus === 1 ? loadOf(rows) : null,
    partition: own.partition ?? null,
  }
}

/** The mean load of one GPU, as sacct has it where its nodes measure it. */
function loadOf(rows) {
  const loads = rows.map(row => number(/gres\/gpuutil=(\d+)/.exec(row.tresusageinave ?? "")?.[1]))
  const known = loads.filter(load => load !== null)
  return known.length ? Math.max(...known) / 100 : null
}

function fromTable(text) {
  const jobs = new Map()
  for (const row of rowsOf(text.split("\n"))) {
    const [id] = row.id.split(".")
    // A requeued job has several rows of its own; the last run counts.
    const before = row.id === id ? [] : (jobs.get(id) ?? [])
    jobs.set(id, [...before, row])
  }
  return worstOf([...jobs.values()].map(ofRows))
}

const NOTHING = {
  ...{id: null, state: null, by: null, exit: null, signal: null, elapsed: null, limit: null, nodes: null, cores: null},
  ...{tasks: null, cpu: null, used: null, one: null, estimated: false, requested: null, per: null, gpus: null},
  ...{gpu: null, error: false, idle: 0, partition: null, reason: null, jobs: 1, ended: true, listed: false, rest: ""},
}

const ERROR = /\b[A-Z]\w*[a-z](?:Error|Exception)\b|^Traceback /m // of Python or Java

/** A line of a listing, which is no message of the job. */
const LISTED = /^\s*(?:State:|(?:[A-Z][\w/:]*=\S*\s*)+$)|^[\s-]+$|^\s*\d[\w.+[\],%-]*(?:\s+|\|)\S/

/**
 * @param {string} text what was pasted
 * @returns {typeof NOTHING & Record<string, any> | null} null where it says nothing of a job that ran; listed: more than
 *   the messages of its log; one: MaxRSS of one process, where it is unknown how many there were; jobs: of how many this
 *   is the worst; rest: the lines that may be messages
 */
export function readJob(text) {
  const pasted = straightened(text)
  const found = [fromTable, fromScontrol, fromLines].map(read => read(pasted)).filter(Boolean)
  const [, cause = null] = LOG.find(([pattern]) => pattern.test(pasted)) ?? []
  if (!found.length && !cause) return null
  const facts = {...NOTHING, listed: found.length > 0}
  for (const each of found) for (const [name, value] of Object.entries(each)) if (value !== null) facts[name] = value
  if (!facts.state || (CAUSES.includes(cause) && !CAUSES.includes(facts.state))) facts.state = cause ?? facts.state
  facts.ended = !NOT_ENDED.includes(facts.state)
  facts.exit ??= number(/Exited with exit code (\d+)/.exec(pasted)?.[1])
  // The messages about memory have an example of an amount, and the report has the job's own.
  const told = line => LISTED.test(line) || (facts.state === "OUT_OF_MEMORY" && OF_MEMORY.test(line))
  const lines = pasted.split("\n").filter(line => !facts.listed || !told(line))
  facts.error = facts.listed && ERROR.test(lines.join("\n"))
  const code = facts.signal ? `${facts.exit}:${facts.signal}` : `exit code ${facts.exit}`
  const added = {FAILED: code, PENDING: `JobId=${facts.id}\n${facts.reason}`}[facts.state] ?? ""
  facts.rest = [...lines, facts.listed ? added : ""].join("\n")
  return facts
}
