// What several rules look at.
import {components, last} from "../script/directives.js"

const ADD_UP = new Set(["mail-type", "licenses"]) // values that add up when they are given again
const COUNTS_ONCE = new Set(["N", "pe", "j"]) // Grid Engine: those that it says it overrides

/** The number that an option has as its value; 0 if there is none. options: by name */
export function number(options, name) {
  const value = options.get(name)?.value
  return value && /^[0-9]{1,15}$/.test(value) ? Number(value) : 0
}

/** Each component's option that is a larger number than another one of its options. */
export function* larger(options, name, otherName) {
  for (const found of components(options).map(last)) {
    const [one, other] = [number(found, name), number(found, otherName)]
    if (other && one > other) yield {option: found.get(name), other: found.get(otherName)}
  }
}

/** Each word that is no option, with the option before it that lacks its value, if there is one. */
export function* stray(options) {
  for (const [place, option] of options.entries()) {
    const before = options[place - 1]
    if (!option.known && !option.written.startsWith("-"))
      yield [before?.line === option.line && /^-.*=$/.test(before.written) ? before : null, option]
  }
}

/** An option that is there twice with two values: the last one counts. */
export function* saidTwice(kind, options) {
  const grid = kind === "grid_engine"
  for (const component of grid ? [options] : components(options)) {
    const counts = last(component)
    for (const {name, known, value, line, written} of component) {
      const other = counts.get(name)
      if (!known || value === other.value || (grid ? !COUNTS_ONCE.has(name) : ADD_UP.has(name))) continue
      yield {line, matched: [written, other.written, String(other.line)], written}
    }
  }
}

// What a directive asks for, by scheduler.
const ASKS = {
  slurm: [
    [/--time\b|-t[ =]?\d/, "time"],
    [/--mem/, "memory"],
    [/--n?tasks|--cpus|(?:^|\s)-[nc][ =]?\d/, "cores"],
    [/--array|(?:^|\s)-a[ =]?\d/, "array"],
    [/--gpus|--gres=\S*gpu/, "GPUs"],
  ],
  grid_engine: [
    [/h_rt=/, "time"],
    [/h_vmem=/, "memory"],
    [/(?:^|\s)-pe\s/, "cores"],
    [/(?:^|\s)-t\s*\d/, "array"],
    [/coproc|gpu/, "GPUs"],
  ],
}
const asked = (kind, texts) =>
  ASKS[kind].filter(([pattern]) => texts.some(text => pattern.test(text))).map(([, what]) => what)
const OF = {slurm: /^#SBATCH\s/, grid_engine: /^#\$\s*-/}

/** Has the script directives for both schedulers, and asks this one for all that it asks the other one for? */
export function forBoth({kind, lines, directives}) {
  const other = kind === "slurm" ? "grid_engine" : "slurm"
  const foreign = lines.filter(line => OF[other].test(line))
  const own = asked(
    kind,
    directives.map(([, text]) => text),
  )
  return foreign.length > 0 && own.length > 0 && asked(other, foreign).every(what => own.includes(what))
}
