// Programs that a script brings itself, and that must be built again on another system.
import {base, inImage, programs, started} from "../script/payload.js"
import {quoted} from "./amounts.js"
import {todo} from "./entries.js"
import {lacksAvx512, newerThan, onlyOfIntel} from "../script/architecture.js"
import {readScript} from "../script/read.js"
import {expander} from "../script/variables.js"
import {sameSoftware} from "./leftovers.js"
import {withoutRLibrary} from "./module_names.js"
import {capability, maker} from "./place.js"

const TEXT = /\.(?:py|sh|bash|csh|R|r|jl|pl|rb|m|lua|in|sif|jar)$/
const SYSTEM = /^\/(?:usr|bin|sbin|etc|proc|sys|var|opt|sw|appl|nopt|cvmfs|software|share|apps?)\//
// An environment's own programs, which the environment itself is said to need again.
const ENVIRONMENT =
  /(?:conda|mamba|env|venv|virtualenv|\.local|julia|node_modules|jre|jdk)[^/]*\/|\/(?:python|pip|activate)[\d.]*$/i
const COMPILES =
  /^(?:w?make|cmake|ninja|meson|cargo|(?:mpi)?(?:gcc|g\+\+|cc|c\+\+|cxx|icc|icx|f90|fort|gfortran|ifort|ifx)|nvcc|hipcc|nvc(?:\+\+)?|nvfortran|pgf\w+|(?:amd)?(?:clang(?:\+\+)?|flang)|ftn|elmerf90|f2py\d?|h5p?[cf]c|scons|mex|mcc)$/i
