// How options are written, whatever their values are.
import {DASH, plain, swap, value, withoutOption, withoutWords} from "../fixes/edits.js"
import {sbatchOptions} from "../schedulers/slurm/option_table.js"
import {byWord} from "../script/by_word.js"
import {nearest, words} from "../script/text.js"
import {saidTwice, stray} from "./given.js"

const LONG = {err: "error", out: "output", jobname: "job-name", cpus: "cpus-per-task"}
const ALIAS = byWord({
  time: "walltime",
  partition: "queue",
  account: "project",
  "job-name": "name",
  "cpus-per-task": "cores threads cpu-per-task",
  output: "stdout",
  error: "stderr",
  "mail-user": "email",
  nodelist: "node-list",
  mem: "memory",
  gpus: "gpu",
})
const SIGNS = byWord({
  "%j": "SLURM_JOB_ID SLURM_JOBID JOB_ID",
  "%x": "SLURM_JOB_NAME JOB_NAME",
  "%a": "SLURM_ARRAY_TASK_ID",
  "%A": "SLURM_ARRAY_JOB_ID",
  "%u": "USER",
})
// Rules in pairs: of options of which Slurm takes any text as the value, and of those that it refuses then.
const EQUALS = {
  pattern: /^=(.+)/u,
  words: "Slurm reads the equals sign in `{written}` as part of the value, `{0}`.",
  cure: "Write an equals sign only after a long option.",
  fix: ({words, option}) =>
    option && words(option.written.replace(/^(-\w)=/, "$1 ").replace(/^(--[\w-]+)[\s=]+=/, "$1=")),
}
const ONE_DASH = {
  words: "`{0}` has one hyphen, so Slurm reads its first letter as an option and the rest as the value.",
  cure: "Write -{0}.",
  fix: swap(/\s-([a-z][a-z-]+)(?=[=\s]|$)/, (_, name) => ` --${LONG[name] ?? name}`),
}
const TYPOGRAPHIC = {cure: "Type the line again.", fix: value(plain)}
const COMMA = {
  cure: "Separate options with spaces, or write each on its own line.",
  fix: bench => bench.to(bench.line.replace(/[,;]\s*$/, "").replace(/[,;](?=\s|--)\s*/g, " ")),
}
const dashes = name => (name.length > 1 ? `--${name}` : `-${name}`)

/** @type {Partial<Rule>} */
export const usual = {kind: "ignored", schedulers: ["slurm"], where: "directive"}

