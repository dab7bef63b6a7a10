// The resources that a job asks for by -l, and what must be said.
import {nearest} from "../../script/text.js"
import {seconds} from "./values.js"

/** The hard resources by name: {value, option}; what is said last counts. */
export function resources(options) {
  const asked = new Map()
  for (const option of options.filter(({name, value}) => name === "l" && value)) {
    for (const part of option.value.split(",").filter(Boolean)) {
      const at = part.indexOf("=")
      const name = at < 0 ? part : part.slice(0, at)
      asked.set(name, {value: at < 0 ? null : part.slice(at + 1), option})
    }
  }
  return asked
}

/** What must be said, and each resource's name. */
export function lacking(look) {
  const {options, system, facts, rules, sources, asked, refuse, unclear} = look
  const own = new Set(facts.own.split(" "))
  const offered = new Set(Object.values(facts.queues).flatMap(({hosts}) => hosts.flatMap(Object.keys)))
  if (rules.time && !asked.has("h_rt")) {
    const line = Math.max(1, ...options.map(({line}) => line))
    refuse(
      {line},
      "no-time",
      `no time limit is named, and ${system.name} requires one.`,
      "Add -l h_rt=hours:minutes:seconds.",
      null,
      sources.policy,
    )
  }
  for (const [name, {value, option}] of asked) {
    const ours =
      ["h_rt", "h_vmem", "node_type"].includes(name) ||
      offered.has(name) ||
      name in rules.synonyms ||
      name in rules.resources
    if (name === "slots") {
      refuse(option, "slots", `\`${option.written}\`: cores are asked for by -pe.`, "Write -pe smp 4.")
    } else if (!ours && own.has(name)) unclear(option)
    else if (!ours) {
      const near = nearest(name, ["h_rt", "h_vmem", "node_type", ...Object.keys(rules.bundles)])
      refuse(
        option,
        "unknown-resource",
        `\`${name}\`: ${system.name} has no such resource.`,
        near ? `Did you mean ${near}?` : "Take it out.",
        null,
        sources.nodes,
      )
    } else if (value === "" && !(name in rules.resources)) {
      refuse(option, "value-missing", `\`${name}=\` has no value.`, "Write one, or take it out.")
    } else if (value === null && !(name in rules.resources)) unclear(option)
  }
}

/** Is there a queue with the time? */
export function timed(look) {
  const {facts, sources, asked, refuse, unclear} = look
  const time = asked.get("h_rt")
  const minutes = time?.value ? seconds(time.value) : 0
  if (minutes === null) unclear(time.option)
  else if (Number.isNaN(minutes)) {
    refuse(
      time.option,
      "time-form",
      `\`${time.option.written}\`: \`${time.value}\` is no time.`,
      "Write hours, minutes and seconds: h_rt=01:00:00.",
    )
  }
  const queues = Object.entries(facts.queues)
  const longest = queues.reduce((one, other) =>
    (one[1].seconds ?? Infinity) >= (other[1].seconds ?? Infinity) ? one : other,
  )
  if (time && minutes > (longest[1].seconds ?? Infinity)) {
    refuse(
      time.option,
      "time-over-partition",
      `\`${time.option.written}\` is longer than ${longest[0]} allows, ${longest[1].words}.`,
      "Ask for less.",
      longest[1].words,
      sources.time,
    )
  }
}
