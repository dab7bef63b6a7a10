// What a reader asks of the form: the fields of the address, read into numbers, with what is proposed for the rest.
// In the order in which the form shows them, and the address says them.
export const FIELDS = {
  cluster: "System",
  gpu: "GPU or MIG slice",
  gpus: "GPUs per node",
  nodes: "Nodes",
  time: "Time",
  memory: "Memory per node",
  cores: "Cores per node",
  program: "Program",
  array: "Array",
  checkpoint: "Restart at the time limit",
  mail: "Mail",
}
const UNITS = {m: 1, min: 1, h: 60, d: 1440}
const MIB = {M: 1, G: 1024, T: 1024 ** 2}

/** Minutes of `4h`, `1d12h`, `90m`, and of sbatch's forms `04:00:00`, `2-00:00:00`; null of anything else. */
export function minutesOf(text) {
  const parts = [...text.matchAll(/(\d{1,6})(min|m|h|d)/g)]
  if (parts.length && parts.map(part => part[0]).join("") === text)
    return parts.reduce((sum, [, number, unit]) => sum + Number(number) * UNITS[unit], 0)
  const clock = /^(?:(\d{1,4})-)?(\d{1,6}):(\d\d):(\d\d)$/.exec(text)
  if (!clock) return null
  const [days, hours, minutes, seconds] = clock.slice(1).map(part => Number(part ?? 0))
  return days * 1440 + hours * 60 + minutes + Math.ceil(seconds / 60)
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
/** MiB of `64G`; null of anything else. */
export function mibOf(text) {
  const found = /^(\d{1,7})([MGT])i?B?$/i.exec(text)
  return found && Number(found[1]) * MIB[found[2].toUpperCase()]
}
export const shortMemory = mib => (mib % 1024 ? `${mib}M` : `${mib / 1024}G`)
const arrayJobs = text => {
  const found = /^(\d{1,6})-(\d{1,6})(?::(\d{1,6}))?(?:%([1-9]\d{0,5}))?$/.exec(text)
  if (!found) return null
  const [first, last, step] = [found[1], found[2], found[3] ?? 1].map(Number)
  return last >= first && found[3] !== "0" ? Math.floor((last - first) / step) + 1 : null
}
const fault = (field, reason) => ({fault: {field, reason}})

function gpuOf(system, text) {
  const keys = Object.keys(system.form.gpus),
    small = text.toLowerCase()
  return (
    keys.find(key => key.toLowerCase() === small) ??
    keys.find(key => system.form.gpus[key].type.toLowerCase() === small)
  )
}

/**
 * Reads the fields of a form.
 * @param {System} system what the data say of it
 * @param {Record<string, string>} fields those that are left out are proposed
 * @returns {{wish?: any, fault?: {field: string, reason: string}}} memory and cores are null for the share
 */
export function wishOf(system, fields) {
  const {form, name} = system
  for (const field of Object.keys(fields))
    if (!(field in FIELDS))
      return fault(field, `The form has no field \`${plain(field)}\`. It has ${Object.keys(FIELDS).join(", ")}.`)
  if (form.gone) return fault("cluster", form.gone)
  const said = field => String(fields[field] ?? "").trim()
  const wish = {gpu: null, memory: null, cores: null}
  const gpu = said("gpu") || (said("program") === "cpu" ? "none" : Object.keys(form.gpus)[0])
  if (gpu !== "none") {
    wish.gpu = gpuOf(system, gpu)
    if (!wish.gpu)
      return fault("gpu", `${name} has no GPU \`${plain(gpu)}\`. It has ${Object.keys(form.gpus).join(", ")}.`)
  }
  for (const field of ["gpus", "nodes"]) {
    const text = said(field) || String(field === "gpus" ? (wish.gpu ? (form.gpus[wish.gpu].counts?.[0] ?? 1) : 0) : 1)
    if (!/^\d{1,5}$/.test(text) || (field === "nodes" && !+text))
      return fault(field, `Enter a number for ${FIELDS[field]}, not \`${plain(text)}\`.`)
    wish[field] = +text
  }
  if (wish.gpu && !wish.gpus) wish.gpu = null
  if (!wish.gpu) wish.gpus = 0 // a number of them that was asked for before the GPU was taken out
  wish.time = minutesOf(said("time") || "1h")
  if (!wish.time) return fault("time", `\`${plain(said("time"))}\` is not a time. Enter a time such as 30m, 4h or 2d.`)
  if (said("memory") && said("memory") !== "share") {
    wish.memory = mibOf(said("memory"))
    if (!wish.memory)
      return fault("memory", `\`${plain(said("memory"))}\` is not an amount of memory. Enter an amount such as 64G.`)
  }
  if (said("cores") && said("cores") !== "share") {
    if (!/^[1-9]\d{0,4}$/.test(said("cores")))
      return fault("cores", `Enter a number for ${FIELDS.cores}, not \`${plain(said("cores"))}\`.`)
    wish.cores = +said("cores")
  }
  const site = Object.keys(form.programs).find(key => form.programs[key].site)
  wish.program = said("program") || (wish.gpu ? site : "cpu")
  if (!Object.hasOwn(form.programs, wish.program))
    return fault(
      "program",
      `There is no kind of program \`${plain(wish.program)}\`. ` +
        `Choose from ${Object.keys(form.programs).join(", ")}.`,
    )
  wish.array = said("array") && said("array") !== "no" ? said("array") : null
  wish.jobs = wish.array ? arrayJobs(wish.array) : 1
  if (!wish.jobs)
    return fault("array", `\`${plain(wish.array)}\` is not an array. Enter a range such as 1-10 or 1-100%5.`)
  for (const field of ["checkpoint", "mail"]) {
    if (!["", "yes", "no"].includes(said(field)))
      return fault(field, `Enter yes or no for ${FIELDS[field]}, not \`${plain(said(field))}\`.`)
    wish[field] = said(field) === "yes"
  }
  return {wish}
}
/** What a reader wrote, short and without what a terminal or a sentence could not show. */
export const plain = text => text.replace(/[^\x20-\x7e]|`/g, "?").slice(0, 40)
