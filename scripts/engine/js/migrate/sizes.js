// How much data a script's comments name, and whether the places there have room for it.
import {saidSize} from "../advice/disks.js"
import {arrayTasks} from "../schedulers/slurm/quantities.js"
import {shellTexts} from "../script/payload.js"
import {readScript} from "../script/read.js"
import {thousands} from "../script/units.js"
import {expander} from "../script/variables.js"
import {escaped, sameSoftware} from "./leftovers.js"
import {perNode} from "./place.js"
import {OWN_DISK, REMOVES} from "./places.js"

const SIZE = /(?<![\d.])(\d{1,6}(?:[.,]\d{1,3})?)\s?([PTG])(i?)B\b/g
const FILES =
  /(?<![\d.])(\d{1,3}(?:[ ,]\d{3}){1,3}|\d{1,9}(?:\.\d{1,2})?)\s?(million|thousand|[Mk](?=\s))?\s(?:[\w-]{1,20}\s){0,2}?(?:files|images|tiles|pictures|photos|patches|samples|JPE?Gs?|PNGs?)\b/gi
const UNIT = {
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  million: 1e6,
  m: 1e6,
  thousand: 1e3,
  k: 1e3,
}
const DATA =
  /\b(?:data\w*|corp(?:us|ora)|\w*files?|tars?|archives?|fastq|reads|raw|images?|pictures|tiles|shards?|outputs?|dumps?|trajector\w+|checkpoints?|weights|intermediate|input|rasters?|netcdf|hdf5|parquet|zarr|zips?|unpacked|uncompressed|extracted|lmdb|spectrograms|genomes?|bams?|database|results?)\b/i
const NO_DATA =
  /\b(?:memory|RAM|VRAM|per (?:MPI )?(?:rank|process|core|thread|gpu)|cores?|GPUs?|GCDs?|cards?|quota|limit|disk has)\b|\b[APVHLT]\d{1,4}\w{0,3}\W{0,3}(?:with |of )?$/i
