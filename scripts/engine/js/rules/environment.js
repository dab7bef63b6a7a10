// Directives that decide what the job inherits, when it starts, and what it learns from Slurm.
import {value, withoutOption} from "../fixes/edits.js"

/** @type {Partial<Rule>} */
export const usual = {kind: "unwise", schedulers: ["slurm"]}

/** @type {Record<string, Rule>} */
export const rules = {
  "export-without-all": {
    options: ["export"],
    pattern: /^(?!.*(^|,)\s*(ALL|NONE|NIL)\s*(,|$)).+$/iu,
    unless: /\$|`/iu,
    noBody: /SLURM_EXPORT_ENV/u,
    words:
      "`{written}` passes only what it names to the job, not your modules or PATH. Programs that srun starts do not see the job's other variables.",
    cure: "Write --export=ALL,{0}.",
    fix: value(text => `ALL,${text}`),
    bad: ["#SBATCH --export=FOO=1", "#SBATCH --export=FOO,BAR", "#SBATCH --export PATH"],
    good: ["#SBATCH --export=ALL", "#SBATCH --export=ALL,FOO=1", "#SBATCH --export=NONE"],
  },
  "export-none-and-srun": {
    options: ["export"],
    pattern: /^(NONE|NIL)$/iu,
    body: /^srun\b/u,
    noBody: /SLURM_EXPORT_ENV|srun\b.*--export/u,
    words: "`{written}` also applies to srun: its programs do not see the job's variables or modules.",
    cure: "Write `unset SLURM_EXPORT_ENV` before srun, or srun --export=ALL.",
    fix: bench => {
      const first = bench.lines.findIndex(line => /^\s*srun\b/.test(line))
      return first < 0 ? null : bench.insert(first, "unset SLURM_EXPORT_ENV")
    },
    bad: ["#SBATCH --export=NONE\nmodule load gcc\nsrun ./a", "#SBATCH --export=none\nsrun hostname"],
    good: ["#SBATCH --export=NONE\nunset SLURM_EXPORT_ENV\nsrun ./a", "#SBATCH --export=NONE\n./a"],
  },
  "signal-not-to-the-shell": {
    options: ["signal"],
    pattern: /^(?![RB]+:).+$/iu,
    body: /^trap\s.*\s(?:SIG)?(?:HUP|INT|QUIT|ABRT|ALRM|TERM|USR[12]|CONT|URG|XCPU|[1-9]\d?)(?:\s[A-Z\d\s]*)?$/u, // not of EXIT alone
    words: "`{written}` sends the signal to srun's programs, not to the script with the `trap`.",
    cure: "Write --signal=B:{0}.",
    fix: value(text => `B:${text}`),
    bad: ["#SBATCH --signal=USR1@60\ntrap 'echo x' USR1\nsrun ./a", "#SBATCH --signal=SIGTERM@120\ntrap save TERM"],
    good: [
      "#SBATCH --signal=B:USR1@60\ntrap 'echo x' USR1\n./a &\nwait",
      "#SBATCH --signal=USR1@60\ntrap 'rm -r /tmp/x' EXIT\nsrun ./a",
    ],
  },
  "signal-form": {
    kind: "refused",
    options: ["signal"],
    pattern: /@(?!\d+$).*$|@\d{6,}$/u,
    words: "`{written}` needs a number of seconds after the @, at most 65535.",
    cure: "Write --signal=B:USR1@300.",
    fix: value(text =>
      text
        .replace(/@(\d+)m(in)?$/, (_, minutes) => `@${minutes * 60}`)
        .replace(/@(\d+)s$/, "@$1")
        .replace(/@(\d+):(\d+):(\d+)$/, (_, h, m, s) => `@${h * 3600 + m * 60 + +s}`),
    ),
    bad: ["#SBATCH --signal=USR1@5m", "#SBATCH --signal=USR1@00:05:00"],
    good: ["#SBATCH --signal=B:USR1@300", "#SBATCH --signal=USR1"],
  },
  "dependency-form": {
    kind: "refused",
    options: ["dependency"],
    pattern:
      /^after\w*=.*|^after\w*$|^after\w+:\d+:after.*|^after(?:any|ok|notok|corr)?:(?:\d+:)*[A-Za-z].*|^(afterOK|afterAny|afterNotOk|after_ok|afterokay|after-ok|after_any|onsuccess|ok):.*/u,
    words: "Slurm cannot read `{written}` as a dependency.",
    cure: "Write --dependency=afterok:12345, with the job ID that sbatch printed. Separate several dependencies with commas: afterok:12345,afterany:12346.",
    fix: value(text =>
      text
        .toLowerCase()
        .replace(/_|-/g, "")
        .replace(/=/g, ":")
        .replace(/^afterokay|^onsuccess|^ok(?=:)/, "afterok")
        .replace(/:(?=after)/g, ","),
    ),
    bad: [
      "#SBATCH --dependency=afterok=1",
      "#SBATCH --dependency=afterok",
      "#SBATCH --dependency=afterok:1:afterok:2",
      "#SBATCH --dependency=after_ok:1",
      "#SBATCH --dependency=afterany:prep",
    ],
    good: ["#SBATCH --dependency=afterany:1", "#SBATCH --dependency=singleton"],
  },
  "exclusive-form": {
    kind: "refused",
    options: ["exclusive"],
    pattern: /^(?!(user|mcs|topo)$).+$/u,
    words: "`{written}` has a value that --exclusive does not accept.",
    cure: "Write only --exclusive.",
    fix: bench => (/^(yes|true|1|on)$/i.test(bench.option?.value) ? bench.words("--exclusive") : null),
    bad: ["#SBATCH --exclusive=yes", "#SBATCH --exclusive=true"],
    good: ["#SBATCH --exclusive", "#SBATCH --exclusive=user"],
  },
  "wrap-in-a-directive": {
    kind: "ignored",
    options: ["wrap"],
    pattern: /^.+$/u,
    words: "`{written}` has no effect in a directive.",
    cure: "Write the command below the directives.",
    bad: ["#SBATCH --wrap=hostname", "#SBATCH --wrap='python a.py'"],
    good: ["#SBATCH --comment=wrap"],
  },
  "for-operators": {
    options: ["uid", "gid", "reboot", "priority"],
    pattern: /^.*$/u,
    words: "`{written}` is for operators. For other users, Slurm rejects or ignores it.",
    cure: "Remove it.",
    fix: withoutOption,
    bad: ["#SBATCH --uid=0", "#SBATCH --priority=100"],
    good: ["#SBATCH --nice=100"],
  },
  "nice-no-number": {
    kind: "ignored",
    options: ["nice"],
    pattern: /^(?![+-]?\d).+/u,
    words: "`--nice={0}` is not a number, so it counts as 0.",
    cure: "Write a number. With a larger number, the job waits longer.",
    bad: ["#SBATCH --nice=low", "#SBATCH --nice=high"],
    good: ["#SBATCH --nice=100", "#SBATCH --nice", "#SBATCH --nice=+5"],
  },
  "nice-below-zero": {
    options: ["nice"],
    pattern: /^-\d+$/u,
    words: "`{written}` has no effect, because only operators may set a negative number.",
    cure: "Remove it, or use a positive number to let your other jobs start first.",
    fix: withoutOption,
    bad: ["#SBATCH --nice=-100", "#SBATCH --nice=-5"],
    good: ["#SBATCH --nice=100", "#SBATCH --nice"],
  },
}
