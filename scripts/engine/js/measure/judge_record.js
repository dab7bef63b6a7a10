// Looks at a record of `guide measure`: what was reached, and what is refused, with the reason.
// What can be measured, and the least time of it, is in scripts/measure/catalogue.py.

const isNumber = Number.isFinite
const close = (one, other) => Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other))
const three = value => Number(value.toPrecision(3))
const short = value => String(value).slice(0, 80)

/** The value below which this part of the sorted numbers lies, between two neighbours in proportion. */
function quantile(sorted, part) {
  const at = part * (sorted.length - 1),
    low = Math.floor(at)
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low])
}
/** Seconds: the median of the samples, and the range of the half in the middle. */
function timing(samples) {
  const sorted = Float64Array.from(samples).sort()
  return {median: quantile(sorted, 0.5), range: quantile(sorted, 0.75) - quantile(sorted, 0.25)}
}
/** Why a case is refused, in one sentence; null if it is not. */
function refusal(found, known, rules) {
  if (!known) return "this case is not measured on this device"
  const samples = found.samples_s
  if (
    !Array.isArray(samples) ||
    !samples.length ||
    samples.length > 1e5 ||
    !samples.every(value => isNumber(value) && value > 0)
  )
    return "its samples are not times"
  if (!(isNumber(found.error) && found.error >= 0 && found.error <= known.tolerance))
    return `the result is wrong: error ${short(found.error)}, allowed ${known.tolerance}`
  const {median, range} = timing(samples)
  if (samples.length < rules.samples) return `only ${samples.length} samples were taken, fewer than ${rules.samples}`
  if (range / median > rules.spread)
    return `the spread is ${Math.round((100 * range) / median)}% of the median, but at most ${100 * rules.spread}% is allowed`
  if (!known.least) return "no limit applies, because the data fits into the device's cache"
  const limit = Math.max(known.least, rules.call)
  if (median < limit) return `faster than possible: ${three(median)} s, but the limit is ${three(limit)} s`
  const follows = isNumber(found.fraction) && close(found.fraction, known.least / median)
  return follows ? null : "its fraction does not match its time and its limit"
}
const nameOf = ({program, label, size}) => JSON.stringify([program, label, size])

/**
 * @param {any[]} cases of a record @param {any[]} known what is measured on its device @param {any} rules
 * @returns {{reason: string | null, own: any}[]} why each is refused, and what is known of it
 */
export function judged(cases, known, rules) {
  const byName = new Map(known.map(each => [nameOf(each), each]))
  const seen = new Set()
  return cases.map(found => {
    const name = nameOf(found)
    const own = byName.get(name)
    const reason = seen.has(name) ? "this case is in the record twice" : refusal(found, own, rules)
    seen.add(name)
    return {reason, own}
  })
}

/**
 * @param {any} record what was read from a file @param {{rules: any, cases: any[], devices: any}} measurable
 * @returns {{name: string, date: string, good: any[], refused: string[]}}
 * @throws {Error} with a sentence, if it is no record of a device that is known
 */
export function judgeRecord(record, {rules, cases, devices}) {
  const device = Object.hasOwn(devices, record?.device) && devices[record.device]
  if (!record || typeof record !== "object" || !Array.isArray(record.cases))
    throw Error("This is not a record of `guide measure`.")
  if (!device)
    throw Error(`There are no limits for the device ${short(record.device)}, so the record cannot be checked.`)
  if (!record.cases.length || record.cases.length > 1000) throw Error("The record has no cases, or more than 1000.")
  const known = device.cases.map(([number, least, bound]) => ({...cases[number], least, bound}))
  const given = record.cases.map(found => (found && typeof found === "object" ? found : {}))
  const good = []
  const refused = []
  for (const [place, {reason, own}] of judged(given, known, rules).entries()) {
    const {program, label, size, samples_s} = given[place]
    if (reason) refused.push(`${short(program)}, ${short(label)}, ${short(size)}: ${reason}.`)
    else good.push({...own, median: timing(samples_s).median})
  }
  return {name: device.name, date: short(record.date), good, refused}
}
