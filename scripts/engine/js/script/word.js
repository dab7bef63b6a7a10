// One word of bash: its quotes, and the commands in its substitutions.
import {Unparsed} from "./source.js"

const PLAIN = /[^\s;&|()<>\\'"$`]+/y
const ENDS = new Set(" \t\n\r;&|()<>")
const LIST = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=$/u
const PATTERN = /[@?*+!]$/

/**
 * The word that begins here, or null.
 * @param {import("./source.js").Source} source @param parser that reads the commands of a substitution
 * @param {boolean} [lists] may `name=(...)` stand here?
 * @returns {ShellWord | null} raw as written; text without quotes, with `$(...)` as written; quote: which quotes it has
 */
export function readWord(source, parser, lists = false) {
  const start = source.at,
    line = source.line(),
    inner = []
  let text = "",
    quote = ""
  const slice = from => source.text.slice(from, source.at)
  while (!source.done()) {
    const letter = source.text[source.at],
      from = source.at
    if ((letter === "<" || letter === ">") && source.text[source.at + 1] === "(" && from === start) {
      source.at++
      inner.push(substitution(source, parser, "("))
      text += slice(from)
    } else if (letter === "(" && lists && LIST.test(slice(start))) {
      list(source, parser, inner)
      text += slice(from)
    } else if (letter === "(" && from > start && source.patterns < from && PATTERN.test(slice(start))) {
      const end = source.balanced(from + 1, "(", ")")
      if (end < 0) throw new Unparsed(line, "`(` is never closed.")
      source.at = end
      text += slice(from)
    } else if (ENDS.has(letter)) break
    else if (letter === "\\") {
      if (source.text[source.at + 1] !== "\n") text += source.text[source.at + 1] ?? ""
      source.at += 2
    } else if (letter === "'") {
      quote += "'"
      text += single(source)
    } else if (letter === '"') {
      quote += '"'
      text += double(source, parser, inner)
    } else if (letter === "$" && source.text[source.at + 1] === "'") {
      source.at++
      quote += "'"
      text += escaped(source)
    } else if (letter === "$" || letter === "`") text += expansion(source, parser, inner)
    else {
      const plain = source.match(PLAIN)?.[0] ?? letter
      text += plain
      source.at += plain.length
    }
  }
  if (source.at > source.text.length) source.at = source.text.length
  return source.at === start ? null : {raw: slice(start), text, line, start, end: source.at, quote, inner}
}

function single(source) {
  const end = source.text.indexOf("'", source.at + 1)
  if (end < 0) throw new Unparsed(source.line(), "the quote ' is never closed.")
  const text = source.text.slice(source.at + 1, end)
  source.at = end + 1
  return text
}
/** `$'...'`, in which `\'` closes nothing. */
function escaped(source) {
  const line = source.line(),
    start = ++source.at
  while (!source.done() && source.text[source.at] !== "'") source.at += source.text[source.at] === "\\" ? 2 : 1
  if (source.done()) throw new Unparsed(line, "the quote $' is never closed.")
  return source.text.slice(start, source.at++)
}
function double(source, parser, inner) {
  const line = source.line()
  let text = ""
  source.at++
  while (!source.done() && source.text[source.at] !== '"') {
    const letter = source.text[source.at]
    if (letter === "$" || letter === "`") text += expansion(source, parser, inner)
    else {
      const length = letter === "\\" ? 2 : 1
      if (source.ahead("\\\\\n")) text += "\\"
      else if (!source.ahead("\\\n")) text += source.text.slice(source.at, source.at + length)
      source.at += length
    }
  }
  if (source.done()) throw new Unparsed(line, 'the quote " is never closed.')
  source.at++
  return text
}
/** `$name`, `${...}`, `$(...)`, `$((...))` or `` `...` ``, as written. */
function expansion(source, parser, inner) {
  const start = source.at,
    line = source.line()
  if (source.ahead("$((")) {
    const end = source.balanced(start + 3, "(", ")", 2)
    if (end > 0 && source.text[end - 2] === ")") {
      source.at = end
      return source.text.slice(start, end)
    }
  }
  const old = source.ahead("$[") ? source.balanced(start + 2, "[", "]") : 0 // `$[...]` is an old form of `$((...))`
  if (old > 0) source.at = old
  else if (source.take("$(")) {
    source.at--
    inner.push(substitution(source, parser, "$("))
  } else if (source.take("${")) {
    for (let depth = 1; depth;) {
      if (source.done()) throw new Unparsed(line, "`${` is never closed.")
      const letter = source.text[source.at]
      if (letter === "`" || source.ahead("$(") || source.ahead("${"))
        parser.deeper(() => expansion(source, parser, inner))
      else if (source.ahead("'}'")) source.at += 3
      else {
        if (letter === "}") depth--
        source.at += letter === "\\" ? 2 : 1
      }
    }
  } else if (source.take("`")) {
    while (!source.done() && source.text[source.at] !== "`") source.at += source.text[source.at] === "\\" ? 2 : 1
    if (source.done()) throw new Unparsed(line, "the quote ` is never closed.")
    const text = source.text.slice(start + 1, source.at++)
    inner.push({line, body: parser.within(text.replace(/\\([\\`$])/g, "$1"), line)})
  } else source.at++
  return source.text.slice(start, source.at)
}
/** Past `(...)`; the commands in it. */
function substitution(source, parser, open) {
  const line = source.line()
  source.at++
  const body = parser.nested()
  if (!source.take(")")) throw new Unparsed(line, `\`${open}\` is never closed.`)
  return {line, body}
}
/** The values of `name=(...)`. */
function list(source, parser, inner) {
  const line = source.line()
  source.at++
  for (;;) {
    source.space(true)
    if (source.done()) throw new Unparsed(line, "the list that `=(` opens is never closed.")
    if (source.take(")")) return
    const word = readWord(source, parser)
    if (!word) throw new Unparsed(source.line(), `\`${source.text[source.at]}\` is not quoted.`)
    inner.push(...word.inner)
  }
}
