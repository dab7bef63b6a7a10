// Advice about data that stays behind: on the first node, on a disk that goes with the job; and tasks that do the same.
import {FILES, isTool} from "./case.js"
import {BUILDS} from "./cores.js"
import {ofOneNode, placeOf} from "./disks.js"
import {runsOf} from "./runs.js"
import {OUTPUT, optionsOf} from "../rules/data.js"
import {differs, isArray, varying} from "../rules/work.js"
import {COPIES, base, copiesToLast, documents, payload, program, started} from "../script/payload.js"

const SPREAD = /^(?:srun|mpirun|mpiexec|pdsh|clush|ssh)$/
const FILLS = /^(?:cp|tar|rsync|unzip|virtualenv|git|wget|curl)$/
const INSIDE = /\b(?:cp|tar|rsync|unzip|venv|virtualenv|scp|mv)\b/
const ONE = /\s(?:-N\s?1|--nodes=1|-n\s?1|--ntasks=1|-w|--nodelist)(?=[\s=]|$)/
const BENCHMARKS = /^(?:ior|fio|iozone|mdtest|dd)$/i

const plain = path => path.replace(/\$\{(\w+)\}/g, "$$$1")
/** What a command fills with data: the path, or null. */
function filled({name, words}) {
  const given = payload({words})
  const option = optionsOf(given).find(([each]) => /^-(?:C|d|p|-prefix|-directory)$/.test(each))
  if (FILLS.test(name) || /^-m (?:venv|virtualenv)/.test(given.slice(1, 3).join(" ")) || /^(?:conda|mamba)$/.test(name))
    return option?.[1] ?? given.slice(1).findLast(word => !word.startsWith("-")) ?? null
  return null
}
const spread = command => started(command.words).through.find(({name}) => SPREAD.test(name)) ?? null
const everything = ({tokens, redirects}) => [...tokens.map(({text}) => text), ...documents({redirects})].join(" ")

