// What the operator's verifier makes of a job.
import {many} from "../../script/units.js"
import {bytes, gigabytes} from "./values.js"

/** What the verifier makes of the job: {pe, slots, memory, type, gpus}, or nothing if it ends there. */
export function verified(look) {
  const {rules, asked, refuse, unclear} = look
  const gpus = new Map()
  for (const [name, {value, option}] of asked) {
    const real = rules.synonyms[name] ?? name
    if (rules.bundles[real] && value) gpus.set(real, {value, option, number: Number(value)})
  }
  const memory = memoryOf(look, asked.get("h_vmem"))
  const job = {pe: null, slots: 1, memory, type: asked.get("node_type")?.value ?? null, gpus}
  const whole = !gpus.size && (asked.has("nodes") || asked.has("np")) // writes over what -pe says
  if (memory === null || (!whole && !parallel(look, job))) return null
  for (const [name, {value, option, number}] of gpus) {
    if (!/^-?\d{1,9}$/.test(value)) {
      if (/^[a-z]+$/i.test(value)) {
        const what = `\`${option.written}\`: this must be a whole number.`
        refuse(option, "gpus-in-this-number", what, "Write digits only.")
      } else unclear(option)
      return null
    }
    return bundled(look, job, name, number, option) ? job : null
  }
  if (!wholeNodes(look, job)) return null
  job.type ??= rules.node_type
  return job
}

export function memoryOf(look, given) {
  const {facts, refuse, unclear} = look
  if (!given) return facts.memory
  const size = bytes(given.value ?? "?")
  if (size === null && given.value) unclear(given.option)
  else if (Number.isNaN(size)) {
    refuse(
      given.option,
      "memory-form",
      `\`${given.option.written}\`: \`${given.value}\` is no memory.`,
      "Write a number and K, M, G or T: h_vmem=4G.",
    )
  }
  return size === null || Number.isNaN(size) ? null : size
}

/** The parallel environment as asked for. */
function parallel(look, job) {
  const {system, facts, last, refuse, unclear} = look
  const option = last.get("pe")
  if (!option) return true
  const [name, range] = (option.value ?? "").split(" ")
  if (!range || /^[a-z]/i.test(range)) return false
  const slots = /^(\d{1,9})(?:\.\d+|-(\d{1,9}))?$/.exec(range)
  if (/[^\w.-]/.test(name)) return void unclear(option)
  if (!(name in facts.parallel)) {
    refuse(
      option,
      "unknown-environment",
      `\`${option.written}\`: ${system.name} has no parallel environment \`${name}\`.`,
      `Write one of ${Object.keys(facts.parallel).join(", ")}.`,
    )
    return false
  }
  if (!slots) return void unclear(option)
  const [low, high] = [Number(slots[1]), Number(slots[2] ?? slots[1])]
  job.pe = name
  job.slots = Math.min(low, high)
  job.most = Math.max(low, high)
  job.option = option
  if (job.slots < 1) {
    refuse(option, "whole-number", `\`${option.written}\`: at least one slot is asked for.`, "Write -pe smp 4.")
    return false
  }
  return true
}

/** GPUs bring their part of a node. */
function bundled(look, job, name, number, option) {
  const {system, rules, sources, asked, refuse} = look
  const {cores, memory_per_core: memory} = rules.bundles[name]
  const brings = `${system.name} gives ${many(cores, "core")} with each GPU`
  const over = asked.get("h_vmem")
  if (rules.max_gpus && number > rules.max_gpus) {
    refuse(
      option,
      "gpus-over-partition",
      `\`${option.written}\` asks for ${many(number, "GPU")}; ${system.name} allows ${rules.max_gpus}.`,
      "Ask for less.",
      String(rules.max_gpus),
      sources.gpus,
    )
  } else if (number < 1) {
    refuse(option, "gpus-in-this-number", `\`${option.written}\` asks for no GPU.`, `Write -l ${name}=1.`)
  } else if ((job.most ?? 0) > number * cores) {
    refuse(
      job.option,
      "cores-over-gpu",
      `\`${job.option.written}\` asks for ${job.most} cores; ${brings}.`,
      "Leave it out: the request for GPUs brings the cores.",
      String(number * cores),
      sources.gpus,
    )
  } else if (over && job.memory > memory) {
    refuse(
      over.option,
      "memory-over-gpu",
      `\`${over.option.written}\`: ${many(number, "GPU")} bring${number === 1 ? "s" : ""} ${gigabytes(memory)} for each core.`,
      "Leave it out: the request for GPUs brings the memory.",
      gigabytes(memory),
      sources.gpus,
    )
  } else if (["nodes", "np", "ppn", "tpp", "placement"].some(each => asked.has(each))) {
    refuse(
      option,
      "unknown-resource",
      `\`${option.written}\`: whole nodes are not given with GPUs by name.`,
      "Keep one of the two.",
    )
  } else {
    if (!job.pe) Object.assign(job, {pe: "smp", slots: number * cores, memory})
    return true
  }
  return false
}

/** `nodes` and `np` ask for whole nodes. */
function wholeNodes(look, job) {
  const {rules, sources, asked, refuse, unclear} = look
  const name = ["nodes", "np"].find(each => asked.has(each))
  if (!name) return true
  const numbers = {}
  for (const each of ["nodes", "np", "ppn", "tpp"]) {
    const {value, option} = asked.get(each) ?? {value: "0"}
    if (!/^\d{1,9}$/.test(value ?? "")) return void unclear(option)
    numbers[each] = Number(value)
  }
  const {option} = asked.get(name),
    threads = numbers.tpp || 1
  const processes = numbers.ppn || Math.floor(rules.cores / threads)
  if (!processes || processes * threads > rules.cores) {
    refuse(
      (asked.get("ppn") ?? asked.get("tpp")).option,
      "cores-over-node",
      `\`${option.written}\`: a node has ${rules.cores} cores.`,
      "Ask for fewer processes (ppn) or threads (tpp).",
      String(rules.cores),
      sources.nodes,
    )
    return false
  }
  const nodes = name === "nodes" ? numbers.nodes : Math.ceil(numbers.np / processes)
  if (!nodes) {
    refuse(option, "no-nodes", `\`${option.written}\` asks for no node.`, "Write nodes=1, or how many you need.")
    return false
  }
  Object.assign(job, {pe: "whole", slots: nodes * rules.cores, most: nodes * rules.cores, nodes, option})
  return true
}
