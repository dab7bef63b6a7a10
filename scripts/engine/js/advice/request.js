// Advice about what a job asks for: its system, account, partition, memory, its share of a node, its GPUs.
import {FILES, SETUP} from "./case.js"
import {documents, payload, program, started} from "../script/payload.js"
import {data} from "../data.js"
import {setOf} from "../script/text.js"
import {minutes} from "../schedulers/slurm/values.js"
import {many} from "../script/units.js"
import {entryOf, runsOf} from "./runs.js"

const gib = mib => `${(mib / 1024).toFixed(0)} GiB`
const size = mib => (mib >= 1024 ? gib(mib) : `${mib.toFixed(0)} MiB`)
const end = text => text.replace(/\.+$/, "")

function* switchedOff({facts, name, say}) {
  const {off} = facts
  if (off) {
    const what = `${name} is retired, so no jobs run there.`
    yield say("switched-off", what, off.after ? `Use ${off.after} instead.` : "", null, "status.state")
  }
}

function* account({facts, name, option, say}) {
  const at = option("account", "P"),
    given = at?.value,
    {forms = [], endings = [], sample} = facts.account
  if (!given || given.includes("$")) return
  const ending = endings.find(each => given.endsWith(each))
  if (ending) {
    const what = `\`${at.written}\` ends with ${ending}, which ${name}'s Slurm adds itself.`
    yield say("account-ending", what, `Write ${given.slice(0, -ending.length)}.`, at, "policy.account_endings")
  }
  const has = of => of.some(form => new RegExp(`^(?:${form})$`, "i").test(given)) // Slurm ignores their case
  if (!has(forms)) {
    const begin = /^[a-z]+[_-]/.exec(sample ?? "")?.[0] ?? ""
    const other = Object.values(data.advice.signs).find(({accounts = []}) => has(accounts))?.name
    if (other) {
      const what = `\`${at.written}\` looks like an account of ${other}, not of ${name}.`
      yield say("account-form", what, "Use your account on this system.", at, {group: "policy"})
    } else if (/^\d+$/.test(given) && forms.some(form => new RegExp(`^(?:${form})$`).test(begin + given))) {
      const what = `\`${at.written}\` lacks the prefix of ${name}'s accounts, such as ${sample}.`
      yield say("account-form", what, `Write ${begin}${given}.`, at, {group: "policy", kind: "fails"})
    } else if (forms.length) {
      const what = `\`${at.written}\` does not look like an account of ${name}, such as ${sample}.`
      yield say("account-form", what, "Check the account's name.", at, {group: "policy", kind: "not judged"})
    }
  }
  if (given === sample) {
    const what = `\`${at.written}\` is this guide's placeholder, not your account.`
    yield say("account-sample", what, "Replace it with your own account.", at, {kind: "not judged"})
  }
}

function* partition({facts, name, kind, known, wantsGpu, option, rule, partitions, say}) {
  const at = option("partition", "q")
  if (!at) return
  const jobs = facts.partition.gpu_jobs && wantsGpu ? "a GPU job" : "a job"
  const forItself = partitions().length && partitions().every(([, {special}]) => special) // such as a debug partition
  if ((known || kind !== "slurm") && rule(facts.partition) === "leave out" && !forItself) {
    const note = facts.partition.note ? `: ${end(facts.partition.note)}` : ""
    const what = `\`${at.written}\` is unnecessary, because on ${name}, ${jobs} needs no partition option${note}.`
    yield say("partition-left-out", what, "Remove it.", at, "policy.partition")
  }
  for (const [key, {access}] of partitions()) {
    if (access) {
      const what = `\`${at.written}\` selects ${key}, which is not open to everybody: ${end(access)}.`
      yield say("partition-access", what, "Make sure that you have access.", at, {
        fact: `partitions.${key}.access`,
        kind: "not judged",
      })
    }
  }
}

