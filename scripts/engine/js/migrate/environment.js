// How a script that moves gets its software: the guide's own lines, an environment that the job creates, one of its user.
import {INSTEAD_OF_CONDA} from "../advice/conduct.js"
import {quoted} from "./amounts.js"
import {calls, imagePattern, startsImage} from "./image.js"
import {inContainer, sameSoftware} from "./leftovers.js"
import {LOADS, loadedBy} from "./module_names.js"
import {OWN_DISK} from "./places.js"

const bases = line =>
  line
    .replace(/^.*?\bload\s+/, "")
    .split(/\s+/)
    .map(name => name.split("/")[0])
    .join(" ")
const unquoted = text => text.replace(/["']|\$\{(\w+)\}/g, (_, name) => (name ? `$${name}` : ""))
const OPTIONAL = /^(#|module purge|export |EOF$)/
const PART = /(\s*(?:&&|\|\||;)\s*|^)((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|(?!\s*(?:&&|\|\||;)).)*)/g
/** The commands of a line, each with the sign before it. @param {string} line @returns {[string, string][]} */
const partsOf = line => [...line.matchAll(PART)].map(([, sign, part]) => [sign, part])
const TESTS = /^\s*(?:!\s|\[|test\s)/
const CREATES = /^\s*(?:virtualenv|python3? -m (?:venv|virtualenv)|uv venv)\s+(?:-\S+\s+)*([^\s;&|-]\S*)/
const ACTIVATES = /^\s*(?:source|\.)\s+(\S+)\/bin\/activate\b/
const VALUED =
  /^(?:-[fitc]|--(?:find-links|(?:extra-)?index-url|target|constraint|prefix|root|cache-dir|upgrade-strategy))$/
const INSTALLS = /^\s*(?:(?:uv|python3? -m)\s+)?pip3?\s+install\b(.*)/
/** @type {[RegExp, (found: RegExpExecArray) => string][]} */
const OWN = [
  [ACTIVATES, each => each[1]],
  [/^\s*(?:(?:conda|mamba|micromamba)\s+activate|source\s+activate)\s+([^\s;&|]+)/, each => each[1]],
  [/\b(?:conda|mamba|micromamba)\s+run\s+(?:-\S+\s+)*?(?:-n|-p|--name|--prefix)[= ](\S+)/, each => each[1]],
  [/^\s*(?:export\s+)?PATH=["']?(\S*?(?:env|conda)\S*?)\/bin:/i, each => each[1]],
  [/(?:^|[\s="'])([/~$][^\s"'=]*env[^\s"'=]*)\/bin\/python[\d.]*(?=$|[\s"'])/i, each => each[1]],
]

const CREATED_BY_CONDA = /^\s*(?:conda|mamba|micromamba)\s+(?:env\s+)?create\b.*?\s(?:-n|-p|--name|--prefix)[= ](\S+)/
/** The environments that a line creates or activates. @param {string} line */
export const ACTIVATED = line =>
  [CREATES, CREATED_BY_CONDA, ...OWN.map(([pattern]) => pattern)].flatMap(pattern => {
    const name = pattern.exec(line)?.[1]
    return name && /[\w)]$/.test(name) ? [unquoted(name)] : []
  })

const CONDA_SHELL = /^\s*(?:eval\s.*\bconda\b|conda\s+(?:init\b|activate\s*$)|(?:source|\.)\s+\S*conda\.sh\b)/
export const IN_CONDA =
  /^(\s*)(?:(?:conda|mamba|micromamba)\s+activate|source\s+(?:\S*\/)?activate)\s+([^\s;#&|]+)\s*(#.*)?$/

const STARTS_TORCH = /^[^#\n]*\b(?:torchrun|torch\.distributed|accelerate launch)\b/m
// Of a script that runs Python.
const PYTHON =
  /python|torch|\bpip3?\b|\w\.(?:py|ipynb)\b|jupyter|\b(?:conda|mamba)\s+(?:create|install)|\b(?:accelerate|deepspeed|ray|snakemake|multiqc)\b/i

/** A line that creates an environment as any Python does, where virtualenv may not be installed. */
export const plainVenv = (from, to, line) =>
  from.move.noConda === true && to.move.noConda !== true
    ? line.replace(/(?<!\s#.*)(^|[\s;&|(])virtualenv\s+(?:--no-download\s+)?(?=[^\s-])/, "$1python3 -m venv ")
    : line

/** Why a line of conda goes. */
export const notConda = ({name}) => `Do not use conda on ${name}.`

/** What is said to those who use conda where the operator offers something else. kind: as environmentOf has it */
export function insteadOfConda(to, kind, own = []) {
  const {noConda} = to.move
  const named = own.length ? ` of ${own.map(each => `\`${each}\``).join(", ")}` : ""
  if (kind === "image")
    return `${notConda(to)} The script now starts a container that has PyTorch. If its Python lacks a package, create an environment: ${inContainer(to)}.`
  if (noConda !== true) return `${notConda(to)} ${noConda}`
  if (kind !== "programs") return `${notConda(to)} ${INSTEAD_OF_CONDA}`
  return `${notConda(to)} Search for the programs${named} with module spider and load their modules, or use a container that has them. Only Python packages go into a virtualenv, with pip install --no-index.`
}

/** Where users keep environments there. */
function rootOf({move: {places, account}}) {
  const [, root] = places.find(([kind, , about]) => /programs/i.test(`${kind} ${about.use}`)) ?? [null, "$HOME"]
  return root.replace(/<\w+>/g, account.sample ?? "$USER")
}

// Packages of the Alliance's modules for Python: docs.alliancecan.ca/wiki/Python
/** @type {Record<string, string>} */
export const IN_MODULES = {mpi4py: "mpi4py", "scipy-stack": "numpy, scipy, matplotlib, pandas", arrow: "pyarrow"}

// Packages that use a framework for GPUs
const WITH_GPU =
  /torch|lightning|tensorflow|keras|jax|flax|transformers|^(?:the packages|accelerate|deepspeed|vllm|timm|ultralytics|diffusers|peft|trl|ray|cupy)/i
/** The setup for packages without one: an environment of the user. */
export function withoutFramework(to, setup, packages, account, gpu) {
  const named = packages.length > 0 && !packages.some(name => WITH_GPU.test(name))
  if (!named || !RegExp(gpu ? "PATH=.*torch" : "torch").test(setup.join("\n"))) return setup
  const root = rootOf(to).replace(to.move.account.sample ?? "$", account ?? "$")
  return [`export PATH="${root}/env/bin:$PATH"`]
}

/** The line that activates what takes the place of a conda environment; null: none is needed. */
function activates(to, line) {
  const {noConda} = to.move
  const [, indent, name, rest = ""] = IN_CONDA.exec(line) ?? []
  if (!name || name === "base") return null
  const own = name
    .replace(/["'/]+$/, "")
    .split("/")
    .at(-1)
    .replace(/["']/g, "")
  const folder = noConda === true ? "$HOME" : rootOf(to)
  const now = noConda === true ? `source ${folder}/${own}/bin/activate` : `export PATH="${folder}/${own}/bin:$PATH"`
  return indent + now + (rest && ` ${rest}`)
}

/** [first, last] of the lines of each here-document, with the line that begins it and the one that ends it. */
export function documents(lines) {
  const found = []
  for (let at = 0; at < lines.length; at++) {
    const [, end] = /<<-?\s*\\?["']?(\w+)/.exec(lines[at].replace(/<<</g, "")) ?? []
    const last = end ? lines.findIndex((line, place) => place > at && line.trim() === end) : -1
    if (last > at) found.push([at, (at = last)])
  }
  return found
}

/** The same of commands that `bash -c '…'` has on several lines: [first, last], which has commands, too. */
const strings = lines =>
  lines.flatMap((line, at) => {
    const [, quote] = /\bbash\s+(?:-\w+\s+)*?-l?c\s+(['"])\s*$/.exec(line) ?? []
    const last = quote ? lines.findIndex((each, place) => place > at && each.includes(quote)) : -1
    return last > at ? [[at, last]] : []
  })

/**
 * @param {System} from @param {System} to @param {(line: string) => string} plain a line with the sample account
 * @param {string[]} lines below the directives
 * @param {boolean} gpu does the job have one? @param {boolean} amd is it AMD's? @param {boolean} spreads a job of one node now has several, each with a local disk of its own
 * @returns {{gone: Set<number>, at: number, opens: boolean, packages: string[], image: RegExp | null, inImage: boolean, own: string[], modules: string[],
 *   created: boolean, venv: string | null, kept: Map<number, string | null>, conda: "image" | "programs" | "own" | false, ofConda: Set<number>, container: string | undefined}}
 *   gone: lines in whose place the setup there comes, at the first; opens: before the script loads anything; image: how the script calls its system's
 *   container; inImage: the setup there starts one; own: environments that it activates and does not create; modules: names that the setup there brings;
 *   venv: the one whose Python the container there starts; kept: what is left of a line, or takes its place; conda: what takes the place of one of conda's, "programs" where it is not Python's; ofConda: its lines in kept, which are as they are there; container: a line that starts its system's container and stays
 */
export function environmentOf(from, to, plain, lines, spreads, gpu, amd) {
  const here = from.move.software
  const inMemory = to.move.places.some(([kind, , about]) => kind === OWN_DISK && about.memory)
  const leave = sameSoftware(from, to) && !inMemory && !spreads
  const packages = [],
    text = lines.join("\n")
  const image = here.image && RegExp(imagePattern(here.image))
  let gone = leave ? new Set() : guides(here, plain, lines, image)
  // A container that is started in another way than the guide's, or has more than what is there, stays with its lines.
  const stays = image && (to.move.software.image ? startsImage(from, to, lines, image) : calls(lines, image))
  const half = gone.size > 0 && stays ? lines.find(stays) : undefined
  if (half !== undefined) gone = new Set()
  const created = lines
    .flatMap(partsOf)
    .flatMap(([, part]) => CREATES.exec(part)?.[1] ?? [])
    .map(unquoted)
  const job = created.length > 0 && /--no-index|--no-download|TMPDIR/.test(text)
  const kept = new Map()
  const uses = lines.some((line, at) => !gone.has(at) && OWN.slice(0, 2).some(([pattern]) => pattern.test(line)))
  if (uses && !created.length) gone = new Set() // its user's own, which is not doubled
  if (!leave && job) {
    for (const [at, line] of lines.entries()) {
      const parts = partsOf(line.replace(/\s*\|\|\s*\{[^{}]*\}/g, "")) // what runs if it fails
      const goes = parts.map(([, part]) => ofEnvironment(part, created, packages))
      if (!goes.includes(true) && line.trim() !== "deactivate") continue
      const rest = parts.filter(
        ([, part], i) => !goes[i] && !(goes[i + 1] && TESTS.test(part)) && !/^(?:exit\b.*|deactivate|\s*)$/.test(part),
      )
      if (rest.length) kept.set(at, rest.map(([sign, part], i) => (i ? sign + part : part)).join(""))
      else gone.add(at)
    }
    for (const [first, last] of [...documents(lines), ...strings(lines)]) {
      const inside = [...lines.keys()].slice(first + 1, last + (/<</.test(lines[first]) ? 0 : 1))
      const left = inside.filter(at => !gone.has(at) && /^\s*[^\s#]/.test(lines[at]) && !/^\s*module /.test(lines[at]))
      if (!inside.some(at => gone.has(at))) continue
      if (left.length) gone = new Set()
      else for (let at = first; at <= last; at++) gone.add(at)
    }
  }
  if (!gone.size) kept.clear()
  const starts = image ? lines.some(calls(lines, image)) : false
  const named = to.move.modules.some(name => /pytorch/.test(name)) // which takes the place of the old one
  const hasOwn = lines.some(line => OWN.some(([pattern]) => pattern.test(line)))
  if (!leave && !gone.size && gpu && !starts && (to.move.software.image || !(hasOwn || named)))
    for (const [at, line] of lines.entries()) {
      const names = loadedBy(line) // the container there has what this module brings
      if (names.length && names.every(name => /^(?:python-)?pytorch(?:\/|$)/.test(name))) gone.add(at)
    }
  // PyTorch in an environment of the user: the container there has it.
  const activations = lines.flatMap((line, at) => (ACTIVATES.test(line) ? [at] : []))
  if (
    !leave &&
    !gone.size &&
    amd &&
    to.move.software.image &&
    !here.image &&
    activations.length === 1 &&
    STARTS_TORCH.test(text)
  )
    gone.add(activations[0])
  const sources =
    gone.size > 0 && to.move.software.image && gpu ? [...lines.keys()].filter(at => ACTIVATES.test(lines[at])) : []
  const activated = sources.length === 1 ? unquoted(ACTIVATES.exec(lines[sources[0]])?.[1] ?? "") : ""
  const venv = activated && !created.includes(activated) ? activated : null
  if (venv) kept.set(sources[0], null) // its Python starts in the container
  const conda = to.move.noConda && !sameSoftware(from, to) && lines.some(line => IN_CONDA.test(line))
  const ofConda = new Set()
  const ready = Boolean(to.move.software.image && gpu && /torch/.test(text)) // its container has PyTorch
  const programs = to.move.noConda === true && !gpu && !PYTHON.test(text)
  for (const [at, line] of conda ? lines.entries() : []) {
    if (!CONDA_SHELL.test(line) && !IN_CONDA.test(line)) continue
    if (ready) gone.add(at)
    else {
      kept.set(at, programs ? `# ${line.trim()}` : activates(to, line))
      ofConda.add(at)
    }
  }
  const own = new Set(venv ? [venv] : [])
  for (const [at, line] of lines.entries())
    for (const [pattern, name] of gone.has(at) || /^\s*#/.test(line) ? [] : OWN) {
      const found = pattern.exec(line)
      if (found && !created.includes(unquoted(name(found)))) own.add(unquoted(name(found)))
    }
  const INSIDE = /["';&|]\s*(?:source|\.)\s+(\/\S+)\/bin\/activate\b/ // in a command that another one runs
  for (const [at, line] of lines.entries())
    if (!gone.has(at) && INSIDE.test(line)) own.add(unquoted(INSIDE.exec(line)[1]))
  const modules =
    gone.size || half !== undefined
      ? Object.values(here.setup)
          .flat()
          .filter(line => /^module load/.test(line))
      : []
  const at = Math.min(...gone, Infinity)
  return {
    gone,
    at,
    opens: !lines.slice(0, at).some(line => LOADS.test(line)),
    packages: [...new Set(packages)].filter(name => !/^(?:pip|setuptools|wheel)\b/.test(name)),
    image: gone.size ? image : null,
    inImage: Boolean(gone.size && to.move.software.image && gpu),
    own: [...own],
    modules: [...new Set(modules.flatMap(line => bases(line).split(" ")))].filter(
      name => !half || !/^(?:apptainer|singularity)/.test(name),
    ),
    created: job && gone.size > 0,
    venv,
    kept,
    conda: conda ? (ready ? "image" : programs ? "programs" : "own") : false,
    ofConda,
    container: half,
  }
}

/** Does it create an environment of the job's, activate it, or install into it? packages: UPDATED */
function ofEnvironment(part, created, packages) {
  const pip = INSTALLS.exec(part)?.[1]
  if (pip === undefined) return CREATES.test(part) || created.includes(unquoted(ACTIVATES.exec(part)?.[1] ?? "-"))
  if (
    /(?:^|\s)(?:-e|--editable)[\s=]|\s(?:\.{1,2}(?:\/\S*)?|[$~/]\S*)(?=\s|$)/.test(
      pip.replace(/\s-[rfc]\s+\S+|--\w[\w-]*[= ]\S*\//g, ""),
    )
  )
    return packages.push(...(/[$~/]\S*$/.exec(pip) ?? [])) < 0 // its user's own, which stays
  const words = pip.replace(/\s(?:#|\||\d?>|&>).*/, "").split(/\s+/)
  for (const [at, word] of words.entries())
    if (/^(?:-r|--requirement)$/.test(words[at - 1] ?? "")) packages.push(`the packages of ${word}`)
    else if (/^[a-zA-Z]/.test(word) && !VALUED.test(words[at - 1] ?? "")) packages.push(word.replace(/["']+$/, ""))
  return !/\\$/.test(part)
}

/** The lines of the guide's setup, where all of it stands in the script in its order. @returns {Set<number>} */
function guides(here, plain, lines, image) {
  const text = lines.join("\n")
  for (const setup of Object.values(here.setup).sort((one, other) => other.length - one.length)) {
    const found = new Set()
    let at = -1,
      whole = setup.length > 0
    for (const wanted of setup) {
      const like = line =>
        plain(line) === wanted ||
        (/^module load/.test(wanted) && /^module load/.test(line) && bases(line) === bases(wanted))
      const next = lines.findIndex((line, place) => place > at && like(line))
      const optional = OPTIONAL.test(wanted) && !/^export PATH/.test(wanted)
      if (next >= 0 && !(optional && next > at + 1 && found.size)) found.add((at = next))
      else if (!optional && !(wanted.startsWith("image=") && image?.test(text))) whole = false
    }
    if (whole) return found
  }
  return new Set()
}

// In quotes, the shell puts no values into a here-document: a path that now has a variable would stay as it is written.
const CLOSED = /<<(-?)\s*(?:(["'])(\w+)\2|\\(\w+))/
/** A script, whose shell reads the variable later. */
const SCRIPT = /(?:^|[\s;&|/])(?:ba|da|z|k)?sh\b(?!-)|\.(?:ba)?sh\b|\b(?:sbatch|ssh)\b/

/** Opens them where nothing else in them is the shell's, or says it. @param {any[]} found the lines, UPDATED @param {Set<any>} said UPDATED */
export function openDocuments(found, said) {
  for (const [first, last] of documents(found.map(({text}) => text ?? ""))) {
    const {text} = found[first]
    const inner = found.slice(first + 1, last).filter(each => each.text !== null)
    const closed = CLOSED.exec(text)
    if (!closed || SCRIPT.test(text) || /^#!.*sh\b/.test(inner[0]?.text ?? "")) continue
    const isNew = ({from, text}) => (text.match(/\$\w+/g) ?? []).filter(name => from !== null && !from.includes(name))
    const names = [...new Set(inner.flatMap(isNew))]
    if (!names.length) continue
    const rest = names.reduce((text, name) => text.split(name).join(""), inner.map(each => each.text).join("\n"))
    const list = names.map(name => `\`${name}\``).join(", ")
    if (/[$`\\]/.test(rest)) {
      said.add(`In the text below ${quoted(text)}, the shell replaces no variables. Write what ${list} stands for.`)
      continue
    }
    found[first].text = text.replace(CLOSED, (_, dash, _quote, end, other) => `<<${dash}${end ?? other}`)
    found[first].reason = `${found[first].reason} Without quotes, the shell replaces ${list} below.`.trim()
  }
}
