// What a moved script runs or names of which the guide knows nothing, so that nobody has judged it.
import {isTool} from "../advice/case.js"
import {BUILDS, INTERPRETER} from "../advice/cores.js"
import {entryOf, inTable, startedBy} from "../advice/runs.js"
import {SCRIPT} from "../rules/expansion.js"
import {MONITORS} from "../rules/shell.js"
import {base, isLauncher} from "../script/payload.js"
import {shellOf} from "../script/script.js"
import {expander} from "../script/variables.js"
import {IN_IMAGE} from "./builds.js"
import {EXPRESSION, OF_CENTRE, PATH, escaped} from "./leftovers.js"

const MOST = 6
const NAME = /^(?=.*[A-Za-z])(?:\w[\w.+-]*|\$\{?\w+\}?)$/
const EVERYWHERE = /^\/(?:usr\/(?!local)|(?:bin|sbin|etc|dev|proc|sys|run|tmp|var|lib|lib64|cvmfs)\/)/
const OTHERS = [MONITORS, OF_CENTRE, RegExp(`(?!elmer)${BUILDS.source}`)] // Elmer's compiler is none of a system's
const known = name => isTool(name) || isLauncher(name) || inTable(name) || OTHERS.some(each => each.test(name))

/** The program of these words, or the file that it runs, if the guide does not know it. */
function unknown({words}) {
  const runs = INTERPRETER.test(base(words[0] ?? "")) || entryOf(words)?.runs === "launcher"
  const name = base((runs ? words.slice(1).find(word => SCRIPT.test(word) || word.endsWith(".jar")) : words[0]) ?? "")
  return NAME.test(name) && !known(name) ? [name] : []
}

/** A note that names them, or nothing. @param {string} old the script before @param {string[]} told what is said anyway */
export function unjudgedIn(script, old, told, to) {
  const lines = script.split("\n")
  const {commands, inner} = shellOf(lines)
  const expand = expander(commands)
  const own = new Set(commands.flatMap(({fn, redirects}) => [fn, ...redirects.map(({target}) => base(target.text))]))
  const said = [...told, ...to.move.places.map(([, path]) => path)]
  const kept = path =>
    !EVERYWHERE.test(path) && old.includes(path) && !said.some(each => each.includes(`/${path.split("/")[1]}`))
  const found = new Map()
  for (const command of [...commands, ...inner]) {
    const runs = startedBy(command, expand)
    const inImage = runs.some(({through}) => through.some(({name}) => IN_IMAGE.test(name)))
    const paths = inImage ? [] : (command.text.replace(EXPRESSION, "$1").match(PATH) ?? [])
    for (const name of [...runs.flatMap(unknown).filter(name => !own.has(name)), ...paths.filter(kept)]) {
      const named = RegExp(`(?<![\\w.-])${escaped(name)}(?![\\w.-])`)
      const from = first => lines.findIndex((text, at) => at >= first && named.test(text)) + 1
      const line = from(command.line - 1) || from(0) // where a variable of the program is set
      if (line && !found.has(name)) found.set(name, line)
    }
  }
  return found.size ? note([...found].sort(([, one], [, other]) => one - other)) : ""
}

function note(all) {
  const [one, more] = [all.length === 1, all.length > MOST ? ` and ${all.length - MOST} more` : ""]
  const names = all.slice(0, MOST).map(([name]) => `\`${name}\``)
  const lines = [...new Set(all.slice(0, MOST).map(([, line]) => line))]
  const [paths, programs] = [true, false].map(path => all.some(([name]) => name.startsWith("/") === path))
  const what = programs && paths ? "programs and paths" : `${programs ? "program" : "path"}${one ? "" : "s"}`
  const check = programs ? `${one ? "its" : "their"} options and paths` : one ? "it" : "them"
  return `Not judged: ${names.join(", ")}${more} (line${lines[1] ? "s" : ""} ${lines.join(", ")}). The guide does not know ${one ? "this" : "these"} ${what}, so check ${check} yourself.`
}
