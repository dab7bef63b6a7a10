// Advice about a node's own hardware: its processor's kind, and what stays idle.
import {isTool} from "./case.js"
import {program} from "../script/payload.js"
import {many} from "../script/units.js"
import {WORKERS, optionValue, runsOf} from "./runs.js"

const X86 =
  /^-(?:m(?:avx\w*|sse[\w.]*|fma|bmi2?|f16c)|march=(?:x86-64\S*|haswell|broadwell|skylake\S*|cascadelake|icelake\S*|sapphirerapids|znver\d|core-avx\S*)|tp=(?:zen\d?|haswell|skylake|px)|x(?:Host|CORE-\S+|AVX\S*))$/i
const INTEL = /^(?:icc|icpc|ifort|icx|icpx|ifx|mpiicc|mpiicx|mpiicpc|mpiifort|mpiifx)$/
const ARM = /^-m(?:cpu|tune|arch)=(?:neoverse\S*|armv[89]\S*|native\+sve)$/
/** Compilers' options of another kind of processor. */
function* compilerOptions({nodes, certain, say}) {
  const [here, ...others] = new Set(nodes().map(([, node]) => node.architecture))
  if (others.length || !here) return
  for (const command of certain) {
    const arm = here === "aarch64"
    const words = [...command.words, ...command.sets].flatMap(word => word.replace(/^\w+=/, "").split(/\s+/))
    const option = words.find(word => (arm ? X86 : ARM).test(word)),
      compiler = arm && INTEL.test(program(command)) ? program(command) : null
    const made =
      arm && command.name === "module"
        ? words.slice(2).find(word => /^(?:intel|intel-oneapi\S*|imkl|mkl|aocc|aocl)(?:\/|$)/.test(word))
        : null
    const found = option ?? compiler ?? made
    if (!found || command.name === "echo") continue
    const what = `\`${found}\` is for ${arm ? "x86_64" : "Arm"} processors, but this job's nodes are ${here}.`
    const cure = arm ? "Use GCC, NVHPC or Clang, with -mcpu=neoverse-v2 or native." : "Write -march=native."
    const more = {fact: `node_types.${nodes()[0][0]}.architecture`, kind: "fails"}
    yield say("option-of-another-processor", what, cure, command, more)
    return
  }
}

/** The processes or threads that a script of Python or R is told by its own options. */
const workersOf = words => {
  const value = /^(?:python[\d.]*|Rscript)$/.test(words[0] ?? "")
    ? optionValue(words, [...WORKERS, "--jobs", "--procs"])
    : null
  return /^[1-9]\d*$/.test(value ?? "") ? Number(value) : null
}

/** A node of which the job pays every core, and programs that use a few, one after another. */
function* fewThreads(given) {
  const {known, job, wantsGpu, gpuOption, option, partitions, say} = given
  const cores = given.nodeCores()
  if (!known || !given.whole() || wantsGpu || gpuOption() || !Number.isFinite(cores) || job.array) return
  const runs = runsOf(given).runs.map(run => (run.entry ? run : {...run, usual: workersOf(run.words)}))
  const working = runs.filter(({name, command}) => !isTool(name) && !command.nested)
  if (
    !working.length ||
    working.some(
      ({launcher, spread, command, usual}) =>
        launcher || spread || command.background || command.fn || typeof usual !== "number",
    )
  )
    return
  const use = Math.max(
    ...working.map(
      ({command, usual, processes}) => usual * (processes ?? 1) * (command.piped || command.pipes ? 2 : 1),
    ),
  )
  if (use * 4 > cores) return
  const best = working.reduce((one, other) => (other.usual > one.usual ? other : one))
  const what = `${best.entry?.name ?? best.name} uses ${many(best.usual, "thread")}, and nothing else runs at the same time, but the job pays for ${many(cores, "core")}.`
  const at = option("nodes", "ntasks", "partition") ?? best.command
  yield say(
    "whole-node-few-threads",
    what,
    "Start several at the same time with & and `wait`, or with `parallel`.",
    best.command,
    partitions().length ? `partitions.${partitions()[0][0]}.exclusive` : {option: at},
  )
}

