// What a script that moves says of its nodes' hardware: tools and words of a GPU's vendor, networks, masks, numbers.
import {inTable} from "../advice/runs.js"
import {data} from "../data.js"
import {compiledCode, compiledFor} from "../script/architecture.js"
import {programs} from "../script/payload.js"
import {readScript} from "../script/read.js"
import {quoted} from "./amounts.js"
import {escaped, own, ready, sameSoftware} from "./leftovers.js"
import {hasCrayModules} from "./module_names.js"
import {hasCray} from "./mpi.js"
import {stepsOf} from "./steps.js"

// With options that only choose what is shown: the other vendor's shows as much without them.
const SMI = tool =>
  RegExp(
    `(?<![\\w./-])${tool}(?:\\s+--?show\\S+(?:\\s+(?:vram|\\S*%))?|\\s+-L)*(?=\\s*(?:$|[;&)>"'#]|\\d>|\\|\\||\\|\\s*(?:tee|head)\\b))`,
    "g",
  )
// Settings that name a node's processors, network devices or directories of its GPU's libraries.
const BIND =
  /\s--cpu-bind=(?:(["']?)(?:verbose,|v,)?(?:mask|map)_cpu(?::"[^"]*"|[^\s"';&|)]*)\1|(["']?)\$\{?(?<name>\w+)\}?\2)/
/** A word of the shell ends before what ends a command, closes the quotes around it, or begins the next of a list. */
const VALUE = String.raw`(?:"[^"]*"|'[^']*'|\$\([^()]*\)|(?:[^\s"'\`;&|(),]|,(?!\w+=))*)`
const NETWORK = RegExp(
  String.raw`(?<=\s)-iface [a-z]\w*\d|(?<=\bfluent\s.*\s)-p(?:ib|opa|infini|eth|myri)[\w.]*(?=\s|$)|\b(?:UCX_TLS=|FI_CXI_\w+=|PSM2_\w+=)${VALUE}|\b(?:(?:APPTAINER|SINGULARITY)ENV_)?(?:NCCL|FI|I_MPI|UCX|MPICH|GLOO|TP|OMPI)_\w*(?:IFNAME|DEVICES|FABRICS|PROVIDER|NIC|HCA|GDR_LEVEL|IFACE|if_include)\w*=${VALUE}|\bNCCL_NET\w*=${VALUE}`,
)
// Open MPI's parts for one network, and ROMIO, which is called after its version: docs.open-mpi.org, networking and ROMIO.
const COMPONENT = RegExp(
  String.raw`\bOMPI_MCA_(?:(?:pml|mtl|btl|btl_openib_\w+)=${VALUE}|io=romio\d+)|(?<=\s)-{1,2}g?mca (?:(?:pml|mtl|btl|btl_openib_\w+) ${VALUE}|io romio\d+)`,
)
const LIBRARY = RegExp(String.raw`\b(?:MIOPEN|HSA|ROCR|ROCM|HIP)_(?!VISIBLE)\w+=${VALUE}`)
// Programs with one name for each vendor's GPUs, where the table has both.
const BUILT = /(?<![\w.-])([\w-]+)\.(?:cuda|hip)(?!\w)/g
const SIGN = {NVIDIA: ".cuda", AMD: ".hip"}
// Memory of a GPU that a program is told to take: a name of it, and an amount.
const TAKES =
  /([\w.-]{0,40}(?:arena|gpu_?mem|gpu-mem|vram|device_?mem|device-mem|mem(?:ory)?_?pool|max_memory)[\w.-]{0,30})["']?(?: ?[=:] ?| )["'{]{0,2}(?:0 ?: ?["'])?(\d{1,12}(?:\.\d+)?)(?:e(\d{1,2}))? ?([MG]?)(i?)B?\b/gi
const INTERFACE =
  /(?<=\s)(?:--(?:network-)?interface[= ]|-{1,2}mca \w+_if_include )["']?(?:hsn|ib|eth|bond|opa|mlx|en[ops])\w*\d[\w:.]*["']?/
const CARD = /(?<![\w/.-])(?:(?:hsn|ib|eth|bond)\d|en[ops]\d\w*)\b/
const NETWORKS = RegExp(`${INTERFACE.source}|${NETWORK.source}|${COMPONENT.source}`)
const ALL_NETWORKS = RegExp(NETWORKS, "g")
const OF_CRAY = RegExp(String.raw`^\s*(?:export\s+)?MPICH_\w+=${VALUE}\s*$`)

/** Is a setting all that a line has? */
const isAll = (setting, line) =>
  RegExp(`^\\s*(?:export\\s+)?["']?${escaped(setting)}["']?\\s*;?\\s*(?:#.*)?$`).test(line)
/** A line without a setting, the option before it, or the command that consists of it alone. */
function cut(line, setting) {
  const own = escaped(setting)
  const alone = RegExp(
    `((?:^|[;&|(){]|\\b(?:then|do|else))\\s*|["']\\s*(?=export\\s))(?:export\\s+)?${own}(?=\\s*(?:$|[;&|)"']))`,
  )
  if (alone.test(line)) return line.replace(alone, "$1:")
  const option = `\\s+(?:-x|-{1,2}g?env)[= ]["']?${own}["']?(?!,)`
  return line.replace(RegExp(`,${own}|${own},|(?<=^\\s*)${own}\\s+|${option}|\\s*${own}`), "")
}
// Settings of MPI-IO, and libraries that use it.
const MPI_IO =
  /\b(?:OMPI_MCA_io|ROMIO_\w+|MPICH_MPIIO_\w+)=\S*|(?<=-{1,2}mca )io \w+|(?<![\w/-])(?:p|parallel-)netcdf(?![\w-])|(?<![\w/-])(?:hdf5|netcdf(?:-fortran)?)-(?:mpi|parallel)\b/
// What exists for GPUs of one vendor only: a sentence names each.
// Marlin: docs.vllm.ai/en/v0.8.5/features/quantization/supported_hardware.html. FlashInfer: github.com/flashinfer-ai/flashinfer
const ONLY = {
  NVIDIA:
    /\b(?:using|import) CUDA\b|\bCUDA\.jl\b|(?<![\w./-])(?:nvcc|nvprof|nsys|ncu|cuda-gdb|compute-sanitizer|(?:TORCH_)?CUDA_(?:ARCH_LIST|HOME|ROOT|PATH)=\S*|nvidia-cuda-mps-\w+|trtexec|--(?:backend|platform)[= ]cuda|-D\w*CUDA\w*=(?:"[^"]*"|\S*)|JAX_PLATFORM(?:S|_NAME)=cuda)(?![\w.-])|(?<![\w/])\S*?(?:\w\.cuda|_cuda)(?=$|[\s"'])|(?<!\S)\S*(?:fp8|float8|tensorrt|flashinfer|marlin|flash[-_]?attn|flash[-_]attention|transformer[-_]engine|cupy-cuda|cudnn|\/whl\/cu\d+|nvcr\.io|cuda[-_]?\d+[\d.]*)\S*/i,
  AMD: /\b(?:using|import) AMDGPU\b|\bAMDGPU\.jl\b|(?<![\w./-])(?:hipcc|hipify\S*|rocprof\w*|rocminfo|omniperf|omnitrace|--(?:backend|platform)[= ](?:amdgpu|rocm|hip))(?![\w.-])|(?<!\S)\S*(?:gfx9\w+|\/opt\/rocm|\/whl\/rocm|rocm\/)\S*/i,
}
// What Hugging Face's Trainer accepts only where PyTorch is built for CUDA: github.com/huggingface/transformers, training_args.py
const TF32 = /\s--tf32[= ](?:True|true|1|yes)(?=\s|$)/
const IN_CODE = /\btf32["']?\s?[=:]\s?[Tt]rue\b/
const allOf = names => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ")
/** Packages by the names that scripts give them. */
export const PACKAGE = name =>
  RegExp(name.replace(/(?<=[a-z])(?=[A-Z])/, "[-_]?").replace(/(?<=Att)ention/, "(?:entio)?n"), "i")
// A file with a center's license, which a module there sets if the center has one.
const LICENSE =
  /^\s*(?:export\s+)?(\w*LICENSE\w*=)["']?\/(?:appl|apps|cvmfs|nopt|opt|software|sw|usr)\/[^\s"']+["']?\s*;?\s*(?:#.*)?$/
// github.com/Dao-AILab/flash-attention, README ("Requirements: H100 / H800 GPU")
const FLASH3 = /\b(?:flash[-_]?att(?:n|ention)[-_]?v?3|hopper\/flash_attn\w*)\b/i
const OFFLOADS = /(?<=\s)-(?:fopenmp|homp|h ?omp|hacc|h ?acc)(?![\w=-])/
const MPI_COMPILER = /(?<![\w./-])mpi(cc|cxx|c\+\+|CC|f90|f77|fort)(?![\w.-])/g
const JULIA = /AMDGPU|CUDA(?:\.jl)?$/
const OF_JULIA = {NVIDIA: /^[^#]*\bjulia-cuda\b/m, AMD: /^[^#]*\bjulia-amdgpu\b/m}

/**
 * @param {System} from @param {System} to @param {any} job as job.js makes it
 * @param {string[]} lines the commands of the script @param {string | undefined} told a line whose container is told already
 */
export function hardwareOf(from, to, job, lines, told) {
  const said = new Set(),
    ours = own(lines)
  const {commands: shell, inner} = readScript(lines.join("\n"))
  const masks = new Set(lines.flatMap(line => /^\s*(?:export\s+)?(\w+)=.*\b(?:mask|map)_cpu:/.exec(line)?.[1] ?? []))
  const ownMpi = lines.some(line => /^[^#]*\b(?:module|ml)\s.*(?:openmpi|intel\S*mpi|impi|mpich)/.test(line))
  const offload = Object.values(to.advice?.gpus ?? {}).find(each => each.model === job.gpu)?.offload
  const cray = hasCray(to)
  if (cray && ownMpi && job.kind !== "cpu" && job.now.total > 1 && !lines.some(line => /MPICH_GPU_SUPPORT/.test(line)))
    said.add(
      `If the program passes GPU memory to MPI, write \`export MPICH_GPU_SUPPORT_ENABLED=1\` before srun. ${to.name}'s MPI requires it.`,
    )
  const fileSystem = to.move.places.find(([, , about]) => about.system)?.[2].system
  const toldAt = told ? lines.indexOf(told) : -1
  const held = lines.flatMap(line => /^\s*(?:export\s+)?(\w+)=\S+\.(?:sif|simg)\b/.exec(line)?.[1] ?? [])
  const imageIn = line =>
    /\S+\.(?:sif|simg)\b/.exec(line)?.[0] ?? held.find(name => RegExp(`\\$\\{?${name}\\b`).test(line))
  /** Does the command that starts on this line contain the one whose container is told, or start the same one? */
  const isTold = line => {
    if (told && imageIn(told) && imageIn(line) === imageIn(told)) return true
    let at = lines.indexOf(line)
    while (at >= 0 && at < toldAt && lines[at]?.endsWith("\\")) at++
    return line === told || (at >= 0 && at === toldAt)
  }
  const vendor = job.kind === "cpu" ? null : job.amd ? "AMD" : "NVIDIA"
  const other = vendor && job.oldVendor !== vendor ? job.oldVendor : null
  const [nvidia, amd] = ["nvidia-smi", "rocm-smi"]
  const smi = job.amd ? {mine: amd, theirs: nvidia} : {mine: nvidia, theirs: amd}
  // What the check of the new script does not see, because it may not run, or other programs run before it.
  const unseen = [...shell, ...inner].flatMap(each =>
    programs(each).flatMap(({words}, at) =>
      words[0] === smi.theirs && !(each.certain && at === 0) ? words.join(" ") : [],
    ),
  )
  const julia = only =>
    `\`${only}\` is for ${other} GPUs. Use ${job.amd ? "AMDGPU.jl" : "CUDA.jl"} instead, also in the program.`
  if (other && OF_JULIA[other].test(lines.join("\n"))) said.add(julia(job.amd ? "CUDA.jl" : "AMDGPU.jl"))
  const [craype] = /\bcraype-accel-\w+-\w+/.exec(lines.join("\n")) ?? []
  const {image, packages} = to.move.software
  const brought = other && image ? packages.filter(name => lines.some(line => PACKAGE(name).test(line))) : []
  if (brought.length)
    said.add(
      `${to.name}'s container has ${allOf(brought)} for ${vendor} GPUs, so do not install ${brought[1] ? "them" : "it"}.`,
    )

  /** [line, why] of each edit. @returns {Generator<string[]>} */
  function* edits(line, containers) {
    if (other) {
      const now = line.replace(SMI(smi.theirs), smi.mine)
      if (now !== line) yield [(line = now), `${smi.mine} is for ${vendor} GPUs.`]
      for (const what of unseen.filter(each => line.includes(each) && each.replace(SMI(smi.theirs), "")))
        said.add(`${quoted(what)} is for ${other} GPUs. Use ${smi.mine}, which has other options.`)
      const trains = job.amd ? line.replace(TF32, "") : line
      if (trains !== line)
        yield [(line = trains), "Hugging Face's Trainer ends with an error if --tf32 is set on AMD GPUs."]
      if (!job.amd && /\b(?:ROCR|HIP)_VISIBLE_DEVICES\b|\bPYTORCH_HIP_/.test(line)) {
        line = line
          .replace(/\b(?:ROCR|HIP)_VISIBLE_DEVICES\b/g, "CUDA_VISIBLE_DEVICES")
          .replace(/\bPYTORCH_HIP_/, "PYTORCH_CUDA_")
        yield [line, "This is the name that CUDA reads."]
      }
      const read = job.amd && !ours.has("CUDA_VISIBLE_DEVICES") ? /(\$\{?)CUDA(?=_VISIBLE_DEVICES\b)/g : /(?!)/
      const visible = line.replace(read, "$1ROCR")
      if (visible !== line) yield [(line = visible), "Slurm sets this variable for AMD GPUs."] // slurm.schedmd.com/gres.html
    }
    const built =
      other && line.replace(BUILT, (whole, begin) => (inTable(begin + SIGN[vendor]) ? begin + SIGN[vendor] : whole))
    if (built && built !== line) yield [(line = built), `This program is for ${vendor} GPUs.`]
    const wrapped = cray
      ? line.replace(MPI_COMPILER, (_, name) => (/^f/.test(name) ? "ftn" : name === "cc" ? "cc" : "CC"))
      : line
    if (wrapped !== line) yield [(line = wrapped), `On ${to.name}, cc, CC and ftn compile MPI programs.`]
    const [code] = job.capability ? compiledCode(line) : []
    const compiled =
      code && code.version.join(".") === job.oldCapability && compiledFor(line, job.capability.split("."))
    if (compiled) {
      line = compiled
      yield [line, `${job.gpu} has compute capability ${job.capability}.`]
    }
    if (to.move.containers === "singularity" && /\bAPPTAINER(?:ENV)?_\w/.test(line)) {
      line = line.replace(/\bAPPTAINER(?=(?:ENV)?_)/g, "SINGULARITY")
      yield [line, "SingularityCE reads no other name."]
    }
    if (to.move.containers === "singularity" && /\bNXF_APPTAINER_|\s-profile\s+\S*\bapptainer\b/.test(line)) {
      line = line
        .replace(/\bNXF_APPTAINER_/g, "NXF_SINGULARITY_")
        .replace(/(\s-profile\s+\S*\b)apptainer\b/, "$1singularity")
      yield [line, `${to.name} has SingularityCE instead of Apptainer.`]
    }
    if (containers && /\b(?:apptainer|singularity)\s+(?:exec|run|shell)\b/.test(line)) yield* container(line)
  }

  function* container(given) {
    let line = given
    const flag = job.kind === "cpu" ? "" : job.amd ? "" : " --nv"
    line = line.replace(job.amd || job.kind === "cpu" ? /\s--nv(?=\s)/ : /\s--rocm(?=\s)/, flag)
    if (!job.amd && vendor && other && !/\s--nv\b/.test(line))
      line = line.replace(/\b(apptainer|singularity)\s+(exec|run|shell)\b/, "$1 $2 --nv")
    if (to.move.containers === "singularity")
      // elsewhere, Apptainer has both names
      line = line.replace(/\bapptainer(?=\s+(?:exec|run|shell)\b)/, "singularity")
    if (line !== given) yield [line, `This starts ${to.name}'s container program for its GPUs.`]
    if (other && !isTold(given))
      said.add(
        `\`${given.trim().slice(0, 60)}\` ${/\s--(?:nv|rocm)\s/.test(given) ? "starts" : "may start"} a container for ${other} GPUs. Use one that is built for ${vendor} GPUs${ready(to, lines)}.`,
      )
  }

  /** What names the old nodes goes, because it is wrong on others. @returns {[string | null, string]} */
  function without(line) {
    const [card] = CARD.exec(/^\s*#/.test(line) ? "" : line.replace(ALL_NETWORKS, "")) ?? []
    const moves = card && (!to.advice?.network || to.advice.network !== from.advice?.network)
    const own = data.move.modules.interfaces[to.advice?.network ?? ""]
    if (moves && own && RegExp(`^\\s*(?:export\\s+)?\\w+=["']?${card}["']?\\s*$`).test(line))
      return [line.replace(card, own), `This is a network interface of ${to.name}'s nodes.`]
    if (moves)
      said.add(
        `\`${card}\` is a network interface of ${from.name}'s nodes. Write one of ${to.name}'s, which \`ip -brief address\` shows on a node.`,
      )
    const [option] = own && to.advice?.network !== from.advice?.network ? (INTERFACE.exec(line) ?? []) : []
    if (option?.startsWith("--"))
      return [line.replace(option, option.replace(CARD, own)), `This is a network interface of ${to.name}'s nodes.`]
    let now = line
    const bind = BIND.exec(now)
    if (bind && (!bind.groups?.name || masks.has(bind.groups.name))) {
      now = now.replace(bind[0], "")
      said.add(
        `\`${bind[0].trim()}\` names cores of ${from.name}'s nodes, so it is removed. If you need a binding, use one that ${to.name} documents.`,
      )
    }
    const setting = NETWORKS.exec(now)?.[0] ?? ""
    if (!valid(setting) && documented(setting))
      return [now.replace(setting, () => documented(setting) ?? ""), `This is the setting of ${to.name}.`]
    for (let found = NETWORKS.exec(now); found && !valid(found[0]) && remove(found[0]); found = NETWORKS.exec(now)) {
      if (isAll(found[0], now)) now = `# ${now.trim()}`
      else now = cut(now, found[0])
      if (now.startsWith("#") || /^\s*export\s*$/.test(now)) break
    }
    const [, license] = (!sameSoftware(from, to) && LICENSE.exec(now)) || []
    if (license) {
      said.add(
        `\`${license}…\` names a license file of ${from.name}, so the script no longer has it. If the program's module on ${to.name} sets no license, ask your group or ${to.name}'s support for one.`,
      )
      return [`# ${now.trim()}`, `This license file is on ${from.name}.`]
    }
    if (hasCrayModules(from) && !hasCrayModules(to) && OF_CRAY.test(now))
      return [null, `This setting is for Cray MPICH, which ${to.name} does not have.`]
    const library = other === "AMD" || (job.kind === "cpu" && job.oldVendor) ? LIBRARY.exec(now)?.[0] : null
    // A path that another line creates or removes stays: without it, `rm -rf $NAME/*` deletes something else.
    const reads = RegExp(`\\$\\{?${library?.split("=")[0]}\\b`)
    const others = library ? lines.filter(each => !isAll(LIBRARY.exec(each)?.[0] ?? "-", each)) : []
    if (others.some(each => reads.test(each))) return [now, ""]
    if (library && isAll(library, now)) return [null, `This setting is for AMD GPUs.`]
    if (library) said.add(`\`${library}\` is for AMD GPUs. Remove it.`)
    if (/^\s*export\s*$/.test(now)) return [null, "The setting is for the old system."]
    return [now, "The setting is for the old system."]
  }
  /** Systems with this network have the same MPI and the same devices. */
  const sameNetwork = Boolean(to.advice?.network) && from.advice?.network === to.advice?.network
  const slingshot = sameNetwork && to.advice?.network === "Slingshot"
  const kept = what =>
    /\bio[ =]romio/.test(what) ? sameSoftware(from, to) : sameNetwork && /^-{1,2}g?mca |^OMPI_MCA_/.test(what)
  const valid = what =>
    kept(what) || documented(what) === what || (slingshot && /^(?:MPICH|FI|NCCL)_|\bhsn\d/.test(what))
  const removed = new Set()
  const gone = () => {
    const names = [...removed].map(each => `\`${each}\``)
    const [is, it] = names[1] ? ["are", "them"] : ["is", "it"]
    return `${allOf(names)} ${is} for the nodes of ${from.name}, so the script no longer has ${it}. If ${to.name} documents such a setting, add it.`
  }
  function remove(what) {
    said.delete(gone())
    removed.add(what)
    said.add(gone())
    return true
  }
  /** A setting with the value that the pages of the system there give it. */
  function documented(what) {
    const [name] = what.split("=")
    return name in to.move.settings ? `${name}=${to.move.settings[name]}` : null
  }

  /** Names what only the reader can change on a line. */
  function tell(line) {
    const [striped] = /(?<=^\s*)lfs\s+\w+/.exec(line) ?? []
    const text = `\`${striped}\` is for Lustre, but ${to.name}'s file system is ${fileSystem}. Remove the line.`
    if (striped && fileSystem) said.add({kind: "command", name: "lfs", text})
    const [together] = (to.move.mpiIo && job.now.total > 1 && MPI_IO.exec(line)) || []
    if (together && ![...said].some(each => each.endsWith(to.move.mpiIo)))
      said.add(`\`${together}\` is for programs that write one file together, with MPI-IO. ${to.move.mpiIo}`)
    for (const [pattern, cure] of job.partOfNode ? Object.entries(data.move.modules.pins) : []) {
      const [pins] = RegExp(pattern).exec(line) ?? []
      if (pins) said.add(`\`${pins}\` binds threads to certain cores of a node, but this job may have others. ${cure}`)
    }
    const [had, has] = job.gpuMemory ?? []
    for (const [what, , number, power, unit, i] of has < had ? line.matchAll(TAKES) : []) {
      const amount = Number(number) * 10 ** (power ?? 0)
      const size = {"": amount >= 1e9 ? 1 : 2 ** 20, M: i ? 2 ** 20 : 1e6, G: i ? 2 ** 30 : 1e9}[unit.toUpperCase()]
      const mib = (amount * size) / 2 ** 20
      if (mib > has && mib <= had * 1.08)
        said.add(`Lower \`${what.trim()}\`, because a GPU of this job has ${job.gpuSize}.`)
    }
    if (other && !/^\s*(?:echo|printf)\b|\b(?:apptainer|singularity)\s/.test(line)) {
      if (job.amd && IN_CODE.test(line))
        said.add(
          `\`${IN_CODE.exec(line)?.[0]}\`: Hugging Face's Trainer ends with an error if this is set on AMD GPUs. Remove it.`,
        )
      const named = [...line.matchAll(RegExp(ONLY[other], "gi"))].map(found => found[0].trim().replace(/,$/, ""))
      for (const only of new Set(named.filter(each => !brought.some(name => PACKAGE(name).test(each)))))
        said.add(
          JULIA.test(only)
            ? julia(only)
            : offload && /^-DCMAKE_CUDA_ARCH/.test(only)
              ? `\`${only}\` is for ${other} GPUs. With HIP, write \`-DCMAKE_HIP_ARCHITECTURES=${offload}\`.`
              : `\`${only}\` is for ${other} GPUs. Find its replacement on ${vendor} GPUs.`,
        )
    }
    const [domain] = /\bnumactl\s(?:\S+\s+)*?(?:--(?:cpunodebind|membind|preferred)[= ]?|-[Nm]\s*)\S+/.exec(line) ?? []
    if (domain && !sameSoftware(from, to))
      said.add(
        `\`${domain}\` names a memory domain of ${from.name}'s nodes, and ends with an error where ${to.name}'s nodes have fewer. Remove it, or look at \`numactl --hardware\` there.`,
      )
    const [flash] = (job.amd && FLASH3.exec(line)) || [] // the advice knows older NVIDIA GPUs
    if (flash)
      said.add(`\`${flash}\`: FlashAttention-3 requires an NVIDIA H100 or similar. Use FlashAttention-2 on ${job.gpu}.`)
    const [offloads] =
      (other && craype && !/-fopenmp-targets|--offload-arch|-mp=gpu/.test(line) && OFFLOADS.exec(line)) || []
    if (offloads)
      said.add(
        `With \`${craype}\`, \`${offloads}\` compiled for the GPU. On ${to.name}, add your compiler's option for that. Otherwise, the program runs on the cores only, and its GPUs stay idle.`,
      )
    const [old_tool] = (job.oldestCuda?.[0] >= 11 && /(?<![\w./-])(?:nvprof|cuda-memcheck)(?![\w.-])/.exec(line)) || []
    if (old_tool) said.add(`\`${old_tool}\` does not support ${job.gpu}. Use nsys or compute-sanitizer.`)
    if (/^\s*(?:sbatch|#)/.test(line)) return
    const [mpirun] = /(?<=^\s*)(?:mpirun|mpiexec)\b(?:\s+-{1,2}(?:n|np|ppn|npernode)[= ]\S+)*/.exec(line) ?? []
    if (
      mpirun &&
      to.advice?.network === "Slingshot" &&
      from.advice?.network !== "Slingshot" &&
      to.advice?.mpirun !== false &&
      !ownMpi
    )
      said.add(
        `Programs of ${to.name} with Cray MPICH start with srun. If yours is one, write \`srun\` instead of \`${mpirun}\`.`,
      )
  }

  return {edits, without, tell, ...stepsOf(from, job, said), said}
}
