// What a Grid Engine cluster decides about a job: its verifier's rules, then whether any hosts of a queue have what is
// asked for. What is not plainly written is not judged here.
import {last} from "../../script/directives.js"
import {forms} from "./forms.js"
import {placed} from "./place.js"
import {requestOf} from "./request.js"
import {lacking, resources, timed} from "./resources.js"
import {memoryOf, verified} from "./verify.js"

/**
 * The scheduler's decision.
 * @param {System} system
 * @param {Option[]} options
 * @returns {Decision}
 */
export function gridEngine(system, options) {
  const facts = system.grid_engine
  const found = []
  const {rules, sources} = facts
  const say = (option, finding) => {
    const {line = 1, written = null} = option ?? {}
    found.push({line, kind: "refused", option: written, limit: null, source: null, ...finding})
  }
  const refuse = (option, rule, what, cure, limit = null, source = "") =>
    say(option, {rule, what, cure, limit, source: sources[source] ?? null})
  /** says: what is wrong, behind the option; source: the group of facts that says so */
  const blame = (option, rule, says, ...rest) => refuse(option, rule, `\`${option?.written ?? ""}\`${says}`, ...rest)
  const unclear = option => {
    const what = `\`${option.written}\` cannot be checked here.`
    say(option, {kind: "not judged", rule: "beyond-the-page", what, cure: ""})
  }
  const asked = resources(options)
  const look = {system, facts, rules, options, asked, last: last(options), refuse, blame, unclear}
  forms(look)
  lacking(look)
  timed(look)
  const job = verified(look)
  if (job) placed(look, job)
  const kinds = new Set(found.map(({kind}) => kind))
  const verdict = kinds.has("refused") ? "refused" : kinds.has("not judged") ? "not judged" : "accepted"
  const said = job && {gpus: job.gpus, memory: asked.has("h_vmem") ? memoryOf(look, asked.get("h_vmem")) : null}
  const understood = said ? requestOf(system, options, said) : null
  return {verdict, findings: found.sort((one, other) => one.line - other.line), asked: understood}
}
