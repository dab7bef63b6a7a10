// What a reader asks of the form: the fields of the address, read into numbers, with what is proposed for the rest.
// In the order in which the form shows them, and the address says them.
export const FIELDS = {
  cluster: "System",
  gpu: "GPU",
  gpus: "GPUs per node",
  nodes: "Nodes",
  time: "Time",
  memory: "Memory per node",
  cores: "Cores per node",
  tasks: "MPI ranks per node",
  program: "Program",
  model: "Model",
  array: "Array",
  shard: "Model larger than one GPU (FSDP)",
  checkpoint: "Restart at the time limit",
  mail: "Mail",
}
/** A model as Hugging Face names it, or nothing: no path, and no word that a shell would read. */
export const MODEL = /^(?:[A-Za-z0-9][\w.-]{0,47}(?:\/[A-Za-z0-9][\w.-]{0,47})?)?$/
const UNITS = {m: 1, h: 60, d: 1440}
const MIB = {M: 1, G: 1024, T: 1024 ** 2}
const NUMBER = String.raw`\d{1,6}(?:[.,]\d{1,3})?`
const AMOUNT = RegExp(`(${NUMBER})\\s*(d|days?|h|hrs?|hours?|m|mins?|minutes?)(?![a-z])`, "g")
const worth = (number, unit) => Number(number.replace(",", ".")) * UNITS[unit[0]]

/**
 * Minutes of `4h`, `1.5 hours`, `1 day and 6 hours`, `90 min`, and of sbatch's forms `04:00:00`, `1-06:00` and `2-0`;
 * null of anything else, and of `30` and `1:30`, which people mean as hours and sbatch reads as minutes.
 */
export function minutesOf(text) {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/(?<=[a-z])(?=\d)/g, " ")
  const parts = [...said.matchAll(AMOUNT)]
  if (parts.length && /^(and|[\s,&+])*$/.test(said.replace(AMOUNT, "")))
    return Math.ceil(parts.reduce((sum, [, number, unit]) => sum + worth(number, unit), 0))
  const clock = /^(?:(\d{1,4})-(?=\d{1,3}(?::|$)))?(\d{1,6})(?::(\d\d))?(?::(\d\d))?$/.exec(said)
  if (!clock || (clock[1] === undefined && clock[4] === undefined)) return null
  const [days, hours, minutes, seconds] = clock.slice(1).map(part => Number(part ?? 0))
  return days * 1440 + hours * 60 + minutes + Math.ceil(seconds / 60)
}
/** The time that was probably meant by one that is none, as `shortTime` writes it. */
function meant(text) {
  const [, hours, rest] = /^(\d{1,4})(?::(\d\d))?$/.exec(text) ?? []
  const [, number, unit] = RegExp(`(${NUMBER})\\s*([dhm])`).exec(text.toLowerCase()) ?? []
  const minutes = hours ? +hours * 60 + +(rest ?? 0) : unit && Math.ceil(worth(number, unit))
  return minutes ? shortTime(minutes) : null
}
/** `1d12h` of 2160 minutes. */
export const shortTime = minutes =>
  ["d", "h", "m"]
    .map(unit => {
      const number = Math.floor(minutes / UNITS[unit])
      minutes -= number * UNITS[unit]
      return number ? `${number}${unit}` : ""
    })
    .join("") || "0m"
/** MiB of `64G`, `64 GB`; null of anything else. */
export function mibOf(text) {
  const found = /^(\d{1,7})\s*([MGT])i?B?$/i.exec(text.trim())
  return found && Number(found[1]) * MIB[found[2].toUpperCase()]
}
export const shortMemory = mib => (mib % 1024 ? `${mib}M` : `${mib / 1024}G`)
const arrayJobs = text => {
  const found = /^(\d{1,6})-(\d{1,6})(?::(\d{1,6}))?(?:%([1-9]\d{0,5}))?$/.exec(text)
  if (!found) return null
  const [first, last, step] = [found[1], found[2], found[3] ?? 1].map(Number)
  return last >= first && found[3] !== "0" ? Math.floor((last - first) / step) + 1 : null
}
function gpuOf(system, text) {
  const keys = Object.keys(system.form.gpus),
    small = text.toLowerCase()
  return (
    keys.find(key => key.toLowerCase() === small) ??
    keys.find(key => system.form.gpus[key].type.toLowerCase() === small)
  )
}

/** The model in the guide's script, where the program has one. */
export const usualModel = ({form}, program) =>
  /--model (\S+)/.exec(form.programs[program]?.command?.join(" "))?.[1] ?? null

/** The fewest of these GPUs that a node of a job can have, and no fewer than `least`. */
const fewest = (gpu, least) => (gpu ? (gpu.counts?.find(count => count >= least) ?? least) : 0)

/**
 * Reads the fields of a form.
 * @param {System} system what the data say of it
 * @param {Record<string, string>} fields those that are left out are proposed
 * @returns {{wish?: any, faults: Fault[]}} memory and cores are null for the share; a field at fault is as proposed
 * @typedef {{field: string, reason: string, unread?: boolean, nearest?: string | null, limit?: number | null}} Fault
 *   unread: the value is none; nearest: what was probably meant
 */
