// Edits for what the scheduler refuses: by the name of the finding, since no rule found it.
import {offersGpus} from "../schedulers/slurm/policy.js"
import {nearest} from "../script/text.js"
import {clock, hours} from "../script/units.js"

const MOST = 16 // edits that are tried

const several = edits => bench => edits(bench).filter(Boolean).slice(0, MOST)

// The time limits of a system's partitions in minutes, the longest first.
function timeLimits({partitions, grid_engine: grid}) {
  const all = grid
    ? Object.values(grid.queues).map(({seconds}) => seconds / 60)
    : Object.values(partitions).map(each => each.max_time)
  return [...new Set(all.filter(Boolean))].sort((one, other) => other - one)
}

function shorter({system, option, options, value, kind}) {
  if (kind === "grid_engine") {
    const time = minutes => option.value.replace(/h_rt=[^,]*/, `h_rt=${hours(minutes * 60)}`)
    return timeLimits(system).map(minutes => value(time(minutes)))
  }
  const time = options.findLast(({name}) => name === "time")
  if (!/^[\d:-]+$/.test(time?.value ?? "")) return []
  return timeLimits(system).map(minutes => value(clock(minutes * 60), time))
}

const wantsGpu = options =>
  options.some(({name, value}) => /^gpus/.test(name) || (name === "gres" && /\bgpu\b/.test(value ?? "")))

const calledOf = (system, key) => system.why.partitions[key]?.called ?? key
const hasGpu = (system, name) =>
  Object.keys(system.partitions).some(key => calledOf(system, key) === name && offersGpus(system, key))

function knownPartition({finding: {cure}, system, options, value}) {
  const option = options.findLast(({name}) => name === "partition")
  const [, near] = /^Did you mean `([^`]+)`/.exec(cure) ?? []
  return near && (!wantsGpu(options) || hasGpu(system, near)) ? [value(near, option)] : []
}

// The GPU that the name means, or the only one that there is: in the partition, or on the system.
function knownGpu({system, options, value}) {
  if (system.kind !== "slurm") return []
  const typesOf = nodes => [...new Set(nodes.flatMap(({gres}) => gres.map(([, type]) => type)).filter(Boolean))]
  const types = typesOf(Object.values(system.nodes))
  const named = options.findLast(({name}) => name === "partition")?.value
  const [, there] = Object.entries(system.partitions).find(([key]) => calledOf(system, key) === named) ?? []
  const only = there ? typesOf(Object.keys(there.nodes).map(key => system.nodes[key])) : types
  return ["gres", "gpus", "gpus-per-node"].map(name => {
    const option = options.findLast(each => each.name === name)
    const [, gpu, type, number] = /^(gpu:)?(?:([A-Za-z][\w.-]*):)?(\d+)$/.exec(option?.value ?? "") ?? []
    const begin = /^[a-z]*/.exec((type ?? "").toLowerCase())[0]
    const kin = types.filter(each => each.startsWith(begin))
    const near = (type && nearest(type.toLowerCase(), kin)) || (only.length === 1 ? only[0] : null)
    return number && near ? value(`${gpu ?? ""}${near}:${number}`, option) : null
  })
}

const MEANT_TIME = /^\s*#.*(?:--time(?!-)\b|\s-t\b|walltime\b|\bh_rt=)/

/** @type {Record<string, Fix>} */
export const ofRefusals = {
  "time-over-partition": several(shorter),
  "time-over-qos": several(shorter),
  // A time that stands where no scheduler reads it was meant: an hour would replace it.
  "no-time": ({kind, directive, lines}) =>
    lines.some(line => MEANT_TIME.test(line))
      ? null
      : directive(kind === "slurm" ? "--time=01:00:00" : "-l h_rt=01:00:00"),
  "no-partition": several(({system, directive}) =>
    Object.keys(system.partitions).map(name => directive(`--partition=${name}`)),
  ),
  "unknown-partition": several(knownPartition),
  "no-gpu-model": several(knownGpu),
  "gpu-elsewhere": several(knownGpu),
  "unknown-resource"(bench) {
    const wrong = /^`([^`]+)`/.exec(bench.finding.what)?.[1]
    const near = /mean (\w+)/.exec(bench.finding.cure)?.[1]
    return wrong && near ? bench.value(bench.option.value.replace(wrong, () => near)) : null
  },
  "value-form": bench => (bench.option?.name === "j" ? bench.value("y") : null),
  // Where the scheduler's words name no cure, those of what they speak of are tried.
  scheduler(bench) {
    /** @type {[RegExp, string][]} */
    const spoken = [
      [/time/i, "time-over-partition"],
      [/partition/i, "unknown-partition"],
      [/gpu|gres|node configuration/i, "gpu-elsewhere"],
    ]
    const {what} = bench.finding
    const tries = spoken.filter(([words]) => words.test(what)).map(([, name]) => ofRefusals[name](bench) ?? [])
    return /** @type {string[][]} */ (tries.flat())
  },
}
