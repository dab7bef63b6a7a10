// Times and memory as qsub reads them.

const UNITS = {"": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, k: 1e3, m: 1e6, g: 1e9, t: 1e12}

/** Grid Engine's times in seconds; NaN for what is none, null for what is not plain. */
export function seconds(text) {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  const parts = /^(\d{0,9}):(\d{0,9}):(\d{0,9})$/.exec(text)
  if (parts) return parts.slice(1).reduce((sum, part, place) => sum + Number(part) * [3600, 60, 1][place], 0)
  if (/^infinity$/i.test(text)) return Infinity
  return /^[\d:]*$|^[a-z]+$|^\d+[hdsw]|^\d+-|:.*[a-z]/i.test(text) ? NaN : null
}

/** Memory in bytes; NaN and null as above. */
export function bytes(text) {
  const parts = /^(\d{1,15}(?:\.\d{1,9})?)([KMGTkmgt]?)$/.exec(text)
  if (parts) return Number(parts[1]) * UNITS[parts[2]]
  return /^-|^[a-z]+$|[a-z]{2}$|[ph-lnq-sv-z]$/i.test(text) ? NaN : null
}

/** Bytes as `4 GiB`. */
export const gigabytes = size => `${Number((size / 2 ** 30).toPrecision(4))} GiB`