export function wishOf(system, fields) {
  const {form, name} = system,
    /** @type {Fault[]} */ faults = []
  const unread = (field, reason, nearest) => faults.push({field, reason, unread: true, nearest})
  for (const field of Object.keys(fields))
    if (!(field in FIELDS)) {
      const reason = `The form has no field \`${plain(field)}\`. It has ${Object.keys(FIELDS).join(", ")}.`
      return {faults: [{field, reason, unread: true}]}
    }
  if (form.gone) return {faults: [{field: "cluster", reason: form.gone}]}
  const said = field => String(fields[field] ?? "").trim()
  const wish = {gpu: null, memory: null, cores: null, tasks: 1}
  const gpus = Object.keys(form.gpus)
  const gpu = said("gpu") || (said("program") === "cpu" ? "none" : (gpus[0] ?? "none"))
  if (gpu !== "none") {
    wish.gpu = gpuOf(system, gpu)
    if (!wish.gpu) {
      const reason = `${name} has no GPU \`${plain(gpu)}\`. It has ${gpus.join(", ") || "none"}.`
      faults.push({field: "gpu", reason})
      wish.gpu = gpus[0] ?? null
    }
  }
  const several = said("shard") === "yes" && !(Number(said("nodes")) > 1) ? 2 : 1
  for (const field of ["gpus", "nodes"]) {
    const usual = field === "gpus" ? fewest(form.gpus[wish.gpu], several) : 1
    const text = said(field) || String(usual),
      number = /^\d{1,5}$/.test(text) && (field === "gpus" || +text)
    if (!number) unread(field, `Enter a number for ${FIELDS[field]}, not \`${plain(text)}\`.`)
    wish[field] = number ? +text : usual
  }
  if (wish.gpu && !wish.gpus) wish.gpu = null
  if (!wish.gpu) wish.gpus = 0 // a number of them that was asked for before the GPU was taken out
  wish.time = minutesOf(said("time") || "1h")
  if (!wish.time) {
    const text = said("time")
    const read = /^[\d:]+$/.test(text) && `can be hours or minutes (Slurm reads ${/:/.test(text) ? "m:ss" : "minutes"})`
    unread("time", `\`${plain(text)}\` ${read || "is not a time"}. Enter a time such as 30h or 1-06:00.`, meant(text))
    wish.time = 60
  }
  if (said("memory") && said("memory") !== "share") {
    wish.memory = mibOf(said("memory")) || null
    if (!wish.memory)
      unread("memory", `\`${plain(said("memory"))}\` is not an amount of memory. Enter an amount such as 64G.`)
  }
  for (const field of ["cores", "tasks"]) {
    if (!said(field) || said(field) === "share") continue
    if (/^[1-9]\d{0,4}$/.test(said(field))) wish[field] = +said(field)
    else unread(field, `Enter a number for ${FIELDS[field]}, not \`${plain(said(field))}\`.`)
  }
  const site = wish.gpu ? Object.keys(form.programs).find(key => form.programs[key].site) : "cpu"
  const usual = wish.tasks > 1 ? "own-command" : site
  wish.program = said("program") || usual
  if (!Object.hasOwn(form.programs, wish.program)) {
    const reason = `There is no kind of program \`${plain(wish.program)}\`. Choose from ${Object.keys(form.programs).join(", ")}.`
    faults.push({field: "program", reason})
    wish.program = usual
  }
  wish.model = said("model") && said("model") !== "no" ? said("model") : usualModel(system, wish.program)
  if (!MODEL.test(said("model"))) {
    unread("model", `\`${plain(said("model"))}\` is not a model's name. Enter a name such as Qwen/Qwen3-8B.`)
    wish.model = usualModel(system, wish.program)
  }
  wish.array = said("array") && said("array") !== "no" ? said("array") : null
  wish.jobs = wish.array ? arrayJobs(wish.array) : 1
  if (!wish.jobs) {
    unread("array", `\`${plain(wish.array)}\` is not an array. Enter a range such as 1-10 or 1-100%5.`)
    Object.assign(wish, {array: null, jobs: 1})
  }
  for (const field of ["shard", "checkpoint", "mail"]) {
    wish[field] = said(field) === "yes"
    if (!["", "yes", "no"].includes(said(field)))
      unread(field, `Enter yes or no for ${FIELDS[field]}, not \`${plain(said(field))}\`.`)
  }
  return {wish, faults}
}
/** A field's text as the address has it: `30 hours` is `1d6h`. */
export function tidy(field, text) {
  if (field === "time" && minutesOf(text)) return shortTime(minutesOf(text))
  return field === "memory" && mibOf(text) ? shortMemory(mibOf(text)) : text.trim()
}
/** What a reader wrote, short and without what a terminal or a sentence could not show. */
export const plain = text => text.replace(/[^\x20-\x7e]|`/g, "?").slice(0, 40)
