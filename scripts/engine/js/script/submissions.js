// A script that only submits jobs: the jobs that it submits, as scripts of their own.
import {live} from "./directives.js"
import {shellOf} from "./script.js"
import {expander} from "./variables.js"
import {SHORT, takes} from "../schedulers/slurm/option_table.js"

const FREE = /^--(?:job-name|output|error|dependency|export|array|begin|mail-user|chdir|parsable|comment)/ // of any value

/**
 * @param {string} text @param {Kind} kind
 * @returns {{text: string, lineOf: (line: number) => number}[] | null} null: the script is a job itself. text: of a job
 *   that it submits, with the options of the command as directives; lineOf: the line here of a line there
 */
export function submissionsOf(text, kind) {
  const lines = text.split("\n")
  if (kind !== "slurm" || live(lines, kind).length) return null
  const {commands, inner} = shellOf(lines)
  const all = [...commands, ...inner].sort((one, other) => one.line - other.line)
  const submits = all.filter(({name}) => name === "sbatch")
  if (!submits.length || commands.some(({name}) => name === "srun" || name === "mpirun")) return null
  const expand = expander(commands)
  const files = new Map()
  for (const {redirects} of all) {
    const document = redirects.find(each => each.document)?.document
    const file = redirects.find(({op}) => op === ">")?.target.text
    if (document && file) files.set(expand(file), document)
  }
  return submits.flatMap(command => {
    const {options, rest, wrap, free} = parts(command.words.map(expand))
    const notes = [...free, ...commands.filter(({name}) => name === "mkdir").map(({text}) => text)].map(
      text => `# ${text.split("\n")[0]}`,
    )
    if (options.some(option => option.includes("$"))) return [] // nobody knows its value here
    const document = command.redirects.find(each => each.document)?.document ?? files.get(rest[0] ?? "")
    if (!document && wrap === null) return []
    const written = document ? textOf(document, expand) : `#!/bin/bash\n${wrap}\n`
    if (written === null) return []
    const [first, ...body] = written.split("\n")
    const made = [first, ...options.map(option => `#SBATCH ${option}`), ...notes, ...body]
    const more = options.length + notes.length
    const lineOf = line =>
      document ? document.line + (line === 1 ? 1 : line <= 1 + more ? 0 : line - more) : command.line
    return [{text: made.join("\n"), lineOf}]
  })
}
/** What sbatch reads of a here-document; null: the shell puts values into its options that nobody knows here. */
function textOf(document, expand) {
  if (document.quoted) return document.text
  const lines = document.text.split("\n").map(line => {
    const directive = line.startsWith("#SBATCH")
    const known = directive ? expand(line) : line
    if (directive && /(?:^|[^\\])[$`]/.test(known))
      return FREE.test(known.slice("#SBATCH".length).trim()) ? `# ${line.slice("#SBATCH".length).trim()}` : null
    return known.replace(/\\([$`\\])/g, "$1")
  })
  return lines.includes(null) ? null : lines.join("\n")
}

/** sbatch's own options as they would stand in directives, and what follows them. */
export function parts([, ...words]) {
  const options = [],
    free = []
  let wrap = null
  while (words[0]?.startsWith("-")) {
    const word = words.shift()
    const [name, value] = word.startsWith("--")
      ? [word.slice(2).split("=")[0], word.includes("=")]
      : [SHORT[word[1]] ?? "", word.length > 2]
    const given = value || takes(name) !== "value" ? null : (words.shift() ?? "")
    if (name === "wrap") wrap = given ?? word.slice("--wrap=".length)
    else {
      const list = FREE.test(`--${name}`) ? free : options
      list.push(given === null ? word : `${word}${word.startsWith("--") ? "=" : " "}${given}`)
    }
  }
  return {options, rest: words, wrap, free}
}
