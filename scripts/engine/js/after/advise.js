// What happened to a job that has ended, what it used of what it asked for, and what to ask for next.
import {clock, many} from "../script/units.js"
import {largerNodes, mostMemory, onlyWhole, placeOf} from "./place.js"

const GIB = 1024
const TITLES = {
  COMPLETED: "The job finished.",
  TIMEOUT: "The job reached its time limit.",
  OUT_OF_MEMORY: "The job ran out of host memory.",
  NODE_FAIL: "A node of the job failed.",
  BOOT_FAIL: "A node of the job did not boot.",
  PREEMPTED: "A job with higher priority took this job's resources.",
  DEADLINE: "The job reached its `--deadline`.",
  CANCELLED: "The job was canceled.",
  FAILED: "The job failed.",
}
const KEYS = {DEADLINE: "deadline-state"} // of the message about a state, where it is not the state
const MEANS = {
  TIMEOUT: "Slurm ended the job before your program had finished.",
  OUT_OF_MEMORY: "Linux ended a process that needed more. GPU memory is separate.",
  NODE_FAIL: "Your program did nothing wrong. Submit the same script again.",
  BOOT_FAIL: "Your program did nothing wrong. Submit the same script again.",
  PREEMPTED: "Save the program's state, and submit with `--requeue`.",
  PENDING: "`squeue` shows the reason in its last column.",
  FAILED: "Slurm itself did not fail. Find the first error at the end of the job's output.",
}
const SIGNALS = {2: "SIGINT", 6: "SIGABRT", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}
const MEMORY = {node: "mem", core: "mem-per-cpu", gpu: "mem-per-gpu"}
const SHORT = 120 // seconds; Slurm looks at the memory of a job every 30
const ENOUGH = 0.6 // who uses less of the memory or the time asks for less next time; of the cores, half
const LEAST_TIME = 600
const STOPPED = "The program reported an error, so these numbers do not show what it needs. Correct the error first."
const MORE_TIME =
  "Request more time, or save the program's state and continue in another job. Paste the script to get the new line."

const size = mib => (mib < GIB ? `${Math.round(mib)} MiB` : `${Number((mib / GIB).toPrecision(3))} GiB`)
const part = share => `${share < 0.1 ? Number((share * 100).toPrecision(2)) : Math.round(share * 100)}%`
/** What an option has for so much memory: whole GiB, or hundreds of MiB. */
const memoryValue = mib =>
  mib > GIB ? `${Math.ceil(mib / GIB - 1e-9)}G` : `${Math.max(1, Math.ceil(mib / 100)) * 100}M`
/** A time limit of at least so many seconds: in steps of five minutes, of half an hour from four hours on. */
function timeLimit(seconds) {
  const step = seconds > 4 * 3600 ? 1800 : 300
  return Math.max(LEAST_TIME, Math.ceil(seconds / step) * step)
}

/** What the exit code of a failed job tells. @param {any} job */
function exitWords({exit, signal}) {
  const ended = signal ?? (exit > 128 && exit < 160 ? exit - 128 : null)
  const killed = ended === 9 ? " Often the reason is that the memory ran out." : ""
  if (signal) return `Signal ${signal}${SIGNALS[signal] ? ` (${SIGNALS[signal]})` : ""} ended the program.${killed}`
  if (!exit) return ""
  const why = ended ? ` 128 + ${ended} means signal ${ended} (${SIGNALS[ended] ?? "unknown"}).` : ""
  return `The job's exit code is ${exit}.${why}${killed}`
}

/**
 * @param {System} system @param {Record<string, any>} said as readJob gives it
 * @param {Record<string, any>} [script] what the job's script asks for, as askedBy in next.js gives it
 * @returns {{key: string | null, title: string, means: string, rows: {name: string, used: string, asked: string,
 *   share: string}[], changes: {option: string, value: string, why: string}[], maybe: any[], notes: string[], links: string[][]}}
 *   maybe: changes that help if a guess is right: `why`, and the sentences `request` with the option, or `otherwise`
 */
