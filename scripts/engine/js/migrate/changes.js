// What a script's move changes: {from, text, reason} of each line; `from` null: a new line, `text` null: one that goes.

const CLOSES = /^\s*(?:(?:fi|done|else|elif)\b|\})/

/** A line gets another text, and why. UPDATES the line */
export const edits = each => (text, reason) => {
  if (text === each.text) return
  each.text = text
  each.reason = [each.reason, reason].filter(Boolean).join(" ")
}

/** A block of the shell that lost its only command gets one that does nothing. UPDATES the lines */
export function keepBlocks(all) {
  const commands = all.filter(({text}) => /^\s*[^\s#]/.test(text ?? ""))
  for (const [at, each] of commands.entries())
    if (/(?:\b(?:then|do|else)|\{)\s*$/.test(each.text) && CLOSES.test(commands[at + 1]?.text ?? ""))
      edits(each)(`${each.text.trimEnd()} :`, "The shell needs a command here.")
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
