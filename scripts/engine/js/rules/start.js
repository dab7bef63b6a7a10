// What any script needs to start: its first line, and its bytes.

/** The first line becomes another. */
const first = change => bench => bench.lines.with(0, change(bench.lines[0]))
const shebang = words => first(() => words)
const unblanked = first(line => line.trimStart())
const unmarked = first(line => line.replace(/^\ufeff+/, ""))

/** The line that names the shell is mended, or comes up; words: where there is none. */
const withShebang =
  words =>
  ({lines, insert}) => {
    if (/^(#|!)\/\S*sh\b/.test(lines[0])) return lines.with(0, `#!${lines[0].slice(1)}`)
    if (/^##!/.test(lines[0])) return lines.with(0, lines[0].slice(1))
    const there = lines.findIndex(line => line.startsWith("#!/"))
    const above = lines.slice(0, Math.max(there, 0))
    if (there > 0 && above.every(line => !line.trim())) return lines.slice(there)
    return there > 0 ? [lines[there], ...lines.toSpliced(there, 1)] : insert(0, words)
  }

/** @type {Partial<Rule>} */
export const usual = {kind: "unwise", schedulers: ["slurm", "grid_engine"], where: "file"}

/** @type {Record<string, Rule>} */
export const rules = {
  "no-shebang": {
    kind: "refused",
    schedulers: ["slurm"],
    where: "first line",
    pattern: /^(?!#!)(?!\s+#!).{0,40}/u,
    words: "the first line does not begin with `#!`.",
    cure: "Make #!/bin/bash the very first line.",
    fix: withShebang("#!/bin/bash"),
    bad: [
      "#SBATCH --time=10\nhostname\n",
      "\n#!/bin/bash\nhostname\n",
      "#/bin/bash\nhostname\n",
      "!#/bin/bash\nhostname\n",
      "# my job\n#!/bin/bash\nhostname\n",
    ],
    good: ["#!/bin/bash\nhostname\n", "#! /usr/bin/bash -l\nhostname\n"],
  },
  "no-shebang-grid-engine": {
    schedulers: ["grid_engine"],
    where: "first line",
    pattern: /^(?!\s*#!)/u,
    words: "the first line names no shell, so the queue's default shell runs the script, and not as a login shell.",
    cure: "Begin with #!/bin/bash -l.",
    fix: withShebang("#!/bin/bash -l"),
    bad: ["#$ -l h_rt=1:0:0\nhostname\n"],
    good: ["#!/bin/bash\n#$ -l h_rt=1:0:0\nhostname\n"],
  },
  "blank-before-shebang": {
    kind: "refused",
    schedulers: ["slurm"],
    where: "first line",
    pattern: /^\s+#!/u,
    words: "there are spaces before `#!`.",
    cure: "Remove them.",
    fix: unblanked,
    bad: [" #!/bin/bash\nhostname\n", "\t#!/bin/bash\nhostname\n"],
    good: ["#! /bin/bash\nhostname\n"],
  },
  "blank-before-shebang-grid-engine": {
    schedulers: ["grid_engine"],
    where: "first line",
    pattern: /^\s+#!/u,
    words: "there are spaces before `#!`, so the line is a comment, and the queue's default shell runs the script.",
    cure: "Remove them.",
    fix: unblanked,
    bad: [" #!/bin/bash\n#$ -l h_rt=1:0:0\nhostname\n", "\t#!/bin/bash\n#$ -l h_rt=1:0:0\nhostname\n"],
    good: ["#! /bin/bash\n#$ -l h_rt=1:0:0\nhostname\n"],
  },
  "shebang-not-absolute": {
    kind: "fails",
    where: "first line",
    pattern: /^#!\s*([^\s\/]\S*)?/u,
    unless: /^#!\s*\//u,
    words: "`{0}` is not the full path of a shell, so the job ends immediately.",
    cure: "Write #!/bin/bash.",
    fix: shebang("#!/bin/bash"),
    bad: ["#!bin/bash\nhostname\n", "#!bash\nhostname\n", "#!\nhostname\n"],
    good: ["#!/bin/bash\nhostname\n", "#! /usr/bin/env bash\nhostname\n"],
  },
  "shebang-misspelt": {
    kind: "fails",
    where: "first line",
    pattern:
      /^#!\s*(\/usr)?(\/local)?\/*(bim|bn|nib|bni|\/bin)?\/?(bahs|bsh|bas|bassh|bashh|shell|basch|bsah|abash|baash)\b.*|^#!\s*\/(bim|bn|nib|bni|usr|home)\/(ba|da|z|c|tc|k)?sh\b.*|^#!\s*(\/usr)?\/bin(\/(Bash|BASH|Sh|SH)\b.*|\/?\s+\/?\w+.*)$|^#!\s*\/bin\/(bahs|bsh|bas|bassh|bashh|shell|basch|bsah|baash|bask|bush|bath)\b.*/u,
    words: "`{0}` names a shell that no system has, so the job ends immediately.",
    cure: "Write #!/bin/bash.",
    fix: shebang("#!/bin/bash"),
    bad: ["#!/usr/bash\nhostname\n", "#!/bni/bash\nhostname\n", "#!/bin/Bash\nhostname\n", "#!/bin /bash\nhostname\n"],
    good: ["#!/bin/bash -l\nhostname\n", "#!/usr/bin/bash\nhostname\n", "#!/bin/sh\nhostname\n"],
  },
  "env-with-two-words": {
    kind: "fails",
    where: "first line",
    pattern: /^#!\s*\S*\/env\s+(bash|sh|zsh|python3?)\s+\S.*/u,
    words: "`env` reads both words of `{0}` as one program name, so the job ends immediately.",
    cure: "Write #!/bin/bash -l.",
    fix: first(line => line.replace(/^#!\s*\S*\/env\s+(bash|sh)\s+/, "#!/bin/$1 ")),
    bad: ["#!/usr/bin/env bash -l\nhostname\n", "#!/usr/bin/env bash -e\nhostname\n"],
    good: ["#!/usr/bin/env bash\nhostname\n", "#!/usr/bin/env -S bash -l\nhostname\n"],
  },
  "windows-line-ends": {
    kind: "refused",
    pattern: /\r\n/u,
    words: "the file has Windows line endings, so the system cannot find the shell.",
    cure: "Convert the file: dos2unix FILE",
    fix: ({text}) => text.replaceAll("\r\n", "\n").split("\n"),
    bad: ["#!/bin/bash\r\n#SBATCH --time=10\r\nhostname\r\n", "#!/bin/bash\n#SBATCH --time=10\r\nhostname\n"],
    good: ["#!/bin/bash\n#SBATCH --time=10\necho '\\r\\n'\n"],
  },
  "byte-order-mark": {
    kind: "refused",
    schedulers: ["slurm"],
    pattern: /^\ufeff/u,
    words: "a byte-order mark, which editors do not show, comes before `#!`.",
    cure: "Save the file as UTF-8 without the mark.",
    fix: unmarked,
    bad: ["﻿#!/bin/bash\nhostname\n", "﻿#!/bin/sh\n#SBATCH --time=10\nhostname\n"],
    good: ["#!/bin/bash\n#SBATCH --time=10\nhostname\n"],
  },
  "byte-order-mark-grid-engine": {
    schedulers: ["grid_engine"],
    pattern: /^\ufeff/u,
    words:
      "a byte-order mark, which editors do not show, comes before `#!`, so the queue's default shell runs the script.",
    cure: "Save the file as UTF-8 without the mark.",
    fix: unmarked,
    bad: ["﻿#!/bin/bash\nhostname\n", "﻿#!/bin/sh\n#$ -cwd\nhostname\n"],
    good: ["#!/bin/bash\n#$ -cwd\nhostname\n"],
  },
  "null-character": {
    kind: "refused",
    schedulers: ["slurm"],
    pattern: /\x00/u,
    words: "the file contains a null character.",
    cure: "Save the file as UTF-8 in a plain-text editor.",
    fix: ({lines}) => lines.map(line => line.replaceAll("\0", "")),
    bad: ["#!/bin/bash\necho a\u0000b\n", "#!/bin/bash\n#SBATCH --job-name=a\u0000b\nhostname\n"],
    good: ["#!/bin/bash\necho 0\n"],
  },
  "bash-under-python": {
    kind: "fails",
    pattern:
      /^#!.*\b(python[\d.]*|perl|Rscript|julia)\b.*\n([^\n]*\n)*?(module load \w|srun (-|\w)|export \w+=|set -e)/u,
    unless: /\x22\x22\x22/u,
    words: "the first line calls {1}, but the commands are for bash.",
    cure: "Begin with #!/bin/bash -l.",
    fix: shebang("#!/bin/bash -l"),
    bad: [
      "#!/usr/bin/env python3\n#SBATCH --time=10\nmodule load gcc\nsrun ./a\n",
      "#!/usr/bin/perl\nset -euo pipefail\nsrun ./a\n",
    ],
    good: ["#!/usr/bin/env python3\n#SBATCH --time=10\nprint(1)\n", "#!/bin/bash\nexport A=1\n./a\n"],
  },
  "bash-under-csh": {
    kind: "fails",
    pattern: /^#!\s*\S*\bt?csh\b.*\n([^\n]*\n)*?(export \w+=|set -e)/u,
    words: "the first line calls csh, but the commands are for bash.",
    cure: "Begin with #!/bin/bash -l.",
    fix: shebang("#!/bin/bash -l"),
    bad: ["#!/bin/csh\n#SBATCH --time=10\nexport A=1\n./a\n", "#!/bin/tcsh -f\nset -e\n./a\n"],
    good: ["#!/bin/csh\nmodule load gcc\nsetenv A 1\nsrun ./a\n", "#!/bin/bash\nexport A=1\n./a\n"],
  },
  "no-command": {
    kind: "doubtful",
    pattern:
      /^#![^\n]*sh\b[^\n]*\n(?=([^\n]*\n)*?#(SBATCH|\$)[ \t])(([^\S\n]*(#[^\n]*)?|set -\S+( pipefail)?|exit( 0)?|(module|ml) [^\n;&|]*|export [^\n;&|$]*(\$\w+[^\n;&|$(]*)*)\n)*$/u,
    words: "this script starts no program.",
    cure: "Write the job's commands below the directives.",
    bad: ["#!/bin/bash\n#SBATCH --ntasks=1\nset -e\nmodule load gcc\n# srun ./a\n"],
    good: ["#!/bin/bash\n#SBATCH --time=10\nhostname\n", "#!/bin/bash\nset -e\n./a\n"],
  },
}
