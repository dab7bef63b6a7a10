// The old system's local disk: what a reader must know of what takes its place, and the job's own directory there.
import {payload} from "../script/payload.js"
import {expander} from "../script/variables.js"
import {quoted} from "./amounts.js"
import {atATime, dataOf, ifMore, ofTask, room, sharedDisk} from "./sizes.js"

const large = mib => (mib >= 1e12 / 2 ** 20 ? `${Math.round((mib * 2 ** 20) / 1e11) / 10} TB` : room(mib))
const together = ({tasks}, mib, most = "") =>
  atATime(tasks) > 1 && mib ? ` ${atATime(tasks)} concurrent tasks need ${most}${large(mib * atATime(tasks))}.` : ""

/** What differs on what takes the place of the disk `old`: sentences. place: that one, as places.js has it; was: what is known of the old */
export function* aboutDisk(to, job, {disk, scratch, written}, [, path, about], old, was) {
  if (was.buffer)
    yield `The job requested ${was.buffer === "storage" ? "" : `${was.buffer} of `}storage at \`${old}\`, which becomes a directory in ${written(path)}. Check its quota.`
  else if (about.instead && job.tooMuch && job.said.of && job.said.of !== old)
    yield `\`${old}\` becomes a directory in ${written(path)}, too.`
  else if (about.instead && job.tooMuch) {
    job.said.of = old
    const more = job.room.more >= job.said.mib ? ` On a full node, a job has ${room(job.room.more)}.` : ""
    yield `On ${to.name}, this job has ${room(job.room.mib)} in ${disk[1]}${job.room.whole ? "" : ", together with your other jobs on the node"}. The script puts ${job.said.what} there, so \`${old}\` becomes a directory in ${written(path)}.${more}${together(job, job.said.mib)}`
  } else if (about.instead)
    yield `${to.name} has no such local disk${disk?.[2].memory ? ` (${disk[1]} is memory)` : " that we know"}, so \`${old}\` becomes a directory in ${written(path)}.${together(job, job.said?.mib)}`
  else if (about.memory)
    yield `${inMemory(to, path)}${job.tasks ? " Those of all tasks that run at the same time on a node share it." : ""}`
  else if (about.diskless && job.disks)
    yield `In \`${job.disks.here}\` on ${to.name}, ${path} is memory, so files there count toward the job's memory.${job.disks.others[0] ? ` Nodes with local disk are in \`${job.disks.others[0]}\`.` : ""}`
  else if (about.diskless && job.diskless)
    yield `On nodes of ${to.name} without local disk, ${path} is memory. \`--tmp\` requests local disk.`
  else if (was.memory && job.room && !job.disk)
    yield `\`${old}\` was in the job's memory, but on ${to.name}, the job has ${room(job.room.mib)} in ${job.room.path}. ${ifMore(written(scratch[1]))}`
  else yield* lessDisk(to, job, {scratch, written})
  const asked = job.wanted && !job.reserved ? {mib: job.wanted, asked: room(job.wanted)} : null
  const shared = sharedDisk(to, job.room, job.said ?? asked, job.tasks ?? "", scratch && written(scratch[1]))
  if (shared && !about.instead) yield shared
}

/** The job has less there than it requested. */
export function* lessDisk(to, job, {scratch, written}) {
  if (!job.disk || job.reserved || !(job.wanted > job.room?.mib) || job.toldDisk || job.tooMuch) return
  const cure = scratch ? ` ${ifMore(written(scratch[1]))}${together(job, job.wanted, "up to ")}` : ""
  const all = job.room.whole ? "" : `, together with your other ${job.tasks ? "tasks and " : ""}jobs on the node`
  yield `On ${to.name}, this job has ${room(job.room.mib)} in ${job.room.path}${all}, but the job requested ${job.disk}.${cure}`
}

export const inMemory = (to, path) => `On ${to.name}, ${path} is memory, so files there count toward the job's memory.`

/**
 * Names what is copied into a directory that took a disk's place, from the same file system.
 * @param {any[]} scripts as shells gives them @param {string} text the old script
 */
export function* copiesInPlace(scripts, text, job, {scratch, written}, folders) {
  const expand = expander(scripts[0].commands)
  if (!scratch) return
  const own = [...folders].filter(folder => folder.startsWith(`${written(scratch[1])}/`))
  if (!own.length) return
  const taskwise = ofTask(text)
  const tooMany = dataOf(text).files?.number > (scratch[2].files ?? Infinity)
  const inside = word => own.some(folder => expand(word).startsWith(folder))
  const beside = word => own.some(folder => expand(word).startsWith(`${folder.split("/").slice(0, 2).join("/")}/`))
  const all = scripts.flatMap(({commands, steps}) => {
    const alone = steps && commands.every(({name}) => /^(?:mkdir|cp|rsync|cd|ls|echo)$/.test(name))
    return commands.map(command => ({command, steps, alone}))
  })
  for (const {command, steps, alone} of all) {
    const [tool, ...words] =
      command.name === "find" ? command.words.slice(command.words.indexOf("-exec") + 1) : payload(command)
    const [source, target] = [words.filter(word => !word.startsWith("-")).slice(0, -1), words.at(-1) ?? ""]
    const again = /^(?:cp|rsync)$/.test(tool ?? "") && inside(target) && source.some(beside) && !source.some(inside)
    const unpacks = /^(?:tar|unzip)$/.test(tool ?? "") && words.some(inside) && !/^-?-?c/.test(words[0] ?? "")
    const what = quoted(command.text)
    const each = steps || command.words[0] === "srun" || job.tasks ? " Here, several tasks do so at the same time." : ""
    const scratch = command.words.indexOf("--scratch_dir") + 1
    if (scratch && inside(command.words[scratch]))
      yield `With \`--scratch_dir\`, RELION copies the particles to the local disk, but here within one file system. Remove this option.`
    if (again)
      yield `${what} copies files within one file system. Remove ${alone ? "its srun command" : "it"}, and read \`${source.at(-1)}\` instead of \`${target}\`.${alone ? "" : each}`
    else if (/^(?:cp|rsync)$/.test(tool ?? "") && inside(target) && job.nodes > 1 && each)
      yield `${what} copies the same files several times, because all nodes share the directory. Copy them once, without srun.`
    else if (unpacks && !tooMany && !(job.tasks && taskwise(command.text)))
      yield `${what} unpacks files in each job. Unpack them once before the job, and read them there.${each}`
    else if (steps && /^(?:virtualenv\b|python3? -m venv\b)/.test(command.text) && inside(target))
      yield `${what}: several tasks would create this directory at the same time. Create it once before the job.`
  }
}
