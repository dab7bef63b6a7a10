// The comments and simple commands of a shell script, by line. A small reader: it knows comments, quotes, continued
// lines, here-documents, and what separates commands. It knows no other syntax.

const HERE = /(?<!<)<<(?!<)(-?)\s*['"\\]?([^\s'"<>|&;()\d][^\s'"<>|&;()]*)['"]?/y
const BETWEEN = /&&|\|\||;+|\|&?|&/y
const BEFORE_A_COMMAND = /^(?:(?:if|then|elif|else|while|until|do|time|exec|!|\{)(?:\s+|$)|\(\s*)+/

/** What begins at this place of the line, if it is of this pattern. */
function here(pattern, line, at) {
  pattern.lastIndex = at
  return pattern.exec(line)
}

/**
 * What a shell would read of these lines.
 * @param {string[]} lines
 * @returns {{comments: [number, string][], commands: {line: number, text: string}[]}}
 *   lines from 1; `| ` stands before a command that reads a pipe, ` &` behind one in the background
 */
export function readShell(lines) {
  const comments = [],
    commands = []
  let ends = [] // open here-documents: may tabs stand before the end, and the word
  let quote = "",
    quotedSince = 0,
    text = "",
    start = 0,
    pipe = false
  let said = false // is there more than blanks in the text

  function add(number, letters) {
    if (!said) start = number
    said ||= letters.trim() !== ""
    text += letters
  }
  function end(by) {
    const blanks = text.replace(/[ \t\r]+/g, " ").replace(/^ +| +$/g, "")
    const command = blanks.replace(BEFORE_A_COMMAND, "")
    if (command) {
      commands.push({line: start, text: (pipe ? "| " : "") + command + (by === "&" ? " &" : "")})
    }
    text = ""
    said = false
    pipe = by === "|" || by === "|&"
  }
  function inQuotes(number, line, at) {
    const step = line[at] === "\\" && quote === '"' ? 2 : 1
    if (line[at] === quote) quote = ""
    if (number === quotedSince || !quote) add(number, line.slice(at, at + step))
    return at + step
  }
  function letter(number, line, at) {
    if (line[at] === "\\") {
      add(number, at + 1 === line.length ? " " : line.slice(at, at + 2))
      return at + 2
    }
    if (line[at] === '"' || line[at] === "'") {
      quote = line[at]
      quotedSince = number
    }
    add(number, line[at])
    return at + 1
  }
  function read(number, line) {
    if (ends.length) {
      const [tabs, word] = ends[0]
      if ((tabs ? line.replace(/^\t+/, "") : line) === word) ends.shift()
      return
    }
    if (!quote && !text && /^\s*#/u.test(line)) {
      if (number > 1 || !line.startsWith("#!")) comments.push([number, line])
      return
    }
    const opened = []
    let match,
      at = 0
    while (at < line.length) {
      const before = at ? line[at - 1] : ""
      if (quote) at = inQuotes(number, line, at)
      else if (line[at] === "#" && ["", " ", "\t", ";"].includes(before)) break
      else if (line[at] === "<" && (match = here(HERE, line, at)) && !line.slice(0, at).includes("((")) {
        opened.push([match[1] === "-", match[2]])
        add(number, match[0])
        at += match[0].length
      } else if ((match = here(BETWEEN, line, at)) && before !== ">" && line[at + 1] !== ">") {
        end(match[0])
        at += match[0].length
      } else at = letter(number, line, at)
    }
    ends = opened
    if (!quote && !line.endsWith("\\")) end("\n")
  }
  for (const [place, line] of lines.entries()) read(place + 1, line)
  end("\n")
  return {comments, commands}
}
