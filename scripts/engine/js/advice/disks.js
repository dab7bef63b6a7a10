// Advice about where data lies: what fits there, which nodes see it, how long it stays.
import {below} from "./body.js"
import {many} from "../script/units.js"
import {base, program, programs} from "../script/payload.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {optionValue, runsOf} from "./runs.js"

const gib = mib => (mib >= 1024 ** 2 ? `${+(mib / 1024 ** 2).toFixed(1)} TiB` : `${+(mib / 1024).toFixed(0)} GiB`)
/** A path as the facts write it: `~` and `${NAME}` have one form. */
const plain = word => word.replace(/^~(?=\/|$)/, "$HOME").replace(/\$\{(\w+)\}/g, "$$$1")
const HOMES = /^\$HOME|^\/(?:home|users)\//
/** The place of a path: the longest of the system's. */
export function placeOf({facts, expand}, word) {
  const path = plain(expand(word)),
    home = facts.places.find(place => HOMES.test(place.path))
  if (/^\$HOME\/(?:projects?|scratch|links|nearline|data|work)(?:\/|$)/.test(path)) return undefined // often links
  if (/^\$HOME(?:\/|$)/.test(path)) return home
  const fits = facts.places.filter(place => path === place.path || path.startsWith(`${place.path}/`) || below(path, place.path))
  if (!fits.length && /^\$TMPDIR(?:\/|$)/.test(path)) return facts.places.find(({path}) => path === "$TMP_LOCAL") // Aire's other name
  return fits.sort((one, other) => other.path.length - one.path.length)[0]
}
/** Does each node have its own? */
const ofOneNode = place => Boolean(place?.one_node || (place?.job && !/SHARED/.test(place.path)))

/** [MiB, what it is, the kinds of node] of what a job can put there, or null where nobody knows. */
function roomOf(given, place) {
  const {job, nodes, option, facts, cores} = given
  const memory = job.memory_per_node || (job.memory_per_cpu ? (job.memory_per_cpu * cores()) / (job.nodes || 1) : null)
  const inMemory = memory && [memory, "the job's memory"]
  if (place.in_memory) return inMemory
  const kinds = nodes().map(([key]) => key)
  if (place.memory_without_disk) return option("tmp") || kinds.every(key => facts.nodes[key].disk) ? null : inMemory
  const asked = mebibytes(option("tmp")?.value ?? "")
  if (ofOneNode(place) && (asked > 0 || option("gres")?.value?.includes("nvme"))) return asked > 0 ? [asked, "--tmp"] : null
  const sizes = kinds.map(key => (given.whole() ? place.full?.[key] : 0) || place.sizes?.[key] || place.size)
  return sizes.length && sizes.every(Boolean) ? [Math.max(...sizes), place.path] : null
}

