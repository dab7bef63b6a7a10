// The paths of directives, in which no shell puts values.
import {WORK} from "./places.js"

const PATHS = /^#SBATCH\s.*?(?:--(?:output|error|input|chdir)|(?<=\s)-[oeiD])[= ]*\S*\//
const OUTPUT = /^#SBATCH\s.*?(?:--(?:output|error)|(?<=\s)-[oe])[= ]*["']?(\/(?:[^\s%"']|%u)*)\//
const STARTS_IN = /\s(?:--chdir|-D)/
const links = "(?!/(?:links/)?(?:projects?|scratch|nearline)/)"
const IN_HOME = RegExp(`(?<=[= ])/home/([\\w%.-]+)(?![\\w%.-])${links}`, "g")

/**
 * @param {any} each the directive's line, UPDATED @param {(line: string, directive: boolean) => [string, string]} move
 * @param {Set<string>} said UPDATED @param {boolean} same are the old files there? @returns {boolean} has it a path?
 */
export function moveDirective(to, each, move, said, same) {
  if (!PATHS.test(each.text ?? "")) return false
  const [text, why] = move(each.text, true)
  const own = text.replaceAll("$USER", "%u")
  const now = outOfHome(to.move, own)
  const away = now === own ? "" : `${to.name} rejects jobs from /home.`
  if (away)
    said.add(
      `${to.name} rejects jobs from /home, so \`${own}\` becomes \`${now}\`. Copy the files that the job reads to that directory.`,
    )
  if (now.includes("%u") && !each.text.includes("%u") && STARTS_IN.test(now))
    said.add(`In \`${each.text}\`, write your directory on ${to.name}, because Slurm expands no user names there.`)
  else if (now !== each.text) {
    each.text = now
    each.reason = [each.reason, why, away].filter(Boolean).join(" ")
  }
  const [, folder] = OUTPUT.exec(each.text) ?? []
  const roots = to.move.places.map(([, path]) => `${path.replace(/<\w+>|\$USER/g, "[^/]+")}`)
  if (folder && !same && !roots.some(root => RegExp(`^${root}$`).test(folder)))
    said.add(
      `Create \`${folder.replace("%u", "$USER")}\` on ${to.name} before you submit. Without it, the job ends without output.`,
    )
  return true
}

/** A directory to start in that is not in /home, where that system takes no jobs from there. */
function outOfHome({noHome, places}, line) {
  const scratch = places.find(([kind]) => kind === WORK)?.[1]
  if (!noHome || !scratch?.startsWith("/") || !STARTS_IN.test(line)) return line
  return line.replace(IN_HOME, (_, user) => scratch.replace("$USER", user))
}
