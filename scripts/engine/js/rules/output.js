// Output files, and mail.
import {swap, value} from "../fixes/edits.js"
import {byWord} from "../script/by_word.js"

const SIGNS = {x: "%x", a: "%a", A: "%A", j: "%j", u: "%u", N: "%N"}
/** @type {[RegExp, string][]} */
const MEANT = [
  [/name.*job|job.*name/i, "%x"],
  [/user/, "%u"],
  [/task|array/, "%a"],
  [/node|host/, "%N"],
  [/job/i, "%j"],
]
const signOf = word => SIGNS[word] ?? MEANT.find(([pattern]) => pattern.test(word))?.[1]
const MAIL = byWord({
  END: "finish finished done complete completed ends e",
  FAIL: "error abort failed failure a",
  BEGIN: "start started b",
  ALL: "abe bea",
  "BEGIN,END": "be",
})
const mail = text => [...new Set(text.split(",").map(word => MAIL[word.toLowerCase()] ?? word))].join(",")

/** Creates the script folders where it is not a job yet, and then submits itself? */
const submitsItself = commands =>
  commands.some(({name, certain}, at) => {
    const next = name === "mkdir" && !certain && commands.slice(at + 1).find(each => each.name !== "mkdir")
    return next && next.name === "sbatch" && /\$\{?(?:0|BASH_SOURCE)\b/.test(next.text)
  })

/** @type {Partial<Rule>} */
export const usual = {kind: "ignored", schedulers: ["slurm"], where: "directive"}

/** @type {Record<string, Rule>} */
/** Does the job itself create this directory? */
function makes(commands, folder) {
  const named = folder.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
  const made = commands.flatMap(({text}) => (text.startsWith("mkdir") ? [text] : [])).join(" ")
  return new RegExp(`[ /'"]${named}/?(['" ]|$)`).test(made)
}

export const rules = {
  "output-sign-unknown": {
    options: ["output", "error", "input"],
    pattern: /%(?![%AabJjNnstuxW]|\d+[AajJNnstux])\w*/u,
    words: "Slurm does not replace `{0}` in `{written}`.",
    cure: "Use %j for the job ID, %x for the job's name, or %A_%a in an array.",
    bad: [
      "#SBATCH --output=%d.out",
      "#SBATCH --output=%x-%i.out",
      "#SBATCH --output=%J-%k.out",
      "#SBATCH --error=%e.err",
    ],
    good: ["#SBATCH --output=%x-%j.out", "#SBATCH --output=%4j.out", "#SBATCH --output=%N-%u.out"],
  },
  "output-sign-too-long": {
    options: ["output", "error", "input"],
    pattern:
      /%(jobid|job_id|jobname|job_name|job-name|jobId|jobID|job|JobID|user|username|name|node|nodename|host|hostname|array|array_id|task|taskid|task_id|array_task_id|xname)(?![a-z])/u,
    words: "Slurm replaces only the first letter of `{0}` in `{written}` and keeps the rest.",
    cure: "Use %j for the job ID, %x for the job's name, %u for the user, or %a in an array.",
    fix: value(text => text.replace(/%([A-Za-z_-]+?)(?=[.%]|-%|_%|$)/g, (whole, word) => signOf(word) ?? whole)),
    bad: ["#SBATCH --output=%jobid.out", "#SBATCH --output=x-%job_id.out", "#SBATCH --output=%user.log"],
    good: ["#SBATCH --output=%j.out", "#SBATCH --output=%x.job"],
  },
  "output-in-braces": {
    options: ["output", "error", "input"],
    pattern: /%?[{(](\w+)[})]|\[(j|jobid|job_id|A|a|x)\]/u,
    unless: /\$/u,
    words: "`{0}` in `{written}` stays unchanged.",
    cure: "Use %j for the job ID, %x for the job's name, or %a in an array.",
    fix: value(text => text.replace(/%?[{([](\w+)[})\]]/g, (whole, word) => signOf(word) ?? whole)),
    bad: [
      "#SBATCH --output=out.{j}",
      "#SBATCH --output=%{j}.out",
      "#SBATCH --output=%(jobid).out",
      "#SBATCH --output={job}.out",
    ],
    good: ["#SBATCH --output=%j.out", "#SBATCH --output=(%j.out"],
  },
  "output-is-a-folder": {
    kind: "fails",
    options: ["output", "error"],
    pattern: /\/$|^\.{1,2}$/u,
    words: "`{written}` names a directory, so the job ends immediately.",
    cure: "Add a file name: %x-%j.out.",
    fix: value(text => `${text.replace(/\/$/, "")}/%x-%j.out`),
    bad: ["#SBATCH --output=logs/", "#SBATCH --error=.", "#SBATCH --output=/tmp/"],
    good: ["#SBATCH --output=/tmp/%j.out", "#SBATCH --output=./%j.out"],
  },
  "output-folder-made-too-late": {
    kind: "unwise",
    schedulers: ["slurm", "grid_engine"],
    /** The folder of the output is made by the job itself, which starts only once its output is open. */
    *find({options, commands}) {
      if (submitsItself(commands)) return
      const told = new Set()
      for (const {name, value, line, written} of options) {
        const whole = value ?? ""
        const folder = whole.slice(0, Math.max(0, whole.lastIndexOf("/"))).replace(/^\.\//, "")
        if (!folder || !["output", "error", "o", "e"].includes(name)) continue
        if (!makes(commands, folder) || told.has(folder)) continue
        told.add(folder)
        yield {line, matched: [whole, folder], written}
      }
    },
    words: "the job creates the directory `{1}` itself, but the scheduler opens the output before the job starts.",
    cure: "Create it before you submit: mkdir -p {1}",
    bad: ["#SBATCH --error=./out/err/%j.err\nmkdir -p out/err", "#SBATCH -o logs/x.out\nmkdir logs/"],
    good: ['#SBATCH -o logs/%j\nif [ -z $SLURM_JOB_ID ]; then\n  mkdir -p logs\n  sbatch "$0"\n  exit\nfi\n./a'],
  },
  "output-folder": {
    kind: "doubtful",
    /** Silent where a comment has `mkdir`, or names the folder, and where it is the top of a storage. */
    *find({options, comments, commands}) {
      if (submitsItself(commands)) return
      const told = new Set()
      for (const {name, value, line, written} of options) {
        const [, folder] = /^([\/.]*[^\/.].*)\/[^\/]+$/u.exec(value ?? "") ?? []
        if (!folder || !["output", "error"].includes(name) || /^\/(dev|tmp)\/|[$~`<]/u.test(value)) continue
        if (/^\/[\w-]+\/(?:%u|[\w-]+)$/.test(folder)) continue
        const last = folder.split("/").filter(Boolean).at(-1)
        if (makes(commands, folder.replace(/^\.\//, ""))) continue // told as made too late
        if (comments.some(([, text]) => /\bmkdir\b/.test(text) || text.includes(`${last}/`)) || told.has(folder))
          continue
        told.add(folder)
        yield {line, matched: [value, folder.replace(/%u/g, "$USER")], written}
      }
    },
    words:
      "the directory `{1}` must exist when the job starts. Slurm does not create it, and without it, the job ends immediately with no output.",
    cure: "Create it before you submit: mkdir -p {1}",
    bad: ["#SBATCH --output=logs/%j.out", "#SBATCH --output=/scratch/x/logs/%j.out", "#SBATCH -e ./err/%x.err"],
    good: [
      "#SBATCH --output=%j.out",
      "#SBATCH --output=./%j.out",
      "#SBATCH --output=/dev/null",
      "#SBATCH --output=../%j.out",
      "#SBATCH --output=/scratch/x/%j.out",
      "# mkdir -p logs before you submit\n#SBATCH --output=logs/%j.out",
    ],
  },
  "job-name-with-slash": {
    kind: "unwise",
    pattern: /(?:--job-name[= ]|-J\s*)(\S*\/\S*)/u,
    unless: /^#SBATCH --comment/u,
    words: "`{1}` contains a slash, so with %x in the output's name, the part before the slash is a directory.",
    cure: "Replace the slash with a hyphen.",
    fix: bench =>
      bench.swap(/((?:--job-name[= ]|-J\s*))(\S+)/, (_, option, name) => option + name.replaceAll("/", "-")),
    bad: ["#SBATCH --job-name=a/b", "#SBATCH -J a/b"],
    good: ["#SBATCH --job-name=a-b", "#SBATCH --output=./x.out"],
  },
  "mail-user-alone": {
    options: ["mail-user"],
    pattern: /^.+$/u,
    without: ["mail-type"],
    words: "`{written}` without --mail-type sends no mail.",
    cure: "Add --mail-type=END,FAIL.",
    fix: bench => bench.directive("--mail-type=END,FAIL"),
    bad: ["#SBATCH --mail-user=me@uni.ac.uk", "#SBATCH --mail-user me@uni.ac.uk"],
    good: ["#SBATCH --mail-user=me@uni.ac.uk\n#SBATCH --mail-type=END"],
  },
  "mail-type-unknown": {
    kind: "refused",
    options: ["mail-type"],
    pattern:
      /^(?!.*(\b(NONE|BEGIN|END|FAIL|REQUEUE|ALL|INVALID_DEPEND|STAGE_OUT|TIME_LIMIT|TIME_LIMIT_90|TIME_LIMIT_80|TIME_LIMIT_50|ARRAY_TASKS)\b)).+$/iu,
    unless: /\$|`|[^\x00-\x7f]|^=/iu,
    words: "`{written}` is not an event that Slurm sends mail for.",
    cure: "Write --mail-type=END,FAIL or --mail-type=ALL.",
    fix: value(mail),
    bad: [
      "#SBATCH --mail-type=Finish",
      "#SBATCH --mail-type=abe",
      "#SBATCH --mail-type=ERROR",
      "#SBATCH --mail-type=yes",
    ],
    good: ["#SBATCH --mail-type=end,fail", "#SBATCH --mail-type=ALL", "#SBATCH --mail-type=TIME_LIMIT_80"],
  },
  "mail-type-partly-unknown": {
    options: ["mail-type"],
    pattern:
      /(?:^|,)(?!(?:NONE|BEGIN|END|FAIL|REQUEUE|ALL|INVALID_DEPEND|STAGE_OUT|TIME_LIMIT|TIME_LIMIT_90|TIME_LIMIT_80|TIME_LIMIT_50|ARRAY_TASKS)(?:,|$))([^,]+)/iu,
    unless: /^[^,]*$|[\s$]/iu,
    words: "`{1}` in `{written}` is not an event that Slurm sends mail for.",
    cure: "Write END, FAIL, BEGIN, REQUEUE, TIME_LIMIT or ALL, separated by commas.",
    fix: value(mail),
    bad: ["#SBATCH --mail-type=END,DONE", "#SBATCH --mail-type=ERROR,END"],
    good: ["#SBATCH --mail-type=END,FAIL", "#SBATCH --mail-type=BEGIN,END,TIME_LIMIT_90"],
  },
  "mail-type-separator": {
    kind: "refused",
    options: ["mail-type"],
    pattern: /^\w+\s*[|;:+\/]\s*\w+/u,
    words: "`{written}` has words without commas between them.",
    cure: "Separate them with commas: --mail-type=END,FAIL.",
    fix: value(text => text.split(/\s*[|;:+/]\s*/).join(",")),
    bad: ["#SBATCH --mail-type=END|FAIL", "#SBATCH --mail-type=END;FAIL"],
    good: ["#SBATCH --mail-type=END,FAIL"],
  },
  "mail-address": {
    kind: "unwise",
    options: ["mail-user"],
    pattern: /^[^@]*(\sat\s|\(at\)|\[at\]|_at_)[^@]*$|@.*@(?!.*,)|@$|^@|@[\w-]+$|[<>]|^mailto:|^[^@]+\.[a-z]{2,4}$/iu,
    unless: /[$`,]|^<[^@]*$/iu,
    words: "`{written}` is not an email address.",
    cure: "Write name@place.org.",
    fix: value(text =>
      text
        .replace(/^mailto:/, "")
        .replace(/^<(.*)>$/, "$1")
        .replace(/\s*(\(at\)|\[at\]|_at_)\s*/, "@"),
    ),
    bad: [
      "#SBATCH --mail-type=END --mail-user=@uni.org",
      "#SBATCH --mail-type=END --mail-user=me@",
      "#SBATCH --mail-type=END --mail-user=me_at_uni.ac.uk",
      "#SBATCH --mail-type=END --mail-user=me@uni",
      "#SBATCH --mail-type=END --mail-user=mailto:me@uni.org",
      "#SBATCH --mail-type=END --mail-user=me.uni.org",
      "#SBATCH --mail-type=END --mail-user=<me@uni.org>",
    ],
    good: ["#SBATCH --mail-type=END --mail-user=me@uni.ac.uk", "#SBATCH --mail-type=END --mail-user=me"],
  },
  "open-mode": {
    kind: "refused",
    options: ["open-mode"],
    pattern: /^(?!(a|append|t|truncate)$).+$/u,
    words: "`{written}` is neither append nor truncate.",
    cure: "Write --open-mode=append.",
    fix: value(text =>
      /^(w|write|overwrite|trunc\w*|new)$/i.test(text)
        ? "truncate"
        : /^(app\w*|add|a\+)$/i.test(text)
          ? "append"
          : null,
    ),
    bad: ["#SBATCH --open-mode=overwrite", "#SBATCH --open-mode=w"],
    good: ["#SBATCH --open-mode=append", "#SBATCH --open-mode=truncate"],
  },
  "output-backslash": {
    pattern: /\s(?:--(?:output|error|input|chdir)[= ]|-[oeiD]\s*)["']?([^\s"'#]*\\[^\s"']+)/u,
    words: "the backslash in `{1}` does not separate directories.",
    cure: "Write / instead.",
    fix: swap(/\\/g, "/"),
    bad: ["#SBATCH --chdir=C:\\run", "#SBATCH --output=run\\%j.out", "#SBATCH --error=C:\\x.err"],
    good: ["#SBATCH --output=%j.out"],
  },
}
