// The memory of a job there: its GPUs' share, its part of a node, or what its script needs.
import {amount, entryOf, optionValue, startedBy} from "../advice/runs.js"
import {expander} from "../script/variables.js"
import {gib, hadOnANode} from "./amounts.js"
import {nodesOf, oldNode, partOf, usualMemory, wholeNode} from "./nodes.js"
import * as place from "./place.js"

export function shareOf({per, slice}, limited = false) {
  if (limited) return `the maximum for ${per > 1 ? `${per} GPUs` : slice ? "the slice" : "one GPU"}`
  return per > 1 ? `the share of ${per} GPUs` : `${slice ? "the slice" : "one GPU"}'s share`
}
export const moreThanShare = (need, asked, share) => share && asked > share * need.perNode

export function giveMemory(from, to, need, plan, share) {
  plan.memory = plan.spread ? partOf(need, plan.tasksPerNode) : need.memory
  if (plan.total && need.memory && (plan.nodes !== need.nodes || need.memoryOfCores)) {
    plan.memory = Math.ceil((need.memory * need.nodes) / plan.nodes)
    plan.notes.memory = "The processes have the same total memory on the new nodes."
  }
  const usual = usualMemory(to.move)
  const large = need.memory > usualMemory(from.move) // than the usual nodes had
  if (!plan.key && !large && plan.memory > usual && plan.memory * 0.97 <= usual) {
    plan.memory = usual // with a little more, the job waits for the few larger nodes
    plan.notes.memory = `The usual nodes of ${to.name} have ${gib(usual)} of memory.`
  }
  if (!share?.memory) return
  const part = Math.floor(share.memory * plan.per)
  const limited = share.limited("memory")
  const before = need.memory ?? (need.implied ? (need.share?.memory ?? 0) * need.perNode : 0)
  if (moreThanShare(need, (need.memory ?? 0) * 0.99, need.share?.memory) && need.memory > part)
    plan.notes.memory = "The job requests more memory than a GPU's share, as before."
  else {
    plan.memory = part
    plan.notes.memory = `The requested memory is ${shareOf(plan, limited)} on ${to.name}.`
    const [had, has] = [before * need.nodes, part * plan.nodes]
    if (had * (limited ? 1 : 0.9) <= has) return
    const all = {...plan, per: plan.per * plan.nodes}
    const kept = {...plan, memory: Math.ceil(had / plan.nodes)}
    const free = /^(optional|required)$/.test(to.move.memory.gpu)
    const keeps = free && to.move.partitions.some(room => !room.trial && place.takes(to.move, room, kept))
    if (keeps) {
      plan.memory = kept.memory
      plan.notes.memory = "The job keeps its memory."
    }
    const more = free && !limited ? "with --mem" : "GPUs"
    const now = `now has ${gib(has)}, ${shareOf(all, limited)}. If it needs more, request more ${more}.`
    const same = `keeps it, but ${shareOf(all)} on ${to.name} is ${gib(has)}. A request for more than this share may cost more, so request less if the program needs less.`
    plan.impossible.push(`The job had ${gib(had)} of memory and ${keeps ? same : now}`)
  }
}

/** The memory of a job that names none: the part of a node that its cores are. */
export function giveMemoryOfCores(there, plan) {
  const nodes = plan.room.nodes.map(name => there.nodes[name]).filter(node => node.cores >= plan.cores && node.memory)
  if (!nodes.length) return
  const part = Math.min(...nodes.map(node => Math.floor((node.memory / node.cores) * plan.cores)))
  plan.memory = Math.min(part, place.limitOn(there, plan.room, plan, "memory").value)
  plan.notes.memory = "The requested memory is proportional to the number of cores."
}

/** The most MiB that a job with its cores has on a node of its partition. */
const mostOn = (there, plan) =>
  Math.min(
    place.limitOn(there, plan.room, plan, "memory").value,
    Math.max(
      0,
      ...plan.room.nodes
        .map(name => there.nodes[name])
        .filter(node => (node.cores ?? Infinity) >= plan.cores)
        .map(node => node.memory ?? 0),
    ),
  )

/** A job that had all cores of a node, and named no memory, had the node's. */
export function keepMemory(from, there, need, plan) {
  const room = from.move.partitions.find(({name}) => name === need.partition)
  const old = oldNode(from, need)
  if (from.kind !== "slurm" || !room || room.perCore || plan.key || !old.cores) return
  if (need.perTask * need.tasksPerNode < old.cores) {
    if (wholeNode(from, {room}, false) && plan.memory < old.memory * 0.9)
      plan.impossible.push(
        `The job had a node of ${from.name} to itself, with ${gib(old.memory)} of memory, but now has ${gib(plan.memory)} per node. If it needs more, raise --mem.`,
      )
    return
  }
  const spread = plan.nodes > need.nodes // then each has a part of what the old nodes had
  const had = spread ? Math.ceil(((old.memory ?? 0) * need.nodes) / plan.nodes) : (old.memory ?? 0)
  const most = Math.min(mostOn(there, plan), had)
  if (most <= plan.memory) return
  plan.memory = most
  plan.notes.memory = spread
    ? `The job had ${nodesOf(need.nodes)} of ${from.name} with ${gib(old.memory)} of memory each.`
    : hadOnANode(from, old.memory)
}

