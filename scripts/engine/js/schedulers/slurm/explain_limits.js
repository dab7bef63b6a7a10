// Which limits of a partition a refused job breaks, in the guide's words: those of the table, and what its nodes have.
import {data} from "../../data.js"
import {many, timeWords} from "../../script/units.js"
import {broken} from "./all_limits.js"
import {limitsEverywhere, nameOf, rightNumber, useOneName} from "./policy.js"
import {quantities, rulesOf} from "./quantities.js"

/**
 * @typedef {object} Broken
 * @property {string} quantity
 * @property {string} rule the finding's name
 * @property {string[]} options that can be at fault, the likeliest first
 * @property {string} says what is wrong, behind the option
 * @property {string} limit
 * @property {string} path of the fact
 * @property {string} cure
 */

const size = mib => (mib >= 1024 && mib % 1024 === 0 ? `${mib / 1024} GiB` : `${mib} MiB`)
/** Large numbers of MiB as scripts/markdown.py writes them, so that a page and a verdict agree. */
const inLargerUnits = text =>
  text.replace(/\b(\d{4,}) ([MG])iB/g, (_, number, unit) => {
    const gib = number / (unit === "G" ? 1 : 1024)
    return gib >= 1024 ? `${(gib / 1024).toFixed(1)} TiB` : `${+gib.toFixed(1)} GiB`
  })
/** What is asked for and what there is; exactly, where people would read the same. */
function compared(mib, there) {
  const exact = [size(mib), there]
  const short = exact.map(inLargerUnits)
  return short[0] === short[1] ? exact : short
}

/**
 * @param {any} system @param {string} key the partition's @param {any} given the job
 * @param {string} [name] what the words call the partition @returns {Broken[]}
 */
export function brokenLimits(system, key, given, name = `the partition \`${system.why.partitions[key].called}\``) {
  const job = {...given}
  useOneName(system.rules, job)
  const said = quantities(system, job)
  const room = roomOf(system, key, said)
  const needed = {...job, minNodes: job.minNodes ?? neededNodes(system, key, said, room)}
  const all = {...quantities(system, needed), nodes: job.maxNodes ?? 1} // a job that names no nodes has one
  const elsewhere = gpuElsewhere(system, key, all, room, name)
  const ofTable = broken({partitions: system.partitions[key], ...limitsEverywhere(system.rules, needed)}, needed, all)
    .filter(({row, group}) => !elsewhere || !(group === "gpus" || ofGpus(row.quantity)))
    .map(each => inWords(each, inTable(system, key, needed, each, name), !said[each.row.quantity], all.min_nodes))
  const ofNodes = nodeLimits(system, key, job, all, room, name)
    .filter(each => !(elsewhere && ofGpus(each.quantity)))
    .filter(each => !ofTable.some(({quantity}) => quantity === each.quantity))
  return [...(elsewhere ? [elsewhere] : wrongNumbers(system, all)), ...ofTable, ...ofNodes]
}

const ofGpus = quantity => quantity.startsWith("gpus") || quantity === "slices"

/** What the words of a limit call the place and its GPU or QOS, and the fact's path. */
function inTable(system, key, job, each, partition) {
  const name = nameOf(each, system.rules, job)
  if (each.group === "partitions") return {name, where: partition, at: `partitions.${key}`}
  return {name, where: system.name, at: name ? `${each.group}.${name}` : each.group}
}

/** @returns {Broken} */
function inWords({group, key, row, limit, asked}, {name, where, at}, unsaid, needed) {
  const own = data.limit_words[group][key]
  const {unit, options} = data.limit_words.quantities[row.quantity]
  const write = {minute: timeWords, MiB: size}[unit]
  const amount = write ?? (number => many(number, unit))
  const [much, most] = unit === "MiB" ? compared(asked, size(limit)) : [amount(asked), amount(limit)]
  const values = {where, name, needed, limit: write ? most : limit, amount: most, asked: much}
  const filled = text => text.replace(/\{(\w+)\}/g, (_, word) => values[word])
  const words = (unsaid && own.unsaid) || own
  return {
    quantity: row.quantity,
    rule: words.finding,
    options: words === own ? options : ["partition"],
    says: filled(words.says),
    limit: write?.(limit) ?? `${limit}`, // exactly, for those who calculate with it
    path: `${at}.${key}`,
    cure: filled(words.cure),
  }
}

/** The kinds of node of a partition: all, those that can have the GPUs, and what the facts publish of one. */
function roomOf({nodes, partitions, why: facts}, key, {wanted, gpus}) {
  const types = Object.keys(partitions[key].nodes)
  const kinds = new Set(wanted.map(gpu => gpu.kind).filter(Boolean))
  const gpusOf = type => nodes[type].gres.filter(([gres, kind]) => gres === "gpu" && (!kinds.size || kinds.has(kind)))
  const there = types.filter(type => !gpus || gpusOf(type).length)
  return {
    types,
    kinds,
    gpusOf,
    fit: there.length ? there : types,
    published: type => facts.nodes[type.split(" ")[0]] ?? {},
  }
}

/** As many nodes as the partition asks for, and as the cores of the job take. */
function neededNodes({partitions}, key, {cores}, {fit, published}) {
  const {min_nodes: least = 1, max_nodes: most = Infinity} = partitions[key]
  if (least === 1) return undefined
  const each = Math.max(...fit.map(type => published(type).cores)) || Infinity
  return Math.min(Math.max(least, Math.ceil(cores / each)), most)
}

const GPUS = ["gres", "gpus", "gpus-per-node", "gpus-per-task"]

