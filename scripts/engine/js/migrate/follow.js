// The old job's numbers in the rest of its script: rewritten where their meaning is certain, else named with the new ones.
import {timeWords} from "../script/units.js"

// What a name means, without its hyphens and in small letters: of an option, a variable or a setting.
const GPUS = /(?:^|_)n?gpus?(?:_per_node|_count)$|(?:^|_)(?:n|num|number_of|trainer)_?(?:gpus?|devices|gcds?)$|^(?:n?gpus|devices|tp|tp_size)$|(?:^|_)tensor_parallel(?:_size)?$|_visible_devices$|^gpu(?:_?ids?)?$|(?:^|_)n?proc(?:s|esses)?_per_node$/ // prettier-ignore
const LAYOUT = /(?:^|_)(?:tasks|ntasks|ranks|procs|processes)_per_node$|^(?:npernode|ppn|perhost)$/
const NODES = /(?:^|_)(?:n|num_?|nr_)?(?:nodes|nnodes|machines)$/
const TOTAL = /(?:^|_)(?:world_size|num_processes|n?ranks|nprocs?|np|ntasks|n_tasks|number_of_subdomains)$/
const CORES =
  /(?:^|_)(?:n|num|max)?_?(?:n?threads?|n?cpus|n?cores|n?workers?|n?jobs|n?procs?|processes|nprocshared|nt|ntomp)(?=_|$)/
const SHORT = /^[tTpPj@]$/
const TIME =
  /(?:max|limit|wall|stop|duration|budget|exit)(?:\w*_)?(?:time|hours?|hrs?|secs?|seconds|mins?|minutes)(?:_|$)|(?:^|_)(?:time|hours?|secs?|seconds|minutes)_?(?:limit|budget)$/
// What has such a word, but counts something else.
const OTHER =
  /(?:per_(?:gpu|device|thread|worker|core|cpu|task|proc)|batch|mem(?:ory)?|port|seed|gpu_(?!ids?$|count$|per_node$)\w+)(?:_|$)/
/** Names that are words of any sentence; without a sign behind them, they name no setting. */
const PLAIN =
  /^(?:n|np|t|p|j|nodes|machines|threads?|cores|workers?|jobs|processes|gpus?|devices|time|hours?|ranks|cpus)$/