/** @type {Record<string, Rule>} */
export const rules = {
  "short-option-with-equals": {
    options: ["account", "job-name", "output", "error", "input", "chdir", "qos", "comment"],
    ...EQUALS,
    bad: [
      "#SBATCH -A=project",
      "#SBATCH -J=name",
      "#SBATCH -o=out.log",
      "#SBATCH --job-name =x",
      "#SBATCH -D=/tmp",
      "#SBATCH --output==x.log",
    ],
    good: ["#SBATCH -Jname", "#SBATCH -J name", "#SBATCH --job-name=a=b"],
  },
  "short-option-with-equals-refused": {
    kind: "refused",
    options: words(`time ntasks cpus-per-task nodes partition array distribution nodelist dependency constraint mem
      begin gres mem-per-cpu ntasks-per-node gpus gpus-per-node gpus-per-task mail-type cpus-per-gpu`),
    ...EQUALS,
    bad: [
      "#SBATCH -t=10",
      "#SBATCH -n=4",
      "#SBATCH -N=2",
      "#SBATCH -c=4",
      "#SBATCH -G=1",
      "#SBATCH --gpus-per-node==1",
      "#SBATCH --mail-type==END",
      "#SBATCH --mem =4G",
    ],
    good: ["#SBATCH -n4", "#SBATCH -t 10", "#SBATCH --ntasks=4"],
  },
  "one-dash-taken": {
    pattern:
      /\s-(output|error|err|out|input|exclusive|export|exclude|qos|signal|verbose|hold|overcommit|open-mode)(?=[=\s]|$)/u,
    ...ONE_DASH,
    bad: ["#SBATCH -output=x.log", "#SBATCH -error=x.log", "#SBATCH -exclusive", "#SBATCH -qos=x"],
    good: ["#SBATCH --output=x.log", "#SBATCH -o x.log", "#SBATCH --comment=-output"],
  },
  "one-dash-refused": {
    kind: "refused",
    pattern:
      /\s-(time|partition|job-name|jobname|account|array|mem|mem-per-cpu|nodes|nodelist|ntasks|ntasks-per-node|tasks-per-node|cpus-per-task|cpus|gres|gpus|gpus-per-node|chdir|mail-type|mail-user|constraint|dependency|requeue|reservation|wait|licenses|tmp|begin|gpus-per-task)(?=[=\s]|$)/u,
    ...ONE_DASH,
    bad: [
      "#SBATCH -time=10",
      "#SBATCH -partition=gpu",
      "#SBATCH -job-name=x",
      "#SBATCH -mem=4G",
      "#SBATCH -ntasks=2",
      "#SBATCH -gres=gpu:1",
    ],
    good: ["#SBATCH --ntasks=2", "#SBATCH -n 2", "#SBATCH --comment=-time"],
  },
  "blank-after-equals": {
    kind: "refused",
    /** An option that ends with an equals sign, and its value as a word of its own. */
    *find({options}) {
      for (const [before] of stray(options))
        if (before) {
          const where = /\s=$/.test(before.written) ? "spaces around" : "a space after"
          yield {line: before.line, matched: [before.written, where], written: before.written}
        }
    },
    words: "`{0}` has {1} the equals sign.",
    cure: "Write --option=value without spaces, or a short option, a space and its value.",
    fix: bench => bench.to(bench.line.replace(/(--[\w-]+)\s*=\s+/g, "$1=").replace(/(\s-[A-Za-z])\s*=\s+/g, "$1 ")),
    bad: ["#SBATCH --time= 10", "#SBATCH --job-name = x", "#SBATCH --nodes=  2", "#SBATCH -c = 4", "#SBATCH -t= 10"],
    good: [
      "#SBATCH --comment x",
      "#SBATCH --ntasks 2 # not --ntasks = 2",
      "#SBATCH --comment='-n = 3'",
      "#SBATCH --comment='a = b'",
    ],
  },
  "dashes-missing": {
    kind: "refused",
    pattern:
      /^#SBATCH\s+(job-name|account|partition|time|nodes|ntasks|ntasks-per-node|cpus-per-task|mem|mem-per-cpu|gres|gpus|gpus-per-node|output|error|array|mail-type|mail-user|constraint|exclusive|export|qos|chdir)(?=[=\s]|$)/u,
    words: "`{1}` has no hyphens.",
    cure: "Write --{1}.",
    fix: swap(/^#SBATCH\s+/, "#SBATCH --"),
    bad: ["#SBATCH time=10", "#SBATCH job-name=x", "#SBATCH nodes 2"],
    good: ["#SBATCH --time=10", "#SBATCH hetjob"],
  },
  "typographic-dash": {
    kind: "refused",
    pattern: /[\s\u00a0](-?[\u2010\u2011\u2012\u2013\u2014\u2015\u2212]-?[\w-]+)/u,
    words: "`{1}` contains a typographic dash, probably from a word processor.",
    cure: "Retype it with hyphens (-).",
    fix: bench => bench.swap(new RegExp(`[\\s\\u00a0]-?[${DASH}]+-?([\\w-]+)`, "g"), (_, name) => ` ${dashes(name)}`),
    bad: ["#SBATCH –time=10", "#SBATCH —time=10", "#SBATCH -–time=10", "#SBATCH –p gpu"],
    good: ["#SBATCH --comment=a–b", "# a comment – with a dash"],
  },
  "typographic-sign-kept": {
    options: ["job-name", "output", "error", "comment", "account", "chdir", "mail-user", "input"],
    pattern: /[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u00a0\u202f\u200b\u00ad\ufeff]/u,
    words: "`{written}` contains a typographic quote or space from a word processor.",
    ...TYPOGRAPHIC,
    bad: ["#SBATCH --job-name=“x”", "#SBATCH --output=‘a.log’", "#SBATCH --job-name=a "],
    good: ['#SBATCH --job-name="x"', "#SBATCH --comment=Grüße"],
  },
  "typographic-sign-refused": {
    kind: "refused",
    options: words(`time mem mem-per-cpu mem-per-gpu nodes ntasks ntasks-per-node cpus-per-task partition array
      mail-type constraint`),
    pattern:
      /[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u00a0\u202f\u200b\u00ad\ufeff\u2013\u2014\u2212\u2010\u2011]/u,
    words: "`{written}` contains a typographic character from a word processor.",
    ...TYPOGRAPHIC,
    bad: ["#SBATCH --time=“10”", "#SBATCH --ntasks=2​", "#SBATCH --nodes=1–2", "#SBATCH --mem=4G "],
    good: ['#SBATCH --ntasks="2"', "#SBATCH --nodes=1-2"],
  },
  "hash-inside-a-value": {
    pattern: /^#SBATCH[^"']*[^\s"'\\](#\S*)/u,
    words: "`{1}` is cut off, because everything after a # is a comment.",
    cure: "Put the value in quotes, or choose a value without #.",
    fix: swap(/(?<==)([^\s"'\\]*[^\s"'\\]#\S*)/, '"$1"'),
    bad: ["#SBATCH --job-name=a#b", "#SBATCH --output=run#1.log"],
    good: ["#SBATCH --job-name=a # b", "#SBATCH --comment='a#b'"],
  },
  "quote-not-closed": {
    kind: "refused",
    pattern: /^#SBATCH\s(?:[^"'#\\]|\\.)*(('[^']*)|("[^"]*))$/u,
    words: "`{1}` lacks its closing quote.",
    cure: "Add the quote.",
    fix: bench => {
      const quote = /["']/.exec(bench.line)[0]
      return [bench.to(bench.line + quote), bench.to(bench.line.replace(quote, ""))]
    },
    bad: ["#SBATCH --job-name='my job", '#SBATCH --job-name="my job', '#SBATCH --job-name=my" job'],
    good: ["#SBATCH --comment='my job'", "#SBATCH --comment=x # don't"],
  },
  "comma-between-options": {
    pattern:
      /--(job-name|output|error|comment|account|chdir|mail-user)[= ][^\s,;"']*[,;](?=\s|$)|--(job-name|output|error|comment|account|chdir)[= ][^\s,"']*[,;]\s*--\w.*/u,
    words: "the character at the end of `{0}` becomes part of the value.",
    ...COMMA,
    bad: ["#SBATCH --job-name=x, --comment=y", "#SBATCH --job-name=x;", "#SBATCH --job-name=x,--comment=y"],
    good: ["#SBATCH --job-name=x --comment=y", "#SBATCH --comment='a, b'"],
  },
  "comma-behind-a-number": {
    kind: "refused",
    options: words("time mem mem-per-cpu nodes ntasks ntasks-per-node cpus-per-task partition array"),
    pattern: /[,;]$|[,;]\s*-/u,
    words: "the comma or semicolon in `{written}` becomes part of the value.",
    ...COMMA,
    bad: ["#SBATCH --ntasks=2, --nodes=1", "#SBATCH --time=10;", "#SBATCH --mem=4G,--ntasks=1"],
    good: ["#SBATCH --ntasks=2 --nodes=1", "#SBATCH --array=1,2"],
  },
  "stray-word": {
    kind: "refused",
    /** A word in a directive that belongs to no option. Behind `--time =` it is the value, which another rule tells. */
    *find({options}) {
      for (const [before, {line, written}] of stray(options)) if (!before) yield {line, matched: [written], written}
    },
    words: "`{0}` belongs to no option.",
    cure: "Put a value with spaces in quotes. Begin a comment with #.",
    fix: bench => bench.swap(/(--(?:job-name|comment)=)([^\s"'#-][^"'#-]*\s[^"'#-]*?)(?=\s+-|\s*$)/, '$1"$2"'),
    bad: [
      "#SBATCH --job-name=my job",
      "#SBATCH --time=10 minutes",
      "#SBATCH --exclusive user",
      "#SBATCH --array=1, 2, 3",
    ],
    good: ["#SBATCH --job-name='my job'", "#SBATCH --comment=x # a word"],
  },
  "unknown-option": {
    kind: "refused",
    /** A word that begins with two dashes and is no option of sbatch. */
    *find({options}) {
      for (const {known, written, line} of options) {
        if (known || !/^--[\w-]/.test(written)) continue
        const name = words(written.slice(2).split("=")[0])[0]
        const close = nearest(name, sbatchOptions())
        yield {line, matched: [`--${name}`, close ? `Did you mean --${close}?` : ""], written}
      }
    },
    words: "sbatch has no option {0}, or has several that begin with it.",
    cure: "{1}",
    fix: bench => {
      const name = /^--([\w-]+)/.exec(bench.option?.written ?? "")?.[1]
      const near = name && (ALIAS[name] ?? nearest(name, sbatchOptions()))
      return near && bench.swap(new RegExp(`--${name}(?=[=\\s]|$)`), `--${near}`)
    },
    bad: [
      "#SBATCH --cpu-per-task=4",
      "#SBATCH --walltime=1:00:00",
      "#SBATCH --ntask=4",
      "#SBATCH --gpu=1",
      "#SBATCH --cpus_per_task=4",
      "#SBATCH --time:20",
      "#SBATCH --pty bash",
    ],
    good: ["#SBATCH --job=x", "#SBATCH --cpus-per-t=1"],
  },
  "said-twice": {
    /** An option that is there twice with two values: the last one counts. */
    *find({kind, options}) {
      yield* saidTwice(kind, options)
    },
    words: "`{0}` has no effect, because line {2} sets `{1}`.",
    cure: "Keep one of the two.",
    fix: withoutOption,
    bad: [
      "#SBATCH --ntasks=1\n#SBATCH --ntasks=2",
      "#SBATCH -n 1\n#SBATCH --ntasks=2",
      "#SBATCH --job-name=a --job-name=b",
    ],
    good: ["#SBATCH --ntasks=1\n#SBATCH --ntasks=1", "#SBATCH --mail-type=END\n#SBATCH --mail-type=FAIL"],
  },
  "tasks-is-tasks-per-node": {
    pattern: /\s--tasks?[= ](?!1\b)\d+/u,
    words: "`{0}` is short for --ntasks-per-node, not for --ntasks.",
    cure: "Write the option's full name.",
    bad: ["#SBATCH --tasks=4", "#SBATCH --tasks 2"],
    good: ["#SBATCH --tasks=1", "#SBATCH --ntasks=2", "#SBATCH --tasks-per-node=2"],
  },
  "cores-is-cores-per-socket": {
    pattern: /\s--cores(?==|\s)/u,
    words: "`{0}` is short for --cores-per-socket, which selects a kind of node and requests no cores.",
    cure: "Write --cpus-per-task.",
    fix: swap(/--cores(?==|\s)/, "--cpus-per-task"),
    bad: ["#SBATCH --cores=4", "#SBATCH --cores 8"],
    good: ["#SBATCH --cpus-per-task=4", "#SBATCH --cores-per-socket=4"],
  },
  placeholder: {
    kind: "unwise",
    schedulers: ["slurm", "grid_engine"],
    pattern:
      /^#(?:SBATCH|\$)(?:[^#"]|"[^"]*")*?(<[A-Za-z][\w .\/-]*>|\b(?:YOUR|MY|your|my)[_-](?:ACCOUNT|account|PROJECT|project|PARTITION|partition|EMAIL|email|JOB[_-]NAME|job[_-]name|NAME)\b|\bX{3,}\b|=\s*(?:CHANGE_?ME|FIXME|TODO|REPLACE_?ME)\b|\{\{)/u,
    words: "`{1}` is a placeholder.",
    cure: "Replace it with your own value.",
    bad: ["#SBATCH --account=<project>", "#SBATCH --job-name=<name>", "#SBATCH --account=YOUR_ACCOUNT"],
    good: [
      "#SBATCH --account=def-someuser",
      "#SBATCH --account=project_2001234",
      "#SBATCH --account=project_2001234  # replace <project> by yours",
    ],
  },
  "variable-in-directive": {
    options: words(`account job-name output error input chdir partition time mem mem-per-cpu nodes ntasks
      ntasks-per-node cpus-per-task gres gpus gpus-per-node array mail-user mail-type export comment qos constraint
      dependency nodelist reservation begin tmp`),
    pattern: /\$[A-Za-z_{(][^\/,;]*|`[^`]*`?/u,
    words: "`{0}` stays unchanged: Slurm does not expand variables in directives.",
    cure: "Write the value itself, or set this option on the command line: sbatch --{option}=...",
    fix: bench =>
      ["output", "error"].includes(bench.option?.name)
        ? bench.value(bench.option.value.replace(/\$\{?(\w+)\}?/g, (whole, name) => SIGNS[name] ?? whole))
        : null,
    bad: [
      "#SBATCH --output=$HOME/x.log",
      "#SBATCH --job-name=${USER}",
      "#SBATCH --output=$(date).log",
      "#SBATCH --job-name=`whoami`",
      "#SBATCH -o $SCRATCH/x.log",
    ],
    good: ["#SBATCH --output=%x-%j.log", "#SBATCH --comment=5$", "echo $HOME"],
  },
  "tilde-in-directive": {
    options: ["output", "error", "input", "chdir"],
    pattern: /^~[^\/]*/u,
    words: "`{0}` in a directive is a directory with that name, not your home directory.",
    cure: "Write the full path, or a path relative to where you submit.",
    bad: ["#SBATCH --output=~/x.log", "#SBATCH -o ~/x.log", "#SBATCH --chdir=~", "#SBATCH --error=~me/x.err"],
    good: ["#SBATCH --output=x~.log", "#SBATCH --output=run.log~"],
  },
  "value-missing": {
    pattern:
      /--(job-name|output|error|comment|account|partition|array|dependency|constraint|chdir|licenses|reservation)=(?=\s*$|\s+-|\s+#|""|'')/u,
    words: "`{0}` has no value.",
    cure: "Write a value, or remove the option.",
    fix: withoutWords(/\s--[\w-]+=(""|'')?(?=\s|$)/),
    bad: [
      "#SBATCH --chdir=",
      "#SBATCH --output=''",
      '#SBATCH --error=""',
      "#SBATCH --output=",
      "#SBATCH --job-name=",
      '#SBATCH --output=""',
      "#SBATCH --comment= --job-name=x",
      "#SBATCH --dependency=",
      "#SBATCH --partition=",
      "#SBATCH --array=",
    ],
    good: ["#SBATCH --output=x.log", "#SBATCH --job-name x"],
  },
  "only-prints": {
    pattern: /\s--(help|usage|version)\b|\s-[Vh](?=\s|$)/u,
    words: "`{0}` has no effect in a directive.",
    cure: "Remove it.",
    fix: withoutWords(/\s(--(help|usage|version)\b|-[Vh](?=\s|$))/),
    bad: ["#SBATCH --help", "#SBATCH --version", "#SBATCH -V", "#SBATCH --job-name=x -h"],
    good: ["#SBATCH --comment=help", "sbatch --help"],
  },
  "test-only-left-in": {
    kind: "unwise",
    pattern: /\s--test-only\b/u,
    words: "with `{0}`, Slurm only checks the job and never submits it.",
    cure: "Remove it, and use it on the command line when you need it.",
    fix: withoutWords(/\s--test-only\b/),
    bad: ["#SBATCH --test-only", "#SBATCH --comment=x --test-only"],
    good: ["#SBATCH --comment=--test-only"],
  },
}
