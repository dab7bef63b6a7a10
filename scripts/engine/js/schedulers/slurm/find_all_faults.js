// What else is at fault. A scheduler says one thing at a time, so what it refuses is put right in words that
// the system accepts, or left out, and the rest is judged again.
import {limitOf} from "../../limits.js"
import {slurm} from "./decide.js"
import {nearest, setOf} from "../../script/text.js"
import {byFaults, placesOf, wordsOf as words} from "./explain_refusal.js"
import {GRES_WRONG} from "./gres.js"
import {idle as isIdle} from "./job.js"
import {lacking, meant} from "./lacking.js"
import {offersGpus} from "./policy.js"
import {quantities} from "./quantities.js"

// Without these, and with one GPU in place of several, a job is only smaller: what is refused then is refused anyway.
const SMALLER =
  setOf(`account time ntasks ntasks-per-node cpus-per-task cpus-per-gpu mincpus mem mem-per-cpu mem-per-gpu
  tmp array`)
const MOST = 40 // options at fault that are weighed against each other; a file with more is no job script
const NUMBERS = /(?<=^|[:,])\d+(?=,|$)/g
// Option -> where a GPU without its model stands in the value.
const UNTYPED = {gres: /(?<=(?:^|[,:])gpu)(?=(?::\d+)?(?:,|$))/g, gpus: /(?<=^|,)(?=\d+(?:,|$))/g}
Object.assign(UNTYPED, {"gpus-per-node": UNTYPED.gpus, "gpus-per-task": UNTYPED.gpus})
const NO_PARTITION = "invalid partition specified"
// What is told only because something else was made less, or left out.
const MADE = /-under-|-number$|^no-gpu$|at least/

/** @param {{line: number, written: string}} option @param {Finding} finding */
const isOn = (option, {line, option: written}) => option.line === line && option.written === written

/**
 * What is found of the rest.
 * @param {System} system @param {Option[]} options @param {Refusal[]} refused as slurm says it
 * @param {Finding[]} found why @param {Job | null} job
 * @param {(options: Option[]) => Decision} judge decides on other options
 * @returns {{findings: Finding[], understood: Asked | null} | null} those that are new; what the rest asks for
 */
export function further(system, options, refused, found, job, judge) {
  const strange = options.filter(option => found.some(each => isOn(option, each)))
  if (strange.some(({line}) => line === 0)) return null // what was added here is no way out
  const whole = meantOtherwise(system, options, refused, job)
  const [first, ...others] = whole ?? smaller(system, options, strange, job, found)
  // What one way of meaning it would not break is not told.
  if (!first || others.some(each => slurm(system, each).verdict !== "refused")) return null
  const {verdict, findings, asked} = judge(first)
  // What stands on an option that is told, or in the same words; and what only is so since there is less of the job.
  const same = (one, other) => one.line === other.line && one.option === other.option
  const told = one => found.some(each => same(each, one) || (words(each) && words(each) === words(one)))
  const fewer = !whole && strange.some(ofGpus)
  const less = fewer || (!whole && found.some(({limit, rule}) => limit && !/^time-/.test(rule)))
  const made = each =>
    (less && MADE.test(words(each) || each.rule)) || (fewer && words(each) && /gpu|gres/.test(each.option))
  return {
    understood: strange.every(idle) ? asked : null, // what counts of a job is as it was written
    findings:
      verdict !== "refused" ? [] : findings.filter(each => each.option && isFault(each) && !told(each) && !made(each)),
  }
}

const isFault = ({kind}) => /^(refused|doubtful)$/.test(kind)
const ofGpus = ({name, value}) => UNTYPED[name] && (name !== "gres" || /gpu/.test(value))

/**
 * Several options that ask for GPUs may be at odds, and what one breaks is not the others' fault: what is found of
 * each of them alone, and of the rest with every one of them.
 * @returns {Finding[] | null} null if there are not several
 */
export function apart(options, judge) {
  const gpus = options.filter(ofGpus)
  const counting = gpus.filter(one => one === options.findLast(({name}) => name === one.name))
  if (counting.length < 2) return null
  const isOwn = each => each.option && isFault(each) && !/^gpus-under-/.test(each.rule)
  const but = one => options.filter(each => each === one || !gpus.includes(each))
  const alone = counting.map(one => judge(but(one)).findings.filter(isOwn))
  const own = alone.flatMap((found, at) =>
    found.filter(each => isOn(counting[at], each) && words(each) !== `${GRES_WRONG}.`),
  )
  const same = each => other => each.line === other.line && each.option === other.option && each.rule === other.rule
  return [
    ...own,
    ...alone[0].filter(each => !gpus.some(gpu => isOn(gpu, each)) && alone.every(found => found.some(same(each)))),
  ]
}

export const nowhere = refused => refused.find(({line, what}) => line && what.startsWith(NO_PARTITION))

