// The line that a message's cure proposes, in the form that a system's own page teaches.
const GPU = /^#SBATCH --(?:gres=gpu|gpus)\S*?(\d*)$/
// Slurm's words and lines in messages that Grid Engine's jobs print, too; it has no launcher but MPI's own.
/** @type {[RegExp, string][]} */
const GRID_ENGINE = [
  [/,? or (?:start (?:the program|them) )?with `srun`[^.]*/g, ""],
  [/^(?!.*(?:Slurm|PMI|`mpirun`))(.*)`srun`/, "$1`mpirun`"],
  [/`--mem`/g, "`-l h_vmem`"],
  [/`State` in `sacct`. If it is `\w+`/, "`failed` in `qacct -j JOB_ID`. If a limit was reached"],
  [/`MaxRSS` in `sacct`/, "`maxvmem` in `qacct -j JOB_ID`"],
  [/`sacct`/, "`qacct -j JOB_ID`"],
  [/`scancel`/, "`qdel`"],
  [/`squeue --me`/, "`qstat`"],
  [/with `sbatch`/, "with `qsub`"],
]
/** @type {[RegExp, string][]} */
const GRID_ENGINE_LINES = [
  [/^#SBATCH --time=(\S+)$/, "#$ -l h_rt=$1"],
  [/^#SBATCH --ntasks=(\d+)$/, "#$ -pe ib $1"],
  [/^srun --ntasks=(\S+|\$\(.*?\)) (?!-)/, "mpirun -np $1 "],
  [/^srun (?!-)/, "mpirun -np $NSLOTS "],
  [/\$\{?SLURM_CPUS_PER_TASK(?::-1\})?/g, "$NSLOTS"],
  [/SLURM_CPUS_ON_NODE/, "NSLOTS"],
  [/SLURMCluster/, "SGECluster"],
]
const GPUS = /--(?:gres=gpu:|gpus(?:-per-node)?=)(?:[\w.-]+:)?([2-8])\b/ // as many as were requested
const MISSING = /'(\/[\w.+-]+(?:\/[\w.+-]+)?)\/[^'\s]*'/ // the upper directories of a path that a container lacks
const SLURM_ONLY = /^(?:#SBATCH|scontrol|squeue|sacct|sbatch|srun)\b|SLURM_/

// A package for GPUs: where its wheels are, and the words for CUDA in its name.
const WHEEL = / (?:--(?:extra-)?index-url|-f) https:\/\/(?:download\.pytorch|data\.pyg)\.org\S*/
const FOR_CUDA = /\+cu\d+|-cuda12x|\[(?:cuda12|and-cuda)\]/
// A module by its usual name, and an R package that did not compile.
const MODULE = /^module load ([a-z][a-z-]*)(?:\/\d+)?(?:$|;| &&| proj)/
const R_PACKAGE = /failed for (?:package )?'([\w.]+)'|Configuration failed/
// Programs by their commands, with their names in the table of applications.
/** @type {[RegExp, string][]} */
const COMMANDS = [
  [/^gmx(?:_\w+)?$/, "gromacs"],
  [/^lmp(?:_\w+)?$/, "lammps"],
  [/^vasp_(?:std|gam|ncl)$/, "vasp"],
  [/^namd[23]$/, "namd"],
  [/^(?:pmemd|sander|cpptraj|tleap)[.\w]*$/, "amber"],
  [/^(?:pw|ph|cp|pp)\.x$/, "quantum-espresso"],
  [/^cp2k\.\w+$/, "cp2k"],
  [/^R(?:script)?$/, "r"],
]

// NCCL takes all interfaces whose names begin so.
const NCCL = /^(?:unset NCCL_SOCKET_IFNAME|export NCCL_SOCKET_IFNAME=ib0)$/
// A library by its file, and CUDA by the first number of its version.
const FILE = /^(module spider )lib([a-z][\w+-]*?)[\d.]*\.so[\d.]*$/
const CUDA = /^module load cuda\/(\d+)$/

/** A line that installs or loads, from what this system has, with what its first modules need. */
function software(system, line, pasted) {
  const now = installs(system, line, pasted)
  const first = system.advice?.software?.load_first?.find(each => each.startsWith("StdEnv"))
  const opens = first && now && !now.includes(first)
  return opens ? now.replace(/\bmodule load (?=[a-z])(?!craype)/, `$&${first} `) : now
}

/** From what this system has: GPUs' maker, wheels, modules, programs, R from conda. */
function installs({move, advice, taught}, line, pasted) {
  if (FILE.test(line)) return line.replace(FILE, "$1$2")
  const amd = Object.values(advice?.gpus ?? {})[0]?.model?.startsWith("AMD")
  if (!amd && line.includes("craype-accel-amd")) return "module load craype-accel-nvidia90"
  const [, cuda] = CUDA.exec(line) ?? []
  if (cuda && amd) return null
  const version = move.versions.cuda?.findLast(each => each.startsWith(`${cuda}.`))
  if (version) return `module load cuda/${version}`
  const forCuda = WHEEL.test(line) || FOR_CUDA.test(line)
  if (forCuda && amd)
    return /torch/.test(line) && taught?.image ? "apptainer run ROCM_IMAGE.sif python3 train.py" : null
  const wheelhouse = move.notes.some(note => note.includes("--no-index"))
  if (wheelhouse && line.includes("nvidia-cudnn")) return null
  if (wheelhouse && line.includes("--no-binary=mpi4py")) return "module load mpi4py"
  if (forCuda && wheelhouse)
    return line
      .replace(WHEEL, "")
      .replace(FOR_CUDA, "")
      .replace("install", "install --no-index")
      .replace(/"(\w+)"/, "$1")
  const compiles = /conda/.test(move.rOnce) && /^(?:module|conda|install\.)/.test(line) && R_PACKAGE.exec(pasted)
  if (compiles) return `conda install -c conda-forge r-${compiles[1]?.toLowerCase() ?? "PACKAGE"}`
  const [, command] = /^module spider (\S+)$/.exec(line) ?? []
  const [, program] = COMMANDS.find(([pattern]) => pattern.test(command ?? "")) ?? []
  const {gpu, cpu} = move.applications[program] ?? {}
  if (program) return (/gpu/i.test(pasted) ? (gpu ?? cpu) : (cpu ?? gpu)) ?? `module spider ${program}`
  if (move.noConda && /miniforge3\/etc/.test(line)) return null
  // A system without conda, and a user who does not name it.
  if (move.noConda && /^conda (?:install|create)/.test(line) && !/conda(?!\.ca)|mamba/i.test(pasted)) return null
  if (wheelhouse && line.includes("--only-binary=:all:")) return line.replace("--only-binary=:all:", "--no-index")
  const opencv = /opencv/.test(line) && move.modules.find(name => name.startsWith("opencv"))
  if (opencv) return `module load ${opencv}`
  const known = [...move.documented, ...move.modules, ...move.noted, ...Object.keys(move.versions)]
  const name = MODULE.exec(line)?.[1]
  const has = name === "apptainer" || !move.documented.length || known.some(each => each.split("/")[0] === name)
  return name && !has ? `module spider ${name}` : line
}

/**
 * @param {any} system with `taught` as scripts/engine/data/messages.py writes it @param {string} line as the message has it
 * @returns {string | null} null where this system has no such line
 */
function own({taught, kind, move}, line) {
  const gpu = GPU.exec(line)
  if (gpu) return taught.gpu?.replace(/1$/, gpu[1] || "1") ?? null
  if (kind === "grid_engine") {
    const there = GRID_ENGINE_LINES.reduce((all, [slurm, own]) => all.replace(slurm, own), line)
    return SLURM_ONLY.test(there) ? null : there
  }
  if (line.startsWith("#SBATCH --mem=") && !taught.memory) return null
  if (line.startsWith("#SBATCH --account=")) return taught.account ? line : null
  if (line.startsWith("#SBATCH --partition=")) return taught.partition ?? null
  if (line.includes(" --nv ") && taught.container === "none") return null
  if (line === "module load apptainer" && taught.tool === "singularity") return null
  return ofTool(taught, line)
    .replace("USER@HOST", all => (taught.successor ? `USER@${taught.successor}` : all))
    .replace("ROCM_IMAGE.sif", all => taught.image ?? all)
    .replace(NCCL, all =>
      taught.interface ? `export NCCL_SOCKET_IFNAME=${taught.interface.replace(/\d+$/, "")}` : all,
    )
    .replace(" --nv ", ` ${taught.container ?? "--nv"} `)
    .replace(/\bib0\b/, taught.interface ?? "ib0")
    .replace(/\bINTERFACE\b/, taught.interface ?? "INTERFACE")
    .replace("--bind /scratch/YOUR_PROJECT", all => move.binds[0] ?? all)
    .replace(/\/scratch\/YOUR_PROJECT(?![\w-])/, () => taught.scratch ?? "/scratch/YOUR_PROJECT")
}

/** SingularityCE has only its own name. @param {any} taught @param {string} said */
const ofTool = (taught, said) =>
  taught?.tool === "singularity"
    ? said
        .replace(/\bapptainer (?=[a-z])/g, "singularity ")
        .replace(/\bApptainer\b/g, "SingularityCE")
        .replace(/\bAPPTAINER_(?=[A-Z])/g, "SINGULARITY_")
    : said

// Where users may not install conda, or only in a container of its own.
const CONDA =
  /,? or (?:install[^.,]*with |from )?conda\b[^.,]*(?=\.)| If R is from conda,[^.]*\.|, conda(?=, or a container)/g

const NV = /(?: Start|,? and start|, start) a container with `--nv`(?:\.|(?=\.)|,)/g

/** A sentence in the words of this system's scheduler and container program, with the ways to install that it has. */
export const inWordsOf = ({kind, taught, move}, said) => {
  let there = move?.noConda ? said.replace(CONDA, "") : said
  if (taught?.container === "none") there = there.replace(NV, "")
  if (kind === "grid_engine") there = GRID_ENGINE.reduce((all, [slurm, own]) => all.replace(slurm, own), there)
  return ofTool(taught, there)
}

const MEMORY = /--(mem(?:-per-cpu)?)[= ](\d+)([MGT])/i
// Interfaces as NCCL lists them, and those that each node has for itself.
const INTERFACE = /\[\d+\]([\w.-]+):/g
const NODES_OWN = /^(?:lo|docker|br-|veth|virbr|cni|podman)/
const HOURS = /^[^\n]*?(?:--time|-t)[= ](?:(\d+)-)?(\d+):\d\d/m
/**
 * A line after what is pasted: twice its memory, no example of a time that is less, an interface that it lists.
 * @param {string | null} line as the message has it @param {string} pasted
 */
export function more(line, pasted) {
  const [, option, amount, unit] = MEMORY.exec(pasted) ?? []
  if (amount && line === "#SBATCH --mem=64G") return `#SBATCH --${option}=${2 * Number(amount)}${unit}`
  const listed = line?.endsWith("=ib0") ? [...pasted.matchAll(INTERFACE)].map(([, name]) => name) : []
  const between = listed.filter(name => !NODES_OWN.test(name))
  if (between.length && between.length < listed.length)
    return line.replace("ib0", between.find(name => /^(?:ib|hsn)/.test(name)) ?? between[0])
  const [, days, hours] = HOURS.exec(pasted) ?? []
  if (hours && line === "#SBATCH --time=24:00:00" && Number(days ?? 0) * 24 + Number(hours) >= 24) return null
  return line
}

/** {was, now} of a message here, for what was pasted; what is wrong is left out where it is this system's way. */
export const taughtLines = (system, {was, now}, pasted = "") => {
  const {taught, kind, move} = system
  const ready = now && move ? software(system, now, pasted) : now
  const fitted = ready && taught ? own(system, ready) : ready
  const [, gpus] = GPUS.exec(pasted) ?? []
  const [, missing] = (/--bind \/scratch/.test(now) && MISSING.exec(pasted)) || []
  const bound = missing ? fitted?.replace(/--bind \/\S+/, `--bind ${missing}`) : fitted
  const tasks = gpus ? bound?.replace(/(?<=--ntasks-per-node=)\d+$/, gpus) : bound
  const here = gpus && GPU.test(now) ? fitted?.replace(/([:=])1$/, `$1${gpus}`) : tasks
  const foreign = kind === "grid_engine" && SLURM_ONLY.test(was)
  return {now: here ?? null, was: here && here !== was && !foreign ? was : null}
}
