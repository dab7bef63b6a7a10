// Do any hosts of a queue have what is asked for, and if none do, what is too much?
import {many} from "../../script/units.js"
import {gigabytes} from "./values.js"

/** The hosts of the kind that is asked for. */
const ofType = (job, hosts) => hosts.filter(host => !job.type || host.node_type === job.type)

/** Are there hosts with the rest? */
export function placed(look, job) {
  const {facts, asked, unclear} = look
  const queues = Object.values(facts.queues)
  if (/[^\w.-]/.test(job.type ?? "")) return unclear(asked.get("node_type").option)
  const all = queues.flatMap(({hosts}) => hosts)
  if (!queues.some(({hosts}) => fits(look, job, hosts))) tooMuch(look, job, all)
}

function fits(look, job, hosts) {
  const {facts} = look
  const room = ({slots, h_vmem: memory}) => Math.min(slots, job.memory ? Math.floor(memory / job.memory) : slots)
  const right = ofType(job, hosts)
  const withGpus = right.filter(host => [...job.gpus].every(([name, {number}]) => number <= (host[name] ?? 0)))
  const rule = job.pe ? facts.parallel[job.pe] : "$pe_slots"
  if (!withGpus.length) return false
  if (rule === "$pe_slots") return withGpus.some(host => room(host) >= job.slots)
  if (rule === "$fill_up") return right.reduce((sum, host) => sum + host.count * room(host), 0) >= job.slots
  const whole = right.filter(host => room(host) >= rule).reduce((sum, {count}) => sum + count, 0)
  const least = Math.ceil(job.slots / rule) * rule // whole nodes alone, within the range that is asked for
  return least <= (job.most ?? job.slots) && whole * rule >= least
}

/** Which of the things asked for is too much. */
function tooMuch(look, job, hosts) {
  const {system, facts, rules, asked, refuse, blame} = look
  const right = ofType(job, hosts)
  const largest = name => Math.max(0, ...right.map(host => host[name] ?? 0))
  const type = asked.get("node_type"),
    memory = asked.get("h_vmem")
  const {option} = job
  if (!right.length) {
    const known = [...new Set(hosts.map(host => host.node_type).filter(Boolean))].join(", ")
    const says = ` names no node type of ${system.name}.`
    return blame(type.option, "unknown-node-type", says, `Write one of ${known}.`, known, "nodes")
  }
  if (type && job.gpus.size && !right.some(host => [...job.gpus.keys()].some(name => host[name])))
    return blame(type.option, "gpu-elsewhere", " selects nodes without GPUs.", "Remove the node type.", null, "gpus")
  const whole = facts.parallel[job.pe]
  if (option && Number(whole) && Math.ceil(job.slots / whole) * whole > (job.most ?? job.slots)) {
    const says = ` requests part of a node, but \`${job.pe}\` allocates full nodes with ${whole} cores.`
    return blame(option, "cores-in-this-number", says, `Request ${whole}, or twice as many.`, String(whole), "nodes")
  }
  const slots = largest("slots"),
    least = job.nodes || facts.parallel[job.pe] === "$fill_up" ? 1 : job.slots
  if (option && least > slots) {
    const says = ` requests ${job.slots} cores per node, but a node of ${system.name} has ${slots}.`
    return blame(option, "cores-over-node", says, "Request fewer cores.", String(slots), "nodes")
  }
  const need = job.memory * (job.nodes ? rules.cores : least)
  if (need > largest("h_vmem")) {
    const [size, most] = [need, largest("h_vmem")].map(gigabytes)
    const both = [memory?.option, option].filter(Boolean).map(each => `\`${each.written}\``)
    const what = `${both.join(" with ")} requests ${size} per node, but a node of ${system.name} has ${most} for jobs.`
    return refuse(memory?.option ?? option, "memory-over-node", what, "Request less memory.", most, "nodes")
  }
  const count = right.reduce((sum, host) => sum + host.count, 0)
  const says = ` requests more than the ${many(count, "node")} of this kind on ${system.name}.`
  blame(option, "nodes-over-partition", says, "Request fewer nodes.", String(count), "nodes")
}
