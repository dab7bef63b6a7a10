// Advice about what the work needs of its nodes: a GPU new enough, cores for its workers, a container tool, memory.
import {compiledCode, compiledFor, newerThan, onlyOfIntel} from "../script/architecture.js"
import {base, documents, programs, shellTexts, started} from "../script/payload.js"
import {readScript} from "../script/read.js"
import {setOf} from "../script/text.js"
import {many} from "../script/units.js"
import {entryOf, WORKERS, optionValue} from "./runs.js"

/** @param {number[]} one @param {number[]} other */
const older = ([a, b], [c, d]) => a < c || (a === c && b < d)
const CONTAINER = /^(?:apptainer|singularity)$/

/** Precisions and kernels that need a newer GPU than any that the job may get: its programs' own messages say so. */
const NEEDS = [
  {pattern: /flash[-_]?(?:att(?:entio)?n)?[-_]?3$|^fa3$/i, least: [9, 0], what: "FlashAttention 3"},
  {pattern: /flash[-_]attention[-_]?2|flash[-_]attn/i, least: [8, 0], what: "FlashAttention"},
  {pattern: /(?:^|[=\s])(?:bf16(?:-mixed|-true)?|bfloat16)$|^--bf16$/i, least: [8, 0], what: "bfloat16"},
  {pattern: /(?:^|[=\s])fp8$|^--fp8$|^--use-fp8$|^fp8_autocast$|^\+?(?:\w+\.)*fp8=true$/i, least: [8, 9], what: "FP8"},
]
function* precision({gpus, commands, say}) {
  const all = gpus().map(([, gpu]) => gpu)
  if (!all.length || !all.every(({capability}) => capability)) return
  const [[key]] = gpus(),
    models = [...new Set(all.map(({model}) => model))].join(", ")
  const told = new Set()
  const inside = command => shellTexts(command).flatMap(text => readScript(text).commands.map(own => [own, command]))
  for (const [own, command] of commands.flatMap(each => [[each, each], ...inside(each)])) {
    const code =
      documents(own)
        .join("\n")
        .match(/flash_attention_2(?=["'])|\bfp8_autocast\b/g) ?? []
    for (const [place, word] of [...own.words, ...code].entries()) {
      const need = NEEDS.find(({pattern}) => pattern.test(word))
      if (
        !need ||
        place === 0 ||
        told.has(need) ||
        /^(echo|printf|pip3?|conda|mkdir|cd|module)$/.test(own.name) ||
        !all.every(({capability}) => older(capability, need.least))
      )
        continue
      if (/\bfalse\b|=0$/i.test(`${word} ${own.words[place + 1] ?? ""}`)) continue
      told.add(need)
      const what = `\`${word}\` uses ${need.what}, which needs compute capability ${need.least.join(".")} or higher, but ${models} has less.`
      const has = ({pattern, least}) => pattern.test("bf16") && !all.some(({capability}) => older(capability, least))
      const numbers = `${NEEDS.some(has) ? "bfloat16, " : ""}float16 or float32`
      const cure = /^Flash/.test(need.what) ? "Use another implementation of attention." : `Use ${numbers}.`
      yield say("precision-not-there", what, cure, command, {
        fact: `gpus.${key}.compute_capability`,
        kind: "fails",
      })
    }
  }
}

// GPUs with 1/32 or less of their float32 rate in float64: CUDA C++ Programming Guide, arithmetic throughput.
const FEW_FP64 = setOf("7.5 8.6 8.9 12.0")
const FP64 =
  /(?:^|[-_]precision[= ]|[-_]dtype[= ])["']?(?:64(?:-true)?|double|f(?:loat|p)?64)["']?$|set_default_dtype\(torch\.(?:float64|double)\)|^--(?:double|f(?:loat|p)?64)$|^JAX_ENABLE_X64=(?:1|[Tt]rue)$|jax_enable_x64["'], True/
/** Numbers of 64 bits on a GPU that has few units for them. */
function* double({gpus, commands, say}) {
  const all = gpus().map(([, gpu]) => gpu)
  if (!all.length || !all.every(({capability}) => capability && FEW_FP64.has(capability.join(".")))) return
  for (const command of commands) {
    const parts = command.words.map((word, at) =>
      /[-_.](?:precision|dtype)$/.test(word) ? `${word} ${command.words[at + 1]}` : word,
    )
    const found = [...command.sets, ...parts, ...documents(command)].find(
      part => FP64.test(part) && !/^\d+$/.test(part),
    )
    if (!found || /^(?:echo|printf)$/.test(command.name)) continue
    const what = `\`${FP64.exec(found)?.[0].trim()}\` sets float64, which ${all[0].model} computes at 1/32 of its float32 rate or less.`
    yield say("double-precision-slow", what, "Use float32, or a GPU for float64 such as A100 or H100.", command, {
      fact: `gpus.${gpus()[0][0]}.compute_capability`,
    })
    return
  }
}

const OFFLOAD =
  /(?:--(?:offload-arch|amdgpu-target)=|(?:GPU_TARGETS|HIP_ARCHITECTURES|ROCM_ARCH|AMDGPU_TARGETS?)=["']?|craype-accel-amd-|Kokkos_ARCH_(?:AMD_)?)(?:gfx(\w+)|VEGA(\w+)=ON)/gi
/** Built for GPUs that this job does not get. */
function* codeForGpu({gpus, certain: commands, say}) {
  const all = gpus().map(([, gpu]) => gpu)
  const offload = new Set(all.map(gpu => gpu.offload))
  for (const command of offload.size === 1 && all[0].offload && !commands.some(({name}) => name === "echo")
    ? commands
    : []) {
    const found = [...[...command.words, ...command.sets].join(" ").matchAll(OFFLOAD)].map(([, one, two]) =>
      `gfx${one ?? two}`.toLowerCase(),
    )
    if (!found.length || found.some(each => each.startsWith(all[0].offload))) continue
    const what = `\`${found[0]}\` is code for a different GPU, but this job gets ${all[0].model}.`
    yield say("compiled-for-another-gpu", what, `Compile for ${all[0].offload}.`, command, {
      fact: `gpus.${gpus()[0][0]}.offload_arch`,
      kind: "fails",
    })
    return
  }
  if (!all.length || !all.every(({capability}) => capability)) return
  const [[key]] = gpus()
  for (const command of commands) {
    const text = [...command.words, ...command.sets].join(" ")
    if (
      /^(echo|printf)$/.test(command.name) ||
      /[;,\s]\d+[-.;,]\S*\d|all|native/.test(/(?:CUDA_ARCHITECTURES|ARCH_LIST)=\S*/.exec(text)?.[0] ?? "")
    )
      continue
    const found = compiledCode(text)
    if (!found.length || found.some(({version}) => version[0] < 3)) continue
    const runs = ({capability}) =>
      found.some(({version: [major, minor]}) => major === capability[0] && minor <= capability[1])
    const onlyThese = /code=sm_|TORCH_CUDA_ARCH_LIST=(?!.*PTX)/.test(text)
    const compiled = ({capability}) => !onlyThese && found.some(({version}) => !older(capability, version)) // from PTX
    if (all.some(gpu => runs(gpu) || compiled(gpu)) || /code=\[?(?:\w+,)*compute_/.test(text)) continue
    const what = `\`${found.at(-1).whole}\` is code for a different GPU, but this job gets ${all[0].model}, compute capability ${all[0].capability.join(".")}.`
    const right = compiledFor(found.at(-1).whole, all[0].capability)
    const cure = right ? `Write \`${right.replace(/["']/, "")}\`.` : `Compile for sm_${all[0].capability.join("")}.`
    yield say("compiled-for-another-gpu", what, cure, command, {
      fact: `gpus.${key}.compute_capability`,
      kind: "fails",
    })
    return
  }
}

// Programs whose options are those of other jobs or computers, and options by which any other program is told threads.
const ELSEWHERE =
  /^(?:nextflow|snakemake|cromwell|toil|cwltool|sbatch|srun|ssh|parallel|xargs|echo|printf|fio|ior|ray)$/
const LAUNCHED = /^(?:srun|mpirun|mpiexec)$/ // it may count the processes of all nodes
const THREADS = WORKERS.filter(option => !/workers|proc$|processes/.test(option)).concat(
  [
    "--nthreads",
    "--n_threads",
    "--n-threads",
    "--nprocs",
    "--num_cpus",
    "--num-cpus",
    "--n_cpus",
    "--n-cpus",
    "--cores",
  ],
  ["--n_cores", "--num_cores", "--num-cores", "-openmp", "-threads"],
)
/** More workers than cores, where the script says how many of each. */
function* workers({kind: scheduler, system, job, commands, option, say, whole}) {
  const asked = option(
    "cpus-per-task",
    "cpus-per-gpu",
    "ntasks",
    "ntasks-per-node",
    "mincpus",
    "cores-per-socket",
    "pe",
  )
  if (whole() || scheduler !== "slurm" || (!asked && job.gpus_total)) return // a site may give cores with a GPU
  const tasks = job.tasks_per_node ?? Math.ceil((job.tasks ?? job.nodes ?? 1) / (job.nodes ?? 1))
  const cores =
    (job.cpus_per_task ?? (job.cpus_per_gpu ? job.cpus_per_gpu * Math.max(1, job.gpus_per_node ?? 1) : 1)) * tasks
  for (const command of commands) {
    for (const {words, through} of programs(command)) {
      const name = base(words[0] ?? "")
      const own = /^(?:python[\d.]*|torchrun|accelerate|deepspeed|\S+\.py)$/.test(name)
      if (!name || ELSEWHERE.test(name) || (!own && (entryOf(words) || through.some(each => LAUNCHED.test(each.name)))))
        continue
      const local = words.map(word => /^local\[(\d+)\]$/.exec(word)?.[1]).find(Boolean) // Spark's
      const value = local ?? optionValue(words, own ? WORKERS : THREADS)
      const number = /^\d+$/.test(value ?? "") ? Number(value) : 0
      const perCore = own ? 1.5 : Math.max(1.5, ...Object.values(system.nodes ?? {}).map(node => node.threads ?? 1))
      if (number <= Math.max(2, cores * perCore)) continue
      const what = `\`${base(words.find(word => word.endsWith(".py")) ?? words[0])}\` is set to use ${number} workers, but the job has ${many(cores, "core")} per node.`
      yield say("workers-over-cores", what, "Request more cores with --cpus-per-task, or start fewer workers.", command)
      return
    }
  }
}

/** One GPU, and every task of srun uses it. */
function* oneGpuForAll({job, commands, say}) {
  const tasks = job.tasks ?? (job.tasks_per_node ?? 1) * (job.nodes ?? 1)
  if (job.gpus_total !== 1 || tasks < 2) return
  for (const command of commands) {
    const {through, words} = started(command.words)
    const srun = through.find(({name}) => name === "srun")
    const sized = srun?.words.some(word => /^(?:-n\S*|--ntasks\S*|-c\S*|--multi-prog)$/.test(word))
    if (!srun || sized || !/^(?:python[\d.]*|torchrun|accelerate|deepspeed|.+\.py)$/.test(base(words[0] ?? "")))
      continue
    if (commands.some(({text}) => /mpi|horovod|hvd|PROCID/i.test(text))) return
    const what = `srun starts \`${base(words[0])}\` ${tasks} times, and all share one GPU.`
    yield say("tasks-share-a-gpu", what, "Request one task, with --cpus-per-task for its cores.", command)
    return
  }
}

/** The container tool comes from a module that nothing loads. */
function* containerModule({facts, name, commands, say}) {
  const tool = facts.software.container_module
  if (
    !tool ||
    commands.some(({text}) =>
      new RegExp(
        `^(?:module|ml)\\b.*\\b(?:${tool}|singularity|restore)|^(?:source|\\.)\\s+(?!\\S*activate)|PATH=`,
      ).test(text),
    )
  )
    return
  const command = commands.find(({words}) =>
    words.some((word, place) => CONTAINER.test(word) && (place === 0 || base(words[0]) === "srun")),
  )
  if (!command) return
  const what = `on ${name}, a module provides ${tool}, but no line here loads it.`
  yield say("container-without-its-module", what, `Add above it: module load ${tool}`, command, {
    group: "software",
    kind: facts.software.container_documented ? "doubtful" : "fails", // an example does not say that it must be loaded
  })
}

/** Directories that the container does not see. */
function* containerHides({commands, expand, say}) {
  for (const command of commands) {
    const at = command.words.findIndex(word => CONTAINER.test(base(word)))
    if (at < 0) continue
    const words = command.words.slice(at).map(expand)
    const image = words.findIndex(
      word => /\.sif$|^(?:docker|library|oras):/.test(word) || /^\$\{?(?:SIF|IMAGE|IMG|CONTAINER)/i.test(word),
    )
    const own = words.slice(0, image)
    const all = own.find(word => /^(?:--containall|-C)$/.test(word))
    const bound = own.some(word => /^(?:-B|--bind|--mount|--pwd|--home|-H)/.test(word))
    const file = words.slice(image + 2).find(word => /^[\w$./{}-]+\.\w{1,5}$/.test(word) && !word.startsWith("/"))
    if (image > 0 && all && !bound && file && !commands.some(({text}) => /_BIND/.test(text))) {
      const what = `\`${all}\` hides the current directory, so the container cannot find \`${file}\`.`
      yield say("container-hides-a-directory", what, 'Add --bind "$PWD" --pwd "$PWD".', command, {kind: "fails"})
      continue
    }
    if (!own.some(word => /^(?:--containall|--contain|-c|-C|--no-mount=(?:home|cwd).*)$/.test(word))) continue
    const binds = own.join(" ")
    const hidden =
      image > 0 &&
      words
        .slice(image + 1)
        .map(
          word =>
            /(?:^|=)(\/(?:scratch|project|projects|projappl|work|flash|nobackup|data)\/[^/\s]*|\$\{?(?:SCRATCH|PROJECT|WORK)\b)/.exec(
              word,
            )?.[1],
        )
        .find(
          path =>
            path &&
            !binds.includes(path) &&
            !binds.includes(path.split("/").slice(0, 2).join("/") + ":") &&
            !new RegExp(
              `(?:^|[\\s,=])${path.split("/").slice(0, 2).join("/").replace(/[$]/g, "\\$")}(?:[\\s,]|$)`,
            ).test(binds),
        )
    if (!hidden || commands.some(({text}) => /(?:APPTAINER|SINGULARITY)_BIND/.test(text))) continue
    const what = `\`${hidden}\` does not exist in the container, because --containall hides it and no --bind names it.`
    yield say("container-hides-a-directory", what, `Add --bind ${hidden}.`, command, {kind: "fails"})
  }
}

/** The partitions without GPUs whose nodes jobs share: [key, partition]. */
export const sharing = ({facts}) =>
  Object.entries(facts.partitions).filter(
    ([, other]) =>
      !other.exclusive &&
      !other.access &&
      !other.special &&
      !other.needs_gpu &&
      !other.nodes.every(node => Object.keys(facts.nodes[node]?.gpus ?? {}).length),
  )

/** A whole node for a few cores. */
function* wholeNodeFewCores(given) {
  const {job, known, kind, wantsGpu, gpuOption, partitions, cores, option, say} = given
  if (
    !known ||
    kind !== "slurm" ||
    wantsGpu ||
    gpuOption() ||
    partitions().length !== 1 ||
    job.exclusive ||
    (job.nodes ?? 1) > 1
  )
    return
  const [[name, own]] = partitions()
  if (/test|debug/.test(name)) return
  const has = given.nodeCores()
  const named = option("ntasks", "ntasks-per-node", "cpus-per-task")
  if (!own.exclusive || !named || !Number.isFinite(has) || option("mem") || cores() * 4 > has * (job.nodes || 1)) return
  const others = sharing(given).map(([key]) => `\`${key}\``)
  if (!others.length || cores() > 2) return
  const what = `the partition \`${name}\` charges full nodes of ${has} cores, but this job uses ${many(cores(), "core")}.`
  const cure = `Use all of them, or use the partition ${others.slice(0, 2).join(" or ")}.`
  yield say("whole-node-few-cores", what, cure, named, {
    fact: `partitions.${name}.exclusive`,
    limit: `${has} cores`,
  })
}

// They start their processes themselves on any scheduler.
const SPAWNS = /spawn|fork|notebook|^dp$/
/** Lightning starts no processes of its own in a job with --ntasks, and compares the numbers under srun. */
function* lightning({job, commands, option, say}) {
  const each =
    job.tasks_per_node ??
    ((job.nodes ?? 1) === 1 ? (job.tasks ?? (option("ntasks-per-gpu", "gpus-per-task") ? null : 1)) : null)
  for (const command of commands) {
    const {through, words} = started(command.words)
    const srun = through.find(({name}) => name === "srun")
    const there = job.gpus_per_node ?? job.gpus_total
    const asks =
      optionValue(words, ["--trainer.devices", "trainer.devices"]) ??
      (/^(?:gpu|cuda)$/.test(optionValue(words, ["--accelerator"]) ?? "") ? optionValue(words, ["--devices"]) : null)
    if (there && /^\d+$/.test(asks ?? "") && Number(asks) > there && /^python[\d.]*$/.test(base(words[0] ?? ""))) {
      const what = `Lightning is set to use ${asks} devices, but the job has ${many(there, "GPU")} per node.`
      const cure = `Set the number of devices to ${there}, or request ${asks} GPUs per node.`
      yield say("lightning-devices", what, cure, command, {kind: "fails"})
      continue
    }
    const own = /^--trainer\.|^trainer\./
    if (srun && option("ntasks") && !option("ntasks-per-node") && job.tasks > 1 && words.some(word => own.test(word))) {
      const what = "Lightning stops, because it accepts only --ntasks-per-node, not --ntasks."
      yield say("lightning-devices", what, `Write --ntasks-per-node=${job.tasks}.`, option("ntasks"), {kind: "fails"})
      continue
    }
    // Its SLURMEnvironment: SLURM_NTASKS is in the environment, and the job's name is not that of an interactive one.
    const alone = option("ntasks") && job.tasks === 1 && !/^(?:bash|interactive)$/.test(option("job-name")?.value ?? "")
    const strategy = optionValue(words, ["--trainer.strategy", "trainer.strategy", "--strategy"])
    const given =
      optionValue(words, ["--trainer.devices", "trainer.devices"]) ??
      (/^(?:ddp|fsdp|deepspeed)/.test(strategy ?? "") || /lightning/i.test(command.text)
        ? optionValue(words, ["--devices"])
        : null)
    const uses = /^(?:auto|-1)$/.test(given ?? "") ? there : Number(given)
    if (alone && !srun && uses > 1 && !SPAWNS.test(strategy ?? "") && /^python[\d.]*$/.test(base(words[0] ?? ""))) {
      if (commands.some(({text}) => /\bunset\b.*\bSLURM_NTASKS\b|\benv\b.*-u ?SLURM_NTASKS\b/.test(text))) continue
      const what = `Lightning starts no processes itself in a job with --ntasks. Without srun, one process runs for ${uses} devices, so ${uses > 2 ? `${uses - 1} of the GPUs stay` : "one of the GPUs stays"} idle, and only 1/${uses} of the data is used.`
      const cores = Math.floor((job.cpus_per_task ?? 0) / uses)
      const fewer = cores ? `, --cpus-per-task=${cores}` : ""
      const cure = `Instead of --ntasks=1, request --ntasks-per-node=${uses}${fewer}, and write srun before python.`
      yield say("lightning-devices", what, cure, command)
      continue
    }
    if (
      !srun ||
      each === null ||
      srun.words.some(word => /^(?:-n|--ntasks)/.test(word)) ||
      !/^python[\d.]*$/.test(base(words[0] ?? ""))
    )
      continue
    const value =
      optionValue(words, ["--trainer.devices", "trainer.devices"]) ??
      words.map(word => /^trainer\.devices=(.*)$/.exec(word)?.[1]).find(Boolean) ??
      (/lightning|\bfit\b/i.test(command.text) ? optionValue(words, ["--devices"]) : null)
    const devices = /^\d+$/.test(value ?? "") ? Number(value) : 0
    const count = /^\d+$/.test(optionValue(words, ["--trainer.num_nodes", "trainer.num_nodes", "--num_nodes"]) ?? "")
      ? Number(optionValue(words, ["--trainer.num_nodes", "trainer.num_nodes", "--num_nodes"]))
      : 0
    if (devices && count && job.nodes && count !== job.nodes) {
      const what = `Lightning waits for ${count} nodes, but the job has ${job.nodes}.`
      yield say("lightning-devices", what, "Write num_nodes=$SLURM_NNODES.", command, {kind: "fails"})
      continue
    }
    if (!devices || devices === each) continue
    const what = `Lightning gets ${devices} devices, but srun starts ${many(each, "task")} per node, and Lightning stops if these differ.`
    yield say("lightning-devices", what, `Request --ntasks-per-node=${devices}.`, command, {kind: "fails"})
  }
}

const INTEL = /^(?:module|ml)\s.*\bintel(?!-?mpi)[\w-]*|\b(?:mpi)?(?:icc|icpc|ifort)\b|\bmpii(?:cc|cpc|fort)\b/
/** Compiled for instructions that the nodes' processors do not have. */
function* instructions({nodes, certain: commands, say}) {
  const cpus = nodes().map(([, node]) => node.cpu ?? "")
  const stops = [...onlyIntel(cpus, nodes, commands, say)]
  if (stops.length) return yield* stops
  for (const command of commands) {
    const found = newerThan(cpus, [...command.words, ...command.sets])
    if (!found || command.words.some(word => /^-mtune/.test(word))) continue
    const what = `\`${found}\` uses AVX-512, which the nodes' ${cpus[0]} does not have.`
    const intel = commands.some(({text}) => INTEL.test(text)) // of which only the newer know native
    const cure = intel ? "Write -march=core-avx2 instead." : "Compile with -march=native in a job on these nodes."
    yield say("processor-too-old", what, cure, command, {
      fact: `node_types.${nodes()[0][0]}.cpu`,
      kind: "fails",
    })
    return
  }
}

/** Intel's compilers make code with -x that stops on any other processor: their documentation of -x. */
function* onlyIntel(cpus, nodes, commands, say) {
  if (!cpus.length || !cpus.every(cpu => /^AMD/.test(cpu))) return
  for (const command of commands) {
    const found = [...command.words, ...command.sets].find(onlyOfIntel)
    if (!found) continue
    const what = `code compiled with \`${onlyOfIntel(found)}\` runs only on Intel processors, but the nodes have ${cpus[0]}.`
    return yield say("only-for-intel", what, "Write -march=core-avx2 instead.", command, {
      fact: `node_types.${nodes()[0][0]}.cpu`,
      kind: "fails",
    })
  }
}

export const ideas = [
  precision,
  double,
  codeForGpu,
  workers,
  oneGpuForAll,
  containerModule,
  containerHides,
  wholeNodeFewCores,
  lightning,
  instructions,
]
