// What people write that a scheduler silently ignores, or understands otherwise than they mean, and what cannot start.
import {scriptOf} from "../script/script.js"
import {RULES} from "./all.js"

// What ends many scripts and is not what the job is for.
const IDLE = /^(?:(echo|date|printf|exit|disown|fi|done|esac|\}|\)|true|:|cd|popd|set|sleep(?=\s\d{1,2}$))\b|^[})]$)/

/** A directive without the comment behind it; one that hides another directive stays. */
function uncommented(line) {
  let quote = ""
  for (let at = 1; at < line.length; at++) {
    const letter = line[at]
    if (letter === "\\") at++
    else if (quote) quote = letter === quote ? "" : quote
    else if ("\"'".includes(letter)) quote = letter
    else if (letter === "#" && " \t".includes(line[at - 1]) && !/#\s*SBATCH\s+-/.test(line.slice(at)))
      return line.slice(0, at)
  }
  return line
}

const linesAndTexts = list => list.map(([line, text]) => ({line, text}))
const WHERE = {
  "first line": script => [{line: 1, text: script.lines[0]}],
  file: script => [{text: script.text}],
  directive: ({kind, directives}) =>
    directives.map(([line, text]) => ({line, text: kind === "slurm" ? uncommented(text) : text})),
  comment: script => linesAndTexts(script.comments),
  "late comment": script => linesAndTexts(script.lateComments),
  command: ({commands}) => {
    const own = new Set(commands.map(({fn}) => fn)) // a function of the script is no command of that name
    return commands.filter(({words, fn}) => fn || !words.length || !own.has(words[0]))
  },
  "last command": script => script.commands.filter(({text}) => !IDLE.test(text)).slice(-1),
}
/** Many rules look at the same places. */
const placesOf = (script, where) => (script.places[where] ??= WHERE[where](script))
const valuesOf = ({options}, names) =>
  options
    .filter(({name}) => names.includes(name))
    .map(({line, value, name, written}) => ({line, text: value || "", name, written}))

/** Does the script have what the rule needs, and nothing that excuses? */
function concerned(rule, script) {
  const has = name => script.names.has(name)
  return (
    (!rule.options || rule.options.some(has)) &&
    (rule.needs ?? []).every(has) &&
    !(rule.without ?? []).some(has) &&
    (!rule.body || script.does(rule.body)) &&
    !(rule.noBody && script.does(rule.noBody)) &&
    !rule.excused?.(script)
  )
}

/** Where the rule's fault stands: {line, matched, written, name}. */
function* faults(rule, script) {
  if (!concerned(rule, script)) return
  if (rule.find) return yield* rule.find(script)
  for (const place of rule.options ? valuesOf(script, rule.options) : placesOf(script, rule.where)) {
    const match = rule.pattern.exec(place.text)
    if (!match || rule.unless?.test(place.text)) continue
    const tested = rule.unset === "tested" ? String.raw`|-[nzv] "?\$?\{?${match[1]}\b` : ""
    if (rule.unset && script.does(RegExp(String.raw`(?:^|[\s{])${match[1]}:?=${tested}`))) continue
    const line = place.line ?? place.text.slice(0, match.index).split("\n").length
    yield {...place, line, matched: [match[0].trim(), ...match.slice(1).map(group => group ?? "")]}
    if (!rule.options && ["command", "file"].includes(rule.where)) return // said once
  }
}

/** The words with `{0}`, `{written}`, `{option}` filled in; `{{` is a brace. */
function filled(words, matched, option, written) {
  const cut = text => ([...text].length > 60 ? `${[...text].slice(0, 57).join("")}...` : text)
  const values = {...matched.map(cut), option, written}
  return words.replace(/\{\{|\}\}|\{(\w+)\}/g, (sign, name) => (name ? (values[name] ?? "") : sign[0]))
}

/**
 * What the rules find in a script, by line.
 * @param {System} system
 * @param {string} text the file as it is, with its line ends and byte-order mark
 * @returns {Finding[]}
 */
export function findings(system, text) {
  const {kind} = system
  const script = {...scriptOf(text, kind), system, places: {}}
  const found = RULES.filter(rule => rule.schedulers.includes(kind)).flatMap(rule =>
    [...faults(rule, script)].map(({line, matched, written = null, name = null}) => ({
      line,
      kind: rule.kind,
      what: filled(rule.words, matched, name, written),
      cure: filled(rule.meant?.(matched) ?? rule.cure, matched, name, written),
      rule: rule.id,
      option: written,
    })),
  )
  return found.sort((one, other) => one.line - other.line)
}
