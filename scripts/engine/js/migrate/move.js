// A job script for one system becomes one for another: each change with its reason.
import {schedulerOf} from "../schedulers/registry.js"
import {readScript} from "../script/read.js"
import {submissionsOf} from "../script/submissions.js"
import {expander} from "../script/variables.js"
import {giveAccount} from "./account.js"
import {moveBody} from "./body.js"
import {compiles, toBuild} from "./builds.js"
import {withoutBuffer} from "./burst_buffer.js"
import {changesOf} from "./changes.js"
import {loadTool} from "./containers.js"
import {directiveLines} from "./directive_lines.js"
import {entries} from "./entries.js"
import {fromGridEngine} from "./grid_engine_options.js"
import {jobOf, sizes} from "./job.js"
import {ROLES, needOf} from "./need.js"
import {planOf} from "./plan.js"
import {named} from "./module_variables.js"
import {needOfScript} from "./script_need.js"
import {diskOf} from "./sizes.js"
import {fromSlurm} from "./slurm_options.js"
import {apart, submitted, together} from "./submissions.js"
import {runBy, withSteps} from "./unknown.js"

const OTHER_LANGUAGE = /^#!.*\b(t?csh|fish|python[\d.]*|perl|Rscript|julia|ruby)\b/

const nothing = text => ({script: "", changes: [], impossible: [{text}]})

/**
 * @param {System} from the system that the script is for
 * @param {System} to the other system; both with their part `move`
 * @param {string} text the script
 * @returns {{script: string, changes: {line: number|null, from: string, to: string,
 *   reason: string}[], impossible: string[]}} `script` is empty where nothing there takes
 *   the job; `impossible` says what cannot be moved. A change without a line is a new line.
 */
export function move(from, to, text) {
  const found = moveTold(from, to, text)
  return {...found, impossible: found.impossible.map(each => each.text)}
}

/** The same, where `impossible` is a list of entries. */
export function moveTold(from, to, text) {
  if (text.includes("\r\n")) {
    const found = moveTold(from, to, text.replace(/\r\n/g, "\n"))
    const reason = "Windows line endings are removed, because schedulers reject them."
    return found.script ? {...found, changes: [{line: null, from: "", to: "", reason}, ...found.changes]} : found
  }
  if (!text.trim()) return nothing("The file is empty.")
  if (from.name === to.name) return nothing(`The script is for ${to.name}. Name another system to which it moves.`)
  if (to.kind !== "slurm") {
    const why = from.kind === "slurm" ? ", which has no equivalent for many Slurm options" : ""
    return nothing(`${to.name} uses Grid Engine${why}. We move scripts from it, but not to it.`)
  }
  if (!to.move.running) return nothing(`${to.name} accepts no jobs, so we cannot move a script to it.`)
  if (!text.startsWith("#!")) return begun(from, to, text)
  const options = schedulerOf(from.kind).readOptions(text)
  if (options.some(option => option.name === "hetjob"))
    return nothing("We cannot move a job with several components. Move each component separately.")
  if (from.kind === "slurm" && !options.length && /^\s*(?:salloc|sinteractive|srun\b.*--pty)\b/m.test(text))
    return nothing("We move job scripts, not interactive sessions. Write the options as #SBATCH lines, and move those.")
  return whole(from, to, text, options)
}

/** The script, and those that stand in it. */
function whole(from, to, original, options) {
  const {text, restore} = named(original)
  const {text: rest, scripts} = apart(text)
  const submits = from.kind === "slurm" && !options.length && submissionsOf(text, from.kind) !== null
  /** @type {any} */
  const found = submits ? submitting(from, to, rest, accountIn(text)) : moved(from, to, rest, options)
  if (!found.lines) return found
  const impossible = entries(found.impossible)
  const inside = script => moved(from, to, script, schedulerOf(from.kind).readOptions(script))
  const lines = restore(together(found.lines, scripts, inside, impossible))
  const script = lines.flatMap(each => each.text ?? []).join("\n") + (text.endsWith("\n") ? "\n" : "")
  return {script, changes: changesOf(lines), impossible: withSteps(text, script, entries(impossible), to)}
}

