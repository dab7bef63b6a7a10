// The modules of a system whose software the old one has, too: what must come first, and what is too old for the GPU.
import {data} from "../data.js"
import {LOADS, base, loadedBy} from "./module_names.js"
import {oldStack, unnamedStack} from "./packages.js"

/** The standard environment that a script must load before all modules there. */
const firstOf = to => to.advice?.software?.load_first?.find(each => !/\//.test(each) || each.startsWith("StdEnv"))
const comesFirst = (to, first) => `${to.name} loads no modules at login, so ${first} comes first.`

/** The lines that load the script's applications on the operator's pages: a sentence, or nothing. */
function documented({name, move}, job, lines) {
  const kind = job.kind === "cpu" ? "cpu" : "gpu"
  const found = [...new Set(lines.flatMap(loadedBy).map(base))].flatMap(each => move.applications[each] ?? [])
  const all = found.flatMap(each => (each.name && each[kind] ? `${each.name} is loaded with \`${each[kind]}\`` : []))
  return all.length ? ` On ${name}, ${all.join(", ")}.` : ""
}

/** It comes before the first module of a script that loads it nowhere. @param {any[]} all the lines, UPDATED */
export function openFirst(to, all) {
  const first = firstOf(to)
  const loads = all.filter(({text}) => loadedBy(text).length)
  if (!first?.startsWith("StdEnv") || !loads.length || loads.some(({text}) => text.includes("StdEnv"))) return
  loads[0].text = loads[0].text.replace(LOADS, `$1${first} $2$3`)
  loads[0].reason = `${loads[0].reason} ${comesFirst(to, first)}`.trim()
}

/**
 * @param {System} to @param {any} job as job.js makes it @param {string[]} lines @param {string[]} brought names that the software's setup there loads
 * @param {boolean} opened does that setup load the standard environment before the script loads anything?
 * @param {(name: string) => string | null} versionOf @param {Set<string>} impossible UPDATED
 * @returns {(line: string, parts: string[]) => [string | null, string]}
 */
export function sharedModules(to, job, lines, brought, opened, versionOf, impossible) {
  const stack = unnamedStack(lines.join("\n"))
  let standardOld = Boolean(stack)
  return (line, [, begin, list, rest]) => {
    const old = list.split(/\s+/).filter(name => name && !brought.includes(base(name)))
    if (!old.length) return [null, `This loads the software on ${to.name}.`]
    standardOld ||= /StdEnv\/20(?:1\d|20)|nixpkgs/.test(list)
    // StdEnv/2023 has Apptainer, which also starts `singularity`: docs.alliancecan.ca/wiki/Apptainer
    const now = name => (/^singularity(?:\/|$)/.test(name) ? "apptainer" : (versionOf(name) ?? name))
    const builds = data.move.modules.builds
    const any = old.map(name => name.replace(/^[^/]+/, build => builds[build] ?? build))
    const names = standardOld ? any : any.map(now)
    const least = job.oldestCuda
    const standard = names.find(name => /^(?:StdEnv\/20(?:1\d|20)|nixpkgs)/.test(name)) ?? stack
    if (standard && oldStack(standard, least)) {
      const why = least ? `is older than ${job.gpu}, and may not support it` : "is no longer supported"
      impossible.add(
        `${standard} ${why}. Load StdEnv/2023, and search for the other modules again.${documented(to, job, lines)}`,
      )
    }
    const changed = names.filter(name => !any.includes(name))
    const older = old.find(name => /^python\/\d/.test(name) && !names.includes(name))
    if (older && lines.flatMap(loadedBy).length > 1)
      impossible.add(
        `${older} belongs to an older standard environment than the one of ${to.name}, and so may other modules of the script. Check each with module spider.`,
      )
    const own = stack && !opened ? stack : undefined
    const first = own ?? firstOf(to)
    if (first && !opened && !names.some(name => name.startsWith("StdEnv"))) {
      opened = true
      return [
        `${begin}${first} ${names.join(" ")}${rest}`,
        own ? `The script's modules belong to ${own}, which is not the default on ${to.name}.` : comesFirst(to, first),
      ]
    }
    opened = true
    return names.join() === old.join()
      ? [line, ""]
      : [
          `${begin}${names.join(" ")}${rest}`,
          any.join() === old.join() ? `${to.name} has ${changed.join(", ")}.` : "This build works on any network.",
        ]
  }
}
