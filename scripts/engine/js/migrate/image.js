// How a script starts the container that the guide's scripts of a system start, and what takes its place on another one.
import {escaped} from "./leftovers.js"

/** Programs that are a module of Python's. @type {Record<string, string>} */
const MODULES = {pip: " -m pip", pip3: " -m pip", "accelerate launch": " -m accelerate.commands.launch"}

/** How scripts write the container that the guide's scripts of a system start; any version. */
export function imagePattern(image) {
  const path = image.replace(/"/g, "")
  const parts = path.split(/(\$\w+|\d[\d.]*(?=\.sif))/)
  const written = part =>
    part[0] === "$" ? `\\$\\{?${part.slice(1)}\\}?` : /^\d/.test(part) ? "[\\d.]+" : escaped(part)
  return `"?${parts.map(written).join("")}"?`
}

/** The variables that hold this container. */
const holding = (lines, image) =>
  lines.flatMap(line => {
    const [, name, value] = /^\s*(?:export\s+)?(\w+)=(.*)$/.exec(line) ?? []
    return name && image.test(value) ? [name] : []
  })

/** Does a line start the container? */
export function calls(lines, image) {
  const names = holding(lines, image).map(name => `\\$\\{?${name}\\b`)
  const called = RegExp([...names, image.source].join("|"))
  return line => !/^\s*(?:#|(?:export\s+)?\w+=)/.test(line) && called.test(line)
}

/** Does a line start the container in a way that nothing there takes the place of? */
export function startsImage(from, to, lines, image) {
  const launch = launcherOf(from, to, lines, {image, venv: null}, false)
  const starts = calls(lines, image)
  return line => starts(line) && launch(line) === line
}

/** A line that starts a program as `to` does, in place of a container of `from` or of nothing. */
export function launcherOf(from, to, lines, {image, venv}, cpu) {
  const [a, b] = [from.move.software, to.move.software]
  const variables = image ? holding(lines, image) : []
  const own = line =>
    venv
      ? line.replace(
          /\S+$/,
          program => `${venv}/bin/python3${program === "torchrun" ? " -m torch.distributed.run" : ""}`,
        )
      : line
  const now = program =>
    own(program === "torchrun" ? b.torchrun : program ? (cpu ? b.cpu : b.python) : "") + (MODULES[program] ?? "")
  // A wrapper belongs to the container of the modules that the setup there replaces.
  const BARE =
    /^(\s*(?:\w+=\S+\s+)*(?:srun\s+(?:-\S+\s+)*)?)(?:(?:apptainer|singularity)_wrapper\s+(?:(?:exec|run)\s+)?)?(python3?|torchrun|pip3?|accelerate launch)(?=\s)/
  if (!image) return line => line.replace(BARE, (_, before, program) => before + (b.image ? now(program) : program))
  const called = [...variables.map(name => `"?\\$\\{?${name}\\}?"?`), image.source].join("|")
  // Python is what Rivanna's containers run by themselves.
  const pattern = RegExp(
    `(?:apptainer|singularity) (run|exec)((?: -\\S+(?: [^\\s-]\\S*:\\S+)?)*) (?:${called})(\\s+(?:python3?|torchrun)\\b)?(?=\\s|$)`,
  )
  return line => {
    if (variables.some(name => RegExp(`^\\s*(?:export\\s+)?${name}=`).test(line))) return null
    return line.replace(pattern, (whole, how, _options, given) => {
      const program =
        given?.trim() ?? (how === "run" && / run /.test(a.python) && !/python/.test(a.python) ? "python3" : "")
      if (!program) return b.image ? whole : ""
      return now(program)
    })
  }
}
