// Advice about GPUs and cores that a script chooses by number, and about the networks that variables name.
import {programs} from "../script/payload.js"
import {minutes} from "../schedulers/slurm/values.js"
import {gpusOf, many} from "../script/units.js"
import {looped, optionValue, runsOf} from "./runs.js"

const VISIBLE = /^(CUDA|ROCR|HIP)_VISIBLE_DEVICES=(["']?)(.*?)\2$/s
const set = ({name, sets, words}) => [...sets, ...(name === "export" ? words.slice(1) : [])]
const unquoted = text => text.replace(/["']/g, "")
/** GPUs by numbers that the job does not have, or has twice. */
function* numbers(given) {
  const {job, kind, wantsGpu, commands, option, say, nodes, gpus} = given
  const there = (job.nodes ?? 1) === 1 ? job.gpus_total : job.gpus_per_node
  if (kind !== "slurm" || !wantsGpu || !there || job.exclusive) return
  const full = nodes().some(([, node]) => gpus().some(([key]) => node.gpus[key] <= there)) // its numbers are the job's
  const array = /^(\d+)-(\d+)/.exec(option("array")?.value ?? "")
  for (const command of commands) {
    const own = set(command)
      .map(part => VISIBLE.exec(part))
      .find(Boolean)
    const told = own
      ? unquoted(own[3])
      : (command.words.map(word => /^(?:--?[\w-]+=)?cuda:(\$\{?\w+\}?)$/.exec(word)?.[1]).find(Boolean) ?? "")
    const [, variable] = /^\$\{?(\w+)\}?$/.exec(told) ?? []
    const listed = command.words
      .map(
        (word, at) =>
          /^(?:--?)?(?:gpu[-_]?ids?|gpus|devices?)=(.*)$/.exec(word)?.[1] ??
          (/^--(?:gpu[-_]?ids?|gpus|devices?)$/.test(word) ? command.words[at + 1] : null),
      )
      .find(each => /^\d+(?:,\d+)+$/.test(each ?? ""))
    const list = listed
      ? listed.split(",").map(Number)
      : /^\d+(?:,\d+)*$/.test(told)
        ? told.split(",").map(Number)
        : variable
          ? looped(commands, command, variable)
          : null
    const most = Math.max(...(list ?? [0]))
    const inner = command.nested || command.fn
    if (command.words.concat(command.sets).some(word => /VISIBLE_DEVICES=["']?\{%\}/.test(word)))
      yield say(
        "gpu-number-not-there",
        "`{%}` of GNU parallel counts from 1, but the job counts its GPUs from 0.",
        "Write $(({%} - 1)).",
        command,
        {kind: "fails"},
      )
    const reason =
      most >= there
        ? `\`${listed ?? (own ? own[0] : `cuda:${told}`)}\` ${list.length > 1 && variable ? `goes up to ${most}` : `names GPU ${most}`}, but the job has only ${gpusOf(there)}.`
        : own && /^\d/.test(told) && new Set(list).size < list.length
          ? `\`${own[0]}\` names a GPU twice, so CUDA shows the program no GPU.`
          : own && /^SLURM_(?:JOB|STEP)_GPUS$/.test(variable ?? "") && !full
            ? `\`$${variable}\` contains the GPUs' numbers on the node, but the job numbers its own GPUs from 0.`
            : own && variable === "SLURM_ARRAY_TASK_ID" && array && Number(array[2]) >= there
              ? `\`$${variable}\` goes up to ${array[2]}, but each task of the array has only ${gpusOf(there)}.`
              : own && variable === "SLURM_PROCID" && job.nodes > 1
                ? `\`$${variable}\` counts the tasks of all nodes, but each node has GPUs 0 to ${there - 1} only.`
                : null
    if (reason) {
      const cure =
        variable === "SLURM_PROCID"
          ? "Write $SLURM_LOCALID."
          : !own || (list && list.length > 1 && most >= there)
            ? "Name only GPUs of the job."
            : "Remove this setting, because Slurm sets the variable."
      yield say("gpu-number-not-there", reason, cure, command, {kind: "fails"})
    } else if (
      own &&
      /^SLURM_(?:LOCALID|PROCID)$/.test(variable ?? "") &&
      !inner &&
      !command.words.some(word => word === "bash") &&
      job.tasks_per_node !== 1
    ) {
      const later = commands.slice(commands.indexOf(command)).some(({name}) => name === "srun")
      if (!later || there < 2) continue
      const what = `\`${own[0]}\` is 0 here, because srun does not start the script, so all tasks get GPU 0.`
      yield say("tasks-on-one-gpu", what, "Set it in a `bash -c` that srun starts.", command)
    }
  }
}

/** Processes for GPUs that the script has hidden from them. */
function* hidden({commands, expand, say}, {runs}) {
  if (!commands.some(({text}) => text.includes("VISIBLE_DEVICES"))) return
  for (const {command, entry, gpus, processes, words, through} of runs) {
    const before = commands.slice(0, commands.indexOf(command)).filter(({fn}) => fn === command.fn)
    const chosen = each =>
      each &&
      set(each)
        .map(part => VISIBLE.exec(part))
        .find(Boolean)
    const last = before.findLast(
      ({name, words: [first], text}) => (!first || /^(?:export|unset)$/.test(name)) && /VISIBLE_DEVICES/.test(text),
    )
    const own = chosen(command),
      found = own ?? (last?.certain ? chosen(last) : null)
    const list = found && unquoted(expand(found[3]))
    const inside = through.some(({words: given}) => given.some(word => /VISIBLE_DEVICES/.test(word)))
    if (!list || !/^\d+(?:,\d+)*$/.test(list) || command.condition || inside) continue
    const asked = gpus ?? (/^(?:torchrun|accelerate launch)/.test(entry?.name ?? "") ? processes : null)
    const there = list.split(",").length
    if (!(asked > there)) continue
    const what = `\`${unquoted(found[0])}\` leaves ${many(there, "GPU")} visible, but \`${words[0].split("/").at(-1)}\` on line ${command.line} is set to use ${asked}.`
    yield say("gpus-hidden", what, "Remove the line.", own ? command : last, {kind: "fails"})
    return
  }
}

/** Every run at once on the same GPU of several. */
function* sameGpu({job, wantsGpu, commands, expand, say}) {
  const there = (job.nodes ?? 1) === 1 ? job.gpus_total : job.gpus_per_node
  if (!wantsGpu || !(there > 1) || commands.some(({name}) => /^nvidia-cuda-mps/.test(name))) return
  const device = command => {
    const own = set(command)
      .map(part => VISIBLE.exec(part)?.[3])
      .find(Boolean)
    if (own !== undefined) return own
    const words = command.words.map(expand)
    return (
      words.map(word => /(?:^|=)(cuda:\d+)$/.exec(word)?.[1]).find(Boolean) ??
      optionValue(words, ["--gpu", "--gpu_id", "--gpu-id", "--device-id"])
    )
  }
  const runs = commands.filter(({background, name, words}) => background && words.length && name !== "srun")
  const named = runs.map(command => [command, device(command)]).filter(([, told]) => /^(?:cuda:)?\d+$/.test(told ?? ""))
  const one = new Set(named.map(([, told]) => told)).size === 1
  const several = named.length > 1 || named.some(([{loops}]) => loops.length)
  if (!named.length || named.length < runs.filter(command => device(command) !== null).length || !one || !several)
    return
  const [[command, told]] = named
  const what = `all concurrent runs use \`${told}\`, so the job's other ${there === 2 ? "GPU stays" : `${there - 1} GPUs stay`} idle.`
  yield say("gpu-shared-by-all-runs", what, "Give each run its own GPU, such as CUDA_VISIBLE_DEVICES=$i.", command)
}

/** Runs at once that nobody gives a GPU of their own: each takes the first. */
function* firstGpu({job, wantsGpu, commands, say}) {
  const there = (job.nodes ?? 1) === 1 ? job.gpus_total : job.gpus_per_node
  if (
    !wantsGpu ||
    !(there > 1) ||
    commands.some(({text}) => /VISIBLE|cuda|gpu|device|srun|mps|torchrun|ray\b|source (?!\S*activate)/i.test(text))
  )
    return
  const at = commands.find(command => {
    const [{words, through}] = programs(command)
    const many = through.find(({name}) => /^(?:parallel|xargs)$/.test(name))
    const count = many && optionValue([many.name, ...many.words], ["-j", "-P", "--jobs", "--max-procs"])
    const own = /^python[\d.]*$/.test(words[0] ?? "") && words.some(word => /train|finetune|infer|predict/i.test(word))
    return own && ((many && count !== "1") || (command.background && command.loops.length))
  })
  if (!at) return
  const what = `nothing gives the runs a GPU each, so all use the first, and the job's other ${there - 1} may stay idle.`
  yield say("gpu-shared-by-all-runs", what, "Set CUDA_VISIBLE_DEVICES for each run.", at, {kind: "doubtful"})
}

/** GPUs chosen by two variables, of which the second counts what the first left. */
function* twice({commands, gpus, say}) {
  if (!gpus().length || !gpus().every(([, {model}]) => /AMD/.test(model))) return
  const pattern = name => new RegExp(`\\b${name}_VISIBLE_DEVICES=["']?(\\$\\{?\\w+|\\d[\\d,]*)`)
  const bodies = commands.flatMap(command => [
    [command, command.tokens.map(({raw}) => raw).join(" ")],
    ...command.redirects.flatMap(({document}) => (document ? [[command, document.text]] : [])),
  ])
  bodies.push([commands.findLast(each => set(each).some(part => VISIBLE.test(part))), commands.flatMap(set).join("\n")])
  for (const [command, body] of bodies) {
    const [, first] = pattern("ROCR").exec(body) ?? [],
      [, second] = pattern("(?:HIP|CUDA)").exec(body) ?? []
    const list = first?.split(",").map(Number) ?? []
    if (!command || !first || first !== second || (/^\d/.test(first) && Math.max(...list) < list.length)) continue
    const what = `ROCR_VISIBLE_DEVICES leaves one GPU visible, with the number 0, so \`${first}\` in the second variable names a GPU that does not exist.`
    yield say("gpu-masked-twice", what, "Set only ROCR_VISIBLE_DEVICES.", command, {kind: "fails"})
    return
  }
}

/** Cores of a list or of a mask. */
const bits = mask =>
  [...BigInt(`0x${mask.replace(/^0x/, "")}`).toString(2)]
    .reverse()
    .flatMap((bit, place) => (bit === "1" ? [place] : []))
/** Cores that a binding names, and those that jobs can have, or that are close to the task's GPU. */
function* binding({commands, expand, lines, nodes, say}) {
  const own = nodes().filter(([, {gpu_cores}]) => gpu_cores)
  if (own.length !== 1 || nodes().length !== 1) return
  const [[key, {gpu_cores: near}]] = own
  const all = new Set(near.flat())
  const ordered = /ROCR_VISIBLE_DEVICES=\\?["']?\\?\$\{?SLURM_LOCALID\}?["']?(?:\s|$)/.test(lines.join("\n"))
  for (const command of commands) {
    if (command.name !== "srun") continue
    const [, kind, list] =
      /^(?:verbose,|v,)?(map_cpu|mask_cpu):(.*)$/.exec(
        expand(optionValue(command.words, ["--cpu-bind", "--cpu_bind"]) ?? ""),
      ) ?? []
    const parts = (list ?? "").split(",")
    if (!list || !parts.every(part => (kind === "map_cpu" ? /^\d+$/ : /^(?:0x)?[\da-f]+$/i).test(part))) continue
    const cores = parts.map(part => (kind === "map_cpu" ? [Number(part)] : bits(part)).map(core => core % 64))
    const taken = [...new Set(cores.flat().filter(core => !all.has(core)))].sort((one, other) => one - other)
    if (taken.length) {
      const what = `${kind} names cores that the system reserves (${taken.slice(0, 4).join(", ")}), so srun rejects the binding.`
      const right = near.map(group => group[0]).join(",")
      yield say("binding-to-reserved-cores", what, `With one core for each GPU, write map_cpu:${right}.`, command, {
        fact: `node_types.${key}.gpu_cores`,
        kind: "fails",
      })
    } else if (
      ordered &&
      parts.length === near.length &&
      cores.some((group, place) => !group.every(core => near[place].includes(core)))
    ) {
      const wrong = cores.findIndex((group, place) => !group.every(core => near[place].includes(core)))
      const what = `task ${wrong} gets GPU ${wrong}, but core ${cores[wrong][0]} is far from that GPU. Cores ${near[wrong][0]} to ${near[wrong].at(-1)} are close.`
      const right =
        kind === "map_cpu" ? `map_cpu:${near.map(group => group[0]).join(",")}` : "the masks in the order of the GPUs"
      yield say("binding-far-from-the-gpu", what, `Write ${right}.`, command, `node_types.${key}.gpu_cores`)
    }
  }
}

/** Each rank sees one GPU only, but MPI reads the memory of the others. */
function* hiddenFromMpi({job, commands, option, say}) {
  if (
    !(job.gpus_total > 1) ||
    !commands.some(each => set(each).some(part => /^MPICH_GPU_SUPPORT_ENABLED=["']?1/.test(part)))
  )
    return
  const splits = /^--(?:gpu-bind=(?:v,|verbose,)?(?:closest|single|per_task|map_gpu|mask_gpu)|gpus-per-task\b)/
  const directive = [option("gpu-bind"), option("gpus-per-task")].find(each => each && splits.test(each.written))
  const step = commands.find(({name, words}) => name === "srun" && words.some(word => splits.test(word)))
  if ((!step && !directive) || commands.some(({text}) => /--gpu-bind=none|allow-task-sharing/.test(text))) return
  if (!commands.some(({name}) => name === "srun") || (job.tasks_per_node ?? job.tasks ?? 1) < 2) return
  const written = step ? step.words.find(word => splits.test(word)) : directive.written
  const what = `\`${written}\` hides each task's GPU from the other tasks, but MPI with MPICH_GPU_SUPPORT_ENABLED must access its memory.`
  const cure = "Request --gpus-per-node, and set ROCR_VISIBLE_DEVICES=$SLURM_LOCALID in a script that srun starts."
  yield say("gpu-hidden-from-mpi", what, cure, step ?? directive, {kind: "fails"})
}

/** MPI is told to read the GPU's memory, which Cray's MPI does only where a variable switches it on. */
function* switchedOffInMpi({facts, wantsGpu, gpus, commands, say}) {
  const cray = facts.network === "Slingshot" && gpus().some(([, {offload}]) => offload)
  const said = commands.findLast(each => each.text.includes("MPICH_GPU_SUPPORT_ENABLED"))
  const off = said ? set(said).some(part => /^MPICH_GPU_SUPPORT_ENABLED=["']?0/.test(part)) : cray
  const uses = commands.find(
    ({words}) =>
      words.some((word, at) => word === "gpu/aware" && words[at + 1] === "on") ||
      (words.some(word => /\bosu_\w+$/.test(word)) && /^[DM] D$/.test(words.slice(-2).join(" "))),
  )
  if (!wantsGpu || !off || !uses) return
  const what = "MPI gets GPU memory in this step, and stops unless MPICH_GPU_SUPPORT_ENABLED is 1."
  yield say("mpi-without-gpus", what, "Add above it: export MPICH_GPU_SUPPORT_ENABLED=1", said ?? uses, {kind: "fails"})
}

/** ROCm is told that the GPU is another one. */
function* overridden({gpus, commands, say}) {
  const [first] = gpus().map(([, gpu]) => gpu)
  if (!first?.offload || gpus().some(([, {offload}]) => offload !== first.offload)) return
  for (const command of commands) {
    const [part, major, minor, step] =
      set(command)
        .map(each => /^HSA_OVERRIDE_GFX_VERSION=["']?(\d+)\.(\d+)\.(\d+)/.exec(each))
        .find(Boolean) ?? []
    const name = `gfx${major}${minor}${Number(step).toString(16)}`
    if (!part || first.offload.startsWith(name)) continue
    const what = `\`${part}\` makes ROCm run code for ${name} on ${first.model}, which is ${first.offload}.`
    yield say("gpu-overridden", what, "Remove it.", command, {kind: "fails"})
    return
  }
}

// Variables that restrict communication, and what they leave; from knowledge of their libraries' manuals.
/** @type {[RegExp, string][]} */
const ONE_NODE = [
  [/^I_MPI_FABRICS=["']?shm["']?$/, "Write shm:ofi, or remove it."],
  [/^UCX_TLS=["']?(?:(?:sm|shm|self|posix|sysv|cma|knem|xpmem|cuda\w*|rocm\w*),?)+["']?$/, "Add rc, or remove it."],
  [/^OMPI_MCA_btl=["']?(?:(?:self|sm|vader),?)+["']?$/, "Remove it."],
  [/^FI_PROVIDER=["']?shm["']?$/, "Remove it."],
  [/^(?:NCCL|GLOO|TP)_SOCKET_IFNAME=["']?lo["']?$/, "Remove it."],
]
const TRANSPORTS = /^UCX_TLS=["']?([\w,]+)["']?$/
const NETWORKS = {
  Slingshot: /^(?:\w*SOCKET_IFNAME=["']?=?hsn|FI_PROVIDER=["']?cxi|NCCL_NET=["']?["']?AWS Libfabric|FI_CXI_)/,
  InfiniBand:
    /^(?:NCCL_NET=["']?IB["']?$|\w*SOCKET_IFNAME=["']?=?ib\d|NCCL_IB_HCA=|UCX_NET_DEVICES=["']?mlx|FI_PROVIDER=["']?(?:verbs|mlx|psm\d?)\b|I_MPI_OFI_PROVIDER=["']?(?:mlx|verbs|psm\d?)\b)/,
}
function* networks({facts, name, job, wantsGpu, commands, say}) {
  const wide = job.nodes > 1
  for (const command of commands) {
    for (const part of set(command)) {
      const shown = unquoted(part)
      const cure = wide && ONE_NODE.find(([pattern]) => pattern.test(part))?.[1]
      if (cure)
        yield say(
          "network-left-out",
          `\`${shown}\` works only within one node, but the job has ${job.nodes} nodes.`,
          cure,
          command,
          {kind: "fails"},
        )
      if (wide && facts.network in NETWORKS && /^(?:NCCL_IB_DISABLE=["']?1|NCCL_NET=["']?Socket)/.test(part)) {
        const what = `\`${shown}\` sends all data between the nodes over Ethernet, although ${name} has ${facts.network}.`
        yield say("network-not-used", what, "Remove it.", command, "network")
      }
      if (job.gpus_per_node > 1 && /^NCCL_(?:P2P|SHM)_DISABLE=["']?1/.test(part)) {
        const what = `\`${shown}\` stops the GPUs of a node from sending data to each other directly, which is much slower.`
        yield say("network-not-used", what, "Remove it, unless you are debugging.", command)
      }
      if (
        wide &&
        facts.network &&
        /^(?:UCX_TLS=["']?(?:(?:tcp|self|sm|shm|posix|sysv),?)*tcp|FI_PROVIDER=["']?(?:tcp|sockets))/.test(part)
      ) {
        const what = `\`${shown}\` sends all data between the nodes over Ethernet, although ${name} has ${facts.network}.`
        yield say("network-not-used", what, "Remove it.", command, "network")
      }
      const list = TRANSPORTS.exec(part)?.[1].split(",")
      if (!cure && list && wantsGpu && !list.some(each => /^(?:\^|all|cuda|rocm|gpu)/.test(each))) {
        const what = `\`${shown}\` omits the transports for GPU memory, so MPI cannot send data from GPU memory.`
        const cure = "Add cuda_copy and cuda_ipc (on AMD, rocm_copy and rocm_ipc), or remove it."
        yield say("network-without-gpus", what, cure, command)
      }
      const other = Object.keys(NETWORKS).find(each => NETWORKS[each].test(part))
      if (!other || !facts.network || facts.network === other) continue
      if (other === "InfiniBand" && facts.network !== "Slingshot") continue // Omni-Path and RoCE use its libraries, too
      const what = `\`${shown}\` is for ${other}, but ${name} has ${facts.network}.`
      yield say("network-of-another", what, "Remove it.", command, {
        fact: "network",
        kind: wide ? "fails" : "unwise",
      })
    }
    const btl = command.words.findIndex((word, at) => word === "btl" && /^-{1,2}mca$/.test(command.words[at - 1] ?? ""))
    if (wide && btl > 0 && /^(?:(?:self|sm|vader),?)+$/.test(command.words[btl + 1] ?? "")) {
      const what = `\`--mca btl ${command.words[btl + 1]}\` works only within one node, but the job has ${job.nodes} nodes.`
      yield say("network-left-out", what, "Remove it.", command, {kind: "fails"})
    }
  }
}

const ONE_CORE = /^(?:OMP_PROC_BIND=(?:master|primary)|I_MPI_PIN_DOMAIN=(?:1|core))$/i
/** How many CPUs a launcher's list or mask leaves to one process; Infinity: it has none. */
function cpusOf(name, words) {
  const own = [name, ...words]
  const option =
    name === "srun" ? ["--cpu-bind", "--cpu_bind"] : name === "taskset" ? ["-c", "--cpu-list"] : ["-C", "--physcpubind"]
  const value = /^(?:srun|taskset|numactl)$/.test(name) ? (optionValue(own, option) ?? "") : ""
  if (/map_cpu:/.test(value)) return 1
  const mask = /mask_cpu:(?:0x)?([\da-f]+)/i.exec(value)?.[1] ?? null
  if (mask)
    return [...mask].reduce((sum, digit) => sum + Number.parseInt(digit, 16).toString(2).replace(/0/g, "").length, 0)
  if (name === "srun" || !/^\d[\d,-]*$/.test(value)) return Infinity
  const parts = value.split(",").map(part => part.split("-").map(Number))
  return parts.reduce((sum, [from, to = from]) => sum + to - from + 1, 0)
}

/** Threads that share one core. */
function* threadsOnOneCore(given) {
  const {commands, known, say} = given
  if (!known) return
  const {runs, number, omp} = runsOf(given)
  const threads = number(omp)
  if (!(threads > 1)) return
  const fixed = commands.find(command => set(command).some(part => ONE_CORE.test(unquoted(part))))
  const bound = runs.find(({launcher}) => {
    const own = launcher?.words.join(" ") ?? ""
    return (
      /^(?:mpirun|mpiexec|orterun|prterun)$/.test(launcher?.name) &&
      /-bind-to (?:core|hwthread)/.test(own) &&
      !/PE=|cpus-per|rankfile|cpu-list/i.test(own)
    )
  })?.command
  const listed = runs.find(({through}) => through.some(({name, words}) => cpusOf(name, words) < threads))?.command
  const at = fixed ?? bound ?? listed
  if (!at) return
  if (at === listed && !fixed) {
    const what = `this line binds the ${threads} threads of each process to fewer cores.`
    const cure = at.text.includes("cpu-bind")
      ? "Write --cpu-bind=cores, or remove it."
      : "Remove it, because Slurm binds the tasks."
    return yield say("threads-on-one-core", what, cure, at)
  }
  const what = `${threads} threads of each process share one core here.`
  const cure = fixed ? "Write OMP_PROC_BIND=close, or remove it." : `Write --map-by slot:PE=${threads} --bind-to core.`
  yield say("threads-on-one-core", what, /I_MPI/.test(at.text) ? "Write I_MPI_PIN_DOMAIN=omp." : cure, at)
}

// What searches for faults and slows the program down: variables and options.
const DEBUGGING =
  /^(?:(?:CUDA|HIP)_LAUNCH_BLOCKING=1|AMD_SERIALIZE_(?:KERNEL|COPY)=[1-3]|PYTORCH_NO_CUDA_MEMORY_CACHING=1|TORCH_DISTRIBUTED_DEBUG=DETAIL|NCCL_DEBUG=TRACE|--(?:trainer\.)?detect[-_]anomaly(?:=true)?)$/i
/** They are left in a job of hours. */
function* debugging({certain, option, say}) {
  if (!(minutes(option("time")?.value ?? "") >= 240)) return
  for (const command of certain) {
    const found = [...set(command), ...command.words].map(unquoted).find(part => DEBUGGING.test(part))
    if (!found || command.name === "echo") continue
    const what = `\`${found}\` is for debugging and slows the program down, and this job runs for hours.`
    return yield say("debugging-left-on", what, "Remove it.", command)
  }
}

/** @type {[RegExp, RegExp, string][]} */
const VALUES = [
  [
    /^OMP_PLACES=(.*)$/,
    /^(?:(?:threads|cores|ll_caches|numa_domains|sockets)(?:\(\d+\))?|!?\{.*|\$.*)?$/i,
    "Write cores, threads or sockets.",
  ],
  [
    /^OMP_PROC_BIND=(.*)$/,
    /^(?:(?:true|false|primary|master|close|spread)(?:,(?:primary|master|close|spread))*|\$.*)?$/i,
    "Write close, spread, true or false.",
  ],
]
/** Cores by numbers on a node that others share, and values that OpenMP does not know. */
function* cores({kind, job, commands, whole, known, nodes, cores: own, say}) {
  const all = Math.min(...nodes().map(([, node]) => node.cores ?? 0))
  for (const command of commands) {
    for (const part of set(command)) {
      const [pattern, right, cure] = VALUES.find(([pattern]) => pattern.test(part)) ?? []
      const value = pattern && unquoted(pattern.exec(part)[1])
      if (pattern && !right.test(value))
        yield say(
          "openmp-value-unknown",
          `OpenMP does not recognize \`${unquoted(part)}\` and ignores it.`,
          cure,
          command,
          {
            kind: "ignored",
          },
        )
    }
    const by = set(command).find(part => /^(?:GOMP_CPU_AFFINITY=["']?\d|KMP_AFFINITY=.*proclist)/.test(part))
    const [through] = programs(command).flatMap(({through}) =>
      through.filter(
        ({name, words}) =>
          (name === "taskset" && /^\d[\d,-]*$/.test(optionValue([name, ...words], ["-c", "--cpu-list"]) ?? "")) ||
          (name === "numactl" && /^\d/.test(optionValue([name, ...words], ["-C", "--physcpubind"]) ?? "")),
      ),
    )
    if (
      kind !== "slurm" ||
      !known ||
      whole() ||
      own() >= all ||
      own() >= all ||
      (!by && !through) ||
      (job.nodes ?? 1) > 1 ||
      command.name === "srun"
    )
      continue
    const what = `\`${by ? unquoted(by) : [through.name, ...through.words].join(" ")}\` names cores of the node, but the job shares the node and may have different cores.`
    yield say("cores-by-number", what, "Remove it, because Slurm binds the job to its cores.", command)
  }
}

/** More memory of one GPU than it has, in fractions that several processes take. */
function* fractions({job, commands, expand, say}, {runs}) {
  const found = commands
    .flatMap(command =>
      set(command).map(part => [command, /^XLA_PYTHON_CLIENT_MEM_FRACTION=["']?(\.\d+|\d+(?:\.\d+)?)/.exec(part)?.[1]]),
    )
    .find(([, value]) => value)
  if (commands.some(({text}) => /\bTF_FORCE_UNIFIED_MEMORY=["']?(?:1|true)\b/i.test(text))) return // the node's, too
  if (found && Number(found[1]) > 1)
    yield say(
      "gpu-fraction-over",
      `XLA_PYTHON_CLIENT_MEM_FRACTION is ${found[1]}, but it is a fraction of the GPU's memory, at most 1.`,
      "Write a number such as 0.9.",
      found[0],
      {kind: "fails"},
    )
  const several = commands.filter(
    ({background, words, name, loops}) =>
      background && /^python/.test(name) && words.length && job.gpus_total === 1 && !loops.length,
  )
  if (found && several.length * Number(found[1]) > 1 && several.length > 1) {
    const what = `${several.length} concurrent programs reserve ${found[1]} of the GPU's memory each.`
    yield say("gpu-fraction-over", what, "Write a smaller fraction, so that all of them fit.", found[0], {
      kind: "fails",
    })
  }
  const servers = runs.filter(({entry, command}) => entry?.name === "vllm serve" && command.background)
  const own = servers.map(({command, words}) => [
    set(command)
      .map(part => VISIBLE.exec(part)?.[3])
      .find(Boolean) ?? "",
    Number(optionValue(words.map(expand), ["--gpu-memory-utilization"]) ?? 0.9),
    command,
  ])
  for (const gpu of new Set(own.map(([gpu]) => gpu))) {
    const parts = own.filter(([each]) => each === gpu)
    const sum = parts.reduce((all, [, part]) => all + part, 0)
    if (
      parts.length < 2 ||
      !(sum > 1) ||
      (gpu === "" && commands.some(each => set(each).some(part => VISIBLE.test(part))))
    )
      continue
    if (gpu !== "" || job.gpus_total >= 1)
      yield say(
        "gpu-fraction-over",
        `${parts.length} servers reserve ${+sum.toFixed(2)} of the memory of one GPU.`,
        "Give each server its own GPU with CUDA_VISIBLE_DEVICES, or a smaller --gpu-memory-utilization.",
        parts.at(-1)[2],
        {kind: "fails"},
      )
  }
}

function* withRuns(given) {
  if (!given.known) return
  const found = runsOf(given)
  yield* fractions(given, found)
  yield* hidden(given, found)
}
export const ideas = [
  threadsOnOneCore,
  debugging,
  numbers,
  sameGpu,
  firstGpu,
  twice,
  binding,
  hiddenFromMpi,
  switchedOffInMpi,
  overridden,
  networks,
  cores,
  withRuns,
]