/** `--gpus` counts the GPUs of all nodes together. */
function* gpusOfTheJob({job, option, lines, say}) {
  const at = option("gpus")
  if (!at || !(job.nodes > 1) || !(job.tasks_per_node > 1) || option("gpus-per-node", "gpus-per-task", "gres")) return
  if (job.gpus_total !== job.tasks_per_node || job.gpus_total % job.nodes) return
  const what = `\`${at.written}\` counts the GPUs of the whole job, so each of the ${job.nodes} nodes has ${many(job.gpus_total / job.nodes, "GPU")} for ${job.tasks_per_node} tasks.`
  const meant = lines.some(line => /#(?!SBATCH).*\b(?:per|each|every) GPU|GPU (?:per|each)/i.test(line))
  const kind = meant ? "unwise" : "doubtful" // tasks may share a GPU
  yield say("gpus-of-the-whole-job", what, `Write --gpus-per-node=${at.value}.`, at, {kind})
}

/** Loops that a compiler keeps on the processor, in a job that pays for a GPU. */
function* builtForTheProcessor({wantsGpu, certain, say}) {
  if (!wantsGpu) return
  const pattern =
    /^-(?:acc|stdpar|ta)=(?:multicore|host)$|^-DGMX_GPU=OFF$|^-DUSE_(?:CUDA|GPU|HIP)=(?:OFF|0)$|^-D\w+_ENABLE_(?:CUDA|HIP)=OFF$/
  const command = certain.find(each => each.words.some(word => pattern.test(word)))
  if (
    !command ||
    certain.some(each =>
      each.words.some(word =>
        /^-(?:acc|stdpar|ta)=gpu|^-mp=gpu|^-DGMX_GPU=(?:CUDA|HIP|SYCL)|_ENABLE_(?:CUDA|HIP)=ON/.test(word),
      ),
    )
  )
    return
  const option = command.words.find(word => pattern.test(word))
  const what = `\`${option}\` builds for the processor, but the job requests a GPU.`
  yield say("built-for-the-processor", what, "Build for the GPU, such as with -acc=gpu, or request no GPU.", command)
}

/** Folders of another system. */
function* foreignFolders({facts, name, commands, expand, say}) {
  const bound = new Set(
    commands.flatMap(({words}) => words.flatMap(word => [...word.matchAll(/:(\/[a-z-]+)/g)].map(([, root]) => root))),
  )
  const made = commands.some(
    ({name, words}) =>
      /^(?:apptainer|singularity)$/.test(name) && words.some(word => /^(?:--pwd|--home|-H)/.test(word)),
  )
  for (const command of commands) {
    if (/^(?:echo|printf|ssh|scp|rm|\[|\[\[|test)$/.test(command.name) || made) continue
    for (const word of [...command.words, ...command.sets, ...command.redirects.map(({target}) => target.text)].map(
      expand,
    )) {
      const [, root] = /(?:^|=)(\/[a-z-]+)\/[\w$]/.exec(word) ?? []
      if (!root || !Object.hasOwn(facts.foreign, root) || bound.has(root) || /^\w+=.*:/.test(word)) continue
      const what = `\`${[...word.replace(/^\w+=/, "")].slice(0, 60).join("")}\` is a path of another system, but ${name} has no ${root}.`
      const cure = `Use ${facts.places
        .filter(({path}) => !/TMP/.test(path))
        .map(({path}) => path)
        .slice(-2)
        .join(" or ")}.`
      yield say("folder-of-another", what, cure, command, {group: "storage", kind: "fails"})
      return
    }
  }
}

export const ideas = [compilerOptions, fewThreads, gpusOfTheJob, builtForTheProcessor, foreignFolders]
