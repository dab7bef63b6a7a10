// Times, amounts of memory, and numbers that the scheduler reads otherwise than people mean them.
import {value} from "../fixes/edits.js"
import {words} from "../script/text.js"
import {UNIT, clock} from "../script/units.js"
import {larger} from "./given.js"

// A unit that stands behind a blank says what is meant, and it is not known to be that.
const unitBehind = ({line, option}) =>
  /^\s*[KMGT](i?B)?(?!\S)/i.test(line.slice(option?.pieces.at(-1)[2] ?? line.length))
const MEGABYTES = {
  words: "`{written}` is {0} megabytes, because the default unit is MB.",
  cure: "Write {0}G for gigabytes, or {0}M if you do mean megabytes.",
  fix: bench => (unitBehind(bench) ? null : value(text => `${text}G`)(bench)),
}
const NUMBERS = words("one two three four five six seven eight")
const wholeNumber = value(text => {
  const number = NUMBERS.indexOf(text.toLowerCase()) + 1
  return number ? String(number) : /^\d+\.0+$/.test(text) ? text.split(".")[0] : null
})

/** @type {Partial<Rule>} */
export const usual = {kind: "unwise", schedulers: ["slurm"]}

/** @type {Record<string, Rule>} */
export const rules = {
  "time-in-minutes": {
    options: ["time"],
    pattern: /^(12|24|36|48|72|96|144|168|336)$/u,
    words: "`{written}` is {0} minutes.",
    cure: "Write hours, minutes and seconds: {0}:00:00, or 00:{0}:00 if you do mean minutes.",
    bad: ["#SBATCH --time=48", "#SBATCH -t 24", "#SBATCH --time=12"],
    good: ["#SBATCH --time=60", "#SBATCH --time=12:00:00", "#SBATCH --time=00:48:00"],
  },
  "time-in-seconds": {
    options: ["time"],
    pattern: /^(0?\d|1[0-2]):(15|30|45|59)$|^(12|24|36|48|72|96|120|144|168):00$/u,
    words: "`{written}` means minutes and seconds.",
    cure: "Write hours, minutes and seconds: {0}:00.",
    bad: [
      "#SBATCH --time=0:45",
      "#SBATCH --time=1:30",
      "#SBATCH --time=24:00",
      "#SBATCH -t 02:30",
      "#SBATCH --time=48:00",
    ],
    good: ["#SBATCH --time=30:00", "#SBATCH --time=1:30:00", "#SBATCH --time=0-1:30", "#SBATCH --time=5:00"],
  },
  "time-form": {
    kind: "refused",
    options: ["time", "time-min"],
    pattern: /^.+$/u,
    unless:
      /^\s*(\d+(:\d+){0,2}|\d+-\d+(:\d+){0,2}|[Ii][Nn][Ff][Ii][Nn][Ii][Tt][Ee]|[Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]|-1)$|\$|`|^=/u,
    words: "Slurm cannot read `{written}` as a time.",
    cure: "Write days-hours:minutes:seconds, such as 1-12:00:00 or 02:00:00, without units.",
    fix: value(text => {
      const parts = /^(\d+)\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$/i.exec(text)
      if (parts) return clock(Number(parts[1]) * UNIT[parts[2][0].toLowerCase()])
      return /^\d+\.\d\d\.\d\d$/.test(text) ? text.replaceAll(".", ":") : null
    }),
    bad: [
      "#SBATCH --time=2h",
      "#SBATCH --time=24hours",
      "#SBATCH --time=1.5",
      "#SBATCH --time=1:00:00:00",
      "#SBATCH --time=1d",
      "#SBATCH --time=90m",
    ],
    good: ["#SBATCH --time=2-0", "#SBATCH --time=1-12:30", "#SBATCH --time=02:00:00", "#SBATCH --time=90"],
  },
  "time-of-months": {
    options: ["time"],
    pattern: /^(29|[3-9]\d|\d{3,})-\d+(:\d+)*$|^(69[7-9]|[7-9]\d\d|\d{4,}):\d+:\d+$|^(4[2-9]\d{3}|[5-9]\d{4}|\d{6,})$/u,
    words: "`{written}` is longer than four weeks, and no cluster in this guide runs such a job.",
    cure: "Save the state of your work, and continue in another job.",
    bad: [
      "#SBATCH --time=86400",
      "#SBATCH --time=60-00:00:00",
      "#SBATCH --time=999-00:00:00",
      "#SBATCH --time=2160:00:00",
      "#SBATCH --time=43200",
    ],
    good: ["#SBATCH --time=28-00:00:00", "#SBATCH --time=72:00:00", "#SBATCH --time=14-0"],
  },
  "time-parts-too-large": {
    options: ["time"],
    pattern:
      /^(\d+-)?\d+:(6[1-9]|[7-9]\d|\d{3,}):\d+$|^\d+-\d+:(6[1-9]|[7-9]\d|\d{3,})$|^(\d+-)?\d+:\d+:(6[1-9]|[7-9]\d|\d{3,})$/u,
    words: "one part of `{written}` is more than 60, so Slurm carries it over to the next unit.",
    cure: "Write days-hours:minutes:seconds, such as 1-12:00:00.",
    fix: value(text => {
      const [days, rest] = text.includes("-") ? text.split("-") : [0, text]
      const [hours, minutes = 0, seconds = 0] = rest.split(":").map(Number)
      return clock(days * 86400 + hours * 3600 + minutes * 60 + seconds)
    }),
    bad: ["#SBATCH --time=1:120:00", "#SBATCH --time=1:90:00", "#SBATCH --time=1:00:75", "#SBATCH --time=0-0:90"],
    good: [
      "#SBATCH --time=36:00:00",
      "#SBATCH --time=1-12:00:00",
      "#SBATCH --time=1:59:59",
      "#SBATCH --time=00:60:00",
      "#SBATCH --time=0-36:00:00",
    ],
  },
  "memory-in-megabytes": {
    options: ["mem", "mem-per-gpu"],
    pattern: /^([1-9]\d?|[1-4]\d\d)$/u,
    ...MEGABYTES,
    bad: ["#SBATCH --mem=16", "#SBATCH --mem 480"],
    good: ["#SBATCH --mem=16G", "#SBATCH --mem=0", "#SBATCH --mem=4000", "#SBATCH --mem=500M"],
  },
  "memory-in-megabytes-a-core": {
    options: ["mem-per-cpu"],
    pattern: /^([1-9]|[1-5]\d|6[0-4])$/u,
    ...MEGABYTES,
    bad: ["#SBATCH --mem-per-cpu=4", "#SBATCH --mem-per-cpu 16"],
    good: ["#SBATCH --mem-per-cpu=4G", "#SBATCH --mem-per-cpu=100", "#SBATCH --mem-per-cpu=0"],
  },
  "memory-tiny": {
    options: ["mem", "mem-per-cpu", "mem-per-gpu"],
    pattern: /^\d{1,5}[Kk][Bb]?$|^[1-9]\d?[Mm][Bb]?$/u,
    words: "`{written}` is too little for any program.",
    cure: "Write G for gigabytes.",
    bad: ["#SBATCH --mem=16M", "#SBATCH --mem=500KB", "#SBATCH --mem-per-cpu=4mb", "#SBATCH --mem=1M"],
    good: ["#SBATCH --mem=16GB", "#SBATCH --mem=100M", "#SBATCH --mem=4g"],
  },
  "memory-form": {
    kind: "refused",
    options: ["mem", "mem-per-cpu", "mem-per-gpu"],
    pattern: /^.+$/u,
    unless: /^\d+([KkMmGgTt][Bb]?)?$|\$|`|^=|[^\x00-\x7f]/u,
    words: "Slurm cannot read `{written}` as an amount of memory.",
    cure: "Write a whole number and K, M, G or T: 16G.",
    fix: value(text => {
      const parts = /^(\d+)(?:\.(\d+))?\s*([KMGT])i?b?$/i.exec(text)
      if (!parts) return null
      const [, whole, part, unit] = parts,
        size = unit.toUpperCase()
      if (!part || !Number(part)) return whole + size
      const smaller = {G: "M", T: "G", M: "K"}[size]
      return smaller ? `${Math.round(Number(`${whole}.${part}`) * 1024)}${smaller}` : null
    }),
    bad: ["#SBATCH --mem=16GiB", "#SBATCH --mem=16.5G", "#SBATCH --mem=all", "#SBATCH --mem=G16", "#SBATCH --mem=16B"],
    good: ["#SBATCH --mem=16gb", "#SBATCH --mem=16Gb", "#SBATCH --mem-per-cpu=2000M"],
  },
  "memory-two-ways": {
    kind: "refused",
    options: ["mem-per-cpu", "mem-per-gpu"],
    pattern: /^.+$/u,
    needs: ["mem"],
    words: "`{written}` and --mem are mutually exclusive.",
    cure: "Keep one.",
    bad: ["#SBATCH --mem=4G\n#SBATCH --mem-per-cpu=1G", "#SBATCH --mem=4G --mem-per-gpu=4G\n#SBATCH --gpus=1"],
    good: ["#SBATCH --mem=4G", "#SBATCH --mem-per-cpu=1G"],
  },
  "whole-number": {
    kind: "refused",
    options: words(`ntasks cpus-per-task ntasks-per-node cpus-per-gpu ntasks-per-gpu ntasks-per-core ntasks-per-socket
      cores-per-socket sockets-per-node threads-per-core`),
    pattern: /^.+$/iu,
    unless: /^\d+k?$|\$|`|^=|[^\x00-\x7f]|^[*]$/iu,
    words: "`{written}` is not a whole number.",
    cure: "Write digits only.",
    fix: wholeNumber,
    bad: ["#SBATCH --ntasks=2.5", "#SBATCH --cpus-per-task=4x", "#SBATCH --ntasks=four", "#SBATCH --ntasks=4,2"],
    good: ["#SBATCH --ntasks=4", "#SBATCH -c 4"],
  },
  "nodes-form": {
    kind: "refused",
    options: ["nodes"],
    pattern: /^.+$/u,
    unless: /^\d+[kKmM]?(-\d+[kKmM]?)?$|\$|`|^=|[^\x00-\x7f]/u,
    words: "`{written}` is neither a number of nodes nor a range.",
    cure: "Write 2 or 1-4. For node names, use --nodelist.",
    fix: wholeNumber,
    bad: ["#SBATCH --nodes=1:ppn=4", "#SBATCH --nodes=node1", "#SBATCH --nodes=2x"],
    good: ["#SBATCH --nodes=1-2", "#SBATCH --nodes=2"],
  },
  "more-nodes-than-tasks": {
    kind: "ignored",
    /** More nodes than tasks: Slurm takes fewer nodes. */
    *find({options}) {
      for (const {option, other} of larger(options, "nodes", "ntasks"))
        yield {...option, matched: [option, other].map(({value}) => String(Number(value)))}
    },
    words: "{0} nodes are too many for the number of tasks, {1}, so Slurm uses fewer nodes.",
    cure: "Request at least as many tasks as nodes.",
    fix: bench => bench.value(bench.options.findLast(({name}) => name === "ntasks")?.value),
    bad: ["#SBATCH --nodes=2\n#SBATCH --ntasks=1", "#SBATCH -N 4 -n 2"],
    good: ["#SBATCH --nodes=2\n#SBATCH --ntasks=2", "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1"],
  },
  "time-of-seconds": {
    kind: "doubtful",
    options: ["time"],
    pattern: /^(0-)?0+:0+:(0?[1-9]|[1-5]\d)$/u,
    words: "`{written}` is {2} seconds, because hours come first.",
    cure: "Write hours, minutes and seconds: 00:{2}:00 for minutes.",
    bad: ["#SBATCH --time=00:00:15", "#SBATCH --time=0:0:30"],
    good: ["#SBATCH --time=00:15:00", "#SBATCH --time=00:01:00"],
  },
  "no-nodes": {
    options: ["nodes"],
    pattern: /^0+$/u,
    words: "`{written}` requests no node, and Slurm chooses the number itself.",
    cure: "Write --nodes=1, or the number that you need.",
    // Explaining a refusal gives a finding of the same name, which lacks the option.
    fix: ({finding, option, words, directive}) => {
      if (option?.name === "nodes") return words("")
      const [wanted] = /--nodes=\d+/.exec(finding.cure) ?? []
      return wanted ? directive(wanted) : null
    },
    bad: ["#SBATCH --nodes=0", "#SBATCH -N 0"],
    good: ["#SBATCH --nodes=1", "#SBATCH --nodes=10"],
  },
  "time-unlimited": {
    options: ["time"],
    pattern: /^([Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]|[Ii][Nn][Ff][Ii][Nn][Ii][Tt][Ee]|-1|(0+-)?0+(:0+){0,2})$/u,
    words: "`{written}` requests unlimited time. Such a job waits longest, or is rejected.",
    cure: "Request the time that the job needs, such as 12:00:00.",
    bad: ["#SBATCH --time=UNLIMITED", "#SBATCH --time=0", "#SBATCH --time=0-0", "#SBATCH --time=infinite"],
    good: ["#SBATCH --time=00:10:00", "#SBATCH --time=10"],
  },
}
