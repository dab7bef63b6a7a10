// Why a job is refused, in the words of `guide check`: the option, the limit that it breaks, who
// says so, and the way out. What no limit of the facts explains is told in the scheduler's words.
import {nearest} from "../../script/text.js"
import {many} from "../../script/units.js"
import {slurm} from "./decide.js"
import {GRES_WRONG} from "./gres.js"
import {lacking, near} from "./lacking.js"
import {limitsOf, memoryOf, places, rightNumber, sizes} from "./policy.js"

const GPUS = ["gres", "gpus", "gpus-per-node", "gpus-per-task"]
const TASKS = ["ntasks", "ntasks-per-node"]
const CORES = ["cpus-per-task", "cpus-per-gpu", "mincpus", ...TASKS]
const MEMORY = ["mem", "mem-per-cpu", "mem-per-gpu"]
const JOINT = [...CORES, "nodes", "mem-per-cpu", "mem-per-gpu"]
const size = mib => (mib >= 1024 && mib % 1024 === 0 ? `${mib / 1024} GiB` : `${mib} MiB`)

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
  const without = ({name}) =>
    slurm(
      system,
      options.filter(each => each.name !== name),
    )
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
  const two = places(system, job, sizes(job)).some(key =>
    Object.keys(system.partitions[key]?.nodes ?? {}).some(type => system.nodes[type].threads > 1),
  )
  return option && two
    ? [
        {
          line: option.line,
          kind: "doubtful",
          rule: "cores-with-threads",
          option: option.written,
          what: `${option.written}: the Slurm that judges here cannot place this where a core has two threads; ${system.name} itself may.`,
          cure: "Ask for the cores by --cpus-per-task.",
        },
      ]
    : null
}

const namesOf = facts => [...new Set(Object.values(facts.partitions).map(each => each.called))]

/** @returns {Finding} */
const plain = ({name}, {line, option, what}) => ({
  line,
  kind: "refused",
  what: `${option ? `${option}: ` : ""}${name} says: ${what.replace(/[.:]$/, "")}.`,
  cure: "",
  rule: "scheduler",
  option,
})

/** @param {Refusal} refused @param {Option} option @returns {Finding} */
function unknownOption({line, what}, {name, written}) {
  if (!written.startsWith("--"))
    return {line, kind: "refused", what: `${what}.`, cure: "", rule: "unknown-option", option: written}
  const close = near(name)
  return {
    line,
    kind: "refused",
    what: `\`${written}\`: sbatch has no option --${name}.`,
    rule: "unknown-option",
    cure: close ? `Did you mean \`--${close}\`?` : "Look it up: man sbatch",
    option: written,
  }
}

