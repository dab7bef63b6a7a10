// The paths of directives, in which no shell puts values.
import {WORK} from "./places.js"

const PATHS = /^#SBATCH\s.*?(?:--(?:output|error|input|chdir)|(?<=\s)-[oeiD])[= ]*\S*\//
const STARTS_IN = /\s(?:--chdir|-D)/
const links = "(?!/(?:links/)?(?:projects?|scratch|nearline)/)"
const IN_HOME = RegExp(`(?<=[= ])/home/([\\w%.-]+)(?![\\w%.-])${links}`, "g")

/**
 * @param {any} each the directive's line, UPDATED @param {(line: string, directive: boolean) => [string, string]} move
 * @param {Set<string>} said UPDATED @returns {boolean} has it a path?
 */
export function moveDirective(to, each, move, said) {
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
  return true
}

/** A directory to start in that is not in /home, where that system takes no jobs from there. */
function outOfHome({noHome, places}, line) {
  const scratch = places.find(([kind]) => kind === WORK)?.[1]
  if (!noHome || !scratch?.startsWith("/") || !STARTS_IN.test(line)) return line
  return line.replace(IN_HOME, (_, user) => scratch.replace("$USER", user))
}
