// Scripts inside a script that moves: those that a here-document holds, and the jobs that a command submits.
import {readScript} from "../script/read.js"
import {expander} from "../script/variables.js"
import {parts} from "../script/submissions.js"
import {gib} from "./amounts.js"
import {todo} from "./entries.js"
import {documents} from "./environment.js"
import {endless} from "./loops.js"
import {PARTITION, escaped, partitionsIn, inModule} from "./leftovers.js"
import {usualMemory} from "./nodes.js"
import {OWN_DISK, WORK} from "./places.js"
import {diskOf, ifMore, room as roomOf} from "./sizes.js"
import {runBy} from "./unknown.js"

const MARK = "\uE100"
const OPTIONS =
  /\s(?:-[pACqtGNncw]\s*\S+|--(?:partition|account|constraint|qos|time|gres|gpus|mem|nodes|ntasks|cpus|nodelist|reservation)[\w-]*[= ]\S+)/

const AGAIN = /^(?:--(?:dependency|array|export|begin)|-[dab])/ // which a job gives to the next of its kind

// In a here-document that the shell reads, its own signs stand behind a backslash.
const inner = text =>
  text
    .replace(/\\\$/g, "\uE010")
    .replace(/\$/g, "\uE011")
    .replace(/\uE010/g, "$")
    .replace(/\\\\/g, "\\")
const outer = text => text.replace(/[\\$]/g, "\\$&").replace(/\uE011/g, "$")
/** Does the shell that writes the script compute this value? */
export const computed = value => (value ?? "").includes("\uE011")

