// Directories that a moved job creates: its own in place of a disk, and those into which it copies.
import {copiesToLast} from "../script/payload.js"
import {expander} from "../script/variables.js"
import {quoted} from "./amounts.js"
import {LINKS, escaped} from "./leftovers.js"

const OF_JOB = /\$\{?(?:SLURM_(?:ARRAY_)?JOB_?ID)\b[^/]*$/ // no directory has this name before the job

// Directories for temporary files, which programs do not create: an option of mktemp, a variable.
const TEMPORARY = [
  /\bmktemp\s[^)`|;]*?(?:--tmpdir=|-p ?)(["']?[^\s")`]+)/,
  /^(?:export\s+)?\w*TE?MP_?DIR=(["']?[^\s"';]+)/,
]

/** `a/{b,c}` as `a/b` and `a/c`. @returns {string[]} */
function braces(word) {
  const [whole, list] = /(?<!\$)\{([^{}]*,[^{}]*)\}/.exec(word) ?? []
  return whole ? list.split(",").flatMap(each => braces(word.replace(whole, () => each))) : [word]
}

/** Is this path below the other, where a script may write its user's name for `$USER`? */
const isIn = (path, begin) => RegExp(`^${escaped(begin).replace("\\$USER", "(?:\\$USER|[\\w.-]+)")}`).test(path)

/**
 * What creates a directory into which the script copies, where nothing else does.
 * @param {any[]} found the lines, UPDATED @param {Command[]} commands of these
 * @param {string[][]} roots each place there, and how its paths begin @param {boolean} same are the old files there? @param {Set<string>} own the job's own
 * @returns {Set<string>} the places into which it copies
 */
export function createFolders(found, commands, roots, same, to, own) {
  const wrote = new Set()
  const expand = expander(commands)
  const lines = found.flatMap(each => (each.text ?? "").split("\n").map(() => each))
  const run = commands.flatMap(({name, words}) =>
    /^(?:mkdir|cd)$/.test(name) ? words.slice(1).map(expand).flatMap(braces) : [],
  )
  const made = [...own, ...run]
  const tests = ({words}) => /^(?:\[\[?|test)$/.test(words[0] ?? "")
  const tested = commands.flatMap(each =>
    tests(each) ? each.words.filter((_, at) => /^-[fs]$/.test(each.words[at - 1] ?? "")).map(expand) : [],
  )
  // Where the script creates the directory above, a name in it without a slash at its end is that of the copy.
  const begun = [...own, ...commands.flatMap(({name, words}) => (name === "mkdir" ? words.slice(1).map(expand) : []))]
  const isNew = path => begun.some(each => `${path.replace(/\/[^/]*$/, "")}/`.startsWith(`${each.replace(/\/$/, "")}/`))
  const isFile = (path, one) =>
    /\.\w+$/.test(expand(path)) || tested.includes(expand(path)) || (one && OF_JOB.test(expand(path)))
  const seen = [] // what earlier commands read there
  for (const command of commands) {
    const {name, line, words, redirects, tokens} = command
    const [last] = tokens.slice(-1)
    const packs = name === "tar" && /^-?\w*c/.test(words[1] ?? "") ? [tokens[2]] : []
    const copies = copiesToLast(name) && words.length > 2 ? [last] : []
    const files = [...packs, ...redirects.filter(({op}) => /^&?>/.test(op)).map(({target}) => target)]
    /** @type {any[]} */
    const needs = TEMPORARY.flatMap(each => each.exec(command.text)?.slice(1) ?? []).map(raw => ({raw}))
    for (const token of [...files, ...copies, ...needs, ...(name === "mkdir" ? [last] : [])]) {
      const path = (token?.raw ?? "").replace(/["']/g, "")
      const sources = words.slice(1, -1).filter(word => !word.startsWith("-"))
      const several = sources.length > 1 || /[*?]/.test(sources[0] ?? "")
      const one =
        files.includes(token) ||
        (!several &&
          (words.some(word => /^-\w*[ra]/.test(word)) ||
            isFile(path, words.length === 3) ||
            (copies.includes(token) && isNew(expand(path)))))
      const named = one && /^\$\{?\w+\}?$/.test(path) // a variable is the whole path of a file
      const full = (one ? (named ? expand(path) : path).replace(/[^/]*$/, "") : path).replace(/\/+$/, "")
      const folder = one ? full.replace(/\/[^/]*\$\([^/]*$/, "") : full // the program creates a name that it computes
      const [root, begin] = roots.find(([, begin]) => isIn(`${expand(folder)}/`, begin)) ?? []
      if (root && !LINKS.test(`${expand(folder)}/`)) wrote.add(root)
      const at = lines[line - 1]
      const here = [...folder.matchAll(/\$\{?(\w+)/g)].some(([, own]) =>
        RegExp(`\\b${own}=|\\bfor ${own} `).test(at.text),
      )
      const new_ = root && !same && at.from && !here && `${expand(folder)}/` !== begin
      if (LINKS.exec(expand(folder))?.[0] === expand(folder)) continue // it would take the link's place
      if (!new_ || /[*?`\s(]|(?<!\$)\{/.test(folder) || made.some(each => `${each}/`.startsWith(`${expand(folder)}/`)))
        continue
      if (seen.some(each => each.startsWith(`${expand(folder)}/`))) continue
      const place = found.indexOf(at)
      if (/\)\s|\b(?:elif|else)\b/.test(at.text.slice(0, at.text.indexOf(name)))) continue // a case or a branch begins
      if (/(?:\\|&&|\|)\s*$/.test(found[place - 1]?.text ?? "")) continue
      made.push(expand(folder))
      const text = `${/^\s*/.exec(at.text)[0]}mkdir -p "${named ? `$(dirname "${path}")` : folder.replace(/^~/, "$HOME")}"`
      found.splice(place, 0, {text, from: null, reason: `This directory may not exist on ${to.name}.`})
    }
    if (!tests(command) && !/^(?:echo|printf)$/.test(name ?? ""))
      seen.push(...(copies.length ? words.slice(0, -1) : words).map(expand))
  }
  return wrote
}

/** What is said of copies from a directory to itself, which two old places become. @param {any[]} found the lines */
export function* ontoThemselves(found, {commands}) {
  const expand = expander(commands)
  const plain = word => expand(word).replace(/\/+\*?$/, "")
  const lines = found.flatMap(each => (each.text ?? "").split("\n").map(() => each))
  for (const {name, line, words, text} of commands) {
    const [target, ...sources] = words
      .slice(1)
      .filter(word => !word.startsWith("-"))
      .reverse()
      .map(plain)
    const at = lines[line - 1]
    const same = source =>
      source === target || (!/\/$/.test(expand(source)) && source.replace(/\/[^/]*$/, "") === target)
    if (copiesToLast(name) && sources.length && at.from && at.from !== at.text && sources.every(same))
      yield `${quoted(text)} copies files to where they are. Remove the line.`
  }
}

/** The user's directory in that of a project, and one of the job's own, which is gone when the job ends. found, said: UPDATED */
export function createOwn(found, job, disk, {folders, said, yours, used}) {
  const start = () => {
    const first = found.findIndex((each, at) => at >= begin && /^\s*[^\s#]/.test(each.text ?? ""))
    return Math.max(first, 0)
  }
  const traps = found.some(each => /\btrap\s.*\b(?:EXIT|0)\b/.test(each.text ?? ""))
  const begin = found.findIndex(each => /^set -/.test(each.text ?? "")) + 1
  for (const folder of folders) {
    const each = job.nodes > 1 && disk?.[1] === folder.split("/$")[0] ? "srun --ntasks-per-node=1 " : ""
    const last = each.replace("srun", "srun --overlap") // steps in the background still have the cores
    const reason = "Other jobs use this directory, too, so the job creates its own and removes it."
    const lines = [`${each}mkdir -p "${folder}"`, ...(traps ? [] : [`trap '${last}rm -rf "${folder}"' EXIT`])]
    const told = used.has("$TMPDIR")
      ? [{text: `export TMPDIR="${folder}"`, from: null, reason: "Programs may read this variable."}]
      : []
    found.splice(start(), 0, ...lines.map(text => ({text, from: null, reason})), ...told)
    if (traps) said.add(`Remove \`${folder}\` at the end, because the script has its own trap.`)
  }
  const reason = "The members of a project share the directory above."
  for (const folder of yours) found.splice(start(), 0, {text: `mkdir -p "${folder}"`, from: null, reason})
}