export function adviseOn(system, said, script = {}) {
  const job = /** @type {any} */ ({...said})
  for (const [name, value] of Object.entries(script)) job[name] ??= value
  const place = placeOf(system, job.partition, job)
  job.whole ??= place?.whole
  job.wholeNodes = onlyWhole(system)
  job.ignored = Boolean(system.rules.memory_ignored)
  job.omitted = system.form.memory?.[job.gpus ? "gpu" : "cpu"] === false // the operator sets it
  // With the script, its system adapts what no node has.
  job.most = Object.keys(script).length ? Infinity : mostMemory(system, place?.name ?? null)
  job.larger = job.gpus ? null : largerNodes(system, job.most)
  job.per = script.per ?? said.per ?? "node"
  if (job.one && job.tasks) Object.assign(job, {used: job.one * job.tasks, one: null, estimated: job.tasks > 1})
  if (job.one && job.cores === 1) job.one = null
  const {ended} = job
  const changes = []
  const notes = []
  const maybe = []
  if (job.jobs > 1)
    notes.push(`The table has ${many(job.jobs, "job")}. This advice is about job ${job.id}, which needs a change most.`)
  if (ended) {
    time(job, place, changes, notes)
    cores(job, changes, notes, maybe)
    memory(job, changes, notes, maybe)
  }
  if (job.error && ["COMPLETED", null].includes(job.state)) {
    const more = changes.filter(({least}) => least)
    if (more.length < changes.length) notes.push(STOPPED)
    changes.splice(0, Infinity, ...more)
    maybe.length = 0
  }
  gpus(job, notes)
  const explained = job.state !== "COMPLETED" && job.state in TITLES
  const key = explained ? (KEYS[job.state] ?? job.state.toLowerCase().replaceAll("_", "-")) : null
  const cancelled = job.by === null ? "" : `User ${job.by} canceled the job${job.by === "0" ? ": an operator" : ""}.`
  const words = {
    ...MEANS,
    CANCELLED: `${cancelled} If you did not end it, check your email, then ask support.`.trim(),
    FAILED: `${exitWords(job)} ${MEANS.FAILED}`.trim(),
    PENDING: job.reason ? `Slurm gives the reason \`${job.reason}\`.` : MEANS.PENDING,
  }
  const waits = job.state === "PENDING" ? "The job has not started yet." : undefined
  const idle = job.gpu !== null && job.gpu < 0.5
  return {
    key,
    title: job.state === null ? "What the job used" : (TITLES[job.state] ?? waits ?? "The job has not ended yet."),
    means: ended || waits ? (words[job.state] ?? "") : "The numbers still change. Look again when the job has ended.",
    rows: waits ? [] : rows(job),
    changes,
    maybe,
    notes,
    links: [
      ...(key ? [["More about this state", `wrong/ended.html#${key}`]] : []),
      ...(job.state === "TIMEOUT"
        ? [["Restart after the time limit", "learn/what-to-ask-for.html#longer-than-the-time-limit-checkpoints"]]
        : []),
      ...(idle ? [["Feed the GPU", "learn/feed-the-gpu.html"]] : []),
    ],
  }
}

/** @param {any} job */
function rows({elapsed, limit, cores, cpu, used, one, requested, gpus, gpu}) {
  const found = []
  const add = (name, used, asked, share) =>
    found.push({name, used: used ?? "", asked: asked ?? "", share: share === null ? "" : part(share)})
  if (elapsed !== null)
    add("Time", clock(elapsed), limit === null ? null : clock(limit), limit ? elapsed / limit : null)
  if (used !== null || requested !== null) {
    const whole = one === null && used !== null && requested
    add(
      one ? "Host memory, one process" : "Host memory",
      used && size(one ?? used),
      requested && size(requested),
      whole ? used / requested : null,
    )
  }
  if (cores !== null || cpu !== null) {
    const busy = cpu === null ? null : cores ? `${Number((cpu * cores).toPrecision(2))} busy` : ""
    add("Cores", busy, cores && String(cores), cpu)
  }
  if (gpus || gpu !== null) add("GPU utilization", null, gpus ? many(gpus, "GPU") : null, gpu)
  return found
}