const SETTING = /(?<![\w$.:/{-])(-{0,2}|\+{1,2})["']?([A-Za-z@][\w.-]{0,60}?)["']?(\s{0,3}[=:]\s{0,3}|\s{1,3}|(?=\d))["']?(\d{1,7}(?:\.\d{1,2})?(?:[,:]\d{1,3}){0,15})([hmsd]?)(?!\.?\w|[%*/:-])["']?/g // prettier-ignore
/** Calls whose first number is that of processes or threads. */
const POOL = /\b(?:\w*Pool(?:Executor)?|makeCluster|registerDoParallel|parpool|addprocs)\((?:["']\w{1,20}["'], ?)?(?:\w{1,20} ?= ?)?(\d{1,4})\)/g // prettier-ignore
/** What programs have in their own form: [pattern, the name that it means]. */
/** @type {[RegExp, string][]} */
const FORMS = [
  [/-k(?:okkos)? on (?:t \d{1,3} )?g(?:pus)? (\d+)\b/g, "ngpus"],
  [/-pk gpu (\d+)\b/g, "ngpus"],
  [/--include[= ]["']?localhost:(\d(?:,\d)+)\b/g, "gpu_ids"],
  [/-gpu_id (0\d+)\b/g, "gpu_ids"],
  [/--map-by[= ]ppr:(\d+):node\S*/g, "npernode"],
  [POOL, "workers"],
  [/\b(\d{1,4}) (?:workers|threads|processes|subdomains|ranks)\b/g, "said"],
]
const UNITS = {s: 1 / 60, m: 1, h: 60, d: 1440}
const COMPOUND = /nproc|nthread|num_|^n_|subdomain|walltime|max_seconds/
const plain = name =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[-.]/g, "_")
    .toLowerCase()
const VISIBLE = /\b(?:CUDA|ROCR|HIP)_VISIBLE_DEVICES=["']?\$\{?(\w+)/
const LAUNCHES = /\b(?:torchrun|torch\.distributed|accelerate launch|deepspeed|nproc[-_]per[-_]node)\b/

/** `0,1,2` or `0:1` are so many; a single index is none. */
const many = value => (/[,:]/.test(value) ? value.split(/[,:]/).length : null)

/**
 * @param {any} job as move.js makes it @param {string[]} given the lines of the old script
 * @returns {{rewrite: (line: string) => string, tell: (from: string, text: string) => void, said: () => string[]}}
 */
export function followed(job, given) {
  const {old, now} = job
  const all = given.join("\n")
  const told = new Map() // why -> what
  const uses = new Map(
    [...all.matchAll(/[-+]{1,2}([A-Za-z][\w-]{0,40})[= ]["']?\$\{?(\w+)/g)].map(([, a, b]) => [b, a]),
  )
  const wrapper = VISIBLE.exec(all)
  const each = /LOCALID|LOCAL_RANK/.test(wrapper?.[1] ?? "") // each process sees one GPU
  const launches = old.per > 1 && old.tasks === 1 && LAUNCHES.test(all)
  const add = (why, what) => told.set(why, [...new Set([...(told.get(why) ?? []), `\`${what}\``])])
  const perNode = `a node now has ${now.per} GPUs for this job, not ${old.per}`.replace(" 1 GPUs", " one GPU")
  const ofNode = job.perTask && job.perTask * now.tasks

  /** [number before, number now, why], of what a name with this number means; the first that was so many counts. */
  function* meanings(name, short, number) {
    if (!short && OTHER.test(name)) return
    if (GPUS.test(name)) {
      if (old.per && now.per) yield [old.per, now.per, perNode]
    }
    const placed = number !== now.tasks && (old.tasks !== now.tasks || old.nodes !== now.nodes)
    if (LAYOUT.test(name) && placed && old.total > 1)
      yield [number, now.tasks, `the job now has ${now.tasks} processes on each node, not ${old.tasks}`]
    if (NODES.test(name) && old.nodes > 1)
      yield [
        old.nodes,
        now.nodes,
        `the job now has ${now.nodes > 1 ? `${now.nodes} nodes` : "one node"}, not ${old.nodes}`,
      ]
    if (TOTAL.test(name) || name === "said") {
      yield [
        old.total,
        now.total,
        `the job now has ${now.total === 1 ? "one process" : `${now.total} processes`}, not ${old.total}`,
      ]
      const gpus = [old.per * old.nodes, now.per * now.nodes]
      if (old.per && now.per && old.total < gpus[0])
        yield [...gpus, `the job now has ${gpus[1] === 1 ? "one GPU" : `${gpus[1]} GPUs`}, not ${gpus[0]}`]
    }
  }

  /** Cores that the number had, and has no longer: why; null where it has them. */
  function tooMany(number, exact) {
    const {oldPerTask, perTask, oldCores} = job
    if (!perTask) return null
    const shares = launches
      ? [[Math.floor(oldCores / old.per), Math.floor(ofNode / now.per), "each of the job's GPUs now has %, not"]]
      : [[oldPerTask, perTask, "the job now has % per task, not"]]
    if (launches || oldPerTask * old.tasks !== oldPerTask)
      shares.push([oldCores, ofNode, "the job now has % per node, not"])
    for (const [had, has, why] of shares)
      if (number > 1 && number > has && (exact ? number === had || number === had - 1 : number <= had))
        return `${why.replace("%", has === 1 ? "one core" : `${has} cores`)} ${had}`
    return null
  }

  /** The value of a setting is the time that the job had, in some unit. */
  function ofTime(value, unit) {
    if (!(job.minutes < job.oldMinutes)) return null
    const parts = value.split(":").map(Number).reverse()
    const clock = parts.reduce((sum, part, at) => sum + part * [1 / 60, 1, 60, 1440][at], 0)
    const all =
      parts.length > 1 ? [clock] : Object.keys(UNITS).map(each => (!unit || unit === each ? parts[0] * UNITS[each] : 0))
    return all.some(minutes => minutes > job.oldMinutes * 0.85 && minutes <= job.oldMinutes)
      ? `the time limit is now ${timeWords(job.minutes)}, not ${timeWords(job.oldMinutes)}`
      : null
  }

  /** Why a setting has another number now; null where it stays, or its meaning is not known. */
  function why(name, value, short, unit = "") {
    if (!short && TIME.test(name) && !OTHER.test(name)) return ofTime(value, unit)
    if (unit) return null
    const list = many(value) ?? (/^0\d/.test(value) ? value.length : null)
    const tasks = old.tasks > 1 && old.tasks === now.tasks ? `. Also change the ${old.tasks} tasks, if their number depends on that of the GPUs` : "" // prettier-ignore
    if (list !== null)
      return GPUS.test(name) && list === old.per && now.per && now.per !== old.per ? perNode + tasks : null
    const number = Number(value)
    if (/^gpu(?:_?ids?)?$|_visible_devices$/.test(name)) return null // an index
    for (const [had, has, because] of meanings(name, short, number))
      if (number === had && had > 1) return had === has ? null : because
    if (name === "said" || short ? SHORT.test(name) || name === "said" : CORES.test(name) && !OTHER.test(name))
      return tooMany(number, short || name === "said")
    return null
  }

  /** Names what only the reader can change. from: the old line, of which text is left */
  function tell(from, text) {
    const comment = /^\s*#/.test(text)
    if (/^\s*(?:sbatch|#SBATCH|#\$|#!)|^\s*(?:echo|printf)\b[^>]*$/.test(text)) return
    const here = []
    const note = (because, what) => {
      if (!because || !from.includes(what) || here.some(each => each.includes(what))) return
      here.push(what)
      add(because, what)
    }
    for (const [pattern, name] of FORMS)
      for (const [what, value] of text.matchAll(pattern)) {
        const because = (name !== "said" || comment) && why(name, value, false)
        note(
          because && name === "ngpus" && each
            ? `${because}. Where each process sees only one, the number is 1`
            : because,
          what,
        )
      }
    for (const [what, sign, name, between, value, unit] of text.matchAll(SETTING)) {
      const short = /^[-+]$/.test(sign) && SHORT.test(name)
      const known = plain(name)
      const set = sign ? between || short || sign === "+" : /[=:]/.test(between) && !(comment && PLAIN.test(known))
      if (comment && sign) continue
      if (!set && !(between && !sign && COMPOUND.test(known))) continue
      const use = uses.get(name)
      const because =
        why(short ? name : known, value, short, unit) ??
        (use ? why(SHORT.test(use) ? use : plain(use), value, SHORT.test(use)) : null)
      note(because, what.trim())
    }
    const [loop, variable, list, last] = /\bfor (\w+) in (0(?: \d)+|\{0\.\.(\d)\}|\$\(seq 0 (\d)\))/.exec(text) ?? []
    const number = loop && (last ? Number(last) + 1 : list.split(" ").length)
    if (loop && wrapper?.[1] === variable && number === old.per && now.per !== old.per) add(perNode, loop)
  }

  /** The line with the new numbers of what is certain. */
  function rewrite(line) {
    const spread = RegExp(`(--(?:nnodes|num[-_]nodes|num[-_]machines)[= ]|\\btrainer\\.num_nodes[= ]|\\b(?:NNODES|NUM_NODES)=)${old.nodes}\\b`, "g") // prettier-ignore
    if (old.nodes > 1 && old.nodes !== now.nodes) line = line.replace(spread, `$1${now.nodes}`)
    if (!old.per || old.per === now.per) return line
    line = [
      "(--nproc[-_]per[-_]node[= ]|\\btrainer\\.devices[= ]|--expect |\\s-num_gpus |\\b(?:N_?GPUS?|NUM_GPUS|(?:GPUS|NPROC)_PER_NODE)=)",
      "(SLURM_(?:NNODES|JOB_NUM_NODES)\\}?\\s*\\*\\s*)",
      "(SLURM_LOCALID\\}?\\s*%\\s*)",
      "(SLURM_CPUS_PER_TASK / )",
      ...(each ? [] : ["(-k(?:okkos)? on (?:t \\d{1,3} )?g(?:pus)? )"]),
    ].reduce((now_, part) => now_.replace(RegExp(`${part}${old.per}\\b`, "g"), `$1${now.per}`), line)
    const list = number => [...Array(number).keys()].join(",")
    return line.replace(RegExp(`(_VISIBLE_DEVICES=["']?)${list(old.per)}(?![\\d,])`), `$1${list(now.per)}`)
  }

  const said = () => [...told].map(([because, what]) => `Change ${what.length > 1 ? `${what.slice(0, -1).join(", ")} and ${what.at(-1)}` : what}, because ${because}.`) // prettier-ignore
  return {rewrite, tell, said}
}
