// The paths of a script that moves: each by what it is for, and what becomes of the files there.
import {writes} from "../advice/body.js"
import {payload} from "../script/payload.js"
import {readScript} from "../script/read.js"
import {expander} from "../script/variables.js"
import {quoted} from "./amounts.js"
import {LINKS, bare, escaped, sameSoftware} from "./leftovers.js"
import {REMOVES, atATime, dataOf, ifMore, ofTask, room, rules, sharedDisk, shells} from "./sizes.js"

const [HOME, DATA, PROGRAMS, WORK, OWN_DISK] = [
  "Your home",
  "A project's data",
  "A project's programs",
  "Data for running jobs",
  "The node's own disk",
]
// Where a system has none of a kind: what comes next to it. "": a place of a kind that no other system has.
export const INSTEAD = {
  [PROGRAMS]: [DATA, WORK],
  [DATA]: [PROGRAMS, WORK],
  [WORK]: [DATA, PROGRAMS],
  "": [WORK, DATA, PROGRAMS],
}
// What many systems call their places, whether their pages say so or not.
const ALIASES = [
  [WORK, "$SCRATCH", {}],
  [DATA, "$PROJECT", {}],
  [OWN_DISK, "$LOCAL_SCRATCH", {job: true}],
  ...["/tmp/scratch", "/var/scratch", "/localscratch", "/lscratch"].map(path => [OWN_DISK, path, {job: true}]),
]
const TARGET = RegExp(`${LINKS.source}(/[\\w.-]+)?`, "g") // of a link in the home
const large = mib => (mib >= 1e12 / 2 ** 20 ? `${Math.round((mib * 2 ** 20) / 1e11) / 10} TB` : room(mib))
const users = /\$(?:USER|SCRATCH)$/
const NAMES = /^(?:<\w+>|\$USER)$/

/** Places as scripts name them: below `/scratch` of a system that says no more stands a user's directory. */
function placesOf({places}) {
  const below = ([kind, path, about]) =>
    /^\/\w+$/.test(path) && [HOME, WORK, DATA].includes(kind)
      ? [[kind, `${path}/${kind === DATA ? "<group>" : "$USER"}`, about]]
      : []
  return places.flatMap(place => [...below(place), place])
}

/**
 * @param {System} from @param {System} to
 * @param {{account: string, newAccount: string, disk: string | null, own: Set<string>, nodes: number,
 *   reserved?: string, diskless?: boolean, kind?: string, room?: any, said?: any, tooMuch?: boolean, array?: any, tasks?: string, wanted?: number,
 *   toldDisk?: boolean}}
 *   job kind: as move.js has it; own: the variables that the script sets; disk: the local disk that it requested;
 *   reserved: the resource that brings it there; diskless: a node of the job may have none; room: the job's disk there,
 *   as sizes.js has it; said: what comments put on the old one; tooMuch: that does not fit
 * @param {string} text the script's commands and comments
 */