// What the cluster requires and the job does not say.
function lacks({name, rules, why: facts}, options, found) {
  const noun = found === "time" ? "time limit" : found,
    unless = facts.unless[found],
    what = rules[found]
  const own = /^An? .* is required$/.test(what) ? "" : ` (it says: ${what.replace(/[:.]+$/, "")})`
  const names = namesOf(facts)
  return told(
    facts,
    `policy.${found}`,
    {
      line: Math.max(1, ...options.map(option => option.line)),
      rule: `no-${found}`,
      what: `no ${noun} is named, and ${name} requires one${unless ? ` unless ${unless}` : ""}${own}`,
      cure: {
        account: `Add one of yours, such as --account=${facts.account}.`,
        time: "Add --time=.",
        partition: `Add --partition=, one of: ${names.join(", ")}.`,
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
  return [
    told(facts, "partitions", {
      line: at?.line ?? line,
      option: at?.written ?? option,
      rule: "unknown-partition",
      what: `${at?.written ?? option}: ${name} has no partition \`${wanted}\``,
      cure: facts.leave_out
        ? "Leave the partition out."
        : near
          ? `Did you mean \`${near}\`?`
          : `Known here: ${names.join(", ")}.`,
    }),
  ]
}

/** @param {System} system @param {Refusal} refused @param {Option} [at] */
function model({name, rules, why: facts}, {what, line, option}, at) {
  if (what !== rules.gpu_model || !at) return null
  return [
    told(facts, "policy.gpu_model", {
      line,
      option,
      rule: "no-gpu-model",
      cure: `Name one: ${facts.requests.join(" or ")}.`,
      what: `${option} names no GPU model, and ${name} requires one`,
    }),
  ]
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
    what: `${found.what}${doubt ? `, if that is so: ${doubt}` : ""}.`,
    source: facts.sources[path.split(".")[0]],
  }
}

// The limits that the job breaks where it would go, each on the option that is at fault.
function limits(system, options, job) {
  const all = sizes(job),
    rooms = byFaults(system, job, placesOf(system, job)),
    [key] = rooms
  if (!key) return null
  const open = rooms.length > 1 && !options.some(each => each.name === "partition")
  const found = broken(system, key, job, all, open ? system.name : undefined).flatMap(limit => {
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
      ? `${option.written} with ${with_.map(each => `${each.written} (line ${each.line})`).join(" and ")}`
      : option.written
    const cure = limit.cure ?? "Ask for less"
    return told(system.why, limit.path, {
      line: option.line,
      option: option.written,
      rule: limit.rule,
      limit: limit.limit,
      what: `${subject} ${limit.says}`,
      cure: elsewhere.length ? `${cure}, or use ${elsewhere.slice(0, 2).join(" or ")}.` : `${cure}.`,
    })
  })
}

export const placesOf = (system, job) =>
  places(system, job, sizes(job)).filter(key => Object.hasOwn(system.partitions, key))

// Partitions, first those of whose limits a job breaks the fewest; of several the one with the longest time.
export function byFaults(system, job, keys) {
  const all = sizes(job),
    {partitions} = system
  const faults = Object.fromEntries(keys.map(key => [key, broken(system, key, job, all).length]))
  return [...keys].sort(
    (one, other) => faults[one] - faults[other] || partitions[other].max_time - partitions[one].max_time,
  )
}

// Partitions open to everybody that take such a job; if there are any with its nodes, only those.
function others(system, key, job, all) {
  const {
    nodes,
    partitions,
    why: {partitions: facts, leave_out: none},
  } = system
  if (none) return []
  const types = Object.keys(partitions[key].nodes)
  // A job without GPUs is not sent from nodes without any to those that have some.
  const cpu = type => nodes[type].gres.every(([gres]) => gres !== "gpu"),
    stays = types.every(cpu) && !all.gpus
  const takes = name =>
    places(system, {...job, partition: name}, all).every(
      name => facts[name].called !== facts[key].called && !broken(system, name, job, all).length,
    )
  const found = Object.keys(partitions).filter(
    name =>
      facts[name].called !== facts[key].called &&
      !facts[name].closed &&
      (!stays || Object.keys(partitions[name].nodes).some(cpu)) &&
      takes(name),
  )
  const near = found.filter(name => types.some(type => partitions[name].nodes[type]))
  return [...new Set((near.length ? near : found).map(name => facts[name].called))]
}

// The limits of one partition that the job breaks.
function broken(system, key, job, all, called) {
  const {nodes, partitions, why: facts} = system,
    at = `partitions.${key}`
  const slurm = partitions[key],
    own = limitsOf(system, job, key),
    said = facts.partitions[key]
  const name = called ?? said.called,
    found = []
  const types = Object.keys(slurm.nodes),
    published = type => facts.nodes[type.split(" ")[0]] ?? {}
  const kinds = new Set(all.wanted.map(gpu => gpu.kind).filter(Boolean))
  const gpusOf = type => nodes[type].gres.filter(([gres, kind]) => gres === "gpu" && (!kinds.size || kinds.has(kind)))
  const there = types.filter(type => (all.gpus ? gpusOf(type).length : true)),
    fit = there.length ? there : types
  const add = (rule, options, says, limit, path, cure) =>
    found.push({rule, options, says, limit: `${limit}`, path, cure})
  // A job that names no nodes has one; what else is told of it is told of as many as it needs here.
  const unsaid = job.minNodes === undefined && own.min_nodes > 1
  if (unsaid) job = {...job, minNodes: enough()}
  const wanted = job.minNodes ?? 1,
    most = job.maxNodes ?? wanted
  if (unsaid)
    add(
      "no-nodes",
      ["partition"],
      `takes jobs of ${many(own.min_nodes, "node")} or more, and without --nodes this is one`,
      own.min_nodes,
      `${at}.min_nodes`,
      `Add --nodes=${wanted}`,
    )
  if (job.time > slurm.max_time)
    add(
      "time-over-partition",
      ["time"],
      `is longer than ${name} allows, ${said.longest}`,
      said.longest,
      `${at}.max_time`,
    )
  if (all.gpus > 1 && job.time > own.max_time_several_gpus)
    add(
      "time-over-partition",
      ["time"],
      `is longer than ${name} allows with several GPUs, ${said.several}`,
      said.several,
      `${at}.max_time_several_gpus`,
    )
  if (job.time < own.min_time)
    add(
      "time-under-partition",
      ["time"],
      `is shorter than ${name} takes, ${said.shortest}`,
      said.shortest,
      `${at}.min_time`,
      "Ask for more",
    )
  const nodesThere =
    said.count ??
    (fit.every(type => published(type).count) ? fit.reduce((sum, type) => sum + slurm.nodes[type], 0) : Infinity)
  if (wanted > own.max_nodes)
    add(
      "nodes-over-partition",
      ["nodes"],
      `asks for ${many(wanted, "node")}; ${name} allows ${own.max_nodes}`,
      own.max_nodes,
      `${at}.max_nodes`,
    )
  else if (wanted > nodesThere)
    add(
      "nodes-over-partition",
      ["nodes"],
      `asks for ${many(wanted, "node")}; ${name} has ${nodesThere}`,
      nodesThere,
      "node_types",
    )
  if (most < own.min_nodes)
    add(
      "nodes-under-partition",
      ["nodes"],
      `asks for ${many(most, "node")}; ${name} takes jobs of ${own.min_nodes} or more`,
      own.min_nodes,
      `${at}.min_nodes`,
      "Ask for more",
    )
  gpus()
  cores()
  memory()
  disk()
  if (own.exclusive_refused && job.shared === "none")
    add(
      "no-whole-nodes",
      ["exclusive"],
      `asks for whole nodes; ${name} gives none`,
      "part of a node",
      `${at}.exclusive_refused`,
      "Leave it out",
    )
  const queue = [
    [own.max_jobs, `${at}.max_jobs`],
    [system.rules.max_queued_jobs, "policy.max_queued_jobs"],
  ].find(([allowed]) => all.jobs > allowed)
  if (queue)
    add("jobs-over-queue", ["array"], `is ${all.jobs} jobs; you can have ${queue[0]} in the queue`, queue[0], queue[1])
  return found

  function enough() {
    const cores = Math.max(...fit.map(type => published(type).cores)) || Infinity
    return Math.min(Math.max(own.min_nodes, Math.ceil(all.cores / cores)), own.max_nodes ?? Infinity)
  }

  function gpus() {
    if (!all.gpus) {
      const least = own.min_gpus ?? 1
      if (own.gpu_required || own.min_gpus)
        add(
          "no-gpu",
          ["partition"],
          `takes jobs with ${many(least, "GPU")} or more`,
          least,
          `${at}.gpu_required`,
          "Ask for a GPU",
        )
      return
    }
    const has = types.flatMap(type => nodes[type].gres.filter(([gres]) => gres === "gpu"))
    const known = [...new Set(has.map(([, kind]) => kind).filter(Boolean))].sort()
    const odd = [...kinds].find(kind => !has.some(([, type]) => type === kind))
    if (!has.length)
      return add("gpu-elsewhere", GPUS, `asks for a GPU; ${name} has none`, 0, `${at}.node_types`, "Leave it out")
    if (odd) {
      const names = known.join(", ") || "one kind, which has no name"
      return add(
        "gpu-elsewhere",
        GPUS,
        `asks for a GPU \`${odd}\`; ${name} has ${names}`,
        known.join(", "),
        `${at}.node_types`,
        known.length ? "Name one of these" : "Leave the name out",
      )
    }
    for (const [gpu, {counts, max_cores: each, max_memory: most}] of Object.entries(system.rules.gpus)) {
      const asked = all.wanted.find(one => one.kind === gpu || (!one.kind && system.rules.only_gpu === gpu))
      if (counts && asked && !rightNumber(asked.count, counts, wanted))
        add(
          "gpus-in-this-number",
          [...GPUS, "nodes"],
          `asks for ${many(all.gpus, "GPU")} on ${many(wanted, "node")}; ${system.name} gives ${Object.values(facts.gpus)[0]}`,
          counts.join(", "),
          "gpus",
          "Ask for such a number",
        )
      if (asked && all.cores > each * all.gpus)
        add(
          "cores-over-gpu",
          CORES,
          `asks for ${many(all.cores, "core")}; ${system.name} allows ${each} with each \`${gpu}\``,
          each,
          `gpus.${gpu}.max_cores`,
        )
      const memory = memoryOf(job, all.gpus)
      if (asked && memory > most * all.gpus)
        add(
          "memory-over-gpu",
          MEMORY,
          `asks for ${size(memory)}; ${system.name} allows ${size(most)} with each \`${gpu}\``,
          size(most),
          `gpus.${gpu}.max_memory`,
        )
    }
    const slices = all.wanted
      .filter(({kind}) => system.rules.gpus[kind]?.slice)
      .reduce((sum, gpu) => sum + gpu.count, 0)
    const allowed = system.rules.slices_per_job
    if (slices > allowed)
      add(
        "slices-over-job",
        GPUS,
        `asks for ${many(slices, "slice")} of a GPU; ${system.name} allows ${allowed} in a job`,
        allowed,
        "policy.slices_per_job",
      )
    if (all.gpus > own.max_gpus)
      add(
        "gpus-over-partition",
        [...GPUS, "nodes"],
        `asks for ${many(all.gpus, "GPU")}; ${name} allows ${own.max_gpus}`,
        own.max_gpus,
        `${at}.max_gpus`,
      )
    if (all.gpus < own.min_gpus)
      add(
        "gpus-under-partition",
        GPUS,
        `asks for ${many(all.gpus, "GPU")}; ${name} takes jobs of ${own.min_gpus} or more`,
        own.min_gpus,
        `${at}.min_gpus`,
        "Ask for more",
      )
    const onNode = Math.max(all.gpusPerNode, Math.ceil(all.gpus / wanted) || 0)
    const whole = Math.max(0, ...types.flatMap(type => gpusOf(type).map(([, , count]) => count)))
    const node = own.max_gpus_per_node ?? whole,
      has_ = own.max_gpus_per_node ? `${name} allows` : `a node of ${name} has`
    if (onNode > node)
      add(
        "gpus-over-node",
        [...GPUS, "nodes"],
        `asks for ${many(onNode, "GPU")} on one node; ${has_} ${node}`,
        node,
        "node_types",
      )
  }

  function cores() {
    const each = job.cpusPerTask ?? 1,
      asked = Math.max(all.cores, job.minCpus ?? 1)
    const onNode = Math.max(Math.ceil(asked / wanted), each, (job.tasksPerNode ?? 1) * each)
    if (asked > own.max_cores)
      add(
        "cores-over-partition",
        CORES,
        `asks for ${many(asked, "core")}; ${name} allows ${own.max_cores}`,
        own.max_cores,
        `${at}.max_cores`,
      )
    if (asked < own.min_cores)
      add(
        "cores-under-partition",
        CORES,
        `asks for ${many(asked, "core")}; ${name} takes jobs of ${own.min_cores} or more`,
        own.min_cores,
        `${at}.min_cores`,
        "Ask for more",
      )
    if (onNode > slurm.max_cpus)
      add(
        "cores-over-node",
        CORES,
        `asks for ${many(onNode, "core")} on one node; ${name} allows ${slurm.max_cpus}`,
        slurm.max_cpus,
        `${at}.max_cores_per_node`,
      )
    const known = fit.map(type => published(type).cores),
      largest = Math.max(...known.map(Number))
    if (known.every(Boolean) && onNode > largest)
      add(
        "cores-over-node",
        CORES,
        `asks for ${many(onNode, "core")} on one node; a node of ${name} has ${largest}`,
        largest,
        "node_types",
      )
  }

  function memory() {
    const perNode = Math.ceil((job.minCpus ?? 1) / wanted),
      gpusHere = Math.max(all.gpusPerNode, 1)
    const asked = job.memPerGpu
      ? job.memPerGpu * gpusHere
      : (job.memorySaid === false ? 0 : (job.memory ?? 0)) * (job.perCpu ? perNode : 1)
    const known = fit.map(type => published(type).memory),
      largest = Math.max(...fit.map(type => nodes[type].memory))
    if (asked > slurm.max_memory)
      add(
        "memory-over-node",
        [...MEMORY, ...CORES],
        `asks for ${size(asked)} on one node; ${name} allows ${said.memory}`,
        said.memory,
        `${at}.max_memory_per_node`,
      )
    else if (known.every(Boolean) && asked > largest) {
      const most = known[fit.findIndex(type => nodes[type].memory === largest)]
      add(
        "memory-over-node",
        [...MEMORY, ...CORES],
        `asks for ${size(asked)} on one node; a node of ${name} has ${most} for jobs`,
        most,
        "node_types",
      )
    }
  }

  function disk() {
    const [type] = fit.filter(type => published(type).tmp).sort((one, other) => nodes[other].tmp - nodes[one].tmp)
    if (type && job.tmp > nodes[type].tmp) {
      const {tmp} = published(type)
      add(
        "disk-over-node",
        ["tmp"],
        `asks for ${size(job.tmp)} of disk on a node; a node of ${name} has ${tmp}`,
        tmp,
        `node_types.${type}.tmp`,
      )
    }
    for (const {name: kind, perNode} of job.gres.filter(gres => gres.name !== "gpu")) {
      const has = fit.map(type => [type, nodes[type].gres.find(([gres]) => gres === kind)?.[2] ?? 0])
      const [most, number] = has.reduce((one, other) => (other[1] > one[1] ? other : one))
      if (perNode > number)
        add(
          "gres-over-node",
          ["gres"],
          `asks for ${perNode} of \`${kind}\` on a node; a node of ${name} has ${number || "none"}`,
          number,
          `node_types.${most}.gres`,
          number ? undefined : "Leave it out",
        )
    }
  }
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
    [
      "gres",
      "gpus",
      "gpus-per-node",
      "gpus-per-task",
      "nodes",
      "cpus-per-task",
      "ntasks",
      "ntasks-per-node",
      "mem",
      "mem-per-cpu",
      "mem-per-gpu",
      "constraint",
      "cpus-per-gpu",
      "tmp",
    ],
  ],
]

/** The option that a refusal is likely to be about. */
export function suspect(what, options) {
  for (const [, names] of ABOUT.filter(([words]) => words.test(what)))
    for (const name of names) {
      const option = options.findLast(each => each.name === name)
      if (option) return {line: option.line, option: option.written}
    }
  return {line: 1}
}
