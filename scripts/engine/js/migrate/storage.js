// The files of a script that moves: the paths on its lines, its directories there, and what its reader must know of them.
import {createFolders, createOwn, ontoThemselves} from "./folders.js"
import {quoted} from "./amounts.js"
import {copiesInPlace, lessDisk} from "./own_disk.js"
import {pathsOf} from "./paths.js"
import {DATA, HOME, OWN_DISK, PROGRAMS, WORK, placesOf} from "./places.js"
import {readOnlyOf} from "./read_only.js"
import {dataOf, rules, shells} from "./sizes.js"

// The commands of CSC's object storage: https://github.com/CSCfi/allas-cli-utils/tree/master/help
const ALLAS = /^[^#\n]*?(?:^|[ \t;&|(])(a-(put|get)[ \t][^\n;&|]*)/gm
// The commands of HPSS: https://github.com/ECP-WarpX/artemis/blob/development/Docs/source/usage/workflows/archiving.rst
const HPSS = /^[^#\n]*?(?:^|[\s;&|(])(hsi|htar)\s/m

// Hidden files of the home that a program reads, as tokens; not those of the shell or of installed software.
const HIDDEN =
  /(?<![\w/])(?:~|\$HOME|\$\{HOME\})\/\.(?!(?:bash\w*|profile|zsh\w*|cache|local|config|conda\w*|mamba|julia|R|cargo|rustup|pyenv|nvm|npm|venvs?|nextflow|apptainer|singularity|triton|lmod\.d|ssh)\b)\w[\w.-]*/g

/** @param {System} from @param {System} to @param {any} job as job.js makes it @param {string} text the script's commands and comments */
export function storageOf(from, to, job, text) {
  const here = from.move
  const places = placesOf(from, to, job, text)
  const {scratch, disk, written} = places
  // used: paths of the script -> their kind; folders: in place of a disk; pairs: path there -> [its facts, those of the old place]; yours: directories of the user in those of a project
  const seen = {said: new Set(), used: new Map(), folders: new Set(), pairs: new Map(), yours: new Set()}
  const {said, folders, pairs} = seen
  const {readOnly, writable} = readOnlyOf(from, to, places, said)
  const move = pathsOf(from, to, job, places, seen, readOnly)
  const same = RegExp(`^as on ${to.name}\\b`).test(here.places[0]?.[2].kept ?? "") // the same files
  let wrote = new Set()

  /** What moved lines need besides. found: UPDATED */
  function prepare(found) {
    writable(found)
    const scripts = shells(found.map(each => each.text ?? "").join("\n"))
    for (const each of ontoThemselves(found, scripts[0])) said.add(each)
    for (const each of copiesInPlace(scripts, text, job, places, folders)) said.add(each)
    const own = same ? [] : [places.first(WORK)?.[1] ?? "$SCRATCH", "$SCRATCH"] // also where the path stays
    const roots = [...new Set([...pairs.keys(), ...own])].map(path => [path, `${written(path)}/`])
    wrote = createFolders(found, scripts[0].commands, roots, same, to, new Set([...folders, ...seen.yours]))
    createOwn(found, job, disk, seen)
    return found
  }

  /** What the reader must know of the files. @param {boolean} others does the script name other files of its owner? */
  function files(others) {
    for (const each of lessDisk(to, job, places)) said.add(each)
    const moves = from.move.centre !== to.move.centre
    const [, archives] = HPSS.exec(moves ? text : "") ?? []
    const [, place, about] = [DATA, PROGRAMS, WORK].map(places.first).find(Boolean) ?? []
    const [own] = folders
    const deleted = own ? ` When the job ends, it deletes \`${own}\`.` : ""
    if (archives && about)
      said.add(
        `\`${archives}\` reaches an archive of ${from.name}'s center. On ${to.name}, write archives with tar to \`${written(place)}\`, where files are kept ${about.rule}.${deleted}`,
      )
    for (const [, command, what] of moves && !to.move.remotes.length && about ? text.matchAll(ALLAS) : [])
      said.add(
        `${quoted(command)} copies files ${what === "put" ? "to" : "from"} Allas, but ${to.name} does not have this command. ${
          what === "put"
            ? `Replace it with a \`cp\` to \`${written(place)}\`.${deleted}`
            : `Copy them to \`${written(place)}\` before the job, and replace the command with a \`cp\` from there.`
        }`,
      )
    const kept = here.places.find(each => each[2].kept)?.[2].kept
    const [, on] = /^as on (\w+)/.exec(kept ?? "") ?? []
    const uses = {pairs, wrote, work: places.first(WORK)?.[1], put: folders.size ? scratch?.[1] : null}
    const found = [...said, ...[...rules(from, to, job, dataOf(text), uses)].map(written)]
    const host = to.move.hosts.find(each => job.kind !== "cpu" || !/gpu/.test(each)) ?? to.move.hosts[0]
    const examples = [...seen.used].filter(([, kind]) => kind !== OWN_DISK && kind).map(([path]) => `\`${path}\``)
    const some = examples.length > 0 || others
    const lacks = (what, how) =>
      `${to.name} does not have ${what}${examples.length ? ` (${examples.slice(0, 3).join(", ")})` : ""}. Copy what the job needs${how}`
    if (on)
      return [
        ...found,
        `${from.name}'s files are on ${on}.${on === to.name ? "" : " Copy from there what the job needs."}`,
      ]
    if (here.retired === null) {
      const read = [...new Set(text.replace(/^\s*#.*/gm, "").match(HIDDEN))].map(path => `\`${path}\``).join(", ")
      const hidden = seen.used.has("~")
        ? ` Of your home, omit hidden files, which are for ${from.name}${read ? `, except ${read}` : ""}.`
        : ""
      const how = host
        ? `, on ${from.name} with: rsync -av OLD_DIRECTORY/ yourname@${host}:NEW_DIRECTORY/${hidden}`
        : "."
      return some ? [...found, lacks(`${from.name}'s files`, how)] : found
    }
    const lost = /lost/.test(here.retired)
    const gone = !lost && /^(?:deleted|no longer)/.test(kept ?? "")
    const rest = gone
      ? "Its files no longer exist, except those that you copied."
      : !lost && some
        ? lacks("its files", ", if you still can.")
        : ""
    return [...found, [`${from.name} is retired.`, here.retired, rest].filter(Boolean).join(" ")]
  }
  /** Where an environment of the user is there: in the home, where that is for environments, not with the jobs' data. */
  function environment(path) {
    const [now] = move(path)
    const home = places.there.find(([kind, , {use}]) => kind === HOME && /environments/.test(use ?? ""))
    const root = places.first(WORK) && written(places.first(WORK)[1])
    return home && root && !same && now.startsWith(`${root}/`) && !now.includes("$SLURM_JOB_ID")
      ? `$HOME${now.slice(root.length)}`
      : now
  }
  return {move, environment, prepare, files, same, replaced: () => folders.size > 0}
}