const SIZE = /(\d+(?:[.,]\d+)?)\s*(TB|TiB|GB|GiB|T|G)\b/gi
const NO_DATA = /\b(?:RAM|memory|free|quota|limit|left|offers?|available|disk|GPU|VRAM|node|reserved?|up to|cores?)\b/i
const ASIDE = /\b(?:only|subset|part of|of the|out of|instead|not)\b/i
/** MiB that a comment gives what this command copies: beside it, or above it without a blank line between. */
function saidSize({lines}, {line}) {
  const texts = [/\s#(.*)$/.exec(lines[line - 1])?.[1] ?? ""]
  for (let at = line - 2; at >= 0 && lines[at].trim() && !lines[at].startsWith("#SBATCH"); at--)
    texts.push(/^\s*#(?!!)(.*)$/.exec(lines[at])?.[1] ?? "")
  for (const text of texts) {
    const found = [...text.matchAll(SIZE)].map(([, number, unit]) => mebibytes(`${number.replace(",", ".")}${unit[0]}`))
    if (!found.length) continue
    if (NO_DATA.test(text.replace(/local disk|Lustre/gi, "")) || ASIDE.test(text)) return null
    const [, count] = /(?:^|[\s(])(\d+)\s*(?:x|×|\*|(?![TGMk]i?B\b)[a-z]{2,})/i.exec(text) ?? []
    const each = /\b(?:per|each|apiece|every)\b|[x×]\s*\d/i.test(text)
    if (each && !count) return null
    return Math.min(...found) * (each ? Number(count) : 1)
  }
  return null
}
/** [where, MiB] of what a program is told to write. */
function toldSize(given, {words, launcher, tasks}) {
  const name = base(words[0] ?? ""),
    size = text => mebibytes((text ?? "").replace(/i?b$/i, "")) || 0
  if (name === "ior") {
    const each = size(optionValue(words, ["-b"])) * Number(optionValue(words, ["-s"]) ?? 1)
    return [optionValue(words, ["-o"]), each * (launcher ? Math.ceil((tasks ?? 1) / (given.job.nodes || 1)) : 1)]
  }
  if (name === "fio") {
    const jobs = Number(optionValue(words, ["--numjobs"]) ?? 1)
    return [optionValue(words, ["--directory", "--filename"]), size(optionValue(words, ["--size"])) * jobs]
  }
  if (name === "fallocate") return [words.at(-1), size(optionValue(words, ["-l", "--length"]))]
  const dd = key => words.find(word => word.startsWith(`${key}=`))?.slice(key.length + 1)
  if (name === "dd") return [dd("of"), size(dd("bs")) * Number(dd("count") ?? 0)]
  return null
}
const COPIES = /^(?:cp|rsync|tar|unzip|mv|pigz|zstd|unsquashfs|dar|wget|curl|rclone|aws)$/
/** More data than the place holds. */
function* tooMuch(given) {
  const {commands, known, job, say, expand} = given
  if (!known) return
  const found = []
  let here = ""
  for (const command of commands) {
    const {words} = command
    if (command.name === "cd" && !command.fn) here = command.certain ? (words[1] ?? "") : ""
    if (COPIES.test(program(command))) {
      const into = optionValue(words, ["-C", "-d", "--directory", "-P", "--target-directory", "-t"])
      const last = /^(?:cp|mv|rsync|rclone|aws)$/.test(program(command)) ? (words.at(-1) ?? "") : here
      const target = into ?? (/^\.?\/?$/.test(last) ? here : last)
      const makes = program(command) === "tar" && !/x/.test(words[1] ?? "") && !words.includes("--extract")
      if (!makes) found.push([command, target, saidSize(given, command)])
    }
    for (const word of [...command.words, command.text].map(expand)) {
      const [, path, size] = /=?([/$~][\w/${}.-]*\.rwf),(\d+[GT]B)/i.exec(word) ?? [] // Gaussian's %RWF=path,size
      if (path) found.push([command, path, mebibytes(size.slice(0, -1))])
    }
  }
  if (commands.some(({text}) => /\bior|\bfio\b|fallocate|^dd /i.test(expand(text))))
    for (const run of runsOf(given).runs) {
      const own = {...run, words: run.words.map(expand)}
      const [path, size] = toldSize(given, own) ?? []
      if (path) found.push([run.command, path, size])
    }
  for (const [command, path, size] of found) {
    const place = size && placeOf(given, path),
      [room, whose] = (place && roomOf(given, place)) || []
    if (!room || size <= room * 1.05) continue
    const memory = whose === "the job's memory"
    const without = place.memory_without_disk ? " on nodes without a local disk" : ""
    const what = memory
      ? `${place.path} is in memory${without}, and ${gib(size)} do not fit into the job's ${gib(room)}.`
      : `${gib(size)} do not fit into ${place.path}, which has ${gib(room)} for this job.`
    const disk = Object.entries(given.facts.nodes).some(([, node]) => node.disk && place.memory_without_disk)
    const cure = disk ? "Request a local disk with --tmp, or use scratch." : memory ? "Read it from scratch, or request as much memory." : "Use scratch."
    const sure = ofOneNode(place) || HOMES.test(place.path)
    const source = place.in_memory ? {group: "storage"} : {fact: `storage.${place.path}`}
    yield say("place-too-small", what, cure, command, {...source, kind: sure ? "fails" : "doubtful"})
    return
  }
}

const OUTPUT = /^-{1,2}(?:o|out\w*|output\w*|results?\w*|save[-_]?\w*|hdf5|dump|traj\w*|checkpoint[-_]?(?:file|dir|path)?|ckpt\w*|chk)$/i
const RESUMES = /^-{1,2}(?:\w+[-_])?(?:checkpoint|ckpt|chk|restart|resume)(?:[-_]\w+)?$/i
/** [option, value] of a command's words. */
const told = words =>
  words.flatMap((word, at) => {
    const [, option, value] = /^(-{1,2}[\w-]+)=(.+)$/.exec(word) ?? []
    return option ? [[option, value]] : /^-/.test(word) && words[at + 1] ? [[word, words[at + 1]]] : []
  })
const GATHERS = /^(?:cp|mv|rsync|tar|sgather|zip|gzip|pigz|dar|install|rclone|bash|sh)$/
/** Every node writes to its own disk, and nothing gathers the files of the other nodes. */
function* apart(given) {
  const {job, commands, expand, say, lines} = given
  if (!(job.nodes > 1) || /sgather|pdsh|clush|\bssh\b/.test(lines.join("\n"))) return
  for (const [at, command] of commands.entries()) {
    for (const {words, through} of programs(command)) {
      const launcher = through.find(({name}) => /^(?:srun|mpirun|mpiexec)$/.test(name))
      if (!launcher || /^(?:mkdir|cp|rm|tar|rsync|ls|df|du)$/.test(base(words[0] ?? ""))) continue
      if (launcher.words.some(word => /^(?:-w|--nodelist|-N1$|--nodes=1$|-n1$|--ntasks=1$)/.test(word))) continue
      const written = told(words).find(([option, value]) => OUTPUT.test(option) && ofOneNode(placeOf(given, value)))
      if (!written || /PROCID|NODEID|LOCALID|hostname|HOSTNAME|%/.test(`${written[1]} ${command.text}`)) continue
      const place = placeOf(given, written[1])
      const gathered = commands.slice(at + 1).some(each => each.words.some(word => /^(?:srun|mpirun)$/.test(word)) && GATHERS.test(program(each)))
      if (gathered) continue
      const what = `\`${expand(written[1])}\` is on the local disk of each of the ${job.nodes} nodes, so there are ${job.nodes} different files.`
      yield say("written-on-each-node", what, "Write to scratch or project storage, which all nodes see.", command, {
        fact: `storage.${place.path}`,
        kind: "fails",
      })
      return
    }
  }
}

/** An environment or data on the first node's disk, and programs of all nodes that need it. */
function* firstNodeOnly(given) {
  const {job, commands, certain, say, lines} = given
  if (!(job.nodes > 1) || /sbcast|pdsh|clush|\bssh\b/.test(lines.join("\n"))) return
  const srun = ({words}) => /^(?:srun|mpirun|mpiexec)$/.test(words[0] ?? "")
  if (commands.some(each => srun(each) && /^(?:cp|tar|rsync|unzip|virtualenv|pip3?)$/.test(program(each)))) return
  if (commands.some(each => srun(each) && /virtualenv|\bcp\b|\btar\b|rsync|-m venv|activate/.test(each.words.join(" ")))) return
  const local = word => ofOneNode(placeOf(given, word))
  const makes = certain.find(each => !srun(each) && /^(?:virtualenv|python[\d.]*)$/.test(program(each)) && /virtualenv|venv/.test(each.text) && each.words.some(local))
  const active = makes && commands.find(({name, words, line}) => line >= makes.line && /^(?:source|\.)$/.test(name) && local(words[1] ?? ""))
  const copied = certain.find(each => !srun(each) && /^(?:cp|tar|rsync|unzip)$/.test(program(each)) && each.words.slice(1).some((word, at, all) => (at === all.length - 1 || all[at - 1] === "-C" || all[at - 1] === "-d") && local(word)))
  const [made, what] = active ? [makes, "the environment"] : [copied, "what this line copies"]
  const uses = made && commands.find(each => {
    if (!srun(each) || each.line < made.line || each.background || /\s(?:-N\s?1|--nodes=1|-n\s?1|--ntasks=1|-w)\s/.test(`${each.text} `)) return false
    const own = each.words.join(" ")
    return active ? programs(each).some(({words}) => /^(?:python[\d.]*|torchrun|accelerate|deepspeed|\w+\.py)$/.test(base(words[0] ?? ""))) : programs(each).some(({through, words}) => through.length && words.some(local)) || (/\b(?:ba)?sh\b/.test(own) && facts(given).some(path => own.includes(path)))
  })
  if (!uses || (copied && !active && /^\$\{?(?:SLURM_TMPDIR|LOCAL_SCRATCH)/.test(given.expand(copied.words.at(-1))) && uses.words.some(word => /^(?:--[\w-]+=)?\$\{?(?:SLURM_TMPDIR|LOCAL_SCRATCH)\}?\/./.test(word)))) return // rules/work.js says so
  const said = `${what} is on the local disk of the first node, and the tasks on the other nodes do not find it.`
  yield say("only-on-the-first-node", said, "Run it on every node: srun --ntasks-per-node=1 --ntasks=$SLURM_JOB_NUM_NODES ...", made, {kind: "fails"})
}
const facts = ({facts}) => facts.places.filter(ofOneNode).map(({path}) => path)

/** The next job wants what is deleted with this one; results where nothing takes them away. */
function* deletedWithTheJob(given) {
  const {commands, say, expand, lines} = given
  const leaves = commands.some(each => /^(?:cp|mv|rsync|tar|sgather|zip|install|rclone|gzip|bash|sh)$/.test(program(each)) && each.words.slice(1, -1).some(word => placeOf(given, word)?.job && !/^-/.test(word)))
  if (leaves || /trap\b.*\b(?:cp|rsync|mv|tar)\b/.test(lines.join("\n"))) return
  for (const command of commands) {
    for (const {words} of programs(command)) {
      const found = told(words).find(([option, value]) => RESUMES.test(option) && !/interval|freq|every|num|count|keep/i.test(option) && placeOf(given, value)?.job)
      if (!found) continue
      const place = placeOf(given, found[1])
      const what = `\`${expand(found[1])}\`: ${place.path} is deleted when the job ends, so the next job finds no checkpoint.`
      yield say("checkpoint-deleted", what, "Write checkpoints to scratch or project storage.", command, {fact: `storage.${place.path}`, kind: "fails"})
      return
    }
  }
}

const ARCHIVE = /(?:^|[/_.-])(?:archive[sd]?|keep|permanent|long[-_]?term|backup[s]?|final[-_]?results|vault|safe)(?=[/_.-]|$)/i
const MEANT = /\b(?:archiv\w+|long[- ]term|for good|permanent\w*|next year|backup|safe ?keeping|for the (?:paper|thesis)|years?)\b/i
/** What is to be kept goes where unused files are deleted. */
function* archived(given) {
  const {commands, expand, say, lines, name} = given
  for (const command of commands) {
    if (!/^(?:cp|mv|rsync|tar|gzip|zip)$/.test(command.name) || command.words.length < 3) continue
    const to = command.name === "tar" || command.name === "zip" ? (command.words.find(word => /\.(?:tar|tgz|zip|tar\.\w+)$/.test(word)) ?? "") : command.words.at(-1)
    const place = placeOf(given, to)
    if (!place?.deleted_after) continue
    let above = ""
    for (let at = command.line - 2; at >= 0 && lines[at].trim() && !lines[at].startsWith("#SBATCH"); at--) above += /^\s*#(.*)/.exec(lines[at])?.[1] ?? ""
    const text = above + (/\s#(.*)$/.exec(lines[command.line - 1])?.[1] ?? "")
    if (!ARCHIVE.test(expand(to)) && !MEANT.test(text)) continue
    if (commands.some(each => each !== command && /^(?:cp|rsync|mv|tar|rclone|globus|scp)$/.test(each.name) && each.line > command.line && !placeOf(given, each.words.at(-1))?.deleted_after)) continue
    const what = `\`${expand(to)}\`: ${name} deletes files below ${place.path} that nobody uses for ${many(place.deleted_after, "day")}.`
    yield say("archive-where-files-are-deleted", what, "Keep them in project storage, or copy them off the system.", command, {fact: `storage.${place.path}`})
    return
  }
}

/** A model that is downloaded into the home directory, and is larger than it. */
function* largeDownload(given) {
  const {facts, commands, expand, say} = given
  const home = facts.places.find(place => HOMES.test(place.path) && place.size)
  const everything = commands.flatMap(({words, sets}) => [...words, ...sets]).map(expand)
  const cache = everything.map(word => /^(?:HF_HOME|HF_HUB_CACHE|HUGGINGFACE_HUB_CACHE|XDG_CACHE_HOME|TRANSFORMERS_CACHE)=(.*)/.exec(word)?.[1]).filter(Boolean)
  if (!home || facts.internet === false) return
  for (const command of commands) {
    for (const {words} of programs(command)) {
      const own = words.map(expand),
        name = base(own[0] ?? "")
      if (!/^(?:hf|huggingface-cli)$/.test(name) || own[1] !== "download") continue
      const to = optionValue(own, ["--local-dir", "--cache-dir"]) ?? cache.at(-1) ?? "$HOME/.cache/huggingface"
      const [, billions] = /-(\d+(?:\.\d+)?)b(?:-|$)/i.exec(own[2] ?? "") ?? []
      const needs = 2 * Number(billions ?? 0) * 1000
      if (placeOf(given, to) !== home || needs * 0.95 < home.size || /awq|gptq|int[48]|[48]bit|gguf/i.test(own[2])) continue
      const what = `the weights of ${own[2].split("/").at(-1)} need about ${needs / 1000} GB, and ${home.path} has ${gib(home.size)}.`
      yield say("download-over-home", what, "Set HF_HOME to a directory in scratch or project storage.", command, `storage.${home.path}`)
    }
  }
}

export const ideas = [tooMuch, apart, firstNodeOnly, deletedWithTheJob, archived, largeDownload]
