// Amounts as readers and schedulers write them.

/** `1 node`, `2 nodes`, `2 processes` */
export const many = (number, noun) => `${number} ${noun}${number === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`
/** `2,000,000.5`: by hand, since the engine's host for Python writes no commas. */
export const thousands = number => String(number).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ",")
/** How a job numbers so many GPUs. */
export const gpusOf = number => (number > 1 ? `GPUs 0 to ${number - 1}` : "GPU 0")

/** Seconds of a second, a minute, an hour, a day. */
export const UNIT = {s: 1, m: 60, h: 3600, d: 86400}

const two = number => String(Math.floor(number)).padStart(2, "0")

/** Seconds as `26:00:00`. */
export const hours = seconds => [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(":")

/** Seconds as `04:00:00`, and from a day on as `1-02:00:00`. */
export function clock(seconds) {
  const days = Math.floor(seconds / UNIT.d)
  return `${days ? `${days}-` : ""}${hours(seconds % UNIT.d)}`
}

/** Minutes as `36 hours`, `3 days`: in the largest unit that leaves nothing over; one day is 24 hours. */
export function timeWords(minutes) {
  const whole = size => minutes % size === 0
  if (whole(1440) && minutes > 1440) return many(minutes / 1440, "day")
  return whole(60) && minutes ? many(minutes / 60, "hour") : many(Math.round(minutes), "minute")
}
