// The commands of a script that moves: software, what starts a program, paths, numbers of GPUs.
import {quoted} from "./amounts.js"
import {containersOf} from "./containers.js"
import {IN_CONDA, environmentOf, insteadOfConda, launcherOf, notConda} from "./environment.js"
import {followed} from "./follow.js"
import {fromGridEngine} from "./grid_engine.js"
import {hardwareOf} from "./hardware.js"
import {hostsOf, leftoversOf, own as ownVariables} from "./leftovers.js"
import {rebuilt} from "./packages.js"
import {modulesOf} from "./modules.js"
import {storageOf} from "./storage.js"
import {nestedOf} from "./submissions.js"
import {runBy} from "./unknown.js"

const TORCHRUN = /torchrun|torch\.distributed\.(?:run|launch)/
const edits = each => (text, reason) => {
  if (text === each.text) return
  each.text = text
  each.reason = [each.reason, reason].filter(Boolean).join(" ")
}

const PATHS = /^#SBATCH\s.*?(?:--(?:output|error|input|chdir)|(?<=\s)-[oeiD])[= ]*\S*\//
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
  const hosts = hostsOf(from, to, job.kind !== "cpu")
  let nested, storage, hardware, modules, variables, containers, follow

  return (lines, directives) => {
    const reason = `This loads the software on ${to.name}. Create your own environment again there.`
    const purged = lines.some(line => /^\s*module (?:--force )?purge\b/.test(line)) // and what comes then may stay
    const setup = there.software.setup[job.kind]
      .filter(line => line !== "module purge" || !purged)
      .map(line => put(line, there.account.sample, job.newAccount))
    const left = leftoversOf(from, to, lines, job)
    const launches = job.old.tasks * job.old.nodes > 1 // its slots are processes
    const terse = lines.some(line => /\bqsub\b.*\s-terse\b/.test(line))
    if (from.kind === "grid_engine")
      variables = fromGridEngine({launches, terse, array: Boolean(job.array)}, impossible)
    const steps = setup.some(line => line.startsWith("export SRUN"))
    const found = environmentOf(from, to, plain, lines, job.old.nodes === 1 && job.now.nodes > 1, job.kind !== "cpu")
    const replaced = found.gone.size > 0
    const text = [...directives.map(each => each.from ?? ""), ...lines].join("\n")
    storage = storageOf(from, to, {...job, own: ownVariables(lines), nodes: job.now.nodes}, text)
    hardware = hardwareOf(from, to, job, lines)
    follow = followed(job, lines)
    nested = nestedOf(to, job, lines)
    const bindings = replaced && setup.some(line => line.includes("bindings"))
    containers = containersOf(from, to, lines, job.newAccount, bindings, impossible)
    modules = modulesOf(from, to, {...job, container: found.container}, lines, found, impossible)
    const launch = replaced ? launcherOf(from, to, lines, found, job.kind === "cpu") : line => line
    const all = lines.flatMap((line, at) => [
      ...(at === found.at ? setup.map(text => ({text, from: null, reason})) : []),
      {
        text: found.gone.has(at) ? null : found.kept.has(at) ? found.kept.get(at) : line,
        from: line,
        done: found.ofConda.has(at),
        reason:
          found.conda === "programs" && found.ofConda.has(at)
            ? notConda(to)
            : found.gone.has(at) || found.kept.has(at)
              ? reason
              : "",
      },
    ])
    for (const each of all)
      if (each.from !== null && each.text !== null && !each.done) {
        change(each, replaced && steps, launch)
        if (each.text !== null && !each.text.trimStart().startsWith("#"))
          for (const said of left(each.text)) impossible.add(said)
      }
    loadOnce(all)
    const [part = "none"] = /\$\w+/.exec(here.software.image ?? "") ?? [] // told with the container
    for (const said of found.container ? impossible : [])
      if (/^`\S+\.sif` is a path on/.test(said) || said.startsWith(`\`${part}\` is not set`)) impossible.delete(said)
    for (const each of directives) if (each.text && each.text === each.from) edits(each)(...hosts(each.text))
    for (const each of directives) if (PATHS.test(each.text ?? "")) place(each, left)
    environments(
      found,
      setup,
      [...directives.map(each => each.text ?? "").filter(line => !/^#(?:!|SBATCH|\$)/.test(line)), ...lines],
      lines,
    )
    const moved = spread(storage.make(storage.parents(storage.copies(storage.writable(all)))))
    const online = to.advice?.internet === false && from.advice?.internet !== false
    if (
      online &&
      /\b(?:HF_HOME=|wandb|wget|curl|git clone|huggingface|hf download|from_pretrained|https?:\/\/)/.test(
        lines.join("\n"),
      )
    )
      impossible.add(
        `Compute nodes of ${to.name} have no internet. Download files before the job, and set programs to work offline.`,
      )
    for (const {from, text: now} of [...directives, ...moved]) if (from && now) follow.tell(from, now)
    const {image, python} = there.software
    for (const {text} of replaced && image ? moved : [])
      if (
        /^[^#]*\b(?:python3?|torchrun|pip3?)\s+\S/.test(text ?? "") &&
        !/\$image|\b(?:apptainer|singularity)\b/.test(text)
      )
        impossible.add(
          `\`${text.trim().slice(0, 60)}\` runs outside the container. Before the program, write: ${python.replace(/ python3$/, "")}`,
        )
    const others = found.own.length > 0 || runBy(lines).files.length > 0
    const said = [...storage.files(others), ...hardware.said, ...follow.said(), ...impossible]
    return {lines: pair(moved), impossible: said}
  }

  /** What the reader has to create there. */
  function environments({gone, own, packages, created, conda, ofConda, container}, setup, lines, commands) {
    if (conda) impossible.add(insteadOfConda(to, conda, own))
    const noConda = conda || [...gone].some(at => IN_CONDA.test(commands[at]))
    const lost = [
      ...(noConda ? ["\\$\\{?CONDA_\\w+\\}?", "\\bconda\\s+(?:info|list|run|install|env)\\b"] : []),
      ...(gone.size && there.software.image && job.kind !== "cpu" ? ["\\$\\{?VIRTUAL_ENV\\b\\}?"] : []),
    ].join("|")
    for (const [at, line] of lost ? commands.entries() : []) {
      const [name] = RegExp(lost).exec(line) ?? []
      if (!name || gone.has(at) || ofConda.has(at) || /^\s*#/.test(line)) continue
      const cure = /cuda_data_dir|CUDA_(?:HOME|PATH)/.test(line)
        ? "Load the module cuda, and write $CUDA_HOME instead"
        : "Write what takes its place, or remove the line"
      impossible.add(`${quoted(line)}: the new software has no \`${name}\`. ${cure}.`)
    }
    const same = storage.sameFiles()
    if (container)
      impossible.add(
        `\`${container.trim().slice(0, 60)}\` starts ${from.name}'s container. Build or find a similar one for ${to.name}, and replace the path.`,
      )
    const path = setup.find(line => line.startsWith("export PATH="))
    const needs = packages.length ? ` It needs ${packages.join(", ")}.` : ""
    if (gone.size && path) impossible.add(`First create the environment that \`${path}\` names.${needs}`)
    else if (created && packages.length)
      impossible.add(`Make sure that the software there has ${packages.join(", ")}, or create your own environment.`)
    if (from.move.centre !== there.centre && lines.some(line => line.includes("+computecanada")))
      impossible.add(
        `Versions of packages that end in \`+computecanada\` exist only on ${from.name} and similar systems. Remove this ending.`,
      )
    if (gone.size && job.amd && !Object.values(there.gpus)[0].model.startsWith("AMD"))
      impossible.add(
        `The software that the script loads on ${to.name} is for its other GPUs. Find a build for ${job.gpu}.`,
      )
    const python = {...job, same, own: conda === "programs" ? [] : own, kept: gone.size === 0}
    for (const said of rebuilt(from, to, python, lines)) impossible.add(said)
  }

  /** A directory to start in that is not in /home, where that system takes no jobs from there. */
  function outOfHome(line) {
    const scratch = there.places.find(([kind]) => kind === "Data for running jobs")?.[1]
    if (!there.noHome || !scratch?.startsWith("/") || !/\s(?:--chdir|-D)/.test(line)) return line
    const links = "(?!/(?:links/)?(?:projects?|scratch|nearline)/)"
    const now = line.replace(RegExp(`(?<=[= ])/home/([\\w%.-]+)(?![\\w%.-])${links}`, "g"), (_, user) =>
      scratch.replace("$USER", user),
    )
    if (now !== line)
      impossible.add(
        `${to.name} rejects jobs from /home, so \`${line}\` becomes \`${now}\`. Copy the files that the job reads to that directory.`,
      )
    return now
  }

  /** The paths of a directive, in which no shell puts values. */
  function place(each, left) {
    const [text, why] = storage.move(each.text, true),
      own = text.replaceAll("$USER", "%u"),
      now = outOfHome(own),
      away = now === own ? "" : `${to.name} rejects jobs from /home.`
    if (now.includes("%u") && !each.text.includes("%u") && /\s(?:--chdir|-D)/.test(now))
      impossible.add(`\`${each.text}\` cannot expand user names. Write your own directory there.`)
    else if (now !== each.text) {
      each.text = now
      each.reason = [each.reason, why, away].filter(Boolean).join(" ")
    }
    for (const said of left(each.text)) impossible.add(said)
  }

  function change(each, steps, launch) {
    const edit = edits(each)
    edit(...hosts(each.text))
    if (each.text.startsWith("#")) return
    if (steps && /^export SRUN_CPUS/.test(each.text)) return edit(null, "The line moves up, before the first step.")
    const started = launch(each.text)
    const container = started === each.text
    edit(started, "This starts programs as the system requires.")
    if (each.text === null) return
    if (job.sameRun) edit(job.sameRun(each.text), "All jobs of the array share this directory.")
    if (variables) edit(...variables(each.text))
    edit(...nested(each.text))
    edit(...modules(each.text))
    if (each.text === null) return
    edit(follow.rewrite(each.text), "These numbers match the job's options.")
    edit(...hardware.threads(each.text))
    edit(...hardware.step(each.text))
    hardware.tell(each.text)
    for (const [text, why] of hardware.edits(each.text, container)) edit(text, why)
    edit(...containers(each.text))
    edit(...hardware.without(each.text))
    if (each.text !== null) edit(...storage.move(each.text))
  }

  /** A program that torchrun starts on one node, now on several. */
  function spread(found) {
    if (job.kind === "cpu" || job.now.nodes === 1 || job.old.nodes > 1) return found
    const starts = at => (at > 0 && found[at - 1].text?.endsWith("\\") ? starts(at - 1) : at)
    const isStart = ({text}, at) => text?.includes("--standalone") && TORCHRUN.test(found[starts(at)].text)
    const at = found.findIndex(isStart)
    const reason = `The job now has ${job.now.nodes} nodes, so the processes must connect to each other.`
    if (at < 0) {
      impossible.add(
        `On ${to.name}, ${job.now.nodes * job.now.per} GPUs are spread over ${job.now.nodes} nodes, so the program must support multiple nodes. Otherwise, use the GPUs of one node.`,
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

/** Lines that go, beside those that come in their place. */
function pair(all) {
  const lines = []
  const found = all.filter(({text, from}) => text !== null || from !== null)
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
      if (come[i] && gone[i] && come[i].reason !== gone[i].reason) lines.push(gone[i], come[i])
      else lines.push({text: come[i]?.text ?? null, from: gone[i]?.from ?? null, reason: (come[i] ?? gone[i]).reason})
  }
  return lines
}

const put = (line, sample, account) => (sample && account ? line.split(sample).join(account) : line)