const MEMORY = ["mem", "mem-per-cpu", "mem-per-gpu"]
// Below both of these a GPU stands beside almost no memory: a tenth of its share, and what loading PyTorch takes.
const TINY = 512 // MiB a core
const TENTH = 0.1,
  LEAST = 4096 // MiB a GPU
function* memory(given) {
  const {facts, job, known, option, rule, wantsGpu} = given
  if (["leave out", "ignored"].includes(rule(facts.memory))) {
    if (known) yield* memoryLeftOut(given)
  } else if (given.memory() !== null || option(...MEMORY)) return
  else if (wantsGpu && !job.exclusive) yield* almostNone(given)
  else if (
    known &&
    !wantsGpu &&
    !job.exclusive &&
    !given.whole() &&
    facts.memory_per_core <= TINY &&
    job.cpus_per_task >= 8
  ) {
    const what = `the job requests no memory, so it gets ${size(facts.memory_per_core * given.cores())}.`
    yield given.say("memory-almost-none", what, "Add --mem.", null, "policy.default_memory_per_core")
  }
}
function* memoryLeftOut({facts, name, kind, job, option, resource, say}) {
  const own = facts.memory,
    jobs = own.gpu_jobs ? "GPU jobs" : "jobs",
    note = own.note ? `: ${end(own.note)}` : ""
  const at = kind === "grid_engine" && job.memory_per_cpu != null ? resource("h_vmem") : option(...MEMORY)
  if (!at) return
  const [what, of] =
    own.rule === "ignored"
      ? [`\`${at.written}\` has no effect on ${name}${note}.`, "ignored"]
      : [`\`${at.written}\` is unnecessary, because on ${name}, ${jobs} do not set memory${note}.`, "unwise"]
  yield say("memory-left-out", what, "Remove it.", at, {fact: "policy.memory", kind: of})
}
function* almostNone(given) {
  const {facts, job, gpus, gpuOption, unsure, say} = given,
    found = defaultMemory(given)
  if (facts.memory.rule === "required" && !found) {
    const what = `the job requests no memory: ${facts.memory.note ?? "the default is small"}.`
    yield say("memory-almost-none", what, "Add --mem.", gpuOption(), "policy.memory")
    return
  }
  const shares = gpus()
    .map(([, gpu]) => gpu.share?.memory)
    .filter(Boolean)
  if (!found || !shares.length) return
  const [mib, fact] = /** @type {[number, string]} */ (found),
    share = Math.min(...shares) * job.gpus_total
  if (mib >= share * TENTH || mib >= LEAST * job.gpus_total) return
  const what = `the job requests no memory, so it gets ${size(mib)}, but its GPUs' share is ${size(share)}.`
  const kind = gpus().some(([key]) => unsure(`gpus.${key}.fair_share`)) ? "doubtful" : "unwise"
  yield say("memory-almost-none", what, "Add --mem.", gpuOption(), {fact, kind, limit: size(mib)})
}
/** MiB that the job gets if it asks for none, and the fact that says so. */
export function defaultMemory({facts, job, cores, partitions}) {
  const times = {node: job.nodes || 1, gpu: job.gpus_total, core: cores()}
  for (const [name, {defaults = {}}] of partitions())
    for (const [per, factor] of Object.entries(times))
      if (defaults[per]) return [defaults[per] * factor, `partitions.${name}.default_memory_per_${per}`]
  return facts.memory_per_core ? [facts.memory_per_core * cores(), "policy.default_memory_per_core"] : null
}

