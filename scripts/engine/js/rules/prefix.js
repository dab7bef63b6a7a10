// Lines that look like directives but are not, or that begin the wrong way.
import {swap} from "../fixes/edits.js"
import {forBoth} from "./given.js"

/** @type {Partial<Rule>} */
export const usual = {kind: "ignored", schedulers: ["slurm"], where: "directive"}

/** @type {Record<string, Rule>} */
export const rules = {
  "blank-after-hash": {
    where: "comment",
    pattern: /^\s*#[\s\u00a0]+(?:SBATCH|Sbatch):?\s*(-{1,2}[A-Za-z][\w-]*|[a-z-]+=\S)/u,
    words: "`{0}` looks like a directive but is a comment, because there is a space after #.",
    cure: "Begin the line with #SBATCH and a space.",
    fix: swap(/^\s*#[^A-Za-z]*[A-Za-z_-]+:?[\s\u00a0]*(?=-|[a-z-]+=)/, "#SBATCH "),
    bad: ["# SBATCH --time=10", "#  SBATCH -t 10", "#\tSBATCH --nodes=1", "  # Sbatch --time=10"],
    good: ["##SBATCH --time=10", "# SBATCH lines follow", "# see sbatch --help", "# sbatch --array=1-3 job.sh"],
  },
  "directive-indented": {
    where: "comment",
    pattern: /^[\s\u00a0\u200b]+#SBATCH\b/iu,
    words: "this directive is indented, so it is a comment.",
    cure: "Begin the line with #SBATCH.",
    fix: swap(/^[\s\u00a0\u200b]+#SBATCH/, "#SBATCH"),
    bad: ["    #SBATCH --time=10", "\t#SBATCH -t 10", " #SBATCH --nodes=1"],
    good: ["    ##SBATCH --time=10", "#SBATCH    --comment=x"],
  },
  "prefix-misspelt": {
    where: "comment",
    pattern:
      /^\s*#[!\/.*@$%&+=~-]?(\w?BATCH|S\w?ATCH|SB\w?TCH|SBA\w?CH|SBAT\w?H|SBATC\w?|BSATCH|SABTCH|SBTACH|SBACTH|SBATHC|\wSBATCH|S\wBATCH|SB\wATCH|SBA\wTCH|SBAT\wCH|SBATC\wH|S-?BATCH|S_BATCH|SLURM_BATCH|SLURMBATCH|SLURM)(:|\s)?\s*(-{1,2}[A-Za-z][\w-]*|[a-z-]+=\S)/iu,
    unless: /^\s+#SBATCH\b|\.(sh|slurm|sbatch|job)\b/iu,
    words: "`{0}` looks like a directive but is a comment, because the prefix is misspelled.",
    cure: "Begin the line with #SBATCH and a space.",
    fix: swap(/^\s*#[^A-Za-z]*[A-Za-z_-]+:?[\s\u00a0]*(?=-|[a-z-]+=)/, "#SBATCH "),
    bad: [
      "#SBTACH --time=10",
      "#SBATH -t 10",
      "#sbatch --time=10",
      "#Sbatch --mem=1G",
      "#SBACTH --time=10",
      "#SBBATCH -n 1",
      "#!SBATCH --time=10",
      "#BATCH --time=10",
      "#$SBATCH --time=10",
      "#SLURM --time=10",
    ],
    good: [
      "#SBATCH --comment=x",
      "# batch -- the system",
      "#srun --ntasks=2 ./a",
      "#sbatch --array=1-3 job.sh",
      "##SBATCH --time=10",
    ],
  },
  "hash-missing": {
    where: "command",
    pattern: /^[$%!\/*]{0,2}SBATCH:?\s+-{1,2}[A-Za-z].*|^sbatch\s+--[a-z-]+=\S+$/u,
    words: "`{0}` lacks the #, so the shell runs it as a command and Slurm ignores directives below it.",
    cure: "Write #SBATCH.",
    fix: swap(/^\W{0,2}s?batch:?\s+/i, "#SBATCH "),
    bad: ["SBATCH --time=10", "//SBATCH --time=10", "$SBATCH -t 10", "sbatch --time=10"],
    good: ["sbatch --time=10 next.sh", "echo SBATCH --time=10"],
  },
  "directive-below-command": {
    where: "late comment",
    pattern: /^#SBATCH(?=\s+-{0,2}\w|-)/u,
    words: "this directive comes after the first command, so Slurm ignores it.",
    cure: "Move it to the top, below the first line.",
    fix: bench => {
      const place = Math.max(1, ...bench.live())
      return bench.at < place ? null : bench.lines.toSpliced(bench.at, 1).toSpliced(place, 0, bench.line)
    },
    bad: ["module load gcc\n#SBATCH --time=10", "set -e\n#SBATCH -t 10\nhostname", "export A=1\n\n#SBATCH --mem=1G"],
    good: ["hostname\n##SBATCH --time=10"],
  },
  "colon-behind-prefix": {
    kind: "refused",
    pattern: /^#SBATCH\s*:/u,
    words: "this directive has a colon after #SBATCH.",
    cure: "Write a space instead.",
    fix: swap(/^#SBATCH\s*:\s*/, "#SBATCH "),
    bad: ["#SBATCH: --time=10", "#SBATCH : --time=10"],
    good: ["#SBATCH --begin=16:00"],
  },
  "letters-behind-prefix": {
    kind: "refused",
    pattern: /^#SBATCH[^ \t\r#:=-].{0,20}/u,
    words: "`{0}` has no space after #SBATCH.",
    cure: "Write #SBATCH and a space.",
    fix: swap(/^#SBATCH[^\s-]*\s*/, "#SBATCH "),
    bad: ["#SBATCHX --time=10", "#SBATCHES --time=10", "#SBATCH --time=10"],
    good: ["#SBATCH--comment=x", "#SBATCH --comment=x"],
  },
  "directive-empty": {
    pattern: /^#SBATCH\s*(#.*)?$/u,
    words: "this directive has no option.",
    cure: "Write an option, or remove the line. To turn a directive off, write ##SBATCH.",
    fix: bench => bench.out(),
    bad: ["#SBATCH", "#SBATCH   ", "#SBATCH # --time=10", "#SBATCH #--time=10"],
    good: ["#SBATCH --comment=x # a comment"],
  },
  "directive-of-another-scheduler": {
    where: "comment",
    excused: forBoth,
    pattern: /^#(\$|COBALT|PJM|OAR|MSUB|NQS|\s?@)\s*(-[A-Za-z]|\w+\s*=).*/u,
    words: "`{0}` is a directive of another scheduler, so Slurm ignores it.",
    cure: "Write it for Slurm, with #SBATCH.",
    bad: ["#$ -l h_rt=1:0:0", "#$ -pe smp 4", "#COBALT -t 10", "#MSUB -l nodes=1"],
    good: ["# $5 is the price", "# - a list", "#$HOME is where", "#$ -l h_rt=1:0:0\n#SBATCH --time=01:00:00"],
  },
  "pbs-option-without-effect": {
    where: "comment",
    pattern: /^#PBS\s+-(j|k|S|V|u|c|I|z|J)\b.*/u,
    words: "Slurm reads some PBS directives, but `{0}` has no effect.",
    cure: "Write the whole script for Slurm, with #SBATCH.",
    bad: ["#PBS -j oe", "#PBS -V", "#PBS -S /bin/bash"],
    good: ["#PBS -N name", "# PBS -j oe was for the old system"],
  },
  "backslash-at-the-end": {
    pattern: /^#SBATCH.*\\\s*$/u,
    words:
      "a directive does not continue after a backslash. The next line is a command, and Slurm ignores all directives below it.",
    cure: "Begin each line with #SBATCH.",
    fix: ({lines, at, line}) => {
      const next = lines[at + 1] ?? ""
      const now = lines.with(at, line.replace(/\s*\\\s*$/, ""))
      return /^\s*--?[A-Za-z]/.test(next) ? now.with(at + 1, `#SBATCH ${next.trim()}`) : now
    },
    bad: ["#SBATCH --job-name=a \\\n  --comment=b", "#SBATCH --comment=x \\"],
    good: ["#SBATCH --comment=a\\b", "srun a \\\n  b"],
  },
  "two-directives-on-a-line": {
    pattern: /\s#+\s*SBATCH\s+(-{1,2}[A-Za-z][\w-]*)/u,
    words: "`{1}` comes after a second #SBATCH, so it is a comment.",
    cure: "Put it on its own line, or remove the second #SBATCH.",
    fix: swap(/\s#+\s*SBATCH\s+(?=-)/, " "),
    bad: ["#SBATCH --ntasks=1 #SBATCH --nodes=1", "#SBATCH -J x # SBATCH --mem=1G"],
    good: ["#SBATCH --ntasks=1 --nodes=1", "#SBATCH --ntasks=1 # --nodes=1", "#SBATCH --comment='#SBATCH lines'"],
  },
}
