// A job that submits itself: where each one fails at once, nothing ends the chain.
import {quoted} from "./amounts.js"

// What looks at how the program ended, and what counts the jobs.
const LOOKS = /^[^#\n]*(?:\bset\s+-\w*e|\$\?|\|\|\s*(?:\{|\(|exit\b|die\b|fail)|PIPESTATUS|\bafterok\b)/m
const COUNTS = /\s-(?:l[te]|g[te])\s|\(\([^)]*[<>]/
const FILES = /\$\((?:ls|find)\b[^)]*\bwc\b/ // a job that fails adds none
const BRANCH = /^\s*(?:if|elif|else|fi)\b/
const ANOTHER = /^\s*(?:if|elif)\s+(?![!\s]*(?:\[|test\b|grep\b))|SLURM_JOB_?ID/ // a program's own end, or no job
const UNTIL = /^\s*if\s+(?:!|\[+\s+!)/ // something exists
const THIS = /^\$\{?(?:0|BASH_SOURCE)\b/

/**
 * @param {Shell} shell the script's reading @param {string} text the script
 * @param {(file: string) => boolean} own is it the script's own name? @param {string} to
 * @returns {string[]} a sentence, or none
 */
export function endless({commands}, text, own, to) {
  if (LOOKS.test(text) || (COUNTS.test(text) && !FILES.test(text))) return []
  const lines = text.split("\n")
  // What a signal calls, and nothing else: a job that fails ends without it.
  const caught = new Set(
    commands.flatMap(({name, words}) =>
      name === "trap" && words.slice(2).length && !/^(?:EXIT|0|ERR)$/.test(words.slice(2).join("")) ? words[1] : [],
    ),
  )
  for (const {name, words, op, line, fn} of commands) {
    if (caught.has(fn) && !commands.some(each => each.name === fn)) continue
    const branch = lines.slice(0, line).findLast(each => BRANCH.test(each)) ?? ""
    const submits = /^(?:sbatch|qsub)$/.test(name)
    const files = submits && words.slice(1).some(word => /\.\w+$/.test(word))
    const requeues = name === "scontrol" && words[1] === "requeue" && /SLURM_(?:ARRAY_)?JOB_?ID/.test(words[2] ?? "")
    const certain = requeues || (submits && words.slice(1).some(word => THIS.test(word) || own(word)))
    if (op === "&&" || ANOTHER.test(branch) || !(certain || (files && UNTIL.test(branch)))) continue
    const when = certain ? "If" : `If this is the script itself, and`
    return [
      `${name === "qsub" ? "`sbatch`" : quoted(lines[line - 1].trim())} also runs after a failure. ${when} jobs fail at once on ${to}, the chain never ends. Run a first job without this line.`,
    ]
  }
  return []
}
