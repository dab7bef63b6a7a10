// The numbers of a moved script's steps: threads, and the options of srun that name what the job has.
import {started} from "../script/payload.js"
import {readScript} from "../script/read.js"
import {nodesOf} from "./nodes.js"

// Options of srun, and their numbers.
const NODES = /(\s(?:-N ?|--nodes[= ]))(\d+)\b/
const TASKS = /(\s(?:-n ?|--ntasks[= ]))(\d+)\b/
const PER_NODE = /(--n?tasks-per-node[= ])(\d+)\b/

/** A line whose options of srun are edited, but not those of the program that it starts. */
function ofSrun(line, edit) {
  const begin = line.search(/\bsrun\b/)
  if (begin < 0) return line
  const [command] = readScript(line.slice(begin).replace(/\\$/, "")).commands
  const program = command && started(command.words).words[0]
  const at = program ? line.indexOf(program, begin + 4) : -1
  const end = at < 0 ? line.length : at
  const next = end + Math.max(line.slice(end).search(/[;&|]\s*srun\b/), 0)
  const rest = next > end ? line.slice(end, next + 1) + ofSrun(line.slice(next + 1), edit) : line.slice(end)
  return line.slice(0, begin) + edit(line.slice(begin, end)) + rest
}

/** @param {System} from @param {any} job as job.js makes it @param {Set<string>} said UPDATED */
export function stepsOf(from, job, said) {
  /** Threads that are as many as a task had cores. @returns {[string, string]} */
  function threads(line) {
    const {oldPerTask, perTask} = job
    if (perTask && oldPerTask > 1 && perTask !== oldPerTask)
      line = ofSrun(line, text =>
        text.replace(/(\s(?:-c ?|--cpus-per-task[= ]))(\d+)\b/, (whole, begin, number) =>
          Number(number) === oldPerTask ? begin + perTask : whole,
        ),
      )
    const perNode = ({per, tasks}) => (tasks > 1 ? 1 : Math.max(per, 1)) // processes of one task, one per GPU
    const processes = perNode(job.old)
    const pattern =
      /(?<![\w-])((?:OMP|MKL|OPENBLAS|NUMEXPR|SRUN)_(?:NUM_THREADS|CPUS_PER_TASK)=|-ntomp |(?<=\s-k(?:okkos)? on (?:g(?:pus)? \d+ )?)t(?:hreads)? |(?<=\bnamd[23]?\b.* )\+p ?)(\d+)\b/g
    for (const [whole, , number] of perTask >= 2 * oldPerTask && oldPerTask > 1 ? line.matchAll(pattern) : [])
      if (Number(number) === oldPerTask)
        said.add(
          `\`${whole}\` uses ${number} of the ${perTask} cores that each task now has. Raise it if the program is then faster.`,
        )
    const now = line.replace(pattern, (whole, name, number) =>
      perTask && perTask < oldPerTask && number > 1 && [oldPerTask, oldPerTask / processes].includes(Number(number))
        ? `${name}${Number(number) === oldPerTask ? perTask : Math.max(1, Math.floor(perTask / perNode(job.now)))}`
        : whole,
    )
    return [now, `Each task now has ${perTask} cores.`]
  }

  /** Options of steps that name what the job has. @returns {[string, string]} */
  function step(line) {
    return [ofSrun(line, options), "These numbers match the job's options."]
  }
  function options(line) {
    const {old, now} = job
    const put = (text, pattern, had, has) =>
      had === has
        ? text
        : text.replace(pattern, (whole, begin, number) => (Number(number) === had ? begin + has : whole))
    let text = line.replace(
      /(--gres=gpu|--gpus(?:-per-\w+)?=)(:?)(?!\d)[\w.]+(?::(\d+))?(?=\s|$)/,
      (_, option, colon, number) => (option.endsWith("=") ? option + (number ?? 1) : `${option}${colon}${number ?? 1}`),
    )
    text = put(text, /(--(?:gpus-per-node=|gres=gpu:))(\d+)\b/, old.per, now.per)
    const [nodes, total, each] = [NODES, TASKS, PER_NODE].map(pattern => Number(pattern.exec(text)?.[2]) || null)
    const other = now.nodes < old.nodes && /\s(?:-w|--nodelist)[= ]?["']?(\$\{\w+\[[^\]]+\]\})/.exec(text)?.[1]
    if (other && !/\[0\]/.test(other))
      said.add(
        `\`${text.trim()}\` starts on a node by its number. The new job has ${nodesOf(now.nodes)} instead of ${old.nodes}, so remove what starts on the others, and start as much on each that is left.`,
      )
    const changed = old.nodes !== now.nodes || old.tasks !== now.tasks
    if (changed && nodes && nodes !== old.nodes && (nodes > now.nodes || each === old.tasks)) {
      const job = `${nodesOf(now.nodes)} with ${now.tasks} task${now.tasks > 1 ? "s" : ""} each`
      said.add(
        `\`${text.trim()}\` divides the ${old.nodes} nodes of ${from.name}. The new job has ${job}, so change these numbers. Steps that run at the same time must fit into the job together.`,
      )
      return text
    }
    text = put(text, NODES, old.nodes, now.nodes)
    text = put(text, PER_NODE, old.tasks, now.tasks)
    if (!total || nodes !== old.nodes || old.nodes === now.nodes || each === old.tasks) return text
    const perNode = Math.ceil(total / now.nodes) // a step with more processes than the job has tasks
    if (each === total / nodes) text = put(text, PER_NODE, each, perNode)
    const cores = Math.floor(((job.perTask ?? 0) * now.tasks) / perNode)
    const named = !cores || cores >= job.perTask || /\s(?:-c|--cpus-per-task)/.test(text)
    return named ? text : text.replace(TASKS, `$& --cpus-per-task=${cores}`)
  }
  return {threads, step}
}
