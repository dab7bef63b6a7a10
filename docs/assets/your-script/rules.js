// What people write that a scheduler takes in silence, or otherwise than they mean, and what
// cannot start. The rules are those of scripts/check/rules/*.yml, handed in as data; what no
// pattern can express is in rule_functions.js.
;(jobscript => {
  const {regex} = jobscript
  // What ends many scripts and is not what the job is for.
  const IDLE = "^(?:(echo|date|printf|exit|disown|fi|done|esac|\\}|\\)|true|:|cd|popd|set)\\b|^[})]$)"
  // First lines of scripts in which commands are written otherwise.
  const OTHER_LANGUAGE = "^#!.*\\b(t?csh|fish|python[\\d.]*|perl|Rscript|julia|ruby)\\b"
  const PREFIX = {slurm: "#SBATCH", grid_engine: "#$"}

  /** The text of a file's bytes; a byte-order mark stays. */
  const decoded = bytes => new TextDecoder("utf-8", {ignoreBOM: true}).decode(bytes)

  /** The same of a text in which each byte that is no UTF-8 is a lone surrogate. */
  function whole(text) {
    const lone = /\p{Cs}/u
    if (!lone.test(text)) return text
    const encoder = new TextEncoder()
    const bytes = [...text].flatMap(letter =>
      lone.test(letter) ? [letter.charCodeAt(0) & 0xff] : [...encoder.encode(letter)])
    return decoded(Uint8Array.from(bytes))
  }

  /** The lines without their ends, a carriage return, or the byte-order mark. */
  const linesOf = text => text.replace(/^\ufeff+/, "").replaceAll("\r", "").split("\n")

  /** [line from 1, text] of each directive that the scheduler of this kind reads. */
  function live(lines, kind) {
    const found = []
    for (const [place, line] of lines.entries()) {
      if (line.startsWith(PREFIX[kind])) found.push([place + 1, line])
      else if (kind === "slurm" && !/^[ \t\n\v\f\r]*(#|$)/.test(line)) break
    }
    return found
  }

  /** A script as the rules see it. */
  function scriptOf(text, kind, options) {
    const lines = linesOf(text)
    const directives = live(lines, kind)
    const found = options ?? jobscript.read(lines.join("\n"), kind)
    const shell = jobscript.shell(lines)
    const read = new Set(directives.map(([line]) => line))
    const comments = shell.comments.filter(([line]) => !read.has(line))
    const late = ([, text]) => text.startsWith(PREFIX[kind])
    return {
      kind, text, lines, directives, options: found,
      names: new Set(found.map(option => option.name)),
      commands: regex(OTHER_LANGUAGE).test(lines[0]) ? [] : shell.commands,
      comments: comments.filter(each => !late(each)),
      lateComments: comments.filter(late),
      does(pattern) {
        return this.commands.some(command => regex(pattern).test(command.text))
      },
    }
  }

  /** A directive without the comment behind it; one that hides another directive stays. */
  function uncommented(line) {
    let quote = ""
    for (let at = 1; at < line.length; at++) {
      const letter = line[at]
      if (letter === "\\") at++
      else if (quote) quote = letter === quote ? "" : quote
      else if ("\"'".includes(letter)) quote = letter
      else if (letter === "#" && " \t".includes(line[at - 1]) && !regex("#\\s*SBATCH\\s+-").test(line.slice(at)))
        return line.slice(0, at)
    }
    return line
  }

  const WHERE = {
    "first line": script => [{line: 1, text: script.lines[0]}],
    "file": script => [{line: 1, text: script.text}],
    "directive": ({kind, directives}) => directives.map(([line, text]) =>
      ({line, text: kind === "slurm" ? uncommented(text) : text})),
    "option": (script, rule) => script.options
      .filter(option => rule.options.includes(option.name))
      .map(({line, value, name, written}) => ({line, text: value || "", name, written})),
    "comment": script => script.comments.map(([line, text]) => ({line, text})),
    "late comment": script => script.lateComments.map(([line, text]) => ({line, text})),
    "command": script => script.commands,
    "last command": script => {
      const last = script.commands.findLast(({text}) => !regex(IDLE).test(text))
      return last ? [last] : []
    },
  }

  /** Does the script have what the rule needs, and nothing that excuses? */
  function concerned(rule, script) {
    const has = name => script.names.has(name)
    return (!rule.options?.length || rule.options.some(has))
      && (rule.needs ?? []).every(has) && !(rule.without ?? []).some(has)
      && (!rule.body || script.does(rule.body)) && !(rule.no_body && script.does(rule.no_body))
  }

  /** Where the rule's fault stands: {line, matched, written, name}. */
  function* faults(rule, script) {
    if (!concerned(rule, script)) return
    if (rule.function) return yield* jobscript.ruleFunctions[rule.function](script)
    const flags = rule.any_case ? "i" : ""
    for (const place of WHERE[rule.where](script, rule)) {
      const match = regex(rule.pattern, flags).exec(place.text)
      if (!match || rule.unless && regex(rule.unless, flags).test(place.text)) continue
      const line = rule.where === "file"
        ? place.text.slice(0, match.index).split("\n").length : place.line
      const groups = match.slice(1).map(group => group ?? "")
      yield {...place, line, matched: [jobscript.strip(match[0]), ...groups]}
      if (rule.where === "command" || rule.where === "file") return // said once
    }
  }

  /** The words with `{0}`, `{written}`, `{option}` filled in; `{{` is a brace. */
  function filled(words, matched, option, written) {
    const cut = text => [...text].length > 60 ? `${[...text].slice(0, 57).join("")}...` : text
    const values = {...matched.map(cut), option, written}
    return words.replace(/\{\{|\}\}|\{(\w+)\}/g, (sign, name) => name ? values[name] ?? "None" : sign[0])
  }

  /**
   * All findings about a script, by line.
   * @param {{list: object[]}} given the rules, as scripts/jobscript/rules.py writes them
   * @param {{kind: string}} system slurm or grid_engine
   * @param {string} text the file as it is, with its line ends and byte-order mark
   * @param {string} file what the findings call it
   * @param {object[]} [options] what jobscript.read found in it, if that is known already
   */
  function rules(given, {kind}, text, file, options) {
    const script = scriptOf(whole(text), kind, options)
    const found = given.list.filter(rule => rule.schedulers.includes(kind)).flatMap(rule =>
      [...faults(rule, script)].map(({line, matched, written = null, name = null}) => ({
        file, line, kind: rule.kind,
        what: filled(rule.words, matched, name, written),
        cure: filled(rule.cure, matched, name, written),
        rule: rule.id, option: written, limit: null, source: null,
      })))
    return found.sort((one, other) => one.line - other.line)
  }

  jobscript.commands ??= {}
  /** [findings] of each text: what the tests hold against Python's. */
  jobscript.commands.rules = ({data, systems}, key, texts) =>
    texts.map(text => rules(data.rules, systems[key], text, "job.sh"))
  Object.assign(jobscript, {decoded, whole, linesOf, scriptOf, rules})
})(globalThis.jobscript ??= {})
