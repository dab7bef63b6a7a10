// The commands of a script that moves: software, what starts a program, paths, numbers of GPUs.
import {data} from "../data.js"
import {environmentOf, launcherOf} from "./environment.js"
import {hardwareOf} from "./hardware.js"
import {leftoversOf, own as ownVariables, sameSoftware} from "./leftovers.js"
import {storageOf} from "./storage.js"

const PATHS = /^#SBATCH\s.*?(?:--(?:output|error|input|chdir)|(?<=\s)-[oeiD])[= ]*\S*\//
const CONDA = /^(?:anaconda\d?|miniconda\d?|miniforge\d?|mambaforge|mamba|conda)$/
const LOADS =
  /^(\s*(?:module\s+(?:-q\s+)?(?:load|add|swap|switch)|ml(?!\s+(?:-|purge|use|load|av|spider|list|show|restore|reset|unload|swap)))\s+(?:load\s+)?)([\w./+ -]+?)(\s*(?:#.*)?|\s*(?:\|\||&&|;).*)$/

// Compilers and MPI, which the lines of an application load themselves.
const TOOLCHAIN =
  /^(?:gcc|gnu|intel[\w-]*|imkl|mkl|openmpi|intelmpi|impi|mpich|mvapich2?|cray-\w+|PrgEnv-\w+|cuda|nvhpc|aocc|fftw|goolf\w*|foss|StdEnv)(?:\/|$)/
const base = name => name.split("/")[0]

/** @typedef {{nodes: number, per: number}} Size nodes, and GPUs on each */

/**
 * @param {System} from @param {System} to
 * @param {any} job
 * @returns a function of the script's lines below its directives, and of the directives, whose paths it UPDATES; it
 *   gives {lines: [{text, from, reason}], impossible: [sentence]}; `from` null: a new line
 */
export function bodyMover(from, to, job) {
  const here = from.move,
    there = to.move
  const impossible = new Set()
  const plain = line => (job.account && here.account.sample ? line.split(job.account).join(here.account.sample) : line)
  const same = sameSoftware(from, to)
  let storage,
    hardware,
    standardOld = false,
    opened = false

  return (lines, directives) => {
    const reason = `This loads the software on ${to.name}. Create your own environment again there.`
    const setup = there.software.setup[job.kind].map(line => put(line, there.account.sample, job.newAccount))
    const left = leftoversOf(from, to, lines)
    const steps = setup.some(line => line.startsWith("export SRUN"))
    const found = environmentOf(from, to, plain, lines, job.old.nodes === 1 && job.now.nodes > 1)
    const replaced = found.gone.size > 0
    storage = storageOf(from, to, {...job, own: ownVariables(lines), nodes: job.now.nodes})
    hardware = hardwareOf(from, to, job, lines)
    const launch = replaced ? launcherOf(from, to, lines, found, job.kind === "cpu") : line => line
    const all = lines.flatMap((line, at) => [
      ...(at === found.at ? setup.map(text => ({text, from: null, reason})) : []),
      {
        text: found.gone.has(at) ? null : (found.kept.get(at) ?? line),
        from: line,
        reason: found.gone.has(at) || found.kept.has(at) ? reason : "",
      },
    ])
    for (const each of all)
      if (each.from !== null && each.text !== null) {
        change(each, replaced && steps, launch, found.modules)
        if (each.text !== null && !each.text.trimStart().startsWith("#"))
          for (const said of left(each.text)) impossible.add(said)
      }
    for (const each of directives) if (PATHS.test(each.text ?? "")) place(each, left)
    environments(found, setup)
    const moved = spread(storage.make(storage.writable(all)))
    const online = to.advice?.internet === false && from.advice?.internet !== false
    if (
      online &&
      /\b(?:wandb|wget|curl|git clone|huggingface|hf download|from_pretrained|https?:\/\/)/.test(lines.join("\n"))
    )
      impossible.add(
        `Compute nodes of ${to.name} have no internet. Download files before the job, and set programs to work offline.`,
      )
    const said = [...storage.files(found.own.length > 0), ...hardware.said, ...impossible]
    return {lines: pair(moved), impossible: said}
  }

  /** What the reader has to create there. */
  function environments({gone, own, packages, created}, setup) {
    const path = setup.find(line => line.startsWith("export PATH="))
    const needs = packages.length ? ` It needs ${packages.join(", ")}.` : ""
    if (gone.size && path) impossible.add(`First create the environment that \`${path}\` names.${needs}`)
    else if (created && packages.length)
      impossible.add(`Make sure that the software there has ${packages.join(", ")}, or create your own environment.`)
    if (gone.size && job.amd && !Object.values(there.gpus)[0].model.startsWith("AMD"))
      impossible.add(
        `The software that the script loads on ${to.name} is for its other GPUs. Find a build for ${job.gpu}.`,
      )
    for (const name of storage.sameFiles() ? [] : own)
      impossible.add(`\`${name}\` is an environment on ${from.name}. Create it again on ${to.name}.`)
  }

  /** The paths of a directive, in which no shell puts values. */
  function place(each, left) {
    const [text, why] = storage.move(each.text, true),
      now = text.replaceAll("$USER", "%u")
    if (now.includes("%u") && !each.text.includes("%u") && /\s(?:--chdir|-D)/.test(now))
      impossible.add(`\`${each.text}\` cannot expand user names. Write your own directory there.`)
    else if (now !== each.text) {
      each.text = now
      each.reason = [each.reason, why].filter(Boolean).join(" ")
    }
    for (const said of left(each.text)) impossible.add(said)
  }

  function change(each, steps, launch, brought) {
    const edit = (text, reason) => {
      if (text === each.text) return
      each.text = text
      each.reason = [each.reason, reason].filter(Boolean).join(" ")
    }
    if (each.text.startsWith("#")) return
    if (steps && /^export SRUN_CPUS/.test(each.text)) return edit(null, "The line moves up, before the first step.")
    const started = launch(each.text)
    const container = started === each.text
    edit(started, "This starts programs as the system requires.")
    if (each.text === null) return
    edit(variables(each.text), "This is Slurm's name for the variable.")
    edit(...modules(each.text, brought))
    if (each.text === null) return
    edit(counts(each.text), `A node has ${job.now.per} GPUs for this job.`)
    edit(...hardware.threads(each.text))
    edit(...hardware.step(each.text))
    hardware.tell(each.text)
    for (const [text, why] of hardware.edits(each.text, container)) edit(text, why)
    edit(...hardware.without(each.text))
    if (each.text !== null) edit(...storage.move(each.text))
  }

  function variables(line) {
    if (from.kind !== "grid_engine") return line
    const launches = /\b(?:mpirun|mpiexec)\b.*\$\{?NSLOTS\b/.test(line) // its slots are processes
    for (const [old, one] of Object.entries(data.move.variables)) {
      const name = old.slice(1)
      const now = launches && name === "NSLOTS" ? "$SLURM_NTASKS" : one
      line = line.replace(RegExp(`\\$\\{?${name}\\b(\\})?`, "g"), (_, end) => (end ? `\${${now.slice(1)}}` : now))
    }
    return line
  }

  function modules(line, brought) {
    const parts = LOADS.exec(line)
    const setup = there.software.setup[job.kind].join(" ")
    if (brought.length) opened ||= /StdEnv/.test(setup)
    if (!parts) return [line, ""]
    if (same && !job.anew) return familyModules(line, parts, brought)
    const instead = /\b(?:swap|switch)\s/.test(parts[1]) // the second name takes the place of the first
    const names = parts[2]
      .split(/\s+/)
      .filter(Boolean)
      .slice(instead ? -1 : 0)
    parts[1] = parts[1].replace(/(?:swap|switch)(\s+)$/, "load$1")
    const application = names.map(applicationOf).find(Boolean)
    const wanted = names.filter(
      name => !brought.includes(base(name)) && !(application && (applicationOf(name) || TOOLCHAIN.test(name))),
    )
    const now = wanted.map(name => successorOf(name))
    const lost = wanted.filter((_, i) => !now[i])
    for (const name of lost) impossible.add(lostModule(name))
    const known = [...new Set(now.filter(Boolean))].join(" ")
    const kept = [known, ...(application ? [`${known && "&& "}${application}`] : [])].filter(Boolean).join(" ")
    if (application && !known) parts[1] = /^\s*/.exec(parts[1])[0]
    const rest = /^\s*&&|^\s*;/.test(parts[3]) ? parts[3].replace(/^\s*(?:&&|;)\s*/, "") : ""
    if (!kept && !lost.length) return [rest || null, `This loads the software on ${to.name}.`]
    const note = lost.length ? `# module load ${lost.join(" ")}` : ""
    const why = note
      ? `We do not know all of these modules on ${to.name}. Search for them, and write their names.`
      : `This is the module's name on ${to.name}.`
    if (rest) return [kept ? `${parts[1]}${kept}${parts[3]}${note && `  ${note}`}` : `${rest}  ${note}`, why]
    return [kept ? `${parts[1]}${kept}${note ? `  ${note}` : parts[3]}` : note, why]
  }

  /** The commands that load this application there. */
  function applicationOf(name) {
    const plain = text => text.replace(/-/g, "")
    const [key] = Object.keys(there.applications).filter(
      key => base(name).startsWith(`${key}-`) || plain(base(name)) === plain(key),
    )
    return there.applications[key]?.[job.kind === "cpu" ? "cpu" : "gpu"] ?? null
  }

  /** The module there that has this one's place; null where we know none. */
  function successorOf(name) {
    const bare = base(name)
    const like = old => old === name || old === bare || (CONDA.test(old) && CONDA.test(bare))
    const renamed = there.renamed.find(([old]) => old === name) ?? there.renamed.find(([old]) => like(old))
    if (renamed?.[2]) {
      impossible.add(`${to.name} has ${renamed[1]} instead of ${renamed[0]} ${renamed[2]}.`)
      return renamed[0]
    }
    const {container_module: tool, cpu_only: cpu = [], gpu_only: gpu = [], collections = {}} = to.advice?.software ?? {}
    if ((job.kind === "cpu" ? gpu : cpu).includes(bare)) return null
    const version = versionOf(name)
    if (version) return version
    const other = [...there.modules, ...(tool ? [tool] : []), ...there.known].find(
      each => like(base(each)) || base(each) === (renamed && base(renamed[1])),
    )
    const opener = Object.keys(collections).find(each => collections[each].includes(bare))
    return other ?? renamed?.[1] ?? (opener ? `${opener} ${bare}` : null)
  }

  function lostModule(name) {
    const bare = base(name)
    const {cpu_only: cpu = [], gpu_only: gpu = []} = to.advice?.software ?? {}
    const kind = cpu.includes(bare) ? "CPU" : gpu.includes(bare) ? "GPU" : null
    return kind
      ? `${to.name} has ${bare} only on its ${kind} nodes, and this job is for others.`
      : `We know no module ${name} on ${to.name}. Search with module spider ${bare}.`
  }

  /** Where all versions of a module are known there: this one, or the next. */
  function versionOf(name) {
    const [bare, version] = name.split("/")
    const all = there.versions[bare] ?? []
    const is = each => `${version}.`.startsWith(`${each}.`) || each.startsWith(`${version}.`)
    if (!version || !all.length || all.some(is)) return version && all.length ? name : null
    const number = text => text.split(".").reduce((sum, part, at) => sum + Number(part) / 1000 ** at, 0)
    const next = all.find(each => number(each) > number(version)) ?? all.at(-1)
    impossible.add(`${to.name} has no ${name}, but ${all.map(each => `${bare}/${each}`).join(", ")}.`)
    return `${bare}/${next}`
  }

  /**
   * Modules that the two systems share: what must come first, and what is too old for the GPU.
   * @param {string} line @param {string[]} parts @param {string[]} brought
   * @returns {[string | null, string]}
   */
  function familyModules(line, [, begin, list, rest], brought) {
    const old = list.split(/\s+/).filter(name => name && !brought.includes(base(name)))
    if (!old.length) return [null, `This loads the software on ${to.name}.`]
    standardOld ||= /StdEnv\/20(?:1\d|20)|nixpkgs/.test(list)
    const names = standardOld ? old : old.map(name => versionOf(name) ?? name)
    const least = job.oldestCuda
    const older = names.find(name => {
      const [, major, minor] = /^cuda(?:core)?\/(\d+)\.(\d+)/.exec(name) ?? []
      return least && major && (Number(major) < least[0] || (Number(major) === least[0] && Number(minor) < least[1]))
    })
    if (older)
      impossible.add(
        `${older} is too old for ${job.gpu}, which needs CUDA ${least.join(".")} or newer. Load a newer one.`,
      )
    const standard = names.find(name => /^(?:StdEnv\/20(?:1\d|20)|nixpkgs)/.test(name))
    if (standard && least)
      impossible.add(
        `${standard} is older than ${job.gpu}, so its programs may not support it. Load StdEnv/2023, and search for the other modules again.`,
      )
    const first = to.advice?.software?.load_first?.find(each => !/\//.test(each) || each.startsWith("StdEnv"))
    if (first && !opened && !names.some(name => name.startsWith("StdEnv"))) {
      opened = true
      return [
        `${begin}${first} ${names.join(" ")}${rest}`,
        `${to.name} loads no modules at login, so ${first} comes first.`,
      ]
    }
    opened = true
    return names.join() === old.join()
      ? [line, ""]
      : [`${begin}${names.join(" ")}${rest}`, `${to.name} has these versions.`]
  }

  function counts(line) {
    if (!job.old.per || job.old.per === job.now.per) return line
    const {per, nodes} = job.now
    const spread = RegExp(`(--(?:nnodes|num[-_]nodes|num[-_]machines|trainer\\.num_nodes)[= ])${job.old.nodes}\\b`, "g")
    return (job.old.nodes > 1 ? line.replace(spread, `$1${nodes}`) : line)
      .replace(RegExp(`(--nproc[-_]per[-_]node[= ]|--expect )${job.old.per}\\b`, "g"), `$1${per}`)
      .replace(RegExp(`(SLURM_(?:NNODES|JOB_NUM_NODES)\\}?\\s*\\*\\s*)${job.old.per}\\b`, "g"), `$1${per}`)
      .replace(RegExp(`(SLURM_LOCALID\\}?\\s*%\\s*)${job.old.per}\\b`, "g"), `$1${per}`)
      .replace(RegExp(`(SLURM_CPUS_PER_TASK / )${job.old.per}\\b`, "g"), `$1${per}`)
  }

  /** A program that torchrun starts on one node, now on several. */
  function spread(found) {
    if (job.kind === "cpu" || job.now.nodes === 1 || job.old.nodes > 1) return found
    const starts = at => (at > 0 && found[at - 1].text?.endsWith("\\") ? starts(at - 1) : at)
    const isStart = ({text}, at) => text?.includes("--standalone") && found[starts(at)].text.includes("torchrun")
    const at = found.findIndex(isStart)
    const reason = `The job now has ${job.now.nodes} nodes, so the processes must connect.`
    if (at < 0) {
      impossible.add(
        `On ${to.name}, ${job.now.nodes * job.now.per} GPUs are spread over ${job.now.nodes} nodes, so the program must support multiple nodes.`,
      )
      return found
    }
    const each = found[at]
    each.text = each.text.replace(
      "--standalone",
      `--nnodes="$SLURM_NNODES" --rdzv-backend=c10d \\\n    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500"`,
    )
    each.reason = `${each.reason} ${reason}`.trim()
    const begin = found[starts(at)]
    if (!/\bsrun\b/.test(begin.text)) {
      begin.text = begin.text.replace(/^(\s*(?:\w+=\S+\s+)*)/, "$1srun ")
      begin.reason ||= reason
    }
    const text = `first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"`
    const first = {text, from: null, reason}
    let before = starts(at)
    while (before > 0 && found[before - 1].text?.startsWith("#")) before--
    return [...found.slice(0, before), first, ...found.slice(before)]
  }
}

/** Lines that go, beside those that come in their place. */
function pair(found) {
  const lines = []
  for (let at = 0; at < found.length; at++) {
    if (found[at].text !== null && found[at].from !== null) {
      lines.push(found[at])
      continue
    }
    const gone = [],
      come = []
    for (; at < found.length && (found[at].text === null || found[at].from === null); at++)
      (found[at].text === null ? gone : come).push(found[at])
    at--
    for (let i = 0; i < Math.max(gone.length, come.length); i++)
      lines.push({text: come[i]?.text ?? null, from: gone[i]?.from ?? null, reason: (come[i] ?? gone[i]).reason})
  }
  return lines
}

const put = (line, sample, account) => (sample && account ? line.split(sample).join(account) : line)
