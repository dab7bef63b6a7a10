// The old job's numbers in the rest of its script: rewritten where their meaning is certain, else named with the new ones.
import {many, timeWords} from "../script/units.js"

// What a name means, without its hyphens and in small letters: of an option, a variable or a setting.
const GPUS =
  /(?:^|_)n?gpus?(?:_per_node|_count)$|(?:^|_)(?:n|num|number_of|trainer)_?(?:gpus?|devices|gcds?)$|^(?:n?gpus|devices|tp|tp_size)$|(?:^|_)tensor_parallel(?:_size)?$|_visible_devices$|^gpu(?:_?ids?)?$|^(?:ntmpi|slots)$|(?:^|_)n?proc(?:s|esses)?_per_node$/
const LAYOUT = /(?:^|_)(?:tasks|ntasks|ranks|procs|processes)_per_node$|^(?:npernode|ppn|perhost|slots)$/
const NODES = /(?:^|_)(?:n|num_?|nr_)?(?:nodes|nnodes|machines)$/
const TOTAL = /(?:^|_)(?:world_size|num_processes|n?ranks|nprocs?|np|ntasks|n_tasks|number_of_subdomains)$/
const CORES =
  /(?:^|_)(?:n|num|max)?_?(?:n?threads?|n?cpus|n?cores|n?workers?|n?jobs|n?procs?|process(?:es|ors?(?:_count)?)|nprocshared|nt|ntomp)(?=_|$)/
const SHORT = /^[tTpPj@]$/
const TIME =
  /(?:max|limit|wall|stop|duration|budget|exit)(?:\w*_)?(?:time|hours?|hrs?|secs?|seconds|mins?|minutes)(?:_|$)|(?:^|_)(?:time|hours?|secs?|seconds|minutes)_?(?:limit|budget)$|(?:^|_)(?:stop|exit|end|quit)_after$|(?:^|_)(?:maxh|wall(?:_?(?:clock|limit))?)$/
