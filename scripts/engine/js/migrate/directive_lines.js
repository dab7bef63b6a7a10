// The lines of a moved script down to its commands: each old directive becomes what stands for it there.
import {PREFIX} from "../script/directives.js"
import {ROLES} from "./need.js"

// The order in which new directives come, behind those that are there.
const ORDER = "job-name account partition array nodes tasks cores memory gpu features tmp time".split(" ")
const bare = texts => `\`${texts.map(text => text.split("=")[0]).join(" ")}\`` // without values

/**
 * @param {Kind} kind of the old script @param {string[]} lines the old script's @param {Option[]} options
 * @param {{found: Record<string, [string[], string]>, role: (option: Option) => string}} become
 *   role -> the options there, and why; what it lacks is taken along
 * @returns {{from: string | null, text: string | null, reason: string, role?: string, body?: boolean}[]}
 *   `from` null: a new line; `text` null: one that goes; `body`: a line that may be a command
 */
export function directiveLines(kind, lines, options, {found, role}, to) {
  const touched = new Set(options.flatMap(option => option.pieces.map(([line]) => line)))
  const done = new Set()
  const out = lines.flatMap((line, at) => {
    const here = options.filter(option => option.pieces[0][0] === at + 1)
    if (here.length) return directive(kind, line, here, {found, role}, done)
    if (touched.has(at + 1)) return [{from: line, text: null, reason: "The value moves next to the option's name."}]
    return [{from: line, text: line, reason: "", body: !line.startsWith(PREFIX[kind]) && at > 0}]
  })
  insert(out, found, done, to)
  return out
}

/** The lines in place of one directive with these options. done: the roles that are written, UPDATED */
function directive(kind, line, options, {found, role}, done) {
  const several = options.length > 1
  const onItsOwn = several ? "The option is unchanged, on its own line." : ""
  const become = [] // {text, reason}
  const why = new Set()
  const severalLines = options.some(({pieces}) => pieces.length > 1 && pieces[0][0] !== pieces[1][0])
  let changed = kind !== "slurm" || severalLines
  for (const option of options) {
    const name = role(option)
    const [words, reason] = found[name] ?? []
    const again = done.has(name)
    const same = !words || (!again && words.length === 1 && words[0] === option.written)
    if (words) done.add(name)
    if (!words) become.push({text: option.written, reason: onItsOwn})
    else if (!again) {
      const own = reason || (same ? "The option is unchanged, on its own line." : "")
      become.push(...words.map(text => ({text, reason: own})))
    }
    changed ||= !same
    if (!same) why.add(again && words.length ? "The option is set only once." : reason)
  }
  if (!changed) return [{from: line, text: line, reason: ""}]
  const instead = `Use ${bare(become.map(({text}) => text))} instead of ${bare(options.map(({written}) => written))}.`
  const plain = kind === "slurm" ? "The option is unchanged, in its long form." : instead
  const reason = [...why].filter(Boolean).join(" ") || plain
  if (!become.length) return [{from: line, text: null, reason}]
  return become.map((each, at) => ({
    from: at ? null : line,
    text: `#SBATCH ${each.text}`,
    reason: several && (at || reason === plain) ? each.reason || plain : reason,
  }))
}

/** What nothing in the old script stands for comes behind what it follows in ORDER. out: UPDATED */
function insert(out, found, done, to) {
  const commands = out.findIndex(each => each.body && !/^\s*(#|$)/.test(each.from))
  const rest = commands < 0 ? [] : out.splice(commands)
  for (const [place, name] of ORDER.entries()) {
    const [words, reason] = found[name] ?? [[]]
    if (done.has(name) || !words.length) continue
    const behind = ORDER.slice(0, place).reverse()
    const places = behind.map(other => out.findLastIndex(each => each.role === other || roleOf(each.text) === other))
    const at = places.find(each => each >= 0) ?? (out[0]?.from?.startsWith("#!") ? 0 : -1)
    const lines = words.map(text => ({
      from: null,
      text: `#SBATCH ${text}`,
      reason: reason || (name === "time" ? "The old script has no time limit." : `On ${to}, also set ${bare([text])}.`),
      role: name,
    }))
    out.splice(at + 1, 0, ...lines)
  }
  out.push(...rest)
}

/** The role of a directive's line. */
function roleOf(line) {
  const name = /^#SBATCH\s+--?([\w-]+)/.exec(line ?? "")?.[1]
  return name && (ROLES[name] ?? name)
}