const CONSTANT = /^\s*(?:(?:export|readonly)\s+)?([A-Za-z_]\w*)=["']?([\w.:-]+)["']?\s*(?:#.*)?$/

/** The inner text with the values that the script around it gives once, such as its project's name. */
function withConstants(text, around) {
  const given = around.flatMap(line => CONSTANT.exec(line)?.slice(1, 3) ?? []) // names and values
  const once = name =>
    around.join("\n").match(RegExp(`(?<![\\w$])${name}\\+?=|\\b(?:for|read) (?:.*\\s)?${name}\\b`, "g"))?.length === 1
  return text.replace(/\uE011(?:\{(\w+)\}|(\w+))/g, (whole, braced, name = braced) => {
    const at = given.findIndex((each, place) => place % 2 === 0 && each === name)
    return at >= 0 && once(name) ? given[at + 1] : whole
  })
}

/** The text with a mark in place of each script that a here-document holds, and those: {lines, quoted}. */
export function apart(text) {
  const lines = text.split("\n"),
    scripts = []
  for (const [first, last] of documents(lines).reverse()) {
    const own = lines.slice(first + 1, last)
    if (!own.some(line => /^#SBATCH\s/.test(line)) || !own[0].startsWith("#!")) continue
    const quoted = /<<-?\s*["'\\]/.test(lines[first])
    scripts.unshift({lines: own, quoted})
    lines.splice(first + 1, own.length, MARK)
  }
  return {text: lines.join("\n"), scripts}
}

/**
 * The lines of the whole, with the scripts where they were.
 * @param {{from: string | null, text: string | null, reason: string}[]} lines @param {any[]} scripts
 * @param {(text: string) => {lines?: any[], impossible: Entry[]}} move @param {Entry[]} impossible UPDATED
 */
export function together(lines, scripts, move, impossible) {
  let next = 0
  const around = lines.map(each => each.from ?? "")
  return lines.flatMap(each => {
    if (each.from !== MARK) return [each]
    const {lines: own, quoted} = scripts[next++]
    const found = move(`${quoted ? own.join("\n") : withConstants(own.map(inner).join("\n"), around)}\n`)
    for (const each of found.impossible)
      impossible.push(/** @type {Entry} */ (JSON.parse(JSON.stringify(each).replace(/\uE011/g, "$"))))
    let at = 0
    return (found.lines ?? own.map(text => ({from: text, text, reason: ""}))).map(line => {
      const from = line.from === null ? null : own[at++]
      const same = line.from === line.text || !found.lines
      return {...line, from, text: same ? from : quoted || line.text === null ? line.text : outer(line.text)}
    })
  })
}

const ACCOUNT =
  /((?<![\w-])(?:--account[= ]|-A\s|\w*(?:[Aa]ccount|ACCOUNT|project|allocation)["']?\s*[=:]\s*)["']?)([a-zA-Z][\w-]*)(?![\w-])/g
const ACCOUNT_OPTION = /^(?:-A|--account)[= ]?(\S+)/
const GRES = /(\s?--gres[= ])([\w:.,=]+)/
const SCRATCH = /((?:^|[;{])\s*(?:process\.)?scratch\s*=\s*)["']\$\{?(\w+)\}?["']/
// The memory of a task, as Nextflow and Snakemake write it.
const TASK_MEMORY = /((?<![\w-])(?:memory\s*[:=]\s*["']?|mem_[mg]b\s*[:=]\s*))(\d+)(\s?\.?[MGT]B\b)?/g
const UNITS = {m: 1, g: 1024, t: 1024 ** 2}
const DISKS = ["SLURM_TMPDIR", "TMPDIR", "LOCAL_SCRATCH", "TMP_LOCAL"].map(name => `$${name}`)

const ofSubmission = (lines, at) =>
  /\bsbatch\s/.test(lines[at]) || (at > 0 && lines[at - 1].endsWith("\\") && ofSubmission(lines, at - 1))

/**
 * What a line of the script asks for other jobs, as a workflow's configuration or a command does.
 * @param {Set<string>} impossible UPDATED @returns {(line: string) => [string, string]} the line there, and why
 */
export function nestedOf(from, to, job, lines, impossible) {
  const names = new Set(lines.flatMap(line => partitionsIn(line).map(found => found[1])))
  const rooms = to.move.partitions.filter(room => names.has(room.name))
  const nodes = (rooms.length ? rooms : to.move.partitions).flatMap(room => room.nodes)
  const kinds = new Set(nodes.flatMap(name => Object.keys(to.move.nodes[name].gres)))
  const submits = new Set(lines.filter((line, at) => / --gres/.test(line) && ofSubmission(lines, at)))
  const disks = [...DISKS, ...from.move.places.filter(([kind]) => kind === OWN_DISK).map(([, path]) => path)]
  const disk = to.move.places.find(([kind, path]) => kind === OWN_DISK && path[0] === "$")
  const place = to.move.places.find(([kind]) => kind === WORK)?.[1].replace(/<\w+>/, job.newAccount) ?? "scratch"
  const {endings = []} = to.advice?.account ?? {}
  const {endings: old = []} = from.advice?.account ?? {}
  const workflow = WORKFLOW.test(lines.join("\n"))
  const [before, usual] = [from, to].map(({move}) => usualMemory(move))
  const bare = name => old.reduce((text, ending) => text.replace(RegExp(`${ending}$`), ""), name ?? "")
  return line => {
    const reasons = []
    let now = line.replace(ACCOUNT, (whole, begin, account) => {
      const listed = endings.length && /slurm_account/.test(begin) // as Snakemake wants it
      const there = job.newAccount + (listed ? (old.find(each => account.endsWith(each)) ?? endings.at(-1)) : "")
      if (!job.account || bare(account) !== bare(job.account) || account === there) return whole
      if (!job.newAccount && /^-/.test(begin)) {
        reasons.push(`${to.name} documents no accounts.`)
        return ""
      }
      if (!job.newAccount) {
        impossible.add(`\`${whole}\` is an account of ${from.name}, but ${to.name} documents no accounts. Remove it.`)
        return whole
      }
      if (bare(job.account) !== job.newAccount) reasons.push(`Replace this with your account on ${to.name}.`)
      if (listed)
        reasons.push(
          `Snakemake requires the account as Slurm lists it, with ${endings.map(each => `\`${each}\``).join(" or ")}.`,
        )
      return begin + there
    })
    if (now !== line && !reasons.length) reasons.push("Slurm adds the rest to the account itself.")
    if (reasons.length && !job.newAccount) now = now.replace(/(?<=\S) {2}(?=\S)/, " ")
    now = now.replace(GRES, (whole, begin, list) => {
      const left = list.split(",").filter(each => /^gpu\b/.test(each) || kinds.has(each.split(/[:=]/)[0]))
      if (submits.has(line) || left.length === list.split(",").length) return whole
      reasons.push(`${rooms.length ? "No node of this partition" : `No node of ${to.name}`} has this resource.`)
      const most = Math.min(...rooms.map(room => diskOf(to, {array: null}, {room})?.mib ?? Infinity))
      if (most < Infinity && disk)
        impossible.add(
          `The script's own jobs requested \`${list}\`, and have ${roomOf(most)} in ${disk[1]} on ${to.name}. ${ifMore(place)}`,
        )
      return left.length ? begin + left.join(",") : ""
    })
    const [, , name] = SCRATCH.exec(now) ?? []
    if (name && disks.some(path => path === `$${name}`)) {
      now = now.replace(SCRATCH, disk && !disk[2].memory && !disk[2].diskless ? `$1'${disk[1]}'` : "$1false")
      reasons.push(
        disk ? `Each task uses ${disk[1]} of its own node.` : `Nodes of ${to.name} have no local disk for tasks.`,
      )
    }
    if (workflow)
      now = now.replace(TASK_MEMORY, (whole, begin, number, unit = "") => {
        const each = UNITS[/[mgt](?=b)/i.exec(unit || begin.slice(4))?.[0].toLowerCase()]
        const mib = Number(number) * each
        if (!(mib > usual) || mib > before) return whole
        const most = Math.floor(usual / each)
        if (mib * 0.97 <= usual) {
          reasons.push(`The usual nodes of ${to.name} have ${gib(usual)} of memory.`)
          return begin + most + unit
        }
        const larger = Object.values(to.move.nodes).some(({memory}) => memory >= mib)
        impossible.add(
          `\`${whole}\`: the usual nodes of ${to.name} have ${gib(usual)} of memory. If a job needs no more, write ${most}${unit}, because ${larger ? "one with more waits for the few larger nodes" : "no node has more"}.`,
        )
        return whole
      })
    return [now, reasons.join(" ")]
  }
}

// A program that submits jobs itself.
const WORKFLOW =
  /\bexecutor\s*=\s*["']slurm|--executor[= ]slurm|\bsnakemake\b.{0,999}\s--slurm\b|\b(?:SLURMCluster|SlurmProvider)\(/
const OF_GRID_ENGINE =
  /^[^#\n]*?(?:\bexecutor\s*[= ]\s*["']?(?:sge|uge|drmaa)\b|--(?:cluster|drmaa)[ =]["']?\s?-?(?:qsub|V|cwd)\b|\bSGECluster\(|\bGridEngineProvider\(|\bclustermq\.scheduler\s*=\s*["']sge)/im
const base = system => system.name.split("/")[0]
/** The files with the settings of a workflow's jobs, which are for one system. */
const SETTINGS = [
  /\bnextflow\b[^;|&]{0,999}?\s-[cC]\s+(\S+)/,
  /\bsnakemake\b[^;|&]{0,999}?\s--(?:workflow-)?profile[= ]\s*(\S+)/,
  /\bsnakemake\b[^;|&]{0,999}?\s(?:-u|--cluster-config)[= ]\s*(\S+)/,
]

/**
 * What is said of the commands that submit jobs.
 * @param {string[]} given the old script's lines @param {string} all its text, with the comments at its head
 * @param {(options: string[], alone: boolean) => {gone: string[], come: string[], none?: string}} plan
 *   what becomes of options of sbatch
 * @param {string[]} told the options that it names, UPDATED
 */
export function* submitted(from, to, given, all, plan, told) {
  const lines = given
    .join("\n")
    .replace(/\\\n\s*/g, " ")
    .split("\n")
  const shell = readScript(given.join("\n"))
  const expand = expander(shell.commands)
  const made = new Set(
    shell.commands.flatMap(({name, words, redirects}) => [
      ...redirects.filter(({op}) => />/.test(op)).map(({target}) => expand(target.text)),
      ...(name === "tee" ? words.slice(1).map(expand) : []),
    ]),
  )
  const written = file =>
    made.has(expand(file)) || RegExp(`(?:>|\\btee)\\s*["']?${escaped(file)}(?![\\w.])`).test(given.join("\n"))
  for (const line of lines.filter(each => !/^\s*#/.test(each)))
    for (const [, file] of SETTINGS.flatMap(each => [each.exec(line) ?? []]))
      if (file && !written(file))
        yield todo.script`\`${file}\` may name accounts, partitions and resources of ${from.name}. Change them for ${to.name}.`
  if (/\bsnakemake\b.*\s--use-envmodules\b/.test(lines.join("\n")))
    yield `With \`--use-envmodules\`, the Snakefile names modules of ${from.name}. Change them for ${to.name}.`
  const command = from.kind === "slurm" ? "sbatch" : "qsub"
  const [engine] = (from.kind !== "slurm" && OF_GRID_ENGINE.exec(given.join("\n"))) || []
  if (engine)
    yield `\`${engine.trim().split("\n")[0]}\` submits jobs to Grid Engine. Write \`slurm\` or Slurm's class or command instead, and change queues and resources for ${to.name}.`
  const ofItself = file =>
    RegExp(`^\\s*#.*\\b${command}\\s(?:.*[\\s/])?${escaped(file.split("/").at(-1))}(?![\\w.])`, "m").test(all)
  if (to.advice?.submit !== false) yield* endless(shell, given.join("\n"), ofItself, to.name)
  const text = lines.filter(each => !/^\s*#/.test(each)).join("\n")
  // nf-core's configurations: github.com/nf-core/configs, conf/alliance_canada.config
  const names = from.move.centre === to.move.centre ? base(from) : `(?:${base(from)}|${from.move.centre}_\\w+)`
  const [, profile] = RegExp(`\\bnextflow\\b.*\\s(-profile\\s+\\S*\\b${names}\\b)`, "i").exec(text) ?? []
  if (profile) yield `\`${profile}\` is for ${from.name}. Use one for ${to.name}, or write your own configuration.`
  const same = option => RegExp(`^#SBATCH\\s.*[ =]${escaped(option.split(/[= ]/).at(-1))}(?:\\s|$)`, "m").test(all)
  const needs = to.move.account.rule === "required" && from.move.account.rule !== "required"
  const lacks = [
    needs && !/account|\s-A\s/i.test(text) && "an account",
    to.move.partition === "required" && text.search(PARTITION) < 0 && !/\bqueue\s*=/.test(text) && "a partition",
  ].filter(Boolean)
  const {endings = [], sample} = to.advice?.account ?? {}
  const [, own = sample] = /\bslurm_account\s*[=:]\s*["']?([\w-]+)/.exec(text) ?? []
  const checks = // told of an account that it names where that is changed
    endings.length > 0 && /\bsnakemake\b/.test(text) && WORKFLOW.test(text)
  // github.com/snakemake/snakemake-executor-plugin-slurm, blob/18fb815, accounts.py, and the Alliance's Job scheduling policies
  if (checks && own === sample)
    yield `Snakemake accepts only accounts as Slurm lists them. On ${to.name}, these end in ${endings.map(each => `\`${each}\``).join(" or ")}. Write \`slurm_account=ACCOUNT${endings.at(-1)}\`, with your account as ACCOUNT, and \`${endings[0]}\` for rules with GPUs.`
  if (lacks.length && WORKFLOW.test(text))
    yield `The jobs that this script submits need ${lacks.join(" and ")} on ${to.name}. Add ${lacks.length > 1 ? "both" : "it"} to the workflow's settings.`
  for (const whole of lines) {
    const call = RegExp(`(?:^|[\\s;&|(\`"'])${command}\\s`).exec(whole)
    if (!call || /^\s*#/.test(whole)) continue
    const line = expand(whole)
    const [, named] =
      RegExp(`\\b${command}\\b.*?\\s["']?([\\w\${}~./-]+\\.(?:sh|slurm|sbatch|job|sub|sge))\\b`).exec(line) ?? []
    const quote = /["'`]/.exec(call[0])?.[0] // a command in a string
    const known = /\$\(|`/.test(line) ? whole : line // the rest of a value is not read
    const part = quote ? `[^${quote}]` : `(?:"[^"]*"|'[^']*'|\\$\\(\\([^()]*\\)\\)|[^;&|)#\`])`
    const [text = ""] = RegExp(`\\bsbatch\\s${part}*`).exec(known) ?? []
    const words = command === "sbatch" ? (readScript(text).commands[0]?.words ?? []) : []
    const {options, wrap, rest} = parts(words)
    const file = named ?? /^[\w./-]+$/.exec(wrap === null ? (rest[0] ?? "") : "")?.[0]
    const account = needs && !options.some(each => /^(?:-A|--account)/.test(each))
    const itself = file && ofItself(file)
    if (itself && to.advice?.submit !== false)
      yield `The script submits \`${file}\`, which is its own name in a comment. Save the new script there, because the job submits the old one otherwise.`
    else if (file && !itself && !written(file)) {
      const why = account ? `, because jobs on ${to.name} need an account` : ""
      const another = options.some(each => !AGAIN.test(each) && !same(each)) // it has other options than this job
      const save = to.advice?.submit === false ? "" : " If it is this script, save the new one under this name."
      const rest = another
        ? `, too. Move it as well${why}.`
        : `.${save} ${save ? "If it is another" : "Unless it is this one"}, move it as well${why}.`
      yield todo.script`\`${file}\` is a script for ${from.name}${rest}`
    }
    if (!options.some(each => OPTIONS.test(` ${each}`))) continue
    const there = plan(options, wrap !== null)
    if (there.none) yield there.none
    const [, own] = options.map(each => ACCOUNT_OPTION.exec(each)).find(Boolean) ?? []
    const done = own && RegExp(`^#SBATCH\\s.*(?:-A|--account)[= ]?${escaped(own)}\\b`, "m").test(all) // as nestedOf does
    const [gone, come] = [there.gone, there.come]
      .map(each => each.filter(option => !done || !ACCOUNT_OPTION.test(option)))
      .map(each => each.length && `\`${each.join(" ")}\``)
    if (gone || come)
      yield !come
        ? `In the command sbatch, remove ${gone}, which ${to.name} does not accept.`
        : `In the command sbatch, write ${come}${gone ? ` instead of ${gone}` : ""} on ${to.name}.`
    told.push(...there.gone)
  }
  for (const file of runBy(given).scripts)
    if (from.move.mpiIo?.includes(file))
      yield `\`${file}\` is only for MPI-IO on ${from.name}. Remove the line that runs it.`
    else if (!written(file) && !inModule(file) && !/\/conda\.sh$/.test(file))
      yield todo.script`The script runs \`${file}\`, which we did not read. Look in it for ${from.name}'s paths, modules and options.`
}
