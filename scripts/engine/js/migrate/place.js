// Where a job finds its place on another system: which GPU, on how many nodes, in which partition.
import {brokenEvenly, tightest} from "../schedulers/slurm/all_limits.js"
import {OWN_DISK} from "./places.js"

/** Who makes a GPU. */
export const maker = gpu => gpu.model.split(" ")[0]
/** The compute capability of a system's GPU: `8.0`; null: not known, or not NVIDIA's. */
export function capability({move, advice}, key) {
  const model = key && move.gpus[key].model
  const known = Object.values(advice?.gpus ?? {}).find(each => each.model === model && each.capability)
  return known?.capability.join(".") ?? null
}
const least = (items, by) => items.reduce((best, each) => (by(each) < by(best) ? each : best))
const has = (move, room, key) =>
  room.nodes.some(node => key in move.nodes[node].gpus || move.gpus[key].whole in move.nodes[node].gpus)

/** The limits that hold for a job in a partition, and the job on each of its nodes. @returns {[any, any]} */
const asked = (move, room, job) => [
  {partitions: room.limits, gpus: () => move.gpus[job.key].limits, policy: move.limits},
  {nodes: job.nodes ?? 1, gpus: job.key ? (job.per ?? 1) : 0, cores: job.cores ?? 1, memory: job.memory},
]
const who = job => ({who: {no_allocation: !job.allocated}})

/** The limit that is tightest for such a job in a partition, as all_limits.js has it. */
export const limitOn = (move, room, job, kind, test) => tightest(...asked(move, room, job), kind, who(job), test)

/** The limits of a QOS that the job breaks. */
export const overQos = (move, job, name) =>
  brokenEvenly({qos: move.qos[name]}, {...asked(move, {}, job)[1], minutes: job.minutes}, who(job))

/** Minutes of the longest such job of a partition. */
export const longestTime = (move, room, job = {}) => limitOn(move, room, job, "minutes").value

/** Minutes of the longest job that can have this GPU, 1 if none is published; partitions for trials do not count. */
function longest(move, key) {
  const rooms = move.partitions.filter(room => !room.trial && has(move, room, key))
  const times = rooms.map(room => longestTime(move, room, {key}))
  return Math.max(0, ...times.map(minutes => (minutes < Infinity ? minutes : 1)))
}

/**
 * The key of the GPU that takes the place of another: of the same maker if there is one,
 * that jobs may hold longest, the smallest with as much memory, else the largest.
 * A slice takes the place of one GPU only, of a job whose memory it allows. torch: the job uses PyTorch, which no longer runs on some.
 * @returns {string|null} null if there is no GPU
 */
export function successor(old, move, number, torch = false, memory = 0) {
  const there = key =>
    Object.values(move.nodes).reduce((sum, {gpus, count}) => sum + (gpus[key] ?? 0) * (count ?? 999), 0)
  const holds = key =>
    number === 1 &&
    move.partitions.some(room => has(move, room, key) && atMost(memory, limitOn(move, room, {key}, "memory").value))
  const open = Object.keys(move.gpus).filter(key => longest(move, key) && (!move.gpus[key].slice || holds(key)))
  const many = open.filter(key => move.gpus[key].slice || there(key) >= number)
  const every = many.length ? many : open
  const known = torch ? every.filter(key => !move.gpus[key].no_pytorch) : every
  const usable = known.length ? known : every
  const same = usable.filter(key => maker(move.gpus[key]) === maker(old))
  const kin = same.length ? same : usable
  if (!kin.length) return null
  const most = Math.max(...kin.map(key => longest(move, key)))
  const found = kin.filter(key => longest(move, key) === most)
  const enough = found.filter(key => move.gpus[key].memory >= old.memory)
  if (enough.length) return least(enough, key => move.gpus[key].memory)
  return least(found, key => -move.gpus[key].memory)
}

/** How many of this GPU one node has. */
export function perNode(move, key) {
  const whole = move.gpus[key].whole ?? key
  const nodes = Object.values(move.nodes)
  return Math.max(1, ...nodes.map(node => node.gpus[key] ?? node.gpus[whole] ?? 0))
}

