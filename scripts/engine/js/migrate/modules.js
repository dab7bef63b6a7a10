// The lines of a moved script that load modules: each loads what takes its place there.
import {quoted} from "./amounts.js"
import {IN_MODULES, notConda} from "./environment.js"
import {INSTALLS_TORCH, escaped, inContainer, sameSoftware} from "./leftovers.js"
import {
  AMD,
  CONDA,
  CONTAINER,
  INNER,
  LOADS,
  NVIDIA,
  OF_USER,
  PROCESSORS,
  STACK,
  TOOLCHAIN,
  alike,
  base,
  isInside,
  isLicensed,
  loadedBy,
  parted,
  rInConda,
} from "./module_names.js"
import {sharedModules} from "./shared_modules.js"
import {successorsOf} from "./successors.js"

/** The libraries that must be loaded first. @type {Record<string, string[]>} */
const NEEDS = {"cray-netcdf": ["cray-hdf5"], "cray-netcdf-hdf5parallel": ["cray-hdf5-parallel"]}
const VARIABLE = /^[^#]*\b(?:module\s+(?:load|add)|ml)\s+[^\n;&|#]*\$/
const PURGES = /^(\s*)(?:module|ml)\s+(?:--force\s+|-f\s+)?purge\s*(?:(?:&&|;)\s*|(?:[12&]?>\S+\s*)*(?:#.*)?$)/

/** Does it open a stack, and therefore come first? @param {string} names */
const OF_R = /^(?:gdal|geos|proj|udunits)(?:\/|$)/ // libraries of its packages for maps
const opens = names => STACK.test(names.split(" ")[0])
/** Does a line load a module with programs, not only a compiler, MPI or what opens others? */
export const loadsPrograms = line =>
  line
    .split(/&&|;/)
    .flatMap(loadedBy)
    .some(name => [TOOLCHAIN, STACK, CONTAINER, /^(?:python|cmake)(?:\/|$)/].every(each => !each.test(name)))

/**
 * @param {System} from @param {System} to @param {any} job as job.js makes it @param {string[]} lines
 * @param {any} found as environment.js has it; modules: names that the software's setup there loads
 * @param {Set<string>} impossible UPDATED
 * @returns {(line: string) => [string | null, string]} a line there, and why; null: it goes
 */
export function modulesOf(from, to, job, lines, found, impossible) {
  const there = to.move
  const {modules: brought, conda, inImage} = found
  const next = successorsOf(from, to, job, lines, found, impossible)
  const {applicationOf, containers, ofCray, ofMaker} = next
  const opened = brought.length > 0 && found.opens && /StdEnv/.test(there.software.setup[job.kind].join(" "))
  const shared = sharedModules(to, job, lines, brought, opened, next.versionOf, impossible)
  const loads = found.gone.size > 0 ? there.software.setup[job.kind].flatMap(loadedBy) : []
  const withCuda = loads.some(name => to.advice?.software?.with_cuda?.includes(base(name)))
  // PyTorch comes from the container there, and nothing is compiled.
  const inTheirs =
    job.amd &&
    job.kind !== "cpu" &&
    inContainer(to) &&
    (found.venv || lines.some(line => INSTALLS_TORCH.test(line))) &&
    !lines.some(line => /\b(?:make|cmake|hipcc|nvcc)\b|setup\.py/.test(line))
  const applied = lines
    .flatMap(loadedBy)
    .flatMap(name => /module load (.*)/.exec(applicationOf(name) ?? "")?.[1].split(" ") ?? [])
  const ready = applied.length > 0 // its commands load compilers and MPI where it needs them
  const software = from.advice?.software
  const openers = [...(software?.load_first ?? []), ...Object.keys(software?.collections ?? {})]

  const ownR = rInConda(to, lines)
  let stacked = false // a second software stack would close the first one
  const programs = lines.filter(line => !/^\s*(?:#|module|ml)/.test(line)).flatMap(line => line.split(/[\s|;&("']+/))

  /** @returns {[string | null, string]} */
  const unpurged = line => [
    line.replace(PURGES, "$1") || null,
    `On ${to.name}, module purge also unloads modules that compilers and MPI need.`,
  ]

  /** A line that loads modules after other words: in a string, as `--wrap` has it, or behind another command. @returns {[string, string]} */
  function within(line) {
    const reasons = new Set()
    if (/^\s*(?:echo|printf)\b/.test(line)) return [line, ""]
    if (VARIABLE.test(line) && !sameSoftware(from, to))
      impossible.add(`${quoted(line)} loads modules that a variable names. Check that ${to.name} has them.`)
    const now = line.replace(INNER, load => {
      const [text, why] = change(load)
      const [kept] = (text ?? "true").split("  #")
      if (text === load || kept.startsWith("#")) return load // what is said of it must do
      reasons.add(why)
      return kept
    })
    return [now, [...reasons].join(" ")]
  }

  /** @returns {[string | null, string]} */
  function change(line) {
    const parts = LOADS.exec(line)
    if (!parts) return there.purgeBreaks && !found.gone.size && PURGES.test(line) ? unpurged(line) : within(line)
    if (sameSoftware(from, to) && !job.anew) return shared(line, parts)
    parts[3] = within(parts[3])[0]
    const instead = /\b(?:swap|switch)\s/.test(parts[1]) // the second name takes the place of the first
    const names = parts[2]
      .split(/\s+/)
      .filter(Boolean)
      .slice(instead ? -1 : 0)
      .flatMap(name => parted(name))
    for (const name of from.move.centre === there.centre ? [] : names.filter(isLicensed))
      impossible.add(
        `${base(name)} requires a license, and that of ${from.name} may not be valid on ${to.name}. Check that you have one there.`,
      )
    parts[1] = parts[1].replace(/(?:swap|switch)(\s+)$/, "load$1")
    const applications = [...new Set(names.flatMap(name => applicationOf(name) ?? []))]
    /** @type {any} */
    const application = applications.length ? applications.join(" && ") : null
    const wanted = names.filter(
      name =>
        !brought.includes(base(name)) &&
        !applicationOf(name) &&
        !STACK.test(name) &&
        !openers.includes(name) &&
        !(found.packages.includes(IN_MODULES[base(name)]) && !next.successorOf(name)) && // in the new environment
        !PROCESSORS.test(name) &&
        !/-bindings$/.test(name) && // of that system's containers
        !next.withoutConda(name) &&
        !(ownR && OF_R.test(name)) &&
        !(isInside(name) && !next.successorOf(name)) &&
        !((inImage || withCuda) && (ofMaker(name) || (job.amd ? AMD : NVIDIA).test(name))) && // the software has its own
        !((ready || inTheirs) && TOOLCHAIN.test(name)) &&
        !(inTheirs && /^(?:python|scipy-stack)$/.test(base(name))) &&
        (containers || !there.containers || !CONTAINER.test(name)),
    )
    const now = wanted.map(next.successorOf)
    const lost = wanted.filter((_, i) => !now[i])
    const maybe = lost.filter(next.likely)
    const none = lost.filter(name => !maybe.includes(name))
    for (const name of lost) next.miss(name)
    for (const [i, name] of wanted.entries()) next.tell(name, now[i] ?? "")
    if (application) next.tell(names.find(applicationOf), /\S+$/.exec(application)[0])
    if (there.rOnce && application?.includes(there.applications.r?.cpu)) {
      const [file] = /\w+\.yml/.exec(there.rOnce) ?? []
      const [, environment] = /([^/]+)\/bin\b/.exec(application) ?? []
      const what = environment
        ? "R comes from your own conda environment. Create it once, with your packages"
        : "R is a module that you install once, and then the packages of your scripts"
      impossible.add(
        `On ${to.name}, ${what}: ${there.rOnce}.${file ? ` Write \`${file}\` first: it lists the packages, and names the environment \`${environment}\`.` : ""}`,
      )
    }
    const r = names.find(name => /^r(?:$|\/|-env)/i.test(name))
    const inR = `${application ?? ""} ${now.join(" ")}`
    if (r && inR.trim() && !there.rOnce && !/r-env/.test(inR) && !lines.some(each => /\bR_LIBS/.test(each)))
      impossible.add(
        `Before the job, install the R packages that the scripts load, in R on ${to.name}.${/^r-env/.test(r) ? ` ${from.name}'s \`r-env\` has hundreds of them.` : ""}`,
      )
    const first = now
      .flatMap(each => (each ? [...(NEEDS[each] ?? []), each] : []))
      .sort((one, other) => Number(opens(other)) - Number(opens(one)))
    const runs = name => programs.some(each => alike(each.replace(/-build$/, ""), name))
    const inside = first
      .filter((each, i) => each !== wanted[i])
      .flatMap(each => to.advice?.software?.collections[each]?.filter(runs) ?? [])
    const known = [...new Set([...first, ...inside].flatMap(each => each.split(" ")))]
      .filter(name => !(stacked && name === "CrayEnv"))
      .join(" ")
    stacked ||= /\bLUMI\//.test(application ?? "")
    if (job.now.total > 1 && names.length && /\bcray-hdf5(?![\w-])/.test(known))
      impossible.add(
        "cray-hdf5 is the library without MPI. If the processes write HDF5 files together, load cray-hdf5-parallel.",
      )
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
        inTheirs
          ? `PyTorch comes from ${to.name}'s container, which does not use these.`
          : ownR && names.every(name => OF_R.test(name))
            ? "R's packages bring these libraries from conda."
            : other
              ? applied.some(name => TOOLCHAIN.test(name))
                ? "The line that loads the application loads these, too."
                : `The application's module on ${to.name} does not need these.`
              : conda === "programs" && names.some(name => CONDA.test(base(name)))
                ? notConda(to)
                : `This line is not needed on ${to.name}.`,
      ]
    }
    const theirs = found.container ? names.filter(name => brought.includes(base(name)) && !applicationOf(name)) : []
    const note = none.length ? `# module load ${none.join(" ")}` : ""
    const version =
      application && names.some(name => /\/\d/.test(name) && RegExp(`${escaped(name)}(?![\\w.])`).test(application))
    // Which modules come first is known of another version only.
    const asOther = [...impossible].some(each =>
      application?.includes(/^Run `module spider (\S+)`/.exec(each)?.[1] ?? "\n"),
    )
    const versionIn = name => /\/([^\s/]+)$/.exec(name ?? "")?.[1]
    const another = wanted.find((name, i) => {
      const [old, other] = [versionIn(name), versionIn(now[i])]
      return old && other && !other.startsWith(old) && !old.startsWith(other)
    })
    const other = versionIn(names.find(applicationOf)) && versionIn(/\S+$/.exec(application ?? "")?.[0])
    const dropped = wanted.some((name, i) => name.includes("/") && !now[i]?.includes("/"))
    const [, why] = [
      [
        theirs.length,
        `${theirs.join(" and ")} loaded ${from.name}'s software, so the new script does not load it.${note && " Search for the others."}`,
      ],
      [none.length && none.every(ofCray), `${to.name} does not have HPE Cray's programming environment.`],
      [note, `We do not know all of these modules on ${to.name}. Search for them, and write their names.`],
      [unknown, `We do not know ${unknown.split("; module load ").join(", ")} on ${to.name}, so check that there.`],
      [version && asOther, `The version is the same, but on ${to.name}, it may need other modules first.`],
      [version, `This loads the same version on ${to.name}.`],
      [OF_USER.test(application ?? ""), `This uses your own conda environment on ${to.name}.`],
      [
        application && other,
        `This loads version ${other} on ${to.name}, where the script had ${versionIn(names.find(applicationOf))}.`,
      ],
      [application, `This loads the software on ${to.name}, perhaps in another version.`],
      [wanted.some(ofMaker), `These modules are for the GPUs of ${to.name}.`],
      [
        there.noConda && wanted.some(name => CONDA.test(base(name))),
        `Python's module takes the place of conda on ${to.name}.`,
      ],
      [another, `This is a different version from ${another}.`],
      [true, `This is the module's name on ${to.name}${dropped ? ", perhaps in another version" : ""}.`],
    ].find(([holds]) => holds)
    const some = kept || unknown
    if (!some && none.some(name => rest.split(/\s/)[0] === base(name))) return [`# ${line.trim()}`, why] // its own command
    if (rest) return [some ? `${load}${parts[3]}${note && `  ${note}`}` : `${rest}  ${note}`, why]
    return [some ? `${load}${note ? `  ${note}` : parts[3]}` : note, why]
  }
  return change
}
