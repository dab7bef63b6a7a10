// What an advice looks at: the system, the job as the scheduler understood it, and the script's commands.
import {last as lastOf} from "../script/directives.js"
import {idleBut} from "../script/idle.js"
import {expander} from "../script/variables.js"
import {setOf} from "../script/text.js"

/** Of a job of which nothing is known. */
const NOTHING = Object.freeze({gpus: [], gpus_total: 0})

export const SETUP = idleBut("(( conda local mamba nvidia-smi rocm-smi rsync shift sleep tar touch")
// What moves, packs and counts files.
export const HELPERS = setOf(
  "(( [ [[ basename bc break cmp column comm continue curl dd dirname disown dos2unix eval expr file fold getconf " +
    "getopts git jobs jq kill let local mapfile mktemp nl nproc nvidia-cuda-mps-control paste pgrep ping pip pip3 pkill " +
    "popd ps pushd qstat qsub readarray readlink readonly realpath return rmdir sacct sbatch scancel seff seq shift " +
    "shuf sinfo sleep split sstat stat sync tac tee test tput tr truncate typeset uniq wget yes",
)
export const FILES = setOf(
  "awk bzip2 cut diff du find grep gunzip gzip head ln md5sum rsync sed sha256sum sleep sort tail tar touch " +
    "unzip wc xz zip",
)
/** Is this a part of the shell, or a common tool, of which no job is made? */
export const isTool = name => SETUP.has(name) || FILES.has(name) || HELPERS.has(name)

/** The folder of a program, as PurePosixPath has it. */
export function folderOf(path) {
  const parts = path.split("/").filter(part => part && part !== ".")
  return (path.startsWith("/") ? "/" : "") + parts.slice(0, -1).join("/") || "."
}

