// The edit that cures a finding, where one is certain: it is tried, and kept only if the finding is gone afterwards and
// no other has come. A rule's edit stands with the rule, any other in refusals.js or advice.js.
import {RULES} from "../rules/all.js"
import {schedulerOf} from "../schedulers/registry.js"
import {PREFIX} from "../script/directives.js"
import {linesOf, scriptOf} from "../script/script.js"
import {ofAdvice} from "./advice.js"
import {ofRefusals} from "./refusals.js"

/** @type {Map<string, Fix>} */
const FIXES = new Map(
  /** @type {any} */ ([
    ...Object.entries({...ofRefusals, ...ofAdvice}),
    ...RULES.filter(({fix}) => fix).map(({id, fix}) => [id, fix]),
  ]),
)
const NAMES = new Set(RULES.map(({id}) => id))
const TRIES = 40,
  LETTERS = 400_000 // so many texts are judged at most, fewer where they are long
const MOST = 30 // a rule that is said once can be broken on many lines
// The scheduler looks at many things only once it refuses nothing else.
const ofScheduler = name => !NAMES.has(name)

/** What an editor has at hand: the line, the option there, and the changes that are made often. */
function bench(system, text, finding) {
  const kind = system.kind
  const lines = text.split("\n").map(line => line.replace(/\r$/, ""))
  const at = finding.line - 1,
    line = lines[at].replace(/^\ufeff/, "")
  const options = schedulerOf(kind).readOptions(linesOf(text).join("\n"))
  const option = options.find(each => each.line === finding.line && each.written === finding.option)
  const own = {system, text, lines, at, line, options, option, finding, prefix: PREFIX[kind], kind}
  return Object.assign(own, {
    /** The line anew. */
    to: line => (line === own.line ? null : lines.with(at, line)),
    /** The line with something replaced. */
    swap: (pattern, by) => own.to(line.replace(pattern, by)),
    /** Every line that is no comment with something replaced. */
    everywhere: (pattern, by) => lines.map(each => (/^\s*#/.test(each) ? each : each.replace(pattern, by))),
    /** Without the line. */
    out: () => lines.toSpliced(at, 1),
    /** With lines more, before this one (from 0). */
    insert: (place, ...more) => lines.toSpliced(place, 0, ...more),
    /** With a directive more, below the others that count. */
    directive: words => lines.toSpliced(Math.max(1, ...own.live()), 0, `${own.prefix} ${words}`),
    /** The lines (from 1) of the directives that count. */
    live: () => scriptOf(text, kind).directives.map(([line]) => line),
    /** The option anew, in its place; an empty text takes it out, and the line if nothing is left. */
    words: (by, which = option) => {
      if (!which || which.pieces.some(([line]) => line !== which.line)) return null
      const whole = lines[which.line - 1].replace(/^\ufeff/, "")
      const before = whole.slice(0, which.pieces[0][1]),
        behind = whole.slice(which.pieces.at(-1)[2])
      const now = by ? before + by + behind : before.trimEnd() + behind
      if (!by && now.trim() === own.prefix) return lines.toSpliced(which.line - 1, 1)
      return lines.with(which.line - 1, now)
    },
    /** The option's value anew, in the spelling that the option has. */
    value: (by, which = option) => {
      if (!which?.value || by === null || by === undefined || by === which.value) return null
      const [line, start] = which.pieces[0],
        end = which.pieces.at(-1)[2]
      const raw = lines[line - 1].replace(/^\ufeff/, "").slice(start, end)
      if (!raw.endsWith(which.value)) return null
      return own.words(raw.slice(0, -which.value.length) + by, which)
    },
  })
}

const counts = findings => {
  const found = new Map()
  for (const {rule, kind} of findings) found.set(`${kind} ${rule}`, (found.get(`${kind} ${rule}`) ?? 0) + 1)
  return found
}

/** Is the finding gone, and is there none that was not there before? */
function better(before, after, finding) {
  const [old, now] = [counts(before), counts(after)],
    own = `${finding.kind} ${finding.rule}`
  const hidden = before.some(({kind}) => kind === "refused" || kind === "not judged")
  if (finding.rule === "scheduler") {
    if (after.some(({rule, what}) => rule === finding.rule && what === finding.what)) return false
  } else if ((now.get(own) ?? 0) >= old.get(own)) return false
  const more = [...now].filter(([key, number]) => number > (old.get(key) ?? 0)).map(([key]) => key)
  return more.every(key => hidden && ofScheduler(key.split(" ").at(-1)))
}

/** One edit: the lines anew, or null. */
function edited(system, text, finding) {
  try {
    return FIXES.get(finding.rule)?.(bench(system, text, finding)) ?? null
  } catch (fault) {
    if (fault instanceof RangeError) return null // a line that is there no more
    throw fault
  }
}

/** The lines as a text; those that stay keep their ends, and new ones have the ends of all. */
function joined(lines, text) {
  const ended = text.split("\n"),
    has = line => line.endsWith("\r")
  const theirs = new Set(ended.filter(has).map(line => line.slice(0, -1)))
  const all = theirs.size && ended.slice(0, -1).every(has)
  const ends = (line, at) => (at < lines.length - 1 ? all || theirs.has(line) : has(ended.at(-1)))
  return lines.map((line, at) => (ends(line, at) ? `${line}\r` : line)).join("\n")
}

/** The text with the finding mended, or null where no edit is certain. */
function cured(system, text, finding, before, judge) {
  const several = edited(system, text, finding)
  for (const lines of Array.isArray(several?.[0]) ? several : [several]) {
    const together = lines => lines && (finding.rule === "windows-line-ends" ? lines.join("\n") : joined(lines, text))
    let now = together(lines),
      after
    for (let round = 0; now && now !== text && round < MOST; round++) {
      after = judge(now)
      if (better(before, after, finding)) return now
      // said once, though there are more places of the same kind
      const next = after.find(({rule, line}) => rule === finding.rule && line !== finding.line)
      const again = next && together(edited(system, now, next))
      if (!again || again === now) break
      now = again
    }
  }
  return null
}

/** The text with another value for an option, in the spelling that it has there, or with a directive more. */
export function withOption(system, text, name, value) {
  const own = bench(system, text, {line: 1})
  // another kind of memory was meant by no line: what is written in its place
  const same = other => other === name || (/^mem(-|$)/.test(name) && /^mem(-per-[cg]pu)?$/.test(other))
  const option = own.options.findLast(each => same(each.name))
  const words = `--${name}=${value}`
  if (!option) return joined(own.directive(words), text)
  const lines = option.name === name ? own.value(value, option) : null
  return option.value === value ? text : joined(lines ?? own.words(words, option) ?? own.directive(words), text)
}

/** As the page takes it: one line's edit, or all lines anew. */
function asMend(text, now) {
  const [old, lines] = [text.split("\n"), now.split("\n")]
  const other = old.flatMap((line, at) => (line === lines[at] ? [] : [at]))
  if (old.length !== lines.length || other.length !== 1) return {lines}
  const [at] = other
  return old[at] ? {line: at + 1, from: old[at], to: lines[at]} : {lines}
}

/**
 * The findings, with `mend` where an edit is certain.
 * @param {System} system @param {string} text @param {Finding[]} findings
 * @param {(text: string) => Finding[]} judge the findings of another text, without their mends
 */
export function fixed(system, text, findings, judge) {
  let left = Math.max(2, Math.min(TRIES, Math.floor(LETTERS / text.length)))
  const bounded = text => (left-- > 0 ? judge(text) : findings)
  return findings.map(finding => {
    const now = left > 0 ? cured(system, text, finding, findings, bounded) : null
    return now === null ? finding : {...finding, mend: asMend(text, now)}
  })
}
