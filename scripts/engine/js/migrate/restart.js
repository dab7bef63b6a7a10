// Whether the next of several jobs continues what the last one did, and which line prevents that.
import {OUTPUT, optionsOf} from "../rules/data.js"
import {works} from "../rules/shell.js"
import {base, programs} from "../script/payload.js"
import {expander} from "../script/variables.js"
import {quoted} from "./amounts.js"
import {OWN_DISK} from "./places.js"

// How scripts, and their comments, say that a program continues.
const CONTINUES =
  /resum|re-?start|re-?queu|rerun|continu|warm[-_]?start|CONTCAR|latestTime|oldchk|(?:last|latest)[\w.-]{0,40}(?:ckpt|checkpoint|\.pth?\b)|(?:ckpt|checkpoint)\S{0,40}(?:last|latest)|(?<![\w-])-cpi\b|\bskip(?:s|ped|ping)?\b.{0,60}\b(?:done|finished|exist)|\b(?:done|finished|exist)\w*\b.{0,60}\bskip|--load\b|--ckpt[-_]path\b|\bnnUNet\w*_train\b.*\s--c\b/i
const NOT =
  /\b(?:no|not|never|cannot|can't|without|n't|nothing to)\s+(?:\w+\s+){0,2}(?:resum|re-?start|continu|re-?queu|rerun)\w*|restart\s*=\s*\.?f\w*\.?|\bcontinue\b(?=\s*(?:;|$|\d|fi\b|\}))|--no-re\w+|RESTART_COUNT|on-error|resume\S*[= ](?:0|false|no)\b/gi
// Options that begin the work again, and by program the one that continues it.
const ANEW =
  /(?<![\w-])--?(?:overwrite(?:[-_]\w+)*|redo|force(?:[-_]?(?:all|restart|overwrite))?|(?:from|start)[-_]scratch|(?:clean|fresh)[-_]?start|fresh)(?![\w-]|[= ](?:0|no|false)\b)/i
const RESUMES = {
  beast: "-resume",
  beast2: "-resume",
  megahit: "--continue",
  nextflow: "-resume",
  "spades.py": "--continue",
}
// What brings, shows or submits something, and saves nothing.
const HELPS =
  /^(?:curl|wget|git|sbatch|qsub|sed|g?awk|grep|find|ln|sort|head|tail|scontrol|sacct|seff|pip3?|virtualenv|trap|if|for|while|huggingface-cli)$/
