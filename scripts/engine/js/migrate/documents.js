// Here-documents in quotes, into which the shell puts no values: a path that now has a variable would stay as it is written.
import {quoted} from "./amounts.js"
import {documents} from "./environment.js"

const CLOSED = /<<(-?)\s*(?:(["'])(\w+)\2|\\(\w+))/
/** A script, whose shell reads the variable later. */
const SCRIPT = /(?:^|[\s;&|/])(?:ba|da|z|k)?sh\b(?!-)|\.(?:ba)?sh\b|\b(?:sbatch|ssh)\b/

/** Opens them where nothing else in them is the shell's, or says it. @param {any[]} found the lines, UPDATED @param {Set<any>} said UPDATED */
export function openDocuments(found, said) {
  for (const [first, last] of documents(found.map(({text}) => text ?? ""))) {
    const {text} = found[first]
    const inner = found.slice(first + 1, last).filter(each => each.text !== null)
    const closed = CLOSED.exec(text)
    if (!closed || SCRIPT.test(text) || /^#!.*sh\b/.test(inner[0]?.text ?? "")) continue
    const isNew = ({from, text}) => (text.match(/\$\w+/g) ?? []).filter(name => from !== null && !from.includes(name))
    const names = [...new Set(inner.flatMap(isNew))]
    if (!names.length) continue
    const rest = names.reduce((text, name) => text.split(name).join(""), inner.map(each => each.text).join("\n"))
    const list = names.map(name => `\`${name}\``).join(", ")
    if (/[$`\\]/.test(rest)) {
      said.add(`In the text below ${quoted(text)}, the shell replaces no variables. Write what ${list} stands for.`)
      continue
    }
    found[first].text = text.replace(CLOSED, (_, dash, _quote, end, other) => `<<${dash}${end ?? other}`)
    found[first].reason = `${found[first].reason} Without quotes, the shell replaces ${list} below.`.trim()
  }
}
