// The script anew when the form changes, with what the reader has added, changed or taken out of it meanwhile.

const OWN = /^# Put your own program here/

/** A line's name: of a directive its option, so that another value is the same line; each name once. */
function named(text) {
  const seen = new Map()
  return text.split("\n").map(line => {
    const option = /^#(?:SBATCH|\$)\s+(--?[\w-]+)/.exec(line)
    const name = option ? `option ${option[1]}` : OWN.test(line) ? "own" : line.trim()
    const number = seen.get(name) ?? 0
    seen.set(name, number + 1)
    return {name: `${name} ${number}`, line}
  })
}
/** The program's part, from its comment on, and what stands before. */
function parted(text) {
  const lines = named(text),
    at = lines.findIndex(({line}) => OWN.test(line))
  return at < 0 ? {head: lines, own: null} : {head: lines.slice(0, at), own: lines.slice(at)}
}
const textOf = lines => lines.map(({line}) => line).join("\n")

/** New lines with the reader's: changed ones changed, deleted ones gone, added ones behind the same line as before. */
function merged(before, edited, after) {
  const old = new Map(before.map(each => [each.name, each.line]))
  const now = new Map(edited.map(each => [each.name, each.line]))
  const lines = after
    .filter(({name}) => now.has(name) || !old.has(name))
    .map(each =>
      old.has(each.name) && now.get(each.name) !== old.get(each.name) ? {...each, line: now.get(each.name)} : each,
    )
  let place = -1
  for (const each of edited) {
    const there = lines.findIndex(({name}) => name === each.name)
    if (there >= 0) place = there
    // What stood in the old script and stands no more in the new one is the form's own to take out, unless it was changed.
    else if (old.get(each.name) !== each.line) lines.splice(++place, 0, each)
  }
  return lines
}

/**
 * The form's new script, with what the reader has done to the one before.
 * @param {string} written what the form wrote last
 * @param {string} edited what the reader has made of it
 * @param {string} anew what the form writes now
 */
export function rewrite(written, edited, anew) {
  const text = edited.replace(/\r\n/g, "\n")
  const [before, now, after] = [written, text, anew].map(parted)
  const touched = !now.own || !before.own || textOf(before.own) !== textOf(now.own)
  const head = merged(before.head, now.head, after.head)
  const own = touched ? (now.own ?? []) : (after.own ?? [])
  return textOf([...head, ...own])
}