// More cores or more memory than the GPUs' part of the node: others' GPUs stand idle, and you pay for the part.
const ROUNDING = 1.2 // sites publish GB and ask for GiB, and round; LUMI's own examples take 8 cores of a share of 7
function* share(given) {
  const {facts, job, wantsGpu, gpus, nodes, option, cores, rule, unsure, say} = given
  const shares = gpus().map(([, gpu]) => gpu.share)
  const every = nodes().length
    ? Math.max(0, ...nodes().flatMap(([, node]) => gpus().map(([key]) => node.gpus[key] ?? 0)))
    : 1
  const takesAll = every > 0 && (job.gpus_per_node ?? 0) >= every // then nobody's GPU is left to stand idle
  if (!wantsGpu || given.whole() || !shares.length || !shares.every(Boolean) || takesAll) return
  const number = job.gpus_total,
    all = many(number, "GPU")
  const key = (gpus().find(([key]) => unsure(`gpus.${key}.fair_share.cores`)) ?? gpus()[0])[0]
  const most = Math.max(...shares.map(share => share.cores)) * number
  if (cores() > most * ROUNDING && job.threads_per_core !== 2) {
    const what = `${cores()} cores exceed the share of ${all}, which is ${most}.`
    const cure = "Request fewer cores, or other users' GPUs stay idle."
    const at = option("cpus-per-gpu", "cpus-per-task", "ntasks", "ntasks-per-node", "mincpus", "pe")
    const more = {fact: `gpus.${key}.fair_share.cores`, limit: `${most} cores`}
    yield say("cores-over-share", what, cure, at, more)
  }
  if (rule(facts.memory) === "leave out") return
  const sizes = shares.map(share => share.memory).filter(Boolean),
    known = nodes()
      .map(([, node]) => node.memory)
      .filter(Boolean)
  const mib = given.memory() === 0 ? Math.min(...(known.length ? known : [0])) * (job.nodes || 1) : given.memory()
  const largest = Math.max(...sizes) * number
  if (sizes.length === shares.length && mib && mib > largest * ROUNDING) {
    const what = `${gib(mib)} of memory exceeds the share of ${all}, which is ${gib(largest)}.`
    const cure = "Request less memory, or other users' GPUs stay idle."
    yield say("memory-over-share", what, cure, option("mem-per-gpu", "mem-per-cpu", "mem"), {
      fact: `gpus.${key}.fair_share.memory`,
      limit: gib(largest),
    })
  }
}

/** All the memory of a node, for few of its cores. */
function* allMemory({job, known, wantsGpu, gpuOption, whole, nodes, cores, option, say}) {
  const sizes = nodes().map(([, node]) => node.cores ?? 0)
  const least = Math.min(...sizes)
  if (!known || wantsGpu || gpuOption() || whole() || job.memory_per_node !== 0 || !option("mem") || !sizes.length)
    return
  if ((job.nodes ?? 1) > 1 || cores() * 4 > least) return
  const what = `${option("mem").written} takes all the memory of a node for ${many(cores(), "core")} of ${least}, so the other cores stay idle, and you may pay for them.`
  yield say("memory-over-share", what, "Request the memory that the program needs.", option("mem"))
}

// A quarter of the GPUs' share of the cores, or less: the GPUs may wait for their data. Some programs need no more, and
// some systems give the share to a job that names no cores.
function* fewCores(given) {
  const {job, known, wantsGpu, gpus, cores, option, say} = given
  const shares = gpus().map(([, gpu]) => gpu.share?.cores)
  const share = Math.min(...shares)
  const at = option("cpus-per-gpu", "cpus-per-task")
  if (!at || !known || !wantsGpu || given.whole() || !shares.length || !shares.every(Boolean)) return
  if (cores() * 4 > share * job.gpus_total) return
  const what = `the job requests ${many(cores(), "core")}, but the share of ${many(job.gpus_total, "GPU")} is ${share * job.gpus_total}.`
  const cure = `Request ${many(share, "core")} per GPU, unless your program needs fewer.`
  yield say("cores-under-share", what, cure, at, {
    group: "gpus",
    kind: "doubtful",
    limit: `${share * job.gpus_total} cores`,
  })
}

