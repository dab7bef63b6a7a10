// What a command starts in the end: launchers, containers, profilers and `bash -c` are looked through.
import {readScript} from "./read.js"
import {setOf} from "./text.js"
import {SHORT, takes} from "../schedulers/slurm/option_table.js"

/** The name of a program without its folder. */
export const base = path =>
  path
    .split("/")
    .filter(part => part && part !== ".")
    .at(-1) ?? ""

const PACKS = "tar|zip|gzip|pigz|dar|7z"
/** What copies or packs files that the job has. */
export const COPIES = RegExp(`^(?:cp|mv|rsync|scp|dd|install|rclone|aws|gsutil|sbcast|sgather|${PACKS})$`)
/** What brings files from elsewhere, or from an archive. */
const BRINGS = /^(?:unzip|unsquashfs|wget|curl)$/
/** Does a command put files into a directory? @param {string} name its program's */
export const fills = (name, words) =>
  BRINGS.test(name) ||
  (name === "tar"
    ? /x/.test(words[1] ?? "") || words.includes("--extract")
    : COPIES.test(name) && !RegExp(`^(?:${PACKS})$`).test(name))
/** Does a command of this name copy to its last word? */
export const copiesToLast = name => /^(?:cp|mv|rsync)$/.test(name)

const MPI_VALUES = setOf(
  "-np -n --np -N -c -H --host -host --hostfile -hostfile --machinefile -machinefile -f -hosts --map-by -map-by " +
    "--bind-to -bind-to --rank-by -x -wdir --wdir -wd -ppn -perhost -rr -genvlist -bootstrap -launcher --timeout " +
    "--output-filename --report-bindings-to -iface -rmk --mpi --ppn --depth -d --cpu-bind -npernode --npernode --npersocket",
)
const MPI_PAIRS = setOf("--mca -mca --gmca -gmca --prtemca --pmixmca -genv -env")

function ofSrun(option) {
  const name = option.startsWith("--") ? option.slice(2) : SHORT[option.slice(1)]
  return (takes(name) ?? (name?.startsWith("mpi") ? "value" : "none")) === "value" ? 1 : 0
}
const ofMpi = (option, next) =>
  MPI_PAIRS.has(option) && !/=/.test(next) ? 2 : MPI_PAIRS.has(option) || MPI_VALUES.has(option) ? 1 : 0
const these = words => {
  const options = setOf(words)
  return option => (options.has(option) ? 1 : 0)
}
const none = () => 0

/**
 * Program -> how many words follow an option that is written without `=`; how many words of its own stand before what
 * it starts; the subcommand that starts something.
 * @type {Record<string, {values: (option: string, next: string) => number, own?: number, sub?: RegExp}>}
 */
const LOOKED_THROUGH = {
  srun: {values: ofSrun},
  ...Object.fromEntries(
    ["mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun", "aprun", "mpprun"].map(name => [
      name,
      {values: ofMpi},
    ]),
  ),
  time: {values: these("-o -f")},
  numactl: {values: these("-N -m -C -p -i --cpunodebind --membind --physcpubind --interleave")},
  taskset: {values: none, own: 1},
  timeout: {values: these("-s -k --signal --kill-after"), own: 1},
  stdbuf: {values: these("-i -o -e")},
  nice: {values: these("-n")},
  ionice: {values: these("-c -n -p")},
  exec: {values: these("-a")},
  nohup: {values: none},
  setsid: {values: none},
  unbuffer: {values: none},
  command: {values: none},
  nvprof: {values: these("-o --export-profile --log-file")},
  nsys: {
    values: these("-o --output -t --trace -s --sample -c --capture-range -w --stats -d --duration -y --delay -f"),
    sub: /^profile$/,
  },
  ncu: {
    values: these(
      "-o --export -k --kernel-name -c --launch-count -s --launch-skip --set --section --metrics --target-processes",
    ),
  },
  "compute-sanitizer": {values: these("--tool --log-file")},
  rocprof: {values: these("-i -o -d")},
  rocprofv3: {values: these("-i -o -d")},
  perf: {values: these("-e -o -F"), sub: /^(stat|record)$/},
  valgrind: {values: none},
  "xvfb-run": {values: these("-n -s -e -f")},
  apptainer: {
    values: these("-B --bind -H --home --env --env-file -W --workdir --pwd --cwd --overlay --app --mount"),
    own: 1,
    sub: /^(exec|run|shell)$/,
  },
  shifter: {values: these("-i --image -V --volume -m --module -e --env")},
  conda: {values: these("-n --name -p --prefix --cwd"), sub: /^run$/},
  poetry: {values: none, sub: /^run$/},
  pipenv: {values: none, sub: /^run$/},
  uv: {values: these("--with --python -p --project --directory --extra --group"), sub: /^run$/},
  pixi: {values: these("-e --environment --manifest-path"), sub: /^run$/},
  parallel: {
    values: these(
      "-j --jobs -a --arg-file --joblog --delay --retries --timeout -N -n -L --colsep -C -I --results --tmpdir --memfree --load --sshlogin -S --workdir --wd --env --halt --max-args --progress-to",
    ),
  },
  xargs: {values: these("-P --max-procs -n --max-args -I -L --max-lines -a --arg-file -d --delimiter -s")},
}
/** Is this a launcher, or what manages containers and environments? */
export const isLauncher = name => Object.hasOwn(LOOKED_THROUGH, name)
/** Is a container among these launchers? */
export const inImage = through =>
  through.some(({name}) => /^(?:(?:apptainer|singularity)(?:_wrapper)?|podman|shifter|docker)$/.test(name))
