// The commands of a script that moves: software, what starts a program, paths, numbers of GPUs.
import {acceleratorsOf, kokkosOf, withoutService} from "./accelerators.js"
import {edits, keepBlocks, pair} from "./changes.js"
import {bindOnce, containersOf} from "./containers.js"
import {moveDirective} from "./directive_paths.js"
import {IN_MODULES, environmentOf, notConda, openDocuments, plainVenv, withoutFramework} from "./environment.js"
import {followed} from "./follow.js"
import {fromGridEngine} from "./grid_engine_commands.js"
import {hardwareOf} from "./hardware.js"
import {hostsOf, leftoversOf, own as ownVariables} from "./leftovers.js"
import {launcherOf} from "./image.js"
import {alike, base, loadedBy, withoutRLibrary} from "./module_names.js"
import {modulesOf} from "./modules.js"
import {mpiBuildOf} from "./mpi_build.js"
import {exported, interfaceOf, withSrun, withoutCray} from "./mpi.js"
import {createsKeys} from "./remote.js"
import {settingsFor} from "./settings.js"
import {openFirst} from "./shared_modules.js"
import {spread} from "./spread.js"
import {storageOf} from "./storage.js"
import {nestedOf} from "./submissions.js"
import {toCreate} from "./to_create.js"
import {runBy} from "./unknown.js"
import {waitsOf} from "./waits.js"

// Workflows download the containers and packages of their steps.
const ONLINE =
  /\s--(?:use-(?:singularity|apptainer|conda)|sdm|software-deployment-method)\b|\bnextflow\s.*\s-profile\s+\S*(?:singularity|apptainer|docker|conda)|\b(?:HF_HOME=|wandb|ollama (?:pull|run)|wget|curl|git clone|huggingface|hf download|prefetch|fasterq-dump|efetch|from_pretrained|(?:https?|docker|oras|library):\/\/)/