// The units of a time, as a name says them.
const NAMED = [/sec|^max_seconds/, /min/, /hour|hrs?(?:_|$)|^maxh$/]
// What ends at a time: in seconds, unless it says more.
const ENDS =
  /\b(?:sleep|timeout(?: -\S{1,20}(?: [A-Z\d]{1,8})?){0,3}|timer timeout|SECONDS\b[ )]*(?:-[lg][te]|[<>]=?))\s["']?(\d[\d:.]*|\$\(\([\d *+-]+\)\))([smhd]?)(?![\w.])/g
const ENDS_AT = /\b(?:sleep|timeout|SECONDS\b[ )]*(?:-[lg][te]|[<>]=?))\s[^\n;&|$]{0,40}\$[({]*(\w+)/g
// What has such a word, but counts something else.
const OTHER =
  /(?:per_(?:gpu|device|thread|worker|core|cpu|task|proc)|batch|mem(?:ory)?|port|seed|gpu_(?!ids?$|count$|per_node$)\w+)(?:_|$)/
/** Names that are words of any sentence; without a sign behind them, they name no setting. */
const PLAIN =
  /^(?:n|np|t|p|j|nodes|machines|threads?|cores|workers?|jobs|processes|gpus?|devices|time|hours?|ranks|cpus)$/
const SETTING =
  /(?<![\w$./{-])(-{0,2}|\+{1,2})["']?([A-Za-z@][\w.-]{0,60}?)["']?\]?(\s{0,3}[=:]\s{0,3}|\s{1,3}|(?=\d))["']?(\$\(\([\d *+-]{1,40}\)\)|\d{1,7}(?:\.\d{1,2})?(?:[,:]\d{1,3}){0,15})([hmsd]?)(?!\.?\w|[%*:-]|\/[\w.])["']?/g
/** Calls whose first number is that of processes or threads. */
const POOL =
  /\b(?:\w*Pool(?:Executor)?|makeCluster|registerDoParallel|parpool|addprocs|maxNumCompThreads|set\w{0,9}[tT]hreads)\((?:["']?\w{1,20}["']?, ?)?(?:\w{1,20} ?= ?)?(\d{1,4})\)/g
/** What programs have in their own form: [pattern, the name that it means]. */
/** @type {[RegExp, string][]} */
const FORMS = [
  [/-k(?:okkos)? on (?:t \d{1,3} )?g(?:pus)? (\d+)\b/g, "ngpus"],
  [/-pk gpu (\d+)\b/g, "ngpus"],
  [/--include[= ]["']?localhost:(\d(?:,\d)+)\b/g, "gpu_ids"],
  [/-gpu_id (0\d+)\b/g, "gpu_ids"],
  [/--map-by[= ]ppr:(\d+):node\S*/g, "npernode"],
  [/\b\w*(?:GPU|DEVICE)\w*=\((0(?: \d)+)\)/gi, "gpu_ids"],
  [/\blocal\[(\d{1,4})\]/g, "workers"],
  [POOL, "workers"],
  [/(?:\btaskset -c |\bnumactl (?:-C |--physcpubind[= ])|_(?:AFFINITY|PROCESSOR_LIST)=["']?)0-(\d{1,4})\b/g, "last"],
  [/\bfor \w+ in (?:\{0\.\.|\$\(seq 0 )(\d{1,4})[)}]/g, "last"],
  [/\bfor \w+ in (?:\{1\.\.|\$\(seq (?:1 )?)(\d{1,4})[)}]/g, "loop"],
  [/\b(\d{1,4}) (?:workers|threads)\b/g, "said_workers"],
  [/\b(\d{1,4}) (?:processes|subdomains|ranks)\b/g, "said_ranks"],
]
const UNITS = {s: 1 / 60, m: 1, h: 60, d: 1440}
const COMPOUND = /nproc|nthread|num_|^n_|subdomain|walltime|max_seconds/
const plain = name =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[-.]/g, "_")
    .toLowerCase()
/** `$((71 * 3600))` as a number; what is one stays. */
const seconds = text => {
  const sum = /^\$\(\((.*)\)\)$/
    .exec(text)?.[1]
    .replace(/ /g, "")
    .match(/[+-]?[\d*]+/g)
  const terms = sum?.map(term => term.split("*").reduce((product, part) => product * Number(part), 1))
  return String(terms?.reduce((total, term) => total + term, 0) ?? text)
}
const VISIBLE = /\b(?:CUDA|ROCR|HIP)_VISIBLE_DEVICES=["']?\$\{?(\w+)/
const LAUNCHES = /\b(?:torchrun|torch\.distributed|accelerate launch|deepspeed|nproc[-_]per[-_]node)\b/
// A step for each GPU.
const STEPS = /\bsrun\s[^\n]{0,200}(?:--gpus(?:-per-\w+)?[= ]|--gres=gpu:(?:\w+:)?)1\s[^\n]{0,400}&\s*$/m

/**
 * @param {any} job as job.js makes it @param {string[]} given the lines of the old script
 * @returns {{rewrite: (line: string) => string, tell: (from: string, text: string) => void, said: () => string[]}}
 */
export function followed(job, given) {
  const {old, now} = job
  const all = given.join("\n")
  const told = new Map() // why -> what
  const uses = new Map(
    [...all.matchAll(/[-+]{1,2}([A-Za-z][\w-]{0,40})[= ]["']?\$\{?(\w+)/g)].map(([, a, b]) => [b, a]),
  )
  const ends = new Set([...all.matchAll(ENDS_AT)].map(([, name]) => name))
  const wrapper = VISIBLE.exec(all)
  const each = /LOCALID|LOCAL_RANK/.test(wrapper?.[1] ?? "") // each process sees one GPU
  const waits = /&\s*$/m.test(all) && /^\s*wait\b/m.test(all) // a loop that starts as many programs as there are cores
  const launches =
    old.per > 1 && old.tasks === 1 && (LAUNCHES.test(all) || STEPS.test(all) || (waits && wrapper !== null))
  const add = (why, what) => told.set(why, [...new Set([...(told.get(why) ?? []), `\`${what}\``])])
  const has = (who, number, what, before) => `${who} now has ${many(number, what)}, not ${before}`
  const node = old.nodes + now.nodes > 2 ? "each node of the job" : "the job"
  const perNode = has(node, now.per, "GPU", old.per)
  const ofNode = job.perTask && job.perTask * now.tasks
  const more = now.nodes > old.nodes
  const gpus = [old.per * old.nodes, now.per * now.nodes]
  /** @type {[RegExp, number, number, string][]} what a name means, the number before and now, and why it changes */
  const meanings = [
    [GPUS, old.per, now.per, perNode],
    [LAYOUT, old.tasks, now.tasks, has("each node", now.tasks, "process", old.tasks)],
    [NODES, old.nodes, now.nodes, has("the job", now.nodes, "node", old.nodes)],
    [NODES, old.nodes > 2 && more ? old.nodes - 1 : 0, now.nodes - 1, has("the job", now.nodes, "node", old.nodes)], // besides the first
    [TOTAL, old.total, now.total, has("the job", now.total, "process", old.total)],
    [TOTAL, old.total < gpus[0] ? gpus[0] : 0, gpus[1], has("the job", gpus[1], "GPU", gpus[0])],
  ]

  /** Cores that the number had, and has no longer: why; null where it has them. */
  function tooMany(number, exact) {
    const {oldPerTask, perTask, oldCores} = job
    if (!perTask) return null
    /** @type {[number, number, string][]} */
    const shares = [
      launches
        ? [Math.floor(oldCores / old.per), Math.floor(ofNode / now.per), "each GPU of the job"]
        : [oldPerTask, perTask, old.tasks > 1 ? "each task" : "the job"],
      [oldCores, ofNode, node],
    ]
    const fits = had => (exact ? number === had || number === had - 1 : number <= had)
    const [had, current, who] = shares.find(([had, has]) => number > 1 && number > has && fits(had)) ?? []
    return who ? has(who, current, "core", had) : null
  }

  /** The value of a setting is the time that the job had, in some unit; with a known one, any time that it has no longer. */
  function ofTime(value, unit, known = unit) {
    if (!(job.minutes < job.oldMinutes)) return null
    const parts = value.split(":").map(Number).reverse()
    const clock = parts.reduce((sum, part, at) => sum + part * [1 / 60, 1, 60, 1440][at], 0)
    const all =
      parts.length > 1
        ? [clock]
        : Object.keys(UNITS).map(each => (!known || known === each ? parts[0] * UNITS[each] : 0))
    return all.some(
      minutes =>
        minutes > (known || parts.length > 1 ? job.minutes : job.oldMinutes * 0.85) && minutes <= job.oldMinutes,
    )
      ? `the time limit is now ${timeWords(job.minutes)}, not ${timeWords(job.oldMinutes)}`
      : null
  }

  /** Why a setting has another number now; null where it stays, or its meaning is not known. */
  function why(name, value, short, unit = "") {
    const named = unit || "smh"[NAMED.findIndex(words => words.test(name))]
    const clock = short && /^\d+:\d\d:\d\d$/.test(value) // a program's own limit
    if (clock || (!short && TIME.test(name) && !OTHER.test(name))) return ofTime(value, unit, named)
    if (unit) return null
    const list = /[,: ]/.test(value) ? value.split(/[,: ]/).length : /^0\d/.test(value) ? value.length : null
    const tasks =
      old.tasks > 1 && old.tasks === now.tasks
        ? `. Also change the ${old.tasks} tasks, if their number depends on that of the GPUs`
        : ""
    if (list !== null)
      return GPUS.test(name) && list === old.per && now.per && now.per !== old.per ? perNode + tasks : null
    const number = Number(value)
    if (/^gpu(?:_?ids?)?$|_visible_devices$/.test(name)) return null // an index
    const [, had, current, because] =
      meanings.find(([names, had]) => names.test(name) && number === had && had > 1) ?? []
    if (because && !OTHER.test(name)) return current && had !== current ? because : null
    return short || (CORES.test(name) && !OTHER.test(name)) ? tooMany(number, short) : null
  }

  /** Names what only the reader can change. from: the old line, of which text is left */
  function tell(from, text) {
    const comment = /^\s*#/.test(text)
    if (/^\s*(?:sbatch|#SBATCH|#\$|#!)|^\s*(?:echo|printf)\b[^>]*$/.test(text)) return
    const here = []
    const note = (because, given) => {
      const what = (given.match(/["']/g) ?? []).length % 2 ? given.replace(/["']$/, "") : given // not half of a string
      if (!because || !from.includes(what) || here.some(each => each.includes(what))) return
      here.push(what)
      add(because, what)
    }
    for (const [pattern, name] of FORMS)
      for (const [what, value] of text.matchAll(pattern)) {
        const loops = /^for /.test(what)
        const number = name === "last" ? Number(value) + 1 : Number(value)
        const because = /^l/.test(name)
          ? (!loops || waits) && tooMany(number, true)
          : (comment || !name.startsWith("said")) && why(name, value, false)
        note(
          because && name === "ngpus" && each
            ? `${because}. Where each process sees only one, the number is 1`
            : because,
          what,
        )
      }
    for (const [what, value, unit] of comment ? [] : text.matchAll(ENDS))
      note(ofTime(seconds(value), unit, unit || "s"), what)
    for (const [what, sign, name, between, given, unit] of text.matchAll(SETTING)) {
      const value = seconds(given)
      const short = (/^[-+]$/.test(sign) && SHORT.test(name)) || (sign === "--" && name === "j") // RELION's
      const known = sign && name === "n" && /\b(?:mpirun|mpiexec|srun)\b/.test(text) ? "np" : plain(name)
      const set = sign ? between || short || sign === "+" : /[=:]/.test(between) && !(comment && PLAIN.test(known))
      if (comment && sign) continue
      if (!set && !(between && !sign && COMPOUND.test(known))) continue
      if (ends.has(name)) note(ofTime(value, unit, unit || "s"), what.trim())
      const use = uses.get(name)
      const spread = /^(?:j|jobs|P)$/.test(name) && /VISIBLE_DEVICES/.test(text) && Number(value) === old.per
      const because =
        (sign && /^(?:c|cpus-per-task)$/.test(name) && /\bsrun\s/.test(text) ? tooMany(Number(value), false) : null) ??
        (spread && now.per !== old.per ? perNode : null) ??
        (short && /\bsbatch\s/.test(text) ? null : why(short ? name : known, value, short, unit)) ??
        (use ? why(SHORT.test(use) ? use : plain(use), value, SHORT.test(use)) : null)
      note(because, what.trim())
    }
    const [loop, variable, list] = /\bfor (\w+) in (0(?: \d)+|\{0\.\.\d\}|\$\(seq 0 \d\))/.exec(text) ?? []
    const number = loop && (/^0 /.test(list) ? list.split(" ").length : Number(/\d(?=[)}]$)/.exec(list)[0]) + 1)
    if (loop && wrapper?.[1] === variable && number === old.per && now.per !== old.per) note(perNode, loop)
  }

  /** The line with the new numbers of what is certain; null: it names all GPUs of the job, as Slurm does. */
  function rewrite(line) {
    const spread = RegExp(
      `(--(?:nnodes|num[-_]nodes|num[-_]machines)[= ]|\\btrainer\\.num_nodes[= ]|\\b(?:NNODES|NUM_NODES)=)${old.nodes}\\b`,
      "g",
    )
    if (old.nodes !== now.nodes) line = line.replace(spread, `$1${now.nodes}`)
    if (!old.per || old.per === now.per) return line
    line = [
      "(--nproc[-_]per[-_]node[= ]|\\btrainer\\.devices[= ]|--expect |\\s-num_gpus |\\b(?:N_?GPUS?|NUM_GPUS|(?:GPUS|NPROC)_PER_NODE)=)",
      "(SLURM_(?:NNODES|JOB_NUM_NODES)\\}?\\s*\\*\\s*)",
      "(SLURM_LOCALID\\}?\\s*%\\s*|_VISIBLE_DEVICES=[\"']?\\$\\(\\([^)\\n]{1,40}%\\s*)",
      "(SLURM_CPUS_PER_TASK / )",
      ...(each ? [] : ["(-k(?:okkos)? on (?:t \\d{1,3} )?g(?:pus)? )"]),
    ].reduce((now_, part) => now_.replace(RegExp(`${part}${old.per}\\b`, "g"), `$1${now.per}`), line)
    line = line.replace(RegExp(`\\b${old.per}(?=\\s?\\*\\s?\\$?\\{?SLURM_(?:NNODES|JOB_NUM_NODES)\\b)`, "g"), now.per)
    const list = number => [...Array(number).keys()].join(",")
    if (old.per > 1 && RegExp(`^\\s*export \\w+_VISIBLE_DEVICES=(["']?)${list(old.per)}\\1\\s*$`).test(line))
      return null
    return line.replace(RegExp(`(_VISIBLE_DEVICES=["']?)${list(old.per)}(?![\\d,])`), `$1${list(now.per)}`)
  }

  const said = () =>
    [...told].map(
      ([because, what]) =>
        `Change ${what.length > 1 ? `${what.slice(0, -1).join(", ")} and ${what.at(-1)}` : what}, because ${because}.`,
    )
  return {rewrite, tell, said}
}
