// The software that the reader of a moved script creates there: environments, packages, containers.
import {onlyWithMpi} from "./mpi_build.js"
import {entryOf, startedBy} from "../advice/runs.js"
import {base} from "../script/payload.js"
import {shellOf} from "../script/script.js"
import {quoted} from "./amounts.js"
import {PACKAGE} from "./hardware.js"
import {IN_CONDA, insteadOfConda} from "./environment.js"
import {inContainer, ready, sameSoftware} from "./leftovers.js"
import {rebuilt} from "./packages.js"

/**
 * @param {any} move {from, to, job}: the two systems, and the job as job.js makes it
 * @param {any} script as environment.js has it, with `lines` below the directives, `comments` above these, `setup`: what loads the
 *   software there, `same`: are the old files there? `moved`: a path there @returns {Generator<Entry | string>}
 */
export function* toCreate({from, to, job}, {lines, comments, setup, same, moved, ...found}) {
  const {gone, own, packages, created, conda, ofConda, container, inImage, venv} = found
  const all = [...comments, ...lines]
  if (conda) yield insteadOfConda(to, conda, own)
  const noConda = conda || [...gone].some(at => IN_CONDA.test(lines[at]))
  const lost = [
    ...(noConda ? ["\\$\\{?CONDA_\\w+\\}?", "\\bconda\\s+(?:info|list|run|install|env)\\b"] : []),
    ...(inImage ? ["\\$\\{?VIRTUAL_ENV\\b\\}?"] : []),
  ].join("|")
  for (const [at, line] of lost ? lines.entries() : []) {
    const [name] = RegExp(lost).exec(line) ?? []
    if (!name || gone.has(at) || ofConda.has(at) || /^\s*#/.test(line)) continue
    const cure = /cuda_data_dir|CUDA_(?:HOME|PATH)/.test(line)
      ? "Load the module cuda, and write $CUDA_HOME instead"
      : "Write what takes its place, or remove the line"
    yield `${quoted(line)}: the new software has no \`${name}\`. ${cure}.`
  }
  const [part] = /\$\w+/.exec(from.move.software.image ?? "") ?? []
  if (container)
    yield `\`${container.trim().slice(0, 60)}\` starts ${from.name}'s container. Build or find a similar one for ${to.name}, and replace the path${part ? `, because only ${from.name} sets \`${part}\`` : ""}${ready(to, all)}.`
  const path = setup.find(line => line.startsWith("export PATH="))
  const needs = packages.length ? ` It needs ${packages.join(", ")}.` : ""
  const has = inImage ? to.move.software.packages : []
  const torch = inImage ? packages.filter(each => /^torch(?![\w-])/.test(each)) : [] // another one would replace the container's
  const lacking = packages.filter(each => !torch.includes(each) && !has.some(name => PACKAGE(name).test(each)))
  const {noConda: how} = to.move
  if (gone.size && path)
    yield `First create the environment that \`${path}\` names.${needs}${typeof how === "string" ? ` ${how}` : ""}`
  else if (created && lacking.length)
    yield `Run \`pip list\` with the software that the new script loads on ${to.name}. If it lacks ${lacking.join(", ")}, install what it lacks into your own environment${inImage && inContainer(to) ? `, made with the container's Python: ${inContainer(to)}` : ""}.`
  if (from.move.centre !== to.move.centre && all.some(line => line.includes("+computecanada")))
    yield `Versions of packages that end in \`+computecanada\` exist only on ${from.name} and similar systems. Remove this ending.`
  if (gone.size && job.amd && !Object.values(to.move.gpus)[0].model.startsWith("AMD"))
    yield `The software that the script loads on ${to.name} is for its other GPUs. Find a build for ${job.gpu}.`
  const nvidia = job.amd && job.kind !== "cpu" && job.oldVendor !== "AMD" && own.length && !inImage && !conda
  const code = lines.join("\n")
  if (conda === "own" && job.amd && job.kind !== "cpu" && job.oldVendor !== "AMD" && inContainer(to))
    yield `If the environment has PyTorch, create it with ${to.name}'s container instead, because conda and pip install PyTorch for NVIDIA GPUs: ${inContainer(to)}.`
  if (
    nvidia &&
    inContainer(to) &&
    /torch|lightning/i.test(code) &&
    !/--no-index\b|\b(?:apptainer|singularity)\s/.test(code.replace(/#.*/g, ""))
  )
    yield `PyTorch for AMD GPUs is in ${to.name}'s container. Create the environment with its Python: ${inContainer(to)}.`
  for (const [opener, names] of nvidia ? Object.entries(to.advice?.software?.collections ?? {}) : [])
    for (const name of names.filter(each => /^(?:jax|tensorflow)$/.test(each) && RegExp(each, "i").test(code)))
      yield `Python for AMD GPUs with ${name} is in ${to.name}'s module \`${name}\`. Write \`module load ${opener} ${name}\` in place of the modules for Python and GPUs, and create the environment with it: \`python3 -m venv --system-site-packages DIRECTORY\`.`
  const runs = shellOf(lines).commands.flatMap(each => startedBy(each, word => word))
  const known = runs.map(({words}) => ({words, entry: entryOf(words)}))
  const file = words => base(words.find(word => !/^python[\d.]*$/.test(word)) ?? "").replace(/"$/, "")
  for (const {words, entry} of sameSoftware(from, to) ? [] : known) {
    const {name, program = ""} =
      Object.values(to.move.applications).find(each => each.entries?.includes(entry?.name)) ?? {}
    const [own, there] = [file(words), file(program.split(" "))]
    const parallel = own === `${there}_mpi` && job.now.total > 1 // another build, of several processes
    const edited = own === "gmx" && onlyWithMpi(from, to, lines)
    if (there && !edited && own !== there && !parallel && !/\.(?:cuda|hip)$/.test(own))
      // those are edited
      yield `On ${to.name}, ${name} starts with \`${program}\`. Write this if \`${own}\` is not found.`
  }
  const large =
    same || lines.some(line => line.includes("/cvmfs/")) ? undefined : known.find(({entry}) => entry?.data)?.entry
  if (large)
    yield `${large.name} needs ${large.data}. Before you copy or download them, search for a copy on ${to.name}, and check the quota.`
  const python = {
    ...job,
    same,
    moved,
    conda,
    venv,
    inImage,
    own: conda === "programs" ? [] : own,
    kept: gone.size === 0,
  }
  yield* rebuilt(from, to, python, all)
}