// What scripts say of themselves that submit themselves.
const AGAIN = /\b(?:itself|re-?submit\w*|re-?starts?|re-?queue\w*|next (?:job|part|segment|leg|link)|chain\w*|self)\b/i
const SAVES = /^\s*(?:cp|mv|rsync|tar)\s(?!.*CONTCAR)/ // results, among which are files to restart from
const SAVE_OPTION = /\s--?(?:save|checkpoint|ckpt)[-_](?:steps|every|freq\w*|interval|strategy|total)/
const SUBMITS = /\b(?:sbatch|qsub|scontrol\s+requeue)\b[^;&|'"}]*/
const NO_JOB = /\[\s*-z\s+["']?\$\{?SLURM_JOB_?ID\b/ // where a script submits itself on a login node
const JOB = "(?:SLURM_JOB_?ID|JOB_ID)"
const OF_JOB = RegExp(`\\$\\{?${JOB}\\b\\}?`)
const OTHER = /\$\(\s*(?:date|mktemp|uuidgen)|`\s*date|\$\{?RANDOM\b|\$\$/
const TEMPORARY = /rdzv|log|name|tmp|temp|cache|port|url|trace|prof/i
const RESTARTS = /^--?(?:\w+[-_])*(?:resume|restart|continue|cpi|ckpt|checkpoint|work|run|exp)(?:[-_]\w+)*$/i
// The file of a job's own log, which the next job would overwrite under the same name.
const LOG = /(?:^|[/=])(?:log[._-][^/]*|[^/]*(?:\.(?:log|out|err)|[._-]log))$/i
const PATH = RegExp(`[^\\s"'=;:]{0,200}\\$\\{?${JOB}\\b\\}?[^\\s"';:]*`, "g")

/** The line where a command begins, or its program where that stands on a later line. */
function shown(command, line) {
  const {words} = programs(command).at(-1) ?? {words: []}
  return line.includes(words[0] ?? "") ? line : words.slice(0, 2).join(" ")
}

/**
 * @param {string} text the script @param {Shell} shell its reading
 * @param {[string, string, any][]} places those of its system
 * @returns {{why: string, lost: string, saves?: boolean, cure?: string, submits?: string, self?: boolean, maybe?: boolean, signal?: boolean} | {again: boolean, locks: boolean, named: string, own: (line: string) => string}} why: the line that prevents
 *   it, as a clause; lost: what a job that ends at its time limit loses; cure: how to continue; submits: its line that submits
 *   a job, self, maybe: the next of its own kind, signal: before its time ends; again: a later job finds what it saved; locks: a job that does not end leaves a lock; named: where it does not look; own: a line, in
 *   which all jobs of an array share the directory that each job had for itself
 */
export function continuing(text, {commands}, places) {
  const expand = expander(commands)
  const plain = word => expand(word).replace(/\$\{(\w+)\}/g, "$$$1")
  const disks = places.filter(([kind, , about]) => kind === OWN_DISK && about.job !== undefined)
  const local = path =>
    /^\/(?:tmp|dev\/shm)\b|^\$(?:SLURM_TMPDIR|TMPDIR|LOCAL_SCRATCH)\b/.test(path) ||
    disks.some(([, place]) => path.startsWith(place))
  const found = new Set() // where programs save what they continue from
  const mains = []
  let here = ""
  for (const command of commands) {
    if (command.name === "cd" && !command.fn) here = plain(command.words[1] ?? "$HOME")
    const own = programs(command).filter(
      ({words: [name = ""]}) => works({name: base(name), words: [name]}) && !HELPS.test(base(name)),
    )
    if (!works(command) || HELPS.test(command.name) || !own.length) continue
    mains.push(command)
    for (const {words} of own) {
      const plainNames = words.map(word => word.replace(/^--(?:[\w-]+\.)+(?=\w)/, "--")) // `--trainer.root_dir`
      const options = optionsOf(plainNames).map(([name, value]) => [name, plain(value)])
      const named = options.filter(([name, value]) => {
        const own = OTHER.test(value) || OF_JOB.test(value)
        const saves = OUTPUT.test(name) || RESTARTS.test(name) || (own && !TEMPORARY.test(name))
        return saves && !LOG.test(value) && (own || /^(?:~|\$\w+|[\w.-]+)?\//.test(value))
      })
      for (const [, value] of named) found.add(value)
      if (!named.length && here) found.add(here)
    }
  }
  const saved = [...found]
  const launched = mains.filter(({name}) => /^(?:srun|mpi(?:run|exec)|torchrun)$/.test(name))
  const main = launched.find(({certain}) => certain) ?? launched[0] ?? mains.at(-1)
  const lines = text.split("\n")
  const code = lines
    .filter((line, at) => !/^#(?:!|SBATCH|\$ )/.test(line) && !(main && at >= main.line && SAVES.test(line)))
    .join("\n")
  const copies = /** @param {(word: string) => boolean} ours */ ours =>
    lines.slice(main?.line ?? 0).find(
      line =>
        /\b(?:cp|rsync|mv|tar)\s/.test(line) &&
        !/^\s*#/.test(line) &&
        plain(line)
          .split(/[\s"']+/)
          .some(ours),
    )
  const copied = path => copies(word => word.startsWith(path))
  const lostIn = line =>
    line ? ` At the time limit, ${quoted(line)} does not run, so the files that it copies are lost.` : ""
  const lost = lostIn(copies(local))
  const began = main?.words.join(" ").replace(NOT, "") ?? ""
  const [anew] = ANEW.exec(began) ?? []
  if (anew && !CONTINUES.test(began.replace(anew, ""))) {
    const option = RESUMES[base(programs(main).at(-1)?.words[0] ?? "")]
    const cure = `Only the first may have it. In the others, write ${option ? `\`${option}\`` : "the program's option to resume"} instead.`
    return {why: `\`${anew}\` overwrites what the previous job saved`, cure, lost}
  }
  if (!CONTINUES.test(code.replace(NOT, "")))
    return {
      why: main
        ? `we do not see that ${quoted(shown(main, lines[main.line - 1]))} continues from what it saved`
        : "we see no program that resumes from a checkpoint",
      saves: SAVE_OPTION.test(code),
      lost,
    }
  const first = mains.slice(0, mains.indexOf(main)).find(({certain, words}) => certain && ANEW.test(words.join(" ")))
  if (first) {
    const why = `${quoted(lines[first.line - 1])} may overwrite what the previous job saved`
    return {why, cure: "Only the first may run it.", lost}
  }
  const signal = commands.find(({name, words}) => name === "trap" && SUBMITS.test(words[1] ?? ""))
  if (signal) {
    const submits = `\`${SUBMITS.exec(signal.words[1])?.[0].trim()}\``
    return {why: `its trap runs ${submits}`, lost, submits, signal: true}
  }
  const branch = line => lines.slice(0, line).findLast(each => /^\s*(?:if|elif|else|fi)\b/.test(each)) ?? ""
  const outside = line => [lines[line - 1], branch(line)].some(each => NO_JOB.test(each))
  const submits = commands.find(({name, line}) => /^(?:sbatch|qsub)$/.test(name ?? "") && !outside(line))
  if (submits) {
    const line = quoted(lines[submits.line - 1])
    const self =
      /\$0\b|BASH_SOURCE/.test(submits.text) || (submits.words.some(word => OF_JOB.test(word)) && AGAIN.test(code))
    return {why: `each of its jobs would run ${line}`, lost, submits: line, self, maybe: !submits.certain}
  }
  const dated = saved.find(path => OTHER.test(path))
  const [sign] = OTHER.exec(dated ?? "") ?? []
  if (sign)
    return {
      why: `${quoted(lines.find(line => /^\s*(?!echo)(?:\w+ )?\w+=|^\s*(?:cd|mkdir)\s|\s--?\w/.test(line) && line.includes(sign)) ?? dated)} gives each job a new directory`,
      lost,
    }
  const away = saved.length > 0 && saved.every(local)
  if (away && !/\btimeout\s+\S*\d|-maxh\b|--signal|\btrap\b.*\b(?:cp|rsync|mv)\b/.test(text)) {
    return {why: `the program saves to \`${saved[0]}\`, which the next job does not have`, lost}
  }
  for (const {name, words, certain, line} of commands) {
    const gone =
      name === "trap"
        ? [...(words[1] ?? "").matchAll(/\brm\s+-\S*r\S*\s+["']?([^\s"';]+)/g)].map(([, path]) => path)
        : name === "rm" && certain
          ? words.slice(1)
          : []
    for (const path of gone.map(each => plain(each).replace(/\/\*?$/, "")))
      if (/\w/.test(path) && !local(path) && saved.some(each => `${each}/`.startsWith(`${path}/`))) {
        const after = copied(path)
        if (OF_JOB.test(path) && after)
          return {
            why: `each job saves to a directory of its own, \`${path}\``,
            cure: "Make the program end before the time limit.",
            lost: lostIn(after),
          }
        return {
          why: `${quoted(lines[line - 1])} deletes what the next job needs`,
          cure: name === "rm" ? "Only the first may run it." : "Remove it.",
          lost,
        }
      }
  }
  const own = saved.filter(path => OF_JOB.test(path))
  const all = text => text.replace(RegExp(JOB, "g"), "SLURM_ARRAY_JOB_ID")
  const shared = word => (LOG.test(word) ? all(word.replace(/[^/]*$/, "")) + base(word) : all(word))
  const part = word => own.some(path => path.startsWith(plain(word)) || plain(word).startsWith(path))
  return {
    named: own[0] ?? "$SLURM_ARRAY_JOB_ID",
    locks:
      mains.some(each => programs(each).some(({words}) => base(words[0] ?? "") === "snakemake")) &&
      !/--unlock\b/.test(text),
    again: !own.length && !/\$\{?SLURM_ARRAY_JOB_ID/.test(code),
    own: line =>
      /^\s*(?:#|echo\b|printf\b)/.test(line)
        ? line
        : line.replace(PATH, word => (part(word) && !local(plain(word)) ? shared(word) : word)),
  }
}