/** Does a command compile? @param {Command} command */
export const compiles = ({words}) => COMPILES.test(base(words[0] ?? ""))
const NAMELESS = /^(?!\$\{?(?:HOME|SCRATCH|PROJECT|WORK)\b)[^/]*\$|^\.\/.*\$/ // a variable is its first part or its name
const FOLDER = /^(?:\.|\$\{?\w+\}?)\/?$/ // that of the job's files, or one that we do not know
const OWN_PATH = /^(LD_LIBRARY_)?PATH=["']?([^"']+)/
export const SETUP_OF_BUILD = /(?:GMXRC(?:\.bash)?|\/etc\/bashrc|setvars\.sh|\/amber\.sh|\/thisroot\.sh)$/

// What a program's own users build or install for it, as scripts name it: [sign, what it is].
/** @type {[RegExp, (found: string, from: string, to: string, code: string, tasks: number, gpu: string) => string][]} */
const INSTALLED = [
  [
    /\b(?:\w+ENV_)?R_LIBS(?:_USER|_SITE)?=["']?[^\s"':]+|(?<![\w$./-])[\w$./-]*\/?[Rr]packages_\w+/,
    (found, from, to) =>
      `\`${found}\` contains packages for ${from}'s R. Install them again for R on ${to}${/\d$/.test(found) ? ", in a new directory, and change the path" : ""}.`,
  ],
  [
    /\bFOAM_USER_\w+=\S+|(?<![\w$./{}-])[\w$./{}-]*OpenFOAM\/[\w$./{}-]*-v?\d\w*(?:\/[\w$./{}-]*)?/,
    (found, from, to) =>
      `\`${found}\` contains libraries for ${from}'s OpenFOAM. Compile them again on ${to}. openfoam.org (releases such as 9) and openfoam.com (such as v2412) publish different programs, so check which one ${to} has.`,
  ],
  [
    /\bJULIA_DEPOT_PATH=\S+/,
    (found, from, to, code, tasks, gpu) => {
      const mpi = /\bmpi(?:run|exec\w*)\b|\bMPI\b|\bMPI\w*\.jl/.test(code) || tasks > 1
      const offline = /\bJULIA_PKG_OFFLINE=(?:true|1)\b/.exec(code)?.[0]
      return `\`${found}\` contains packages for ${from}'s Julia${mpi ? " and MPI" : ""}. Install them again on ${to}${mpi ? ", with MPIPreferences for its MPI" : ""}${gpu}${offline ? `, without ${offline}` : ""}.`
    },
  ],
  [
    /\bJULIA_CPU_TARGET=\S+/,
    (found, from, to) => `\`${found}\` is for ${from}'s processors. Check it on ${to}, or remove it.`,
  ],
  [
    /\b(?:PERL5LIB|GEM_HOME)=[^\s:]+|\bPYTHONPATH=[^\s:]*site-packages[^\s:]*/,
    (found, from, to) => `\`${found}\` contains packages that were installed on ${from}. Install them again on ${to}.`,
  ],
]
// Compiled files that programs load, and comments on how something was compiled.
const LOADED = /[\w}]\.(?:so(?:\.\d+)*|mexa64|whl)$/
const COMPILED =
  /\b(?:compiled|recompiled)\s+(?:it |them )?(?:with|against|using|by|for|on|in|here)\b|\bbuilt\s+(?:it |them )?(?:with|against|using|by)\s+(?:\S+\s+)?(?:g?make|cmake|gcc|intel|\w*mpi|cuda|nvcc|hipcc|gfortran|ifort|modules?|spack)\b/i
const NOT_COMPILED = /\b(?:torch|jit|xla|env\w*|conda|images?|containers?|\S+\.sif|docker|singularity|apptainer)\b/i
const OF_MODULE = /^\$\{?(?:EBROOT|CUDA|MKL|CONDA|I_MPI|ROCM|MPI)|none-any\.whl$/

/** What the job itself builds: null if we cannot tell which files. @returns {Set<string> | null} names without folders */
function builtHere(commands) {
  const made = new Set()
  for (const {words} of commands.filter(compiles)) {
    const target = words[words.indexOf("-o") + 1]
    if (words.includes("-o") && target) made.add(base(target))
    else if (!words.includes("-c")) return null
  }
  return made
}

/** What the script or its comments name of them. @returns {{files: string[], comment: string | null}} */
function compiled(text, commands, made) {
  const said = /** @type {string[]} */ (text.match(/^\s*#(?![!$]|SBATCH\b).*/gm) ?? []).filter(
    line => COMPILED.test(line) && !NOT_COMPILED.test(line),
  )
  const named = [...commands.flatMap(({text}) => (/^\s*#/.test(text) ? [] : [text])), ...said]
  const tokens = named.flatMap(line => line.split(/[\s"'=,:;()`]+/))
  const files = tokens.filter(
    each =>
      LOADED.test(each) && mine(each) && !made.has(base(each)) && !OF_MODULE.test(each) && !/^lib[^/]*$/.test(each),
  )
  return {files: [...new Set(files)], comment: (!made.size && said[0]?.trim()) || null}
}

/** A sentence for each kind of them that the script names. */
function installed(from, to, text, tasks, others) {
  const lines = text.split("\n").filter(line => /\.libPaths\(/.test(line) || !/^\s*#/.test(line)) // what an R program sets is known from comments only
  const code = lines.join("\n")
  const named = lines.map(withoutRLibrary(to, lines)).join("\n")
  const [gone, come] = others || []
  const gpu = gone && RegExp(`\\b${gone}\\b`, "i").test(text) ? `, with ${come}.jl instead of ${gone}.jl` : ""
  return INSTALLED.flatMap(([sign, words]) => {
    const [found] = sign.exec(named) ?? []
    return found ? [words(found, from.name, to.name, code, tasks, gpu)] : []
  })
}

/** The programs, as the script names them, that its user built. @returns {string[]} */
function builds({commands, documents}, made) {
  const expand = expander(commands)
  const found = new Set(),
    written = new Set(),
    links = new Map() // name of a program -> the program that it is a link to, or a copy of
  const own = commands.flatMap(({name, words}) => (name === "mkdir" ? words.slice(1).map(expand) : []))
  for (const command of commands) {
    const [name, value = ""] = command.words
    for (const {target} of command.redirects) written.add(`./${target.text}`)
    const sets = [...command.sets, ...(name === "export" ? command.words.slice(1) : [])]
    for (const [, libraries, list] of sets.map(set => OWN_PATH.exec(set)).filter(Boolean)) {
      const first = expand(list.split(":").find(each => !/^\$\{?(?:LD_LIBRARY_)?PATH\b/.test(each)) ?? "")
      const root = libraries ? first.replace(/\/lib(?:64)?\/?$/, "") : first
      if (
        first &&
        !FOLDER.test(first) &&
        !/PYTHONUSERBASE/.test(list) &&
        !OF_MODULE.test(first) &&
        mine(`${first}/`) &&
        !own.includes(first) &&
        !(libraries && /OpenFOAM/.test(first)) &&
        !(libraries && [...found].some(each => each.startsWith(root)))
      )
        found.add(root)
    }
    if (/^(?:source|\.)$/.test(name ?? "") && SETUP_OF_BUILD.test(value) && mine(expand(value)))
      if (!NAMELESS.test(expand(value))) found.add(expand(value))
    if (/^(?:ln|cp)$/.test(name ?? "")) {
      const paths = command.words
        .slice(1)
        .filter(word => !word.startsWith("-"))
        .map(expand)
      const [source, target = ""] = paths
      if (paths.length > 2) for (const each of paths.slice(0, -1)) links.set(base(each), each)
      else if (source) links.set(base(/^$|\.$|\/$/.test(target) ? source : target), source)
    }
    const several = command.words.includes("--multi-prog") ? documents.flatMap(({text}) => text.split("\n")) : []
    const ranks = several.flatMap(line => /^[\d*$]\S*\s+(\S+)/.exec(line)?.[1] ?? [])
    const parts = command.words.join("\n").split("\n:\n").slice(1) // of mpirun A : B
    const others = parts.map(part => started(["mpirun", ...part.split("\n")]))
    const told = sets.flatMap(set => readScript(/^\w*COMMAND=["']?([^"']+)/.exec(set)?.[1] ?? "").commands) // ASE's
    const all = [...programs(command), ...others, ...told.flatMap(programs)]
    // A wrapper that the script writes starts the program behind it.
    const wrapped = all.flatMap(({through, words}) =>
      written.has(`./${base(words[0] ?? "")}`) && words[1]?.includes("/") ? [{through, words: words.slice(1)}] : [],
    )
    for (const {through, words} of [...all, ...wrapped, ...ranks.map(each => ({through: [], words: [each]}))]) {
      const named = expand(words[0] ?? "")
      const link = /^(?:\.\/)?[^/]+$/.test(named) ? links.get(base(named)) : undefined
      const full = link?.includes("/") ? link : named
      if (/^\S*(?:apptainer|singularity)\s/.test(full)) continue // a variable has the whole command
      if (!full.includes("/") || TEXT.test(full) || inImage(through)) continue
      if (mine(full) && !NAMELESS.test(full)) found.add(full)
    }
  }
  const paths = [...found]
  return paths.filter(
    path => !written.has(path) && !made.has(base(path)) && !paths.some(other => other.startsWith(`${path}/`)),
  )
}

const FRESH = /\b(?:git\s+clone|wget|curl)\b/
/** Builds that see no reason to build again what was copied. */
function* stale(from, to, text, commands) {
  const lines = text.split("\n")
  for (const command of FRESH.test(text) ? [] : commands.filter(compiles)) {
    const before = lines.slice(Math.max(0, command.line - 5), command.line).join("\n")
    const asks = !command.certain && /\s-[no]t\s|!\s+-[efsx]\s/.test(before)
    const make = /^g?make$/.test(base(command.words[0])) && !command.words.some(word => /clean|^-B$/.test(word))
    if (!asks && !make) continue
    const all = commands.some(({words}) => /^(?:cmake|meson)$/.test(base(words[0] ?? "")))
    const what = all ? "the whole build directory with CMakeCache.txt" : "it and its object files"
    return yield `${quoted(command.text)} may build nothing, because ${from.name}'s program is copied with its dates. Before the first job, delete ${what} on ${to.name}.`
  }
}

const cpusOf = ({advice}, names) => names.flatMap(name => advice?.nodes?.[name]?.cpu ?? [])

/**
 * An option that compiles a program for processors which the nodes there do not have, in a comment or where the check
 * does not know whether it runs: a sentence, or none.
 */
function forOthers(to, plan, text, commands) {
  const cpus = plan.room.nodes.map(name => to.advice?.nodes?.[name]?.cpu ?? "")
  const comments = text.match(/^\s*#(?![!$]|SBATCH\b).*/gm) ?? []
  const perhaps = commands.filter(({certain}) => !certain).map(command => command.text)
  const words = [...comments, ...perhaps].flatMap(line => line.split(/[\s"'(),;`]+/))
  const intel = cpus.every(cpu => /^AMD/.test(cpu)) && words.map(onlyOfIntel).find(Boolean)
  const [option, what] = intel ? [intel, "for Intel processors only"] : [newerThan(cpus, words), "for AVX-512"]
  const zen = cpus.every(cpu => /^(?:\d+x )?Intel/.test(cpu)) && /-m(?:arch|tune)=znver\d/.exec(text)?.[0]
  if (zen)
    return [
      `\`${zen}\` is for AMD processors, but nodes of ${to.name} have ${cpus[0]}. Compile the program on such a node, with \`-march=native\`.`,
    ]
  const native = option ? undefined : words.find(word => /(?:^|=)-(?:march=native|xhost)$/i.test(word))
  if (native)
    return [`\`${native}\` is for the processors where the program was compiled. Compile it again on ${to.name}.`]
  return option
    ? [
        `\`${option}\` is ${what}, but nodes of ${to.name} have ${cpus[0]}. Compile the program again with \`-march=core-avx2\`.`,
      ]
    : []
}

/** Options that only Intel's compilers know, where none of these is known there: a sentence, or none. */
function ofIntelsCompilers({move, name}, commands) {
  if (
    [...move.documented, ...move.modules].some(each =>
      /^(?:intel|oneapi|PrgEnv-intel|iccifort|icc|compiler-rt)/.test(each),
    )
  )
    return []
  const builds = commands.filter(command => compiles(command) || /FLAGS=/.test(command.text))
  const options = builds.flatMap(
    ({text}) => text.match(/(?<=[\s"'=])-(?:qopt-[\w=-]+|q?mkl(?:=\w+)?|qopenmp|ipo|fp-model)(?![\w-])/g) ?? [],
  )
  const all = [...new Set(options)].map(option => `\`${option}\``).join(", ")
  return all
    ? [
        `Only Intel's compilers accept ${all}, and we know none on ${name}. Search for them there, or replace these options.`,
      ]
    : []
}

export const mine = path => !SYSTEM.test(path) && !ENVIRONMENT.test(path) && !/\$\(|`/.test(path)

/**
 * What is said of them: all between centers, and between one center's systems where a GPU is older.
 * @param {System} from @param {System} to @param {any} need @param {any} plan @param {string} text the script @param {Shell} shell its reading
 */
export function toBuild(from, to, need, plan, text, shell) {
  const [was, now] = [capability(from, need.key), capability(to, plan.key)]
  const older = was && now && Number(now) < Number(was)
  const moves = !sameSoftware(from, to)
  const makers = [need.key && maker(from.move.gpus[need.key]), plan.key && maker(to.move.gpus[plan.key])]
  const others = makers[0] !== makers[1] && {AMD: ["CUDA", "AMDGPU"], NVIDIA: ["AMDGPU", "CUDA"]}[makers[1] ?? ""]
  const processors = forOthers(to, plan, text, shell.commands)
  const before = Object.keys(from.move.nodes).filter(
    name => Object.keys(from.move.nodes[name].gpus).length > 0 === Boolean(need.key),
  )
  const fewer = lacksAvx512(cpusOf(to, plan.room.nodes)) && !cpusOf(from, before).every(cpu => lacksAvx512([cpu]))
  if (!moves && !older && (!fewer || processors.length)) return processors
  const gpu = now && was !== now ? ` for compute capability ${now}` : ""
  const why = moves
    ? `depends on ${from.name}'s libraries`
    : older
      ? `may have been built for ${from.move.gpus[need.key].model} only`
      : `may use AVX-512, which nodes of ${to.name} do not have`
  const made = builtHere(shell.commands)
  const {files, comment} = made && moves ? compiled(text, shell.commands, made) : {files: [], comment: null}
  const own = made ? [...new Set([...builds(shell, made), ...files])] : []
  return [
    ...processors,
    ...(moves ? ofIntelsCompilers(to, shell.commands) : []),
    ...(moves ? stale(from, to, text, shell.commands) : []),
    ...(comment && !own.length
      ? [`${quoted(comment)}: this depends on ${from.name}'s compilers and libraries. Compile it again on ${to.name}.`]
      : []),
    ...own.map(name => todo.build`\`${name}\` ${why}. Rebuild or reinstall it on ${to.name}${gpu}.`),
    ...(moves ? installed(from, to, text, need.nodes * need.tasksPerNode, others) : []),
  ]
}
