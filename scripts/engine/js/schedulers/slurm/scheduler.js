// Slurm: its decision about a job, and why, in the words of the guide.
import {HETJOB, components} from "../../script/directives.js"
import {register} from "../registry.js"
import {beyondFacts} from "./beyond_facts.js"
import {slurm} from "./decide.js"
import {suspect, why} from "./explain_refusal.js"
import {apart, atFault, further, nowhere} from "./find_all_faults.js"
import {GRES_WRONG} from "./gres.js"
import {lacking} from "./lacking.js"
import {readOptions} from "./options.js"
import {requestOf} from "./request.js"

// What sbatch keeps for the next component of a heterogeneous job.
const CARRIED = ["account", "time"]

/** @param {System} system @param {Option[]} options @param {string} file @returns {Decision} */
function decide(system, options, file) {
  const several = options.find(({name}) => name === HETJOB)
  return several ? ofComponents(system, options, file, several) : ofJob(system, options, file)
}

/**
 * Each component is judged by itself; whether all of them together are accepted, only the scheduler knows.
 * @param {System} system @param {Option[]} options @param {string} file @param {Option} several @returns {Decision}
 */
function ofComponents(system, options, file, several) {
  /** @type {Option[]} */
  let carried = []
  const parts = components(options).map(own => {
    const part = [...carried, ...own]
    carried = part.filter(({name}) => CARRIED.includes(name))
    return ofJob(system, part, file)
  })
  const found = [...parts.flatMap(({findings}) => findings), notJudged(system, several, file)]
  return {
    verdict: parts.some(({verdict}) => verdict === "refused") ? "refused" : "not judged",
    findings: [...new Map(found.map(each => [JSON.stringify(each), each])).values()],
    asked: parts.map(({asked}) => asked),
  }
}

/** @param {System} system @param {Option[]} options @param {string} file @returns {JobDecision} */
function ofJob(system, options, file) {
  const {verdict, refused: said, unjudged, sure, job} = slurm(system, options)
  const refused = said.map(each => ("line" in each ? each : {...suspect(each.what, options), ...each}))
  const again = rest => ofJob(system, rest, file)
  const found = verdict === "refused" ? faults(system, options, refused, job, again) : []
  const left = unjudged.map(option => notJudged(system, option, file))
  const more = further(system, options, refused, found, job, again)
  return {
    verdict,
    findings: [...found, ...left, ...(more?.findings ?? [])],
    asked: sure && job ? requestOf(system, job) : (more?.understood ?? null),
  }
}

/** @param {System} system @param {Option} option @param {string} file @returns {Finding} */
function notJudged(system, option, file) {
  const {line, name, written} = option
  const beyond = beyondFacts(system, option)
  const finding = {line, kind: /** @type {const} */ ("not judged"), option: written}
  if (!beyond) {
    const cure = `Ask the scheduler: \`./guide check ${system.key} ${file}\``
    return {...finding, what: `\`${written}\` cannot be checked here.`, cure, rule: "not-judged-here"}
  }
  const cure = beyond.command ? `Check on the cluster: ${beyond.command}` : ""
  const what = `\`${written}\` cannot be checked here, because we do not know ${beyond.what}.`
  return {...finding, what, cure, rule: `unknown-${name}`}
}

// Why it is refused.
function faults(system, options, refused, job, again) {
  const explained = some => why(system, options, some, job)
  const odds = refused.filter(({what}) => what === GRES_WRONG)
  // What is missing or unknown comes first; of GPUs the rest is asked then.
  if (lacking(system, options).length) return explained(refused.filter(each => !odds.includes(each)))
  const each = job && !nowhere(refused) ? apart(options, again) : null
  if (!each) return atFault(system, options, explained(refused), job)
  const found = [...explained(odds), ...atFault(system, options, each, job)]
  return found.length ? found : atFault(system, options, explained(refused), job)
}

register("slurm", {readOptions, decide, beyondFacts})