function* wholeNode({facts, system, job, wantsGpu, partitions, nodes, option, gpuOption, say}) {
  if (!wantsGpu || partitions().length !== 1) return
  const [[name, own]] = partitions(),
    sum = numbers => numbers.reduce((all, each) => all + each, 0)
  const has = new Set(nodes().map(([, node]) => sum(Object.values(node.gpus)))),
    [number] = has,
    asked = job.gpus_per_node ?? 0
  if (!own.exclusive || has.size !== 1 || asked >= number) return
  const time = minutes(option("time")?.value ?? "") ?? 0
  const takes = ({max_nodes: most, max_time: longest}) => !((job.nodes ?? 1) > most) && !(time > longest)
  const others = Object.entries(facts.partitions)
    .filter(
      ([key, other]) =>
        takes(system.partitions?.[key] ?? {}) &&
        !other.exclusive &&
        !other.access &&
        !other.special &&
        other.nodes.some(node => own.nodes.includes(node)),
    )
    .map(([key]) => `\`${system.why?.partitions[key]?.called ?? key}\``)
  const what = `the partition \`${name}\` charges full nodes of ${number} GPUs, but this job uses ${asked} of each node.`
  const cure = others.length ? `Use all of them, or use the partition ${others.join(" or ")}.` : "Use all of them."
  yield say("whole-node-few-gpus", what, cure, gpuOption(), {
    fact: `partitions.${name}.exclusive`,
    limit: `${number} GPUs`,
  })
}

function* anyGpu({facts, job, wantsGpu, gpus, partitions, option, gpuOption, say}) {
  const {rule, note} = facts.gpu_model
  if (!wantsGpu || job.gpus.some(({type}) => type) || option("constraint", "exclude", "nodelist")) return
  // Where the scheduler chooses the partition, a job may get any GPU of the system, or a slice of one.
  const there = facts.partition.rule === "leave out" ? Object.entries(facts.gpus) : gpus()
  const models = [...new Set(there.map(([, {model, memory}]) => `${model} ${memory}`))],
    at = gpuOption()
  if (
    rule === "optional" &&
    note &&
    (partitions().length || facts.partition.rule === "leave out") &&
    models.length > 1
  ) {
    const what = `${at?.written ?? "the request"} accepts any of ${models.join(", ")}: ${end(note)}.`
    yield say("gpu-any-model", what, "Name the GPU unless your program runs on all of them.", at, {
      fact: "policy.gpu_model",
      kind: "doubtful",
    })
  }
}