// What comes with a Python environment, and starts programs.
const IN_ENVIRONMENT =
  /^[^#]*\b(?:python3?|torchrun|pip3?|accelerate launch|deepspeed(?=\s+(?:--\w|\S+\.py))|ray start|vllm (?:serve|run-batch))\s+\S/
// What makes a center's own software visible.
const SETUP =
  /^\s*(?:module use|(source|\.)(?=\s+\/(?:opt|sw|appl|nopt|apps|software|etc)\/\S*\/\w*env[^\/\s]*))\s+\S+\s*(?:#.*)?$|^\s*(source|\.)\s+\/\S+\/allas_conf\b[^;&|]*$/
// Programs of packages that a center's Python module may have, but PyTorch does not bring.
const OF_PACKAGES =
  /^[^#\n]*?(?:^|[\s;&|])(jupyter(?:-\w+)?|accelerate|deepspeed|tensorboard|vllm|ray|streamlit|mlflow)(?=\s+(?:-|[a-z]))/gm
const put = (line, account, other) => (account && other ? line.split(account).join(other) : line)

/**
 * @param {System} from @param {System} to @param {any} job as job.js makes it
 * @param {string[]} given the lines below the directives @param {any[]} directives whose paths it UPDATES
 * @returns {{lines: {text: string | null, from: string | null, reason: string}[], impossible: (Entry | string)[], replaced: boolean}} `from` null: a new line; replaced: does a directory take a disk's place?
 */
export function moveBody(from, to, job, given, directives) {
  const lines = joined(given)
  const here = from.move,
    there = to.move,
    gpu = job.kind !== "cpu"
  const impossible = new Set()
  const purged = lines.some(line => /^\s*module (?:--force )?purge\b/.test(line)) // and what comes then may stay
  let setup = there.software.setup[job.kind]
    .filter(line => line !== "module purge" || !purged)
    .map(line => put(line, there.account.sample, job.newAccount))
  const plain = line => put(line, job.account, here.account.sample)
  const found = environmentOf(from, to, plain, lines, job.old.nodes === 1 && job.now.nodes > 1, gpu, job.amd)
  const replaced = found.gone.size > 0
  const own = found.created && !found.image ? withoutFramework(to, setup, found.packages, job.newAccount, gpu) : setup
  if (own !== setup) {
    setup = own
    found.inImage = false
    found.packages.push(...lines.flatMap(loadedBy).flatMap(name => IN_MODULES[base(name)] ?? []))
  }
  const inImage = there.software.image && setup.some(line => line.startsWith("image="))
  const named = found.packages.map(name => /^[a-z]+/.exec(name)?.[0]) // JAX without PyTorch: python-jax
  const framework = named.includes("torch") || to.advice?.software?.own.find(each => named.includes(each.split("-")[1]))
  for (const [at, line] of framework ? setup.entries() : [])
    setup[at] = line.replace(/(?<=^module load )\S*pytorch\S*/, own => (framework === true ? own : framework))
  const bindings = replaced && setup.some(line => line.includes("bindings"))
  const steps = replaced && setup.some(line => line.startsWith("export SRUN"))
  const text = [...directives.map(each => each.from ?? ""), ...lines].join("\n")
  const hosts = hostsOf(from, to, gpu)
  const left = leftoversOf(from, to, lines, job)
  const variables = from.kind === "grid_engine" ? fromGridEngine(job, lines, impossible) : null
  const storage = storageOf(from, to, {...job, own: ownVariables(lines), nodes: job.now.nodes}, text)
  const inHome = new Map()
  for (const name of found.own) {
    const now = storage.environment(name)
    if (now.startsWith("$HOME/")) inHome.set(name, now)
  }
  const hardware = hardwareOf(from, to, job, lines, found.container)
  const follow = followed(job, lines)
  const rLibrary = withoutRLibrary(to, lines)
  const nested = nestedOf(from, to, job, lines, impossible)
  const containers = containersOf(from, to, lines, job.newAccount, bindings, impossible)
  const modules = modulesOf(from, to, job, lines, found, impossible)
  const accelerators = acceleratorsOf(to, job, lines, impossible)
  const kokkos = kokkosOf(job, lines)
  const mpiBuild = mpiBuildOf(from, to, lines, impossible)
  const launch =
    replaced && (inImage || !there.software.image || found.image)
      ? launcherOf(from, to, lines, found, !gpu)
      : line => line

  const reason = `This loads the software on ${to.name}. Create your own environment again there.`
  const all = lines.flatMap((line, at) => {
    const [gone, kept, ofConda] = [found.gone, found.kept, found.ofConda].map(each => each.has(at))
    const why = ofConda && found.conda === "programs" ? notConda(to) : gone || kept ? reason : ""
    const moves = line === "" && given[at] !== ""
    const text = gone || moves ? null : kept ? found.kept.get(at) : line
    const old = {
      text,
      from: given[at],
      line,
      done: ofConda,
      reason: moves ? "The line is joined with the one above." : why,
    }
    return at === found.at ? [...setup.map(text => ({text, from: null, reason})), old] : [old]
  })
  for (const each of all)
    if (each.from !== null && each.text !== null && !each.done) {
      change(each)
      const said = each.text === null || each.text.trimStart().startsWith("#") ? [] : [...left(each.text)]
      const ofSystem = said.some(each => typeof each === "object" && each.kind === "path") && SETUP.exec(each.text)
      if (ofSystem)
        edits(each)(
          null,
          ofSystem[1] || ofSystem[2]
            ? `This file sets up software of ${from.name}.`
            : `This directory has modules of ${from.name}.`,
        )
      else for (const one of said) impossible.add(one)
    }
  for (const [at, each] of all.entries())
    if (each.line !== undefined && each.line !== each.from && each.text === each.line)
      for (let next = at; next === at || all[next]?.line === ""; next++) all[next].text = all[next].from // nothing changed
  loadOnce(all)
  openFirst(to, all)
  const mpi = interfaceOf(from, to, job.now.total, all, impossible)
  for (const each of all) if (each.from !== null && each.text !== null) edits(each)(...mpi(each.text))
  keepBlocks(all)
  const [part = "none"] = /\$\w+/.exec(here.software.image ?? "") ?? [] // told with the container
  const toldImage = found.container || [...hardware.said].some(each => / a container for \w+ GPUs/.test(each))
  for (const each of impossible)
    if (each.kind === "path" ? toldImage && each.name.endsWith(".sif") : found.container && each.name === part)
      impossible.delete(each)
  for (const each of directives) {
    if (each.text && each.text === each.from) edits(each)(...hosts(each.text))
    if (moveDirective(to, each, storage.move, impossible)) for (const said of left(each.text)) impossible.add(said)
  }
  const comments = directives.map(each => each.text ?? "").filter(line => !/^#(?:!|SBATCH|\$)/.test(line))
  const script = {
    ...found,
    lines,
    comments,
    setup,
    same: storage.same,
    moved: path => inHome.get(path) ?? storage.move(path)[0],
  }
  for (const said of toCreate({from, to, job}, script)) impossible.add(said)
  const moved = spread(to, job, storage.prepare(all), impossible)
  openDocuments(moved, impossible)
  const [had, has] = [from, to].map(({advice}) => advice?.internet)
  const cure = "Download files before the job, and set programs to work offline."
  if (has === false && had !== false && lines.some(line => ONLINE.test(line)))
    impossible.add(`Compute nodes of ${to.name} have no internet. ${cure}`)
  if (has === undefined && had && lines.some(line => !/^\s*#/.test(line) && ONLINE.test(line)))
    impossible.add(
      `We do not know whether compute nodes of ${to.name} have internet. If not, ${cure[0].toLowerCase()}${cure.slice(1)}`,
    )
  for (const said of settingsFor(to, job, text)) impossible.add(said)
  for (const {from, text: now} of [...directives, ...moved]) if (from && now) follow.tell(from, now)
  for (const said of waitsOf(
    to,
    moved.map(({text}) => text ?? ""),
  ))
    impossible.add(said)
  for (const said of exported(lines.join("\n"), moved.map(({text}) => text ?? "").join("\n"))) impossible.add(said)
  const {python} = there.software
  const inVenv = end => python.replace(/python3$/, `${storage.move(found.venv)[0]}/bin/${end}`)
  for (const {text} of replaced && inImage ? moved : [])
    if (IN_ENVIRONMENT.test(text ?? "") && !/\$image|\b(?:apptainer|singularity)\b/.test(text)) {
      const [own] = /\b(?:deepspeed|ray start|vllm (?:serve|run-batch))\b/.exec(text) ?? []
      const before = found.venv
        ? `Directly before its name, write: ${inVenv("")}`
        : `Before the program, write: ${python.replace(/ python3$/, "")}`
      impossible.add(
        `\`${own ?? text.trim().slice(0, 60)}\` runs outside the container. ${own || !found.venv ? before : `In place of its Python, write: ${inVenv("python3")}`}`,
      )
    }
  const pip = replaced ? setup.find(line => line.startsWith("pip install")) : null
  const tools = pip ? [...lines.join("\n").matchAll(OF_PACKAGES)].map(([, name]) => name) : []
  for (const name of new Set(tools.filter(each => !pip.includes(each))))
    impossible.add(`\`${pip}\` does not install \`${name}\`. Add its package to the line.`)
  const now = found.inImage ? moved.map(({text}) => text ?? "") : []
  const begins = now.filter((_, at) => !now[at - 1]?.endsWith("\\"))
  const scripts = begins.flatMap(text => /^\s*(?:srun\s+(?:-\S+\s+)*)?([\w.-]+\.py)(?=\s|$)/.exec(text)?.[1] ?? [])
  // github.com/Lightning-AI/pytorch-lightning/issues/21404
  if (
    found.inImage &&
    /lightning|\btrainer\./i.test(text) &&
    /--signal=\w*USR\d|--requeue/.test(text) &&
    !/\btrap\b.*USR/.test(text)
  )
    impossible.add(
      "Lightning requeues the job with `scontrol`, which the container may lack. If it does, submit the next job yourself, with --dependency=afterany.",
    )
  const brought = name => now.flatMap(loadedBy).some(each => alike(base(each), name))
  for (const name of [...runBy(now).names, ...scripts].filter(each => !each.includes("$") && !brought(each)))
    impossible.add(
      `If \`${name}\` came with the environment, ${found.venv ? `install it in the new one. Directly before its name, write: ${inVenv("")}` : `set \`image\` to a container for ${job.amd ? "AMD" : "NVIDIA"} GPUs that has it. Before the program, write: ${python.replace(/ python3$/, "")}`}`,
    )
  const others = found.own.length > 0 || runBy(lines).files.length > 0
  const said = [...storage.files(others), ...hardware.said, ...follow.said(), ...impossible]
  return {lines: pair(moved), impossible: said, replaced: storage.replaced()}

  function change(each) {
    const edit = edits(each)
    edit(...hosts(each.text))
    if (each.text.startsWith("#")) return
    if (steps && /^export SRUN_CPUS/.test(each.text)) return edit(null, "The line moves up, before the first step.")
    const started = launch(each.text)
    const container = started === each.text
    edit(started, "This starts programs as the system requires.")
    if (each.text === null) return
    edit(plainVenv(from, to, each.text), `virtualenv may not be installed on ${to.name}. Python has venv.`)
    if (job.sameRun) edit(job.sameRun(each.text), "All jobs of the array share this directory.")
    if (variables) edit(...variables(each.text))
    if (each.text === null) return
    edit(withSrun(to, job.now.total, each.text), `${to.name} starts MPI programs with srun.`)
    edit(withoutCray(from, to, each.text), `${to.name} does not have HPE Cray's compilers.`)
    edit(...nested(each.text))
    edit(...modules(each.text))
    if (each.text === null) return
    edit(...accelerators(each.text))
    edit(...mpiBuild(each.text))
    const followed = follow.rewrite(each.text)
    edit(followed, followed ? "These numbers match the job's options." : "Slurm sets this variable to the job's GPUs.")
    if (each.text === null) return
    edit(...kokkos(each.text))
    edit(...hardware.threads(each.text))
    edit(...hardware.step(each.text))
    for (const [text, why] of hardware.edits(each.text, container)) edit(text, why)
    edit(withoutService(job, each.text), "This service is for NVIDIA GPUs only.")
    if (each.text.trimStart().startsWith("#")) return
    hardware.tell(each.text)
    edit(...containers(each.text))
    edit(...hardware.without(each.text))
    for (const [name, now] of each.text === null ? [] : inHome)
      edit(each.text.split(name).join(now), `On ${to.name}, environments are in your home.`)
    if (each.text !== null) edit(rLibrary(each.text), `R's packages on ${to.name} are in its conda environment.`)
    if (each.text !== null) edit(...storage.move(each.text))
    if (each.text !== null) edit(bindOnce(each.text), "The container binds each directory once.")
    for (const [old, now] of lines.some(line => /\brclone\s/.test(line)) ? there.remotes : []) {
      const remote = RegExp(`(?<=^|[\\s"'=])${old}(?=:[\\w$"'{/])`, "g")
      const renamed = each.text?.replace(remote, now) ?? null
      if (remote.test(each.text ?? ""))
        impossible.add(
          `Run ${createsKeys(to)} on ${to.name} before the job. It creates rclone's remote \`${now}\`. ${there.remotes[0][3]}`.trim(),
        )
      edit(renamed, `rclone's remote has this name on ${to.name}.`)
    }
    if (each.text !== each.from && /^\s*export (\w+)=["']?\$\{?\1\}?["']?\s*$/.test(each.text ?? ""))
      edit(null, `${to.name} sets the variable itself.`)
  }
}

/** Loads that go on on the next lines stand on their first one, so that all their names are read. */
function joined(lines) {
  const found = [...lines]
  for (const at of lines.keys())
    if (/^\s*(?:module\s+(?:load|add)|ml)\s[^#]*\\$/.test(found[at]))
      for (let next = at + 1; found[at].endsWith("\\") && next < lines.length; next++) {
        found[at] = `${found[at].replace(/\s*\\$/, "")} ${found[next].trim()}`
        found[next] = ""
      }
  return found
}

/** New lines load no module that the script's own lines above load, in whatever version. UPDATES the lines */
function loadOnce(found) {
  const loaded = new Set()
  for (const each of found) {
    const [, begin, names] = /^(\s*module load )([\w./+ -]+)$/.exec(each.text ?? "") ?? []
    const all = names?.split(" ") ?? []
    const missing = all.filter(name => !loaded.has(name.split("/")[0]))
    if (each.from === null && missing.length < all.length)
      each.text = missing.length ? `${begin}${missing.join(" ")}` : null
    for (const name of all) loaded.add(name.split("/")[0])
  }
}
