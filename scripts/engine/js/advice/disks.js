// Advice about where data lies: what fits there, which nodes see it, how long it stays.
import {below} from "./body.js"
import {OUTPUT, optionsOf} from "../rules/data.js"
import {COPIES, base, copiesToLast, documents, fills, payload, program, programs} from "../script/payload.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {many, thousands} from "../script/units.js"
import {weights} from "./models.js"
import {optionValue, runsOf} from "./runs.js"

const STORAGE = {group: "storage", kind: "fails"}
const gib = mib => (mib >= 1024 ** 2 ? `${+(mib / 1024 ** 2).toFixed(1)} TiB` : `${+(mib / 1024).toFixed(0)} GiB`)
const HOMES = /^\$HOME|^\/(?:home|users)\//
// On every system: memory, and the node's own disk.
const COMMON = [
  {path: "/dev/shm", in_memory: true, one_node: true, job: true},
  {path: "/tmp", one_node: true, job: true},
]
/** The place of a path: the longest of the system's. */
export function placeOf({facts, expand}, word) {
  const path = expand(word)
    .replace(/^\$\(mktemp -d\)/, "/tmp/new")
    .replace(/^~(?=\/|$)/, "$HOME")
    .replace(/\$\{(\w+)\}/g, "$$$1")
  if (/^\$HOME\/(?:projects?|scratch|links|nearline|data|work)(?:\/|$)/.test(path)) return undefined // often links
  if (/^\$HOME(?:\/|$)/.test(path)) return facts.places.find(place => HOMES.test(place.path))
  const is = place => path === place.path || path.startsWith(`${place.path}/`) || below(path, place.path)
  const fits = facts.places.filter(is).sort((one, other) => other.path.length - one.path.length)
  if (!fits.length && /^\$TMPDIR(?:\/|$)/.test(path)) return facts.places.find(({path}) => path === "$TMP_LOCAL") // Aire's
  return fits[0] ?? COMMON.find(is)
}
/** Does each node have its own? */
export const ofOneNode = place => Boolean(place?.one_node || (place?.job && !/SHARED/.test(place.path)))

/** [MiB, whether it is memory] of what a job can put there, or nothing where nobody knows. */
function roomOf(given, place) {
  const {job, nodes, option, facts, cores} = given
  const memory =
    job.memory_per_node ||
    ((job.memory_per_cpu ?? 0) * cores()) / (job.nodes || 1) ||
    (given.whole() && !given.wantsGpu ? Math.max(...nodes().map(([, node]) => node.memory ?? 0)) : 0) ||
    Math.max(0, ...given.gpus().map(([, gpu]) => gpu.share?.memory ?? 0)) * (job.gpus_per_node ?? job.gpus_total)
  const kinds = nodes().map(([key]) => key),
    asked = mebibytes(option("tmp")?.value ?? "") || 0
  if (place.in_memory) return [memory, true]
  if (place.memory_without_disk) return asked || kinds.every(key => facts.nodes[key].disk) ? [] : [memory, true]
  if (ofOneNode(place) && (asked || option("gres")?.value?.includes("nvme"))) return [asked, false]
  const sizes = kinds.map(key => (given.whole() && place.full?.[key]) || place.sizes?.[key] || place.size)
  return sizes.length && sizes.every(Boolean) ? [Math.max(...sizes), false] : []
}

const SIZE = /(\d{1,9}(?:[.,]\d+)?)\s*(TB|TiB|GB|GiB|T|G)\b/gi
const NO_DATA =
  /\d\s*[GT]i?B?\s*(?:of )?(?:memory|RAM)\b|\b(?:free|quota|limit|left|offers?|available|disk|GPU|VRAM|node|reserved?|up to|cores?|only|subset|part of|[GT]i?B of the|out of|instead|not|saves?)\b/i
