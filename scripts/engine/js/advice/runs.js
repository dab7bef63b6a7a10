// What the programs of a script are told, and what each has: processes, cores, GPUs.
import {data} from "../data.js"
import {base, programs, started} from "../script/payload.js"
import {setOf} from "../script/text.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {SETUP} from "./case.js"

const MPI = setOf("mpirun mpiexec mpiexec.hydra orterun prterun aprun")
const SPREADS = setOf("parallel xargs")
const UNIT = {B: 1 / 1024 ** 2, word: 8 / 1024 ** 2, KiB: 1 / 1024, MiB: 1, GiB: 1024}

/** How scripts of Python and R are told their workers. */
export const WORKERS = [
  "--num_workers",
  "--num-workers",
  "--workers",
  "--dataloader_num_workers",
  "--n_workers",
  "--n-workers",
  "--nworkers",
  "--num_proc",
  "--num-proc",
  "--nproc",
  "--n_jobs",
  "--n-jobs",
  "--ncpus",
  "--processes",
  "--cpus",
  "--threads",
  "--num_threads",
  "--num-threads",
]
/** The value of an option among the words: the next word, or what is glued to it. @returns {string | null} */
export function optionValue(words, options) {
  for (let place = words.length - 1; place > 0; place--) {
    const word = words[place]
    for (const option of options) {
      if (word === option) return words[place + 1] ?? ""
      if (word.startsWith(`${option}=`)) return word.slice(option.length + 1)
      const rest = word.startsWith(option) ? word.slice(option.length) : ""
      if (/^[\d$]/.test(rest) && (/^[-+].$/.test(option) || /^-X/.test(option))) return rest
    }
  }
  return null
}
/** Does one of these options stand among the words? */
export const has = (words, options) =>
  options.some(option =>
    option.includes(" ")
      ? ` ${words.join(" ")} `.includes(` ${option} `)
      : words.some(
          word =>
            word === option ||
            word.startsWith(`${option}=`) ||
            (/^-.$/.test(option) && word.startsWith(option) && /^.{2}\d/.test(word)),
        ),
  )

const pattern = part => new RegExp(`^${part.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[\\w.+-]*")}$`)
/** [entry, patterns of its first words, whether options stand among them] of each start, the longest first. */
function startsOf(table) {
  const found = table.flatMap(entry => entry.starts.map(start => [entry, start.split(" ")]))
  return found
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([entry, parts]) => [entry, parts.map(pattern), /^-/.test(parts[1] ?? "-") || parts[1]?.includes(".")])
}
let starts = null
const startsThere = () => (starts ??= startsOf(data.programs))
/** Has the table this program, with any subcommand? */
export const inTable = name => startsThere().some(([, [first]]) => first.test(name))
/** The table's entry for these words; the longest start that fits. */
export function entryOf(words) {
  if (!data.programs) return null
  const names = words.map(base),
    plain = [names[0], ...names.slice(1).filter(word => !word.startsWith("-"))]
  const fits = ([, parts, all]) => parts.every((part, place) => part.test((all ? names : plain)[place] ?? ""))
  const jar = names[0] === "java" ? words.indexOf("-jar") + 1 : 0
  return (jar && entryOf(words.slice(jar))) || (startsThere().find(fits)?.[0] ?? null)
}