/** So many GPUs as nodes times GPUs a node, both as few as can be; fewer GPUs only if the program cannot use more. */
export function layout(move, key, total, nodes, atMost = false) {
  const {counts} = move.gpus[key]
  if (atMost && nodes === 1 && counts[0] < total)
    return {nodes, per: Math.max(...counts.filter(count => count <= total))}
  const most = counts.length ? counts.at(-1) : perNode(move, key)
  const wanted = Math.ceil(total / nodes)
  if (wanted <= most) {
    const fits = !counts.length || (nodes > 1 ? [most] : counts).find(count => count >= wanted)
    return {nodes, per: counts.length ? fits : wanted}
  }
  if (counts.length) return {nodes: Math.ceil(total / most), per: most}
  for (let number = nodes + 1; ; number++)
    if (total % number === 0 && total / number <= most) return {nodes: number, per: total / number}
}

const atMost = (value, limit) => value <= (limit ?? Infinity)

/** How many nodes of a partition have what the job needs of each. */
function fitting(move, room, job) {
  const gpus = job.key ? job.per : 0
  const fits = room.nodes
    .map(name => move.nodes[name])
    .filter(each => {
      const there = job.key ? (each.gpus[job.key] ?? each.gpus[move.gpus[job.key].whole] ?? 0) : 0
      const free = job.key || !Object.keys(each.gpus).length
      return free && there >= gpus && atMost(job.cores, each.cores) && atMost(job.memory, each.memory)
    })
  return fits.reduce((sum, each) => sum + (each.count ?? Infinity), 0)
}

/** Is there room in this partition, however short? `job`: key, per, nodes, cores and memory a node. */
export function takes(move, room, job) {
  if (job.key && !has(move, room, job.key)) return false
  const broken = brokenEvenly(...asked(move, room, job), who(job))
  return job.nodes <= Math.min(fitting(move, room, job), room.there ?? Infinity) && !broken.length
}

/** Is the local disk that a job has without a request too small for so many MiB, or only on some nodes? */
export function lacksRoom({move, advice}, size) {
  const own = move.places.find(([kind]) => kind === OWN_DISK)?.[1]
  const {size: room, memory_without_disk: some} = advice?.places?.find(({path}) => path === own) ?? {}
  return size > 0 && Boolean(some || room < size)
}

/** Has a node of the partition as much local disk as the job requested, if that is known? */
const holds = (move, room, {disk}) => room.nodes.some(name => (move.nodes[name].disk ?? Infinity) >= disk)

/** The partition for a job, that of the same name first, a too short one last; null if none accepts it. */
export function partition(move, job) {
  const rooms = move.partitions.filter(room => takes(move, room, job))
  const tight = room => !job.key && room.nodes.some(name => !atMost(job.memory, move.nodes[name].memory))
  const scarce = rooms.some(tight) // the job needs nodes with more memory than most have
  const longestIn = room => longestTime(move, room, job)
  const most = Math.max(...rooms.map(longestIn))
  const shares = move.partitions.some(({name}) => /shared/.test(name)) // the others give whole nodes
  const rank = room => {
    const time = Math.min(longestIn(room), 1e6)
    const short = time < job.minutes
    const used = room.used && !short // no long job is cut up for a partition of tests
    const usual = used || room.default
    const sizes = room.nodes.map(name => move.nodes[name].cores ?? Infinity).filter(cores => cores >= job.cores)
    const several = job.nodes > 1
    const full =
      !job.key && job.cores > 1 && ((several && job.whole) || job.cores >= Math.min(...sizes) * (several ? 0.75 : 1)) // of whole nodes: not among others' jobs
    return [
      job.disk && !holds(move, room, job),
      short,
      room.name !== job.named ||
        !room.open || // the name alone gives no access
        (short && time < most) ||
        (!job.key && !full && !several && (room.exclusive || (shares && !/shared/.test(room.name)))),
      room.trial && !used,
      full ? !room.exclusive : room.exclusive,
      /shared/.test(room.name) === full,
      scarce && -fitting(move, room, job),
      tight(room),
      short ? -time : 0,
      !usual,
      room.trial,
      time,
    ]
  }
  const before = (a, b) => {
    const at = a.findIndex((value, i) => Number(value) !== Number(b[i]))
    return at >= 0 && Number(a[at]) < Number(b[at])
  }
  return rooms.reduce((best, room) => (!best || before(rank(room), rank(best)) ? room : best), null)
}
