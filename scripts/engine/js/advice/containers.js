// Advice about containers: what they do not get from the job, and what their images do not allow.
import {base, program, programs, started} from "../script/payload.js"
import {has} from "./runs.js"

const TOOL = /^(?:apptainer|singularity)$/
const IMAGE = /\.sif$|^(?:docker|library|oras):/
const CLEAN = /^(?:--cleanenv|-e|--containall|-C)$/
/** [command, the container's own words, what it starts] of each container that gets a program. */
const containersOf = commands =>
  commands.flatMap(command =>
    programs(command).flatMap(({through, words}) => {
      const at = through.findIndex(({name, words: own}) => TOOL.test(name) && own.includes("exec"))
      return at < 0 ? [] : [{command, own: through[at].words, words, outer: through.slice(0, at)}]
    }),
  )

// What the container sets itself, or what its tool or the shell alone reads.
const NOT_MEANT =
  /^(?:PATH|LD_\w+|HOME|PWD|SHELL|LANG|LC_\w+|TMPDIR|PS1|(?:APPTAINER|SINGULARITY|SLURM|SRUN|SBATCH)\w*)$/
/** Variables and ranks that `--cleanenv` keeps from the program. */
function* cleaned({commands, job, say}) {
  const passes = commands.some(({text}) => /(?:APPTAINER|SINGULARITY)ENV_|--env/.test(text))
  for (const {command, own, words, outer} of containersOf(commands)) {
    const option = own.find(word => CLEAN.test(word))
    if (!option || passes || !words.length) continue
    const srun = outer.find(({name}) => name === "srun")
    const tasks = job.tasks ?? (job.tasks_per_node ?? 1) * (job.nodes ?? 1)
    const several = srun && tasks > 1 && !srun.words.some(word => /^(?:-n|--ntasks=?)1?$/.test(word))
    const later = commands.slice(commands.indexOf(command)).map(({text}) => text)
    const lost = commands
      .filter(({name, line, fn}) => name === "export" && !fn && line < command.line)
      .flatMap(each => each.words.slice(1).map(word => word.split("=")))
      .find(([name, value]) => value !== undefined && !NOT_MEANT.test(name) && !later.some(text => text.includes(name)))
    if (several && /^python|MPI|mpi/.test(base(words[0]))) {
      const what = `\`${option}\` removes the variables of srun, so each of the ${tasks} processes believes that it is the only one.`
      yield say("container-loses-variables", what, `Remove ${option}.`, command, {kind: "fails"})
    } else if (lost) {
      const what = `\`${option}\` removes the job's variables, so the program in the container does not get \`${lost[0]}\`.`
      yield say("container-loses-variables", what, `Remove ${option}, or add --env ${lost[0]}="$${lost[0]}".`, command)
    }
  }
}

const INSTALLS = /^(?:apt|apt-get|yum|dnf|apk|zypper)$/
/** What an image in one file does not allow. */
function* readOnly({commands, say}) {
  for (const {command, own, words} of containersOf(commands)) {
    const image = own.find(word => IMAGE.test(word))
    const layer = own.some(word => /^(?:--overlay|--writable-tmpfs)/.test(word))
    if (!words.length && image && own.at(-1) === image) {
      const what = "`exec` needs a program after the image."
      yield say("container-without-a-program", what, "Write the program, or use run instead of exec.", command, {
        kind: "fails",
      })
    } else if (image?.endsWith(".sif") && has(["", ...own], ["--writable", "-w"])) {
      const what = `\`${image}\` is a compressed image, which cannot be opened for writing.`
      yield say("image-is-read-only", what, "Remove --writable, and bind a directory for what you write.", command, {
        kind: "fails",
      })
    } else if (image && !layer && INSTALLS.test(base(words[0] ?? ""))) {
      const what = `\`${words[0]}\` cannot install into \`${image}\`, because an image is read-only.`
      yield say("image-is-read-only", what, "Install it when you build the image.", command, {kind: "fails"})
    }
  }
}

/** An environment of the host, where only the container's own Python runs. */
function* outside({commands, say}) {
  const at = commands.find(
    ({name, words}) =>
      (/^(?:source|\.)$/.test(name) && /\/bin\/activate$/.test(words[1] ?? "")) ||
      (/^(?:conda|mamba|micromamba|source)$/.test(name) && /^(?:activate)$/.test(words[1] ?? "") && words[2]),
  )
  if (!at) return
  const behind = commands.slice(commands.indexOf(at) + 1)
  const inside = each => started(each.words).through.some(({name}) => TOOL.test(name))
  const python = /^(?:python[\d.]*|torchrun|accelerate|deepspeed|pip3?)$/
  const run = behind.find(each => inside(each) && python.test(program(each)))
  const used = behind.some(
    each =>
      !inside(each) &&
      program(each) &&
      !/^(?:\[\[?|test|echo|export|module|ml|cd|mkdir|cp|date|unset|set|true)$/.test(program(each)) &&
      !TOOL.test(base(each.words[0] ?? "")),
  )
  if (!run || used || /VIRTUAL_ENV|CONDA_PREFIX|bin\/activate|PYTHONPATH/.test(behind.map(({text}) => text).join("\n")))
    return
  const what = `the container on line ${run.line} has its own Python, so it does not use the environment that this line activates.`
  yield say("environment-outside-the-container", what, "Remove the line, or install the packages into the image.", at)
}

/** A directory that the operator's containers do not see. */
function* unbound({facts, name, commands, say}) {
  const hides = facts.software.container_hides ?? []
  if (!hides.length || commands.some(({text}) => /bindings|_BIND|BINDPATH/i.test(text))) return
  for (const {command, own, words} of containersOf(commands)) {
    const at = words
      .map(word => word.replace(/^--?[\w-]+=/, ""))
      .find(word => hides.some(root => word.startsWith(`${root}/`)))
    if (!at || own.some(word => /^(?:-B|--bind|--mount|--pwd)/.test(word))) continue
    const what = `\`${at}\`: on ${name}, a container does not see ${hides.join(", ")}, and no option here binds them.`
    return yield say(
      "container-hides-a-directory",
      what,
      `Add -B ${at.split("/").slice(0, 3).join("/")}.`,
      command,
      "software.container_hides",
    )
  }
}

export const ideas = [unbound, cleaned, readOnly, outside]
