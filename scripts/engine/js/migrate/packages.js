// The environments and Python packages of a script that must be installed again: for other files, GPUs or a newer stack.
import {data} from "../data.js"
import {readScript} from "../script/read.js"
import {expander} from "../script/variables.js"
import {quoted} from "./amounts.js"
import {todo} from "./entries.js"
import {ACTIVATED, IN_MODULES} from "./environment.js"
import {inContainer, sameSoftware} from "./leftovers.js"
import {base, loadedBy} from "./module_names.js"

const TORCH = /(?<![\w.-])(?:py)?torch(?:\s*[=~]=\s*|[ /=]v?|[-_])(\d+)\.(\d+)(?:\.(\d+))?/i
const REQUIRED = /^\s*#?.*\bpip3?\s+install\b.*\s(?:-r|--requirement)[= ]?(\S+)/
// The operator's PyTorch, or another framework.
const OTHERS = /^\s*(?:module|ml)\s.*torch|\b(?:tensorflow|keras|jax|alphafold)|\btf[-_.]?(?!32)\d/im
const OLD_STACK = /\bStdEnv\/20(?:1\d|20)\b|\bnixpkgs\/16/
const OF_USER = /(?:~|\$HOME|\$\{HOME\})\/\.local\b|\bpip3?\s+install\s[^#]*--user\b/
const USER_BASE = /\bPYTHONUSERBASE=[^\s:]+/
const TARGET = /(?<![\w.])(?:site[-_]|py)?(?:packages|pkgs)|(?<![a-z])pip(?![a-z])|pylibs?(?![a-z])/i
const OWN_CONDA = /^\s*(?:source|\.)\s+["']?([^\s"']+)\/etc\/profile\.d\/conda\.sh\b/gm
const INSTALLED = /^[^#]*\bpip3?\s+install\s.*--no-index\b/
const PROSE = /^(?:virtualenv|(?:conda|mamba|micromamba|source) activate) [a-z]+,? [a-z]/i // a sentence, not a command
const less = (one, other) => one.map((part, at) => part - (other[at] ?? 0)).find(Boolean) < 0

/** An environment of the Alliance that is no longer supported, or whose CUDA, at most 11.7, is too old. @param {number[] | null} least CUDA of the GPU */
export function oldStack(text, least) {
  const stack = OLD_STACK.exec(text)?.[0] ?? unnamedStack(text)
  return stack && (!stack.endsWith("2020") || (least && less([11, 7], least))) ? stack : undefined
}

/** The older stack whose compilers or MPI a script loads without its name. @param {string} text @returns {string | undefined} */
export const unnamedStack = text =>
  Object.entries(/StdEnv|nixpkgs/.test(text) ? {} : data.move.modules.stacks).find(([, own]) =>
    text.split("\n").some(line => loadedBy(line).some(name => own.includes(name))),
  )?.[0]

/**
 * What is said of them.
 * @param {System} from @param {System} to
 * @param {any} job as job.js makes it; same: the files are there; moved: a path there; conda: the script no longer uses it; own: environments that the script activates; kept: the
 *   script's own lines bring its software
 * @param {string[]} lines @returns {Generator<Entry | string>}
 */
export function* rebuilt(from, to, job, lines) {
  const {same, moved, conda, own, kept, venv, gpu, oldestTorch, oldestCuda} = job
  const text = lines.join("\n")
  const comments = lines.filter(line => /^\s*#/.test(line)).map(line => line.replace(/^[\s#]+/, ""))
  const named = new Set([...own, ...comments.flatMap(line => (PROSE.test(line) ? [] : ACTIVATED(line)))])
  const [, major, minor, patch] = TORCH.exec(text.replace(/^\s*(?:module|ml)\s.*/gm, "")) ?? []
  const least = oldestTorch?.split(".").map(Number)
  const old = Boolean(major && least && less([Number(major), Number(minor), Number(patch ?? 0)], least))
  const version = major && `${major}.${minor}${patch ? `.${patch}` : ""}`
  const files = lines.flatMap(line => REQUIRED.exec(line)?.[1] ?? [])
  const stack = oldStack(text, oldestCuda)
  const loaded = OLD_STACK.test(text) || unnamedStack(text) ? [] : lines.flatMap(loadedBy)
  const has = name => to.move.versions.python?.some(each => `${name}.`.startsWith(`python/${each}.`)) ?? true
  const python = loaded.find(name => /^python\/\d/.test(name) && !has(name))
  for (const name of named) {
    const now = conda ? name : moved(name)
    if (name === "base" && !same)
      yield todo.environment`\`base\` on ${to.name} may lack what the job uses. Create an environment with it, and activate that.`
    else if (!same && /^\$(?:SLURM_TMPDIR|TMPDIR|LOCAL_SCRATCH)\b/.test(name))
      yield todo.environment`\`${name}\` is created in each job. Change what creates it, for ${to.name}.`
    else if (!same)
      yield todo.environment`\`${name}\` is an environment on ${from.name}. Create it again on ${to.name}${now === name ? "" : `, in \`${now}\``}${name === venv ? `, with the container's Python: \`${to.move.software.python} -m venv --system-site-packages ${now}\`` : ""}.`
    else if (old || stack || python)
      yield todo.environment`\`${name}\` was built ${stack || python ? `with ${stack ?? python}` : "for older GPUs"}. Create it again on ${to.name}.`
  }
  const modules = sameSoftware(from, to) || conda || !named.size ? [] : lines.flatMap(loadedBy).map(base)
  const there = [...to.move.modules, ...to.move.documented].map(base)
  for (const name of new Set(modules))
    if (IN_MODULES[name] && !there.includes(name))
      yield `On ${from.name}, the module \`${name}\` has ${IN_MODULES[name]}. Install this in the new environment, if the program uses it.`
  const what = [...files, ...named].map(name => `\`${name.replace(/["']/g, "")}\``)
  if (old) yield `${gpu} on ${to.name} needs PyTorch ${oldestTorch} or newer, but the script names ${version}.`
  else if (least?.[0] >= 2 && !major && !OTHERS.test(text) && kept && what.length)
    yield `If ${what.join(" or ")} has PyTorch, ${gpu} on ${to.name} needs version ${oldestTorch} or newer.`
  if (old && /torch\.distributed\.launch\b/.test(text) && !/--use_env\b/.test(text))
    yield "From PyTorch 2.0, torch.distributed.launch passes `--local-rank` instead of `--local_rank`. Start the program with torchrun, and make it read LOCAL_RANK."
  const pins = lines.flatMap(line =>
    INSTALLED.test(line) ? (line.match(/(?<=\s)["']?[a-z][\w.[\],-]*==\d[\w.*]*/gi) ?? []) : [],
  )
  const listed = lines.flatMap(line => (INSTALLED.test(line) ? (REQUIRED.exec(line)?.[1] ?? []) : []))
  const wheels = [...pins.filter(pin => !old || !TORCH.test(pin)), ...listed]
  if (stack && sameSoftware(from, to) && wheels.length)
    yield `Wheels of ${wheels.map(each => `\`${each.replace(/["']/g, "")}\``).join(", ")} may exist only for ${stack}. With StdEnv/2023, search for versions with avail_wheels, and change these.`
  for (const [, root] of same || conda ? [] : text.matchAll(OWN_CONDA))
    yield `\`${root}\` is conda on ${from.name}. Install it again on ${to.name}, and change the path of conda.sh.`
  yield* ofUser(from, to, job, lines)
  if (!sameSoftware(from, to)) yield* onPath(from, to, job, lines)
}

/** What `pip install --target` put into a directory on Python's path, for another Python or other GPUs. */
function* onPath(from, to, {amd, kind, oldVendor}, lines) {
  const expand = expander(readScript(lines.join("\n")).commands)
  const code = lines.filter(line => !/^\s*#/.test(line)).join("\n")
  const said = /\bpip3?\s+install\b.*\s(?:-t|--target)\b/.test(lines.join("\n"))
  for (const [, list] of code.matchAll(/\bPYTHONPATH=["']?([^\s"',;]+)/g))
    for (const path of list.split(":").filter(each => /[\w}]$/.test(each) && !/PYTHONPATH/.test(each))) {
      if (/site-packages/.test(path) || !(said || TARGET.test(expand(path).replace(/^.*\/(?=.*\/)/, "")))) continue
      const other = kind !== "cpu" && oldVendor && amd !== (oldVendor === "AMD")
      const first = other
        ? `They would hide those for ${amd ? "AMD" : "NVIDIA"} GPUs, so start without the directory. Install what is still missing`
        : "Install them again"
      yield `\`${path}\` is on PYTHONPATH, and contains packages that were installed on ${from.name}. ${first} with the Python of the job on ${to.name}.`
    }
}

/** What pip installed for its user, which Python in an environment of a container does not read. */
function* ofUser(from, to, {same, inImage, amd, kind}, lines) {
  const code = lines.join("\n")
  const [base] = USER_BASE.exec(code) ?? []
  const user = base ?? lines.find(line => OF_USER.test(line))
  if (!user || (base ? sameSoftware(from, to) : same)) return
  const what = base
    ? `\`${base}\` contains packages that were installed on ${from.name}`
    : `${quoted(user)}: these packages are in ${from.name}'s ~/.local`
  if (amd && kind !== "cpu" && inContainer(to) && (inImage || /torch|lightning/i.test(code)))
    yield `${what}. Python in ${to.name}'s container rejects \`pip install --user\`, and does not read ${base ? "this directory, so remove the line" : "such packages"}. If \`pip list\` there lacks some, create an environment: ${inContainer(to)}. Install them with its \`-m pip install\`.`
  else yield `${what}. Install them again on ${to.name}.`
}
