// Advice about software: modules, containers, and what is built for another GPU, CUDA or processor.
import {FILES, SETUP, folderOf} from "./case.js"
import {base, program, started} from "../script/payload.js"
import {data} from "../data.js"
import {setOf} from "../script/text.js"
import {has, runsOf} from "./runs.js"

const LOADS = setOf("load add try-load swap switch")
const OTHERS = setOf(
  "avail av spider list purge unload rm del reset restore save show whatis help keyword use unuse is-loaded",
)
const family = module => module.split("/")[0]

/** [name or name/version, command] of each module that is sure to be loaded. */
function loaded({certain}) {
  return certain
    .filter(({name}) => name === "module" || name === "ml")
    .flatMap(command => {
      const given = command.words.slice(1).filter(word => !word.startsWith("-"))
      if (given.length && LOADS.has(given[0])) given.shift()
      else if (command.name === "module" || (given.length && OTHERS.has(given[0]))) return []
      return given.filter(word => !word.includes("$")).map(word => [word, command])
    })
}
/** The folders that `module use` names. */
const usedFolders = ({commands}) =>
  commands
    .filter(({words}) => (words[0] === "module" || words[0] === "ml") && words[1] === "use")
    .flatMap(({words}) => words.slice(2).filter(word => !word.startsWith("-")))

