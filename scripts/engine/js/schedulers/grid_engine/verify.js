// What the operator's verifier makes of a job.
import {many} from "../../script/units.js"
import {bytes, gigabytes} from "./values.js"

/** What the verifier makes of the job: {pe, slots, memory, type, gpus}, or nothing if it ends there. */
export function verified(look) {
  const {rules, asked, blame, unclear} = look
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
      if (/^[a-z]+$/i.test(value)) blame(option, "gpus-in-this-number", " is not a whole number.", "Write digits only.")
      else unclear(option)
      return null
    }
    return bundled(look, job, name, number, option) ? job : null
  }
  if (!wholeNodes(look, job)) return null
  job.type ??= rules.node_type
  return job
}

export function memoryOf({facts, blame, unclear}, given) {
  if (!given) return facts.memory
  const size = bytes(given.value ?? "?")
  if (size === null && given.value) unclear(given.option)
  else if (Number.isNaN(size)) {
    const cure = "Write a number and K, M, G or T: h_vmem=4G."
    blame(given.option, "memory-form", ` has \`${given.value}\`, which is not an amount of memory.`, cure)
  }
  return size === null || Number.isNaN(size) ? null : size
}

/** The parallel environment as asked for. */
function parallel(look, job) {
  const {system, facts, last, blame, unclear} = look
  const option = last.get("pe")
  if (!option) return true
  const [name, range] = (option.value ?? "").split(" ")
  if (!range || /^[a-z]/i.test(range)) return false
  const slots = /^(\d{1,9})(?:\.\d+|-(\d{1,9}))?$/.exec(range)
  if (/[^\w.-]/.test(name)) return void unclear(option)
  if (!(name in facts.parallel)) {
    const known = Object.keys(facts.parallel).join(", ")
    const says = ` names no parallel environment of ${system.name}.`
    return void blame(option, "unknown-environment", says, `Write one of ${known}.`)
  }
  if (!slots) return void unclear(option)
  const [low, high] = [Number(slots[1]), Number(slots[2] ?? slots[1])]
  job.pe = name
  job.slots = Math.min(low, high)
  job.most = Math.max(low, high)
  job.option = option
  if (job.slots >= 1) return true
  blame(option, "whole-number", " requests no slot.", "Write -pe smp 4.")
}

/** GPUs bring their part of a node. */
function bundled(look, job, name, number, option) {
  const {system, rules, asked, blame} = look
  const {cores, memory_per_core: memory} = rules.bundles[name]
  const over = asked.get("h_vmem")
  if (rules.max_gpus && number > rules.max_gpus) {
    const says = ` requests ${many(number, "GPU")}, but ${system.name} allows ${rules.max_gpus}.`
    return void blame(option, "gpus-over-partition", says, "Request fewer GPUs.", String(rules.max_gpus), "gpus")
  }
  if (number < 1) return void blame(option, "gpus-in-this-number", " requests no GPU.", `Write -l ${name}=1.`)
  if ((job.most ?? 0) > number * cores) {
    const says = ` requests ${job.most} cores, but ${system.name} gives ${many(cores, "core")} per GPU.`
    const cure = "Remove it, because the cores come with the GPUs."
    return void blame(job.option, "cores-over-gpu", says, cure, String(number * cores), "gpus")
  }
  if (over && job.memory > memory) {
    const says = ` requests more than the ${gigabytes(memory)} per core that come with ${many(number, "GPU")}.`
    const cure = "Remove it, because the memory comes with the GPUs."
    return void blame(over.option, "memory-over-gpu", says, cure, gigabytes(memory), "gpus")
  }
  if (["nodes", "np", "ppn", "tpp", "placement"].some(each => asked.has(each)))
    return void blame(option, "unknown-resource", " cannot be combined with full nodes.", "Keep one of the two.")
  if (!job.pe) Object.assign(job, {pe: "smp", slots: number * cores, memory})
  return true
}

/** `nodes` and `np` ask for whole nodes. */
function wholeNodes(look, job) {
  const {rules, asked, refuse, blame, unclear} = look
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
    const at = (asked.get("ppn") ?? asked.get("tpp")).option
    const what = `\`${option.written}\` requests more than the ${rules.cores} cores of a node.`
    const cure = "Request fewer processes (ppn) or threads (tpp)."
    return void refuse(at, "cores-over-node", what, cure, String(rules.cores), "nodes")
  }
  const nodes = name === "nodes" ? numbers.nodes : Math.ceil(numbers.np / processes)
  if (!nodes) return void blame(option, "no-nodes", " requests no node.", "Write nodes=1, or the number that you need.")
  Object.assign(job, {pe: "whole", slots: nodes * rules.cores, most: nodes * rules.cores, nodes, option})
  return true
}
