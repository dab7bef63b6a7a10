// Which option stands on which line: Slurm's as sbatch reads them, Grid Engine's in grid_engine_read.js.
// scripts/check/directives.py reads the same, and the tests hold one against the other.
;(jobscript => {
  const PREFIX = {slurm: "#SBATCH", grid_engine: "#$"}
  const BLANK = new Set(" \t\n\v\f\r")
  const HETJOB = "hetjob"

  /**
   * @typedef {object} Option an option of a live directive
   * @property {number} line from 1
   * @property {string} name long, without dashes; of an unknown option what was written
   * @property {string} written the words as they stand
   * @property {string | null} value what the scheduler gets, without quotes
   * @property {boolean} known whether the scheduler has such an option
   * @property {[number, number, number][]} pieces line, first column, end column
   */

  /**
   * All options of the live directives, in their order.
   * @param {string} text the script @param {"slurm" | "grid_engine"} kind
   * @returns {Option[]}
   */
  function read(text, kind) {
    const lines = live(text.split("\n"), kind)
    if (kind === "grid_engine") return jobscript.readGridEngine(lines.flatMap(([at, line]) => words(at, line, PREFIX[kind].length)))
    const found = []
    let part = []
    for (const [at, line] of lines) {
      let here = words(at, line, PREFIX.slurm.length)
      if (here.length && ["hetjob", "packjob"].includes(here[0].text.toLowerCase())) {
        found.push(...slurm(part), {...option(HETJOB, null, true, here[0]), written: here[0].raw})
        part = []
        here = here.slice(1)
      }
      part.push(...here)
    }
    return [...found, ...slurm(part)]
  }

  // The lines that the scheduler reads: Slurm's end at the first command.
  function live(lines, kind) {
    const found = []
    for (const [i, line] of lines.entries())
      if (line.startsWith(PREFIX[kind])) found.push([i + 1, line])
      else if (kind === "slurm" && !/^[ \t\n\v\f\r]*(#|$)/.test(line)) break
    return found
  }

  // The words of a directive, without quotes and `\`, up to a `#` that is not quoted.
  function words(number, line, at) {
    for (const found = []; ;) {
      while (BLANK.has(line[at])) at++
      const start = at
      let text = "", quote = ""
      for (; at < line.length && (quote || !BLANK.has(line[at])); at++) {
        const letter = line[at]
        if (letter === "\\") text += quote || !BLANK.has(line[at + 1]) ? line[++at] ?? "" : "" // a blank ends a word all the same
        else if (quote && letter === quote) quote = ""
        else if (!quote && "\"'".includes(letter)) quote = letter
        else if (!quote && letter === "#") break
        else text += letter
      }
      if (!text) return found // the end, a comment, or an empty word, at which sbatch stops
      found.push({line: number, start, end: at, raw: line.slice(start, at), text})
    }
  }

  function option(name, value, known, ...used) {
    return {
      line: used[0].line, name, written: used.map(word => word.raw).join(" "), value, known,
      pieces: used.map(word => [word.line, word.start, word.end]),
    }
  }

  let table
  const TAKES = () => table ??= new Map(Object.entries(jobscript.data.options.takes)
    .flatMap(([kind, names]) => names.split(" ").map(name => [name, kind])))
  const takes = name => TAKES().get(name)

  // The option that a long name means, be it cut short; undefined for none, or several.
  function fullName(name) {
    const {same} = jobscript.data.options
    if (takes(name)) return same[name] ?? name
    const meant = new Set([...TAKES().keys()].filter(full => full.startsWith(name))
      .map(full => same[full] ?? full))
    return meant.size === 1 ? [...meant][0] : undefined
  }

  // The words of one component of a job, as getopt_long takes them.
  function slurm(all) {
    const found = [], rest = [...all]
    while (rest.length) {
      const word = rest.shift(), {text} = word
      const long = /^--(?=.)([^=]*)(=[^]*)?$/.exec(text)
      if (long) {
        const [, name, equals] = long, full = fullName(name), known = full !== undefined, called = full ?? name
        if (equals || (takes(full) ?? "value") !== "value")
          found.push(option(called, equals?.slice(1) ?? null, known, word))
        else if (rest.length && (known || !rest[0].text.startsWith("-")))
          found.push(option(called, rest[0].text, known, word, rest.shift()))
        else found.push(option(called, null, known, word))
      } else if (text.startsWith("-") && text.length > 1 && text !== "--") found.push(...short(word, rest))
      else if (text !== "--" || rest.length) found.push(option(text, null, false, word)) // `--` at the end is nothing
    }
    return found
  }

  // `-N2`, `-N 2`, and several letters in one word: `-HO`.
  function short(word, rest) {
    const found = []
    for (let letters = [...word.text.slice(1)]; letters.length;) {
      const name = jobscript.data.options.short[letters.shift()], kind = takes(name) ?? "none"
      if (!name) return [...found, option(word.text.replace(/^-+/, ""), null, false, word)]
      if (kind === "none" || (kind === "maybe" && !letters.length)) found.push(option(name, null, true, word))
      else if (letters.length) return [...found, option(name, letters.join(""), true, word)]
      else if (rest.length) return [...found, option(name, rest[0].text, true, word, rest.shift())]
      else found.push(option(name, null, true, word))
    }
    return found
  }

  const optionNames = () => [...TAKES().keys()]

  Object.assign(jobscript, {read, option, takes, optionNames, HETJOB})
})(globalThis.jobscript ??= {})