// The account of a job that a script submits, in a here-document or as an option of sbatch.
const ACCOUNT = /^(?:#SBATCH\s|[^#\n]*\bsbatch\s)(?:.*\s)?(?:--account[= ]|-A\s*)["']?([\w${}-]+)/m

/** The account of the jobs that a script submits, where the script has its name. */
const accountIn = text => expander(readScript(text).commands)(ACCOUNT.exec(text)?.[1] ?? "")

/** A script that runs where its user logs in. account: of its jobs, or "" */
function submitting(from, to, text, account) {
  const need = needOf(from, [])
  const plan = planOf(from, to, need)
  if (plan.none) return nothing(plan.none)
  const known = {notes: {}, impossible: []}
  giveAccount(from, to, known, account || null)
  const own = known.sameAccount ? known.account : null
  const newAccount = own ?? to.move.account.sample
  const job = {...sizes(need, plan), perTask: null, amd: false, anew: false, account: own, newAccount, disk: null}
  const [first, ...lines] = text.replace(/\n$/, "").split("\n")
  const done = moveBody(from, to, job, lines, [])
  const impossible = withJobs(from, to, lines, text, done.impossible)
  return {lines: [{from: first, text: first, reason: ""}, ...done.lines], impossible}
}

/** sbatch takes no script whose first line names no shell. */
function begun(from, to, text) {
  const found = moveTold(from, to, `#!/bin/bash\n${text}`)
  if (!found.script) return found
  const first = {line: null, from: "", to: "#!/bin/bash", reason: "The first line names the shell."}
  const changes = found.changes.map(each => ({...each, line: each.line && each.line - 1}))
  return {...found, changes: [first, ...changes]}
}

function moved(from, to, text, options) {
  const [, language] = OTHER_LANGUAGE.exec(text) ?? []
  const shell = readScript(text)
  const need = needOfScript(from, text, shell, !language, options)
  const plan = planOf(from, to, need)
  if (plan.none) return nothing(plan.none)
  Object.assign(need, plan.divided) // a node's cores among the processes that the script starts
  const room = diskOf(to, need, plan)
  plan.hasDisk = room?.mib ?? null
  plan.sharesDisk = room && !room.whole
  plan.tooMuch = room && need.said?.mib > room.mib * 1.02 && room.can < need.said.mib
  const account = options.findLast(({name}) => name === (from.kind === "slurm" ? "account" : "P"))?.value ?? null
  giveAccount(from, to, plan, account)
  const become = (from.kind === "slurm" ? fromSlurm : fromGridEngine)(from, to, need, plan, options)
  if (
    to.move.mail === false &&
    options.some(({name}) => name === "mail-type" || (name === "m" && from.kind !== "slurm"))
  )
    plan.impossible.push(`${to.name} sends no email yet, so \`--mail-type\` has no effect.`)
  const lines = directiveLines(from.kind, text.replace(/\n$/, "").split("\n"), options, become, to.name)
  withoutBuffer(to, lines)
  const title = options.findLast(({name}) => name === "N")?.value ?? null // Grid Engine's name of the job
  const job = {...jobOf(from, to, need, plan, account, room), title}
  const first = lines.findIndex(each => each.body && !/^\s*(#|$)/.test(each.from))
  const head = first < 0 ? lines : lines.slice(0, first)
  const body = lines.slice(head.length)
  const commands = body.map(each => each.text ?? "")
  const done = moveBody(from, to, job, language ? [] : commands, head)
  if (language)
    plan.impossible.push(
      `The script is in ${language}, so only its options are moved. Move its paths and commands yourself.`,
    )
  const all = [...head, ...(language ? body : done.lines)]
  loadTool(to, all)
  const at = to.move.submit[plan.key ? "gpu" : "cpu"]
  const build = language ? [] : toBuild(from, to, need, plan, text, shell)
  const said = withJobs(from, to, commands, text, [...done.impossible, ...build])
  const {names, brought} = runBy(commands)
  const compiled =
    language ||
    build.some(each => typeof each === "object" && each.kind === "build") ||
    shell.commands.some(compiles) ||
    (names[0] && !brought)
  const onCpus = said.some(each => typeof each === "object" && each.kind === "onCpus") // no GPU takes the job
  const told = {compiled: !compiled, disk: done.replaced, gpu: onCpus}
  const known = plan.impossible.filter(each => !told[each.kind])
  return {lines: all, impossible: [...known, ...said, ...(at ? [`On ${to.name}, ${at}.`] : [])]}
}

/** What is said of the script, and of the jobs that it submits. */
function withJobs(from, to, lines, text, impossible) {
  const told = []
  const plan = (options, alone) => asked(from, to, options, alone)
  const said = [...submitted(from, to, lines, text, plan, told)]
  const again = each => each.kind === "request" && told.some(option => option.startsWith(each.name))
  return [...impossible.filter(each => !again(each)), ...said]
}

/**
 * What options of sbatch become there: those that go, and those that come. What the shell computes is not known.
 * @param {boolean} alone no script has more of them
 */
function asked(from, to, options, alone) {
  const read = text => schedulerOf("slurm").readOptions(text)
  const role = ({name}) => ROLES[name] ?? name
  const script = `#!/bin/bash\n${options.map(each => `#SBATCH ${each}\n`).join("")}true\n`
  const before = read(script)
  const {lines, impossible} = moved(from, to, script, before)
  if (!lines) return {none: impossible[0].text, gone: [], come: []}
  const after = read(lines.map(({text}) => text ?? "").join("\n"))
  const unknown = new Set(before.filter(({value}) => /[${}]/.test(value ?? "")).map(role))
  const roles = new Set(before.map(role))
  // The job's size is in the script, and so is its partition there.
  const sized = ["nodes", "tasks", "cores", "memory", "gpu"].some(each => roles.has(each))
  const exists = before.some(
    ({name, value}) => name === "partition" && to.move.partitions.some(room => room.name === value),
  )
  if (!alone && !sized && exists) unknown.add("partition")
  else if (!alone && !sized) roles.delete("partition")
  const less = (some, others) =>
    some.filter(
      each => !unknown.has(role(each)) && !others.some(({name, value}) => name === each.name && value === each.value),
    )
  return {
    gone: less(before, after).map(({written}) => written),
    come: less(after, before).flatMap(each =>
      (alone && each.name !== "time") || roles.has(role(each)) ? [each.written] : [],
    ),
  }
}