LOOKED_THROUGH.singularity = LOOKED_THROUGH.apptainer
for (const name of ["apptainer_wrapper", "singularity_wrapper"])
  // CSC's, which know the image
  LOOKED_THROUGH[name] = {...LOOKED_THROUGH.apptainer, own: 0}
LOOKED_THROUGH.mamba = LOOKED_THROUGH.micromamba = LOOKED_THROUGH.conda

/**
 * @param {string[]} words a command's
 * @returns {{through: {name: string, words: string[]}[], words: string[]}} through: the launchers from the outside in,
 *   each with its own words; words: of what is started
 */
export function started(words) {
  if (!known.has(words)) known.set(words, lookThrough(words))
  return known.get(words)
}
const known = new WeakMap() // many rules ask about the same command

const OPTIONS = /^\$\{?\w*(?:opt|arg|flag|bind)\w*(?:\[[@*]\])?\}?$/i // a variable with a launcher's options
function lookThrough(words) {
  const through = []
  let left = [...words]
  for (;;) {
    while (left.length && through.length && /^[A-Za-z_]\w*=/.test(left[0])) left.shift()
    const name = base(left[0] ?? ""),
      look = Object.hasOwn(LOOKED_THROUGH, name) ? LOOKED_THROUGH[name] : null
    if (name === "env" && left.length > 1) {
      left = left.slice(1)
      while (left.length && /^(?:[A-Za-z_]\w*=|-)/.test(left[0])) left.splice(0, left[0] === "-u" ? 2 : 1)
      continue
    }
    if (!look || (name === "command" && left[1]?.startsWith("-"))) return {through, words: left}
    const rest = left.slice(1)
    let own = look.own ?? 0,
      sub = look.sub
    const options = () => {
      while (/^-./.test(rest[0]) || (rest.length > 1 && OPTIONS.test(rest[0]))) {
        const option = rest.shift()
        if (option === "--") return
        rest.splice(0, option.includes("=") ? 0 : look.values(option, rest[0]))
      }
    }
    options()
    if (sub) {
      if (!sub.test(rest[0] ?? "")) return {through, words: left}
      rest.shift()
      options()
    }
    if (name === "taskset" && /^-\w*c/.test(left[1] ?? "")) own = 1
    while (own-- > 0) rest.shift()
    if (rest[0] === "--") rest.shift()
    through.push({name, words: left.slice(1, left.length - rest.length)})
    left = rest
  }
}

/** The texts that a command's here-documents give it. @returns {string[]} */
export const documents = ({redirects}) => redirects.flatMap(({document}) => (document ? [document.text] : []))
/** The words of what is started in the end. @param {{words: string[]}} command */
export const payload = command => started(command.words).words
export const program = command => base(payload(command)[0] ?? "")

const SHELL = /^(?:ba|z|da)?sh$/
/** The text that `bash -c` gets. @param {string[]} words */
const given = ([shell = "", option = "", text]) =>
  SHELL.test(base(shell)) && /^-\w*c$/.test(option) && text ? [text] : []
/** The scripts that a shell gets from a command. */
export const shellTexts = command =>
  SHELL.test(program(command)) ? [...documents(command), ...given(payload(command))] : []

/**
 * The programs that a command starts: one, or those of the text that `bash -c` gets.
 * @param {Command} command @returns {{through: {name: string, words: string[]}[], words: string[]}[]}
 */
export function programs(command) {
  const found = started(command.words)
  const [text] = given(found.words)
  if (!text) return [found]
  const inner = readScript(text).commands.filter(({words}) => words.length)
  return inner.map(({words}) => {
    const own = started(words)
    return {through: [...found.through, ...own.through], words: own.words}
  })
}
