// Why a job is refused, in the words of `guide check`: the option, the limit that it breaks, who
// says so, and the way out. What no limit of the facts explains is told in the scheduler's words.
import {nearest, words} from "../../script/text.js"
import {slurm} from "./decide.js"
import {GRES_WRONG} from "./gres.js"
import {lacking, near} from "./lacking.js"
import {brokenLimits} from "./explain_limits.js"
import {places} from "./policy.js"
import {quantities} from "./quantities.js"

const TASKS = ["ntasks", "ntasks-per-node"]
const CORES = ["cpus-per-task", "cpus-per-gpu", "mincpus", ...TASKS]
const JOINT = [...CORES, "nodes", "mem-per-cpu", "mem-per-gpu"]

/**
 * A finding for each limit that a refused job breaks; for one that breaks none, the words alone.
 * @param {System} system @param {Option[]} options
 * @param {Refusal[]} refused @param {Job} [job]
 * @returns {Finding[]}
 */
export function why(system, options, refused, job) {
  const missing = lacking(system, options)
  const bare = each => plain(system, {...each, ...blamed(system, options, each)})
  return [
    ...missing.map(name => lacks(system, options, name)),
    ...refused.flatMap(each => {
      const option = options.find(({line, written}) => line === each.line && written === each.option)
      if (option && !option.known) return [unknownOption(each, option)]
      if (missing.some(name => system.rules[name] === each.what)) return []
      // No limit explains these, be others broken or not: those are told of the rest.
      if (each.what === GRES_WRONG || /job array/.test(each.what)) return [bare(each)]
      return (
        strange(system, each, options) ??
        model(system, each, option) ??
        (job && !each.option?.includes("$") ? (limits(system, options, job) ?? pairs(system, options, job)) : null) ?? [
          bare(each),
        ]
      )
    }),
  ]
}

/**
 * Of options that do not go together, the one without which the others would.
 * @param {System} system @param {Option[]} options @param {Refusal} refused
 */
function blamed(system, options, {what}) {
  const but = name => options.filter(each => each.name !== name)
  const without = ({name}) => slurm(system, but(name))
  const last = name => options.findLast(each => each.name === name) ?? []
  const option =
    what === GRES_WRONG
      ? options.findLast(each => /gpu|gres/.test(each.name) && !without(each).refused.some(one => one.what === what))
      : /configuration/.test(what) &&
        ABOUT.at(-1)[1]
          .flatMap(last)
          .find(each => without(each).verdict === "accepted")
  return option && {line: option.line, option: option.written}
}

// Nobody knows whether another Slurm would place this.
function pairs(system, options, job) {
  const option = options.findLast(each => each.name === "cpus-per-gpu")
  const two = places(system, job, quantities(system, job)).some(key =>
    Object.keys(system.partitions[key]?.nodes ?? {}).some(type => system.nodes[type].threads > 1),
  )
  if (!option || !two) return null
  const {line, written} = option
  const what = `\`${written}\` cannot be placed by our simulated Slurm on cores with two threads, but ${system.name} may accept it.`
  const cure = "Request the cores with --cpus-per-task."
  return [{line, kind: "doubtful", rule: "cores-with-threads", option: written, what, cure}]
}

const namesOf = facts => [...new Set(Object.values(facts.partitions).map(each => each.called))]

const REJECTS = / rejects (?:`.*?`|the job): /su
/** The scheduler's own words in what `plain` says. */
export const wordsOf = ({rule, what}) => rule === "scheduler" && what.split(REJECTS)[1]

/** @returns {Finding} */
const plain = ({name}, {line, option, what}) => {
  const said = `${name} rejects ${option ? `\`${option}\`` : "the job"}: ${what.replace(/[.:]$/, "")}.`
  return {line, kind: "refused", what: said, cure: "", rule: "scheduler", option}
}

/** @param {Refusal} refused @param {Option} option @returns {Finding} */
function unknownOption({line, what}, {name, written}) {
  const found = {line, kind: /** @type {const} */ ("refused"), rule: "unknown-option", option: written}
  if (!written.startsWith("--")) return {...found, what: `${what}.`, cure: ""}
  const close = near(name)
  const cure = close ? `Did you mean \`--${close}\`?` : "See man sbatch."
  return {...found, what: `sbatch has no option \`${written}\`.`, cure}
}