function* modules(given) {
  const {software} = given.facts,
    found = loaded(given),
    {known, wantsGpu, nodes, say} = given
  yield* folderMissing(given, found)
  if (usedFolders(given).some(folder => !software.paths.includes(folder))) return // nobody knows what is there
  for (const [module, command] of found) {
    yield* renamed(given, module, command)
    yield* ofAnother(given, module, command)
    yield* unknown(given, module, command)
    if (
      software.gpu_only.includes(family(module)) &&
      known &&
      !wantsGpu &&
      !nodes().some(([, node]) => Object.keys(node.gpus).length)
    ) {
      const what = `${module} is only available on GPU nodes, but this job runs on other nodes.`
      yield say("module-gpu-nodes-only", what, "Use your own environment.", command, "software.gpu_modules")
    }
    if (software.cpu_only.includes(family(module)) && wantsGpu) {
      const what = `${module} is only available on CPU nodes, but this job runs on GPU nodes.`
      const cure = "Run it on CPU nodes, or use your own build for the GPU nodes."
      yield say("module-cpu-nodes-only", what, cure, command, {fact: "software.cpu_modules", kind: "fails"})
    }
  }
  const bringing = found.find(([name]) => software.with_cuda.includes(family(name)))?.[0]
  for (const [module, command] of found) {
    if (bringing && ["cuda", "cudnn"].includes(family(module))) {
      const what = `${bringing} includes CUDA and cuDNN, and ${module} can conflict with them.`
      yield say("module-cuda-beside", what, `Remove ${module}.`, command, "software.with_cuda")
    }
  }
}
// The Alliance's modules that exist with and without CUDA under one name: the tables of
// https://github.com/SciNetHPC/alliance-docs-mcp/tree/6c7dd79/docs/pages/General, GROMACS.md and AMBER.md, read 2026-11-27.
const TWO_BUILDS = /^(?:gromacs|amber|ambertools)$/
/** A program that is told to use the GPU, from a module that is built without CUDA. */
function* withoutCuda(given) {
  const {facts, wantsGpu, known, name, say} = given
  if (!known || !wantsGpu || !facts.software.own.includes("StdEnv")) return
  const found = loaded(given)
  const at = found.findIndex(([module]) => TWO_BUILDS.test(family(module)))
  if (at < 0 || found.some(([module]) => /cuda|nvhpc/.test(module))) return
  const can = ({entry, words}) => entry && /^gmx/.test(entry.name) && !has(words, entry.cpu ?? [])
  const told = ({entry, words}) => entry?.gpu === "always" || (Array.isArray(entry?.gpu) && has(words, entry.gpu))
  const {runs} = runsOf(given)
  const sure = runs.find(told)
  const run = sure ?? runs.find(can)
  if (!run) return
  const [module, command] = found[at]
  const but = sure ? `but ${run.entry.name} is set to use the GPU` : `so ${run.entry.name} does not use the job's GPU`
  const what = `on ${name}, ${module} is a build without CUDA unless a cuda module is loaded, ${but}.`
  const cure = `Load cuda before ${module}. See module spider ${module} for the version.`
  yield say("module-without-cuda", what, cure, command, {group: "software", kind: sure ? "fails" : "unwise"})
}
/** `conda activate`, where the operator's module does not define conda's function. */
function* notInitialized({facts, name, commands, lines, say}) {
  if (!facts.software.source_activate || /^#!.*sh\s+(?:-\w*l|--login)/.test(lines[0])) return
  if (commands.some(({text}) => /^(?:source|\.|eval)\s|conda (?:init|shell)|conda\.sh/.test(text))) return
  const at = commands.find(({name, words}) => /^(?:conda|mamba)$/.test(name) && words[1] === "activate")
  const module = commands.some(({text}) => /^(?:module|ml)\s.*(?:conda|forge)/.test(text)) // without one, a rule says more
  if (!at || !module) return
  const what = `\`${at.text}\` works only in a shell that conda has set up, and ${name} activates environments with \`source activate\`.`
  const cure = `Write source activate ${at.words[2] ?? ""}`.trim()
  yield say("conda-not-set-up", what, cure, at, {fact: "software.source_activate", kind: "doubtful"})
}
function* renamed({facts, name, say}, module, command) {
  const entry = facts.software.renamed.find(({old}) => old === module || old === family(module))
  if (!entry) return
  const since = entry.since ? ` since ${entry.since}` : "",
    where = entry.only ? ` ${entry.only}` : ""
  const what = `${name} ${since ? "has had no" : "no longer has a"} module ${entry.old}${where}${since}.`
  yield say("module-renamed", what, `Load ${entry.new}.`, command, {
    fact: "software.renamed",
    kind: entry.only ? "doubtful" : "unwise",
  })
}
function* ofAnother({facts, name, say}, module, command) {
  const own = family(module)
  if (facts.software.families.includes(own) || !Object.hasOwn(data.advice.modules, own)) return
  const what = `${own} is a module of ${data.advice.modules[own]}, but ${name} has no module with that name.`
  yield say("module-of-another", what, "Search for it with module spider.", command, {group: "software"})
}
/** Only where the facts list every module of the system; the rules above say more of the names that they know. */
function* unknown({facts: {software}, name, say}, module, command) {
  const own = family(module)
  const known = [...(software.every ?? [own]), ...software.families, ...software.renamed.map(({old}) => family(old))]
  if (known.includes(own) || Object.hasOwn(data.advice.modules, own)) return
  const what = `${name} has no module ${module}.`
  yield say("module-unknown", what, "Search for it with module spider.", command, "software.every_module")
}
/** The modules' folder, or the module that opens it, is not named above. */
function* folderMissing(given, found) {
  const opens = Object.keys(given.facts.software.collections)
  for (const opener of opens.filter(name => !found.some(([own]) => family(own) === name))) {
    const names = given.facts.software.collections[opener]
    const [module, command] = found.find(([name]) => names.includes(family(name))) ?? []
    if (!module || usedFolders(given).length) continue
    const what = `the job cannot find ${module}, because no line above loads ${opener}.`
    yield given.say("module-not-opened", what, `Add before it: module load ${opener}`, command, "software.collections")
  }
  const {software} = given.facts,
    {load_first: first, paths} = software
  if (!first.length || usedFolders(given).some(folder => paths.includes(folder))) return
  let opened = false
  for (const [module, command] of found) {
    opened ||= first.map(family).includes(family(module))
    const hidden = software.modules.includes(module) || !paths.length
    if (!hidden || opened) continue
    const instead = [...first.map(name => `module load ${name}`), ...paths.map(path => `module use ${path}`)]
    const what = `the job may not find ${module}, because no line above adds its directory.`
    const cure = `Add before it: ${instead.join(" or ")}`
    yield given.say("module-not-opened", what, cure, command, "software.load_first")
    return
  }
}

const CONTAINERS = setOf("apptainer singularity"),
  SHOWS_GPU = setOf("--nv --nvccli --rocm")
const plain = word => word.replace(/\$\{(\w+)\}/g, "$$$1") // `${NAME}` as `$NAME`
/** [command, its words from apptainer on] of each container that is sure to be started. */
function runs({certain}) {
  return certain.flatMap(command => {
    const names = command.words.map(base),
      at = names.findIndex(name => CONTAINERS.has(name))
    const starts = at >= 0 && names.slice(at + 1).some(word => ["run", "exec", "shell"].includes(word))
    return starts ? [[command, command.words.slice(at)]] : []
  })
}
function* container(given) {
  yield* anotherSystemsImage(given)
  yield* anotherVersion(given)
  yield* gpuOption(given)
}
function* anotherSystemsImage(given) {
  const {facts, name, sets, say} = given
  for (const [command, started] of runs(given)) {
    for (const word of started.map(plain)) {
      const folder = folderOf(word)
      if (facts.software.folders.includes(folder) || !word.endsWith(".sif") || sets().has(folder.replace(/^\$/, "")))
        continue
      const {images} = data.advice
      if (Object.hasOwn(images, folder)) {
        const what = `${word} is an image of ${images[folder]}, but ${name} has no such directory.`
        yield say("image-of-another", what, "Use an image on this system.", command, {group: "software"})
      }
    }
  }
}
/** `pytorch-2.9.0.sif` beside the module pytorch/2.7.0, which names another file. */
function* anotherVersion(given) {
  const versions = new Map(
    loaded(given)
      .filter(([name]) => name.includes("/"))
      .map(([name]) => [family(name), name.slice(family(name).length + 1)]),
  )
  const shown = given.facts.software.folders.filter(folder => folder.startsWith("$"))
  for (const [command, started] of runs(given)) {
    for (const word of started.map(plain)) {
      const [, name, version] = /^([a-z][\w]*)-([0-9][\w.]*)\.sif$/u.exec(base(word)) ?? []
      if (!shown.includes(folderOf(word)) || (versions.get(name) ?? version) === version) continue
      const what = `${base(word)} is not the image of the module ${name}/${versions.get(name)}.`
      yield given.say("image-version", what, `Write ${name}-${versions.get(name)}.sif.`, command, {group: "software"})
    }
  }
}
function* gpuOption(given) {
  const {facts, name, wantsGpu, commands, say} = given,
    containers = runs(given),
    {folders, container_option} = facts.software
  const amd = given.gpus().length > 0 && given.gpus().every(([, {model}]) => model.startsWith("AMD"))
  const nvidia = given.gpus().length > 0 && given.gpus().every(([, {model}]) => model.startsWith("NVIDIA"))
  const option = amd && container_option === "--nv" ? "--rocm" : (container_option ?? (nvidia ? "--nv" : undefined))
  const fact = "software.container_option"
  if (!wantsGpu || !containers.length) return
  if (option === "none") {
    for (const [command, words] of containers) {
      if (words.some(word => folders.includes(folderOf(plain(word)))) && words.includes("--rocm")) {
        const what = `--rocm is unnecessary on ${name}, because a module binds what these images need.`
        yield say("container-option", what, "Remove --rocm.", command, fact)
      }
    }
    return
  }
  const byVariable = part => /^(APPTAINER|SINGULARITY)(ENV)?_(NV|NVCCLI|ROCM)=/.test(part)
  const told = commands.some(({sets, words}) =>
    [...sets, ...words].some(part => byVariable(part) || SHOWS_GPU.has(part)),
  )
  const inside = command => started(command.words).through.some(({name}) => CONTAINERS.has(name))
  const others = commands.some(
    each => !inside(each) && program(each) && ![SETUP, FILES, CONTAINERS].some(group => group.has(program(each))),
  )
  if (!option || told || others) return
  const [[command, first]] = containers
  const what = `without ${option}, the container has no access to the GPU.`
  const known = container_option ? fact : {group: "software", kind: "doubtful"} // the operator may have set it for all
  yield say("container-option", what, `Write ${first[0]} ${first[1]} ${option} ...`, command, known)
}

const PROCESSORS = {
    x86_64: /x86_64|x86-64|amd64|\blinux-64\b|glnxa64|intel64|linux-x64\b|linux64\b/i,
    aarch64: /aarch64|arm64|\blinux-aarch64\b|neoverse|armv[89]|grace[-_]?hopper/i,
  },
  TALK = setOf("echo printf [ [[ test rm grep")
function* processor({nodes, commands, say}) {
  const kinds = new Set(nodes().map(([, node]) => node.architecture)),
    [here] = kinds
  if (kinds.size !== 1) return
  const named = (kind, word) => PROCESSORS[kind].test(word)
  for (const {words, sets, line} of commands.filter(({name}) => !TALK.has(name))) {
    for (const word of [...words, ...sets]) {
      const other = Object.keys(PROCESSORS).find(kind => kind !== here && named(kind, word))
      if (!other || named(here, word)) continue
      const what = `\`${[...word].slice(0, 60).join("")}\` is built for ${other}, but this job's nodes are ${here}.`
      const cure = `Use a build for ${here}.`
      yield say("processor-other", what, cure, {line}, `node_types.${nodes()[0][0]}.architecture`)
      return
    }
  }
}

// By whose GPUs are there: programs, a container's option, modules and packages that need the other's.
const FOREIGN = {
  AMD: {
    programs: setOf(
      "pbrun nvidia-smi nvcc nsys ncu nvprof nvc++ nvfortran cuda-gdb compute-sanitizer nvidia-cuda-mps-control",
    ),
    option: "--nv",
    modules: setOf("cuda cudnn nccl nvhpc PrgEnv-nvidia PrgEnv-nvhpc craype-accel-nvidia80 craype-accel-nvidia90"),
    packages:
      /\/whl\/cu1[0-9]+\b|cupy-cuda|\[cuda1[0-9]|nvcr\.io\/|cuda[0-9.]+-cudnn|tensorflow\[and-cuda\]|[-_.]cu(?:da)?[-_.]?1[0-3][0-9.]*\S*\.sif|docker:\/\/nvidia\/|(?:^|[\/=_-])(?:nvcr|ngc)[-_.]\S*\.(?:sif|sqsh)|(?:^|\/)cuda[-_.]?1[0-3]\S*\.sif|\bnvidia[-_+](?:pytorch|tensorflow|jax|cuda)\S*\.sif|pytorch-cuda|cudatoolkit|-DGMX_GPU=CUDA|_ENABLE_CUDA=ON|-DUSE_CUDA=(?:ON|1)/,
    whose: "NVIDIA's",
    cure: "Use a build for ROCm.",
    cures: {"nvidia-smi": "Use rocm-smi.", "nvidia-cuda-mps-control": "Remove it.", "--nv": "Remove it."},
  },
  NVIDIA: {
    programs: setOf("rocm-smi amd-smi rocprof rocminfo"),
    option: "--rocm",
    modules: setOf("rocm hip craype-accel-amd-gfx90a"),
    packages:
      /\/whl\/rocm|cupy-rocm|jax\[rocm|docker:\/\/rocm\/|tensorflow-rocm|[-_.]rocm[-_.]?[0-9]\S*\.sif|_ENABLE_HIP=ON|-DUSE_ROCM=(?:ON|1)/,
    whose: "AMD's",
    cure: "Use a build for CUDA.",
    cures: {"rocm-smi": "Use nvidia-smi.", "--rocm": "Write --nv."},
  },
}
function* vendor(given) {
  const {gpus, certain, commands, say} = given
  const vendors = new Set(gpus().map(([, {model}]) => model.split(" ")[0])),
    [vendor] = vendors
  if (vendors.size !== 1 || !Object.hasOwn(FOREIGN, vendor)) return
  const {programs, option, modules, packages, whose, cure, cures} = FOREIGN[vendor]
  const told = [
    ...certain.flatMap(each => {
      if (commands[commands.indexOf(each) + 1]?.op === "||") return [] // its failure is foreseen
      const {through, words} = started(each.words)
      const name = [...through.map(({name}) => name), base(words[0] ?? "")].find(name => programs.has(name))
      return name ? [[each, name]] : []
    }),
    ...runs(given)
      .filter(([, started]) => started.includes(option))
      .map(([command]) => [command, option]),
    ...loaded(given)
      .filter(([name]) => modules.has(family(name)))
      .map(([name, command]) => [command, `module ${name}`]),
    ...commands
      .filter(({name}) => name !== "echo" && name !== "printf")
      .flatMap(command =>
        command.words
          .concat(command.sets)
          .map(word => [packages.exec(word)?.[0], word])
          .filter(([found]) => found)
          .map(([found, word]) => [command, base(/\.(?:sif|sqsh)$/.test(found) ? word : found)]),
      ),
  ]
  const fromPyPI =
    vendor === "AMD" &&
    certain.find(
      ({words}) =>
        /^(?:pip3?|python[\d.]*)$/.test(words[0] ?? "") &&
        words.includes("install") &&
        (words.includes("--no-index")
          ? words.some(word => /^(?:torch|tensorflow|jax|cupy)(?:==[\d.]+)?$/.test(word))
          : words.some(word => /^torch==[\d.]+$/.test(word))) &&
        !words.some(word => /index-url|find-links|^-f$|https?:/.test(word)),
    )
  if (fromPyPI)
    told.push([fromPyPI, fromPyPI.words.includes("--no-index") ? "a wheel of the wheelhouse" : "torch from PyPI"])
  const [[key, {model}]] = gpus()
  for (const [command, thing] of told) {
    const what = `${thing} is for ${whose} GPUs, but this job gets ${model}.`
    yield say("gpu-vendor", what, cures[thing] ?? cure, command, `gpus.${key}.model`)
  }
}

// Packages built with a CUDA that knows nothing of the job's GPU: cu126 of a wheel's address, cupy-cuda13x, jax[cuda12].
const CUDA = [
  /\+cu(1[0-9])([0-9])\b/,
  /pytorch-cuda=+(1[0-9])\.?([0-9]*)/,
  /\/whl\/cu(1[0-9])([0-9]+)\b/,
  /cuda(1[0-9])()(?:x|\])/,
  /\bcuda-version=+(1[0-9])\.?([0-9]*)/,
  /\bcuda(?:toolkit)?[-_:=]{0,2}(1[0-9])[.-]([0-9]{1,2})(?:\.\d)?(?=[-_.]|$)/,
  /[-_.]cu(1[0-9])([0-9])(?=[-_.])/,
]
/** The CUDA of a version in a table of facts: [major, minor]; none where nobody has read which. */
const before = table => (one, two) => data.advice.cuda[table].find(([first]) => older([one, two], first))?.slice(1)
/** @type {[RegExp, (one: number, two: number) => number[] | undefined][]} */
const DATED = [
  [/(?:pytorch|tensorflow|jax)\S*?[:_-](\d\d)\.(\d\d)-(?=tf\d|py\d)/, before("images")],
  [/^(?:py)?torch(?:==?|~=)(\d)\.(\d+)/, before("pytorch")],
  [
    /(?:tensorflow(?:[-_]gpu)?(?:==|[:_-]v?)|(?<![a-z])tf[-_]?(?=\S*\.(?:sif|simg|sqsh)$))(\d)\.(\d+)/,
    before("tensorflow"),
  ],
]
/** The CUDA from which on a generation of GPUs is known. A build runs on all GPUs of its generation. */
const knows = generation => data.advice.cuda.capabilities[`${generation}.0`]
const madeWith = word => {
  for (const [named, versionOf] of DATED) {
    const [whole, one, two] = named.exec(word) ?? []
    const found = whole && versionOf(Number(one), Number(two))
    if (found?.length) return [whole.replace(/-$/, ""), ...found]
  }
  return CUDA.map(named => named.exec(word)).find(Boolean)
}
/** @type {[number, number]} */
const CUDA_13 = [7, 5] // the oldest compute capability that CUDA 13 builds for: NVIDIA's release notes of 13.0
const older = ([a, b], [c, d]) => a < c || (a === c && b < d)
/** The first PyTorch that was built for GPUs of this generation: `2.0`; null: all were. @param {string} capability */
export function firstPyTorch(capability) {
  const least = knows(parseInt(capability, 10)) ?? [0, 0]
  return data.advice.cuda.pytorch.findLast(([, one, two]) => older([one, two], least))?.[0].join(".") ?? null
}
const oldestOf = list => list.reduce((one, other) => (older(other, one) ? other : one))
function* cudaVersion({gpus, commands, say}) {
  const all = gpus().map(([, gpu]) => gpu),
    needs = all.map(({cuda, capability}) => cuda ?? knows(capability?.[0])).filter(Boolean)
  if (!all.length || !all.every(({capability}) => capability)) return
  const models = [...new Set(all.map(({model}) => model))].join(", "),
    [[key]] = gpus()
  for (const [module, command] of loaded({certain: commands})) {
    const [, major, minor] = /^cuda(?:core|toolkit)?\/(\d+)\.(\d+)/.exec(module) ?? []
    if (!major || needs.length !== all.length || !older([Number(major), Number(minor)], oldestOf(needs))) continue
    const what = `${module} is older than ${models} requires (${oldestOf(needs).join(".")}), so its libraries may have no code for this GPU.`
    yield say("cuda-too-old", what, "Load a newer version.", command, {
      fact: `gpus.${key}.oldest_cuda`,
      kind: "doubtful",
      limit: `CUDA ${oldestOf(needs).join(".")}`,
    })
  }
  for (const command of commands.filter(({name}) => name !== "echo" && name !== "printf")) {
    if (/^(?:module|ml|cd|mkdir|source|\.|rm|ls)$/.test(command.name)) continue
    const own = command.name === "pip" && command.words.includes("--no-index") // the operator's, built with any CUDA
    const found = [
      ...command.words,
      ...command.sets.filter(part => !/^(?:PATH|LD_LIBRARY_PATH|CUDA_HOME|CUDA_PATH)=/.test(part)),
    ]
      .map(madeWith)
      .find(Boolean)
    if (!found || (own && !/^torch==1\.(?:\d|1[0-2])(?!\d)/.test(String(found[0])))) continue // no PyTorch before 1.13 knows 9.0
    /** @type {[number, number]} */
    const version = [Number(found[1]), found[2] === "" ? 99 : Number(found[2])]
    if (version[0] >= 13 && all.every(({capability}) => older(capability, CUDA_13))) {
      const what = `\`${found[0]}\` is built with CUDA 13, which does not support ${models}.`
      yield say("cuda-too-new", what, "Use a build for CUDA 12.", command, `gpus.${key}.compute_capability`)
    } else if (needs.length === all.length && older(version, oldestOf(needs))) {
      const least = oldestOf(needs).join(".")
      const what = `\`${found[0]}\` is built with an older CUDA version than ${models} requires (${least}).`
      yield say("cuda-too-old", what, "Use a newer build.", command, {
        fact: `gpus.${key}.oldest_cuda`,
        limit: `CUDA ${least}`,
      })
    }
  }
}

export const ideas = [modules, notInitialized, withoutCuda, container, processor, vendor, cudaVersion]
