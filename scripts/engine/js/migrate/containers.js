// What a container's options name of the old system: the directories that it binds, and a center's own wrapper.
import {quoted} from "./amounts.js"
import {todo} from "./entries.js"
import {kindsLike} from "./places.js"
import {sameSoftware} from "./leftovers.js"
import {base, loadedBy} from "./module_names.js"

const BIND = /((?:\s(?:-B|--bind)[= ]|\b(?:APPTAINER|SINGULARITY)_BIND(?:PATH)?=)["']?)([/$][^\s"']+)(["']?)/g
// Directories of a system's nodes, not of its users.
const OF_NODES =
  /^\/(?:opt|var\/(?!tmp\b)\w|usr\/(?:lib(?:64)?|local|share)|lib64|appl|apps|sw|nopt|cvmfs|pfs|lustre|etc\/(?!passwd|group|hosts|resolv|localtime|ssl|pki))/
// A directory at the root that not every system has.
const AT_ROOT =
  /^\/(?!(?:bin|boot|data|dev|etc|home|lib|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var|work)$)[\w.-]+$/
const WRAPPER = /(?<![\w./-])((?:apptainer|singularity)_wrapper)\s+(?:(?:exec|run)\s+)?/
const WRAPPED_R = RegExp(`${WRAPPER.source}(?=(?:Rscript|R)\\s)`)
const RUNS = /(?<![\w./-])((?:apptainer|singularity)\s+(?:exec|run|shell))(?=\s)/
const FETCHES = /\bapptainer(?=\s+(?:build|pull|inspect)\b)/g // no container starts
const top = path => /^\/[\w.-]+/.exec(path)?.[0] ?? null
const root = path => top(path) ?? /^\$(?!HOME\b)\w+/.exec(path)?.[0] ?? null

/**
 * @param {System} from @param {System} to @param {string[]} lines @param {string | null} account there
 * @param {boolean} bindings does a module there bind them? @param {Set<Entry | string>} said what is removed, UPDATED
 * @returns {(line: string) => [string, string]} a line there, and why
 */