// What the cluster requires and the job does not say.
function lacks({name, rules, why: facts}, options, found) {
  const noun = found === "time" ? "time limit" : found,
    unless = facts.unless[found],
    what = rules[found]
  const own = /^An? .* is required$/.test(what) ? "" : ` (its message: ${what.replace(/[:.]+$/, "")})`
  const names = namesOf(facts)
  return told(
    facts,
    `policy.${found}`,
    {
      line: Math.max(1, ...options.map(option => option.line)),
      rule: `no-${found}`,
      what: `the script sets no ${noun}, but ${name} requires one${unless ? ` unless ${unless}` : ""}${own}`,
      cure: {
        account: `Add your account, such as --account=${facts.account}.`,
        time: "Add --time.",
        partition: `Add --partition with one of ${names.join(", ")}.`,
      }[found],
    },
    unless,
  )
}

/** @param {System} system @param {Refusal} refused @param {Option[]} options */
function strange({name, why: facts}, {what, option, line}, options) {
  const wanted = /^invalid partition specified: (.*)$/.exec(what)?.[1]
  if (wanted === undefined) return null
  const names = namesOf(facts),
    near = nearest(wanted, names)
  const at = options.findLast(each => each.name === "partition")
  const written = at?.written ?? option
  const known = near ? `Did you mean \`${near}\`?` : `Choose from ${names.join(", ")}.`
  const found = {line: at?.line ?? line, option: written, rule: "unknown-partition"}
  const said = `\`${written}\` names no partition of ${name}`
  const cure = facts.leave_out ? "Remove the partition." : known
  return [told(facts, "partitions", {...found, what: said, cure})]
}

/** @param {System} system @param {Refusal} refused @param {Option} [at] */
function model({name, rules, why: facts}, {what, line, option}, at) {
  if (what !== rules.gpu_model || !at) return null
  const said = `\`${option}\` names no GPU model, but ${name} requires one`
  const cure = `Name one: ${facts.requests.join(" or ")}.`
  return [told(facts, "policy.gpu_model", {line, option, rule: "no-gpu-model", what: said, cure})]
}

// Refused, or doubtful with the doubt; and who says so.
function told(facts, path, found, doubtful = false) {
  // Where nobody names a partition, a doubt about their names says nothing against their limits.
  const exact = facts.leave_out && path.startsWith("partitions.")
  const doubt = exact
    ? facts.doubts[path]
    : Object.entries(facts.doubts).find(([key]) => `${path}.`.startsWith(`${key}.`))?.[1]
  return {
    ...found,
    kind: doubt || doubtful ? "doubtful" : "refused",
    what: `${found.what}.${doubt ? ` This is unconfirmed: ${doubt}.` : ""}`,
    source: facts.sources[path.split(".")[0]],
  }
}

