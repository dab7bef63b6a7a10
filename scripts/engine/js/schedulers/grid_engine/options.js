// The options of the directives, as qsub reads them.
import {PREFIX, live, option, wordsOf} from "../../script/directives.js"

// How many words follow each option.
const TWO = ["pe"]
const ONE = (
  "a ac A ar b binding c C ckpt dc display dl e h hold_jid hold_jid_ad i j js jsv l m M mc N now o P p q R r S " +
  "sc shell sync t tc u v w wd"
).split(" ")
const NONE = "clear cwd hard help masterq notify soft V verify nostdin terse -help".split(" ")

const number = name => (TWO.includes(name) ? 2 : ONE.includes(name) ? 1 : 0)

/** @param {string} text the script @returns {Option[]} */
export function readOptions(text) {
  const prefix = PREFIX.grid_engine.length
  const found = []
  const rest = live(text.split("\n"), "grid_engine").flatMap(([line, words]) => wordsOf(line, words, prefix))
  while (rest.length) {
    const word = rest.shift()
    const name = word.text.startsWith("-") ? word.text.slice(1) : null
    const here = () => rest.length && rest[0].line === word.line
    const left = name === "h" && (!here() || rest[0].text.startsWith("-")) ? 0 : number(name)
    const taken = []
    while (taken.length < left && here()) taken.push(rest.shift())
    const value = taken.length ? taken.map(each => each.text).join(" ") : null
    const known = name !== null && (number(name) > 0 || NONE.includes(name))
    found.push(option(name || word.text, value, known, word, ...taken))
  }
  return found
}