/** Numbers that the job and the script give to variables. @returns {(text: string | null) => number | null} */
function reader({job, commands, coresOfTask, tasks}) {
  const known = {
    SLURM_CPUS_PER_TASK: job.cpus_per_task,
    SRUN_CPUS_PER_TASK: job.cpus_per_task,
    SLURM_NTASKS: tasks,
    SLURM_NPROCS: tasks,
    SLURM_NTASKS_PER_NODE: job.tasks_per_node,
    SLURM_NNODES: job.nodes,
    SLURM_JOB_NUM_NODES: job.nodes,
    SLURM_GPUS_ON_NODE: job.gpus_per_node,
    SLURM_CPUS_ON_NODE: job.cpus_on_node,
    NSLOTS: job.slots,
  }
  const numbers = new Map() // by variable; none while it is looked for
  function number(text) {
    const plain = (text ?? "").trim().replace(/^"(.*)"$/, "$1")
    if (/^\d+$/.test(plain)) return Number(plain)
    if (/^\$\(\s*nproc\s*\)$|^`nproc`$/.test(plain)) return coresOfTask
    const [, sum] = /^\$\(\((.*)\)\)$/.exec(plain) ?? []
    if (sum) {
      const parts = sum.split(/([-+*/])/).map(part => part.trim())
      return parts.slice(1).reduce(
        (left, part, place) => {
          if (left === null || place % 2 === 0) return left
          const right = number(/^[A-Za-z_]/.test(part) ? `$${part}` : part)
          const sign = parts[place]
          return right === null
            ? null
            : Math.trunc(
                sign === "*" ? left * right : sign === "/" ? left / right : sign === "+" ? left + right : left - right,
              )
        },
        number(/^[A-Za-z_]/.test(parts[0]) ? `$${parts[0]}` : parts[0]),
      )
    }
    const [, name, other] = /^\$\{?(\w+)(?::[-=]([^}]*))?\}?$/.exec(plain) ?? []
    if (!name) return null
    const asked = `${name}:${other}`
    if (numbers.has(asked)) return numbers.get(asked)
    numbers.set(asked, null)
    const own = commands.flatMap(({name: command, sets, words}) =>
      [...sets, ...(command === "export" ? words.slice(1) : [])].filter(part => part.startsWith(`${name}=`)),
    )
    const found =
      own.length === 1
        ? number(own[0].slice(name.length + 1))
        : own.length
          ? null
          : Object.hasOwn(known, name)
            ? (known[name] ?? (other === undefined ? null : number(other)))
            : other === undefined
              ? null
              : number(other)
    numbers.set(asked, found)
    return found
  }
  return number
}

