// Scripts inside a script that moves: those that a here-document holds, and the jobs that a command submits.
import {readScript} from "../script/read.js"
import {expander} from "../script/variables.js"
import {documents} from "./environment.js"

const MARK = "\uE100"
const OPTIONS =
  /\s(?:-[pACqtGNncw]\s*\S+|--(?:partition|account|constraint|qos|time|gres|gpus|mem|nodes|ntasks|cpus|nodelist|reservation)[\w-]*[= ]\S+)/

// In a here-document that the shell reads, its own signs stand behind a backslash.
const inner = text => text.replace(/\\\$/g, "\uE010").replace(/\$/g, "\uE011").replace(/\uE010/g, "$").replace(/\\\\/g, "\\") // prettier-ignore
const outer = text => text.replace(/[\\$]/g, "\\$&").replace(/\uE011/g, "$")

/** The text with a mark in place of each script that a here-document holds, and those: {lines, quoted}. */
export function apart(text) {
  const lines = text.split("\n"),
    scripts = []
  for (const [first, last] of documents(lines).reverse()) {
    const own = lines.slice(first + 1, last)
    if (!own.some(line => /^#SBATCH\s/.test(line)) || !own[0].startsWith("#!")) continue
    const quoted = /<<-?\s*["'\\]/.test(lines[first])
    scripts.unshift({lines: own, quoted})
    lines.splice(first + 1, own.length, MARK)
  }
  return {text: lines.join("\n"), scripts}
}

/**
 * The lines of the whole, with the scripts where they were.
 * @param {{from: string | null, text: string | null, reason: string}[]} lines @param {any[]} scripts
 * @param {(text: string) => {lines?: any[], impossible: string[]}} move @param {string[]} impossible UPDATED
 */
export function together(lines, scripts, move, impossible) {
  let next = 0
  return lines.flatMap(each => {
    if (each.from !== MARK) return [each]
    const {lines: own, quoted} = scripts[next++]
    const found = move(`${(quoted ? own : own.map(inner)).join("\n")}\n`)
    impossible.push(...found.impossible.map(said => said.replace(/\uE011/g, "$")))
    let at = 0
    return (found.lines ?? own.map(text => ({from: text, text, reason: ""}))).map(line => {
      const from = line.from === null ? null : own[at++]
      const same = line.from === line.text || !found.lines
      return {...line, from, text: same ? from : quoted || line.text === null ? line.text : outer(line.text)}
    })
  })
}

/** What is said of the commands that submit jobs. */
export function submitted(from, to, lines) {
  const said = []
  const command = from.kind === "slurm" ? "sbatch" : "qsub"
  const expand = expander(readScript(lines.join("\n")).commands)
  for (const written of lines) {
    if (!RegExp(`(?:^|[\\s;&|(\`"'])${command}\\s`).test(written) || /^\s*#/.test(written)) continue
    const line = expand(written)
    const [, file] =
      RegExp(`\\b${command}\\b.*?\\s["']?([\\w\${}./-]+\\.(?:sh|slurm|sbatch|job|sub|sge))\\b`).exec(line) ?? []
    if (file) said.push(`\`${file}\` is a script for ${from.name}, too. Move it as well.`)
    const option = command === "sbatch" && OPTIONS.exec(line)?.[0].trim()
    if (option) said.push(`\`sbatch ${option}\` is for ${from.name}. Write the option that ${to.name} needs.`)
  }
  return said
}