/** @returns {any} the case of one job: a component of a heterogeneous one, or the whole */
export function caseOf(system, given, options, commands, lines, file) {
  const facts = system.advice,
    {kind} = system,
    last = lastOf(options),
    job = given ?? NOTHING
  const option = (...names) => last.get(names.find(name => last.has(name)))
  const resource = name => options.find(each => each.name === "l" && (each.value ?? "").includes(`${name}=`))
  const lazy = make => {
    let found
    return () => (found ??= make())
  }

  /** The option that asks for GPUs, also where the scheduler refused it. */
  const gpuOption = lazy(() => {
    const gres = option("gres"),
      names = Object.values(facts.gpus).flatMap(({types}) => types)
    return (
      option("gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task") ??
      (gres?.value?.includes("gpu") ? gres : undefined) ??
      names.map(resource).find(Boolean) ??
      (kind === "grid_engine"
        ? options.find(({name, value}) => name === "l" && /coproc|gpu/.test(value ?? ""))
        : undefined) ??
      null
    )
  })
  /** Cores of the whole job, in any form of request. */
  const cores = lazy(() => {
    const tasks = job.tasks || (job.tasks_per_node || 1) * (job.nodes || 1)
    return Math.max(job.cores || 1, tasks * (job.cpus_per_task || 1), (job.cpus_per_gpu || 0) * job.gpus_total)
  })
  /** MiB of the whole job as asked for; 0 is all of the node; null if nothing was said. */
  const memory = lazy(() => {
    if (job.memory_per_node != null) return {mib: job.memory_per_node * (job.nodes || 1)}
    if (job.memory_per_cpu != null) return {mib: job.memory_per_cpu * cores()}
    return {mib: job.memory_per_gpu == null ? null : job.memory_per_gpu * job.gpus_total}
  })
  /** [name, facts] of the partitions where the job may run. */
  const partitions = lazy(() => {
    const named = option("partition", "q")?.value ?? (job.partition || job.routed) ?? ""
    const ofLogin = name => system.rules?.same_name?.[name]?.[wantsGpu ? "gpu" : "cpu"] ?? name
    const names = [...new Set(named.split(",").map(ofLogin))].filter(name => Object.hasOwn(facts.partitions, name))
    return names.map(name => [name, facts.partitions[name]])
  })
  const nodesThere = lazy(() => {
    const keys = partitions().flatMap(([, {nodes}]) => nodes)
    return [...new Set(keys.length ? keys : Object.keys(facts.nodes))]
  })
  /** [key, facts] of the kinds of GPU that the job may get. */
  const gpus = lazy(() => {
    const types = new Set(job.gpus.map(({type}) => type)),
      all = Object.entries(facts.gpus)
    if (!types.size) return []
    const named = all.filter(([, gpu]) => gpu.types.some(name => types.has(name)))
    if (named.length) return named
    if (types.size > 1 || !types.has("")) return []
    const there = new Set(nodesThere().flatMap(key => Object.keys(facts.nodes[key].gpus)))
    return all.filter(([key]) => there.has(key) || !there.size)
  })
  /** [key, facts] of the kinds of node where the job may run. */
  const nodes = lazy(() => {
    const wanted = new Set(gpus().map(([key]) => key))
    const having = keys => keys.filter(key => Object.keys(facts.nodes[key].gpus).some(gpu => wanted.has(gpu)))
    const there = nodesThere(),
      found = [having(there), having(Object.keys(facts.nodes))].find(({length}) => length)
    return (found ?? there).map(key => [key, facts.nodes[key]])
  })
  /** Cores of the smallest node where the job may run; Infinity where no size is known. */
  const nodeCores = lazy(() => {
    const sizes = nodes().flatMap(([key]) => system.nodes?.[key] ?? [])
    return Math.min(...sizes.map(({cpus, threads}) => cpus / (threads ?? 1)))
  })

  const wantsGpu = job.gpus_total > 0
  const doubt = path => Object.entries(facts.doubts).find(([key]) => `${path}.`.startsWith(`${key}.`))?.[1]
  /**
   * A finding with its source; doubtful, with the doubt, where the fact that it rests on is not confirmed.
   * at: an option or a command. more: the dotted key of the fact, alone or as `fact`; group, whose source it has where
   * it rests on what a group of facts has not; kind; limit.
   */
  function say(rule, what, cure, at, more = {}) {
    const {fact = "", group = "", kind = "unwise", limit = null} = typeof more === "string" ? {fact: more} : more
    const why = fact && kind !== "not judged" ? doubt(fact) : undefined
    const {line = 1, written: option = null} = at ?? {}
    const source = facts.sources[(group || fact).split(".")[0]] ?? null
    const found = {file, line, kind, what, cure, rule, option, limit, source}
    if (!why) return found
    return {...found, kind: "doubtful", what: `${what} This is unconfirmed: ${why.replace(/\.+$/, "")}.`}
  }
  return {
    facts,
    system,
    name: system.name,
    kind,
    file,
    lines,
    commands,
    job,
    known: given != null,
    option,
    resource,
    wantsGpu,
    gpuOption,
    cores,
    memory: () => memory().mib,
    partitions,
    gpus,
    nodes,
    nodeCores,
    say,
    unsure: path => doubt(path) !== undefined,
    certain: commands.filter(each => each.certain),
    expand: expander(commands),
    /** Whole nodes, or one that others may share? */
    whole: () => job.exclusive || partitions().some(([, {exclusive}]) => exclusive),
    /** What this system asks of such a job. */
    rule: ({rule, gpu_jobs}) => (wantsGpu ? (gpu_jobs ?? rule) : rule),
    /** The variables that the script sets, and all words that look as if. */
    sets: lazy(
      () =>
        new Set(
          commands.flatMap(({sets, words}) => {
            const parts = [...sets, ...words]
            const defaults = parts.flatMap(part => [...part.matchAll(/\$\{(\w+):?=/g)].map(([, name]) => name))
            return [...parts.map(part => part.split("=")[0]), ...defaults]
          }),
        ),
    ),
  }
}

export const all = (pattern, text) => new RegExp(`^(?:${pattern})$`).test(text)
export const number = text => (/^\d+$/.test(text ?? "") ? Number(text) : 0)
