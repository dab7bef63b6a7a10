// The modules that a moved script loads: each by its name there, what must come first, and what is too old.
import {CONDA, insteadOfConda, notConda} from "./environment.js"
import {escaped, sameSoftware} from "./leftovers.js"
import {oldStack} from "./packages.js"

const LOADS =
  /^(\s*(?:module\s+(?:-q\s+)?(?:load|add|swap|switch)|ml(?!\s+(?:-|purge|use|load|av|spider|list|show|restore|reset|unload|swap)))\s+(?:load\s+)?)([\w./+ -]+?)(\s*(?:#.*)?|\s*(?:\|\||&&|;).*)$/

// Compilers and MPI, which the lines of an application load themselves.
const TOOLCHAIN =
  /^(?:gcc|gnu|intel[\w-]*|imkl|mkl|openmpi|intelmpi|impi|mpich|mvapich2?|cray-\w+|cpe\w*|PrgEnv-\w+|cuda|nvhpc|aocc|fftw|goolf\w*|foss|rocm|craype[\w-]*)(?:\/|$)/
// What makes the modules of one system visible: others have nothing like it.
const STACK = /^(?:StdEnv|nixpkgs|LUMI|partition|CrayEnv|EasyBuild-\w+|\.unsupported|slurm|user)(?:\/|$)/
const AMD = /^(?:rocm|amdgpu|craype-accel-amd-\w+)(?:\/|$)/
const NVIDIA = /^(?:cuda|cudatoolkit|cuda-toolkit|nvhpc(?:-\w+)*|cudnn|nccl|craype-accel-nvidia\w+)(?:\/|$)/
const CRAY = /^(?:cray-|cpe|PrgEnv-|craype|perftools)/ // of HPE Cray's programming environment
const PROCESSORS = /^craype-(?:x86|arm)-\w+/ // for which the compilers build
const CONTAINER = /^(?:apptainer|singularity)(?:\/|$)/
// What many centers have, so that a line for it stays where we know nothing of it.
const COMMON =
  /^(?:nextflow|snakemake|apptainer|singularity|hyperqueue|parallel|julia|matlab|octave|perl|java|jdk|go|rust|nodejs|git|cmake|gcc|openmpi|cuda|python|gromacs|lammps|openfoam|elmer(?:fem)?|orca|cp2k|quantum-?espresso|qe|namd|vasp|gaussian|nwchem|amber|abinit|siesta|wrf|plumed|ansys|abaqus|comsol|starccm\+?|paraview|blender|(?:ana|mini)conda\d?|miniforge\d?|mamba|conda|hdf5|netcdf(?:-fortran)?|fftw|gsl|boost|eigen|gdal|proj|geos|cdo|nco|ffmpeg|samtools|bcftools|bedtools|bwa|bowtie2?|blast\+?|star|hisat2|minimap2|salmon|kallisto|fastqc|trimmomatic|picard|gatk|plink2?|hmmer|mafft|freesurfer|fsl|ants|gnuplot|texlive)$/i
// One program's modules, as centers name them.
const NAMES = [
  ["elmer", "elmerfem"],
  ["gcc", "gnu", "PrgEnv-gnu"],
  ["netcdf", "netcdf-c", "cray-netcdf"],
  ["netcdf-fortran", "cray-netcdf"],
  ["hdf5", "cray-hdf5"],
  ["hdf5-mpi", "hdf5-parallel", "cray-hdf5-parallel"],
  ["fftw", "cray-fftw"],
  ["blast", "blast+"],
  ["java", "jdk", "openjdk"],
  ["python", "cray-python"],
  ["mkl", "imkl", "intel-oneapi-mkl"],
  ["intelmpi", "impi", "intel-mpi", "intel-oneapi-mpi"],
  ["intel", "intel-compilers", "intel-oneapi-compilers"],
]
const base = name => name.split("/")[0]
/** Does the environment, whose place its new setup takes, come after the first modules? @param {string[]} lines */
const lateSetup = lines => {
  const [environment, loads] = [/^\s*(?:virtualenv|source \S*activate|conda|pip)\b/, LOADS].map(each =>
    lines.findIndex(line => each.test(line)),
  )
  return loads >= 0 && loads < environment
}
/** Do both names stand for one program? */
const alike = (one, other) =>
  one.toLowerCase() === other.toLowerCase() ||
  NAMES.some(names => names.includes(one) && names.includes(other)) ||
  (CONDA.test(one) && CONDA.test(other))
// Names under which different programs are published: [name, by its version the publisher].
/** @type {[string, RegExp, string][]} */
const PUBLISHERS = [
  ["openfoam", /^v?\d{4}\b/, "openfoam.com"],
  ["openfoam", /^\d{1,2}(?![\d.]*\d{3})/, "openfoam.org"],
]
const publisher = module => {
  const [name, version = ""] = module.toLowerCase().split("/")
  return PUBLISHERS.find(([each, sign]) => each === name && sign.test(version))?.[2]
}
/** Does a line load this module, in any of the ways? */
export const loadsModule = (line, name) =>
  LOADS.exec(line ?? "")?.[2]
    .split(/\s+/)
    .some(each => base(each) === name)

/** Does a line load a module with programs, not only a compiler, MPI or what opens others? */
export const loadsPrograms = line =>
  (LOADS.exec(line)?.[2].split(/\s+/) ?? []).some(name =>
    [TOOLCHAIN, STACK, CONTAINER, /^(?:python|cmake)(?:\/|$)/].every(each => !each.test(name)),
  )

/**
 * @param {System} from @param {System} to @param {any} job as move.js makes it @param {string[]} lines
 * @param {any} found as environment.js has it; modules: names that the software's setup there loads @param {Set<string>} impossible UPDATED
 * @returns {(line: string) => [string | null, string]} a line there, and why; null: it goes
 */
export function modulesOf(from, to, job, lines, {modules: brought, conda, gone: replaced}, impossible) {
  const there = to.move
  const same = sameSoftware(from, to)
  const loads = line => LOADS.exec(line)?.[2].split(/\s+/) ?? []
  const ready = lines.some(line => loads(line).some(name => /module load/.test(applicationOf(name) ?? ""))) // its commands load compilers and MPI
  const {container_module: tool, cpu_only = [], gpu_only = [], own = [], collections = {}} = to.advice?.software ?? {}
  const other = job.kind === "cpu" ? gpu_only : cpu_only // of other nodes
  const openers = [
    ...(from.advice?.software?.load_first ?? []),
    ...Object.keys(from.advice?.software?.collections ?? {}),
  ]
  const containers = tool ?? [...there.modules, ...there.documented].find(name => CONTAINER.test(name)) // none: no module brings the program
  const withoutCray = `Modules such as cray-*, cpe* and PrgEnv-* belong to HPE Cray's programming environment, which ${to.name} does not have. Load ${to.name}'s compiler, MPI and libraries instead, and rebuild your programs with them.`
  const noCray = ![...there.documented, ...there.modules].some(name => CRAY.test(name))
  const inImage = Boolean(replaced.size && there.software.image && job.kind !== "cpu")
  // Another center's own modules, which no search finds without this.
  const [tree = ""] = Object.values(there.applications).flatMap(
    ({cpu, gpu}) => /^module use \S+\/modulefiles && /.exec(cpu ?? gpu ?? "") ?? [],
  )
  let standardOld = false,
    opened = brought.length > 0 && /StdEnv/.test(there.software.setup[job.kind].join(" ")) && !lateSetup(lines)

  /** @returns {[string | null, string]} */
  function change(line) {
    const parts = LOADS.exec(line)
    if (!parts) return [line, ""]
    if (same && !job.anew) return familyModules(line, parts)
    const instead = /\b(?:swap|switch)\s/.test(parts[1]) // the second name takes the place of the first
    const names = parts[2]
      .split(/\s+/)
      .filter(Boolean)
      .slice(instead ? -1 : 0)
    parts[1] = parts[1].replace(/(?:swap|switch)(\s+)$/, "load$1")
    const application = names.map(applicationOf).find(Boolean)
    const wanted = names.filter(
      name =>
        !brought.includes(base(name)) &&
        !applicationOf(name) &&
        !STACK.test(name) &&
        !openers.includes(name) &&
        !PROCESSORS.test(name) &&
        !withoutConda(name) &&
        !(inImage && (ofMaker(name) || (job.amd ? AMD : NVIDIA).test(name))) && // the container has its own
        !(ready && TOOLCHAIN.test(name)) &&
        (containers || !there.containers || !CONTAINER.test(name)),
    )
    const now = wanted.map(name => successorOf(name))
    const lost = wanted.filter((_, i) => !now[i])
    const maybe = lost.filter(likely)
    const none = lost.filter(name => !maybe.includes(name))
    const ofCray = noCray ? lost.filter(name => CRAY.test(name)) : []
    for (const name of lost) impossible.add(ofCray.includes(name) ? withoutCray : missing(name))
    for (const [i, name] of wanted.entries()) tell(name, now[i] ?? "")
    if (application) tell(names.find(applicationOf), /\S+$/.exec(application)[0])
    if (application?.startsWith("export PATH="))
      impossible.add(
        `On ${to.name}, R comes from your own conda environment. Create it once, with your packages: ${there.rOnce}.`,
      )
    const first = now.flatMap(each => (each === "cray-netcdf" ? ["cray-hdf5", each] : (each ?? []))) // which it needs
    const known = [...new Set(first)].join(" ")
    const kept = [known, ...(application ? [`${known && "&& "}${application}`] : [])].filter(Boolean).join(" ")
    if (application && !known) parts[1] = /^\s*/.exec(parts[1])[0]
    // Each on a command of its own, because module loads nothing if it does not know one of its names.
    const unknown = [...new Set(maybe.map(base))].join("; module load ")
    const load = kept && unknown ? `${parts[1]}${kept}; module load ${unknown}` : `${parts[1]}${kept || unknown}`
    const rest = /^\s*&&|^\s*;/.test(parts[3]) ? parts[3].replace(/^\s*(?:&&|;)\s*/, "") : ""
    if (!kept && !lost.length) {
      const toolchain = ready && names.every(name => TOOLCHAIN.test(name) || STACK.test(name))
      const other = toolchain && names.some(name => TOOLCHAIN.test(name))
      return [
        rest || null,
        other
          ? "The line that loads the application loads these, too."
          : conda === "programs" && names.some(name => CONDA.test(base(name)))
            ? notConda(to)
            : `This line is not needed on ${to.name}.`,
      ]
    }
    const theirs = job.container ? names.filter(name => brought.includes(base(name)) && !applicationOf(name)) : []

    const note = none.length ? `# module load ${none.join(" ")}` : ""
    const why = theirs.length
      ? `${theirs.join(" and ")} loaded ${from.name}'s software, so the new script does not load it.${note && " Search for the others."}`
      : ofCray.length && ofCray.length === none.length
        ? `${to.name} does not have HPE Cray's programming environment.`
        : note
          ? `We do not know all of these modules on ${to.name}. Search for them, and write their names.`
          : unknown
            ? `We do not know ${unknown.split("; module load ").join(", ")} on ${to.name}, so check that there.`
            : application
              ? names.some(name => /\/\d/.test(name) && RegExp(`${escaped(name)}(?![\\w.])`).test(application))
                ? `This loads the same version on ${to.name}.`
                : `This loads the software on ${to.name}, perhaps in another version.`
              : wanted.some(ofMaker)
                ? `These modules are for the GPUs of ${to.name}.`
                : there.noConda && wanted.some(name => CONDA.test(base(name)))
                  ? `Python's module takes the place of conda on ${to.name}.`
                  : wanted.some((name, i) => name.includes("/") && !now[i]?.includes("/"))
                    ? `This is the module's name on ${to.name}, perhaps in another version.`
                    : `This is the module's name on ${to.name}.`
    const some = kept || unknown
    if (!some && none.some(name => rest.split(/\s/)[0] === base(name))) return [`# ${line.trim()}`, why] // its own command
    if (rest) return [some ? `${load}${parts[3]}${note && `  ${note}`}` : `${rest}  ${note}`, why]
    return [some ? `${load}${note ? `  ${note}` : parts[3]}` : note, why]
  }

  /** Is it conda, where that is not used? The operator's Python takes its place only for a virtualenv. */
  function withoutConda(name) {
    if (!there.noConda || !CONDA.test(base(name))) return false
    if (!conda) impossible.add(insteadOfConda(to, "own"))
    return there.noConda !== true || conda === "programs"
  }

  /** The commands that load this application there. */
  function applicationOf(name) {
    const bare = base(name).toLowerCase().replace(/^qe$/, "quantumespresso")
    const key = Object.keys(there.applications).find(
      key => bare.startsWith(`${key}-`) || bare.replace(/-/g, "") === key.replace(/-/g, ""),
    )
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
    return COMMON.test(bare) && !cray && !foreign && !other.includes(bare) && !(there.noConda && CONDA.test(bare))
  }

  /** What is said of a module that we do not find there. */
  function missing(name) {
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
    if (renamed?.[2]) {
      impossible.add(`${to.name} has ${renamed[1]} instead of ${renamed[0]} ${renamed[2]}.`)
      return renamed[0]
    }
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
    const opener = Object.keys(collections).find(each => collections[each].includes(bare))
    return found ?? renamed?.[1] ?? (opener ? `${opener} ${bare}` : null)
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

  /**
   * Modules that the two systems share: what must come first, and what is too old for the GPU.
   * @param {string} line @param {string[]} parts
   * @returns {[string | null, string]}
   */
  function familyModules(line, [, begin, list, rest]) {
    const old = list.split(/\s+/).filter(name => name && !brought.includes(base(name)))
    if (!old.length) return [null, `This loads the software on ${to.name}.`]
    standardOld ||= /StdEnv\/20(?:1\d|20)|nixpkgs/.test(list)
    const names = standardOld ? old : old.map(name => versionOf(name) ?? name)
    const least = job.oldestCuda
    const standard = names.find(name => /^(?:StdEnv\/20(?:1\d|20)|nixpkgs)/.test(name))
    if (standard && oldStack(standard, least)) {
      const why = least ? `is older than ${job.gpu}, so its programs may not support it` : "is no longer supported"
      impossible.add(`${standard} ${why}. Load StdEnv/2023, and search for the other modules again.`)
    }
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
  return change
}
