// The text of a script, read from left to right: lines, blanks, comments, here-documents.

/** Bash could not parse this either. */
export class Unparsed extends Error {
  constructor(line, what) {
    super(what)
    this.line = line
  }
}

const BARE = /[^\s;&|()<>"'$`\\]+/y

export class Source {
  constructor(text, first = 1) {
    this.text = text
    this.at = 0
    this.first = first
    this.counted = 0 // up to where the lines are counted
    this.lines = 0
    this.end = -1 // of the line that follows; looked for once
    this.documents = [] // here-documents that begin on the next line
    this.comments = []
    const patterns = text.search(/\bextglob\b/)
    this.patterns = patterns < 0 ? Infinity : patterns // from where `@(...)` is a pattern
  }
  done() {
    return this.at >= this.text.length
  }
  /** The line of a place, from 1. */
  line(at = this.at) {
    if (at < this.counted) {
      this.counted = this.lines = 0
      this.end = -1
    }
    for (; ; this.lines++) {
      if (this.end < this.counted) this.end = (this.text.indexOf("\n", this.counted) + 1 || Infinity) - 1
      if (this.end >= at) return this.first + this.lines
      this.counted = this.end + 1
    }
  }
  ahead(sign) {
    return this.text.startsWith(sign, this.at)
  }
  take(sign) {
    if (!this.ahead(sign)) return ""
    this.at += sign.length
    return sign
  }
  match(pattern) {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)
  }
  /** The word here if it is written without quotes, or "". */
  bareWord() {
    const word = this.match(BARE)?.[0] ?? ""
    return "\"'$`\\".includes(this.text[this.at + word.length] ?? " ") ? "" : word
  }
  /** What stands here up to a blank. */
  rest() {
    return this.text.slice(this.at).split(/\s/, 1)[0]
  }
  /** Past blanks and continued lines; newlines: past the ends of lines and comments too. */
  space(newlines = false) {
    for (;;) {
      const letter = this.text[this.at]
      if (letter === " " || letter === "\t" || letter === "\r") this.at++
      else if (this.ahead("\\\n")) this.at += 2
      else if (letter === "#" && /^[\s;&|()<>]?$/.test(this.text[this.at - 1] ?? "")) this.comment()
      else if (letter === "\n" && newlines) this.newline()
      else return
    }
  }
  comment() {
    const end = this.text.indexOf("\n", this.at),
      line = this.line(),
      text = this.text.slice(this.at, end < 0 ? undefined : end)
    const begin = this.text.lastIndexOf("\n", this.at - 1) + 1,
      before = this.at ? this.text.slice(begin, this.at) : ""
    if (!before.trim() && !(line === 1 && text.startsWith("#!"))) this.comments.push([line, before + text])
    this.at = end < 0 ? this.text.length : end
  }
  newline() {
    this.at++
    for (const {word, tabs, document} of this.documents) {
      const start = this.at
      while (!this.done() && !document.ended) {
        const end = this.text.indexOf("\n", this.at),
          line = this.text.slice(this.at, end < 0 ? undefined : end)
        document.ended = (tabs ? line.replace(/^\t+/, "") : line) === word
        if (document.ended) document.text = this.text.slice(start, this.at)
        this.at = end < 0 ? this.text.length : end + 1
      }
      if (!document.ended) document.text = this.text.slice(start)
    }
    this.documents = []
  }
  /** Where what was opened `deep` times before this place is closed, or -1; quotes and `\` are heeded. */
  balanced(from, open, close, deep = 1) {
    let depth = deep
    for (let at = from; at < this.text.length; at++) {
      const letter = this.text[at]
      if (letter === "\\") at++
      else if (letter === "'" && open === "(") {
        const end = this.text.indexOf("'", at + 1)
        if (end > 0) at = end
      } else if (letter === open) depth++
      else if (letter === close && --depth === 0) return at + 1
    }
    return -1
  }
}
