// Bash as a tree. It expands nothing; what bash could not parse either is an error with its line, and reading goes on
// on the next line.
import {Source, Unparsed} from "./source.js"
import {readWord} from "./word.js"

const CLOSING = new Set(["then", "do", "fi", "elif", "else", "done", "esac", "}", "in", "]]"])
const COPROCESS = /coproc[ \t]+(?:[A-Za-z_]\w*[ \t]+)?(?=[{(])/y
const OPERATOR = /[0-9]*(?:<<<|<<-?|>>|>\||<>|[<>]&?)|&>>?/y
const ASSIGNED = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/u
const DECLARES = new Set(["export", "declare", "local", "readonly", "typeset", "alias", "let", "eval"])
const DEEPEST = 100
const MOST_ERRORS = 50

/**
 * @param {string} text the script's @param {number} [line] on which it begins
 * @returns {{body: any[], comments: [number, string][], error: {line: number, what: string} | null}}
 *   body: items {parts: {op: "" | "&&" | "||", pipeline}[], background}; a pipeline has simple commands
 *   {type: "command", line, sets, words, redirects} and compound ones {type, line, ...lists, redirects}
 */
export function parse(text, line = 1) {
  const source = new Source(text, line),
    parser = new Parser(source),
    body = []
  let error = null,
    errors = 0
  while (!source.done() && errors <= MOST_ERRORS) {
    const start = source.at
    try {
      parser.list(body, () => false)
      if (!source.done()) throw new Unparsed(source.line(), `\`${source.text[source.at]}\` closes nothing.`)
    } catch (fault) {
      if (!(fault instanceof Unparsed)) throw fault
      error ??= {line: fault.line, what: fault.message}
      errors++
      const from = Math.max(parser.itemStart, start)
      const next = source.text.indexOf("\n", from),
        end = next < 0 ? source.text.length : next
      const node = {type: "unread", line: source.line(from), text: source.text.slice(from, end).trim()}
      body.push({parts: [{op: "", pipeline: [node]}], background: false})
      source.at = end + 1
      source.documents = []
      parser.depth = 0
    }
  }
  return {body, comments: [...new Map(source.comments)], error}
}

class Parser {
  /** @param {Source} source */
  constructor(source) {
    this.source = source
    this.depth = 0
    this.itemStart = 0 // where the outermost item begins
  }

  /** Items up to what closes the list. ends: does a reserved word end it? */
  list(found, ends) {
    const {source} = this
    for (;;) {
      source.space(true)
      if (source.done() || source.ahead(")") || source.ahead(";;") || source.ahead(";&")) return found
      const word = source.bareWord()
      if (ends(word)) return found
      if (CLOSING.has(word)) throw new Unparsed(source.line(), `\`${word}\` has no beginning.`)
      if (!this.depth) this.itemStart = source.at
      found.push(this.item())
    }
  }
  /** A list that must not be empty, for a compound command. */
  nested(...words) {
    return this.deeper(() => this.list([], word => words.includes(word)))
  }
  deeper(read) {
    if (++this.depth > DEEPEST) throw new Unparsed(this.source.line(), "the commands are nested too deeply.")
    const found = read()
    this.depth--
    return found
  }
  /** The commands of `` `...` ``. */
  within(text, line) {
    const inner = new Parser(new Source(text, line))
    inner.depth = this.depth
    inner.source.patterns = this.source.patterns < this.source.at ? 0 : Infinity
    return inner.nested()
  }
  item() {
    const {source} = this,
      parts = []
    let op = ""
    for (;;) {
      parts.push({op, pipeline: this.pipeline()})
      source.space()
      op = source.take("&&") || source.take("||")
      if (!op) break
      source.space(true)
      if (source.done()) throw new Unparsed(source.line(), `nothing follows \`${op}\`.`)
    }
    const background = !source.ahead("&&") && Boolean(source.take("&"))
    const separated = background || source.ahead(";;") || source.ahead(";&") || source.take(";")
    if (!separated && !/^[\n)]?$/.test(source.text[source.at] ?? "") && !CLOSING.has(source.bareWord()))
      throw new Unparsed(source.line(), `\`${source.rest()}\` follows a complete command.`)
    return {parts, background}
  }
  pipeline() {
    const {source} = this,
      found = []
    for (;;) {
      source.space(found.length > 0)
      let prefix = null
      while (/^(!|time)$/.test(source.bareWord())) {
        prefix = readWord(source, this)
        source.space()
        if (source.bareWord() === "-p") source.at += 2
        source.space()
      }
      source.at += source.match(COPROCESS)?.[0].length ?? 0
      const alone = prefix && /^[\n;]?$/.test(source.text[source.at] ?? "") // `time` and `!` need no command
      found.push(
        alone ? {type: "command", line: prefix.line, sets: [], words: [prefix], redirects: []} : this.command(),
      )
      source.space()
      if (source.ahead("||") || !(source.take("|&") || source.take("|"))) return found
      source.space(true)
      if (source.done() || source.ahead("|") || source.ahead(";"))
        throw new Unparsed(source.line(), "nothing reads this pipe.")
    }
  }
  command() {
    const {source} = this,
      line = source.line(),
      word = source.bareWord()
    const compound = {
      if: () => this.conditional(line),
      while: () => this.loop(line, word),
      until: () => this.loop(line, word),
      for: () => this.counted(line, word),
      select: () => this.counted(line, word),
      case: () => this.cases(line),
      "{": () => ({type: "group", body: this.closed(line, "{", "}")}),
      "[[": () => this.test(line),
      function: () => this.named(line),
    }
    if (Object.hasOwn(compound, word)) {
      source.at += word.length
      return this.redirected({line, ...compound[word]()})
    }
    if (source.ahead("((")) {
      const words = this.arithmetic(line)
      if (words) return this.redirected({type: "command", line, sets: [], words, redirects: []})
    }
    if (source.take("(")) {
      const body = this.nested()
      if (!source.take(")")) throw new Unparsed(line, "`(` is never closed.")
      if (!body.length) throw new Unparsed(line, "`(` and `)` have no command between them.")
      return this.redirected({type: "subshell", line, body})
    }
    return this.simple(line)
  }
  /** A list between two words. */
  closed(line, open, ...close) {
    const body = this.nested(...close)
    this.need(line, open, ...close)
    if (!body.length) throw new Unparsed(line, `\`${open}\` and \`${close[0]}\` have no command between them.`)
    return body
  }
  /** One of these words, or the compound command is not whole. */
  need(line, open, ...close) {
    const word = this.source.bareWord()
    if (!close.includes(word)) throw new Unparsed(line, `\`${open}\` has no \`${close.at(-1)}\`.`)
    this.source.at += word.length
    return word
  }
  conditional(line) {
    const branches = []
    for (let word = "if"; word !== "fi";) {
      const test = word === "else" ? [] : this.closed(line, word, "then")
      const body = this.nested("elif", "else", "fi")
      if (!body.length) throw new Unparsed(line, "a branch of `if` has no command.")
      branches.push({test, body})
      word = this.need(line, "if", "elif", "else", "fi")
    }
    return {type: "if", branches}
  }
  loop(line, word) {
    const test = this.closed(line, word, "do")
    return {type: word, test, body: this.closed(line, "do", "done")}
  }
  counted(line, kind) {
    const {source} = this
    source.space()
    const start = source.at
    let name = "",
      words = []
    if (source.ahead("((")) {
      if (!this.arithmetic(line)) throw new Unparsed(line, "`((` has no `))`.")
    } else {
      name = readWord(source, this)?.text ?? ""
      source.space(true)
      if (source.bareWord() === "in") {
        source.at += 2
        words = this.words()
      }
    }
    const head = source.text.slice(start, source.at)
    source.space()
    source.take(";")
    source.space(true)
    const [open, close] = source.bareWord() === "{" ? ["{", "}"] : ["do", "done"]
    this.need(line, kind, open)
    return {type: kind, name, words, head, body: this.closed(line, open, close)}
  }
  cases(line) {
    const {source} = this
    source.space()
    const word = readWord(source, this),
      arms = []
    source.space(true)
    this.need(line, "case", "in")
    for (;;) {
      source.space(true)
      if (source.bareWord() === "esac") break
      if (source.done()) throw new Unparsed(line, "`case` has no `esac`.")
      source.take("(")
      const patterns = []
      do {
        source.space()
        const found = readWord(source, this)
        if (!found) throw new Unparsed(source.line(), "`case` has no pattern here.")
        patterns.push(found)
        source.space()
      } while (source.take("|"))
      if (!source.take(")")) throw new Unparsed(source.line(), "a pattern of `case` has no `)`.")
      arms.push({patterns, body: this.nested("esac")})
      source.take(";;&") || source.take(";;") || source.take(";&")
    }
    source.at += 4
    return {type: "case", word, arms}
  }
  named(line) {
    const {source} = this
    source.space()
    const name = readWord(source, this)?.text ?? ""
    source.space()
    if (source.take("(")) {
      source.space()
      source.take(")")
    }
    return this.definition(line, name)
  }
  definition(line, name) {
    this.source.space(true)
    if (this.source.done()) throw new Unparsed(line, `the function \`${name}\` has no body.`)
    const body = this.deeper(() => this.command())
    if (body.type === "command" && !/^(?:\[\[|\(\()$/.test(body.words[0]?.raw ?? ""))
      throw new Unparsed(line, `the body of the function \`${name}\` has no \`{\`.`)
    return {type: "function", line, name, body: [{parts: [{op: "", pipeline: [body]}], background: false}]}
  }
  test(line) {
    const {source} = this,
      words = [sign("[[", line, source.at - 2)],
      patterns = source.patterns
    source.patterns = 0
    for (;;) {
      source.space(true)
      if (source.done()) throw new Unparsed(line, "`[[` has no `]]`.")
      const word = readWord(source, this) ?? sign(source.text[source.at], source.line(), source.at++)
      words.push(word)
      if (word.raw !== "]]") continue
      source.patterns = patterns
      return {type: "command", sets: [], words, redirects: []}
    }
  }
  /** `((...))` as words, or null if it is two subshells. */
  arithmetic(line) {
    const {source} = this,
      start = source.at,
      end = source.balanced(start + 2, "(", ")", 2)
    if (end < 0 || source.text[end - 2] !== ")") return null
    const raw = source.text.slice(start, end)
    source.at = end
    return [sign("((", line, start), sign(raw.slice(2, -2).trim(), line, start + 2), sign("))", line, end - 2)]
  }
  words() {
    const found = []
    for (;;) {
      this.source.space()
      const word = readWord(this.source, this)
      if (!word) return found
      found.push(word)
    }
  }
  redirected(node) {
    node.redirects ??= []
    for (;;) {
      this.source.space()
      const redirect = this.redirect()
      if (!redirect) return node
      node.redirects.push(redirect)
    }
  }
  redirect() {
    const {source} = this,
      start = source.at,
      match = source.match(OPERATOR)
    if (!match) return null
    if (/^[<>]$/.test(match[0]) && source.text[start + 1] === "(") return null // a process that is read like a file
    source.at += match[0].length
    source.space()
    const line = source.line(),
      target = readWord(source, this)
    if (!target) throw new Unparsed(line, `\`${match[0]}\` names no file.`)
    const op = match[0].replace(/^\d+/, "")
    const found = {
      op,
      fd: match[0].slice(0, -op.length),
      target,
      line,
      start,
      end: source.at,
      raw: source.text.slice(start, source.at),
      document: null,
    }
    if (op === "<<" || op === "<<-") {
      found.document = {text: "", quoted: /['"\\]/.test(target.raw), line, ended: false}
      source.documents.push({word: target.text, tabs: op === "<<-", document: found.document})
    }
    return found
  }
  simple(line) {
    const {source} = this,
      sets = [],
      words = [],
      redirects = []
    for (;;) {
      source.space()
      const redirect = this.redirect()
      if (redirect) {
        redirects.push(redirect)
        continue
      }
      if (source.ahead("(") && words.length === 1 && !sets.length && !words[0].quote) {
        source.at++
        source.space()
        if (!source.take(")")) throw new Unparsed(line, "`(` is not quoted.")
        return this.definition(line, words[0].text)
      }
      const takesSets = !words.length || DECLARES.has(words[0].text)
      const word = readWord(source, this, takesSets)
      if (!word) break
      const target = !words.length && ASSIGNED.test(word.raw) ? sets : words
      target.push(word)
    }
    if (source.ahead("(")) throw new Unparsed(source.line(), "`(` is not quoted.")
    if (!words.length && !sets.length && !redirects.length) {
      if (source.ahead(")")) throw new Unparsed(source.line(), "`)` closes nothing.")
      throw new Unparsed(source.line(), `a command is missing before \`${source.rest()}\`.`)
    }
    return {type: "command", line, sets, words, redirects}
  }
}

/** A sign as a word. @returns {ShellWord} */
function sign(text, line, start) {
  return {text, raw: text, line, start, end: start + text.length, quote: "", inner: []}
}
