// What a script's move changes: {from, text, reason} of each line; `from` null: a new line, `text` null: one that goes.

const CLOSES = /^\s*(?:(?:fi|done|else|elif)\b|[)}])/
const OPENS = /((?:\b(?:then|do|else)|\{|(?<!=)\())(\s*|\s+#.*)$/
const JOINS = /(&&|\|\|)\s*\\?$/ // to the next line
const RUNS = /^\s*[^\s#]/

/** A line gets another text, and why. UPDATES the line */
export const edits = each => (text, reason) => {
  if (text === each.text) return
  each.text = text
  each.reason = [each.reason, reason].filter(Boolean).join(" ")
}

/** A block or a list of the shell that lost its only or last command gets one that does nothing. UPDATES the lines */
export function keepBlocks(all) {
  let lost = false // a command, since the last one that is left
  for (const [at, each] of [...all.entries()].reverse()) {
    const runs = RUNS.test(each.text ?? "")
    const next = all.slice(at + 1).find(({text}) => RUNS.test(text ?? ""))?.text ?? ""
    if (runs && lost && (JOINS.test(each.text) || CLOSES.test(next)))
      edits(each)(each.text.replace(JOINS, "$1 :").replace(OPENS, "$1 :$2"), "The shell needs a command here.")
    lost = !runs && (lost || RUNS.test(each.from ?? ""))
  }
}

/** Lines that go, beside those that come in their place. */
export function pair(all) {
  const lines = []
  const found = all.filter(({text, from}) => text !== null || from !== null)
  for (let at = 0; at < found.length; at++) {
    if (found[at].text !== null && found[at].from !== null) {
      lines.push(found[at])
      continue
    }
    const gone = [],
      come = []
    for (; at < found.length && (found[at].text === null || found[at].from === null); at++)
      (found[at].text === null ? gone : come).push(found[at])
    at--
    for (let i = 0; i < Math.max(gone.length, come.length); i++)
      if (come[i] && gone[i] && come[i].reason !== gone[i].reason) lines.push(gone[i], come[i])
      else lines.push({text: come[i]?.text ?? null, from: gone[i]?.from ?? null, reason: (come[i] ?? gone[i]).reason})
  }
  return lines
}

/** The changes that a reader sees, by the number of the old line. */
export function changesOf(lines) {
  let number = 0
  return lines.flatMap(({from, text, reason}) => {
    if (from !== null) number++
    if (from === text) return []
    return [{line: from === null ? null : number, from: from ?? "", to: text ?? "", reason}]
  })
}
