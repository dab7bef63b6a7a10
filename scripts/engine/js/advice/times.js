// Advice about the times that programs are told, against the time limit of the job.
import {FILES, SETUP} from "./case.js"
import {runsOf} from "./runs.js"
import {minutes} from "../schedulers/slurm/values.js"

const UNITS = {s: 1 / 60, m: 1, h: 60, d: 1440}
/** `timeout` in another unit than it reads, or above the time limit, with work behind it. */
function* timeouts(given) {
  const {commands, option, kind, say, known} = given
  const limit = minutes(option("time")?.value ?? "")
  if (kind !== "slurm" || !known || !(limit > 0) || !Number.isFinite(limit)) return
  if (!commands.some(({text}) => /\btimeout\s/.test(text))) return
  const {runs, number} = runsOf(given)
  for (const {command, words, through} of runs) {
    const told = through.find(({name}) => name === "timeout")?.words.at(-1) ?? ""
    const [, text = told, unit = ""] = /^(\d+|\$\(\(.*\)\)|\$\{\w+\})([smhd])$/.exec(told) ?? []
    const count = number(text)
    const near = factor => count * factor > limit * 0.8 && count * factor <= limit
    const others = runs.some(({command: other, name}) => other !== command && !FILES.has(name) && !SETUP.has(name))
    const quick =
      command.condition ||
      command.op ||
      command.words.some(word => /\b(?:until|while)\b/.test(word)) || // it waits for something
      (count < 150 && (others || command.loops.length || command.fn || words[1] === "-c"))
    const meant = count && !unit && !quick ? (near(1) ? "m" : near(60) ? "h" : "") : ""
    if (meant) {
      const what = `\`timeout ${told}\` has no unit, so it ends the program after ${count < 120 ? `${count} seconds` : `${Math.floor(count / 60)} minutes`}.`
      const cure = `Add the unit: timeout ${told}${meant}, for ${meant === "m" ? "minutes" : "hours"}.`.replace(
        /\$(\w+?)([mh]),/,
        "${$1}$2,",
      )
      return yield say("timeout-in-seconds", what, cure, command, {kind: "fails"})
    }
    const behind = commands
      .slice(commands.indexOf(command) + 1)
      .find(({name, fn, loops}) => !fn && !loops.length && /^(?:cp|rsync|mv|tar|sbatch|scontrol)$/.test(name))
    if (count && count * UNITS[unit || "s"] >= limit && behind && !command.loops.length) {
      const what = `\`timeout ${told}\` is not below the job's time limit, so line ${behind.line} does not run if the job reaches that limit.`
      return yield say("timeout-over-the-limit", what, "Give `timeout` less than --time.", command)
    }
  }
}

/** `--time=30:00` is 30 minutes, and a comment says 30 hours. */
function* hours({option, lines, say}) {
  const at = option("time")
  const [, number] = /^(\d{1,3})(?::00)?$/.exec(at?.value ?? "") ?? []
  const told = new RegExp(`^\\s*#(?!SBATCH|!).*(?<![\\d.,:])${number}\\s*-?(h|hours?|d|days?)\\b`, "i")
  const beside = new RegExp(`\\s#.*(?<![\\d.,:])${number}\\s*-?(h|hours?|d|days?)\\b`, "i")
  const unit = number && (lines.map(line => told.exec(line)).find(Boolean) ?? beside.exec(lines[at.line - 1]))?.[1]
  if (!unit) return
  const days = /^d/i.test(unit)
  const what = `\`${at.written}\` is ${number} minutes, but a comment says ${number} ${days ? "days" : "hours"}.`
  yield say("hours-as-minutes", what, `Write --time=${number}${days ? "-00:00:00" : ":00:00"}.`, at)
}

export const ideas = [timeouts, hours]