// The limits that the job breaks where it would go, each on the option that is at fault.
function limits(system, options, job) {
  const all = quantities(system, job),
    rooms = byFaults(system, job, placesOf(system, job)),
    [key] = rooms
  if (!key) return null
  const open = rooms.length > 1 && !options.some(each => each.name === "partition")
  const found = brokenLimits(system, key, job, open ? system.name : undefined).flatMap(limit => {
    const can = limit.options.flatMap(name => options.findLast(each => each.name === name) ?? [])
    // Of tasks and cores that count together the larger number is to blame.
    if (can.every(({name}) => CORES.includes(name))) can.sort((one, other) => other.value - one.value)
    const [option] = can
    return option ? [{limit, option}] : []
  })
  // What is too much for a node and for the partition alike is told once.
  const alike = ({limit, option}) => [option.line, option.written, limit.rule.split("-over-")[0], limit.limit].join()
  const once = found.filter((each, at) => at === found.findIndex(other => alike(other) === alike(each)))
  if (!found.length) return null
  const elsewhere = others(system, key, job, all)
  return once.map(({limit, option}) => {
    const with_ = options.filter(each => JOINT.includes(each.name) && each.name !== option.name)
    const joint = /^(cores|memory)/.test(limit.rule) && option.name !== "mem" && with_.length
    const subject = joint
      ? `\`${option.written}\` with ${with_.map(each => `\`${each.written}\` (line ${each.line})`).join(" and ")}`
      : `\`${option.written}\``
    return told(system.why, limit.path, {
      line: option.line,
      option: option.written,
      rule: limit.rule,
      limit: limit.limit,
      what: `${subject} ${limit.says}`,
      cure: `${limit.cure}${elsewhere.length ? `, or use the partition ${elsewhere.slice(0, 2).join(" or ")}` : ""}.`,
    })
  })
}

export const placesOf = (system, job) =>
  places(system, job, quantities(system, job)).filter(key => Object.hasOwn(system.partitions, key))

// Partitions, first those of whose limits a job breaks the fewest; of several the one with the longest time.
export function byFaults(system, job, keys) {
  const {partitions} = system
  const faults = Object.fromEntries(keys.map(key => [key, brokenLimits(system, key, job).length]))
  const longer = (one, other) => partitions[other].max_time - partitions[one].max_time
  return [...keys].sort((one, other) => faults[one] - faults[other] || longer(one, other))
}

// Partitions open to everybody that take such a job; if there are any with its nodes, only those.
function others(system, key, job, all) {
  const {nodes, partitions, why} = system
  const facts = why.partitions
  if (why.leave_out) return []
  const types = Object.keys(partitions[key].nodes)
  // A job without GPUs is not sent from nodes without any to those that have some.
  const cpu = type => nodes[type].gres.every(([gres]) => gres !== "gpu"),
    stays = types.some(cpu) && !all.gpus
  const another = name => facts[name].called !== facts[key].called
  const fits = name => another(name) && !brokenLimits(system, name, job).length
  const takes = name => places(system, {...job, partition: name}, all).every(fits)
  const right = name => !facts[name].closed && (!stays || Object.keys(partitions[name].nodes).some(cpu))
  const found = Object.keys(partitions).filter(name => another(name) && right(name) && takes(name))
  const near = found.filter(name => types.some(type => partitions[name].nodes[type]))
  return [...new Set((near.length ? near : found).map(name => `\`${facts[name].called}\``))]
}

// Part of a refusal -> the options that it can be about, the likeliest first.
/** @type {[RegExp, string[]][]} */
const ABOUT = [
  [/time limit|of at least \d+ minutes/i, ["time"]],
  [/partition/, ["partition"]],
  [/account/i, ["account"]],
  [/array/, ["array"]],
  [/Node count|nodes/, ["nodes", "ntasks", "ntasks-per-node"]],
  [/GPU|MIG|gres/, ["gres", "gpus", "gpus-per-node", "gpus-per-task", "nodes"]],
  [/Memory/, ["mem", "mem-per-cpu", "mem-per-gpu", "cpus-per-task", "ntasks"]],
  [/cores|processors/, ["cpus-per-task", "ntasks", "ntasks-per-node", "cpus-per-gpu"]],
  [
    /configuration/,
    words(`gres gpus gpus-per-node gpus-per-task nodes cpus-per-task ntasks ntasks-per-node mem mem-per-cpu mem-per-gpu
      constraint cpus-per-gpu tmp`),
  ],
]

/** The option that a refusal is likely to be about. */
export function suspect(what, options) {
  for (const [, names] of ABOUT.filter(([part]) => part.test(what)))
    for (const name of names) {
      const option = options.findLast(each => each.name === name)
      if (option) return {line: option.line, option: option.written}
    }
  return {line: 1}
}
