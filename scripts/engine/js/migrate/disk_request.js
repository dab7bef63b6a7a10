// The local disk, and other generic resources, that a moved job requests.
import {costOfHour} from "../form/cost.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {thousands} from "../script/units.js"
import {gib} from "./amounts.js"
import {nodesOf} from "./nodes.js"
import {OWN_DISK, WORK} from "./places.js"
import {ifMore, room} from "./sizes.js"

/** Where running jobs' data are. */
const work = (there, {account}) =>
  (there.places.find(([kind]) => kind === WORK)?.[1] ?? "another place").replace(/<\w+>/, account)

const price = hour => thousands(Number(hour.toPrecision(6)))
/** The partition with such a disk costs much more than the job's would without: twice as much, if it was requested. */
function* dearer(to, need, plan) {
  const {room, without} = plan
  if (!without || plan.key || room === without) return
  const job = {gpu: null, nodes: plan.nodes, gpus: 0, cores: plan.cores, mib: plan.memory ?? 0}
  const costIn = ({name}) => costOfHour(to.form, {...job, partition: name})
  const cost = costOfHour(to.form, {...job, partition: room.name, disk: plan.disk ?? 0})
  const other = costIn(without)
  if (!cost || !other || cost.unit !== other.unit || cost.hour < (need.disk ? 2 : 1.2) * other.hour) return
  const [variable] = Object.keys(to.advice?.on_request ?? {})
  const unset = variable ? ` Then \`$${variable}\` is not set, so write a directory there in its place.` : ""
  yield `In \`${room.name}\`, which the local disk requires, the job costs ${price(cost.hour)} ${cost.unit} per hour. In \`${without.name}\`, it costs ${price(other.hour)}. If the files can be in ${work(to.move, plan)}, remove the request for local disk${need.disk ? ` (${need.disk})` : ""}, and write \`--partition=${without.name}\`.${unset}`
}

/** tmp: the old script's option @param {Record<string, [string[], string]>} found as request.js has it, UPDATED */
export function* askForDisk(to, need, plan, tmp, found) {
  const there = to.move
  const nodes = plan.room.nodes.map(name => there.nodes[name])
  const most = Math.max(...nodes.map(node => node.disk ?? Infinity))
  const can = Math.max(...nodes.map(node => node.tmp ?? 0))
  plan.toldDisk = plan.disk > most && !plan.tooMuch
  if (plan.toldDisk) {
    const whole = Math.min(...nodes.map(node => node.usual ?? 0))
    const exact = can || to.advice?.places?.some(each => Object.keys(each.sizes ?? {}).length) // by kind of node
    const larger = !exact && whole > 2 * most ? `, perhaps more, because the disk has ${gib(whole)}` : ""
    yield `A node for this job has ${gib(most)} of local disk${larger}, but the job ${need.disk ? `requested ${/^\d+$/.test(need.disk) ? gib(plan.disk) : need.disk}` : `copies about ${gib(plan.disk)} there`}. ${ifMore(work(there, plan))}`
  }
  if (tmp && !nodes.some(node => (node.tmp ?? 0) >= mebibytes(tmp.value))) {
    found.tmp = [[], "No node of this partition lets you request that much local disk with `--tmp`."]
    const [name] = nodes.flatMap(node => Object.keys(node.gres).filter(each => node.gres[each] * 1024 >= plan.disk))
    const fits = plan.hasDisk !== null && plan.hasDisk >= plan.disk
    if (fits) found.tmp[1] = `On ${to.name}, the job has local disk without a request.`
    else if (name) yield* generic(`${name}:${Math.ceil(plan.disk / 1024)}`)
    else if (!plan.toldDisk)
      yield `On ${to.name}, no node for this job lets you request ${gib(plan.disk)} of local disk.`
  } else if (tmp) {
    plan.reserved = "tmp"
    if (nodes.every(node => node.usual && node.usual < plan.disk))
      yield `Most nodes of ${to.name} have ${gib(Math.max(...nodes.map(node => node.usual)))} of local disk, so a job with --tmp=${tmp.value} waits for one of the few with more.`
    if (plan.nodes < need.nodes)
      yield `The job had ${tmp.value} of local disk on each of ${need.nodes} nodes, and now has it on ${nodesOf(plan.nodes)}. If it needs more in total, change --tmp.`
  }
  if (plan.disk && !need.diskSize && can >= plan.disk)
    found.tmp = [
      [`--tmp=${Math.floor(Math.min(can, Math.ceil(plan.disk / 93091) * 102400) / 1024)}G`], // a tenth more
      `The script puts about ${gib(plan.disk)} on the local disk.`,
    ]
  for (const item of need.others) yield* generic(item)
  if (plan.tooMuch && !need.diskSize) yield* own(need.said.mib)
  yield* dearer(to, need, plan)

  /** The resource that brings a disk for what the script's comments name. */
  function* own(mib) {
    const sizes = nodes.flatMap(({gres}) => Object.entries(gres)).filter(([, size]) => size * 1024 >= mib)
    if (sizes.length) yield* generic(`${sizes[0][0]}:${Math.min(sizes[0][1], Math.ceil((mib * 1.1) / 1024))}`)
  }
  /** A generic resource that is no GPU stands behind the GPUs, or alone. */
  function* generic(item) {
    const [name, amount] = item.split(":")
    const why = "It requests local disk."
    const [gpus = []] = found.gpu ?? []
    if (nodes.some(node => node.gres[name] >= Number(amount ?? 1))) {
      plan.reserved = name
      const own = gpus[0]?.startsWith("--gres=") ? [`${gpus[0]},${item}`] : [...gpus, `--gres=${item}`]
      found.gpu = [own, found.gpu?.[1] ?? why]
      return
    }
    const large = node => (node.cores ?? 0) >= plan.cores && (node.memory ?? 0) >= (plan.memory ?? 0)
    if (plan.disk && nodes.some(node => node.tmp >= plan.disk && large(node))) {
      found.tmp = [[`--tmp=${Math.ceil(plan.disk / 1024)}G`], why]
      found.gpu ??= [[], why]
      return
    }
    const all = to.move.partitions.filter(room => room.nodes.some(each => to.move.nodes[each].gres[name]))
    const ofKind = room => !plan.key || room.nodes.some(each => Object.keys(to.move.nodes[each].gpus).length)
    const others = all.filter(room => !room.trial && ofKind(room))
    const only = others.length
      ? ` Only ${others.map(room => `\`${room.name}\``).join(" and ")} ${others.length > 1 ? "have" : "has"} ${name}.`
      : ""
    const here = all.length ? `in \`${plan.room.name}\` on ${to.name}` : `on ${to.name}`
    found.gpu ??= [[], `You cannot request ${name} ${here}.`]
    if ((plan.toldDisk || need.diskSize > plan.hasDisk) && plan.key && !plan.tooMuch) return // told with the size
    const disk = to.move.places.find(([kind, , about]) => kind === OWN_DISK && !about.memory)
    const otherwise =
      disk && !disk[2].diskless
        ? `you can use ${plan.hasDisk ? `${room(plan.hasDisk)} in ` : ""}${disk[1]} without a request${plan.sharesDisk ? ", together with your other jobs on the node" : ""}`
        : "we know of no other local disk there"
    const text = `You cannot request ${item} with --gres ${here}${plan.tooMuch || plan.toldDisk || (plan.hasDisk ?? Infinity) < need.diskSize ? "" : `, but ${otherwise}`}.${only}`
    yield disk ? text : {kind: "disk", text}
  }
}
