// The module that takes the place of one of the old system: what it is called there, and what is said of it.
import {insteadOfConda} from "./environment.js"
import {sameSoftware} from "./leftovers.js"
import {gib} from "./amounts.js"
import {AMD, CONDA, CONTAINER, CRAY, NVIDIA, TOOLCHAIN, alike, base, isCommon, publisher} from "./module_names.js"
import {mostOnNode, usualMemory} from "./nodes.js"
import {partition} from "./place.js"
import {hasCrayModules, isLicensed, needsOpenMpi, ofSystem} from "./module_names.js"

// What suits a program on GPUs only. The input is VASP's: https://vasp.at/wiki/Category:Parallelization
const FOR_GPUS = /^\s*(?:export\s+)?(MPICH_GPU_SUPPORT_ENABLED=1)/m
const INPUT = /(?<![\w$-])(KPAR|NCORE|NPAR|NSIM)\s*=\s*\d/g

/**
 * @param {System} from @param {System} to @param {any} job as job.js makes it @param {string[]} lines
 * @param {any} found as environment.js has it @param {Set<any>} impossible UPDATED
 */
export function successorsOf(from, to, job, lines, {conda, inImage}, impossible) {
  const there = to.move
  const same = sameSoftware(from, to)
  const {container_module: tool, cpu_only = [], gpu_only = [], own = [], collections = {}} = to.advice?.software ?? {}
  const other = job.kind === "cpu" ? gpu_only : cpu_only // of other nodes
  const containers = tool ?? [...there.modules, ...there.documented].find(name => CONTAINER.test(name)) // none: no module brings the program
  // Another center's own modules, which no search finds without this.
  const [tree = ""] = Object.values(there.applications).flatMap(
    ({cpu, gpu}) => /^module use \S+\/modulefiles && /.exec(cpu ?? gpu ?? "") ?? [],
  )

  /** Is it conda, where that is not used? The operator's Python takes its place only for a virtualenv. */
  function withoutConda(name) {
    if (!there.noConda || !CONDA.test(base(name))) return false
    if (!conda) impossible.add(insteadOfConda(to, "own"))
    return there.noConda !== true || conda === "programs"
  }

  function keyOf(name) {
    const bare = base(name).toLowerCase().replace(/^qe$/, "quantumespresso")
    return Object.keys(there.applications).find(
      key => bare.startsWith(`${key}-`) || alike(key, bare) || bare.replace(/-/g, "") === key.replace(/-/g, ""),
    )
  }

  /** The commands that load this application there. */
  function applicationOf(name) {
    const key = keyOf(name)
    if (otherGeneration(key, name)) return null
    const given = there.applications[key]?.[job.kind === "cpu" ? "cpu" : "gpu"] ?? null
    const line = job.kind === "cpu" ? (given?.replace(/ (?:cuda|cudnn)(?:\/\S+)?(?= |$)/g, "") ?? null) : given
    const version = name.split("/")[1]
    const all = there.versions[key]
    const same = version && all?.find(each => version === each || version.startsWith(`${each}-`))
    if (!line || !version || !all || line.includes(`${key}/${same}`)) return line
    const [loaded] = RegExp(`(?<=\\s)${key}/\\S+`).exec(line) ?? []
    const suffix = loaded && !all.includes(loaded.slice(key.length + 1)) // of a name, which the versions do not have
    if (!same)
      impossible.add(
        suffix
          ? `${to.name} has no ${name}. The new script loads ${loaded}, so check that this version suits you.`
          : `${to.name} has no ${name}, but ${all.map(each => `${key}/${each}`).join(", ")}.`,
      )
    else if (/module load .*module load /.test(line))
      impossible.add(`Run \`module spider ${key}/${same}\` on ${to.name} to see which modules to load first.`)
    return same ? line.replace(RegExp(`(?<=\\s${key}/)[^-\\s]+`), same) : line
  }

  /** The application's name there, if its number belongs to a different program from this version: AlphaFold 3, not 2. */
  function otherGeneration(key, name) {
    const called = there.applications[key]?.name ?? ""
    const [was, is] = [/^v?(\d+)\./.exec(name.split("/")[1] ?? ""), / (\d+)$/.exec(called)]
    return was && is && was[1] !== is[1] ? called : null
  }

  /** May it be there, although no page says so? */
  function likely(name) {
    const bare = base(name)
    const foreign = job.kind !== "cpu" && (job.amd ? NVIDIA : AMD).test(name)
    const cray = bare === "openmpi" && there.documented.some(each => /^PrgEnv-/.test(each))
    return isCommon(bare) && !cray && !foreign && !other.includes(bare) && !(there.noConda && CONDA.test(bare))
  }

  /** Does it belong to HPE Cray's programming environment, which is not there? */
  const ofCray = name => CRAY.test(name) && !hasCrayModules(to)

  /** What is said of a module that we do not find there. */
  function miss(name) {
    const app = job.kind === "cpu" ? null : there.applications[keyOf(name)]
    if (app?.name && !app.gpu) return impossible.add(onCpus(app))
    impossible.add(missing(name))
    if (ofSystem(name) || other.includes(base(name)) || needsOpenMpi(base(name))) return
    if (isLicensed(name))
      return impossible.add(
        `If ${to.name} has no such module, ask its support whether you can install the program with your license.`,
      )
    const {noConda} = there
    const image = "use a container that has it"
    const how = inImage
      ? ". If you use it from Python, install its package with pip into the container's environment."
      : noConda === true
        ? ` or ${image}.`
        : noConda
          ? `, for example as a conda package. ${noConda}`
          : `, for example with conda, or ${image}.`
    impossible.add(`If ${to.name} has no such module, install the program yourself${how}`)
  }
  /** A job without GPUs takes the place of this one. */
  function onCpus({name, cpu}) {
    const text = lines.join("\n")
    const open = there.partitions.filter(each => each.open && !each.trial)
    const cores = mostOnNode({...there, partitions: open}, {nodes: 1, per: 0, key: null}, null).cores.value
    const node = {key: null, nodes: 1, per: 0, cores, memory: null, minutes: job.minutes, whole: true}
    const room = partition({...there, partitions: open}, node)
    const memory = usualMemory(there)
    const settings = FOR_GPUS.exec(text)?.[1]
    const input = [...new Set([...text.matchAll(INPUT)].map(([, each]) => `\`${each}\``))]
    const gpus = job.old.nodes * job.old.per
    const words = [
      cpu
        ? `We know only builds of ${name} for CPUs on ${to.name}. Unless you have one for GPUs,`
        : `No version of ${name} runs on the GPUs of ${to.name}, so`,
      `submit a CPU-only job: remove its options for GPUs${settings ? ` and \`${settings}\`` : ""}${there.partition === "required" ? `, choose a partition for CPUs${room ? ` such as \`${room.name}\`` : ""}` : ""}, and start one process per core.`,
      ...(cpu ? [`Load it with \`${cpu}\`.`] : []),
      ...(cores && memory < Infinity && there.memory.cpu !== "leave out"
        ? [`The usual CPU node has ${cores} cores and ${gib(memory)} of memory, so lower \`--mem\` if it is more.`]
        : []),
      `One CPU node usually needs much longer than ${gpus > 1 ? `${gpus} GPUs` : "a GPU"}, so request more nodes or time, and save the program's state before the time limit.`,
      ...(input.length
        ? [
            `The input's ${input.join(", ")} ${input.length > 1 ? "suit GPUs, so choose them" : "suits GPUs, so choose it"} again.`,
          ]
        : []),
    ]
    return {kind: cpu ? "" : "onCpus", text: words.join(" ")}
  }
  function missing(name) {
    if (ofCray(name))
      return `Modules such as cray-*, cpe* and PrgEnv-* belong to HPE Cray's programming environment, which ${to.name} does not have. Load ${to.name}'s compiler, MPI and libraries instead, and rebuild your programs with them.`
    if (other.includes(base(name)))
      return `On ${to.name}, ${base(name)} works only on nodes of a different kind than this job's.`
    const called = otherGeneration(base(name).toLowerCase(), name)
    if (called)
      return `We know only ${called} on ${to.name}, which is a different program from ${name}. Search with module spider ${base(name)}.`
    const kin = /^PrgEnv-/.test(name) && there.documented.filter(each => /^PrgEnv-/.test(each))
    if (likely(name))
      return `We know no module ${base(name)} on ${to.name}, but the new script loads it${name.includes("/") ? " without a version" : ""}. Check the name with module spider ${base(name)}.`
    return kin?.length
      ? `${to.name} has no ${name}, but ${[...new Set(kin)].join(", ")}. Rebuild your programs with one of these.`
      : `We know no module ${name} on ${to.name}. Search with ${tree.includes(`/${from.move.centre.toLowerCase()}/`) && !TOOLCHAIN.test(name) ? tree : ""}module spider ${base(name)}.`
  }

  /** What is different in the one there, and what its operator notes of it. */
  function tell(old, now) {
    const [was, is] = [publisher(old), publisher(now)]
    if (was && is && was !== is)
      impossible.add(
        `${old} is a release of ${was}, and ${now} one of ${is}. Their solvers and input files differ, so test your case, or ask for the other one.`,
      )
    const note = now && there.notes.find(each => each.startsWith(`\`${base(now)}\``))
    if (note) impossible.add(`On ${to.name}: ${note}`)
  }

  /** What programs for another maker's GPUs load, and those for this one's. */
  function ofMaker(name) {
    const [theirs, mine] = job.amd ? [NVIDIA, AMD] : [AMD, NVIDIA]
    if (job.kind === "cpu" || !theirs.test(name)) return null
    const known = [...there.documented, ...there.modules].filter(each => mine.test(each)).join(" ")
    return known || (!job.amd && there.versions.cuda ? versionOf("cuda") : null)
  }

  /** The module there that has this one's place; null where we know none. */
  function successorOf(name) {
    const bare = base(name)
    const counterpart = ofMaker(name)
    if (counterpart) return counterpart
    const like = old => old === name || alike(old, bare)
    const renamed = there.renamed.find(([old]) => old === name) ?? there.renamed.find(([old]) => like(old))
    if (renamed?.[2]) return renamed[0] // the check of the new script tells of it
    if (other.includes(bare)) return null
    if (there.noConda && CONDA.test(bare))
      return [...(to.advice?.software?.load_first ?? []), there.modules.find(each => base(each) === "python")].join(" ")
    if (containers && CONTAINER.test(bare)) return containers
    const version = versionOf(name)
    if (version) return version
    const known = [...there.modules, ...(tool ? [tool] : []), ...there.noted, ...own, ...gpu_only, ...cpu_only]
    const found =
      known.find(each => base(each) === (renamed ? base(renamed[1]) : bare)) ??
      there.documented.find(each => publisher(name) === "openfoam.org" && each === "openfoam-org") ??
      there.documented.find(each => base(each) === bare) ??
      [...known, ...there.documented].find(each => like(base(each)))
    const inside = Object.entries(collections).flatMap(([opener, names]) =>
      names.filter(each => alike(each, bare)).map(each => `${opener} ${each}`),
    )
    return found ?? renamed?.[1] ?? inside[0] ?? null
  }

  /** Where all versions of a module are known there: this one, or the next. */
  function versionOf(name) {
    const [own, version] = name.split("/")
    const bare = Object.keys(there.versions).find(each => alike(each, own)) ?? own
    const all = there.versions[bare]
    if (!all || (same && !version)) return null
    if (!version) return `${bare}/${all.at(-1)}`
    const is = all.find(each => `${version}.`.startsWith(`${each}.`) || each.startsWith(`${version}.`))
    if (is) return same || (is.startsWith(version) && bare === own) ? name : `${bare}/${is}`
    const number = text => text.split(".").reduce((sum, part, at) => sum + Number(part) / 1000 ** at, 0)
    const next = all.find(each => number(each) > number(version)) ?? all.at(-1)
    impossible.add(`${to.name} has no ${name}, but ${all.map(each => `${bare}/${each}`).join(", ")}.`)
    return `${bare}/${next}`
  }

  return {applicationOf, containers, likely, miss, ofCray, ofMaker, successorOf, tell, versionOf, withoutConda}
}
