// The verdict on a whole script: the scheduler's decision, and what the rules find besides.
import {advice} from "./advice/advice.js"
import {fixed} from "./fixes/fix.js"
import {findings as ofRules} from "./rules/run.js"
import {schedulerOf} from "./schedulers/registry.js"
import {leaveOut} from "./script/leave_out.js"
import {submissionsOf} from "./script/submissions.js"

/**
 * @param {System} system @param {string} text the script's
 * @param {string} [file] what the findings call it @returns {Verdict}
 */
export function judge(system, text, file = "job.sh") {
  return withFixes(system, text, found(system, text, file))
}

/** What `found` gave, with `mend` where an edit is certain: it judges the script again for each edit that it tries. */
export function withFixes(system, text, answer) {
  const again = other => found(system, other, answer.file).findings
  return {...answer, findings: fixed(system, text, answer.findings, again)}
}

/** As `judge`, without edits: what a page shows first. @returns {Verdict} */
export function found(system, text, file = "job.sh") {
  if (!text.trim()) return empty(file)
  return ofSubmissions(system, text, file) ?? verdictOf(system, text, file, decisionOn(system, text, file))
}

/** The verdict on a script that only submits jobs: that on the jobs. @returns {Verdict | null} null: it is a job */
function ofSubmissions(system, text, file) {
  const jobs = submissionsOf(clean(text), system.kind)
  if (!jobs) return null
  const judged = jobs.map(job => ({...job, ...verdictOf(system, job.text, file, decisionOn(system, job.text, file))}))
  const found = judged.flatMap(({findings, lineOf}) => findings.map(each => ({...each, line: lineOf(each.line)})))
  const own = ofRules(system, text).filter(({kind}) => kind !== "refused")
  const once = new Map([...own, ...found].map(each => [JSON.stringify([each.line, each.rule, each.what]), each]))
  const verdict = ["refused", "not judged"].find(each => judged.some(({verdict}) => verdict === each)) ?? "accepted"
  return {file, verdict: /** @type {Answer} */ (verdict), findings: whole(file, [...once.values()])}
}

function decisionOn(system, text, file) {
  const scheduler = schedulerOf(system.kind)
  const options = scheduler.readOptions(clean(text))
  return {options, ...scheduler.decide(system, options, file)}
}

/** @returns {Verdict} */
function verdictOf(system, text, file, decision) {
  const all = [
    ...together(decision.findings, ofRules(system, text)),
    ...advice(system, clean(text), decision.options, [decision.asked].flat(), file),
  ]
  const refused = all.some(each => each.kind === "refused")
  // What only doubtful facts refuse may be taken.
  const open = decision.verdict === "refused" && all.some(each => each.kind === "doubtful")
  return {
    file,
    verdict: refused ? "refused" : open ? "not judged" : decision.verdict,
    ...(open && !refused ? {doubt: true} : {}),
    findings: whole(file, all),
  }
}

const whole = (file, findings) =>
  findings
    .map(each => ({file, option: null, limit: null, source: null, ...each}))
    .sort((one, other) => one.line - other.line)

/** @returns {Verdict} */
function empty(file) {
  const what = {what: "the file is empty.", cure: "Start from one of the guide's scripts.", rule: "empty"}
  return {file, verdict: "refused", findings: whole(file, [{line: 1, kind: "refused", ...what}])}
}

// Where a rule says on that line what is wrong, the scheduler's bare words are not needed; what is refused is not
// called unwise or failing as well.
function together(said, rules) {
  const sameLine = (list, {line}, kind) => list.some(each => each.line === line && each.kind === kind)
  const refused = ({line, option}) =>
    said.some(each => each.kind === "refused" && each.line === line && each.option && each.option === option)
  const better = ({line, rule}) =>
    rules.some(each => each.line === line && [rule, "grid-engine-name"].includes(each.rule))
  const bare = each => each.rule === "scheduler" || (each.rule === "unknown-option" && (!each.cure || better(each)))
  return [
    ...said.filter(each => !bare(each) || !sameLine(rules, each, each.kind)),
    ...rules.filter(each => !["fails", "unwise"].includes(each.kind) || !refused(each)),
  ]
}

/**
 * As `found`, for a host that can ask a scheduler which is set up from the same facts.
 * @returns {Verdict & {decision: string, submit: string}} decision: the scheduler's alone, without the rules; submit:
 *   the script to ask about, without what keeps a file from being one, and without the options that nobody can judge
 */
export function foundAndSubmitted(system, text, file) {
  if (!text.trim()) return {...empty(file), decision: "refused", submit: ""}
  const submitting = ofSubmissions(system, text, file)
  if (submitting) return {...submitting, decision: submitting.verdict, submit: ""}
  const decision = decisionOn(system, text, file)
  const beyond = decision.options.filter(option => schedulerOf(system.kind).beyondFacts(system, option))
  return {
    ...verdictOf(system, text, file, decision),
    decision: decision.verdict,
    submit: leaveOut(clean(text), system.kind, beyond),
  }
}

/** A text without what keeps a file from being a script; rules/start.js says what that does. @param {string} text */
export const clean = text =>
  text
    .replaceAll("\0", "")
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
