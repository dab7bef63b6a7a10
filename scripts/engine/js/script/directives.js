// The directives of a script: which lines a scheduler reads, and their words.

export const PREFIX = {slurm: "#SBATCH", grid_engine: "#$"}
const BLANK = new Set(" \t\n\v\f\r")

/**
 * The lines that the scheduler reads; Slurm stops at the first command.
 * @param {string[]} lines @param {Kind} kind @returns {[number, string][]} line from 1, text
 */
export function live(lines, kind) {
  const found = []
  for (const [place, line] of lines.entries()) {
    if (line.startsWith(PREFIX[kind])) found.push([place + 1, line])
    else if (kind === "slurm" && !/^[ \t\n\v\f\r]*(#|$)/.test(line)) break
  }
  return found
}

/**
 * The words of a directive, without quotes and `\`, up to a `#` outside quotes.
 * @param {number} number of the line @param {string} line @param {number} at where the words begin @returns {Word[]}
 */
export function wordsOf(number, line, at) {
  for (const found = []; ;) {
    while (BLANK.has(line[at])) at++
    const start = at
    let text = ""
    let quote = ""
    for (; at < line.length && (quote || !BLANK.has(line[at])); at++) {
      const letter = line[at]
      if (letter === "\\") text += quote || !BLANK.has(line[at + 1]) ? (line[++at] ?? "") : ""
      else if (quote && letter === quote) quote = ""
      else if (!quote && "\"'".includes(letter)) quote = letter
      else if (!quote && letter === "#") break
      else text += letter
    }
    if (!text) return found // the end, a comment, or an empty word, at which sbatch stops
    found.push({line: number, start, end: at, raw: line.slice(start, at), text})
  }
}

/** @param {string} name @param {string | null} value @param {boolean} known @param {...Word} used @returns {Option} */
export function option(name, value, known, ...used) {
  return {
    line: used[0].line,
    name,
    written: used.map(word => word.raw).join(" "),
    value,
    known,
    pieces: used.map(word => [word.line, word.start, word.end]),
  }
}

/** The line that separates two components of a heterogeneous job is handed out as an option of this name. */
export const HETJOB = "hetjob"

/** The options of each component of a heterogeneous job; of any other job one list. @param {Option[]} options */
export function components(options) {
  const found = [[]]
  for (const each of options) {
    if (each.name === HETJOB) found.push([])
    else found.at(-1).push(each)
  }
  return found
}

/** The option that counts for each name: the last one. @param {Option[]} options @returns {Map<string, Option>} */
export const last = options => new Map(options.map(each => [each.name, each]))
