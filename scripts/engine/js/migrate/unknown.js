// What a script runs of which the guide knows nothing, and what its user does about it.
import {isTool} from "../advice/case.js"
import {BUILDS, INTERPRETER} from "../advice/cores.js"
import {entryOf, inTable, startedBy} from "../advice/runs.js"
import {SCRIPT} from "../rules/expansion.js"
import {MONITORS} from "../rules/shell.js"
import {base, inImage, isLauncher} from "../script/payload.js"
import {shellOf} from "../script/script.js"
import {expander} from "../script/variables.js"
import {SETUP_OF_BUILD, mine} from "./builds.js"
import {OF_CENTRE} from "./leftovers.js"
import {loadedBy} from "./module_names.js"
import {loadsPrograms} from "./modules.js"
import {WITH_MPIRUN} from "./mpi.js"

const ONLY_LINES =
  "We checked the lines of the script, but not the programs that it runs. Submit a short test job first."
const NAME = /^(?=.*[A-Za-z])(?:\w[\w.+-]*|\$\{?\w+\}?)$/
const OTHERS = [MONITORS, OF_CENTRE, BUILDS, /^(?:compgen|hsi|htar|q(?:acct|alter|del|stat|sub))$/] // told elsewhere
const known = name => isTool(name) || isLauncher(name) || inTable(name) || OTHERS.some(each => each.test(name))
// What brings programs from an environment or a directory, which we do not read.
const BRINGS = /^(?:source|\.|eval|alias)\s|\bactivate\b|^(?:export\s+)?PATH=/

/**
 * What the lines of a script run, outside containers.
 * @param {string[]} lines @returns {{names: string[], brought: boolean, files: string[], scripts: string[]}} names:
 *   unknown programs without a path; brought: a module or an environment may have them; files: of the user's own;
 *   scripts: those of the shell
 */
export function runBy(lines) {
  const {commands, inner} = shellOf(lines)
  const value = expander(commands)
  const expand = word => (/\$\(|`/.test(value(word)) ? word : value(word)) // not the words of a command in it
  const fetched = commands.filter(({name}) => /^(?:curl|wget)$/.test(name)).flatMap(({words}) => words)
  const written = commands.flatMap(({redirects}) => redirects.map(({target}) => target.text))
  const made = new Set([...commands.map(({fn}) => fn), ...[...fetched, ...written].map(base)])
  const [names, files, scripts] = [new Set(), new Set(), new Set()]
  for (const {through, words} of [...commands, ...inner].flatMap(each => startedBy(each, expand))) {
    const [first = "", ...rest] = words
    const sources = /^(?:source|\.)$/.test(first)
    const reads = sources || INTERPRETER.test(base(first)) || entryOf(words)?.runs === "launcher"
    const name = reads ? (rest.find(word => sources || SCRIPT.test(word) || word.endsWith(".jar")) ?? "") : first
    if (inImage(through) || made.has(base(name)) || known(base(name))) continue
    if (!reads && NAME.test(name)) names.add(name)
    else if (/\w/.test(name) && mine(name) && !SETUP_OF_BUILD.test(name)) files.add(name)
    if (files.has(name) && (/\.(?:ba)?sh$/.test(name) || (sources && name.includes("/")))) scripts.add(name)
  }
  const brought = lines.some(loadsPrograms) || commands.some(({text}) => BRINGS.test(text))
  return {names: [...names], brought, files: [...files], scripts: [...scripts]}
}

/** @param {string} old the script before @param {Entry[]} given what is said of it @returns {Entry[]} all that is said */
export function withSteps(old, script, given, to) {
  const within = name => given.some(each => each.kind !== "exists" && `${name}/`.startsWith(`${each.name}/`))
  const paths = new Set(given.map(each => each.kind === "path" && each.name))
  const twice = each =>
    (each.kind === "exists" && within(each.name)) || (each.kind === "script" && paths.has(each.name))
  const said = given.filter(each => !twice(each))
  const {names, brought, files} = runBy(script.split("\n"))
  const told = new Set(said.map(each => each.name))
  const left = brought ? [] : names.filter(name => old.includes(name) && !told.has(name.replace(/[{}]/g, "")))
  const list = left
    .map(name => `\`${name}\``)
    .join(", ")
    .replace(/, (?=[^,]*$)/, " and ")
  const text = `Check that ${list} ${left[1] ? "are" : "is"} found on ${to.name}: run \`command -v ${left.join(" ")}\` there.`
  const {own: stack, load_first: first = []} = to.advice?.software ?? {own: []}
  const loads = script.split("\n").flatMap(loadedBy)
  const ready = brought || loads.some(name => WITH_MPIRUN.test(name)) || (stack.includes("StdEnv") && !first.length) // which brings MPI
  const [mpirun] = ready ? [] : (/(?<=^\s*(?:time\s+)?)mpi(?:run|exec)\b/m.exec(script) ?? [])
  const mpi = to.move.documented.find(name => /^(?:openmpi|mpich)(?:\/|$)/.test(name))
  if (mpirun)
    said.push({
      text: `The script loads no module that has \`${mpirun}\`. On ${to.name}, load the MPI with which you build the program${mpi ? `: \`module load ${[...first, mpi].join(" ")}\`` : ""}.`,
    })
  if (left.length) return [...said, {text}]
  const done = said.some(each => each.kind !== "access") || !(names.length || files.length)
  return done ? said : [...said, {text: ONLY_LINES}]
}
