// What is left of the old system in the commands of a moved script: variables that it set, and its own folders.
import {data} from "../data.js"
import {documents, inImage, programs} from "../script/payload.js"
import {readScript} from "../script/read.js"
import {setOf} from "../script/text.js"
import {todo} from "./entries.js"
import {base} from "./module_names.js"
import {OWN_DISK} from "./places.js"
import {createsKeys, remoteOf} from "./remote.js"

// What any system has, or the scheduler or HyperQueue sets in each job.
const EVERYWHERE = setOf(
  "HOME USER LOGNAME PATH PWD OLDPWD SHELL HOSTNAME LANG TERM TZ RANDOM SECONDS LINENO EUID UID OPTARG OPTIND REPLY " +
    "BASH BASHPID BASH_SOURCE FUNCNAME PIPESTATUS IFS PPID PS1 EDITOR CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES " +
    "GPU_DEVICE_ORDINAL LD_LIBRARY_PATH LIBRARY_PATH CPATH PYTHONPATH MANPATH MODULEPATH CONDA_PREFIX VIRTUAL_ENV",
)
const BY_SCHEDULER = /^(SLURM|SLURMD|SBATCH|SRUN|HQ|PMI|OMPI|PE|JOB_ID|JOB_NAME|NSLOTS|TMPDIR$)/
// Where a path may begin behind a letter or `-`: a value that a variable else has, and an option of one letter.
export const AFTER = String.raw`(?<=\$\{\w{1,40}:?-)|(?<=\s-[A-Za-z])`
const PATH = RegExp(
  String.raw`(?:(?<![\w$}/.~:)\x60*?%\]-]|\$\{?\w{1,40}\}?["']{1,2})|${AFTER})\/[A-Za-z][\w.-]*(?:\/[\w.$%{}+-]+)+`,
  "g",
)
const pathsIn = text => (text.match(PATH) ?? []).map(path => (path.includes("{") ? path : path.replace(/\}.*/, "")))
/** The commands of a program's menus, such as Fluent's and Geant4's, which begin the lines of its input as paths do. */
function inMenus(text) {
  const found = [...text.matchAll(/^[ \t]*(\/[a-z][\w-]*(?:\/[\w-]+)*)(?=[ \t]+\S|[ \t]*$)(.*)/gim)]
  const roots = new Set(found.map(([, command]) => command.split("/")[1]))
  return roots.size > 1 && found.some(([, , words]) => words.trim()) ? found.map(([, command]) => command) : []
}
// Where a container has what its options bind: `-B DIRECTORY:/data`.
const BINDS =
  /(?:(?<=\s|["'])(?:-B|--bind|-H|--home|-v|--volume)[= ]|_BIND(?:PATH)?=|(?<=--mount[= ]\S{1,200}),(?:dst|destination|target)=)["']?([^\s"']+)/g
const MOUNT = /^\/lustre\d/ // of one system's file system, also at a center
const STANDARD = /^\/(?:usr\/(?!local\/)|(?:bin|sbin|etc|dev|proc|sys|run|tmp|var|lib|lib64)\/)/ // on any system
const COMMON = /^\/(?:usr\/local|opt\/(?!(?:cray|apps|software|nvidia|intel|ohpc|modules?|rocm|packages)\/))/ // of several systems
export const LINKS =
  /(?:~|\$HOME|\$\{HOME\}|\/(?:home|users)\/(?:\$\{?USER\}?|[\w.-]+))\/(?:links\/)?(scratch|projects?|nearline)(?![\w.-])/ // what operators put into a home

// Requests in a line of the script itself: of salloc, srun, Snakemake, Nextflow.
export const PARTITION = /(?:--partition[= ]|\s-p |\bslurm_partition\s*[=:]\s*|\bqueue\s*=\s*)["']?([\w-]+)/g
const CHOICES = /\bqueue\s*=\s*\{.*/ // Nextflow's, by the size of a task
const GPU = /(?:--gres[= ]gpu:|\bgpu:|--gpus(?:-per-node|-per-task)?[= ])([a-z]\w*(?:\.\w+)?)(?=[:,\s"']|$)/g

/** [how it is written, its name] of each partition that the text requests. */
export const partitionsIn = text => {
  const choices = [...(CHOICES.exec(text)?.[0] ?? "").matchAll(/["']([\w-]+)["']/g)].map(found => ["queue", found[1]])
  return [...text.matchAll(PARTITION), ...choices].map(([what, name]) => [what.replace(/["']/g, "").trim(), name])
}

const FEATURE = /--constraint[= ]["']?(\w[\w|&,-]*)/g

const FOR_JOBS = /\b(?:sbatch|srun|salloc)\b|slurm|cluster/i // pip has a --constraint, too

const COMMANDS = /(?:^|[;&|(]|&&|\bsrun)\s*([\w-]+)/g
export const OF_CENTRE =
  /^(?:seff_gpu|gpu-energy|avail_wheels|diskusage_report|partition-stats|jobperf|hdquota|allocations|qlist|qlimits|gpustat|aus_report|csc-[\w-]+|lumi-[\w-]+|lumio-conf|allas-\w+|a-(?:put|get|list|check|find|info|delete|publish))$/
// What breaks at another center, and what is said of it.
/** @type {[RegExp, (from: string, to: string, job: any) => string][]} */
const BREAKS = [
  [/\b(?:module|ml)\s+restore\s+\w\S*/, (from, to) => `loads your modules of ${from}. Load those of ${to}.`],
  // A profile of a site: github.com/nf-core/configs. Those of pipelines are not: docs/usage.md of nf-core's template.
  [
    /(?<=\s)-profile\s+(?:\w+,)*(?!(?:docker|singularity|apptainer|podman|charliecloud|shifter|conda|mamba|wave|test\w*|debug|arm\w*|gpu|cpu|standard|local|slurm)\b)[a-z]\w*/,
    (from, to) => `may name a profile for ${from}. If it does, write one for ${to}, or remove that name.`,
  ],
  [/\bspack\s+(?:env\s+activate|load)\s+\S+/, (from, to) => `needs ${from}'s Spack. Load modules of ${to}.`],
  [
    /(?=--no-index)(?<=\bpip3? install\b(?!.*(?:--find-links|\s-f\s)).*\s)--no-index\b/,
    (from, to, {amd, image}) =>
      `installs only packages from ${from}. Remove ${amd ? (image ? `the lines that create and activate the environment. Before the job, create the environment on PyTorch in ${to}'s container: ${image}` : "it, and install PyTorch from its own index for ROCm, because pip installs it for NVIDIA GPUs") : "it"}.`,
  ],
]
const LICENSES = /\b\w*LICENSE(?:_FILE|_SERVER)?=\S*@\S+/i
// https://github.com/ray-project/ray/issues/53737, and https://github.com/lumi-ai-factory/laifs-container-recipes/issues/6
const ON_RAY =
  "Ray for AMD GPUs ends with an error where Slurm sets ROCR_VISIBLE_DEVICES. Before the first program, write `export HIP_VISIBLE_DEVICES=$ROCR_VISIBLE_DEVICES` and `unset ROCR_VISIBLE_DEVICES`. Between srun and `ray`, write `env -u ROCR_VISIBLE_DEVICES`."
// What renders on a GPU, with OpenGL or Vulkan: Rorqual's notes, and those of others, exclude slices.
const RENDERS =
  /\b(?:MUJOCO_GL|PYOPENGL_PLATFORM)=["']?egl\b|\bVK_ICD_FILENAMES=\S+|(?:^|[\s;&|])(?:vglrun|pvbatch|pvserver)(?=\s)/
// What a program's module sets on any system.
/** @type {[RegExp, RegExp][]} */
const SET_BY = [
  [/^WM_|^FOAM_(?:ETC|INST_DIR|(?:SITE_|USER_)?(?:APPBIN|LIBBIN)|RUN|SRC|TUTORIALS)$/, /openfoam/i],
  [/^(?:AMBERHOME|AMBER_PREFIX)$/, /amber/i],
  [/^GMX(?:BIN|DATA|PREFIX|LIB)$/, /gromacs/i],
]
// What sed and awk are to do, which looks like a path.
const EXPRESSION = /\b((?:sed|awk|gawk|perl)\s+(?:-\S+\s+)*)(?:'[^']*'|"[^"]*")/g

/** Does a path begin with a variable of a program's module? */
export const inModule = path => SET_BY.some(([sign]) => sign.test(/^\$\{?(\w+)/.exec(path)?.[1] ?? ""))
export const INSTALLS_TORCH = /^[^#]*\bpip3? install\b.*(?:torch|requirements|\s-r\s)/
export const escaped = text => text.replace(/[\\^$.|?*+()[\]{}]/g, sign => `\\${sign}`)
/** What there is none of: without its article. */
export const bare = kind =>
  kind === OWN_DISK
    ? "disk of the node's own"
    : kind.replace(/^(?:An?|The|Your) /, "").replace(/^[A-Z](?![A-Z])/, letter => letter.toLowerCase())

const SETS = [
  /(?:^|[\s;&|(])(\w+)\+?=/g,
  /\b(?:for|export|declare|local|typeset|readonly|mapfile|readarray)\s+(?:-\w+\s+)*(\w+)/g,
  /\$\{(\w+):?=/g,
  /\bread\s+(?:-\w+\s+)*([\w ]+)/g,
]
/** The variables that the script itself sets, in any way. */
export const own = lines =>
  new Set(SETS.flatMap(pattern => [...lines.join("\n").matchAll(pattern)].flatMap(([, names]) => names.split(" "))))

// Of one centre, with a module in common: Puhti's are not LUMI's, or Roihu's.
export const sameSoftware = ({move: here}, {move: there}) =>
  here.centre === there.centre && here.modules.some(name => there.modules.some(other => base(other) === base(name)))

const isPlace = ({move}, name) => move.places.some(([, path]) => path === `$${name}`)

/** Does a place's description name the variable, as a second one? */
const alsoPlace = ({move}, name) => move.places.some(([, , {use}]) => use?.includes(`\`$${name}\``))

/** The commands that print how full the places of a system are. */
const ofPlaces = ({move: {places}}) => places.flatMap(([, , {command}]) => command ?? [])

const begins = (system, name) => ofPlaces(system).some(command => command.split(" ")[0] === name)

/** The commands that create an environment in a system's container, and start programs with it. */
export function inContainer({move: {software}}) {
  if (!software.image) return null
  const modules = software.setup.gpu.filter(line => /^module (?:use|load)/.test(line))
  const python = software.python.replace(/"?\$image"?/, software.image)
  const start = python.replace(/\S+$/, "DIRECTORY/bin/python3")
  return `${[...modules, `${python} -m venv --system-site-packages DIRECTORY`].map(each => `\`${each}\``).join(", ")}. In the job, load the same modules, and start programs with \`${start}\`, in place of torchrun with its option \`-m torch.distributed.run\``
}

/** What has PyTorch there, if a script that starts a container uses it: the rest of a sentence. */
export function ready({name, move: {software}}, lines) {
  if (!/torch|lightning/i.test(lines.join("\n"))) return ""
  const {image, python, setup} = software
  const modules = setup.gpu.filter(line => /^module (?:use|load)/.test(line)).map(line => `\`${line}\``)
  if (image)
    return `. ${name} has one with PyTorch, \`${image}\`: write ${modules.join(" and ")} above it, and start it with \`${python.replace(/ "?\$image.*/, "")}\``
  return /pytorch/.test(modules[0] ?? "")
    ? `, or run the program without one, after ${modules[0]}, which has PyTorch`
    : ""
}

/** A line that its user types, or that the job prints for that, with a login node there: [line, why]. */
export const hostsOf = (from, to, gpu) => {
  const now = to.move.hosts.find(each => gpu || !/gpu/.test(each)) ?? to.move.hosts[0]
  const old = from.move.hosts.map(each => {
    const [label, ...rest] = each.split(".")
    const domain = escaped(rest.join("."))
    const other = `${escaped(label)}[\\w-]*(?:\\.[a-z][\\w-]*){2,4}|(?<=@)${escaped(label)}`
    const name = /^(?:login|hpc)/.test(label) ? `(?:[\\w-]+\\.){0,3}${domain}` : other
    return RegExp(`(?<![\\w.-])(?:${name})(?![\\w-]|\\.\\w)`, "g")
  })
  const about = RegExp(`\\b(?:${from.name.split("/").map(escaped).join("|")})\\b`) // a comment that stays true
  return line =>
    now &&
    /^\s*(?:#(?!!|SBATCH)|echo\b|printf\b)/.test(line) &&
    /\b(?:ssh|scp|rsync|sftp|mosh|sshfs)\b|\w@\w/.test(line) &&
    !about.test(line)
      ? [old.reduce((text, host) => text.replace(host, now), line), `This is a login node of ${to.name}.`]
      : [line, ""]
}

/**
 * @param from, to the two systems @param {string[]} lines the script's before it moved
 * @param {any} job as job.js makes it
 * @returns {(line: string) => Generator<Entry | string>} what cannot be moved of a moved line
 */
export const leftoversOf = (from, to, lines, job) => {
  const set = own(lines),
    folder = path => path.split("/")[1]
  const names = move => new Set(move.partitions.map(each => each.name))
  const kinds = move => new Set(Object.values(move.gpus).flatMap(each => each.types.filter(Boolean)))
  const [rooms, theirs, types, others] = [names(from.move), names(to.move), kinds(from.move), kinds(to.move)]
  const featuresOf = move => [
    ...Object.values(move.nodes).flatMap(each => each.features),
    ...Object.values(move.gpus).flatMap(({request}) => request.map(([, value]) => value)),
  ]
  const [features, theirFeatures] = [new Set(featuresOf(to.move)), new Set(featuresOf(from.move))]
  const known = new Set([...from.move.places, ...to.move.places].map(([, path]) => folder(path)))
  const moves = from.move.centre !== to.move.centre
  const [loads, has] = [
    lines.filter(each => /^\s*(?:module|ml)\s/.test(each)).join("\n"),
    JSON.stringify([to.move.applications, to.move.modules, to.move.documented, to.move.versions]),
  ]
  const brought = name => SET_BY.some(([sign, module]) => sign.test(name) && module.test(loads) && module.test(has))
  const same = sameSoftware(from, to)
  const torch = lines.some(each => INSTALLS_TORCH.test(each))
  const {commands} = readScript(lines.join("\n"))
  const menus = new Set(commands.flatMap(documents).flatMap(inMenus))
  const contained = commands.filter(each => programs(each).some(({through}) => inImage(through)))
  const inside = new Set(contained.flatMap(({text}) => pathsIn(text)))
  const bound = [...lines.join("\n").matchAll(BINDS)].flatMap(([option, list]) =>
    option.startsWith(",") ? [list.split(",")[0]] : list.split(",").flatMap(each => each.split(":")[1] ?? []),
  )
  for (const [, path] of lines.join("\n").matchAll(/\s--(?:pwd|workdir|cwd)[= ](\/\S+)/g)) bound.push(path)
  const loaded = JSON.stringify([to.move.applications, to.move.software.setup])
  const paths = text =>
    pathsIn(text).flatMap(path => {
      if (bound.some(each => /^\/\w/.test(each) && `${path}/`.startsWith(`${each.replace(/\/$/, "")}/`))) return []
      if (inside.has(path) && /^\/(?:app|workspace)\//.test(path)) return [] // of the image
      if (menus.has(path) || from.move.mpiIo?.includes(path)) return [] // of a program; told with the script
      if (STANDARD.test(path) || known.has(folder(path)) || loaded.includes(path)) return []
      const old = !same || MOUNT.test(path)
      if (old ? COMMON.test(path) : !path.startsWith("/cvmfs/"))
        return inside.has(path) ? [] : [todo.exists`Check that \`${path}\` exists on ${to.name}.`]
      return old ? [todo.path`\`${path}\` is a path on ${from.name}. Find its replacement on ${to.name}.`] : []
    })
  const ofGpus = ({nodes}) =>
    Object.values(nodes).flatMap(each => (Object.keys(each.gpus).length ? each.architecture : []))[0]
  const arm = ofGpus(from.move) === ofGpus(to.move) ? undefined : ofGpus(to.move)
  const remote = remoteOf(from, to)
  const label = from.name.normalize("NFD").replace(/\/.*|[^\w/]/g, "")
  const machine = RegExp(`\\w*(?:mach|cluster|platform)\\w*["']?\\s?[= :]\\s?["']?${label}\\b`, "i")
  return function* (line) {
    const there = /\bsbatch\b/.test(line) ? line : line.replace(/(\bssh\s[^|;&"']*)(["']).*?\2/, "$1") // on another computer
    const text = there.replace(EXPRESSION, "$1").replace(/\s#\s.*/, "")
    for (const [what, name] of partitionsIn(text))
      if (rooms.has(name) && !theirs.has(name))
        yield todo.request`\`${what}\`: \`${name}\` is a partition of ${from.name}. ${to.move.partition === "leave out" ? `Remove it, because Slurm chooses the partition on ${to.name}` : `Use one of ${to.name}'s`}.`
    for (const [what, type] of text.matchAll(GPU)) {
      if (!types.has(type) || others.has(type)) continue
      yield todo.request`\`${what}\`: ${to.name} has no GPU of the type \`${type}\`. Change this request too.`
      if (arm && job.kind === "cpu")
        yield `The GPU nodes of ${to.name} have ${arm} processors, so the script's GPU jobs need programs, environments and containers built for them.`
    }
    for (const [what, names] of line.startsWith("#SBATCH") ? [] : text.matchAll(FEATURE))
      if (
        (FOR_JOBS.test(line) || names.split(/[&|,]/).some(name => theirFeatures.has(name))) &&
        !names.split(/[&|,]/).some(name => features.has(name))
      )
        yield todo.request`\`${what}\`: no node of ${to.name} has this feature, so jobs with it are rejected. Remove it.`
    const [renders] = (job.nowSlice && !text.startsWith("#") && RENDERS.exec(text)) || []
    if (renders)
      yield `\`${renders.trim()}\` renders on the GPU, but MIG slices do not support graphics. If the program renders, request a full GPU, or render on the CPU with OSMesa.`
    const host = from.move.hosts.find(each => text.includes(each))
    if (host && !/\b(?:ssh|scp|rsync|sftp)\s/.test(text))
      yield `\`${host}\` is a login node of ${from.name}. Use one of ${to.name}'s.`
    if (!text.startsWith("#")) yield* remote(text)
    if (job.amd && job.kind !== "cpu" && /\bray (?:start|symmetric-run)\b/.test(text)) yield ON_RAY
    const [trial, wants] = /--(?:num[-_])?cpus[-_]per[-_](?:trial|worker|actor)[= ](\d+)/.exec(text) ?? []
    const [had, has] = [job.oldPerTask / job.old.per, job.perTask / job.now.per] // cores of a GPU
    if (trial && Number(wants) <= had && Number(wants) > has && has >= 1 && job.now.tasks === 1)
      yield `Change \`${trial}\` to ${Math.floor(has)}, because the job has ${job.perTask} cores for ${job.now.per} GPUs per node. Otherwise, GPUs stay idle.`
    const [named] = (!text.startsWith("#") && machine.exec(text)) || []
    if (named)
      yield `\`${named}\` names ${from.name}. Write ${to.name}'s name if the program knows it, or describe ${to.name} in its settings.`
    const tape = data.move.modules.unmounted[to.move.centre]
    const far = tape && RegExp(`(?<![\\w.$}-])(?:~|\\$HOME|\\$\\{HOME\\})?/(?:links/)?${tape}s?/\\S*`).exec(text)?.[0]
    const archive = data.move.modules.archives[to.name]
    if (far)
      yield todo.path`\`${far}\`: ${archive ? `on ${to.name}, ${archive}` : `compute nodes of ${to.name} do not have ${tape} storage. Use a different directory in the job, and copy these files on a login node`}.`
    const [server] = LICENSES.exec(text) ?? []
    if (server) yield `\`${server}\` is a license server. Check that jobs on ${to.name} can reach it.`
    if (same) return yield* paths(text)
    for (const [name] of text.matchAll(/(?<![\w$.-])[A-Z][A-Z_]+(?==)/g)) {
      const kinds = data.move.modules.variables
      const kind = Object.keys(kinds).find(each => RegExp(`^${each.replace("*", "\\w+")}$`).test(name))
      if (kind) yield `\`${name}\`: ${kinds[kind]}`
    }
    for (const [, braced, name = braced] of text.matchAll(/\$(?:\{([A-Z][A-Z0-9_]+)(?![\w:?+-])|([A-Z][A-Z0-9_]+))/g)) {
      const places = [
        ...from.move.places,
        ...to.move.places,
        ...Object.keys(to.advice?.on_request ?? {}).map(each => ["", `$${each}`]),
      ]
      const variable = `$${name}`
      const place = places.some(([, path]) => path === variable) // told as a place
      if (set.has(name) || EVERYWHERE.has(name) || BY_SCHEDULER.test(name) || place || brought(name)) continue
      if (job.kind !== "cpu" && (job.amd ? /^CU(?:DA|DNN)_|CUDA$/ : /^(?:ROCM|HIP)_/).test(name)) {
        yield todo.variable`\`${variable}\`: the GPUs of ${to.name} do not use ${job.amd ? "CUDA" : "ROCm"}. Remove what needs it.`
        continue
      }
      if (/^SGE_/.test(name))
        yield `\`${variable}\` is a variable of Grid Engine, which Slurm does not set. Write its value, or remove it.`
      else
        yield todo.unset`\`${variable}\` is not set in this script. If ${from.name} or one of its modules sets it, load the new modules on ${to.name}, run \`echo ${variable}\`, and if that prints nothing, set it yourself or remove it.`
    }
    for (const [what, name] of text.matchAll(/\b(?:environ(?:\.get\(|\[)|getenv\(|ENV\[)["'](\w+)["'][\])]?/g))
      if (isPlace(from, name) && !isPlace(to, name) && !set.has(name) && !alsoPlace(to, name))
        yield `\`${what}\`: ${to.name} does not set \`${name}\`. Write the variable that replaces it in the other lines.`
    for (const [what, name] of text.matchAll(COMMANDS))
      if (name === "lfs") {
        // Other uses of lfs stay; hardware.js tells of other file systems than Lustre.
        const [quota, number] = /^\s+(?:\S+\s+)*?quota\b(?:.*\s-\w*[pgu]\s+(\d+))?/.exec(text.split(what)[1]) ?? []
        if (
          quota &&
          (moves || (number && job.newAccount !== job.account)) &&
          (number || !begins(to, name)) &&
          ofPlaces(to)[0]
        )
          yield `\`lfs quota\` ${number ? `names project ${number} of` : "is a command of"} ${from.name}. Write \`${ofPlaces(to)[0]}\` on ${to.name}.`
      } else if (begins(from, name) && !begins(to, name) && ofPlaces(to).length)
        yield `\`${name}\` is a command of ${from.name}. Write \`${ofPlaces(to)[0]}\` on ${to.name}.`
      else if (
        /^a(?:-|llas-)/.test(name) &&
        OF_CENTRE.test(name) &&
        (to.move.remotes.length || /^a-(?:put|get)$/.test(name))
      ) {
        if (to.move.remotes.length && !from.move.remotes.length)
          // else storage.js names what takes its place
          yield `Allas needs new keys on ${to.name}. Run ${createsKeys(to)} there before the job. ${to.move.remotes[0][3]}`.trim()
      } else if (OF_CENTRE.test(name) && (moves || name.startsWith(from.name.toLowerCase())))
        yield `\`${name}\` is a command of ${from.name}. Remove it, or use ${to.name}'s.`
    if (from.move.seff && !to.move.seff && /(?:^|[;&|]\s*)\s*seff\s/.test(text))
      yield `${to.name}'s pages do not mention seff. Use sacct instead. If the last command of a script fails, Slurm reports the job as failed.`
    for (const [pattern, words] of moves ? BREAKS : []) {
      const [found] = pattern.exec(text) ?? []
      if (found)
        yield `\`${found}\` ${words(from.name, to.name, {amd: torch && job.amd && job.kind !== "cpu", image: inContainer(to)})}`
    }
    yield* paths(text)
    const [link] = LINKS.exec(text) ?? []
    if (link) yield `\`${link}\` is a directory in your home on ${from.name}. Write where the data is on ${to.name}.`
  }
}
