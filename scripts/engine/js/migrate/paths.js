// The paths on a line of a moved script: each becomes that of the place there.
import {readScript} from "../script/read.js"
import {todo} from "./entries.js"
import {AFTER, LINKS, bare, escaped, sameSoftware} from "./leftovers.js"
import {aboutDisk, inMemory} from "./own_disk.js"
import {DATA, HOME, OWN_DISK, PROGRAMS, WORK, kindsLike} from "./places.js"

const TARGET = RegExp(`${LINKS.source}(/[\\w.-]+)?`, "g") // of a link in the home
const STARTS = /\s(?:--chdir|--input|-[Di])[= ]/
const REMOTE = /[\w.@}-]+:\/[^\s"']*/g // on another system
const SHARED = /\/(?:projects?|groups?|shared|common)$/ // no user's name
const users = /\$(?:USER|SCRATCH)$/
const QUOTED = /"(?:\\.|[^"\\])*"|'[^']*'|\\./gs
const SINGLE = /'[^'\s`\\]*'|(?<=\b(?:awk|perl|python[\d.]*|Rscript|julia)\s[^'"|;&]*)'[^']*'/g
/** The words in single quotes, as the shell reads the script: not those in double ones, or in a here-document. */
function singles(text) {
  const {commands, inner} = readScript(text)
  return new Set([...commands, ...inner].flatMap(each => each.text.match(QUOTED) ?? []))
}
/** A path in single quotes, in which the shell puts no values, is in double ones, or its variables are. */
function opened(line, given, words) {
  const old = given.match(SINGLE) ?? []
  let at = 0
  return line.replace(SINGLE, whole => {
    const before = old[at++]
    if (!words.has(before) || before === whole || !whole.includes("$")) return whole
    if (!/["\s]|\$(?!\w)/.test(before)) return `"${whole.slice(1, -1)}"`
    return whole.replace(/\$\w+/g, name => (before.includes(name) ? name : `'"${name}"'`))
  })
}
const OF_JOB = String.raw`/\$(?:\{(?:SLURM_)?(?:ARRAY_)?JOB_?ID\}|(?:SLURM_)?(?:ARRAY_)?JOB_?ID\b)(?![\w.-])` // at the end of a directory
const USERS = String.raw`(?=[\w.%$-])[\w.%-]*(?:\$\{?\w+\}?)?` // a name, a variable, or one behind the other
const NAMES = /^(?:<\w+>|\$USER)$/
/** `$NAME` also as `${NAME}`; another part of a path as it is. */
const variable = part =>
  /^\$\w+$/.test(part) ? `\\$(?:${part.slice(1)}\\b|\\{${part.slice(1)}(?::[?-][^{}]*)?\\})` : escaped(part)

/**
 * @param {System} from @param {System} to @param {any} job as job.js makes it @param {any} places as placesOf has them
 * @param {any} seen what storage.js collects, UPDATED @param {(line: string) => void} readOnly
 */
export function pathsOf(from, to, job, places, seen, readOnly) {
  const here = from.move
  const {named, old, there, first, scratch, disk, emptied, placeFor, written} = places
  const {said, folders, used, pairs, yours} = seen
  const words = singles(places.text)
  const temporary = RegExp(OF_JOB).test(places.text) ? "tmp-" : "" // the script's own directory of the job stays
  const anew = job.newAccount && job.newAccount !== job.account

  /** How scripts write this place. */
  function patternOf(kind, path, about) {
    const parts = path.split(/(<\w+>|\$\w+)/).map(part => (NAMES.test(part) ? USERS : variable(part)))
    const begin = path[0] === "$" ? "" : `(?:(?<![\\w$}/.~\uE001-])|${AFTER})`
    const after =
      /[\w>]$/.test(path) && path.includes("<") && users.test(placeFor(kind, path, about)?.[1] ?? "")
        ? "(?:/\\$\\{?USER\\}?)?"
        : ""
    return RegExp(`${begin}${parts.join("")}${after}(?![A-Za-z0-9_-])`, "g")
  }

  const notYours = path =>
    todo.path`\`${path}\` is not your directory on ${from.name}. Find its replacement on ${to.name}.`
  /** Does the script name its user's directory at this place by `$USER`? */
  const namesUser = path => RegExp(`${escaped(path.slice(0, -"$USER".length))}\\$\\{?USER`).test(places.text)

  /** What a line names besides the places of the old system. */
  function namedBesides(line) {
    for (const [kind, path, about] of named) {
      if (kind && !placeFor(kind, path, about)) continue // told as a place
      const [top] = /^\/\w+/.exec(path) ?? []
      if (
        top &&
        RegExp(`(?:^|[\\s,=:"'])${top}/?(?=$|[\\s,:"'])`).test(line) &&
        !there.some(each => each[1].startsWith(top))
      )
        said.add(
          todo.path`\`${top}\` is a directory on ${from.name}. ${to.name} has no directory with that name, so change it.`,
        )
    }
    for (const [kind, path, about] of here.places.length ? [] : there) {
      const [, found] = RegExp(`(?<![\\w$}/.~-])(${escaped(path.replace(/\/[<$].*/, ""))}/[\\w$]+)`).exec(line) ?? []
      if (kind && found && path[0] === "/") {
        used.set(found, kind) // a place of this name there: of the old system, nobody tells
        pairs.set(path, [about, null])
      }
    }
    const variable = sameSoftware(from, to) && !job.own.has("SCRATCH") && /\$(?:SCRATCH\b|\{SCRATCH\b)/.test(line)
    const link = /(?:~|\$HOME|\$\{HOME\})\/(?:links\/)?scratch(?![\w.-])/.test(line)
    if ((link || variable) && first(WORK))
      pairs.set(first(WORK)[1], [first(WORK)[2], here.places.find(([kind]) => kind === WORK)?.[2]])
    const unlinked = line.replace(TARGET, (_, top, name = "") => {
      const real = here.places.find(([, path]) => RegExp(`^/${top.replace(/s$/, "")}(?:/|$)`).test(path))?.[1]
      const linked = real && (!real.includes("<") || here.places.some(([, , {link}]) => link))
      used.set(linked ? real.replace(/\/<\w+>.*/, name) : `~/${top}`, WORK)
      return ""
    })
    if (/(?<![\w/])(?:~|\$HOME|\$\{HOME\})\//.test(unlinked) && !line.includes("/bin/activate")) used.set("~", HOME)
    for (const [, name] of line.matchAll(/\$\{?(SCRATCH|PROJECT)\b/g))
      if (!job.own.has(name) && places.text.includes(name)) used.set(`$${name}`, WORK)
    const tmp = ([, path, about]) => (path === "/tmp" && about.memory) || (job.diskless && about.diskless)
    if (there.some(tmp) && /(?<![\w/.-])\/tmp\//.test(line)) said.add(inMemory(to, "/tmp"))
  }

  /** The line with the paths of the new system, and why. @returns {[string, string]} */
  function move(line, directive = false) {
    const given = line,
      onlyOutput = directive && !STARTS.test(line), // the job reads nothing there
      reasons = new Set(),
      done = [] // what is moved is not moved again
    if (/\b(?:globus|rsync|scp|sftp)\s/.test(line))
      line = line.replace(REMOTE, each => `\uE000${done.push(each) - 1}\uE001`)
    if (!/\bsbatch\b/.test(line))
      line = line.replace(/(?<=\bssh\s[^|;&"']*)(["']).*?\1/, each => `\uE000${done.push(each) - 1}\uE001`) // of the other computer
    for (const [kind, path, about] of old) {
      const name = path.slice(1)
      if (path[0] === "$" && (job.own.has(name) || name === "HOME")) continue
      const pattern = patternOf(kind, path, about)
      const hide = now => `\uE000${done.push(now) - 1}\uE001`
      const ofUsers = !directive && path.endsWith("/$USER")
      const known = ofUsers && namesUser(path)
      const isYours = each =>
        each.includes("$") ||
        !(known || SHARED.test(each)) ||
        !(each.includes(job.newAccount ?? "$") || said.add(notYours(each)))
      if (ofUsers) line = line.replace(pattern, each => (isYours(each) ? each : hide(each)))
      const [whole] = line.match(pattern) ?? []
      if (!whole) continue
      const ofUser = kind === OWN_DISK && about.job === undefined && !emptied // kept from job to job
      if (!onlyOutput && (!anew || !whole.includes(job.newAccount)))
        used.set(whole.replace(/\$\{(\w+)\}/g, "$$$1"), kind === "" && !about.job ? WORK : kind)
      if (sameSoftware(from, to) && name === "SCRATCH") {
        if (first(WORK)) pairs.set(first(WORK)[1], [first(WORK)[2], about])
        continue
      }
      const put = now => {
        const backslash = RegExp(`\\\\(?=${pattern.source})`, "g") // of a variable, for a shell inside
        if (now?.[0] === "/" && whole[0] === "$") line = line.replace(backslash, "")
        line = line.replace(pattern, whole => hide(now ?? whole))
      }
      const place = placeFor(kind, path, about)
      if (directive && kind === OWN_DISK) continue
      const own = place ? place[0] === OWN_DISK : kind === OWN_DISK
      const larger = (pairs.get(place?.[1])?.[1]?.mib ?? 0) > (about.mib ?? 0) // of two places that become one
      if (place && !own && !larger && !(kind === OWN_DISK && emptied)) pairs.set(place[1], [place[2], about])
      else if (place?.[2].instead && !pairs.has(place[1])) pairs.set(place[1], [scratch[2], {deleted: 1}]) // the job cleans up
      if (place && own) for (const each of aboutDisk(to, job, places, place, path, about)) said.add(each)
      else if (place && ofUser && !/SLURM_(?:ARRAY_)?JOB_?ID/.test(line))
        said.add(
          `On ${from.name}, ${path} is the local disk of one node. On ${to.name}, ${place[1]} is for all nodes, so jobs that run at the same time need different directories.${here.retired === null ? " Copy files from the old disk in a job on its node." : ""}`,
        )
      const ofOwner = path.endsWith("/$USER") && here.centre !== to.move.centre && !whole.includes("$") // by a name here
      if (
        place &&
        (place[1] === path || place[1].startsWith(`${path}/`)) &&
        !(anew && path.includes("<")) &&
        !(ofOwner && place[1] === path)
      ) {
        put()
        continue
      }
      if (!place) {
        said.add(`${to.name} has no ${kind ? bare(kind) : "storage"} like ${path}. Choose a different place for it.`)
        continue
      }
      let now = written(place[1])
      if (!directive && users.test(path) && kind === place[0] && place[1].endsWith("<project>"))
        yours.add((now = `${now}/$USER`)) // all members of the project write there
      if (directive && /\$(?!USER)/.test(now)) {
        const short = line.replace(/(\s(?:--(?:output|error)[= ]|-[oe][= ]?))\S*\//g, "$1")
        const cure = short === line ? "Write the directory itself." : "The file is written where you submit the job."
        said.add(`${to.name} has ${now} instead of ${path}, but directives do not expand variables. ${cure}`)
        line = short
        reasons.add("Directives do not expand variables.")
        continue
      }
      if (own && (!now.includes("$") || place[2].instead))
        folders.add((now = `${now}/${place[2].instead ? temporary : ""}$SLURM_JOB_ID`)) // others' jobs are there, too
      const perJob = own && about.job && /^\$\w+$/.test(now) // of the job there, too
      if ((folders.has(now) || perJob) && path[0] === "/")
        line = line.replace(RegExp(`(${pattern.source})${OF_JOB}`, "g"), "$1") // not twice
      if ((!own && place[0] !== kind && kindsLike(kind)[1] !== place[0]) || (kind === "" && !own))
        said.add(
          there.some(([other, same]) => other === OWN_DISK && same === path)
            ? `On ${to.name}, ${path} is the local disk of one node, so it becomes ${now}.`
            : `${to.name} has no storage like ${path}, so it becomes ${now}.`,
        )
      put(now)
      reasons.add(
        own && place[2].instead
          ? `${job.tooMuch ? `${disk[1]} is too small` : `${to.name} has no such local disk`}, so a directory in ${written(place[1])} takes its place.`
          : `${place[0] === PROGRAMS ? "A project's files have" : place[2].memory || (place[2].diskless && job.diskless) ? "A directory in the node's memory has" : `${place[0]} has`} this path on ${to.name}.`,
      )
    }
    namedBesides(line)
    const plain = line.replace(/\uE000(\d+)\uE001/g, (_, number) => done[number])
    const now = opened(linked(plain, directive, reasons), given, words)
    if (now !== plain) directive ? reasons.clear() : reasons.delete(`${HOME} has this path on ${to.name}.`) // where the link was
    if (directive) readOnly(now)
    if (now !== given && !reasons.size)
      reasons.add(
        /\/home\/\w+\/\$\{?USER/.test(given)
          ? `${HOME} has this path on ${to.name}.`
          : "This link in your home directory has a different name there, or does not exist.",
      )
    return [now, [...reasons].join(" ")]
  }

  /** Links in the home have other names there, or are none. */
  function linked(line, directive, reasons) {
    if (!directive && here.places.some(([, path]) => path === "$HOME"))
      line = line.replace(/(?<![\w.$}-])\/home\/\w+\/\$(?:USER\b|\{USER\})/g, "$$HOME")
    const own = places => places.find(([kind]) => kind === DATA)?.[2].link ?? "~/projects"
    const [old, now] = [own(here.places), own(there)]
    const [work, data] = [first(WORK), first(DATA) ?? first(PROGRAMS)]
    const alone = here.centre !== to.move.centre
    const moved = first(HOME) ? escaped(written(first(HOME)[1])) : "~"
    const named = directive || !alone ? "(?<![\\w.$}-])/home/(?:[\\w.-]+|\\$USER)" : moved
    const home = `(?:~|\\$HOME|\\$\\{HOME\\}|${named})/(?:links/)?`
    const put = (link, path) => (line = line.replace(RegExp(home + link, "g"), whole => asWritten(whole, path)))
    /** Also where the shell puts no values, a home that has its user's name has it there. */
    const asWritten = (whole, path) => {
      const [start, user] = /^\/home\/([\w.-]+)/.exec(alone ? "" : whole) ?? []
      return start ? path.replace(/\$HOME|^~/, () => start).replace("$USER", user) : path
    }
    const shared = !directive && work?.[1].endsWith("<project>") // all members of the project write there
    const [before, mine] = [line, work && written(work[1]) + (shared ? "/$USER" : "")]
    if (work && (alone || old !== now) && put("scratch(?![\\w.-])", mine) !== before && shared) yours.add(mine)
    const unmoved = line
    if (alone && data?.[1].includes("<") && put("projects?/[\\w-]+(?![\\w.-])", written(data[1])) !== unmoved) {
      if (!pairs.has(data[1])) pairs.set(data[1], [data[2], here.places.find(([kind]) => kind === DATA)?.[2]])
      reasons.add(`${data[0] === DATA ? "A project's data has" : "A project's files have"} this path on ${to.name}.`)
    }
    if (alone || old === now) return line
    const group = job.account?.replace(/_[cg]pu$/, "") // where the older link leads
    if (group) put("project(?!/\\w+-|[\\w.-])", `${now}/${group}`)
    return put("projects?(?![\\w.-])", now)
  }
  return move
}
