// The options of the directives, as sbatch reads them (opt.c and getopt_long).
import {HETJOB, PREFIX, live, option, wordsOf} from "../../script/directives.js"
import {SAME, SHORT, sbatchOptions, takes} from "./option_table.js"

/**
 * All options of the live directives, in their order.
 * @param {string} text the script @returns {Option[]}
 */
export function readOptions(text) {
  const found = []
  let part = []
  for (const [number, line] of live(text.split("\n"), "slurm")) {
    let here = wordsOf(number, line, PREFIX.slurm.length)
    if (here.length && ["hetjob", "packjob"].includes(here[0].text.toLowerCase())) {
      found.push(...optionsOf(part), {...option(HETJOB, null, true, here[0]), written: here[0].raw})
      part = []
      here = here.slice(1)
    }
    part.push(...here)
  }
  return [...found, ...optionsOf(part)]
}

// The option that a long name means, be it cut short; undefined for none, or several.
function fullName(name) {
  if (takes(name)) return SAME[name] ?? name
  const meant = new Set(
    sbatchOptions()
      .filter(full => full.startsWith(name))
      .map(full => SAME[full] ?? full),
  )
  return meant.size === 1 ? [...meant][0] : undefined
}

// The words of one component of a job, as getopt_long takes them.
function optionsOf(all) {
  const found = []
  const rest = [...all]
  while (rest.length) {
    const word = rest.shift()
    const {text} = word
    const long = /^--(?=.)([^=]*)(=.*)?$/s.exec(text)
    if (long) {
      const [, name, equals] = long
      const full = fullName(name)
      const known = full !== undefined
      const called = full ?? name
      if (equals || (takes(full) ?? "value") !== "value")
        found.push(option(called, equals?.slice(1) ?? null, known, word))
      else if (rest.length && (known || !rest[0].text.startsWith("-")))
        found.push(option(called, rest[0].text, known, word, rest.shift()))
      else found.push(option(called, null, known, word))
    } else if (text.startsWith("-") && text.length > 1 && text !== "--") found.push(...shortOptions(word, rest))
    else if (text !== "--" || rest.length) found.push(option(text, null, false, word)) // `--` at the end is nothing
  }
  return found
}

// `-N2`, `-N 2`, and several letters in one word: `-HO`.
function shortOptions(word, rest) {
  const found = []
  for (let letters = [...word.text.slice(1)]; letters.length;) {
    const name = SHORT[letters.shift()]
    const kind = takes(name) ?? "none"
    if (!name) return [...found, option(word.text.replace(/^-+/, ""), null, false, word)]
    if (kind === "none" || (kind === "maybe" && !letters.length)) found.push(option(name, null, true, word))
    else if (letters.length) return [...found, option(name, letters.join(""), true, word)]
    else if (rest.length) return [...found, option(name, rest[0].text, true, word, rest.shift())]
    else found.push(option(name, null, true, word))
  }
  return found
}