const PARTS = /(?:\$\((?!\()[^()]*\)|`[^`]*`|\S)+/g // what a command prints is a part
const WRITTEN_OUT = /^\$(?:\w+|\{\w+\})$/
/**
 * The programs that a command starts, where variables of the script stand for launchers, programs and options, and where
 * a script of the user's own starts a program of the table: `./select_gpu gmx_mpi mdrun`.
 * @param {Command} command @param {(text: string) => string} expand
 */
export function startedBy(command, expand) {
  const words = command.words.flatMap((word, place) => {
    const plain = WRITTEN_OUT.test(command.tokens.at(place - command.words.length)?.raw ?? "")
    const found = expand(word).replace(/^(?:\$\(|`)(?:which|command -v) ([\w.+-]+)[)`]$/, "/$1")
    return plain && found !== word && !/^\$\(\(.*\)\)$/.test(found) ? (found.match(PARTS) ?? [""]) : [found]
  })
  return programs({...command, words}).map(each => {
    const quoted = each.through.some(({name}) => name === "parallel") && /\s/.test(each.words[0] ?? "")
    if (quoted) return {through: each.through, words: [...each.words[0].trim().split(/\s+/), ...each.words.slice(1)]}
    const [own, ...rest] = each.words
    if (!rest.length || !/\/|\.sh$/.test(own) || entryOf(each.words)) return each
    const inner = started(rest)
    return entryOf(inner.words)
      ? {through: [...each.through, {name: base(own), words: []}, ...inner.through], words: inner.words}
      : each
  })
}

/** The numbers that a loop gives its variable; null: not known. */
export function looped(commands, {loops}, variable) {
  const heads = commands.filter(
    ({text, line}) => text.startsWith("for ") && loops.some(each => each.kind === "for" && each.line === line),
  )
  const head =
    heads.find(({sets}) => sets.some(part => part === `${variable}=`)) ??
    heads.find(({text}) => text.includes(`((`) && text.includes(variable))
  if (!head) return null
  const [, from, to] = /\{(\d+)\.\.(\d+)\}/.exec(head.text) ?? /\$\(\s*seq\s+(\d+)\s+(\d+)\s*\)/.exec(head.text) ?? []
  if (to) return [Number(from), Number(to)]
  const [, last] = /\$\(\s*seq\s+(\d+)\s*\)/.exec(head.text) ?? []
  if (last) return [1, Number(last)]
  const [, start, sign, end] = /\(\(\s*\w+\s*=\s*(\d+)\s*;\s*\w+\s*(<=?)\s*(\d+)\s*;/.exec(head.text) ?? []
  if (end) return [Number(start), Number(end) - (sign === "<" ? 1 : 0)]
  const list = head.tokens.map(({text}) => text)
  return list.length && list.every(word => /^\d+$/.test(word)) ? list.map(Number) : null
}

/**
 * Each program that the script starts, with what it is told and has.
 * @returns {{runs: any[], asked: number | null, number: any, omp: any, cores: number | null}} asked: tasks that the directives name. A run: {command, words, entry (of
 *   the table, or null), launcher, tasks (processes that the launcher starts, null: not known), cores (of each, null:
 *   not known), threads, processes, gpus (told; null: not told or not known), usual (threads that it uses), memory (MiB)}
 */
export function runsOf(given) {
  if (!found.has(given)) found.set(given, findRuns(given))
  return found.get(given)
}
const found = new WeakMap() // many ideas ask about the same script

function findRuns(given) {
  const {job, kind, commands, known} = given
  const slurm = kind === "slurm"
  const asked = slurm ? (job.tasks ?? (job.tasks_per_node ? job.tasks_per_node * (job.nodes || 1) : null)) : null
  const tasks =
    asked ?? (given.option("ntasks-per-gpu", "ntasks-per-socket", "ntasks-per-core") ? null : (job.nodes ?? 1))
  const each = slurm
    ? (job.cpus_per_task ??
      (job.cpus_per_gpu && tasks ? Math.floor((job.cpus_per_gpu * job.gpus_total) / tasks) : null) ??
      (asked && !job.gpus_total ? 1 : null))
    : job.gpus_total && !given.option("pe")
      ? null // the GPUs bring cores
      : (job.cores ?? null)
  const whole = given.whole()
  const perNode = tasks === null ? null : Math.ceil(tasks / (job.nodes || 1))
  const onNode = each === null || perNode === null || whole ? null : each * perNode
  const number = reader({
    job: {...job, slots: slurm ? null : job.cores, cpus_on_node: onNode},
    commands,
    coresOfTask: onNode,
    tasks,
  })
  const omp = lastSet(commands, "OMP_NUM_THREADS")
  const runs = [],
    entries = new Map() // by the words, since loops and arrays repeat them
  for (const command of commands) {
    for (const {through, words} of startedBy(command, given.expand)) {
      const name = base(words[0] ?? "")
      if (!name || SETUP.has(name)) continue
      const launcher = through.find(({name}) => name === "srun" || MPI.has(name)) ?? null
      const own = launcher ? launched(launcher, {number, tasks, each: whole ? null : each}) : {tasks: 1, cores: onNode}
      const key = words.join(" ")
      if (!entries.has(key)) entries.set(key, known ? entryOf(words) : null)
      const entry = entries.get(key)
      const spread = through.find(({name}) => SPREADS.has(name))
      runs.push({
        command,
        name,
        words,
        through,
        entry,
        launcher,
        spread,
        ...own,
        ...told(entry, words, {number, omp, cores: own.cores, commands}),
      })
    }
  }
  return {runs, asked, number, omp, cores: onNode}
}

/** The last value that the script gives a variable for all that follow. */
function lastSet(commands, name) {
  const found = commands.flatMap(({name: command, sets, words}) =>
    [...(words.length ? [] : sets), ...(command === "export" ? words.slice(1) : [])].filter(part =>
      part.startsWith(`${name}=`),
    ),
  )
  return found.length ? found.at(-1).slice(name.length + 1) : null
}

function launched({name, words}, {number, tasks, each}) {
  const srun = name === "srun",
    own = [name, ...words]
  const count = optionValue(own, srun ? ["-n", "--ntasks"] : ["-np", "-n", "--np"])
  const threads = srun ? optionValue(own, ["-c", "--cpus-per-task"]) : null
  const changed =
    srun && has(own, ["-N", "--nodes", "--ntasks-per-node", "--multi-prog", "--ntasks-per-gpu", "--gpus-per-task"])
  const ranks = count !== null ? number(count) : changed ? null : tasks
  const share = each && ranks > tasks && tasks ? Math.max(1, Math.floor((each * tasks) / ranks)) : each // they share the job's cores
  return {tasks: ranks, cores: threads !== null ? number(threads) : share}
}

function told(entry, words, {number, omp, cores, commands}) {
  if (!entry) return {threads: null, processes: null, memory: null, gpus: null}
  const count = (count, key) => {
    if (!count) return input(entry, key, commands)
    const value = optionValue(words, count.options)
    if (value !== null) {
      const found = number(value)
      return found ? found + (count.plus ?? 0) : found === 0 && count.plus ? count.plus : null // 0 is often "as you like"
    }
    return input(entry, key, commands)
  }
  const processes = count(entry.processes, "processes")
  const total = entry.total ? number(optionValue(words, entry.total)) : null
  const threads = count(entry.threads, "threads") ?? (total && Math.max(1, Math.floor(total / (processes ?? 1))))
  const size = entry.memory && optionValue(words, entry.memory.options)
  const documented = entry.input?.memory ? input(entry, "memory", commands) : null
  const per = {thread: threads ?? 1, process: processes ?? 1, program: 1}
  const untold = size === null && entry.memory?.default ? entry.memory.default * per[entry.memory.per] : null
  const memory = size
    ? amount(size, entry.memory.bare) && amount(size, entry.memory.bare) * per[entry.memory.per]
    : documented
      ? documented * per[entry.input.per]
      : untold
  const gpus = entry.gpus ? gpusTold(entry.gpus, words, number) : null
  return {
    threads,
    processes,
    memory: memory || null,
    gpus,
    usual:
      threads ??
      (entry.threads && optionValue(words, entry.threads.options) !== null ? null : usual(entry.threads, {omp, cores})),
  }
}
/** Threads of a program that is not told any, where its documentation says it. */
const usual = (count, {omp, cores}) => {
  if (!count || count.default === undefined || count.default === null) return null
  if (count.default === "all" || count.default === "slots") return cores
  if (count.default === "omp") return omp === null ? null : undefined
  return count.default + (count.plus ?? 0)
}
function gpusTold({options, times = []}, words, number) {
  const value = optionValue(words, options) ?? (has(words, times) ? "1" : null)
  if (value === null || value === "") return null
  const list = /^\d+(,\d+)+$/.test(value) ? value.split(",").length : number(value)
  return times.reduce((product, option) => {
    const factor = optionValue(words, [option])
    return product === null ? null : product * (factor === null ? 1 : (number(factor) ?? 1))
  }, list)
}
/** MiB of a size such as `8g`, `4000` or `2GB`. */
export function amount(text, bare) {
  const plain = text.trim()
  if (/^\d+(?:e\d+)?$/.test(plain)) return Number(plain) * UNIT[bare]
  return /^\d+(\.\d+)?[kmgt]i?b?$/i.test(plain) ? mebibytes(plain.replace(/i?b$/i, "")) : null
}
/** A number in the text of an input that a here-document writes. */
function input(entry, key, commands) {
  const pattern = entry.input?.[key]
  if (!pattern) return null
  const texts = commands.flatMap(({name, words, redirects}) => [
    ...redirects.flatMap(({document}) => (document ? [document.text] : [])),
    ...(name === "echo" || name === "printf" ? words.slice(1) : []),
    ...(name === "sed" ? words.map(word => /^s([/|#,])[^/|#,]*\1([^/|#,]*)\1/.exec(word)?.[2] ?? "") : []),
  ])
  const found = texts.map(text => new RegExp(pattern, "im").exec(text)?.[1]).find(Boolean)
  if (!found) return null
  return key === "memory" ? amount(found, entry.input.bare) : /^\d+$/.test(found) ? Number(found) : null
}
