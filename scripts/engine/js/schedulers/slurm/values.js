// Values of options as sbatch 22.05 reads them. null: it refuses them. undefined: it takes
// them for something that nobody means (a number that overflows), which is not judged here.
const LARGEST = 2 ** 31 - 1,
  MIB = {k: 1 / 1024, m: 1, g: 1024, t: 1024 ** 2}
/** @type {[RegExp, ...number[]][]} */
const TIMES = [
  [/^(\d+)$/, 60],
  [/^(\d+):(\d+)$/, 60, 1],
  [/^(\d+):(\d+):(\d+)$/, 3600, 60, 1],
  [/^(\d+)-$/, 86400],
  [/^(\d+)-(\d+)$/, 86400, 3600],
  [/^(\d+)-(\d+):(\d+)$/, 86400, 3600, 60],
  [/^(\d+)-(\d+):(\d+):(\d+)$/, 86400, 3600, 60, 1],
]

/**
 * A time limit in minutes, rounded up; Infinity for none (`0`, `-1`, `UNLIMITED`).
 * @param {string} text @returns {number | null | undefined}
 */
export function minutes(text) {
  if (/^(-1|infinite|unlimited)$/i.test(text)) return Infinity
  for (const [form, ...units] of TIMES) {
    const found = form.exec(text)
    if (!found) continue
    const seconds = units.reduce((sum, unit, i) => sum + Number(found[i + 1]) * unit, 0)
    return seconds > LARGEST - 60 ? undefined : Math.ceil(seconds / 60) || Infinity
  }
  return /^-\d+$/.test(text) ? undefined : null // it passes sbatch's own test of a time, though it is negative
}

/**
 * Memory or disk in MiB: `500`, `4G`, `4gb`; kilobytes are rounded up.
 * @param {string} text @param {number} [largest] what the field holds
 * @returns {number | null | undefined}
 */
export function mebibytes(text, largest = 2 ** 40) {
  const found = /^[ \t\n\v\f\r]*\+?(\d+)(?:([kmgt])b?)?$/i.exec(text)
  if (!found) return /^[ \t\n\v\f\r]*-0+/.test(text) ? undefined : null
  const size = Math.ceil(Number(found[1]) * MIB[(found[2] || "m").toLowerCase()])
  return size > largest ? undefined : size
}

/**
 * A count of at least 1, as of tasks.
 * @param {string} text @param {number} [largest] what the field holds, where it is smaller
 * @returns {number | null | undefined}
 */
export function count(text, largest = LARGEST) {
  if (!/^[ \t\n\v\f\r]*\+?\d+$/.test(text) || +text === 0) return null
  return +text > largest ? undefined : +text
}

/**
 * The least and the most nodes: `4`, `2-4`, `2k`.
 * @param {string} text @returns {[number, number] | null | undefined}
 */
export function nodes(text) {
  const [first, ...rest] = text.split("-"),
    range = rest.length > 0
  const least = oneCount(first, range ? 1 : null)
  const most = range ? oneCount(rest.join("-"), null) : least
  if (least === null || most === null || (most && most < least)) return null
  return !least || !most || least > LARGEST || most > LARGEST ? undefined : [least, most]
}

function oneCount(text, otherwise) {
  if (/^\s*$/.test(text)) return otherwise
  const found = /^[ \t\n\v\f\r]*\+?(\d+)([kK]?)([mM]?)\s*$/.exec(text)
  return found && Number(found[1]) * (found[2] ? 1024 : 1) * (found[3] ? 1024 ** 2 : 1)
}

/**
 * Generic resources: `gpu:v100:2,nvme:100`, without what is asked for 0 times.
 * @param {string[]} names those that the cluster has @param {string} text
 * @returns {{name: string, type: string, count: number}[] | null | undefined}
 */
export function resources(names, text) {
  const found = []
  for (const item of text.split(",")) {
    const [name, ...words] = item.split(":"),
      last = words.slice(1).join(":")
    if (words.includes("") || !names.includes(name)) return null
    const number = amount(words.length > 1 ? last : (words[0] ?? "1"))
    if (number === undefined) return undefined
    if (words.length === 1 && /^\dg\./.test(words[0])) return undefined // a slice, of which 22.05 wants the number
    if (number === null && (words.length > 1 || /^\d/.test(words[0]))) return null
    if (number === 0) continue
    const type = words.length > 1 || number === null ? (words[0] ?? "") : ""
    found.push({name, type, count: number ?? 1})
  }
  return found
}

// A number with a unit; null if it is none.
function amount(text) {
  const found = /^(\d+)([KkMmGgTtPp]?)$/.exec(text)
  if (!found) return /^(\s|[+-]?\d+[KkMmGgTtPp]?i?b?$|[KkMmGgTtPp]$)/i.test(text) ? undefined : null
  const number = Number(found[1]) * 1024 ** " kmgtp".indexOf(found[2].toLowerCase() || " ")
  return number > 2 ** 40 ? undefined : number
}

/**
 * Does slurmctld take these indices of an array?
 * @param {string} text @param {number} [largest] MaxArraySize @returns {boolean}
 */
export function indices(text, largest = 1e6) {
  return text
    .split(",")
    .filter(Boolean)
    .every(item => {
      const found = /^\[?(?:\s*\+?(\d+)\]?(?:-\+?(\d+)\]?(?::\+?(\d+)\]?)?)?|\s*\]?)(?:%.*)?$/.exec(item)
      if (!found) return false
      const [, first, last = first, step] = found
      return !(+last < +first || +last >= largest || Number(step) < 1 || Number(step) >= largest)
    })
}