export function containersOf(from, to, lines, account, bindings, said) {
  const some = lines.some(line => /\b(?:apptainer|singularity)(?:\b|_BIND)/i.test(line)) && !sameSoftware(from, to)
  const [here, there] = [from.move.places, to.move.places]

  const [option, hides] = to.move.binds
  const written = path => path.replace(/<\w+>/, account ?? "$USER")
  /** The directories there that a container does not see: all of a tree if the operator has an option, else a project's. */
  const own = there.map(([, path]) => path).filter(path => hides.includes(top(path)) && path.includes("<"))
  const bindable = path => written((!option && own.find(each => top(each) === top(path))) || root(path) || path)

  /** This directory's name there; itself where that is not for us to say, null where there is none. */
  function bound(path) {
    const [kind] = here.find(([, place]) => top(place) === path) ?? []
    if (path !== top(path) && here.some(([, , about]) => about.also?.some(each => top(each) === top(path)))) return path // paths.js moves it
    const known = there.some(([, place]) => top(place) === path)
    if (kind === undefined) return OF_NODES.test(path) || (AT_ROOT.test(path) && !known) ? null : path
    if (known) return bindable(path)
    return (
      kindsLike(kind)
        .flatMap(each => there.filter(([other, place]) => other === each && root(place)))
        .map(([, place]) => bindable(place))[0] ?? null
    )
  }

  const roots = here.filter(([kind]) => kind && !/home|disk/.test(kind)).map(([, path]) => path.replace(/\/?<.*/, ""))
  const hidden =
    hides.length > 0 &&
    !bindings &&
    !sameSoftware(from, to) &&
    !lines.some(line => /_BIND(?:PATH)?=|(?:-B|--bind)[= ]["']?\S*\/(?:scratch|proj)/.test(line)) &&
    lines.some(line => roots.some(root => line.includes(root)))
  const binds = option ?? `-B ${own.map(written).join(",")}`

  /** The line whose container has the directories that it does not see by itself there. */
  const seen = line => (hidden ? line.replace(RUNS, `$1 ${binds}`) : line)

  return given => {
    const line = to.move.containers === "singularity" ? given.replace(FETCHES, "singularity") : given
    if (line !== given) return [line, `${to.name} has SingularityCE instead of Apptainer.`]
    const visible = seen(line)
    if (visible !== line)
      return [visible, `On ${to.name}, containers see ${hides.join(", ")} only with such an option.`]
    const plain = !sameSoftware(from, to) && to.move.applications.r?.cpu ? line.replace(WRAPPED_R, "") : line
    if (plain !== line) return [plain, `R on ${to.name} starts without such a command.`]
    const [words, wrapper] = WRAPPER.exec(line) ?? []
    if (wrapper && ![...said].some(each => typeof each === "object" && each.name === wrapper))
      said.add(
        todo.command`\`${wrapper}\` is part of ${from.name}'s modules. If the module on ${to.name} does not have it, ${line.endsWith("\\") ? `remove ${quoted(words)} from the line` : `write ${quoted(line.replace(WRAPPER, ""))}`}.`,
      )
    if (!some || !/^\s*-|\b(?:apptainer|singularity)(?:\b|_BIND)/i.test(line)) return [line, ""]
    const gone = []
    const now = line.replace(BIND, (whole, begin, list, end) => {
      const kept = binding(list, gone)
      const open = /["']?$/.exec(begin)[0] // a quote around more than this stays
      return kept === list ? whole : kept ? `${begin}${kept}${end}` : open === end ? "" : open ? ` ${open}` : end
    })
    if (gone.length)
      said.add(
        `The container no longer binds ${gone.map(path => `\`${path}\``).join(", ")} of ${from.name}'s nodes. A container does not start if a directory that it binds is missing.`,
      )
    return [now, `The container binds directories of ${to.name}.`]
  }

  /** A list of such directories there. gone: UPDATED */
  function binding(list, gone) {
    const now = list.split(",").flatMap(each => {
      const [path, inside, ...options] = each.split(":")
      const at = inside && inside !== path ? `:${[inside, ...options].join(":")}` : ""
      const other = bound(path.replace(/\/$/, ""))
      if (other === null) gone.push(path)
      return other === null ? [] : other === path.replace(/\/$/, "") ? each : other + at
    })
    return [...new Set(now)].join(",")
  }
}

/** A line that binds each directory once, where two old ones became one. @param {string | null} line */
export const bindOnce = line =>
  line.replace(BIND, (_, begin, list, end) => begin + [...new Set(list.split(","))].join(",") + end)

/** Where a line starts a container, the module that provides the program is loaded first. lines: UPDATED */
export function loadTool(to, lines) {
  const {container_module: tool, load_first: first = []} = to.advice?.software ?? {}
  const runs =
    /^[^#]*(?:\b(?:apptainer|singularity)\s+(?:exec|run|shell)\b|\s--use-(?:singularity|apptainer)\b|\s(?:-profile|--sdm|--software-deployment-method)\s+\S*(?:singularity|apptainer)\b)/
  const run = lines.findIndex(({text: line}) => runs.test(line ?? ""))
  if (!tool || run < 0 || lines.some(({text: line}) => loadedBy(line).some(name => base(name) === tool))) return
  const before = lines.slice(0, run).findLastIndex(({text: line}) => /^(?:module|ml)\s/.test(line ?? ""))
  const reason = `On ${to.name}, a module provides the container program.`
  const at =
    before >= 0
      ? before + 1
      : Math.min(
          run,
          lines.findIndex(({text: line}) => /^[^#\s]/.test(line ?? "")),
        )
  lines.splice(at, 0, {text: `module load ${[...first, tool].join(" ")}`, from: null, reason})
}
