// What sbatch 22.05 makes of the options: the job that it sends to slurmctld, or why it sends none.
import {gresOf} from "./gres.js"
import {setOf} from "../../script/text.js"
import {takes as takesValue} from "./option_table.js"
import {count, mebibytes, minutes, nodes} from "./values.js"

const SHORT = 0xfffd // the largest number that a field of 16 bits can say
// Options that change nothing of the verdict, whatever their value; and those whose value is tested:
// true; null: sbatch does not take it; undefined: not judged.
const FREE = setOf("job-name output error input mail-user comment chdir export requeue no-requeue parsable hold")
const TESTS = {
  "open-mode": text => /^[aAtT]/.test(text) || null,
  "mail-type": mail,
  signal,
  switches: text => /^[1-9]\d{0,4}$/.test(text) || undefined,
  nice: text => !(Math.abs(parseInt(text ?? "", 10)) > 2 ** 31 - 3) || null,
  "gpu-bind": text => GPU_BIND.test(text) || undefined,
}
const GPU_BIND = /^(closest|none|map_gpu:\d{1,4}(,\d{1,4})*|(single|per_task):[1-9]\d{0,3})$/
const MAIL = setOf(`NONE ARRAY_TASKS BEGIN END FAIL INVALID_DEPEND REQUEUE ALL STAGE_OUT TIME_LIMIT TIME_LIMIT_90
  TIME_LIMIT_80 TIME_LIMIT_50`)
const SIGNALS = setOf("HUP INT QUIT ABRT KILL ALRM TERM USR1 USR2 URG CONT STOP TSTP TTIN TTOU")

function mail(text) {
  return text.split(",").some(word => MAIL.has(word.toUpperCase())) || null
}

function signal(text) {
  const found = /^[RB]{0,2}:?([^@]*)(?:@(\d*))?$/i.exec(text)
  if (!found || Number(found[2]) > 0xffff) return null
  if (!/^\d+$/.test(found[1])) return SIGNALS.has(found[1].toUpperCase().replace(/^SIG/, "")) || null
  return (+found[1] > 0 && +found[1] < 32) || undefined
}

const FORMS = {count, mebibytes, minutes, nodes}
// Option -> how its value is read, and under which name the job has it.
const READ = {
  time: ["time", "minutes"],
  nodes: ["nodes", "nodes"],
  ntasks: ["tasks", "count"],
  "cpus-per-task": ["cpusPerTask", "count", SHORT],
  mincpus: ["mincpus", "count", SHORT],
  "ntasks-per-node": ["tasksPerNode", "count", SHORT],
  "cpus-per-gpu": ["cpusPerGpu", "count", SHORT],
  mem: ["mem", "mebibytes"],
  "mem-per-cpu": ["memPerCpu", "mebibytes"],
  "mem-per-gpu": ["memPerGpu", "mebibytes"],
  tmp: ["tmp", "mebibytes", 2 ** 31],
}
const TEXT = {
  account: "account",
  partition: "partition",
  qos: "qos",
  array: "array",
  constraint: "features",
  gres: "gres",
  gpus: "gpus",
  "gpus-per-node": "gpusPerNode",
  "gpus-per-task": "gpusPerTask",
}
const SHARED = {__proto__: null, exclusive: "none", oversubscribe: "ok", user: "user", mcs: "mcs"}

/**
 * The job, as job_submit.lua gets it.
 * @param {System} system @param {Option[]} options of one component
 * @returns {{job: Job | null, refused: Refusal[], unjudged: Option[]}}
 */
