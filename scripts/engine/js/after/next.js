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
function lessMemory(system, script, {option, limit}) {
  const most = mib(String(limit ?? ""))
  const {cores, nodes} = askedBy(system, script)
  const each = option?.startsWith("--mem=") ? 1 : option?.startsWith("--mem-per-cpu=") ? cores / nodes : null
  const value = `${Math.floor(most / each / 1024)}G`
  return most && each && value !== "0G" ? withOption(system, script, option.slice(2).split("=")[0], value) : null
}

/**
 * @param {System} system @param {string} text @param {{option: string, value: string}[]} changes
 * @returns {{script: string, verdict: Answer, adapted: string[], against: string[]}} adapted: why a change is not as
 *   it was proposed; against: why the system rejects the script
 */
export function nextScript(system, text, changes) {
  const refused = ({findings}) => findings.filter(({kind}) => kind === "refused")
  const before = new Set(refused(found(system, text)).map(({rule}) => rule))
  const words = ({what, cure}) => `${what} ${cure}`
  const adapted = []
  let script = changes.reduce((now, {option, value}) => withOption(system, now, option, value), text)
  let answer = found(system, script)
  for (let round = 0; round < MOST && refused(answer).length; round++) {
    const wrong = refused(withFixes(system, script, answer)).find(({rule}) => !before.has(rule))
    const near = wrong && (mended(script, wrong) ?? lessMemory(system, script, wrong))
    if (!near) break
    adapted.push(words(wrong))
    script = near
    answer = found(system, script)
  }
  return {script, verdict: answer.verdict, adapted, against: refused(answer).map(words)}
}
