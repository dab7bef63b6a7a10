// Job arrays.
import {value} from "../fixes/edits.js"

/** @type {Partial<Rule>} */
export const usual = {kind: "refused", schedulers: ["slurm"], options: ["array"]}

/** @type {Record<string, Rule>} */
export const rules = {
  "array-form": {
    pattern: /^.+$/u,
    unless: /^\[?(\d+(-\d+(:\d+)?)?)(,\d*(-\d+(:\d+)?)?)*(%\d+)?\]?$|^%\d+$|\$|`|^=/u,
    words: "Slurm cannot read `{written}` as a list of numbers.",
    cure: "Write --array=1-10, --array=1-10:2 for every second task, or --array=1-10%4 to run four at a time.",
    fix: value(text =>
      text
        .replace(/^\{?(\d+)\.\.(\d+)\}?$/, "$1-$2")
        .replace(/^(\d+-\d+)\/(\d+)$/, "$1:$2")
        .replace(/^(\d+-\d+):(%\d+)$/, "$1$2")
        .replace(/[,;]$/, "")
        .replace(/\s+/g, ""),
    ),
    bad: [
      "#SBATCH --array=1-10:%2",
      "#SBATCH --array=1..10",
      "#SBATCH --array=1-10/2",
      "#SBATCH --array=a-c",
      "#SBATCH --array={1..10}",
    ],
    good: [
      "#SBATCH --output=%A_%a --array=1-10%2",
      "#SBATCH --output=%A_%a --array=0-9:3",
      "#SBATCH --output=%A_%a --array=1,3,5-7",
    ],
  },
  "array-colon-for-dash": {
    pattern: /^\d+:\d+$/u,
    words: "`{written}` has a colon, which sets the step, instead of a hyphen between the first and last number.",
    cure: "Write --array=1-10.",
    fix: value(text => text.replace(":", "-")),
    bad: ["#SBATCH --array=1:10", "#SBATCH -a 0:9"],
    good: ["#SBATCH --output=%A_%a --array=0-9:3"],
  },
  "array-extra-zero": {
    kind: "ignored",
    pattern: /,(?=%|,|$)|^%/u,
    words: "Slurm reads the empty item next to the comma in `{written}` as 0.",
    cure: "Write --array=1-10%2, without a comma before the %.",
    fix: value(text => text.replace(/,+(?=%|,|$)/g, "")),
    bad: ["#SBATCH --output=%A_%a --array=1-10,%2", "#SBATCH --output=%A_%a --array=%5"],
    good: ["#SBATCH --output=%A_%a --array=1-10%2", "#SBATCH --output=%A_%a --array=1,2"],
  },
  "array-limit-zero": {
    kind: "ignored",
    pattern: /%0+$/u,
    words: "the 0 after the % in `{written}` means no limit.",
    cure: "Write how many tasks may run at once, or remove the %.",
    fix: value(text => text.replace(/%0+$/, "")),
    bad: ["#SBATCH --output=%A_%a --array=1-10%0", "#SBATCH --output=%A_%a -a 1-3%00"],
    good: ["#SBATCH --output=%A_%a --array=1-10%10"],
  },
  "array-one-output": {
    kind: "unwise",
    options: ["output", "error"],
    pattern: /^.+$/u,
    unless: /%\d*[aj]|^\/dev\/null$|\$|`/u,
    needs: ["array"],
    words: "all tasks of the array write to the same file, `{written}`.",
    cure: "Add %a to the name: %x-%A_%a.out.",
    fix: value(text => (/%A/.test(text) ? text.replace("%A", "%A_%a") : text.replace(/(\.\w+)?$/, "-%A_%a$1"))),
    bad: [
      "#SBATCH --array=1-3\n#SBATCH --output=x.out",
      "#SBATCH --array=1-3\n#SBATCH --output=x-%A.out",
      "#SBATCH --array=1-3 -e errors.log",
    ],
    good: [
      "#SBATCH --array=1-3\n#SBATCH --output=%A_%a.out",
      "#SBATCH --array=1-3\n#SBATCH --output=%j.out",
      "#SBATCH --output=x.out",
    ],
  },
  "array-sign-without-array": {
    kind: "doubtful",
    options: ["output", "error"],
    pattern: /%\d*[aA]/u,
    noBody: /SLURM_ARRAY/u,
    without: ["array"],
    words: "`{0}` in `{written}` is for job arrays, but this script requests none.",
    cure: "Use %j, unless you submit with sbatch --array.",
    fix: value(text => text.replace(/%\d*A([_-]%\d*a)?|%\d*a/g, "%j")),
    bad: ["#SBATCH --output=%A_%a.out", "#SBATCH --error=x-%a.err"],
    good: ["#SBATCH --output=%j.out", "#SBATCH --array=1-3\n#SBATCH --output=%A_%a.out"],
  },
}
