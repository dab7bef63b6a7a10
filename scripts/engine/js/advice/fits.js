// Advice about numbers that must fit each other: what an input or an option divides, and the ranks that there are.
import {base, documents, started} from "../script/payload.js"
import {many} from "../script/units.js"
import {written} from "./launchers.js"
import {has, looped, optionValue, runsOf} from "./runs.js"

const whole = text => (/^["']?\d+["']?$/.test(text ?? "") ? Number(text.replace(/["']/g, "")) : null)
/** The numbers behind an option: `-dd 4 4 2`. */
function numbers(words, option, count) {
  const at = words.indexOf(option)
  const found = at < 0 ? [] : words.slice(at + 1, at + 1 + count).map(whole)
  return found.length === count && !found.includes(null) ? found : null
}
const product = found => found?.reduce((one, other) => one * other, 1) ?? null
/** All text that the script writes or sets by sed, and each command that does. */
const texts = commands =>
  commands.flatMap(({redirects, name, words}) => [
    ...redirects.flatMap(({document}) => (document ? [document.text] : [])),
    ...(/^(?:echo|printf|sed)$/.test(name) ? words.slice(1) : []),
  ])
/** The only number that the texts give to this pattern; null: none, or several. */
function only(commands, pattern) {
  const found = new Set(
    texts(commands).flatMap(text =>
      [...text.matchAll(pattern)].map(([, ...groups]) => groups.filter(Boolean).join(" ")),
    ),
  )
  if (found.size !== 1) return null
  const all = [...found][0].split(" ").map(Number)
  return all.some(Number.isNaN) ? null : all
}

/** The parts of WRF's domain, and the ranks for output besides; io null: a namelist that is not in the script may ask for some. */
function ofWrf(commands, lines) {
  const [x, y] = [/\bnproc_x\s*=\s*(\d+)/g, /\bnproc_y\s*=\s*(\d+)/g].map(each => only(commands, each)?.[0])
  const named = name => Number(new RegExp(`\\b${name}\\s*=\\s*(\\d+)`).exec(lines.join("\n"))?.[1] ?? NaN)
  const [each, groups] = [named("nio_tasks_per_group"), named("nio_groups") || 1]
  const inScript = texts(commands).some(text => /^\s*&\w+/m.test(text))
  return {parts: x > 0 && y > 0 ? x * y : null, io: each >= 0 ? each * groups : inScript ? 0 : null}
}
const OPTIONS = {pools: ["-nk", "-npool", "-npools", "--npool"], images: ["-ni", "-nimage", "-nimages", "--nimage"]}
/**
 * What of a program must fit its ranks. of: the program; count: a number, its words, and how it must fit: `divides` the
 * ranks, `is` their number, `atMost` it. From knowledge of the programs' manuals.
 */
