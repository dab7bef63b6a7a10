// The script of the next job: the lines that a job's use of its resources changes, judged as any other script.
import {placeOf} from "./place.js"
import {mib} from "./sizes.js"
import {withOption} from "../fixes/fix.js"
import {clean, found, withFixes} from "../judge.js"
import {minutes} from "../schedulers/slurm/values.js"
import {schedulerOf} from "../schedulers/registry.js"

const PER = {mem: "node", "mem-per-cpu": "core", "mem-per-gpu": "gpu"}
const MOST = 4 // fixes

/** What a script asks for, in the words of read.js; of a heterogeneous job, which has several answers, nothing. */
export function askedBy(system, text) {
  const scheduler = schedulerOf(system.kind)
  const options = scheduler.readOptions(clean(text))
  const {asked} = scheduler.decide(system, options, "job.sh")
  if (!asked || Array.isArray(asked)) return {}
  const said = name => options.findLast(each => each.name === name)?.value
  const limit = minutes(said("time") ?? "")
  const memory = options.findLast(({name}) => name in PER)
  const place = placeOf(system, said("partition") ?? asked.routed)
  const [nodes, tasks] = [asked.nodes ?? 1, asked.tasks ?? (asked.tasks_per_node ?? 1) * (asked.nodes ?? 1)]
  const {memory_per_node: node, memory_per_cpu: core, memory_per_gpu: gpu} = asked
  return {
    limit: limit && limit < Infinity ? limit * 60 : null,
    nodes,
    tasks,
    cores: asked.cores,
    gpus: asked.gpus_total,
    per: memory ? PER[memory.name] : null,
    requested: (node && node * nodes) || (core && core * asked.cores) || (gpu && gpu * asked.gpus_total) || null,
    partition: place?.name ?? null,
    whole: asked.exclusive || Boolean(place?.whole),
  }
}

const mended = (script, {mend}) =>
  mend ? (mend.lines ?? script.split("\n").with(mend.line - 1, mend.to)).join("\n") : null

/** With the most memory that a node allows, where the script asks for more. */
function lessMemory(system, script, {option = null, limit = null}) {
  const most = mib(String(limit ?? "")) * (/ GB$/.test(limit) ? 1e9 / 2 ** 30 : 1) // facts tell GB from GiB
  const {cores, nodes} = askedBy(system, script)
  const each = option?.startsWith("--mem=") ? 1 : option?.startsWith("--mem-per-cpu=") ? cores / nodes : null
  const value = `${Math.floor(most / each / 1024)}G`
  return most && each && value !== "0G" ? withOption(system, script, option.slice(2).split("=")[0], value) : null
}

const WRONG = new Set(["refused", "fails", "ignored", "unwise"]) // what is an error or a warning of the check
const words = ({what, cure}) => `${what} ${cure}`
const valueIn = (system, text, name) =>
  schedulerOf(system.kind)
    .readOptions(clean(text))
    .findLast(each => each.name === name)?.value

/** The script with the edit by which the check cures its memory, and why; as it is where there is none. */
export function curedMemory(system, text) {
  const own = ({kind, option = null, mend = null}) => WRONG.has(kind) && option?.startsWith("--mem") && mend
  const wrong = withFixes(system, text, found(system, text)).findings.find(own)
  return {text: wrong ? mended(text, wrong) : text, why: wrong ? [words(wrong)] : []}
}

/** What the check says against a script with these changes, and not against the one before. */
function against(system, before, script, changes) {
  const known = new Set(before.findings.map(({rule}) => rule))
  const own = (/** @type {Finding} */ {option}) => changes.some(({option: name}) => option?.startsWith(`--${name}=`))
  const answer = found(system, script)
  const wrong = answer.findings.filter(each => WRONG.has(each.kind) && (own(each) || !known.has(each.rule)))
  return {answer, wrong: wrong.sort((one, other) => Number(other.kind === "refused") - Number(one.kind === "refused"))}
}

/**
 * The script with those changes against which the check says nothing.
 * @param {System} system @param {string} text
 * @param {Change[]} changes
 * @returns {{script: string, verdict: Answer, changes: Change[], adapted: string[], dropped: string[], against: string[]}}
 *   changes: with the values of the script; adapted: why a value is another; dropped: why there is no value; against: why
 *   the system rejects the script
 * @typedef {{option: string, value: string, why: string, least?: number, instead?: string}} Change
 *   least: MiB that it must exceed to be of use; instead: what else to do
 */
export function nextScript(system, text, changes) {
  const before = found(system, text)
  const made = changes => changes.reduce((now, {option, value}) => withOption(system, now, option, value), text)
  const adapted = new Set()
  const dropped = []
  let kept = changes
  let script = made(kept)
  let {answer, wrong} = against(system, before, script, kept)
  for (let round = 0; kept.length && wrong.length; round++) {
    const [first] = wrong
    const fixed = withFixes(system, script, answer).findings.find(each => words(each) === words(first))
    const own = kept.findLast(({option}) => first.option?.startsWith(`--${option}`)) ?? kept.at(-1)
    const near = round < MOST ? (mended(script, fixed) ?? lessMemory(system, script, first)) : null
    const value = near && valueIn(system, near, own.option)
    const enough = value && !(mib(value) <= own.least)
    if (enough) adapted.add(words(first))
    else {
      kept = kept.filter(each => each !== own)
      dropped.push(`${first.what} ${own.instead ?? first.cure}`)
    }
    script = enough ? near : made(kept)
    ;({answer, wrong} = against(system, before, script, kept))
  }
  const values = kept.map(each => {
    const value = valueIn(system, script, each.option)
    const why = value === each.value ? each.why : `${system.name} does not accept ${each.value}.`
    return {option: each.option, value, why}
  })
  const refused = answer.findings.filter(({kind}) => kind === "refused")
  return {
    script,
    verdict: answer.verdict,
    changes: values.filter(({option, value}) => value && value !== valueIn(system, text, option)),
    adapted: [...adapted],
    dropped,
    against: refused.map(words),
  }
}