export function slurmJob(system, options) {
  const said = {},
    refused = [],
    unjudged = []
  const refuse = (option, what) => refused.push({line: option.line, option: option.written, what})
  for (const option of options) {
    const value = take(option, said)
    if (value === null) refuse(option, refusal(option))
    else if (value === undefined) unjudged.push(option)
  }
  const memory = options.filter(option => /^mem(-per-[cg]pu)?$/.test(option.name))
  if (new Set(memory.map(option => option.name)).size > 1)
    refuse(memory.at(-1), "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.")
  const job = refused.length ? null : fill(said)
  if (job) {
    const wrong = gresOf(system.gres, job, true)
    const at = options.findLast(option => /^(gres|.*gpu.*)$/.test(option.name))
    if (wrong === undefined) unjudged.push(at)
    else if (wrong.text) refuse(at, wrong.text)
  }
  return {job, refused, unjudged}
}

// Puts an option into what was said. null: sbatch does not take it. undefined: not judged.
function take(option, said) {
  const {name, known} = option
  if (!known) return null
  const takes = takesValue(name),
    value = option.value
  if (takes === "value" && value === null) return null
  if (takes === "none" && value !== null) return null
  if (name === "exclusive") {
    said.shared = !value ? "none" : (SHARED[value.toLowerCase()] ?? null)
    return said.shared
  }
  if (name === "oversubscribe") return (said.shared = "ok")
  if (value !== null && value.length > 1000) return undefined
  if (name === "hint") {
    if (!["nomultithread", "multithread"].includes(value)) return undefined
    return (said.hint = value)
  }
  if (READ[name]) {
    const [field, how, ...rest] = READ[name]
    return (said[field] = FORMS[how](value, ...rest))
  }
  if (TEXT[name]) said[TEXT[name]] = value
  if (TESTS[name]) return TESTS[name](value)
  return name in TEXT || FREE.has(name) || undefined
}

function refusal({name, written, known, value}) {
  if (!known) return `sbatch: unrecognized option '${written}'`
  if (value === null && takesValue(name) === "value") return `option '--${name}' requires an argument`
  if (takesValue(name) === "none") return `option '--${name}' doesn't allow an argument`
  const number = READ[name]?.[1] === "count"
  if (number) return `Invalid numeric value "${value}" for --${name}.`
  if (name === "nodes") return `"${value}" is not a valid node count`
  return `Invalid --${name} specification`
}

// The numbers of a job, as sbatch completes them.
function fill(said) {
  let [least, most] = said.nodes ?? [1, 1],
    tasks = said.tasks ?? 1,
    tasksSaid = said.tasks !== undefined
  const nodesSaid = said.nodes !== undefined,
    fixed = least === most
  const threads = said.hint === "nomultithread" ? 1 : undefined
  if (said.tasksPerNode && !tasksSaid && fixed) [tasks, tasksSaid] = [least * said.tasksPerNode, true]
  if (nodesSaid && fixed && !tasksSaid) {
    tasks = least
    tasksSaid = threads !== undefined
  } else if (nodesSaid && tasksSaid) {
    most = Math.min(most, tasks)
    least = Math.min(least, tasks)
  }
  const perCpu = said.memPerCpu !== undefined
  return {
    ...said,
    threads,
    tasksPerCore: said.hint === "multithread" ? Infinity : undefined,
    tasks: tasksSaid ? tasks : undefined,
    minCpus: tasks * (said.cpusPerTask ?? 1),
    minNodes: nodesSaid ? least : undefined,
    maxNodes: nodesSaid ? most : undefined,
    nodeCpus: Math.max(said.mincpus ?? 1, said.cpusPerTask ?? 1),
    memory: perCpu ? said.memPerCpu : said.mem,
    perCpu,
    perJob: gpus(said.gpus),
    perTask: gpus(said.gpusPerTask),
    perNode: [gpus(said.gpusPerNode), gres(said.gres)].filter(Boolean).join(","),
  }
}

const gpus = text =>
  (text ?? "")
    .split(",")
    .filter(Boolean)
    .map(item => `gpu:${item}`)
    .join(",")
const gres = (text = "none") => (text.toLowerCase() === "none" ? "" : text.replace(/(^|,)gres:/g, "$1") || ",")

// May it be left out, and all else stays as it is? Such as a value of --mail-type.
export const idle = ({name}) => name in TESTS