// With what is missing or unknown in words of the system, the likeliest first; what is added stands on line 0.
function meantOtherwise(system, options, refused, job) {
  const {rules, why} = system
  const unknown = nowhere(refused)
  const kept = unknown ? options.filter(({name}) => name !== "partition") : options
  const names = [...lacking(system, options), ...(unknown && !why.leave_out ? ["partition"] : [])]
  if (job && names.length)
    return likely(system, job, names, unknown).map(key => {
      const values = {account: why.account, partition: why.partitions[key].called, time: leastTime(system, key)}
      return [...kept, ...names.map(name => ({name, value: `${values[name]}`, known: true, line: 0, written: ""}))]
    })
  if (unknown && why.leave_out) return [kept]
  if (job && refused.some(({what}) => what === rules.gpu_model))
    return withModel(system, options, placesOf(system, job))
  return null
}

// The partitions that can be meant: one spelled almost so, else those that have GPUs if the job wants some.
function likely(system, job, names, unknown) {
  const {partitions, why} = system,
    wants = quantities(system, job).gpus > 0
  const places = placesOf(system, job),
    named = names.includes("partition")
  const all = named || !places.length ? Object.keys(partitions) : places
  const called = key => why.partitions[key].called
  const near = unknown && nearest(unknown.what.split(": ")[1], all.map(called))
  const right = all.filter(key => (near ? called(key) === near : !wants || offersGpus(system, key)))
  return byFaults(system, job, right.length ? right : all).slice(0, named ? Infinity : 1)
}

// The job without what is refused, or with less of it, and what is misspelt as it is meant; nothing where it would be
// another job.
function smaller(system, options, strange, job, found) {
  const key = job ? placesOf(system, job)[0] : options.findLast(({name}) => name === "partition")?.value
  const nodes = job && mostNodes(system, job, key, quantities(system, job))
  const least = {account: system.why.account, time: `${leastTime(system, key)}`, nodes, ntasks: nodes ?? "1"}
  const less = option => {
    const name = meant(option)
    if (!option.known) return name ? [{...option, name, known: true}] : []
    if (found.some(each => each.rule === "gpu-elsewhere" && isOn(option, each))) return [] // one is too many
    const value = UNTYPED[name] ? option.value?.replace(NUMBERS, 1) : least[name]
    return value && value !== option.value ? [{...option, value}] : []
  }
  // Who means another partition has other limits.
  const named = options.some(({name}) => name === "partition")
  if (!strange.length || (named && strange.some(each => meant(each) === "partition"))) return []
  const names = strange.map(meant).filter(name => SMALLER.has(name)) // or an earlier value would count now
  const kept = options.filter(each => !strange.includes(each) && !names.includes(meant(each)))
  return [[...kept, ...strange.flatMap(less)]]
}

// As many nodes as the job may have in a partition, and the shortest time.
function mostNodes({partitions}, job, key, all) {
  const least = limitOf(partitions[key], "nodes", {test: "at_least", all}) || 1
  return `${Math.max(least, Math.min(job.minNodes ?? 1, limitOf(partitions[key], "nodes", {all})))}`
}

const leastTime = ({partitions}, key) => limitOf(partitions[key], "minutes", {test: "at_least"}) || 1

/**
 * The findings without those on options that are taken as soon as the others are put right: of 64 GPUs for ten
 * years the years are at fault, and 64 GPUs on one node are not where the job may have more nodes.
 */
export function atFault(system, options, found, job) {
  const told = options.filter(option => found.some(each => isOn(option, each))),
    spared = []
  if (told.length > MOST) return found
  const sure = option => found.some(each => isOn(option, each) && each.kind === "refused")
  for (const option of told) {
    // A doubtful one may be right as it is.
    const others = told.filter(each => each !== option && !spared.includes(each) && (sure(each) || !sure(option)))
    const [rest] = smaller(system, options, others, job, found)
    if (rest && slurm(system, rest).verdict !== "refused") spared.push(option)
  }
  return spared.length < told.length ? found.filter(each => !spared.some(option => isOn(option, each))) : found
}

// Nothing rests on what sbatch does not know and nobody means, and on some others.
const idle = option => !meant(option) || isIdle({name: meant(option)})

// The same with each model of these partitions' nodes; where they have none, of all.
function withModel({nodes, partitions}, options, keys) {
  const models = keys => {
    const gres = keys.flatMap(key => Object.keys(partitions[key].nodes)).flatMap(type => nodes[type].gres)
    return [...new Set(gres.filter(([name, model]) => name === "gpu" && model).map(([, model]) => model))]
  }
  const there = models(keys),
    untyped = ({name, value}) => value && value.search(UNTYPED[name] ?? /$^/) >= 0
  if (!options.some(untyped)) return []
  const typed = (option, model) => ({
    ...option,
    value: option.value.replace(UNTYPED[option.name], option.name === "gres" ? `:${model}` : `${model}:`),
  })
  return (there.length ? there : models(Object.keys(partitions))).map(model =>
    options.map(each => (untyped(each) ? typed(each, model) : each)),
  )
}
