// Places for files on two systems: which one there takes the place of which here.
import {bufferOf} from "./burst_buffer.js"

export const HOME = "Your home"
export const DATA = "A project's data"
export const PROGRAMS = "A project's programs"
export const WORK = "Data for running jobs"
export const OWN_DISK = "The node's own disk"
// Where a system has none of a kind: what comes next to it. "": a place of a kind that no other system has.
const INSTEAD = {
  [PROGRAMS]: [DATA, WORK],
  [DATA]: [PROGRAMS, WORK],
  [WORK]: [DATA, PROGRAMS],
  "": [WORK, DATA, PROGRAMS],
}
/** A kind, and those that take its place, the nearest first. */
export const kindsLike = kind => [kind, ...(INSTEAD[kind] ?? [])].filter(Boolean)
// What many systems call their places, whether their pages say so or not.
const ALIASES = [
  [WORK, "$SCRATCH", {}],
  [WORK, "/scratch/$USER", {}],
  [DATA, "$PROJECT", {}],
  ...["$LOCAL_SCRATCH", "$TMPDIR"].map(path => [OWN_DISK, path, {job: true}]),
  // The job's own directory: https://docs.alliancecan.ca/wiki/Using_node-local_storage
  ...["$SLURM_JOB_ID", "$SLURM_JOBID"].map(id => [OWN_DISK, `/localscratch/$USER.${id}.0`, {job: true}]),
  ...["/tmp/scratch", "/var/scratch", "/localscratch", "/lscratch"].map(path => [OWN_DISK, path, {job: true}]),
]
/** What a job removes itself is not for the next one. */
export const REMOVES = /^\s*rm\s+-\w*r/m

/** Places as scripts name them: below `/scratch` of a system that says no more stands a user's directory. */
const below = ([kind, path, about]) =>
  /^\/\w+$/.test(path) && [HOME, WORK, DATA].includes(kind)
    ? [[kind, `${path}/${kind === DATA ? "<group>" : "$USER"}`, about]]
    : []

/**
 * What is known of the places of both systems.
 * @param {System} from @param {System} to @param {any} job as job.js makes it, and own: the variables that the script sets
 * @param {string} text the script's commands and comments
 * @returns old: places of the one; named: those that its pages name; there: those of the other; disk, scratch: its local
 *   disk, and its place for running jobs' data; emptied: the job removes its files
 */
export function placesOf(from, to, job, text) {
  const here = from.move
  // A directory that only a job with this resource has.
  const reserved = Object.entries(to.advice?.on_request ?? {}).filter(([, name]) => name === job.reserved)
  const extra = reserved.map(([name]) => [OWN_DISK, `$${name}`, {job: true}])
  const there = [...extra, ...to.move.places]
  const emptied = REMOVES.test(text)
  const others = ([kind, , about]) => (about.also ?? []).map(path => [kind, path, about])
  const buffer = bufferOf(text)
  const named = [
    ...here.places.flatMap(place => [...below(place), place, ...others(place)]),
    ...(buffer ? [[OWN_DISK, buffer.path, {job: true, buffer: buffer.size}]] : []),
  ]
  const aliases = ALIASES.filter(
    ([kind, path]) =>
      (here.centre !== to.move.centre || kind === OWN_DISK) && ![...named, ...there].some(each => each[1] === path),
  )
  const first = wanted => there.find(([kind]) => kind === wanted)
  const scratch = [WORK, DATA, PROGRAMS].map(first).find(Boolean)
  const disk = there.find(([kind, path]) => kind === OWN_DISK && path[0] === "$") ?? first(OWN_DISK)
  const instead = scratch && [OWN_DISK, scratch[1], {instead: true}]

  /** Where this place is there: [kind, path, about], or undefined. */
  function placeFor(kind, path, about) {
    if (kind === OWN_DISK && extra.length) return extra[0]
    const real = disk && !disk[2].memory && !(disk[2].diskless && job.diskless)
    const same = emptied && kind === OWN_DISK && !about.job && real ? null : there.find(([, other]) => other === path)
    if (same && (same[0] === kind || same[0] !== OWN_DISK)) return same
    if (about.buffer || (about.job && kind === "")) return instead // larger than any disk, perhaps
    if (kind === OWN_DISK && about.job === undefined && first(WORK) && !emptied) return first(WORK) // it is kept from job to job
    if (kind !== OWN_DISK) return kindsLike(kind).map(first).find(Boolean)
    return disk && !(disk[2].memory && (job.disk || job.said)) && !job.tooMuch ? disk : instead
  }

  /** A path there, with the account. */
  const written = path =>
    path.replace(/<user>/g, "$USER").replace(/<\w+>/g, job.newAccount ?? to.move.account.sample ?? "$USER")
  return {text, named, old: [...named, ...aliases], there, first, scratch, disk, emptied, placeFor, written}
}