// What each of a job's processes writes, if the sentence is about files
const OF_PROCESS = /\b(?:per|each|every|by each) (?:MPI )?(?:rank|process|task|window|replica|walker|worker)\b/i
const WRITES = /\bscratch\b|\bfiles?\b|\bdisk\b|\bwrites?\b|TMPDIR/i
const TEMPORARY = /\b(?:scratch|swap|temp(?:orary)?|integral|intermediate)(?: \w+)? files?\b/i // of a program, which nobody copies
const PRONOUN = /^ (?:of each|(?:of )?(?:it|them|the|which|these|its))\b/ // `40 GB of each is used`
const ON_DISK =
  /\bNVMe\b|\b(?:local|fast) (?:disk|scratch|SSD|storage)|\bnodes?(?:'s?)? (?:own )?(?:disk|NVMe|SSD)|\b(?:to|on) (?:the|every|each) node\b|\bper node\b|TMPDIR|LOCAL_SCRATCH/i
const ON_SCRATCH = /\b(?:under|on|in|from|at) (?:the )?(?:group's )?\/?(?:scratch|flash|work|nobackup)\b/i
const ELSEWHERE = /\b(?:under|on|in|from|at) (?:the )?(?:group's |project )?\/?(?:projects?|projappl|home|standard)\b/i
const REMOTE = /^(?:rclone|curl|wget|aws|s3cmd|s5cmd|swift|gsutil|ssh|iget|irods\w*)$/ // from another system
const COPIES = /\b(?:cp|rsync|tar|unzip|prefetch|fasterq-dump|cat)\s|\bcd\s/

// What a sentence says of files that are no longer single ones there, or of their limit.
const PACKED = /\b(?:quota|limit\w*|allow\w*|maximum|tar\w*|tgz|archives?|squashfs|webdataset|lmdb|packed|bundled?)\b/i

/** Comments, each as one text: lines below each other belong together. */
function comments(text) {
  const found = []
  let open = false
  for (const line of text.split("\n")) {
    const [, own, beside] = /^\s*#(?![!$]|SBATCH\b)(.*)|\s#\s(.*)$/.exec(line) ?? []
    if (own !== undefined && open) found.push(`${found.pop()} ${own.trim()}`)
    else if (own ?? beside) found.push((own ?? beside).trim())
    open = own !== undefined && own.trim() !== ""
  }
  return found
}

/**
 * Sizes of data and the largest number of files that comments name.
 * @returns {{sizes: {mib: number, what: string, on: "disk" | "scratch" | "else" | "", each: boolean, process: boolean, written: boolean}[],
 *   files: {number: number, what: string} | null}} on: where the comment says that they are; each: of one task, or `process` of it; written: by a program
 */
export function dataOf(text) {
  const sizes = [],
    files = []
  for (const sentence of comments(text).flatMap(each => each.split(/[.;]\s+/))) {
    const data = DATA.test(sentence),
      disk = ON_DISK.test(sentence)
    for (const found of sentence.matchAll(SIZE)) {
      const [what, number, unit, i] = found
      const end = found.index + what.length
      const before = sentence.slice(Math.max(0, found.index - 60), found.index).replace(/.*[,:()]/, "")
      const after = sentence.slice(end, end + 60)
      const clause = after.replace(/[,:()].*/, "")
      const process = OF_PROCESS.test(before + clause) && WRITES.test(sentence)
      const written = TEMPORARY.test(sentence)
      const rest = process ? clause.replace(OF_PROCESS, "") : clause
      if (NO_DATA.test(before) || NO_DATA.test(rest) || PRONOUN.test(after)) continue
      if (!data && !process && !/^s? of [\w.]/.test(after)) continue
      const near = before + what + after.replace(/ and .*/, "")
      const on = disk ? "disk" : ON_SCRATCH.test(near) ? "scratch" : ELSEWHERE.test(near) ? "else" : ""
      const mib =
        (Number(/,\d{3}$/.test(number) ? number.replace(",", "") : number.replace(",", ".")) * UNIT[unit + i]) / 2 ** 20
      const each =
        /\b(?:each|apiece|per (?!month|year)\w+)\b/.test(after) || /\bof (?:one|each|every) [a-z]/.test(sentence)
      if (each || !/s of (?:about |up to )?$/.test(before))
        sizes.push({mib, what, on, each: each || process, process, written}) // not `shards of 2 GB`
    }
    for (const [whole, number, unit] of PACKED.test(sentence) ? [] : sentence.matchAll(FILES)) {
      const count = Number(number.replace(/[ ,]/g, "")) * (UNIT[unit?.toLowerCase()] ?? 1)
      files.push({number: count, what: whole})
    }
  }
  return {sizes, files: files.sort((a, b) => b.number - a.number)[0] ?? null}
}

/** Whether text names what differs from task to task of an array: its number, or a variable that comes from it. */
export function ofTask(script) {
  const names = ["SLURM_ARRAY_TASK_ID", "SGE_TASK_ID"]
  const named = text => names.some(name => RegExp(`\\$\\{?${name}\\b`).test(text))
  for (const line of script.split("\n")) {
    const [, name, value] = /^\s*(?:export\s+|for\s+)?([A-Za-z_]\w*)(?:=|\s+in\s)(.*)/.exec(line) ?? []
    const read = /\bread\s+(?:-\w+\s+)*([\w ]+?)\s*<</.exec(line)?.[1] ?? ""
    if (named(value ?? line)) names.push(...[name, ...read.split(/\s+/)].filter(Boolean))
  }
  return named
}

const largest = sizes => [...sizes].sort((a, b) => b.mib - a.mib)[0] ?? null

/** The commands of a script, and of those that a shell gets from it; steps: several tasks may run them. */
export function shells(text, {commands} = readScript(text), steps = false) {
  const below = commands.flatMap(each => shellTexts(each).map(own => shells(own, undefined, each.words[0] === "srun")))
  return [{lines: text.split("\n"), commands, steps}, ...below.flat()]
}

/** What a job puts on the old system's local disk, as its comments say: {mib, what}; null if they do not. */
export function ofDisk(move, text, shell) {
  const own = move.places
    .filter(([kind, , about]) => kind === OWN_DISK && (about.job || REMOVES.test(text)))
    .map(([, path]) => path)
  const disk = RegExp(
    [...own, "$TMPDIR", "$LOCAL_SCRATCH", "/var/scratch"].map(path => escaped(path.replace(/\/?<.*/, ""))).join("|"),
  )
  const found = shells(text, shell)
  const commands = found.flatMap(each => each.commands)
  const expand = expander(commands)
  const uses = commands.filter(each => disk.test(expand(each.text)))
  const copies = uses.filter(each => COPIES.test(each.text))
  const operand = ({words}) => words.slice(1).find(word => !word.startsWith("-")) ?? ""
  const outward = each => disk.test(expand(operand(each))) || (each.name === "tar" && /^c/.test(operand(each)))
  const inward = copies.filter(each => !outward(each))
  const comes = each => each.piped && REMOTE.test(commands[commands.indexOf(each) - 1]?.name)
  const streamed = inward.length > 0 && inward.every(comes)
  const taskwise = ofTask(text)
  const beside = Math.max(
    0,
    ...uses
      .filter(each => /\b(?:cp|rsync|tar|unzip|du)\s/.test(each.text))
      .map(each =>
        saidSize(
          found.find(({commands}) => commands.includes(each)),
          each,
        ),
      ),
  )
  if (!uses.length) return null
  const {sizes} = dataOf(text)
  const there = sizes.filter(each => each.on === "disk")
  const written = !copies.length // by programs, not from a copy elsewhere
  const differs = commands.some(each => /\b(?:cp|rsync|tar|unzip)\s/.test(each.text) && taskwise(each.text)) // from task to task
  if (there.length || written)
    return there.length ? {...largest(there), written: written || largest(there)?.written, differs, streamed} : null
  const each = sizes.filter(each => each.each && each.on !== "scratch")
  const copied = beside ? [{mib: beside, what: `${Math.round(beside / 1024)} GB`}] : []
  const most = largest([...copied, ...(each.length ? each : sizes.filter(({on}) => !on))])
  return most && {...most, differs, streamed}
}

/**
 * The local disk of a job there: {path, mib, shared, more}; null where no size is published or it is reserved.
 * shared: so many tasks of the array may be on one node; more: MiB that a job with a full node has
 */
export function diskOf(to, need, plan) {
  const path = to.move.places.find(([kind]) => kind === OWN_DISK)?.[1]
  const place = to.advice?.places?.find(each => each.path === path)
  if (!place || place.in_memory || place.memory_without_disk) return null
  const whole = plan.room.exclusive || plan.all || (need.exclusive && !plan.apart)
  const gpu = plan.key && to.move.gpus[plan.key]
  const having = plan.room.nodes.filter(name => [plan.key, gpu?.whole].some(key => key in to.move.nodes[name].gpus))
  const names = having.length ? having : plan.room.nodes
  const sizes = names.map(key => (whole && place.full?.[key]) || place.sizes?.[key] || place.size)
  if (!sizes.every(Boolean)) return null
  const nodes = names.map(name => to.move.nodes[name])
  const held = node => Math.min((node.cores ?? 0) / (plan.cores || 1), (node.memory ?? Infinity) / (plan.memory || 1))
  const fit = Math.max(1, ...nodes.map(node => Math.floor(held(node))))
  const gpus = plan.key ? perNode(to.move, plan.key) / plan.per : Infinity
  const shared = whole || need.array === null ? 1 : Math.min(atATime(need.array), fit, gpus)
  const more = Math.max(0, ...names.map(key => (whole ? 0 : (place.full?.[key] ?? 0))))
  return {
    path,
    mib: Math.min(...sizes),
    shared: Math.floor(shared),
    processes: plan.tasksPerNode,
    whole,
    more,
    can: Math.max(0, ...nodes.map(node => node.tmp ?? 0)),
  }
}

/** What to do where the disk may be too small. @param {string} path for running jobs' data */
export const ifMore = path =>
  `If the files need more, put them into a directory of the job in ${path} instead, and remove it at the end.`

/** MiB as `150 GiB`, or `375 GB` where that is the round number. */
export const room = mib => (mib % 1024 === 0 ? `${mib / 1024} GiB` : `${Math.round((mib * 2 ** 20) / 1e9)} GB`)

/** Too much for the disk when several tasks of the array share it: a sentence, or null. */
export function sharedDisk(to, disk, data, tasks, scratch) {
  if (!disk || !data) return null
  const all = data.process ? disk.processes * disk.shared : disk.shared
  if (all < 2 || data.mib > disk.mib || data.mib * all <= disk.mib) return null
  if (data.process)
    return `Up to ${all} processes share the ${room(disk.mib)} of ${disk.path} on one node of ${to.name}, but each puts ${data.what} there. Start fewer per node, or put the files into a directory of the job in ${scratch}, and remove it at the end.`
  const number = Math.floor(disk.mib / data.mib)
  const few = `--array=${tasks.replace(/%.*/, "")}%${number}`
  const begin = `Up to ${disk.shared} of the array's tasks share the ${room(disk.mib)} of ${disk.path} on one node of ${to.name}, but each ${data.asked ? `requested ${data.asked}` : `puts ${data.what} there`}.`
  // So few would need many times as long.
  if (number * 8 < disk.shared && disk.can < data.mib && scratch)
    return `${begin} ${data.asked ? `Create a directory for each task in ${scratch} instead, and remove it at the end` : `Use the files in ${scratch} instead, without a copy for each task`}.${disk.more > disk.mib ? ` On a full node, a job has ${room(disk.more)} of ${disk.path}.` : ""}`
  const or =
    disk.can >= data.mib ? `Request the space with \`--tmp=${Math.ceil((data.mib * 1.2) / 1024)}G\`, or write` : "Write"
  return `${begin} ${or} \`${few}\`, so that fewer run at the same time.`
}

/**
 * What the places there hold, and how long, where the script uses them: sentences.
 * @param {any} data as dataOf has it
 * @param {{pairs: Map<string, any[]>, work: string, put: string | null, wrote: Set<string>}} uses pairs: path there ->
 *   [its facts, those of the old place]; work: the path for running jobs' data; put: where data go that the old disk
 *   had; wrote: paths to which the script copies
 */
export function* rules(from, to, job, data, uses) {
  const {pairs, work, put, wrote} = uses
  for (const [path, [now, before]] of pairs) {
    const most = largest(data.sizes.filter(({on}) => !on || on === "else"))
    const told = path === work && quota(from, to, path, now, before, ofPlace(job, data, put === path), wrote.has(path))
    if (told) yield told
    if (path !== work && now.mib && work && !wrote.has(path)) {
      if (most?.mib > now.mib)
        yield `The quota of ${path} on ${to.name} is ${limitsOf(now)}, but the script's comments name ${most.what}. Put what is larger into ${work}, and change its path.`
    }
    if (path !== work && wrote.has(path) && now.mib) {
      const begin = `The quota of ${path} on ${to.name} is ${limitsOf(now)}`
      const cure = work ? `Write what is larger to ${work}.` : "Request more before the job."
      if (most?.mib > now.mib) yield `${begin}, but the script's comments name ${most.what}. ${cure}`
      else if (now.mib < (before?.mib ?? 2 ** 17))
        yield `${begin}${before?.mib ? `. On ${from.name}, it was ${before.size}` : ""}. ${cure}`
    } else if (
      path !== work &&
      work &&
      !/^\/(?:home|users)\b/.test(path) &&
      now.mib < 2 ** 16 &&
      !(before?.mib <= 2 * now.mib)
    )
      yield `The quota of ${path} on ${to.name} is ${limitsOf(now)}. Copy larger data to ${work}, and change its path.`
    const known = before?.deleted || from.move.retired === null || !sameSoftware(from, to)
    if (now.deleted && known && !(before?.deleted <= now.deleted))
      yield `${to.name} deletes files in ${path} that nobody has used for ${now.deleted} days${before?.deleted ? `, ${from.name} after ${before.deleted}` : ""}. Copy what you want to keep to ${to.move.remotes.some(([name]) => name === "allas") ? "Allas" : "a project's storage"}.`
  }
}

/** How many tasks of the array may run at the same time. */
export const atATime = tasks => (tasks ? Math.min(arrayTasks(tasks), Number(/%(\d+)/.exec(tasks)?.[1] ?? Infinity)) : 1)

/** What the script has in the place for running jobs' data. into: also what it put on the old disk */
function ofPlace(job, data, into) {
  const copies = into && job.said ? atATime(job.tasks) : 1
  const there = data.sizes.filter(({on, each}) => on === "scratch" || (!on && !each))
  const source =
    copies > 1 || job.said?.written || job.said?.streamed ? [] : [{...job.said, what: "as much for its source"}]
  return {sizes: into && job.said ? [job.said, ...source] : [largest(there) ?? []].flat(), files: data.files, copies}
}

const limitsOf = now => [now.size, now.files && `${thousands(now.files)} files`].filter(Boolean).join(" and ")

/** What does not fit into a place, or fits no longer: a sentence, or null. copies: each task of the array has its own */
function quota(from, to, path, now, before, {sizes, files, copies}, writes) {
  const rest = (now.rule ?? "").split("; ").slice(1).join("; ")
  const cure = /^you can/.test(rest)
    ? `${rest[0].toUpperCase()}${rest.slice(1)}.`
    : "Request more before you copy the data, or keep less there."
  const begin = `The quota of ${path} on ${to.name} is ${limitsOf(now)}`
  const less = before?.mib > now.mib * 4 ? ` On ${from.name}, it was ${before.size}.` : ""
  if (files?.number > now.files)
    return `${begin}, but the script's comments name ${files.what}. Do not unpack them there: read their archives, or pack them into SquashFS or HDF5 files.${less && `${less} ${cure}`}`
  const total = sizes.reduce((sum, each) => sum + each.mib, 0) * copies
  if (total > now.mib * 1.02)
    return copies > 1
      ? `${begin}, but each of ${copies} array tasks puts ${sizes[0].what} there. ${sizes[0].written || sizes[0].differs ? "Request more, or let fewer tasks run at the same time, with a number after % in --array." : "Let all tasks read one copy."}`
      : `${begin}, but the script needs ${sizes.map(each => each.what).join(" and ")} there. ${cure}`
  if (less) return `${begin}.${less} ${cure}`
  return !before?.mib && (now.mib < 2 ** 19 || (writes && /^you can/.test(rest))) ? `${begin}. ${cure}` : null
}