/** The processes of full nodes, whose memory nothing names, have less each: a sentence, or none. */
export function lessEach(from, to, need, plan) {
  const old = oldNode(from, need)
  const filled = need.perTask * need.tasksPerNode > 0.9 * old.cores
  if (plan.key || need.memory || !old.memory || !filled || !(plan.tasksPerNode > 1)) return []
  const node = plan.memory ?? Math.min(...plan.room.nodes.map(name => to.move.nodes[name].memory ?? Infinity))
  const [had, has] = [old.memory / need.tasksPerNode, node / plan.tasksPerNode]
  if (has > 0.9 * had) return []
  const each = mib => `${Number((mib / 1024).toPrecision(2))} GiB`
  return [
    `Each process had ${each(had)} of memory on ${from.name}, but has ${each(has)} on ${to.name}. If it needs more, request more nodes, with fewer processes on each.`,
  ]
}

/** What the script lets a program use is no more than the job has, or it is said. */
export function keepTold(there, need, plan, wanted) {
  if (!need.told || plan.memory === null) return
  if (plan.memory < wanted && wanted <= mostOn(there, plan)) {
    plan.memory = wanted
    plan.notes.memory = `The script has \`${need.told.written}\`.`
  } else if (plan.memory < need.told.mib && (need.memory ?? Infinity) >= need.told.mib)
    plan.impossible.push(
      need.told.written.startsWith("#")
        ? `The script says \`${need.told.written}\`, but a node now has ${gib(plan.memory)} for this job.`
        : `Change \`${need.told.written}\`, because a node now has ${gib(plan.memory)} for this job.`,
    )
}

// How much memory an option gives, besides those of the table of programs: [pattern, the unit where none is written].
/** @type {[RegExp, string][]} */
const MEMORY = [
  [/(?<![\w-])-Xmx(\d+[kmgt]?)(?!\w)/gi, "B"],
  [/(?<![\w-])--res(?:ources)?[= ](?:[^\s-]\S* )?["']?mem_mb=(\d+)/g, "MiB"],
  [
    /(?:%mem|GAUSS_MDEF|--max[-_]?mem(?:ory)?|--mem(?:ory)?[-_](?:limit|max)|\bMAX_?MEM(?:ORY)?|\bMEM(?:ORY)?_(?:LIMIT|MAX))[= ]["']?(\d+[kmgt])/gi,
    "MiB",
  ],
  [/(?:--(?:driver|executor)-memory[= ]|\bspark\.(?:driver|executor)\.memory=)(\d+[kmgt])(?!\w)/gi, "MiB"],
]
// A comment tells of the memory that a program needs; not of a GPU's, a disk's or a process's.
const NEEDS =
  /^[ \t]*#(?![!$]|SBATCH)(?=.*\b(?:memory|RAM)\b)(?=.*\b(?:needs?|uses?|takes?|peaks?|requires?)\b)(?!.*\b(?:GPUs?|VRAM|cards?|nodes?|disk|quota|per (?!task|job|subject|sample|run)\w))[^\d\n]*(\d{1,4}(?:\.\d)?)\s?G(?:i?B)?\b/gim

/** {mib, written} of the most memory that one program of the script is told to use; null if none is. */
export function toldMemory(text, {commands}) {
  const expand = expander(commands)
  const found = MEMORY.flatMap(([pattern, unit]) =>
    [...text.replace(/^\s*#.*/gm, "").matchAll(pattern)].map(([written, size]) => ({
      mib: amount(size, unit) ?? 0,
      written: written.trim(),
    })),
  )
  for (const [written, size] of text.matchAll(NEEDS)) found.push({mib: Number(size) * 1024, written: written.trim()})
  for (const command of commands)
    for (const {words} of startedBy(command, expand)) {
      const {memory} = entryOf(words) ?? {}
      const value = memory?.per === "program" ? optionValue(words, memory.options) : null
      const option = value && memory.options.find(each => words.some(word => word.startsWith(each)))
      if (value) found.push({mib: amount(value, memory.bare) ?? 0, written: `${option} ${value}`})
    }
  return found.reduce((most, each) => (each.mib > (most?.mib ?? 0) ? each : most), null)
}
