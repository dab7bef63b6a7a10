// Regular expressions as Python reads them, and its strip(): the rules are written once, and
// mean the same in the command's Python and here.
;(jobscript => {
  // What Python's `\s`, `\w` and `\d` are, as the inside of a class with the flag u; and what of them ASCII has, which
  // a browser compiles thirty times as fast.
  const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"
  const EVERY = {s: BLANK, w: "\\p{L}\\p{N}_", d: "\\p{Nd}"}
  const ASCII = {s: "\\t-\\r\\x1c-\\x20", w: "a-zA-Z0-9_", d: "0-9"}
  const edge = letter => `(?:(?<=[${letter}])(?![${letter}])|(?<![${letter}])(?=[${letter}]))`
  const ONE_BLANK = new RegExp(`[${BLANK}]`)
  const made = new Map()

  /** What stands behind a backslash, inside a class or outside. */
  function escaped(letter, inside, classes) {
    if (classes[letter]) return inside ? classes[letter] : `[${classes[letter]}]`
    const not = classes[letter.toLowerCase()]
    if (not) return `[^${not}]`
    if (letter === "b" && !inside) return edge(classes.w)
    if (/[\w^$\\.*+?()[\]{}|/]/.test(letter) || inside && letter === "-") return `\\${letter}`
    return letter
  }

  /** Python's pattern as JavaScript's, for the flag u. */
  function translated(pattern, classes) {
    let text = "", inside = false
    for (let at = 0; at < pattern.length; at++) {
      const letter = pattern[at]
      if (letter === "\\") text += escaped(pattern[++at], inside, classes)
      else if (inside) {
        inside = letter !== "]"
        text += letter === "[" ? "\\[" : letter
      } else if (letter === "[") {
        inside = true
        text += letter
        // a bracket at the very start of a class is a sign like others
        if (pattern[at + 1] === "^") text += pattern[++at]
        if (pattern[at + 1] === "]") text += `\\${pattern[++at]}`
      } else if (letter === ".") text += "[^\\n]"
      else if (letter === "$") text += "(?=\\n?$)"
      else if (letter === "]" || letter === "}" && !/\{\d*,?\d*$/.test(pattern.slice(0, at))) text += `\\${letter}`
      else if (letter === "{" && !/^\{(\d+(,\d*)?|,\d+)\}/.test(pattern.slice(at))) text += "\\{"
      else text += letter
    }
    return text
  }

  let classes = EVERY

  /** What act() gives; all that `regex` is held against meanwhile is part of this text, or of this guide. */
  function reading(text, act) {
    const before = classes
    classes = /^[\0-\x7f]*$/.test(text) ? ASCII : EVERY
    try {
      return act()
    } finally {
      classes = before
    }
  }

  /** The expression that a Python pattern is. flags: those of JavaScript; u is added. Made once. */
  function regex(pattern, flags = "") {
    const key = `${flags}/${classes === ASCII}/${pattern}`
    if (!made.has(key)) made.set(key, new RegExp(translated(pattern, classes), `${flags}u`))
    const found = made.get(key)
    found.lastIndex = 0
    return found
  }

  Object.assign(jobscript, {regex, reading})
  /** A text without the blanks at its ends. */
  jobscript.strip = text => {
    let from = 0, to = text.length
    while (from < to && ONE_BLANK.test(text[from])) from++
    while (from < to && ONE_BLANK.test(text[to - 1])) to--
    return text.slice(from, to)
  }
  /** The words of a text, split at blanks. */
  jobscript.words = text => jobscript.strip(text).split(regex("\\s+")).filter(Boolean)
})(globalThis.jobscript ??= {})