export function storageOf(from, to, job, text) {
  const here = from.move
  // A directory that only a job with this resource has.
  const reserved = Object.entries(to.advice?.on_request ?? {}).filter(([, name]) => name === job.reserved)
  const extra = reserved.map(([name]) => [OWN_DISK, `$${name}`, {job: true}])
  const there = {...to.move, places: [...extra, ...to.move.places]}
  const said = new Set(),
    folders = new Set(),
    used = new Map(),
    wrote = new Set(), // places there into which the script copies
    pairs = new Map() // path there -> [its facts, those of the old place]
  const emptied = REMOVES.test(text)
  const anew = job.newAccount && job.newAccount !== job.account
  const places = placesOf(here)
  const alike = sameSoftware(from, to)
  const aliases = ALIASES.filter(
    ([kind, path]) =>
      (here.centre !== there.centre || kind === OWN_DISK) &&
      ![...places, ...there.places].some(each => each[1] === path),
  )
  const kinds = wanted => there.places.find(([kind]) => kind === wanted)
  const scratch = [WORK, DATA, PROGRAMS].map(kinds).find(Boolean)
  const also = kind => here.places.some(each => each[0] === kind && each[2].readonly)
  const closed = there.places.filter(([kind, , about]) => about.readonly && scratch && !also(kind))
  const disk = there.places.find(([kind, path]) => kind === OWN_DISK && path[0] === "$") ?? kinds(OWN_DISK)

  /** Where this place is there: [kind, path, about], or undefined. */
  function placeFor(kind, path, about) {
    if (kind === OWN_DISK && extra.length) return extra[0]
    const real = disk && !disk[2].memory && !(disk[2].diskless && job.diskless)
    const same =
      emptied && kind === OWN_DISK && !about.job && real ? null : there.places.find(([, other]) => other === path)
    if (same && (same[0] === kind || same[0] !== OWN_DISK)) return same
    if (about.job && kind === "") return scratch && [OWN_DISK, scratch[1], {instead: true}]
    if (kind === OWN_DISK && about.job === undefined && kinds(WORK) && !emptied) return kinds(WORK) // it is kept from job to job
    if (kind !== OWN_DISK) return [kind, ...(INSTEAD[kind] ?? [])].filter(Boolean).map(kinds).find(Boolean)
    return disk && !(disk[2].memory && (job.disk || job.said)) && !job.tooMuch
      ? disk
      : scratch && [OWN_DISK, scratch[1], {instead: true}]
  }
  const copies = atATime(job.tasks)
  const together = (mib, most = "") =>
    copies > 1 && mib ? ` ${copies} concurrent tasks need ${most}${large(mib * copies)}.` : ""
  function tellDisk([, path, about], old) {
    if (about.instead && job.tooMuch) {
      const more = job.room.more >= job.said.mib ? ` On a full node, a job has ${room(job.room.more)}.` : ""
      said.add(
        `On ${to.name}, this job has ${room(job.room.mib)} in ${disk[1]}${job.tasks ? ", together with your other jobs on the node" : ""}. The script puts ${job.said.what} there, so \`${old}\` becomes a directory in ${written(path)}.${more}${together(job.said.mib)}`,
      )
    } else if (about.instead)
      said.add(
        `${to.name} has no such local disk${disk?.[2].memory ? ` (${disk[1]} is memory)` : " that we know"}, so \`${old}\` becomes a directory in ${written(path)}.${together(job.said?.mib)}`,
      )
    else if (about.memory) said.add(`On ${to.name}, ${path} is memory, so files there count toward the job's memory.`)
    else if (about.diskless && job.diskless)
      said.add(`On nodes of ${to.name} without local disk, ${path} is memory. \`--tmp\` requests local disk.`)
    else if (job.disk && !job.reserved && job.room && !job.toldDisk) {
      const not = job.wanted > job.room.mib ? `, but the job requested ${job.disk}` : ""
      const cure = not && scratch ? ` ${ifMore(written(scratch[1]))}${together(job.wanted, "up to ")}` : ""
      said.add(`On ${to.name}, this job has ${room(job.room.mib)} in ${path}${not}.${cure}`)
    }
    const shared = sharedDisk(to, job.room, job.said, job.tasks ?? "")
    if (shared && !about.instead) said.add(shared)
  }
  const written = path =>
    path.replace(/<user>/g, "$USER").replace(/<\w+>/g, job.newAccount ?? there.account.sample ?? "$USER")

  /** The line with the paths of the new system, and why. @returns {[string, string]} */
  function move(line, directive = false) {
    const [, sets, of] = /^(\s*(?:process\.)?scratch\s*=\s*)["'](\$\w+)["']\s*$/.exec(line) ?? []
    if (
      sets &&
      (!disk || disk[2].memory) &&
      [...places, ...aliases].some(([kind, path]) => kind === OWN_DISK && path === of)
    )
      return [`${sets}false`, `${to.name} has no local disk, so Nextflow's tasks run in its work directory.`]
    const given = line,
      reasons = new Set(),
      done = [] // what is moved is not moved again
    for (const [kind, path, about] of [...places, ...aliases]) {
      const name = path.slice(1)
      if (path[0] === "$" && (job.own.has(name) || name === "HOME")) continue
      const parts = path
        .split(/(<\w+>|\$\w+)/)
        .map(part => (NAMES.test(part) ? `(?:\\$\\{?\\w+\\}?|[A-Za-z0-9_.%-]+)` : variable(part)))
      const begin = path[0] === "$" ? "" : "(?<![\\w$}/.~-])"
      const after =
        /[\w>]$/.test(path) && path.includes("<") && users.test(placeFor(kind, path, about)?.[1] ?? "")
          ? "(?:/\\$\\{?USER\\}?)?"
          : ""
      const pattern = RegExp(`${begin}${parts.join("")}${after}(?![A-Za-z0-9_-])`, "g")
      const [old] = line.match(pattern) ?? []
      if (!old) continue
      const ofUser = kind === OWN_DISK && about.job === undefined && !emptied // kept from job to job
      used.set(old.replace(/\$\{(\w+)\}/g, "$$$1"), ofUser || (kind === "" && !about.job) ? WORK : kind)
      if (alike && name === "SCRATCH") continue
      const put = now => (line = line.replace(pattern, whole => `\uE000${done.push(now ?? whole) - 1}\uE001`))
      const place = placeFor(kind, path, about)
      if (directive && kind === OWN_DISK) continue
      const own = place ? place[0] === OWN_DISK : kind === OWN_DISK
      const larger = (pairs.get(place?.[1])?.[1]?.mib ?? 0) > (about.mib ?? 0) // of two places that become one
      if (place && !own && !larger && !(kind === OWN_DISK && emptied)) pairs.set(place[1], [place[2], about])
      else if (place?.[2].instead && !pairs.has(place[1])) pairs.set(place[1], [scratch[2], {deleted: 1}]) // the job cleans up
      if (place && own) tellDisk(place, path)
      else if (place && ofUser)
        said.add(
          `On ${from.name}, ${path} is the local disk of one node. On ${to.name}, ${place[1]} is for all nodes. Give each job its own directory there.`,
        )
      if (place && (place[1] === path || place[1].startsWith(`${path}/`)) && !(anew && path.includes("<"))) {
        put()
        continue
      }
      if (!place) {
        said.add(`${to.name} has no ${kind ? bare(kind) : "storage"} like ${path}. Choose a different place for it.`)
        continue
      }
      let now = written(place[1])
      if (directive && /\$(?!USER)/.test(now)) {
        const short = line.replace(/(\s(?:--(?:output|error)[= ]|-[oe][= ]?))\S*\//g, "$1")
        const cure = short === line ? "Write the directory itself." : "The file is written where you submit the job."
        said.add(`${to.name} has ${now} instead of ${path}, but directives do not expand variables. ${cure}`)
        line = short
        reasons.add("Directives do not expand variables.")
        continue
      }
      if (own && (!now.includes("$") || place[2].instead)) folders.add((now = `${now}/$SLURM_JOB_ID`)) // others' jobs are there, too
      if ((!own && place[0] !== kind && !INSTEAD[kind]?.slice(0, 1).includes(place[0])) || (kind === "" && !own))
        said.add(
          there.places.some(([other, same]) => other === OWN_DISK && same === path)
            ? `On ${to.name}, ${path} is the local disk of one node, so it becomes ${now}.`
            : `${to.name} has no storage like ${path}, so it becomes ${now}.`,
        )
      put(now)
      reasons.add(
        own && place[2].instead
          ? `${job.tooMuch ? `${disk[1]} is too small` : `${to.name} has no such local disk`}, so a directory in ${written(place[1])} takes its place.`
          : `${place[0] === PROGRAMS ? "A project's files have" : `${place[0]} has`} this path on ${to.name}.`,
      )
    }
    for (const [, path] of places) {
      const [top] = /^\/\w+/.exec(path) ?? []
      if (
        top &&
        RegExp(`(?:^|[\\s,=:"'])${top}/?(?=$|[\\s,:"'])`).test(line) &&
        !there.places.some(each => each[1].startsWith(top))
      )
        said.add(`\`${top}\` is a directory on ${from.name}. ${to.name} has no directory with that name, so change it.`)
    }
    for (const [kind, path, about] of here.places.length ? [] : there.places) {
      const [, found] = RegExp(`(?<![\\w$}/.~-])(${escaped(path.replace(/\/[<$].*/, ""))}/[\\w$]+)`).exec(line) ?? []
      if (kind && found && path[0] === "/") {
        used.set(found, kind) // a place of this name there: of the old system, nobody tells
        pairs.set(path, [about, null])
      }
    }
    if (/(?:~|\$HOME|\$\{HOME\})\/(?:links\/)?scratch(?![\w.-])/.test(line) && kinds(WORK))
      pairs.set(kinds(WORK)[1], [kinds(WORK)[2], here.places.find(([kind]) => kind === WORK)?.[2]])
    const unlinked = line.replace(TARGET, (_, top, name = "") => {
      const real = here.places.find(([, path]) => RegExp(`^/${top.replace(/s$/, "")}(?:/|$)`).test(path))?.[1]
      used.set(real?.replace(/\/<\w+>.*/, name) ?? "~", WORK)
      return ""
    })
    if (/(?<![\w/])(?:~|\$HOME|\$\{HOME\})\//.test(unlinked) && !line.includes("/bin/activate")) used.set("~", HOME)
    for (const [, name] of line.matchAll(/\$\{?(SCRATCH|PROJECT)\b/g))
      if (!job.own.has(name) && text.includes(name)) used.set(`$${name}`, WORK)
    if (there.places.some(([, path, about]) => path === "/tmp" && about.memory) && /(?<![\w/.-])\/tmp\//.test(line))
      said.add(`On ${to.name}, /tmp is memory, so files there count toward the job's memory.`)
    const now = linked(line.replace(/\uE000(\d+)\uE001/g, (_, number) => done[number]))
    if (directive) readOnly(now)
    if (now !== given && !reasons.size)
      reasons.add("This link in your home directory has a different name there, or does not exist.")
    return [now, [...reasons].join(" ")]
  }

  /** Links in the home have other names there, or are none. */
  function linked(line) {
    const home = "(?:~|\\$HOME|\\$\\{HOME\\})/(?:links/)?"
    const own = places => places.find(([kind]) => kind === DATA)?.[2].link ?? "~/projects"
    const [old, now] = [own(here.places), own(there.places)]
    const [work, data] = [kinds(WORK), kinds(DATA)]
    const alone = here.centre !== there.centre
    if (work && (alone || old !== now)) line = line.replace(RegExp(`${home}scratch(?![\\w.-])`, "g"), written(work[1]))
    if (alone && data?.[1].includes("<"))
      line = line.replace(RegExp(`${home}projects?/[\\w-]+(?![\\w.-])`, "g"), written(data[1]))
    return alone ? line : line.replace(RegExp(`${home}projects?(?![\\w.-])`, "g"), whole => (old === now ? whole : now))
  }

  /** What the job writes where it cannot goes to where it can; what it may write there is said. */
  function writable(found) {
    if (!closed.length) return found
    const {commands} = readScript(found.map(each => each.text ?? "").join("\n"))
    const expand = expander(commands)
    const plain = word =>
      expand(word)
        .replace(/^~(?=\/|$)/, "$HOME")
        .replace(/\$\{(\w+)\}/g, "$$$1")
        .replace(/\/$/, "")
    const roots = new Set()
    let at = ""
    for (const command of commands) {
      if (command.name === "cd" && !command.fn) at = plain(command.words[1] ?? "$HOME")
      for (const word of writes(command, false, at || ".")) {
        const path = /^[\w.]/.test(word) ? at : plain(word)
        if (closed.some(([, place]) => path.startsWith(`${place}/`)) && !/^\$HOME\/(?:links\/)?scratch\b/.test(path))
          roots.add(path === at || /\/projects?\//.test(path) ? path : path.split("/").slice(0, 2).join("/"))
      }
    }
    for (const root of roots) {
      const [, name, rest] = /^\$(\w+)(.*)/.exec(root)
      const now = scratch[1] + rest.replace(/^\/(?:links\/)?projects?(?=\/)/, "")
      const home = name === "HOME" ? "~|" : ""
      const pattern = RegExp(`(?:${home}\\$${name}|\\$\\{${name}\\})${escaped(rest)}(?![\\w.-])`, "g")
      for (const each of found.filter(({text}) => text?.match(pattern))) {
        each.text = each.text.replace(pattern, () => now)
        each.reason = `${each.reason} Jobs can only read \`${root}\`.`.trim()
        said.add(
          `Jobs on ${to.name} can only read \`${root}\`, so it becomes \`${now}\`. First copy what the job reads.`,
        )
      }
    }
    for (const each of found) readOnly(each.text ?? "")
    return found
  }

  /** Names what a job may write where it cannot. */
  function readOnly(line) {
    if (/^\s*(?:#|source\b|\.\s|module\b|conda\b)|PATH=/.test(line)) return
    const text = /^\s*(?:cp|rsync|tar|unzip|ls|cat)\b/.test(line) ? (line.match(/\S+\s*$/)?.[0] ?? "") : line
    for (const [kind, path] of closed) {
      const names = kind === HOME ? "(?:~|\\$HOME|\\$\\{HOME\\})" : escaped(path)
      const [found] = RegExp(`${names}(?=[/"'\\s])[^\\s"';|)]*`).exec(text) ?? []
      if (found && !LINKS.test(found) && !/\/bin\/[^/]*$|\.(?:exe|x|py|R|jl|m|sh|sif|jar)$/.test(found))
        said.add(`Jobs on ${to.name} can only read \`${found}\`. If this job writes there, use ${scratch[1]}.`)
    }
  }

  /** Names what is copied into a directory that took a disk's place, from the same file system. */
  function copied(found) {
    const scripts = shells(found.map(each => each.text ?? "").join("\n"))
    const expand = expander(scripts[0].commands)
    const own = [...folders].filter(folder => scratch && folder.startsWith(`${written(scratch[1])}/`))
    const inside = word => own.some(folder => expand(word).startsWith(folder))
    const beside = word => own.some(folder => expand(word).startsWith(`${folder.split("/").slice(0, 2).join("/")}/`))
    const all = scripts.flatMap(({commands, steps}) => commands.map(command => ({command, steps})))
    for (const {command, steps} of own.length ? all : []) {
      const [tool, ...words] =
        command.name === "find" ? command.words.slice(command.words.indexOf("-exec") + 1) : payload(command)
      const [source, target] = [words.filter(word => !word.startsWith("-")).slice(0, -1), words.at(-1) ?? ""]
      const again = /^(?:cp|rsync)$/.test(tool ?? "") && inside(target) && source.some(beside) && !source.some(inside)
      const unpacks = /^(?:tar|unzip)$/.test(tool ?? "") && words.some(inside) && !/^-?-?c/.test(words[0] ?? "")
      const what = quoted(command.text)
      const each =
        steps || command.words[0] === "srun" || job.tasks ? " Here, several tasks do so at the same time." : ""
      if (again)
        said.add(
          `${what} copies files within one file system. Remove it, and read \`${source.at(-1)}\` instead.${each}`,
        )
      else if (unpacks && !tooManyFiles() && !(job.tasks && taskwise(command.text)))
        said.add(`${what} unpacks files in each job. Unpack them once before the job, and read them there.${each}`)
      else if (steps && /^(?:virtualenv\b|python3? -m venv\b)/.test(command.text) && inside(target))
        said.add(`${what}: several tasks would create this directory at the same time. Create it once before the job.`)
    }
    return found
  }

  /** A directory into which the script copies comes first where nothing creates it: it may not exist there. */
  function parents(found) {
    const {commands} = readScript(found.map(each => each.text ?? "").join("\n"))
    const expand = expander(commands)
    const lines = found.flatMap(each => (each.text ?? "").split("\n").map(() => each))
    const roots = [...pairs.keys()].map(path => [path, `${written(path)}/`])
    const made = commands.flatMap(({name, words}) => (/^(?:mkdir|cd)$/.test(name) ? words.slice(1).map(expand) : []))
    const seen = [] // what earlier commands read there
    for (const {name, line, words, redirects, tokens} of commands) {
      const [last] = tokens.slice(-1)
      const packs = name === "tar" && /^-?\w*c/.test(words[1] ?? "") ? [tokens[2]] : []
      const copies = /^(?:cp|mv|rsync)$/.test(name) && words.length > 2 ? [last] : []
      const files = [...packs, ...redirects.filter(({op}) => /^&?>/.test(op)).map(({target}) => target)]
      for (const token of [...files, ...copies, ...(name === "mkdir" ? [last] : [])]) {
        const path = (token?.raw ?? "").replace(/["']/g, "")
        const one = files.includes(token) || words.some(word => /^-\w*[ra]/.test(word)) || /\.\w+$/.test(path)
        const folder = (one ? path.replace(/[^/]*$/, "") : path).replace(/\/+$/, "")
        const [root, begin] = roots.find(([, begin]) => `${expand(folder)}/`.startsWith(begin)) ?? []
        if (root) wrote.add(root)
        const at = lines[line - 1]
        const here = [...folder.matchAll(/\$\{?(\w+)/g)].some(([, own]) =>
          RegExp(`\\b${own}=|\\bfor ${own} `).test(at.text),
        )
        const new_ = root && !sameFiles() && at.from && !here && `${expand(folder)}/` !== begin
        if (!new_ || /[*?`\s(]/.test(folder) || made.some(each => `${each}/`.startsWith(`${expand(folder)}/`))) continue
        if (seen.some(each => each.startsWith(`${expand(folder)}/`))) continue
        const place = found.indexOf(at)
        if (/\)\s|\b(?:elif|else)\b/.test(at.text.slice(0, at.text.indexOf(name)))) continue // a case or a branch begins
        if (/(?:\\|&&|\|)\s*$/.test(found[place - 1]?.text ?? "")) continue
        made.push(expand(folder))
        const text = `${/^\s*/.exec(at.text)[0]}mkdir -p "${folder.replace(/^~/, "$HOME")}"`
        found.splice(place, 0, {text, from: null, reason: `This directory may not exist on ${to.name}.`})
      }
      seen.push(...(copies.length ? words.slice(0, -1) : words).map(expand))
    }
    return found
  }

  /** A directory of the job's own, where others' jobs are as well; it is gone when the job ends. */
  function make(found) {
    const traps = found.some(each => /\btrap\s.*\b(?:EXIT|0)\b/.test(each.text ?? ""))
    const begin = found.findIndex(each => /^set -/.test(each.text ?? "")) + 1
    for (const folder of folders) {
      const first = found.findIndex((each, at) => at >= begin && /^\s*[^\s#]/.test(each.text ?? ""))
      const each = job.nodes > 1 && disk?.[1] === folder.split("/$")[0] ? "srun --ntasks-per-node=1 " : ""
      const reason = "Other jobs use this directory, too, so the job creates its own and removes it."
      const lines = [`${each}mkdir -p "${folder}"`, ...(traps ? [] : [`trap '${each}rm -rf "${folder}"' EXIT`])]
      found.splice(Math.max(first, 0), 0, ...lines.map(text => ({text, from: null, reason})))
      if (traps) said.add(`Remove \`${folder}\` at the end, because the script has its own trap.`)
    }
    return found
  }

  const data = dataOf(text)
  const taskwise = ofTask(text)
  const tooManyFiles = () => data.files?.number > (scratch?.[2].files ?? Infinity)

  /** What the reader must know of the files. @param {boolean} others does the script name other files of its owner? */
  function files(others) {
    const kept = here.places.find(each => each[2].kept)?.[2].kept
    const [, on] = /^as on (\w+)/.exec(kept ?? "") ?? []
    const uses = {pairs, wrote, work: kinds(WORK)?.[1], put: folders.size ? scratch?.[1] : null}
    const found = [...said, ...[...rules(from, to, job, data, uses)].map(written)]
    const host = to.move.hosts.find(each => job.kind !== "cpu" || !/gpu/.test(each)) ?? to.move.hosts[0]
    const examples = [...used].filter(([, kind]) => kind !== OWN_DISK && kind).map(([path]) => `\`${path}\``)
    if (on)
      found.push(
        `${from.name}'s files are on ${on}. ${on === to.name ? "" : "Copy from there what the job needs."}`.trim(),
      )
    else if (here.retired !== null) {
      const gone = /^(?:deleted|no longer)/.test(kept ?? "") && !/lost/.test(here.retired)
      found.push(
        [
          `${from.name} is retired.`,
          here.retired,
          gone && "Its files no longer exist, except those that you copied.",
          !gone &&
            !/lost/.test(here.retired) &&
            (examples.length || others) &&
            `${to.name} does not have its files${examples.length ? ` (${examples.slice(0, 3).join(", ")})` : ""}. Copy what the job needs.`,
        ]
          .filter(Boolean)
          .join(" "),
      )
    } else if (examples.length || others)
      found.push(
        `${to.name} does not have ${from.name}'s files${examples.length ? ` (${examples.slice(0, 3).join(", ")})` : ""}. Copy what the job needs${host ? `, on ${from.name} with: rsync -av DIRECTORY/ yourname@${host}:DIRECTORY/` : "."}`,
      )
    return found
  }
  const sameFiles = () => RegExp(`^as on ${to.name}\\b`).test(here.places[0]?.[2].kept ?? "")
  return {move, make, copies: copied, files, writable, sameFiles, parents}
}

/** `$NAME` also as `${NAME}`; another part of a path as it is. */
const variable = part =>
  /^\$\w+$/.test(part) ? `\\$(?:${part.slice(1)}\\b|\\{${part.slice(1)}(?::[?-][^{}]*)?\\})` : escaped(part)
