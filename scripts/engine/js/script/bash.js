// The commands of a script's body, with what they set and whether they are sure to run. It knows words, quotes,
// here-documents and what stands inside `if`, `case` and functions; it expands nothing.

const OPEN = new Set(["if", "while", "until", "case", "select"])
const BEFORE = new Set(["then", "do", "else", "elif", "!", "time", "{", "exec", "nohup", "command", "builtin", "eval"])
const CLOSE = new Set(["fi", "done", "esac", "}"])
const TESTS = new Set(["[", "[[", "test", "command", "type", "which", "grep", "((", "!"])
const TOKEN = new RegExp(
  [
    "(?<blank>[ \\t]+)",
    "(?<comment>#[^\\n]*)",
    "(?<here><<-?[ \\t]*(?<mark>'[^'\\n]*'|\"[^\"\\n]*\"|[\\p{L}\\p{N}_.\\\\-]+))",
    "(?<end>\\n|&&|\\|\\||;;|[;&|()])",
    "(?<redirect>[0-9]*(?:<<<|>>|>\\||[<>]&?)|&>>?)",
  ].join("|"),
  "uy",
)
const ASSIGNED = /^[A-Za-z_]\w*\+?=/u
const LIST = /^[A-Za-z_]\w*\+?=$/u
const BRACE = /[ \t\n]*\{/y

/**
 * @param {string[]} lines
 * @returns {{line: number, words: string[], sets: string[], certain: boolean, name: string}[]}
 *   lines from 1; words without quotes; `certain` says that it runs whatever else happens
 */
export function bash(lines) {
  const text = `${lines.join("\n")}\n`,
    commands = []
  let at = 0,
    line = 1,
    words = [],
    start = 1,
    stack = [],
    after = "",
    documents = [],
    ended = false

  function take(end) {
    const taken = text.slice(at, end)
    line += taken.split("\n").length - 1
    at = end
    return taken
  }
  function until(mark, begin) {
    const end = text.indexOf(mark, begin)
    return take(end < 0 ? text.length : end + 1)
  }
  const opens = () => text.startsWith("$(", at) || text.startsWith("${", at)
  /** `$(...)`, `$((...))` or `${...}`, whole. */
  function nested() {
    const opening = text[at + 1],
      closing = {"(": ")", "{": "}"}[opening]
    let depth = 0,
      end = at + 1
    while (end < text.length) {
      const letter = text[end]
      if (letter === "\\") end++
      else if (letter === "'" && opening === "(") end = Math.max(end, text.indexOf("'", end + 1))
      else depth += Number(letter === opening) - Number(letter === closing)
      end++
      if (!depth) break
    }
    return take(end)
  }
  function quoted() {
    let found = ""
    at++
    while (at < text.length && text[at] !== '"') found += opens() ? nested() : take(at + (text[at] === "\\" ? 2 : 1))
    at++
    return found
  }
  function word(keep = true) {
    if (keep && !words.length) start = line
    let found = ""
    while (at < text.length && !" \t\n;&|()<>".includes(text[at])) {
      const letter = text[at]
      if (letter === "\\") {
        found += text.slice(at + 1, at + 2).replace("\n", "")
        if (text[at + 1] === "\n") line++
        at += 2
      } else if (letter === "'") found += until("'", at + 1).slice(1, -1)
      else if (letter === '"') found += quoted()
      else if (opens()) found += nested()
      else if (letter === "`") found += until("`", at + 1)
      else {
        found += letter
        at++
      }
    }
    if (keep) words.push(found)
  }
  function redirected() {
    while (text[at] === " " || text[at] === "\t") at++
    if (at < text.length && !"\n;&|()<>".includes(text[at])) word(false)
  }
  function skipDocument([mark, tabs]) {
    while (at < text.length) {
      const end = text.indexOf("\n", at),
        found = text.slice(at, end)
      at = end + 1
      line++
      if ((tabs ? found.replace(/^\t+/, "") : found) === mark) return
    }
  }
  function finish(end) {
    let given = words
    words = []
    if (end === "(" && given.length === 1 && LIST.test(given[0])) {
      until(")", at) // a list of values
      given = []
    } else if (end === "(" && !given.length && text[at] === "(") {
      until("))", at)
      at++
    } else if ((end === "(" && given.length === 1) || given[0] === "function") {
      stack.push("function") // `name() {`: its `}` closes it
      given = []
      if (text[at] === ")") at++
      BRACE.lastIndex = at
      const brace = BRACE.exec(text)
      if (brace) take(at + brace[0].length)
    }
    const any = given.length
    command(given)
    if (any || end !== "\n") after = end
    if (end === "\n") {
      line++
      documents.forEach(skipDocument)
      documents = []
    }
  }
  function command(given) {
    let inside = false
    const special = () =>
      given.length &&
      (OPEN.has(given[0]) || BEFORE.has(given[0]) || CLOSE.has(given[0]) || given[0] === "for" || given[0] === "in")
    while (special()) {
      if (BEFORE.has(given[0]) && given[1]?.startsWith("-")) break // `command -v program` starts nothing
      const first = given.shift()
      if (OPEN.has(first)) {
        stack.push(first)
        inside = ["if", "while", "until"].includes(first)
        if (first === "case" || first === "select") given.length = 0
      } else if (first === "for") {
        stack.push("for")
        given.length = 0
      } else if (first === "{") stack.push("group")
      else if (CLOSE.has(first)) stack.pop()
    }
    const sets = []
    while (given.length && ASSIGNED.test(given[0])) sets.push(given.shift())
    if (given[0] === "env") {
      given.shift()
      while (given.length && ASSIGNED.test(given[0])) sets.push(given.shift())
    }
    if (!given.length && !sets.length) return
    const around = inside ? stack.slice(0, -1) : stack,
      last = commands.at(-1)
    const branch = around.some(each => each !== "for" && each !== "group")
    const tested = last && (TESTS.has(last.name) || last.words.at(-1) === "]]" || !last.certain)
    const depends = after === "||" || (after === "&&" && tested)
    const name = given.length ? given[0].split("/").at(-1) : ""
    commands.push({line: start, words: given, sets, certain: !(branch || depends || ended), name})
    ended ||= commands.at(-1).certain && name === "exit"
  }

  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match && !(match.groups.comment && at && !" \t\n;&|()".includes(text[at - 1]))) {
      at += match[0].length
      const {here, mark, redirect, end} = match.groups
      if (here) documents.push([mark.replace(/['"\\]/g, ""), here.startsWith("<<-")])
      else if (redirect) redirected()
      else if (end) finish(end)
    } else if (text.startsWith("\\\n", at)) {
      at += 2
      line++
    } else word()
  }
  finish("\n")
  return commands
}
