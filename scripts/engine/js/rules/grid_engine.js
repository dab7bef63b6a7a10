// Grid Engine's directives.
import {DASH, plain, swap, value, withoutOption, withoutWords} from "../fixes/edits.js"
import {UNIT, hours} from "../script/units.js"
import {forBoth, saidTwice} from "./given.js"

const SIGNS = {"%j": "$JOB_ID", "%A": "$JOB_ID", "%x": "$JOB_NAME", "%a": "$TASK_ID", "%u": "$USER", "%N": "$HOSTNAME"}
const MAIL = {"END,FAIL": "ea", END: "e", ALL: "bea", BEGIN: "b", FAIL: "a"}
const BEGIN_ANEW = {cure: "Begin the line with #$.", fix: swap(/^\s*#[\s\u00a0]*\$\s*/, "#$ ")}

/** @type {Partial<Rule>} */
export const usual = {kind: "ignored", schedulers: ["grid_engine"], where: "directive"}

/** @type {Record<string, Rule>} */
export const rules = {
  "grid-engine-directive-indented": {
    where: "comment",
    pattern: /^\s+#\$\s*-[A-Za-z]/u,
    words: "this directive is indented, so it is a comment.",
    ...BEGIN_ANEW,
    bad: ["  #$ -cwd", "\t#$ -l h_rt=1:0:0"],
    good: ["#$ -cwd", "  # $ is the prompt"],
  },
  "grid-engine-blank-after-hash": {
    where: "comment",
    pattern: /^\s*#[\s\u00a0]+\$\s*-[A-Za-z]\S*/u,
    words: "`{0}` looks like a directive but is a comment, because there is a space after #.",
    ...BEGIN_ANEW,
    bad: ["# $ -cwd", "#  $ -l h_rt=1:0:0"],
    good: ["# $5 is the price", "# $HOME - your folder"],
  },
  "grid-engine-prefix-misspelt": {
    where: "comment",
    pattern: /^\s*(#[^\w\s#!$'"*=<>-]|#S|#\u00a7|#4|#\/\$|##?-\$)\s*-[A-Za-z]+\b/u,
    words: "`{0}` looks like a directive but is a comment, because the prefix is misspelled.",
    cure: "Begin the line with #$.",
    fix: swap(/^\s*[^\s]+?\s*(?=-[A-Za-z])/, "#$ "),
    bad: ["#S -cwd", "#% -l h_rt=1:0:0", "#& -cwd"],
    good: ["#$ -cwd", "#- a list", "#-cwd", "##$ -cwd"],
  },
  "grid-engine-hash-missing": {
    where: "command",
    pattern: /^\$#?\s*-(l|pe|cwd|V|N|j|o|e|m|M|t|q|S|P)\b.*/u,
    words: "`{0}` lacks the #, so the shell runs it as a command.",
    cure: "Begin the line with #$.",
    fix: swap(/^\$#?\s*/, "#$ "),
    bad: ["$ -cwd", "$# -l h_rt=1:0:0", "$ -pe smp 4"],
    good: ["echo $# -cwd"],
  },
  "directive-of-slurm": {
    where: "comment",
    excused: forBoth,
    pattern: /^#(SBATCH|PBS|BSUB|COBALT|PJM|MSUB)\s+-.*/u,
    words: "`{0}` is a directive of another scheduler, so Grid Engine ignores it.",
    cure: "Write it for Grid Engine, with #$.",
    bad: ["#SBATCH --time=10", "#PBS -l walltime=1:0:0", "#BSUB -n 4"],
    good: ["# SBATCH is Slurm's", "##SBATCH --time=10"],
  },
  "grid-engine-directive-empty": {
    pattern: /^#\$\s*$/u,
    words: "this directive has no option.",
    cure: "Write an option, or remove the line.",
    fix: bench => bench.out(),
    bad: ["#$", "#$   "],
    good: ["#$ -cwd"],
  },
  "grid-engine-dash-missing": {
    kind: "refused",
    pattern: /^#\$\s*([A-Za-z]\S*)/u,
    words: "`{1}` has no hyphen.",
    cure: "Write a hyphen before it.",
    fix: swap(/^#\$\s*(?=[A-Za-z])/, "#$ -"),
    bad: ["#$ cwd", "#$ l h_rt=1:0:0", "#$cwd"],
    good: ["#$ -cwd", "#$-cwd"],
  },
  "grid-engine-two-dashes": {
    kind: "refused",
    pattern: /^#\$\s*(--\w+)|\s(--\w+)/u,
    words: "`{0}` has two hyphens, but Grid Engine options have one.",
    cure: "Write it with one hyphen.",
    fix: swap(/(^#\$\s*|\s)--(?=\w)/g, "$1-"),
    bad: ["#$ --cwd", "#$ -cwd --N x"],
    good: ["#$ -cwd"],
  },
  "grid-engine-typographic-dash": {
    kind: "refused",
    pattern: /^#\$[\s\u00a0]*([\u2010\u2011\u2012\u2013\u2014\u2015\u2212]\S+)|^#\$\s*\u00a0\s*(\S+)/u,
    words: "`{0}` contains a typographic dash or space from a word processor.",
    cure: "Type the line again.",
    fix: bench => bench.swap(/\u00a0/g, " ") ?? bench.swap(new RegExp(`^#\\$\\s*[${DASH}]+`), "#$ -"),
    bad: ["#$ –cwd", "#$ —l h_rt=1:0:0", "#$ -cwd"],
    good: ["#$ -cwd", "# a – comment"],
  },
  "grid-engine-time-in-seconds": {
    kind: "unwise",
    options: ["l"],
    pattern: /\b[hs]_rt=(\d{1,3})(?![\d:])/u,
    words: "`{0}` is {1} seconds.",
    cure: "Write hours, minutes and seconds: h_rt=01:00:00.",
    bad: ["#$ -l h_rt=48", "#$ -l h_vmem=1G,h_rt=24"],
    good: ["#$ -l h_rt=48:00:00", "#$ -l h_rt=3600"],
  },
  "grid-engine-time-form": {
    kind: "refused",
    options: ["l"],
    pattern: /\b[hs]_rt=(?!\d+(,|$|\s)|\d*:\d*:\d*(,|$|\s))[^,\s]*/u,
    words: "Grid Engine cannot read `{0}` as a time.",
    cure: "Write hours, minutes and seconds: h_rt=01:00:00.",
    fix: value(text =>
      text
        .replace(/([hs]_rt=)(\d+)([hmd])\b/, (_, name, number, unit) => `${name}${hours(number * UNIT[unit])}`)
        .replace(
          /([hs]_rt=)(\d+)-(\d+):(\d+):(\d+)/,
          (_, name, d, h, m, s) => `${name}${hours(d * 86400 + h * 3600 + m * 60 + +s)}`,
        ),
    ),
    bad: ["#$ -l h_rt=00:48", "#$ -l h_rt=1h", "#$ -l h_rt=two", "#$ -l h_rt=2-00:00:00"],
    good: ["#$ -l h_rt=1:0:0", "#$ -l h_rt=3600"],
  },
  "grid-engine-memory-form": {
    kind: "refused",
    options: ["l"],
    pattern: /\b(h_vmem|s_vmem|mem_free|virtual_free)=(?!\d+(\.\d+)?[KkMmGgTt]?(,|$|\s))[^,\s]*/u,
    words: "Grid Engine cannot read `{0}` as an amount of memory.",
    cure: "Write a number and K, M, G or T: 4G.",
    fix: value(text => text.replace(/((?:vmem|free)=\d+(?:\.\d+)?)([KMGT])i?b(?=,|$)/gi, "$1$2")),
    bad: ["#$ -l h_vmem=4GB", "#$ -l h_vmem=4gb", "#$ -l h_vmem=4GiB", "#$ -l h_vmem=all"],
    good: ["#$ -l h_vmem=4G", "#$ -l h_vmem=1.5G", "#$ -l h_vmem=4096M"],
  },
  "grid-engine-memory-in-bytes": {
    kind: "unwise",
    options: ["l"],
    pattern: /\b(?:h_vmem|s_vmem|mem_free)=(\d{1,6})(?![\d.KkMmGgTt])/u,
    words: "`{0}` is {1} bytes.",
    cure: "Write the unit: {1}G.",
    fix: value(text => text.replace(/((?:vmem|free)=\d{1,3})(?=,|$)/, "$1G")),
    bad: ["#$ -l h_vmem=4", "#$ -l h_vmem=4000", "#$ -l h_rt=1:0:0,h_vmem=16"],
    good: ["#$ -l h_vmem=4G"],
  },
  "grid-engine-blank-in-resources": {
    kind: "refused",
    pattern: /-l\s+\S*,(?=\s+\w+=)|-l\s+\w+\s+=|-l\s+\w+=(?=\s+\w)|-l\s+\w+=\S+(?=\s+\w+=)|-l\s+(h_rt|h_vmem)\s+\d/u,
    words: "`{0}` has a space in the list of resources.",
    cure: "Write -l h_rt=1:0:0,h_vmem=4G, without spaces, or one -l per resource.",
    fix: bench =>
      bench.swap(
        /-l\s+.*/,
        rest =>
          `-l ${rest
            .slice(2)
            .trim()
            .replace(/\s*([=,])\s*/g, "$1")
            .replace(/^(h_rt|h_vmem)\s+(?=\d)/, "$1=")
            .replace(/\s+(?=\w+=)/g, ",")}`,
      ),
    bad: ["#$ -l h_vmem=1G, coproc_v100=1", "#$ -l h_vmem = 1G", "#$ -l h_rt=1:0:0 h_vmem=1G", "#$ -l h_rt= 1:0:0"],
    good: ["#$ -l h_vmem=1G,coproc_v100=1", "#$ -l h_vmem=1G -pe smp 2"],
  },
  "grid-engine-blank-before-unit": {
    kind: "refused",
    pattern: /-l\s+\S*=\d+(?=\s+[KkMmGgTt][Bb]?(\s|$))/u,
    words: "`{0}` has a space before the unit.",
    cure: "Write -l h_vmem=4G.",
    fix: swap(/(=\d+)\s+([KkMmGgTt])[Bb]?(?=\s|$)/, "$1$2"),
    bad: ["#$ -l h_vmem=1 G", "#$ -l h_vmem=16 GB"],
    good: ["#$ -l h_vmem=1G"],
  },
  "grid-engine-slots-missing": {
    kind: "refused",
    pattern: /-pe\s+[A-Za-z]\S*(?=\s*$|\s+-)|-pe(?=\s*$|\s+-|=)|-pe\s+\d+\s+[A-Za-z]\S*/u,
    words: "`{0}` is not an environment's name followed by a number of slots.",
    cure: "Write -pe smp 4.",
    fix: swap(/-pe[\s=]+(\d+)\s+([A-Za-z]\S*)/, "-pe $2 $1"),
    bad: ["#$ -pe smp", "#$ -pe 4 smp", "#$ -pe smp -cwd", "#$ -pe smp=4"],
    good: ["#$ -pe smp 4", "#$ -pe smp 1-4"],
  },
  "grid-engine-equals": {
    kind: "refused",
    pattern: /(?:\s|^#\$)(-(N|o|e|t|tc|q|m|M|S|P|j|cwd|wd|hold_jid|pe|time))=/u,
    words: "`{1}=` has an equals sign, but Grid Engine requires a space after an option.",
    cure: "Write {1} and a space.",
    fix: swap(/(\s|^#\$)(-(?:N|o|e|t|tc|q|m|M|S|P|j|wd|hold_jid|pe))=/g, "$1$2 "),
    bad: ["#$ -o=x.log", "#$ -N=job", "#$ -cwd=/tmp", "#$ -t=1-10"],
    good: ["#$ -N job", "#$ -v A=1"],
  },
  "grid-engine-name": {
    kind: "refused",
    pattern: /-N\s+(\d\S*)|-N\s+["']?[^\s"']*[\/:@\\*?][^\s]*|-N\s+[A-Za-z]\S*(?=\s+[A-Za-z])/u,
    words: "`{0}` is not a valid name: it must begin with a letter, without spaces or / : @ \\ * ?",
    cure: "Write -N my-job.",
    fix: bench =>
      bench.swap(
        /-N\s+["']?(\S+)/,
        (_, name) => `-N ${/^\d/.test(name) ? `job-${name}` : name.replace(/[/:@\\*?"']/g, "-")}`,
      ),
    bad: ["#$ -N 1job", "#$ -N my job", "#$ -N a/b"],
    good: ["#$ -N my-job", "#$ -N job -cwd"],
  },
  "grid-engine-variable": {
    options: ["o", "e", "i", "N", "wd", "hold_jid"],
    pattern: /\$\{?(?!(HOME|USER|JOB_ID|JOB_NAME|HOSTNAME|TASK_ID)\b)[A-Za-z_]\w*|\$\(.*|`.*/u,
    words: "`{0}` stays unchanged: directives expand only $HOME, $USER, $JOB_ID, $JOB_NAME, $HOSTNAME and $TASK_ID.",
    cure: "Write the path itself.",
    bad: ["#$ -o $SCRATCH/x.log", "#$ -o $(date).log", "#$ -e `date`.err"],
    good: ["#$ -o $HOME/x.$JOB_ID.log", "#$ -o $JOB_NAME.$TASK_ID.log"],
  },
  "grid-engine-percent": {
    options: ["o", "e"],
    pattern: /%[xjAaNu]/u,
    words: "`{0}` stays unchanged: it is Slurm syntax.",
    cure: "Write $JOB_ID, $JOB_NAME or $TASK_ID.",
    fix: value(text => text.replaceAll("%A_%a", "%A.%a").replace(/%[jAxauN]/g, sign => SIGNS[sign])),
    bad: ["#$ -o out.%j", "#$ -e %x-%A_%a.err"],
    good: ["#$ -o out.$JOB_ID"],
  },
  "grid-engine-tasks-form": {
    kind: "refused",
    options: ["t"],
    pattern: /^0(-|$).*|%.*|\.\..*|^\d+:\d+$|^\d+,.*/u,
    words: "Grid Engine cannot read `{written}` as a range. Ranges begin at 1.",
    cure: "Write -t 1-10, and -tc 2 to run two at a time.",
    fix: bench => {
      const text = bench.option?.value ?? ""
      const limit = /^(\d+-\d+)%(\d+)$/.exec(text)
      if (limit) return bench.words(`-t ${limit[1]} -tc ${limit[2]}`)
      return bench.value(text.replace(/^(\d+)\.\.(\d+)$|^([1-9]\d*):(\d+)$/, "$1$3-$2$4"))
    },
    bad: ["#$ -t 0-9", "#$ -t 1-10%2", "#$ -t 1..10"],
    good: ["#$ -t 1-10", "#$ -t 1-10:2", "#$ -t 5"],
  },
  "grid-engine-mail-alone": {
    options: ["M"],
    pattern: /^.+$/u,
    without: ["m"],
    words: "`{written}` without -m sends no mail.",
    cure: "Add -m be.",
    fix: bench => bench.directive("-m be"),
    bad: ["#$ -M me@leeds.ac.uk", "#$ -cwd -M me@leeds.ac.uk"],
    good: ["#$ -m be -M me@leeds.ac.uk"],
  },
  "grid-engine-mail-form": {
    kind: "refused",
    options: ["m"],
    pattern: /^(?![beasn]+(,[beasn])*$).+$/u,
    words: "`{written}` has a letter that is not b, e, a, s or n.",
    cure: "Write -m be.",
    fix: value(text => MAIL[text.toUpperCase()]),
    bad: ["#$ -m END", "#$ -m ALL", "#$ -m END,FAIL"],
    good: ["#$ -m be", "#$ -m bea"],
  },
  "grid-engine-join": {
    kind: "refused",
    pattern: /-j\s+(oe|eo|true|join|on)\b|-j(?=\s*$|\s+-)/u,
    words: "`{0}` is followed by neither y nor n.",
    cure: "Write -j y.",
    fix: swap(/-j(\s+(oe|eo|true|join|on)\b)?(?=\s|$)/, "-j y"),
    bad: ["#$ -j join", "#$ -j oe", "#$ -j", "#$ -j -cwd"],
    good: ["#$ -j y", "#$ -j yes"],
  },
  "grid-engine-task-alone": {
    kind: "doubtful",
    where: "command",
    pattern: /\$\{?SGE_TASK_ID\b/u,
    noBody: /\bundefined\b/u,
    without: ["t"],
    words: "`{0}` is the word `undefined` unless you submit the script with qsub -t.",
    cure: "Add -t 1-10.",
    bad: ["python a.py $SGE_TASK_ID", 'sed -n "${SGE_TASK_ID}p" list'],
    good: ["#$ -t 1-4\npython a.py $SGE_TASK_ID", "if [ $SGE_TASK_ID = undefined ]; then SGE_TASK_ID=1; fi"],
  },
  "grid-engine-output-folder": {
    kind: "doubtful",
    options: ["o", "e"],
    pattern: /^([\/.]*[^\/.].*)\/[^\/]+$/u,
    unless: /^\/(dev|tmp)\/|[$~`<:]/u,
    words: "the directory `{1}` must exist when the job starts, or the job stays in an error state.",
    cure: "Create it before you submit: mkdir -p {1}",
    bad: ["#$ -o logs/x.out", "#$ -e out/err/x.err"],
    good: ["#$ -o x.out", "#$ -o $HOME/x.out", "#$ -o /dev/null"],
  },
  "grid-engine-shell": {
    kind: "unwise",
    options: ["S"],
    pattern: /^(?!\/).*|^\/(usr\/)?bin\/(bahs|bsh|bas|bassh|python[\d.]*|perl|Bash)$|^\/(bin\/)?$/u,
    words: "`{written}` is not the full path of a shell, so the job stays in an error state.",
    cure: "Write -S /bin/bash.",
    fix: value(() => "/bin/bash"),
    bad: ["#$ -S bash", "#$ -S bin/bash", "#$ -S /bin/bsh"],
    good: ["#$ -S /bin/bash", "#$ -S /bin/csh"],
  },
  "grid-engine-error-joined": {
    options: ["e"],
    pattern: /^.+$/u,
    needs: ["j"],
    words: "Grid Engine ignores `{written}`, because -j y sends errors to the output file.",
    cure: "Keep one of the two.",
    fix: withoutOption,
    bad: ["#$ -j y\n#$ -e x.err", "#$ -e x.err -j yes"],
    good: ["#$ -j y\n#$ -o x.out", "#$ -e x.err"],
  },
  "grid-engine-only-verified": {
    kind: "unwise",
    pattern: /\s-(verify|w\s+[vp])\b/u,
    words: "with `{0}`, Grid Engine only checks the job and never submits it.",
    cure: "Remove it.",
    fix: withoutWords(/\s-(verify|w\s+[vp])\b/),
    bad: ["#$ -w v", "#$ -verify", "#$ -w p"],
    good: ["#$ -w e", "#$ -cwd"],
  },
  "grid-engine-slots-no-number": {
    pattern: /-pe\s+[A-Za-z]\S*\s+(\d+\.\d+)/u,
    words: "`{1}` slots is not a whole number, so Grid Engine changes it.",
    cure: "Write a whole number.",
    bad: ["#$ -pe smp 4.5", "#$ -pe smp 1.5"],
    good: ["#$ -pe smp 4"],
  },
  "grid-engine-memory-tiny": {
    kind: "unwise",
    options: ["l"],
    pattern: /\bh_vmem=\d{1,5}[Kk](?=,|$|\s)/u,
    words: "`{0}` is too little for any program.",
    cure: "Write G for gigabytes.",
    bad: ["#$ -l h_vmem=512K", "#$ -l h_vmem=4k"],
    good: ["#$ -l h_vmem=512M", "#$ -l h_vmem=4G"],
  },
  "grid-engine-typographic-sign": {
    options: ["N", "o", "e", "wd", "P", "M"],
    pattern: /[\u2018\u2019\u201c\u201d\u201e\u00a0\u200b]/u,
    words: "`{written}` contains a typographic quote or space from a word processor.",
    cure: "Type the line again.",
    fix: value(plain),
    bad: ["#$ -N “x”", "#$ -N x​"],
    good: ["#$ -N x"],
  },
  "grid-engine-said-twice": {
    /** An option that is there twice with two values: the last one counts. */
    *find({kind, options}) {
      yield* saidTwice(kind, options)
    },
    words: "`{0}` has no effect, because line {2} sets `{1}`.",
    cure: "Keep one of the two.",
    fix: withoutOption,
    bad: ["#$ -N a\n#$ -N b", "#$ -pe smp 2\n#$ -pe smp 4"],
    good: ["#$ -N a\n#$ -N a", "#$ -l h_rt=1:0:0\n#$ -l h_vmem=1G"],
  },
  "grid-engine-other-job": {
    kind: "unwise",
    where: "command",
    pattern: /^(qrsh|qlogin|qsh)(?=\s|$).*|^qsub\s+(.*\s)?["']?\$\{?(0|BASH_SOURCE\S*)["']?(\s|$).*/u,
    noBody: /^\[|^test\s/u,
    words: "`{0}` requests another job inside this one, or submits this one again forever.",
    cure: "Start the program itself.",
    bad: ["qrsh ./a", "qlogin", "./a\nqsub $0"],
    good: ["qsub next.sh", "[ -e done ] || qsub $0"],
  },
  "grid-engine-starts-at-home": {
    kind: "doubtful",
    where: "command",
    pattern:
      /^(?:(?:mpirun|mpiexec|time)\s(?:.*\s)?)?(\.\/\S+|(?:python|python3|Rscript|julia|bash|sh)\s+[\w.-]+\.\w+|[\w.-]+\s(?:.*\s)?[A-Za-z]\w*\.(?:inp?|com|gjf|py|R|jl|m|bam|fa|fq|fasta|fastq|vcf|csv|tpr|nc|h5|xdmf|msh|yaml|json)(?:\.gz)?)(?=\s|$)/u,
    unless: /^(?:export|echo|printf|module|mkdir|touch|rm|git|wget|curl|pip3?|conda|source|qsub)\b|SGE_O_WORKDIR/,
    noBody: /^(cd|pushd)\b/u,
    without: ["cwd", "wd"],
    words: "without -cwd, the job starts in your home directory, which may not contain `{1}`.",
    cure: "Add -cwd to start where you submit.",
    fix: bench => bench.directive("-cwd"),
    bad: ["python3 a.py", "#$ -N x\n./a"],
    good: ["#$ -cwd\n./a", "cd run\n./a", "#$ -wd /scratch\n./a", "/apps/a"],
  },
  "grid-engine-resource-twice": {
    /** Grid Engine: a resource of -l that is there twice with two values: the last one counts. */
    *find({options}) {
      const asked = options
        .filter(({name, value}) => name === "l" && value)
        .flatMap(({value, line, written}) =>
          value.split(",").map(part => ({name: part.split("=")[0], part, line, written})),
        )
      const counts = new Map(asked.map(each => [each.name, each]))
      for (const {name, part, line, written} of asked) {
        const other = counts.get(name)
        if (part !== other.part) yield {line, matched: [part, other.part, String(other.line)], written}
      }
    },
    words: "`{0}` has no effect, because line {2} sets `{1}`.",
    cure: "Keep one of the two.",
    bad: ["#$ -l h_rt=1:0:0\n#$ -l h_rt=2:0:0", "#$ -l h_rt=1:0:0,h_vmem=1G,h_rt=2:0:0"],
    good: ["#$ -l h_rt=1:0:0\n#$ -l h_vmem=1G", "#$ -l h_rt=1:0:0\n#$ -l h_rt=1:0:0"],
  },
  "grid-engine-array-backwards": {
    kind: "unwise",
    /** Grid Engine: the first task of an array has a larger number than the last. */
    *find({options}) {
      for (const {name, value, line, written} of options) {
        const ends = name === "t" ? /^([0-9]{1,15})-([0-9]{1,15})(?![0-9])/.exec(value ?? "") : null
        if (ends && +ends[1] > +ends[2]) yield {line, matched: [written, `${ends[2]}-${ends[1]}`], written}
      }
    },
    words: "`{0}` runs the tasks {1} from the smallest number up, because arrays never count backward.",
    cure: "Write -t {1}.",
    bad: ["#$ -t 10-1", "#$ -t 100-1:10"],
    good: ["#$ -t 1-10", "#$ -t 5", "#$ -t 3-3"],
  },
}