const GPU_TOOLS = setOf("nvidia-smi rocm-smi amd-smi nvtop")
const NO_GPU = new Set(["", "-1", "none", "NoDevFiles"])
// Options, variables and packages with which a program computes on the processor alone; each word as `name=value`.
const TOLD_CPU =
  /^(?:(?:[-\w.]*[-_.])?(?:device|accelerator|platform|backend)=["']?cpu["']?|--no[-_]?(?:cuda|gpu)|--(?:use|force)[-_]cpu(?:=true)?|--cpu[-_]only|--(?:use[-_](?:gpu|cuda)=0|(?:use[-_])?(?:gpu|cuda)=(?:false|no))|--(?:num[-_]|n[-_]?)gpus?=0)$/i
const toldCpu = given =>
  given.some(
    (word, place) => TOLD_CPU.test(word) || (/^--?\w/.test(word) && TOLD_CPU.test(`${word}=${given[place + 1] ?? ""}`)),
  )
const SET_TO_CPU =
  /^(?:(?:JAX_PLATFORM\w*|OPENMM_DEFAULT_PLATFORM|ACC_DEVICE_TYPE)=(?:cpu|host)|OMP_TARGET_OFFLOAD=disabled|(?:NUMBA_DISABLE_CUDA|NUMBA_ENABLE_CUDASIM|ACCELERATE_USE_CPU|GMX_DISABLE_GPU_DETECTION)=(?:1|true)|OLLAMA_NUM_GPU=0)$/i
const FOR_CPU =
  /^(?:tensorflow[-_]cpu|faiss[-_]cpu|pytorch-cpu|cpuonly|jax\[cpu\])(?:[=<>~].*)?$|\/whl\/cpu\/?$|^torch==[\d.]+\+cpu$/
// What is set for all that follows; Slurm exports the GPUs' variables, so that setting one is enough.
const exported = ({name, words, sets}) => (name === "export" ? words.slice(1) : words.length ? [] : sets)

function* unusedGpu(given) {
  const {job, known, wantsGpu, gpuOption, commands, say} = given
  if (!wantsGpu) {
    if (known && !gpuOption() && !job.exclusive) yield* notAsked(given) // a request that was refused; GPUs of the whole node
    return
  }
  const names = [...new Set(commands.map(program))].filter(Boolean).sort()
  const idle = name => (SETUP.has(name) || FILES.has(name)) && name !== "source" && name !== "."
  const {runs: working} = runsOf(given)
  const onCpu = working.filter(({entry}) => entry?.gpu === "never")
  const others = working.filter(({entry, name}) => entry?.gpu !== "never" && !idle(name))
  if (onCpu.length && !others.length && !commands.some(({name}) => name === "source" || name === ".")) {
    const what = `the job requests a GPU, but ${onCpu[0].entry.name} cannot use one.`
    const ofGpus = given.gpus().some(([, {model}]) => model.startsWith("AMD")) ? ".hip" : ".cuda"
    const twin = onCpu[0].name.replace(/(?:\.MPI)?$/, end => ofGpus + end)
    const cure = entryOf([twin]) ? `Start ${twin} instead, or request none.` : "Request none."
    yield say("gpu-unused", what, cure, gpuOption())
  }
  const long = others.length
    ? onCpu.find(({threads, command}) => threads >= 4 && command.certain && !command.background && !command.pipes)
    : null
  if (long) {
    const what = `the GPU is idle while ${long.entry.name} runs, which cannot use it.`
    const cure = "Run this step in a job of its own without a GPU, if it is long."
    yield say("gpu-idle-in-a-step", what, cure, long.command, {kind: "doubtful"})
  }
  if (names.length && names.every(idle)) {
    const what = `the job requests a GPU, but none of its programs can use it: ${names.join(", ")}.`
    yield say("gpu-unused", what, "Request none, or start the program that needs it.", gpuOption())
  }
  const set = has =>
    commands.flatMap(each =>
      exported(each)
        .filter(has)
        .map(part => [each, part]),
    )
  const assigned = part => part.slice(part.indexOf("=") + 1)
  const hidden = set(part => part.includes("VISIBLE_DEVICES="))
  if (hidden.length === 1 && hidden[0][0].certain && NO_GPU.has(assigned(hidden[0][1]))) {
    const what = `\`${hidden[0][1]}\` hides every GPU, but the job requests one.`
    yield say("gpu-hidden", what, "Remove the line, or request no GPU.", hidden[0][0])
  }
  const runs = commands.filter(each => {
    const name = program(each)
    return name && !SETUP.has(name) && !FILES.has(name) && !GPU_TOOLS.has(name)
  })
  if (runs.length && runs.every(each => toldCpu(payload(each)))) {
    const what = "the job requests a GPU, but this program is set to use the CPU."
    yield say("gpu-told-cpu", what, "Request no GPU, or remove that option.", runs[0])
  }
  const variable = set(part => SET_TO_CPU.test(part.replace(/["']/g, "")))
  const name = variable[0]?.[1].split("=")[0]
  if (variable.length === 1 && variable[0][0].certain && set(part => part.startsWith(`${name}=`)).length === 1) {
    const what = `the job requests a GPU, but \`${variable[0][1]}\` keeps the program from using it.`
    yield say("gpu-told-cpu", what, "Request no GPU, or remove the line.", variable[0][0])
  }
  const install = commands.find(
    each => each.words.includes("install") && each.words.some(word => FOR_CPU.test(word.replace(/^--?[\w-]+=/, ""))),
  )
  if (install) {
    const what = `the job requests a GPU, but \`${install.words.find(word => FOR_CPU.test(word.replace(/^--?[\w-]+=/, "")))}\` has no code for one.`
    yield say("gpu-told-cpu", what, "Install the build for GPUs, or request no GPU.", install)
  }
}
// How a program is told to use a GPU; each word as `name=value`.
const TOLD_GPU =
  /^(?:[-\w.]*[-_.])?(?:device=["']?(?:cuda|gpu)(?::\d+)?["']?|accelerator=["']?(?:cuda|gpu)["']?|platform=["']?(?:cuda|hip)["']?)$|^--use[-_](?:gpu|cuda)(?:=(?:1|true|yes))?$|^\+devices$/i
function* notAsked({facts, partitions, certain, option, say}) {
  const there = partitions(),
    withGpus = key => Object.keys(facts.nodes[key].gpus).length > 0
  if (
    there.length &&
    !there.some(([, {needs_gpu}]) => needs_gpu) &&
    there.every(([, {nodes}]) => nodes.every(withGpus))
  ) {
    const [[name]] = there
    const what = `${name} has GPU nodes, but the job requests no GPU.`
    const cure = "Request one, or use a partition without GPUs."
    yield say("gpu-not-asked", what, cure, option("partition", "q"), `partitions.${name}.node_types`)
    return
  }
  const tool = certain.find(each => GPU_TOOLS.has(program(each)))
  if (tool) yield say("gpu-not-asked", `the script runs ${program(tool)}, but requests no GPU.`, "Request one.", tool)
  const joined = ({words}) =>
    words.flatMap((word, at) => [word, ...(/^--?\w/.test(word) ? [`${word}=${words[at + 1]}`] : [])])
  for (const command of certain.filter(({name}) => !/^(?:echo|printf|cmake|make|module|ml|pip3?|conda)$/.test(name))) {
    const container = started(command.words).through.find(({name}) => /^(?:apptainer|singularity)$/.test(name))
    const option =
      container?.words.find(word => /^--(?:nv|rocm|nvccli)$/.test(word)) ??
      joined({words: payload(command)}).find(word => TOLD_GPU.test(word))
    if (!option) continue
    const what = `\`${option}\` is for a GPU, but the job requests none.`
    return yield say("gpu-not-asked", what, "Request a GPU, or remove the option.", command)
  }
}

// Several GPUs for one plain `python x.py`: it uses one, unless it was written for more.
const SPREADS =
  /gpu|cudacluster|device|parallel|ddp|dist|multi|nproc|horovod|accelerate|ray|mirror|world|shard|tp|tensor/i
function* severalGpus({job, commands, gpuOption, say}) {
  if (job.gpus_total < 2 || job.array || (job.tasks || job.tasks_per_node || 1) > 1 || (job.nodes || 1) > 1) return
  const runs = commands.filter(
    each => program(each) && !SETUP.has(program(each)) && !["pip", "virtualenv"].includes(program(each)),
  )
  if (runs.length !== 1 || !runs[0].certain) return
  const [run] = runs,
    started = payload(run),
    script = started.slice(1).find(word => !word.startsWith("-")) ?? ""
  const plain = /^python[0-9.]*$/u.test(program(run)) && script.endsWith(".py") && !started.includes("-m")
  const everything = [...run.words, ...commands.flatMap(documents), ...commands.flatMap(({sets}) => sets)]
  if (!plain || everything.some(word => SPREADS.test(word)) || run.words.includes("-n")) return
  const what = `the job requests ${job.gpus_total} GPUs, but starts \`${script}\` only once, so it may use only one.`
  const several = run.words.includes("srun")
    ? `request --ntasks=${job.gpus_total}, because srun starts one process per task.`
    : "start it with torchrun, or with srun and one task per GPU."
  const cure = `If it uses one GPU, request one. If each process uses one, ${several}`
  yield say("gpus-for-one-process", what, cure, gpuOption(), {kind: "doubtful"})
}

export const ideas = [
  switchedOff,
  account,
  partition,
  memory,
  share,
  allMemory,
  fewCores,
  wholeNode,
  anyGpu,
  unusedGpu,
  severalGpus,
]
