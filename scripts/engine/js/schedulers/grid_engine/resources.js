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
  const {options, system, facts, rules, asked, refuse, blame, unclear} = look
  const own = new Set(facts.own.split(" "))
  const offered = new Set(Object.values(facts.queues).flatMap(({hosts}) => hosts.flatMap(Object.keys)))
  if (rules.time && !asked.has("h_rt")) {
    const line = Math.max(1, ...options.map(({line}) => line))
    const what = `the script sets no time limit, but ${system.name} requires one.`
    refuse({line}, "no-time", what, "Add -l h_rt=hours:minutes:seconds.", null, "policy")
  }
  for (const [name, {value, option}] of asked) {
    const ours =
      ["h_rt", "h_vmem", "node_type"].includes(name) ||
      offered.has(name) ||
      name in rules.synonyms ||
      name in rules.resources
    if (name === "slots") {
      blame(option, "slots", " cannot request cores.", "Write -pe smp 4.")
    } else if (!ours && own.has(name)) unclear(option)
    else if (!ours) {
      const near = nearest(name, ["h_rt", "h_vmem", "node_type", ...Object.keys(rules.bundles)])
      const cure = near ? `Did you mean ${near}?` : "Remove it."
      refuse(option, "unknown-resource", `${system.name} has no resource \`${name}\`.`, cure, null, "nodes")
    } else if (value === "" && !(name in rules.resources)) {
      refuse(option, "value-missing", `\`${name}=\` has no value.`, "Write a value, or remove the resource.")
    } else if (value === null && !(name in rules.resources)) unclear(option)
  }
}

/** Is there a queue with the time? */
export function timed(look) {
  const {facts, asked, blame, unclear} = look
  const time = asked.get("h_rt")
  const limit = time?.value ? seconds(time.value) : 0
  if (limit === null) unclear(time.option)
  else if (Number.isNaN(limit)) {
    const cure = "Write hours, minutes and seconds: h_rt=01:00:00."
    blame(time.option, "time-form", ` has \`${time.value}\`, which is not a time.`, cure)
  }
  const most = ([, queue]) => queue.seconds ?? Infinity
  const longest = Object.entries(facts.queues).reduce((one, other) => (most(one) >= most(other) ? one : other))
  const [name, {words}] = longest
  if (time && limit > most(longest))
    blame(
      time.option,
      "time-over-partition",
      ` is longer than ${name} allows, ${words}.`,
      "Request less time.",
      words,
      "time",
    )
}