const /** @type {any[]} */ FITS = [
    {
      of: /^(?:pw|ph|neb|hp|turbo_lanczos|bands|projwfc)\.x$/,
      count: ({words, number}) =>
        (number(optionValue(words, OPTIONS.pools)) ?? 1) * (number(optionValue(words, OPTIONS.images)) ?? 1),
      what: count => `${count} pools`,
      must: "divides",
    },
    {
      of: /^vasp_(?:std|gam|ncl|gpu)$/,
      count: ({commands}) => only(commands, /^[ \t]*KPAR\s*=\s*(\d+)/gm)?.[0],
      what: count => `the ${count} groups of KPAR`,
      must: "divides",
    },
    {
      of: /^xhpl\S*$/,
      count: ({commands}) => product(only(commands, /^[ \t]*(\d+)\s+Ps\b.*\n\s*(\d+)\s+Qs\b/gm)),
      what: (_count, {commands}) => `P × Q = ${only(commands, /^[ \t]*(\d+)\s+Ps\b.*\n\s*(\d+)\s+Qs\b/gm).join(" × ")}`,
      must: "atMost",
    },
    {
      of: /^wrf(?:_\w+)?(?:\.exe)?$/,
      count: ({commands, lines, ranks}) => {
        const {parts, io} = ofWrf(commands, lines)
        return parts && !(io === null && ranks > parts) ? parts + io : null // the others may be for output
      },
      what: (_count, {commands, lines}) => {
        const {parts, io} = ofWrf(commands, lines)
        return `${parts} parts of nproc_x × nproc_y${io ? ` and ${many(io, "I/O rank")}` : ""}`
      },
      must: "is",
    },
    {
      of: /^lmp(?:_\w+)?$/,
      count: ({words}) => {
        const at = words.findIndex(word => /^-(?:p|partition)$/.test(word))
        const parts =
          at < 0
            ? []
            : words.slice(at + 1).slice(0, words.slice(at + 1).findIndex(word => !/^\d+(?:x\d+)?$/.test(word)) >>> 0)
        return parts.length ? parts.reduce((sum, part) => sum + product(part.split("x").map(Number)), 0) : null
      },
      what: count => `${count} processes of -partition`,
      must: "is",
    },
    {
      of: /^lmp(?:_\w+)?$/,
      count: ({commands}) => product(only(commands, /^[ \t]*processors\s+(\d+)\s+(\d+)\s+(\d+)/gm)),
      what: count => `${count} parts of \`processors\``,
      must: "is",
    },
    {
      of: /^gmx_mpi(?:_d)?$/,
      count: ({words}) => {
        const at = words.indexOf("-multidir")
        const end = words.slice(at + 1).findIndex(word => word.startsWith("-"))
        const found = at < 0 ? [] : words.slice(at + 1, end < 0 ? undefined : at + 1 + end)
        return found.some(word => /[*$?[{]/.test(word)) ? null : found.length || null
      },
      what: count => `${count} directories of -multidir`,
      must: "divides",
    },
    {
      of: /^gmx(?:_mpi)?(?:_d)?$/,
      count: ({words}) => {
        const cells = product(numbers(words, "-dd", 3))
        const separate = whole(optionValue(words, ["-npme"]))
        return cells && separate !== null ? cells + separate : null
      },
      what: count => `${count} ranks of -dd and -npme`,
      must: "is",
    },
  ]
const MUST = {
  divides: {
    wrong: (count, ranks) => ranks % count !== 0,
    says: (parts, ranks) => `${ranks} cannot be divided evenly among ${parts}`,
    cure: "a number that evenly divides the number of",
  },
  is: {
    wrong: (count, ranks) => ranks !== count,
    says: (parts, ranks) => `its ${ranks} do not match the ${parts}`,
    cure: "the number of",
  },
  atMost: {
    wrong: (count, ranks) => count > ranks,
    says: (parts, ranks) => `${parts} exceeds its ${ranks}`,
    cure: "at most the number of",
  },
}
function* ranks(given, {runs, number}) {
  const seen = new Set()
  for (const run of runs) {
    const {command, words, launcher, processes} = run
    const name = base(words[0])
    const there = /^gmx(?:_d)?$/.test(name) ? processes : launcher ? run.tasks : null
    if (!there) continue
    for (const {of, count, what, must} of FITS) {
      const told = of.test(name) ? count({words, number, ranks: there, ...given}) : null
      const {wrong, says, cure} = MUST[must]
      if (!told || !wrong(told, there) || seen.has(command)) continue
      seen.add(command)
      const said = `${name} stops, because ${says(what(told, given), many(there, "rank"))}.`
      yield given.say("ranks-and-parts", said, `Choose ${cure} ranks.`, command, {kind: "fails"})
    }
  }
}

const SUBDOMAINS = /^\s*numberOfSubdomains\s+(\d+)\s*;/gm
/** OpenFOAM: one rank for each subdomain. */
function* subdomains({commands, expand, say}, {runs, number}) {
  const set = commands.flatMap(({name, words}) => {
    if (name === "sed")
      return [/numberOfSubdomains\S*[^/|]*[/|]\s*numberOfSubdomains\s+([^;/|]+);?/.exec(words.join(" "))?.[1]]
    return name === "foamDictionary" && words.includes("numberOfSubdomains") ? [optionValue(words, ["-set"])] : []
  })
  const written = only(commands, SUBDOMAINS)
  const found = [...set.filter(Boolean), ...(written ? [String(written[0])] : [])]
  const parts = found.length === 1 ? number(expand(found[0].trim())) : null
  if (!parts) return
  const grid = only(commands, /^[ \t]*n\s+\(\s*(\d+)\s+(\d+)\s+(\d+)\s*\)\s*;/gm)
  if (grid && product(grid) !== parts) {
    const at = commands.find(({redirects}) => documents({redirects}).some(text => /numberOfSubdomains/.test(text)))
    const what = `n (${grid.join(" ")}) makes ${product(grid)} parts, but numberOfSubdomains is ${parts}, so decomposePar stops.`
    yield say("subdomains-and-ranks", what, "Make the product of n equal to numberOfSubdomains.", at, {kind: "fails"})
    return
  }
  const run = runs.find(
    ({launcher, words, tasks}) => launcher && tasks && words.includes("-parallel") && tasks !== parts,
  )
  if (!run) return
  const at = commands.find(
    ({name, words, redirects}) =>
      [...words, ...documents({redirects})].some(word => word.includes("numberOfSubdomains")) && name !== "grep",
  )
  const what = `the mesh has ${parts} parts, but \`${base(run.words[0])}\` on line ${run.command.line} starts with ${many(run.tasks, "rank")}, and OpenFOAM stops if these differ.`
  yield say("subdomains-and-ranks", what, "Use the same number: $SLURM_NTASKS.", at ?? run.command, {kind: "fails"})
}

/** Processes of a training on all nodes. */
function worldOf({job, expand}, {words, launcher, tasks}, number) {
  const own = words.map(expand),
    name = base(own[0])
  const value = {
    torchrun: ["--nproc-per-node", "--nproc_per_node"],
    deepspeed: ["--num_gpus"],
    accelerate: ["--num_processes"],
  }[name]
  if (!value) return launcher && /^python/.test(name) && tasks > 1 ? tasks : null
  const told = optionValue(own, value)
  if (has(own, ["--include", "--exclude", "--hostfile"]) || (name === "accelerate" && told === null)) return null
  const here =
    told === null || told === "gpu" ? (name === "torchrun" && told === null ? 1 : job.gpus_per_node) : number(told)
  return here ? here * (name === "accelerate" ? 1 : (job.nodes ?? 1)) : null
}
const WAYS = ["--tensor-model-parallel-size", "--pipeline-model-parallel-size", "--context-parallel-size"].with(
  2,
  "--context-parallel-size",
)
/** Batches that must be products, and parallel ways that must divide the processes. */
function* training(given, {runs, number}) {
  for (const run of runs) {
    const {words, command} = run
    const world = worldOf(given, run, number)
    if (!world) continue
    const told = options => number(optionValue(words, options))
    const file = words.map(given.expand).find(word => /\.json$/.test(word) && written(given.commands, word))
    const text = file ? written(given.commands, file) : ""
    const key = name => whole(new RegExp(`"${name}"\\s*:\\s*(\\d+)`).exec(text)?.[1])
    const [all, micro, steps] = [
      "train_batch_size",
      "train_micro_batch_size_per_gpu",
      "gradient_accumulation_steps",
    ].map(key)
    const plain = !has(words, WAYS) && !/"(?:autotp_size|tensor_parallel|pipeline)"/.test(text)
    if (plain && all && micro && steps && all !== micro * steps * world) {
      const what = `train_batch_size is ${all}, but ${micro} per GPU × ${steps} steps × ${many(world, "process")} is ${micro * steps * world}, so DeepSpeed stops.`
      const at = given.commands.find(({redirects}) => redirects.some(({document}) => document?.text === text))
      yield given.say("batch-is-no-product", what, "Make them equal, or omit one of the three.", at ?? command, {
        kind: "fails",
      })
    }
    const ways = WAYS.map(way => told([way]) ?? 1)
    const copies = world / product(ways)
    if (!has(words, WAYS)) continue
    const [global, own] = [told(["--global-batch-size"]), told(["--micro-batch-size"])]
    const what = !Number.isInteger(copies)
      ? `${world} processes cannot be divided into model copies of ${ways.filter(way => way > 1).join(" × ")} GPUs each.`
      : global && own && global % (own * copies)
        ? `--global-batch-size ${global} is not a multiple of ${own} per copy × ${copies} copies of the model.`
        : null
    if (what)
      yield given.say("batch-is-no-product", what, "Choose numbers that divide evenly.", command, {kind: "fails"})
  }
}

// Attention heads of public models, from knowledge of their config.json.
/** @type {[RegExp, number][]} */
const HEADS = [
  [/llama-?[23](?:\.\d)?-(?:\w+-)?70b|llama-3\.3/i, 64],
  [/llama-?(?:3|3\.1)-(?:\w+-)?8b|llama-?2-7b|mistral-7b|mixtral-8x7b/i, 32],
  [/llama-?2-13b/i, 40],
  [/qwen2\.5-(?:\w+-)?7b|qwen2-7b/i, 28],
  [/qwen2\.5-(?:\w+-)?(?:14b|32b)/i, 40],
  [/qwen2\.5-(?:\w+-)?72b|qwen2-72b/i, 64],
]
/** The GPUs among which a model is divided must divide its attention heads. */
function* heads({expand, say}, {runs, number}) {
  for (const {words, command, entry} of runs) {
    if (!entry?.name.startsWith("vllm")) continue
    const parts = number(optionValue(words, ["--tensor-parallel-size", "-tp"]))
    const model = words.map(expand).find(word => HEADS.some(([name]) => name.test(word)))
    const [, count] = HEADS.find(([name]) => model && name.test(model)) ?? []
    if (!parts || !count || count % parts === 0) continue
    const what = `${model.split("/").at(-1)} has ${count} attention heads, and vLLM cannot divide them among ${parts} GPUs.`
    yield say("heads-over-gpus", what, "Use a number that divides them evenly, such as 2, 4 or 8.", command, {
      kind: "fails",
    })
  }
}

function* gromacs({commands, option, say}, {runs, number, omp}) {
  for (const run of runs) {
    const {words, command, entry, threads, processes} = run
    if (!/^gmx(?:_mpi)? mdrun$/.test(entry?.name ?? "")) continue
    const given = options => (has(words, options) ? number(optionValue(words, options)) : null)
    const [total, separate] = [given(["-nt"]), given(["-npme"])]
    const ranks = entry.name === "gmx mdrun" ? processes : run.launcher ? run.tasks : null
    const set = command.sets.find(part => part.startsWith("OMP_NUM_THREADS="))
    const env = number(set ? set.slice(16) : omp)
    const what =
      threads && env && env !== threads
        ? `OMP_NUM_THREADS is ${env}, but -ntomp is ${threads}, and mdrun stops if these differ.`
        : total && threads && processes && total !== threads * processes
          ? `-nt ${total} is not -ntmpi ${processes} × -ntomp ${threads}, so mdrun stops.`
          : separate > 0 && ranks && separate >= ranks
            ? `-npme ${separate} leaves none of the ${many(ranks, "rank")} for the particles, so mdrun stops.`
            : separate > 1 &&
                has(words, ["-pme gpu"]) &&
                !commands.some(({text}) => /GMX_GPU_PME_DECOMPOSITION/.test(text))
              ? `-npme ${separate} is too high, because PME on GPUs runs on only one rank.`
              : processes > 1 && has(words, ["-plumed"])
                ? `PLUMED needs one rank or gmx_mpi, but -ntmpi starts ${processes} thread-MPI ranks.`
                : null
    if (what) yield say("gromacs-numbers", what, "Choose numbers that match.", command, {kind: "fails"})
  }
  const again =
    Boolean(option("requeue")) ||
    commands.some(({name, text}) => name === "sbatch" && /\$0|--dependency|next|\.sh/.test(text)) ||
    /%1$/.test(option("array")?.value ?? "")
  const anew =
    again &&
    runs.find(
      ({entry, words, command}) =>
        /^gmx/.test(entry?.name ?? "") &&
        (has(words, ["-maxh"]) || option("requeue")) &&
        words.includes("mdrun") &&
        !has(words, ["-cpi"]) &&
        !/\$/.test(command.text.replace(/\$\{?(?:SLURM_|OMP_NUM_THREADS)\w*/g, "")),
    )
  if (anew)
    yield say(
      "gromacs-starts-anew",
      "without -cpi, mdrun starts from the beginning in each job of the chain.",
      "Add -cpi with the checkpoint's name.",
      anew.command,
    )
  const pinned = runs.filter(
    ({entry, command, words, launcher}) =>
      /^gmx/.test(entry?.name ?? "") &&
      command.background &&
      !launcher &&
      has(words, ["-pin on"]) &&
      !has(words, ["-pinoffset"]),
  )
  if (pinned.length > 1 || pinned.some(({command}) => command.loops.length))
    yield say(
      "gromacs-pinned-twice",
      "several mdrun processes run at the same time, and -pin on without -pinoffset puts them all on the same cores.",
      "Add -pinoffset with the first core of each process.",
      pinned[0].command,
    )
}

/** More ranks than can share the GPUs. */
function* ranksOnGpus({wantsGpu, job, say}, {runs}) {
  const run =
    wantsGpu && runs.find(({entry, launcher, tasks}) => launcher && tasks > job.gpus_total * entry?.ranks_per_gpu)
  if (!run) return
  const what = `${run.launcher.name} starts ${run.tasks} ranks of ${run.entry.name} on ${many(job.gpus_total, "GPU")}, but it runs best with at most ${many(run.entry.ranks_per_gpu, "rank")} per GPU.`
  yield say("ranks-over-gpus", what, `Start ${many(job.gpus_total, "rank")}.`, run.command)
}

/** Workers that the code in the script starts, and what in it is the number. */
const WORKERS =
  /\b(?:mc\.cores\s*=\s*|Ncpus\s*=\s*|make(?:PSOCK|Fork)?Cluster\(|registerDo(?:Parallel|MC)\((?:cores\s*=\s*)?|plan\(\w+,\s*workers\s*=\s*|(?:Multicore|Snow)Param\((?:workers\s*=\s*)?|setDTthreads\(|Pool\((?:processes\s*=\s*)?|max_workers\s*=\s*|n_jobs\s*=\s*|num_workers\s*=\s*|set_num_threads\(|NumWorkers\s*=\s*|parpool\((?:["']\w+["']\s*,\s*)?|maxNumCompThreads\(|addprocs\()(\d+)\b/g
/** The files that here-documents become, with their text. */
const files = commands =>
  new Map(
    commands.flatMap(({redirects}) => {
      const file = redirects.find(({op}) => op === ">")?.target.text
      const text = redirects.find(({document}) => document)?.document.text
      return file && text ? [[file, text]] : []
    }),
  )
function* inCode({say, whole, wantsGpu, job, commands}, {runs, perCore}) {
  const texts = files(commands)
  for (const {command, name, cores, launcher, words} of runs) {
    if (
      !/^(?:Rscript|R|python[\d.]*|julia|matlab)$/.test(name) ||
      launcher ||
      whole() ||
      !cores ||
      (wantsGpu && !job.cpus_per_task)
    )
      continue
    const code = [
      ...command.tokens.map(({raw}) => raw),
      ...documents(command),
      ...words.map(word => texts.get(word) ?? ""),
    ].join("\n")
    if (/ThreadPool/.test(code)) continue
    const most = [...code.replace(/^[ \t]*[#%].*$/gm, "").matchAll(WORKERS)].sort(
      (one, other) => Number(other[1]) - Number(one[1]),
    )[0]
    if (!most || Number(most[1]) <= Math.max(2, cores * perCore)) continue
    const what = `\`${most[0]}\` starts ${most[1]} workers, but the job has ${many(cores, "core")}.`
    const cure = "Request more cores with --cpus-per-task, or start SLURM_CPUS_PER_TASK workers."
    yield say("workers-in-code", what, cure, command)
  }
}

const TRANSFERS = /^(?:wget|curl|cp|mv|rm|ln|rsync|aws|rclone|gsutil|scp)$/
/** Commands at once, times their threads. */
function* atOnce({say, whole, commands}, {runs, perCore, number, omp, cores: onNode}) {
  const lists = commands.flatMap(command => {
    const {through, words} = started(command.words)
    const spread = words.length ? null : through.find(({name}) => name === "parallel") // its commands are in a file
    return spread ? [{spread, threads: null, command, entry: null, cores: onNode, words: [""], launcher: null}] : []
  })
  for (const {spread, threads: told, command, entry, cores, words, launcher} of [...runs, ...lists]) {
    const threads = told ?? (entry || !omp ? null : number(omp))
    const snakemake =
      entry?.name === "snakemake" &&
      !has(words, ["--cores", "-c", "--executor", "-e", "--profile", "--cluster", "--slurm"])
    if ((!spread && !snakemake) || !cores || whole() || launcher || TRANSFERS.test(base(words[0]))) continue
    const [own, ...options] = spread ? [spread.name, ...spread.words] : words
    const count = optionValue([own, ...options], ["-j", "-P", "--jobs", "--max-procs"])
    const jobs = count === "0" ? Infinity : count === null ? (own === "parallel" ? cores : 1) : number(count)
    if (!jobs || jobs * (threads ?? 1) <= cores * perCore) continue
    const what = `${own} starts ${count === "0" ? "all jobs" : many(jobs, "job")} at the same time${threads ? `, each with ${threads} threads` : ""}, but the job has ${many(cores, "core")}.`
    const cure = `Write ${own === "xargs" ? "-P" : "-j"} ${Math.max(1, Math.floor(cores / (threads ?? 1)))}, or request more cores.`
    yield say("jobs-at-once-over", what, cure, command, {
      kind: entry || /^(?:python|Rscript|matlab)/.test(base(words[0])) ? "unwise" : "doubtful",
    })
  }
}

/** How many rounds a loop has; null: not known. */
export function rounds(commands, command) {
  const head = commands.find(({text, line}) => text.startsWith("for ") && command.loops[0].line === line)
  const [variable] = head?.sets.map(part => part.replace(/=$/, "")) ?? []
  const list = head && variable ? looped(commands, command, variable) : null
  if (list) return /\{|seq|\(\(/.test(head.text) ? list[1] - list[0] + 1 : list.length
  const words = head?.tokens.map(({raw}) => raw) ?? []
  return words.length && words.every(word => /^[\w./-]+$/.test(word)) ? words.length : null
}
/** Processes of a loop in the background, times their threads. */
function* loopAtOnce({say, whole, commands}, {runs, perCore, number, omp}) {
  let tried = 0 // each look costs time, and few scripts have as many loops
  const waits = new Set(
    commands
      .filter(({text}) => /\bwait\b|\bjobs\b|\bsem\b|\bsleep\b/.test(text))
      .flatMap(({loops}) => loops.map(({line}) => line)),
  )
  for (const {command, entry, threads, words, cores, launcher, spread} of runs) {
    if (!command.background || command.loops.length !== 1 || command.fn || launcher || spread || !cores || whole())
      continue
    if (waits.has(command.loops[0].line) || TRANSFERS.test(base(words[0]))) continue
    const each = threads ?? (entry || !omp ? 1 : (number(omp) ?? 1))
    if (++tried > 20) return
    const count = rounds(commands, command)
    if ((count ?? (each > 1 ? 4 : 0)) * each <= cores * perCore) continue
    const what = `the loop starts ${count ?? "all its"} processes at the same time${each > 1 ? `, each with ${each} threads` : ""}, but the job has ${many(cores, "core")}.`
    yield say("jobs-at-once-over", what, "Start them with parallel -j, or give each process fewer threads.", command, {
      kind: count && entry ? "unwise" : "doubtful",
    })
    return
  }
}

/** OpenMP threads of each rank, times the ranks of a node. */
function* openMp({whole, nodes, job, say, commands, wantsGpu}, {runs, number, omp, perCore}) {
  const threads = number(omp)
  const once =
    commands.filter(({sets, words}) => [...sets, ...words].some(part => part.startsWith("OMP_NUM_THREADS="))).length < 2
  if (!once) return
  const idle =
    !wantsGpu &&
    runs.find(
      run =>
        run.launcher &&
        run.cores &&
        /^omp$/.test(run.entry?.threads?.default ?? (/^gmx_mpi mdrun/.test(run.entry?.name ?? "") ? "omp" : "")) &&
        (run.threads ?? threads) > 0 &&
        (run.threads ?? threads) * 3 <= run.cores,
    )
  if (idle && !idle.command.loops.length) {
    const what = `each rank of ${idle.entry.name} uses ${many(idle.threads ?? threads, "thread")}, but has ${idle.cores} cores.`
    const cure = "Set OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK, or request more ranks."
    yield say("program-threads-under", what, cure, idle.command)
  }
  const at = commands.findLast(({sets, words}) => [...sets, ...words].some(part => part.startsWith("OMP_NUM_THREADS=")))
  const run = threads > 1 && at && runs.find(({launcher, tasks}) => launcher && tasks > 1)
  if (!run || at.loops.length || /oversubscribe|overcommit/.test(run.command.text)) return
  const here = Math.ceil(run.tasks / (job.nodes ?? 1)) * threads
  const sizes = nodes().map(([, node]) => node.cores ?? NaN)
  const there = whole()
    ? Math.max(...sizes)
    : run.cores && (job.cpus_per_task || !job.gpus_total)
      ? Math.ceil(run.tasks / (job.nodes ?? 1)) * run.cores
      : NaN
  if (!(here > there * perCore)) return
  const what = `${Math.ceil(run.tasks / (job.nodes ?? 1))} ranks with ${threads} threads each make ${here} threads on a node, but the job has ${many(there, "core")} there.`
  const cure = "Set OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK, and request cores with --cpus-per-task."
  yield say("threads-over-cores", what, cure, at)
}

function* fits(given) {
  if (!given.known) return
  const perCore =
    given.job.threads_per_core ??
    Math.max(1, ...Object.values(given.system.nodes ?? {}).map(({threads}) => threads ?? 1))
  const model = {...runsOf(given), perCore}
  for (const idea of [ranks, subdomains, training, heads, gromacs, openMp, ranksOnGpus, inCode, atOnce, loopAtOnce])
    yield* idea(given, model)
}
export const ideas = [fits]