const longerWords = ({longer}) =>
  longer ? ` \`${longer.name}\` allows ${longer.minutes < Infinity ? clock(longer.minutes * 60) : "more"}.` : ""

/** @param {any} job */
function time({state, elapsed, limit}, place, changes, notes) {
  const most = place?.minutes < Infinity ? place.minutes * 60 : Infinity
  if (limit === null) {
    if (state === "TIMEOUT" && !(elapsed >= most)) notes.push(MORE_TIME)
    if (state !== "TIMEOUT" || !(elapsed >= most)) return
    limit = most
  }
  if (state === "TIMEOUT") {
    const next = Math.min(timeLimit(limit * 2), most)
    if (next <= limit)
      notes.push(
        `The longest time in \`${place.last}\` is ${clock(most)}.${longerWords(place)} Save the program's state and continue ` +
          "in another job.",
      )
    else {
      const much = next === most ? `the longest that \`${place.last}\` allows` : "twice the limit"
      const why = `Slurm does not know how much work was left, so this is ${much}. Check in the output how far the job got.`
      changes.push({option: "time", value: clock(next), why})
    }
  } else if (["COMPLETED", null].includes(state) && elapsed !== null && elapsed < limit * ENOUGH) {
    const next = Math.max(timeLimit(elapsed * 1.25), (place?.least ?? 0) * 60)
    const why = `The job needed ${part(elapsed / limit)} of its time limit. The new value is a quarter more than that.`
    if (next < limit) changes.push({option: "time", value: clock(next), why})
  }
}

function memory(job, changes, notes, maybe) {
  const {state, used, one, requested, per, nodes, cores, gpus, elapsed, whole} = job
  const fewer = Number(changes.find(({option}) => option === "cpus-per-task")?.value) || null
  const units = {node: nodes ?? 1, core: fewer ?? cores, gpu: gpus}[per]
  const option = MEMORY[per]
  const least = per === "core" ? 100 : GIB
  const alone = per === "node" && nodes === null ? " This is for one node." : ""
  const spread = per === "node" && units > 1 ? ` This assumes that its ${units} nodes used the same amount.` : alone
  const tooMuch = mib => mib / (nodes ?? 1) > job.most
  const larger = job.larger ? ` \`${job.larger.name}\` has nodes with ${size(job.larger.memory)}.` : ""
  const full = `The largest node has ${size(job.most)}.${larger} Start fewer processes on a node, or use more nodes.`
  if (state === "OUT_OF_MEMORY") {
    if (job.ignored)
      return notes.push("The system ignores `--mem`. Start fewer processes on a node, or use more nodes.")
    if (job.omitted)
      return notes.push(
        "The system gives GPU jobs their GPUs' share of the memory. Remove `--mem` if the script has it. " +
          "Otherwise start fewer processes, or request more GPUs.",
      )
    if (requested && requested / (nodes ?? 1) > 0.95 * job.most) return notes.push(full)
    const why =
      "We do not know how much the job needed, so this is twice what it had. After a job finishes, request what it used."
    const little = requested < 0.25 * GIB && per === "node" ? " `--mem` counts MiB if you write no `G`." : ""
    const next = requested && Math.min(requested * 2, job.most * (nodes ?? 1))
    const much = next < requested * 2 ? `The largest node has ${size(job.most)}.${larger}` : why + little
    const had = {least: requested / units, instead: "Start fewer processes on a node, or use more nodes or GPUs."}
    if (requested && units)
      changes.push({option, value: fitting(next / units, next < requested * 2), why: much, ...had})
    else notes.push("Request twice the memory that the job had. Paste the script to get the new line.")
    return
  }
  if (per === "core" && fewer && requested) {
    const needed = state === "COMPLETED" && used ? used * 1.2 : requested
    const why = `With fewer cores, each needs a larger part of the ${size(needed)}.`
    return changes.push({option, value: memoryValue(needed / fewer), why})
  }
  if (one)
    return notes.push(
      `\`MaxRSS\` is the memory of one process, and the table does not show how many there were. Multiply ${size(one)} by ` +
        "your number of tasks, and request a fifth more. If the table has the column `NTasks`, this page multiplies for you.",
    )
  if (!used || !requested || !units) return
  const share = used / requested
  if (state === "FAILED" && share > 0.95) {
    const why = `The job used ${part(share)} of its host memory, so it may have run out of memory.`
    const request = words => `If so, request ${words}.`
    if (job.ignored || job.omitted || tooMuch(requested * 2)) return notes.push(why)
    return maybe.push({option, value: memoryValue((requested * 2) / units), why, request, least: requested / units})
  }
  if (!["COMPLETED", null].includes(state)) return
  if (share < ENOUGH && elapsed !== null && elapsed < SHORT)
    return notes.push("The job was too short to measure its memory, because Slurm measures it every 30 seconds.")
  const value = memoryValue(Math.max((used * 1.2) / units, least))
  const estimate = job.estimated ? " The use is an estimate: the largest process times the number of processes." : ""
  if (share > 0.95 && job.estimated) return
  if (share > 0.95 && (job.ignored || tooMuch(used * 1.2))) return
  if (share > 0.95)
    changes.push({
      option,
      value,
      why: `The job used ${part(share)} of ${size(requested)}. ${value} is a fifth more than that.`,
      least: requested / units,
    })
  else if (share < ENOUGH && memoryMib(value) * units < requested) {
    if (job.omitted && job.gpus) notes.push("Do not set `--mem`, because the memory comes with the GPUs here.")
    if (job.ignored || job.omitted) return
    if (whole) notes.push("The job had full nodes, so no other job could use the rest.")
    else
      changes.push({
        option,
        value,
        why: `The job used ${part(share)} of ${size(requested)}. ${value} is a fifth more than that.${spread}${estimate}`,
      })
  }
}
const fitting = (mib, most) => (most && mib > GIB ? `${Math.floor(mib / GIB)}G` : memoryValue(mib))
const memoryMib = value => Number.parseInt(value, 10) * (value.endsWith("G") ? GIB : 1)