function* nodesWithout(given) {
  const {job, kind, commands, lines, expand, say} = given
  if (kind !== "slurm" || !(job.nodes > 1) || lines.some(line => /sbcast|--bcast|\bpdsh\b|\bclush\b/.test(line))) return
  const place = word => placeOf(given, word ?? "")
  const there = commands.filter(each => spread(each) && !ONE.test(each.text))
  for (const command of commands) {
    const path = command.certain && !spread(command) ? filled(command) : null
    if (!path || !ofOneNode(place(path)) || (/^(?:git|wget|curl)$/.test(command.name) && !path.startsWith("$")))
      continue
    const own = plain(expand(path)).replace(/\/$/, "")
    const uses = text => {
      const found = plain(expand(text)).replaceAll('"', "")
      return found.includes(`${own}/`) || found.split(/[\s=]+/).includes(own)
    }
    const active = commands.some(
      ({name, words}) =>
        /^(?:source|\.)$/.test(name) && plain(expand(words[1] ?? "")).startsWith(`${own}/bin/activate`),
    )
    const read = there.find(
      each =>
        each.line > command.line &&
        (uses(each.words.join(" ")) ||
          (active && /^(?:python[\d.]*|torchrun|accelerate|deepspeed|pytest|ray)$/.test(program(each)))),
    )
    // The other nodes may get it in a step.
    const below =
      read &&
      plain(expand(read.words.join(" ")))
        .split(/[\s="]+/)
        .filter(word => word.startsWith(own))
    const inside = there
      .map(everything)
      .filter(text => INSIDE.test(text))
      .map(text => plain(expand(text)))
    if (!read || inside.some(text => !below.length || below.some(word => text.includes(word)))) continue
    const what = `this line fills \`${path}\` only on the first of ${job.nodes} nodes, but \`${program(read)}\` on line ${read.line} reads it on all.`
    const cure = "Run the line once on each node: srun --ntasks-per-node=1 --ntasks=$SLURM_JOB_NUM_NODES ..."
    yield say("staged-on-one-node", what, cure, command, {group: "storage", kind: "fails"})
    return
  }
  for (const [at, command] of commands.entries()) {
    const path = command.name === "cd" && command.certain && !command.fn ? (command.words[1] ?? "") : ""
    if (!path || !ofOneNode(place(path)) || place(path)?.path === expand(path)) continue
    const own = plain(expand(path)).replace(/\/$/, "")
    const made = commands.slice(0, at).some(
      each =>
        each.certain &&
        !spread(each) &&
        (each.name === "mkdir" || FILLS.test(each.name)) &&
        each.words.slice(1).some(word => {
          const path = plain(expand(word)).replace(/\/$/, "")
          return path === own || (FILLS.test(each.name) && ofOneNode(place(word)) && own.startsWith(`${path}/`))
        }),
    )
    const behind = commands.slice(at + 1)
    const end = behind.findIndex(({name}) => /^(?:cd|pushd|popd)$/.test(name))
    const starts = (end < 0 ? behind : behind.slice(0, end)).find(each => there.includes(each))
    const elsewhere = starts && / (?:-D|--chdir|-wdir|--wdir)/.test(starts.text)
    if (!made || !starts || elsewhere || commands.some(each => spread(each) && /\bmkdir\b/.test(everything(each))))
      continue
    const what = `\`${path}\` exists only on the first of the ${job.nodes} nodes, but \`${program(starts)}\` (line ${starts.line}) starts on all of them.`
    const cure = "Use a directory that all nodes can see, in scratch or project storage."
    yield say("staged-on-one-node", what, cure, command, {group: "storage"})
    return
  }
  for (const command of commands) {
    const words = command.certain && !spread(command) && /^(?:cp|rsync|mv|tar)$/.test(command.name) ? command.words : []
    const from = words
      .slice(1)
      .find((word, at, all) => ofOneNode(place(word)) && (at < all.length - 1 || command.name === "tar"))
    const target = words.at(-1) ?? ""
    const wrote =
      from &&
      !ofOneNode(place(target)) &&
      there.find(
        each =>
          each.line < command.line &&
          optionsOf(each.words).some(([name, value]) => OUTPUT.test(name) && ofOneNode(place(value))),
      )
    if (!wrote || /-\w*x/.test(words[1])) continue
    const what = `each node has its own \`${from}\`, but this line copies only what the first node wrote.`
    yield say("results-of-one-node", what, "Copy the files on each node: srun --ntasks-per-node=1 ...", command, {
      group: "storage",
      kind: "fails",
    })
    return
  }
}

function* leftBehind(given) {
  const {commands, lines, name, expand, say} = given
  const place = word => placeOf(given, word ?? "")
  const inside = commands.find(each => each.name === "cd" && ofOneNode(place(each.words[1] ?? "")))
  const brings = ({name, words}) =>
    name === "cd" || COPIES.test(program({words})) || words.some(word => /^\.\//.test(word))
  if (inside && commands.slice(commands.indexOf(inside) + 2).some(brings)) return
  for (const [at, command] of commands.entries()) {
    const own = program(command)
    if (
      !own ||
      isTool(own) || // what curl fetches is an input
      BUILDS.test(own) ||
      BENCHMARKS.test(base(expand(own))) ||
      command.fn ||
      command.background
    )
      continue
    const [option, path] =
      optionsOf(payload(command)).find(
        ([each, value]) => OUTPUT.test(each) && (place(value)?.job || place(value)?.one_node),
      ) ?? []
    if (!path) continue
    const where = place(path)
    const same = word => plain(expand(word ?? "")) === plain(expand(path))
    if (commands.slice(0, at).some(each => same(filled(each)))) continue // an input
    const root = plain(expand(path))
      .split("/")
      .slice(0, where.path.split("/").length + (where.path.startsWith("$") ? 0 : 1))
      .join("/")
    const within = text => plain(expand(text)).includes(root) || text.includes(where.path.replace(/^\$/, ""))
    const later = commands.filter((each, place) => place !== at && (place > at || each.fn || each.name === "trap"))
    const used = later.some(
      each => !/^(?:echo|printf|rm|ls|du|mkdir|export|rmdir)$/.test(each.name) && within(everything(each)),
    )
    if (used || lines.some(line => /^\s*(?:function\s|\w+\s*\(\))/.test(line) && within(line))) continue
    const what = where.job
      ? `${option} writes to ${where.path}, which is deleted when the job ends, and nothing copies it.`
      : `${option} writes to ${where.path}, which is the disk of one node on ${name}, and nothing copies it.`
    yield say("results-in-a-temporary-directory", what, "Write to scratch, or copy the results at the end.", command, {
      group: "storage",
      kind: "fails",
    })
    return
  }
}

const READS_VARIABLES =
  /^(?:python[\d.]*|Rscript|R|julia|matlab|octave|perl|ruby|node|java|(?:ba|z)?sh|torchrun|accelerate|deepspeed|nextflow|snakemake|make)$/
/** Tasks of an array that do nothing with their number. */
function* sameWork(given) {
  const {option, lines, commands, say} = given
  const array = option("array", "t")
  const own = lines.filter(line => !line.startsWith("#")).join("\n")
  if (!array || !/^[\d,:-]*[-,][\d,:-]*(?:%(?!1$)\d+)?$/.test(array.value ?? "")) return
  if (
    /TASK_ID|ARRAY_|RANDOM|JOB_?ID|\$\$|\$\(date|mktemp|flock|shuf|dask|wandb agent/.test(own) ||
    commands.some(({name}) => /^(?:source|\.|eval)$/.test(name))
  )
    return
  const runs = runsOf(given).runs.filter(({name}) => !FILES.has(name))
  const told = runs.some(({words}) => words.some(word => word.startsWith("-")))
  const may = runs.some(({name}) => READS_VARIABLES.test(name)) // its own code may ask for the number
  if (!told || !runs.every(({entry, name}) => entry || /^gmx/.test(name) || READS_VARIABLES.test(name))) return
  if (may && !runs.every(({words}) => words.some(word => OUTPUT.test(word.split("=")[0])))) return
  const what = `nothing in the script uses $SLURM_ARRAY_TASK_ID, so all tasks of ${array.written} do the same work and write the same files.`
  const cure = "Use the number in the name of a directory or an input file, or remove the option."
  yield say("array-number-unused", what, cure, array, {kind: may ? "doubtful" : "unwise"})
}

/** Tasks of an array that write the same names into a directory that those on one node may share. */
function* sharedByTasks(given) {
  const {commands, option, name, say, whole} = given
  const array = option("array", "t")
  if (!array || !isArray({options: [array]}) || /%1$/.test(array.value ?? "") || whole()) return
  const variables = varying(commands)
  const one = word => Boolean(word) && placeOf(given, word)?.shared_directory && !differs(word, variables)
  for (const command of commands) {
    const words = payload(command)
    const [tool = "", ...rest] = words
    const copied = rest.filter(word => !word.startsWith("-")).slice(0, -1)
    const copies = copiesToLast(tool) && !copied.every(word => differs(word, variables))
    const paths = [
      ...(copies ? rest.slice(-1) : []),
      ...(/^(?:cd|pushd|mkdir)$/.test(tool) ? rest.slice(-1) : []),
      ...(/^(?:tar|unzip)$/.test(tool) ? [filled({name: tool, words})] : []),
      ...command.redirects.filter(({op}) => op === ">" || op === "&>").map(({target}) => target.text),
      ...optionsOf(words).flatMap(([each, value]) => (OUTPUT.test(each) ? [value] : [])),
    ]
    const path = paths.find(one)
    if (!path) continue
    const what = `tasks of the array that run on one node of ${name} may share \`${path.replace(/\/$/, "")}\`, and overwrite each other's files.`
    const cure = "Use a directory with the task's number: mkdir -p $TMPDIR/$SLURM_ARRAY_TASK_ID."
    return yield say("array-one-disk", what, cure, command, {group: "storage", kind: "doubtful"})
  }
}

export const ideas = [sameWork, nodesWithout, leftBehind, sharedByTasks]