/** What comments say of a command: beside it, above it without a blank line between, or with the name of its file. */
function commentsOn({lines}, {line, words}) {
  const files = words.map(base).filter(name => /^\w[\w-]*\.\w+/.test(name))
  const named = lines.filter(each => /^\s*#(?!!|SBATCH|\$)/.test(each) && files.some(file => each.includes(file)))
  const found = [/\s#(.*)$/.exec(lines[line - 1])?.[1] ?? "", ...named.map(each => each.replace(/^\s*#/, ""))]
  for (let at = line - 2; at >= 0 && lines[at].trim() && !lines[at].startsWith("#SBATCH"); at--)
    found.push(/^\s*#(?!!)(.*)$/.exec(lines[at])?.[1] ?? "")
  return found
}
const size = text => mebibytes((text ?? "").replace(/i?b$/i, "")) || 0
/** MiB of what a command copies, as a comment has it: `138 GB`, or `12 genomes of 60 GB each`. */
export function saidSize(given, command) {
  const text = commentsOn(given, command).find(each => each.search(SIZE) >= 0)
  if (
    !text ||
    NO_DATA.test(
      text.replace(/(?:to|on|onto) (?:the|each) node's (?:own )?disk|on the disk of each node|local disk|Lustre/gi, ""),
    )
  )
    return 0
  const found = [...text.matchAll(SIZE)].map(
    ([, number, unit]) => Number(number.replace(",", ".")) * size(`1${unit[0]}`),
  )
  const [, count] = /(?:^|[\s(])(\d+)\s*(?:x|×|\*|(?![TGMk]i?B\b)[a-z]{2,})/i.exec(text) ?? []
  const each = /\b(?:per|each|apiece|every)\b|[x×]\s*\d/i.test(text)
  return Math.min(...found) * (each ? Number(count ?? 0) : 1)
}
/** By program: [where, MiB] of what it is told to write. */
const WRITES = {
  ior: (words, perNode) => [
    optionValue(words, ["-o"]),
    size(optionValue(words, ["-b"])) * Number(optionValue(words, ["-s"]) ?? 1) * perNode,
  ],
  fio: words => [
    optionValue(words, ["--directory", "--filename"]),
    size(optionValue(words, ["--size"])) * Number(optionValue(words, ["--numjobs"]) ?? 1),
  ],
  fallocate: words => [words.at(-1), size(optionValue(words, ["-l", "--length"]))],
}
const WANTED = /maxdisk=(\d+[GT]B)/i
/** Programs that write what does not fit into memory, and the options for where. @type {[RegExp, string[]][]} */
const SPILLS = [
  [/^sort /, ["-T", "--temporary-directory"]],
  [/^(?:samtools|sambamba) sort /, ["-T", "--tmpdir"]],
  [/^fasterq-dump /, ["-t", "--temp"]],
]
const variableIn = (commands, name) =>
  commands
    .flatMap(({sets, words, name: own}) => [...sets, ...(own === "export" ? words.slice(1) : [])])
    .findLast(part => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
/** The model of a hub that a program loads. */
const hubModel = command =>
  payload(command)
    .map(word => word.replace(/^--?[\w-]+=/, ""))
    .find(word => /^[A-Za-z][\w-]*\/[\w.-]+$/.test(word) && weights(word))
/** More data than the place holds. */
function* tooMuch(given) {
  const {commands, known, job, say, expand, facts} = given
  if (!known) return
  const found = []
  const inputs = commands.flatMap(documents).join("\n")
  const cache = variableIn(commands, "HF_HOME")
  let here = ""
  for (const command of commands) {
    const {words} = command,
      name = program(command)
    if (name === "cd" && !command.fn) here = command.certain ? (words[1] ?? "") : ""
    if (fills(name, words)) {
      const last = COPIES.test(name) && name !== "tar" ? (words.at(-1) ?? "") : here
      const into = optionValue(words, ["-C", "-d", "--directory", "-P", "--target-directory", "-t"])
      found.push([command, into ?? (/^\.?\/?$/.test(last) ? here : last), saidSize(given, command)])
    }
    const spills = SPILLS.find(([of]) => of.test(words.join(" ")))?.[1]
    const temporary = spills && (optionValue(words, spills) ?? (name === "sort" ? "$TMPDIR" : null))
    const there = (temporary === "$TMPDIR" && variableIn(commands, "TMPDIR")) || temporary
    if (there) found.push([command, there, saidSize(given, command)])
    const downloads = /^(?:huggingface-cli|hf)$/.test(name) && words[1] === "download"
    const model = downloads ? words[2] : cache && hubModel(command)
    if (weights(model))
      found.push([
        command,
        optionValue(words, ["--local-dir", "--cache-dir"]) ?? cache ?? "$HOME/.cache",
        weights(model) * size("1G"),
      ])
    const [, own] =
      (name === "export" ? words.slice(1) : words.length ? [] : command.sets)
        .map(part => /^\w*(?:SCRATCH|SCRDIR|TMPDIR)\w*=(.+)$/.exec(part))
        .find(Boolean) ?? []
    if (own) found.push([command, own, saidSize(given, command)])
    const scratch = /^g(?:09|16)$/.test(name) && variableIn(commands, "GAUSS_SCRDIR")
    if (scratch && WANTED.test(inputs)) found.push([command, scratch, size(WANTED.exec(inputs)?.[1])])
    const [, path, told] = words.map(word => /=([/$~][^,]*),(\d+[GT]B)/.exec(expand(word))).find(Boolean) ?? [] // Gaussian's %RWF
    if (path) found.push([command, path, size(told)])
  }
  if (commands.some(({text}) => /\bior\b|\bfio\b|fallocate/i.test(expand(text))))
    for (const {words, command, launcher, tasks} of runsOf(given).runs) {
      const own = words.map(expand)
      const told = WRITES[base(own[0] ?? "")]?.(own, launcher ? Math.ceil((tasks ?? 1) / (job.nodes || 1)) : 1)
      if (told?.[0]) found.push([command, ...told])
    }
  for (const [command, path, size] of found) {
    const place = size && placeOf(given, path),
      [room, memory] = place ? roomOf(given, place) : []
    if (!room || size <= room * 1.05) continue
    const without = place.memory_without_disk ? " on nodes without a local disk" : ""
    const what = memory
      ? `${place.path} is in memory${without}, but ${gib(size)} does not fit into the job's ${gib(room)}.`
      : `${gib(size)} does not fit into ${place.path}, which has ${gib(room)} for this job.`
    const disk = place.memory_without_disk && Object.values(facts.nodes).some(node => node.disk)
    const bound = ofOneNode(place) || HOMES.test(place.path)
    const other = bound ? "Use scratch instead." : "Request a larger quota, or keep less there."
    const cure = disk ? "Request a local disk with --tmp, or use scratch." : other
    const kind = bound ? "fails" : "doubtful"
    return yield say("place-too-small", what, cure, command, {...STORAGE, kind})
  }
}

const RESUMES = /^-{1,2}(?:\w+[-_])?(?:checkpoint|ckpt|chk|restart|resume)(?:[-_](?:file|dir|path|from))?$/i
const MOVES = /^(?:cp|mv|rsync|tar|sgather|zip|gzip|pigz|install|rclone|bash|sh)$/
const NO_PROGRAM =
  /^(?:mkdir|cp|mv|rm|tar|rsync|ls|df|du|virtualenv|pip3?|unzip|make|cmake|wget|curl|git|ior|fio|cargo|go|ld|ar|\w*(?:cc|c\+\+|g\+\+|CC|clang|nvc|fortran|f90|ftn|ifx|ifort|rustc)(?:-[\d.]+)?)$/
const SRUN = /^(?:srun|mpirun|mpiexec)$/
const PART = /^(?:-w\S*|-N1|-n1|--nodelist\S*|--nodes=1|--ntasks=1)$/
// Directories that inputs name: Quantum ESPRESSO's, CP2K's and Gaussian's.
const IN_INPUTS = /(?:\boutdir\s*=\s*|\bPROJECT_NAME\s+|%chk=)["']?((?:\/|\$\{?\w)[^\s"',]*)/i
/** A directory that an input names, where what lies there is needed on all nodes, or after the job. */
function* inInputs(given) {
  const {commands, job, say, lines} = given
  for (const command of commands) {
    const [found, path] =
      documents(command)
        .map(text => IN_INPUTS.exec(text))
        .find(Boolean) ?? []
    const place = path && placeOf(given, path)
    if (!place) continue
    const chk = /^%chk/i.test(found)
    if (chk && place.job && !lines.some(line => /^\s*(?:cp|mv|rsync|tar|formchk)\s/.test(line) || /trap/.test(line))) {
      const what = `\`${path}\`: ${place.path} is deleted when the job ends, and nothing copies the checkpoint from there.`
      yield say("checkpoint-deleted", what, "Write it to scratch or project storage.", command, STORAGE)
    } else if (!chk && job.nodes > 1 && ofOneNode(place)) {
      const what = `\`${path}\` is on the local disk of each of the ${job.nodes} nodes, so no node sees the files of the others.`
      yield say("written-on-each-node", what, "Write to storage that all nodes can see.", command, STORAGE)
    }
  }
}

/** What programs write or resume from, on a disk that others do not see or that goes with the job. */
function* written(given) {
  const {job, commands, expand, say, lines} = given,
    text = lines.join("\n")
  const takesAway = each =>
    MOVES.test(program(each)) && each.words.slice(1, -1).some(word => !/^-/.test(word) && placeOf(given, word)?.job)
  const kept = /trap\b.*\b(?:cp|rsync|mv|tar)\b|sgather|pdsh|clush|\bssh\b/.test(text) || commands.some(takesAway)
  for (const [at, command] of commands.entries()) {
    for (const {words, through} of kept || command.background ? [] : programs(command)) {
      if (NO_PROGRAM.test(base(words[0] ?? "")) || through.some(({name}) => /^(?:parallel|xargs)$/.test(name))) continue
      const launcher = through.find(({name}) => SRUN.test(name))
      for (const [option, value] of optionsOf(words)) {
        const place = placeOf(given, value),
          path = `\`${expand(value)}\``
        if (!ofOneNode(place) && !place?.job) continue
        const apart = /PROCID|NODEID|LOCALID|hostname|HOSTNAME|%/.test(`${value} ${command.text}`)
        const gathers = each =>
          SRUN.test(expand(each.words[0] ?? "").split(" ")[0]) &&
          (MOVES.test(program(each)) || /\b(?:cp|mv|tar|rsync)\s/.test(each.words.at(-1) ?? ""))
        const everywhere = job.nodes > 1 && launcher && !launcher.words.some(word => PART.test(word))
        if (OUTPUT.test(option) && everywhere && ofOneNode(place)) {
          if (apart || commands.slice(at + 1).some(gathers)) continue
          const what = `${path} is on the local disk of each of the ${job.nodes} nodes, so there are ${job.nodes} different files.`
          return yield say("written-on-each-node", what, "Write to storage that all nodes can see.", command, STORAGE)
        }
        if (RESUMES.test(option)) {
          const gone = place.job
            ? "is deleted when the job ends"
            : "is on this node, and the next job may get a different one"
          const what = `${path} is in ${place.path}, which ${gone}, so the next job finds no checkpoint.`
          return yield say(
            "checkpoint-deleted",
            what,
            "Write checkpoints to scratch or project storage.",
            command,
            STORAGE,
          )
        }
      }
    }
  }
}

const ARCHIVE = /(?:^|[/_.-])(?:archives?|keep|permanent|long[-_]?term|backups?|vault|safe)(?=[/_.-]|$)/i
const MEANT =
  /\b(?:archiv\w+|long[- ]term|for good|permanent\w*|next year|backup|safe ?keeping|for the (?:paper|thesis)|years)\b/i
const PACKED = /\.(?:tar|tgz|zip|tar\.\w+)$/
/** The archive that a command writes. @param {Command} command */
const packed = ({name, words}) =>
  name === "zip" || (name === "tar" && /^-?\w*c|^--create/.test(words[1] ?? ""))
    ? words.find(word => PACKED.test(word))
    : null
/** What is to be kept goes where unused files are deleted. */
function* archived(given) {
  const {commands, expand, say, name} = given
  const purged = word => placeOf(given, word ?? "")?.deleted_after
  for (const command of commands) {
    if (command.words.length < 3) continue
    const to = copiesToLast(command.name) ? command.words.at(-1) : packed(command)
    if (!to || !purged(to) || !(ARCHIVE.test(expand(to)) || MEANT.test(commentsOn(given, command).join(" ")))) continue
    const later = each => each.line > command.line && /^(?:cp|rsync|mv|tar|rclone|globus|scp)$/.test(each.name)
    if (commands.some(each => later(each) && !purged(each.words.at(-1)))) continue
    const what = `${name} deletes files in \`${expand(to)}\` that nobody has used for ${many(purged(to), "day")}.`
    const cure = "Keep the files in project storage, or copy them off the system."
    return yield say("archive-where-files-are-deleted", what, cure, command, {group: "storage"})
  }
}

/** Results where the operator wants none. */
function* unwelcome(given) {
  const {commands, expand, say, name} = given
  for (const command of commands) {
    const copies = copiesToLast(command.name) ? command.words.slice(2).slice(-1) : [packed(command) ?? ""]
    const options = programs(command).flatMap(({words}) => optionsOf(words).filter(([option]) => OUTPUT.test(option)))
    const target = [...copies, ...options.map(([, value]) => value)].find(
      word => placeOf(given, word)?.no_results && !/\/\.|env|\/(?:bin|lib|src|software)\b/i.test(expand(word)),
    )
    if (!target) continue
    const what = `\`${expand(target)}\` is in your home, but on ${name}, jobs must not write results there.`
    return yield say("results-in-home", what, "Write to scratch.", command, {group: "storage"})
  }
}

const FEW = 200_000 // files; an environment of conda alone has some tens of thousands
/** An environment of conda, where the quota of files is small. */
function* environments(given) {
  const {commands, say, name} = given
  for (const {command, words} of commands.flatMap(command => programs(command).map(({words}) => ({command, words})))) {
    const [tool, verb, second] = [base(words[0] ?? ""), words[1], words[2]]
    const installer = /^(?:bash|sh)$/.test(tool) && /(?:ana|mini)conda|miniforge|mambaforge/i.test(verb ?? "")
    const makes =
      /^(?:conda|mamba|micromamba)$/.test(tool) && (verb === "create" || (verb === "env" && second === "create"))
    if (!makes && !installer) continue
    const place = placeOf(given, optionValue(words, ["-p", "--prefix"]) ?? "$HOME/.conda")
    if (!place?.files || place.files > FEW) continue
    const what = `a conda environment has tens of thousands of files, and ${place.path} on ${name} allows at most ${thousands(place.files)}.`
    yield say("too-many-files", what, "Build the environment into a container image.", command, {group: "storage"})
    return
  }
}

export const ideas = [tooMuch, written, archived, unwelcome, environments, inInputs]
