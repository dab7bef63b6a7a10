// Looks at one record of `guide measure` as scripts/measure/records.py does: what was reached, and what is refused, with the reason.
// What can be measured, and the least time of it, is in made/own-record.js. Nothing here touches a page.
const judgeRecord = (() => {
  const isNumber = value => typeof value === "number" && Number.isFinite(value)
  const close = (one, other, room = 0) =>
    Math.abs(one - other) <= Math.max(1e-6 * Math.max(Math.abs(one), Math.abs(other)), room)
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
  /** The least seconds of a case: on the device, or on so many cores of its host. */
  function least(known, cores, rules) {
    if (known.on === "device") return Math.max(known.least, rules.call)
    const {arithmetic, memory, calls, one} = known.host,
      used = one ? 1 : cores
    return Math.max(arithmetic / used, memory / used, calls)
  }
  /** Why a case is refused, in one sentence; null if it is not. */
  function refusal(found, known, cores, rules) {
    if (!known) return "no such case is measured on this device"
    const given = found.timing ?? {},
      samples = given.samples_s
    if (
      !Array.isArray(samples) ||
      !samples.length ||
      samples.length > 1e5 ||
      !samples.every(value => isNumber(value) && value > 0)
    )
      return "its samples are not times"
    if (found.tolerance !== known.tolerance) return `the error that is allowed is ${known.tolerance}`
    if (!(isNumber(found.error) && found.error >= 0 && found.error <= known.tolerance))
      return `the result is wrong: error ${short(found.error)}, allowed ${known.tolerance}`
    const {median, range} = timing(samples)
    if (!(
      isNumber(given.median_s) &&
      isNumber(given.iqr_s) &&
      close(given.median_s, median) &&
      close(given.iqr_s, range, 1e-6 * median)
    ))
      return "its median or interquartile range does not follow from its samples"
    if (samples.length < rules.samples) return `only ${samples.length} samples were taken, fewer than ${rules.samples}`
    if (range / median > rules.spread)
      return `the spread is ${Math.round((100 * range) / median)}% of the median, over ${100 * rules.spread}%`
    if (known.on === "device" && !known.least) return "no limit binds: the data fit the device's cache"
    const limit = least(known, cores, rules)
    if (median < limit)
      return `faster than possible: ${Number(median.toPrecision(3))} s, and at least ${Number(limit.toPrecision(3))} s are needed`
    const wanted = known.on === "device" ? [known.least, known.bound, known.least / median] : [null, null, null]
    const same = (one, other) => one === other || (isNumber(one) && isNumber(other) && close(one, other))
    return [found.limit_s, found.bound_by, found.fraction].every((value, n) => same(value, wanted[n]))
      ? null
      : "its limit or fraction does not follow from its time and its work"
  }
  /**
   * @param {unknown} record what was read from a file
   * @returns {{name: string, date: string, cores: number, good: object[], refused: string[]}}
   * @throws {Error} with a sentence, if it is no record of a device that is known
   */
  return function judge(record, {rules, cases, devices}) {
    const device = Object.hasOwn(devices, record?.device) && devices[record.device]
    if (!record || typeof record !== "object" || !Array.isArray(record.cases))
      throw Error("This is no record of `guide measure`.")
    if (!device)
      throw Error(`There are no limits for the device ${short(record.device)}, so nothing can be said of it.`)
    const cores = record.where?.cores
    if (!Number.isInteger(cores) || cores < 1 || cores > rules.cores)
      throw Error("The record does not say how many cores the host has.")
    if (!record.cases.length || record.cases.length > 1000) throw Error("The record has no cases, or more than 1000.")
    const key = ({program, label, size, on = "device"}) => JSON.stringify([program, label, size, on])
    const known = new Map(
      device.cases.map(([number, least, bound]) => [key(cases[number]), {...cases[number], least, bound}]),
    )
    const good = [],
      refused = [],
      seen = new Set()
    for (const found of record.cases) {
      const case_ = found && typeof found === "object" ? found : {},
        name = key(case_)
      const reason = seen.has(name) ? "this case stands here twice" : refusal(case_, known.get(name), cores, rules)
      seen.add(name)
      if (reason) refused.push(`${short(case_.program)}, ${short(case_.label)}, ${short(case_.size)}: ${reason}.`)
      else good.push({...known.get(name), median: timing(case_.timing.samples_s).median})
    }
    return {name: device.name, date: short(record.date), cores, good, refused}
  }
})()