/** Fewer for a CPU job alone: a GPU's cores load its data, and their use does not tell how many. @param {any} job */
function cores({state, cores, cpu, gpus, gpu, tasks, elapsed, whole, wholeNodes}, changes, notes, maybe) {
  if (cpu === null || !cores || cores < 2 || cpu >= 0.5 || elapsed < SHORT) return
  if (!["COMPLETED", "TIMEOUT", null].includes(state) || gpus || gpu !== null) return
  const busy = cpu * cores
  const next = busy < 1.15 ? 1 : Math.min(cores - 1, Math.ceil(busy * 1.2))
  const used = `${Number(busy.toPrecision(2))} of ${cores} cores were busy.`
  const one = next === 1 ? " The program works like one that uses a single core." : ""
  if (whole) notes.push(`${used} The job had full nodes, so start more processes on them.`)
  else if (wholeNodes)
    notes.push(`${used} This is normal for a GPU job. Other jobs had full nodes, so start more processes on them.`)
  else if (gpus !== null && (tasks === null || tasks > 1))
    maybe.push({
      option: "cpus-per-task",
      value: String(next),
      why: used,
      request: words => `Start fewer processes. If there is only one, request ${words}.`,
      otherwise: "Start fewer processes.",
    })
  else if (gpus !== null) changes.push({option: "cpus-per-task", value: String(next), why: `${used}${one}`})
}

/** @param {any} job */
function gpus({gpus, gpu, idle, cpu}, notes) {
  if (gpu === null) return
  if (idle && gpus > idle) notes.push(`${many(idle, "GPU")} did nothing. Request only GPUs that the program uses.`)
  if (gpu < 0.05) notes.push("The program did not use the GPU. Find out why before you request one again.")
  else if (gpu < 0.5) notes.push("The GPU waited for more than half of the time, probably for data.")
  else if (cpu !== null && cpu < 0.5) notes.push("The GPU was busy, so keep the cores. Low CPU use is normal then.")
}