/** @returns {Broken | null} */
function gpuElsewhere({nodes}, key, {gpus}, {types, kinds}, name) {
  const has = types.flatMap(type => nodes[type].gres.filter(([gres]) => gres === "gpu"))
  const known = [...new Set(has.map(([, kind]) => kind).filter(Boolean))].sort()
  const odd = [...kinds].find(kind => !has.some(([, type]) => type === kind))
  const found = {quantity: "gpus", rule: "gpu-elsewhere", options: GPUS, path: `partitions.${key}.node_types`}
  if (!gpus) return null
  if (!has.length) return {...found, says: `requests a GPU, but ${name} has none`, limit: "0", cure: "Remove it"}
  if (!odd) return null
  const names = known.join(", ") || "one model, which has no name"
  const cure = known.length ? "Use one of these names" : "Remove the name"
  return {...found, says: `requests the GPU type \`${odd}\`, but ${name} has ${names}`, limit: known.join(", "), cure}
}

/** GPUs that are given out in fixed numbers only. @returns {Broken[]} */
function wrongNumbers({name, rules, why: facts}, all) {
  return all.wanted
    .map(gpu => ({gpu, counts: rulesOf(rules, gpu).counts}))
    .filter(({gpu, counts}) => counts && !rightNumber(gpu.count, counts, all.min_nodes))
    .map(({counts}) => ({
      quantity: "numbers of gpus",
      rule: "gpus-in-this-number",
      options: [...GPUS, "nodes"],
      says: `requests ${many(all.gpus, "GPU")} on ${many(all.min_nodes, "node")}, but ${name} gives ${Object.values(facts.gpus)[0]}`,
      limit: counts.join(", "),
      path: "gpus",
      cure: "Request one of these numbers",
    }))
}

/** What the nodes of a partition do not have. @returns {Broken[]} */
function nodeLimits({nodes, partitions, rules, why: facts}, key, job, all, {types, fit, gpusOf, published}, name) {
  const found = []
  const {quantities: known} = data.limit_words
  const add = (quantity, rule, says, limit, more = {}) => {
    const usual = {
      options: known[quantity]?.options,
      path: "node_types",
      cure: /memory/.test(quantity) ? "Request less" : "Request fewer",
    }
    found.push({...usual, quantity, rule, says, limit: `${limit}`, ...more})
  }
  const there =
    facts.partitions[key].count ??
    (fit.every(type => published(type).count)
      ? fit.reduce((sum, type) => sum + partitions[key].nodes[type], 0)
      : Infinity)
  if (all.min_nodes > there)
    add("nodes", "nodes-over-partition", `requests ${many(all.min_nodes, "node")}, but ${name} has ${there}`, there)
  const nodesOfJob = job.minNodes ?? Math.max(all.min_nodes, Math.min(partitions[key].max_nodes ?? Infinity, there)) // Slurm chooses
  const gpus = Math.max(all.gpus_per_node, Math.ceil(all.gpus / nodesOfJob))
  const isSlice = kind => rules.gpus?.[kind]?.slice
  const whole = Math.max(0, ...types.flatMap(type => gpusOf(type).map(([, , count]) => count)))
  if (gpus > whole) {
    const says = `requests ${many(gpus, "GPU")} per node, but a node of ${name} has ${whole}`
    const {slices_per_job: slices} = rules.limits
    const offered = types.flatMap(gpusOf)
    const model = offered.find(([, kind, count]) => count === whole && !isSlice(kind))?.[1]
    // More can only be slices, and whether a job can have several may be uncertain.
    if (slices && model && offered.some(([, kind]) => isSlice(kind)))
      add("slices", "slices-over-job", `${says}, and a job can have ${many(slices, "slice")}`, whole, {
        path: "policy.slices_per_job",
        cure: `Request at most ${whole}, such as --gpus-per-node=${model}:${whole}`,
      })
    else add("gpus_per_node", "gpus-over-node", says, whole)
  }
  const threads = type => (job.tasksPerCore ? (nodes[type].threads ?? 1) : 1)
  const cores = fit.map(type => published(type).cores * threads(type))
  const most = Math.max(...cores.map(Number))
  if (cores.every(Boolean) && all.cores_per_node > most) {
    const says = `requests ${many(all.cores_per_node, "core")} per node, but a node of ${name} has ${most}`
    add("cores_per_node", "cores-over-node", says, most)
  }
  const largest = [...fit].sort((one, other) => nodes[other].memory - nodes[one].memory)[0]
  if (fit.every(type => published(type).memory) && all.memory_per_node > nodes[largest].memory) {
    const {memory} = published(largest)
    const [asked, there] = compared(all.memory_per_node, memory)
    const says = `requests ${asked} per node, but a node of ${name} has ${there} for jobs`
    add("memory_per_node", "memory-over-node", says, memory)
  }
  const [disk] = fit.filter(type => published(type).tmp).sort((one, other) => nodes[other].tmp - nodes[one].tmp)
  if (disk && job.tmp > nodes[disk].tmp) {
    const {tmp} = published(disk)
    const [asked, there] = compared(job.tmp, tmp)
    const says = `requests ${asked} of disk per node, but a node of ${name} has ${there}`
    add("tmp", "disk-over-node", says, tmp, {options: ["tmp"], path: `node_types.${disk}.tmp`})
  }
  for (const {name: kind, perNode} of job.gres.filter(gres => gres.name !== "gpu")) {
    const has = fit.map(type => [type, nodes[type].gres.find(([gres]) => gres === kind)?.[2] ?? 0])
    const [type, number] = has.reduce((one, other) => (other[1] > one[1] ? other : one))
    const says = `requests ${perNode} of \`${kind}\` per node, but a node of ${name} has ${number || "none"}`
    const more = {options: ["gres"], path: `node_types.${type}.gres`, ...(number ? {} : {cure: "Remove it"})}
    if (perNode > number) add(kind, "gres-over-node", says, number, more)
  }
  return found
}
