// Grid Engine's variables and commands in the lines of a script that moves to Slurm.
import {data} from "../data.js"
import {FROM_GRID_ENGINE} from "../rules/commands.js"

const ARITHMETIC = /\(\(.*?\)\)|\b(?:environ(?:\.get)?|getenv|ENV)[[({]\s*["']?\w+["']?/g // names without $
// What other languages read, with its quotation mark; a default may follow.
const READS = name =>
  RegExp(
    `(?:\\b(?:os|Sys)\\.|\\$)?\\b(?:environ(?:\\.get)?|getenv|ENV)[[({]\\s*(["']?)${name}\\1(?:,[^\\])}]*)?[\\])}]`,
    "g",
  )
const HOSTS = 'scontrol show hostnames "$SLURM_JOB_NODELIST"'
const COMMANDS =
  /(?<=^|[;&|(`!]|\b(?:if|then|else|do)\b)(\s*)(q(?:sub|stat|del|acct|alter))\b([^;&|)`<>#]*)(\|[^;&)`#]*)?/g
// The list of hosts that Grid Engine's start of a parallel job leaves.
const MACHINES = /(?<=\bmpi(?:run|exec)\s.*?)--?(?:machine|host)file[= ]["']?\$\{?TMPDIR\}?\/machines["']? ?/
// Names that Grid Engine gives to a job's output, which `-o` and `-e` may change.
const LOGS = /(?<!>\s*["']?[^\s"']*)[\w.-]+\.[oe](?:\*|\$\{?JOB_ID\b\}?)/
// https://github.com/hpc-gridware/clusterscheduler, doc/markdown/man/man5/sge_conf.md, FORBID_RESCHEDULE
const AGAIN = "After `exit 99`, Grid Engine runs the job again. In Slurm, write `scontrol requeue $SLURM_JOB_ID`."
// A comment that says how another job was submitted.
const HELD = /^\s*#(?![!$]).*?\b(qsub\s[^;&|)`<>#]*-hold_jid\s[^;&|)`<>#]*)/
const NONE = "\uE020" // in place of an option that has no certain meaning
// Options of qsub that have one meaning in sbatch.
const SUBMIT = {
  cwd: () => "",
  V: () => "",
  terse: () => "--parsable ",
  N: name => `--job-name=${name} `,
  t: tasks => `--array=${tasks} `,
  v: list => `--export=ALL,${list} `,
  l: list => list.split(",").map(request).join(""),
}
/** Of one core, because with -pe, nothing is certain. */
function request(each) {
  const [, name, value] = /^(h_rt(?==[\d:]*:)|h_vmem(?==\d+[MG]$))=(\S+)$/.exec(each) ?? []
  return name ? `--${name === "h_rt" ? "time" : "mem"}=${value} ` : NONE
}

/**
 * @param {any} job as job.js makes it @param {string[]} lines of the script @param {Set<string>} said what cannot be moved, UPDATED
 * @returns {(line: string) => [string | null, string]} a line in Slurm's words, and why
 */
export function fromGridEngine(job, lines, said) {
  const terse = lines.some(line => /\bqsub\b.*\s-terse\b/.test(line)) // variables hold bare job IDs
  for (const line of lines) {
    const [, command] = HELD.exec(line) ?? []
    if (command) said.add(advice(command.trim(), "qsub", job))
  }
  return line => moved(line, job, terse, said)
}

/** @returns {[string | null, string]} */
function moved(line, job, terse, said) {
  const [logs] = /^\s*#/.test(line) ? [] : (LOGS.exec(line) ?? [])
  if (logs && ![...said].some(each => each.includes("of Grid Engine's output")))
    said.add(
      `\`${logs}\` is a file of Grid Engine's output. Slurm writes output and errors to one file, \`slurm-ID.out\` or that of --output, so change the name.`,
    )
  if (/^[^#]*\bexit 99\b/.test(line)) said.add(AGAIN)
  if (/^\s*export CUDA_VISIBLE_DEVICES=["']?\$\{?SGE_\w+\}?["']?\s*$/.test(line))
    return [null, "Slurm sets this variable itself."]
  const named = variables(line, job)
  const alone = named.replace(MACHINES, "")
  const hosts = alone.replace(/\bcat\s+"?\$\{?PE_HOSTFILE\}?"?(?=\s*(?:;|$))/g, HOSTS)
  if (/\bPE_HOSTFILE\b/.test(hosts))
    said.add(
      `\`$PE_HOSTFILE\` lists nodes and slots. In Slurm, \`${HOSTS}\` lists the nodes, and srun and mpirun need no list.`,
    )
  const now = hosts.replace(COMMANDS, (whole, blank, name, rest, pipe = "") => {
    const found = name === "qsub" ? submit(rest, terse, job) : asked(name, rest.trim(), pipe)
    if (found === null) said.add(advice(whole.trim(), name, job))
    return found === null ? whole : `${blank}${found}${name === "qsub" ? pipe : ""}`
  })
  const why = named === now ? "This is Slurm's name for the variable." : "This is Slurm's equivalent."
  return [now, alone === named ? why : "In Slurm, mpirun needs no list of hosts."]
}

function variables(line, {old, array, tasks}) {
  const last = /-(\d+):/.exec(tasks ?? "")?.[1] // with a step, Slurm's greatest index is that of its last task
  if (last)
    line = line
      .replace(READS("SGE_TASK_LAST"), (_, quote) => `${quote}${last}${quote}`)
      .replace(/\$SGE_TASK_LAST\b|\$\{SGE_TASK_LAST(?::?[-=][^{}]*)?\}|(?<![\w"'{])SGE_TASK_LAST\b/g, last)
  if (/\bundefined\b/.test(line))
    line = line
      .replace(/\benviron\[((["'])SGE_TASK_ID\2)\]/g, "environ.get($1, $2undefined$2)")
      .replace(/\$SGE_TASK_ID\b|\$\{SGE_TASK_ID\}/g, "${SLURM_ARRAY_TASK_ID:-undefined}")
  const all = {...data.move.variables}
  for (const [old, now] of Object.entries(FROM_GRID_ENGINE)) all[`$${old}`] ??= `$${now}`
  if (old.tasks * old.nodes > 1) all.$NSLOTS = "$SLURM_NTASKS" // its slots are processes
  if (array) all.$JOB_ID = "$SLURM_ARRAY_JOB_ID" // Slurm's other one is of one task
  for (const [old, now] of Object.entries(all)) {
    const bare = RegExp(`(?<![\\w$])${old.slice(1)}\\b`, "g")
    line = line
      .replace(RegExp(`(\\$\\{?)${old.slice(1)}\\b`, "g"), (_, sign) => sign + now.slice(1))
      .replace(ARITHMETIC, part => part.replace(bare, now.slice(1)))
  }
  return line
}

/** sbatch for these words of qsub; null where its options are not certain. */
function submit(rest, terse, {array}) {
  let found = ""
  let words = rest
  for (let option; (option = /^\s+-(\w+)\s*/.exec(words));) {
    words = words.slice(option[0].length - 1).trimStart()
    const [value] = /^\S*/.exec(words)
    const own = value.replace(/\$\{?SLURM_JOB_NAME\}?/, `$SLURM_${array ? "ARRAY_" : ""}JOB_ID`) // not by its name
    if (
      option[1] === "hold_jid" &&
      RegExp(`^"?(?:[\\d,]+|\\$\\{?SLURM_\\w+\\}?${terse ? "|\\$\\{?\\w+\\}?" : ""})"?$`).test(value)
    )
      found += `--dependency=afterany:${own.replace(/,/g, ":")} `
    else found += SUBMIT[option[1]]?.(value) ?? NONE
    if (/^(?:hold_jid|N|t|v|l)$/.test(option[1])) words = words.slice(value.length)
    words = ` ${words.trimStart()}`
  }
  return found.includes(NONE) ? null : `sbatch ${found}${words.trimStart()}`
}

/** Slurm's command for one that shows or ends jobs; null where its output is read. */
function asked(name, rest, pipe) {
  const job = /^-j\s+(\S+)$/.exec(rest)?.[1]
  if (job && /^\|\s*grep\s+(?:-\w+\s+)*["']?\w*(?:usage|maxvmem|cpu|mem)\b/.test(pipe))
    return `sacct --jobs=${job} --format=JobID,Elapsed,TotalCPU,MaxRSS`
  if (pipe || name === "qalter") return null
  if (name === "qdel") return `scancel ${rest}`
  if (job) return name === "qacct" ? `sacct --jobs=${job}` : `scontrol show job ${job}`
  const [, user] = /^-u\s+(\S+)$/.exec(rest) ?? []
  return name === "qstat" && user ? `squeue --user=${user}` : name === "qstat" && !rest ? "squeue --me" : null
}

const advice = (command, name, {array, title}) => {
  const [, held, rest] = /-hold_jid\s+["']?([\w.-]+)["']?\s+(?:-\S+\s+)*(\S+)/.exec(command) ?? []
  if (title && held === title && name === "qsub")
    return `\`${command}\` waits for this job by its name. If \`${rest}\` is this script, write \`sbatch --dependency=singleton ${rest}\`, which waits for all jobs of its own name. If it is another script, move it as well, and write \`sbatch --dependency=afterany:ID ${rest}\` with the ID of this job.`
  return name === "qsub"
    ? `Replace \`${command}\` with sbatch and Slurm's options${/-hold_jid\b/.test(command) ? `: for -hold_jid, write --dependency=afterany:ID with the ID of the job that it waits for. That of this job is \`$SLURM_${array ? "ARRAY_" : ""}JOB_ID\`` : ""}.`
    : `\`${command}\` reads or changes Grid Engine's jobs. Use squeue, sacct or scontrol, with their own output.`
}
