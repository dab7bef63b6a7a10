// What the commands do together: which tasks share a file, where results stay, what a submitted job sees.
import {setOf} from "../script/text.js"
import {COPIES, base, documents, program, started} from "../script/payload.js"
import {expander} from "../script/variables.js"

// An expression that takes the job's own number if it is smaller, or is there.
const CAPPED = /SLURM_CPUS_PER_TASK|SLURM_CPUS_ON_NODE|NSLOTS|\bmin\(|pmin\(|sched_getaffinity|availableCores/
const TASK = /SLURM_ARRAY_TASK_ID|SGE_TASK_ID/
const HERE = /^["']?\$\{?(?:SLURM_TMPDIR|TMPDIR|LOCAL_SCRATCH|JOB_TMPDIR)\b\}?/
const ITSELF = /after\w*:["']?\$\{?SLURM_(?:ARRAY_)?JOB_?ID\}?/
/** Programs, the file that each writes unless it is told another, and how it is told. @type {[RegExp, string, RegExp][]} */
const FIXED = [
  [/^lmp(?:_\w+)? /, "log.lammps", / --?l(?:og)? /],
  [/^vasp_(?:std|gam|ncl) /, "OUTCAR", /^$/],
  [/^STAR /, "Log.out", / --outFileNamePrefix /],
  [/^gmx(?:_mpi)? mdrun$/, "md.log", / -(?:deffnm|g|multidir) /],
]
const everyWord = ({words, redirects}) => [...words, ...redirects.map(({target}) => target.text)].join(" ")
const ASKS = /\b(?:squeue|sacct|sinfo|sstat|sshare|partition-stats)\b|\bscontrol show (?:job|node|part)/
/** Is the scheduler asked in a loop? */
const polls = ({loops, text, name}) =>
  name !== "echo" && /^(?:while|until)$/.test(loops.at(-1)?.kind ?? "") && ASKS.test(text)
/** Options that name a directory to write into. */
export const DIRECTORY = /^--?(?:out(?:put)?|save|results?|checkpoints?|ckpts?|logs?|run)[-_]?(?:dir|folder|path)$/i
const works = ({words, name}) => words.length > 0 && !PREPARE.test(name) && !READS.has(name)
/** Variables that a program reads, and that no module sets. */
const FROM_ENVIRONMENT =
  /^((?:OMP|MKL|OPENBLAS|NUMEXPR|JULIA|NUMBA|RAYON)_(?:NUM_THREADS|PLACES|PROC_BIND)|(?:ESPRESSO|NCCL|HF|WANDB|TRANSFORMERS|PYTORCH|TORCH|TOKENIZERS|VLLM|XLA|MPICH|MIOPEN|KMP|GMX|APPTAINERENV|SINGULARITYENV)_[A-Z_]+|MASTER_(?:ADDR|PORT)|SRUN_CPUS_PER_TASK)=/
const PREPARE = /^(?:export|module|ml|cd|echo|source|\.|set|mkdir|unset|ulimit)$/
const READS = setOf(
  "nvidia-smi rocm-smi hostname date free lscpu df quota module ml echo which head tail zcat cat sed awk grep cut wc",
)
const LATE_OPTION =
  /^(?:--(?:time|partition|account|gres|gpus|gpus-per-node|mem|nodes|ntasks|cpus-per-task|array|dependency|job-name)(?:=|$)|-[ptAcnNJ]$)/

/** Variables that differ from task to task, or that nobody can tell. */
export function varying(commands) {
  const found = new Set()
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const {name, sets, words, tokens, loops, text} of commands) {
      if (name === "read" || name === "mapfile" || name === "readarray")
        words.slice(1).forEach(word => void found.add(word))
      for (const part of [...sets, ...(/^(export|declare|local)$/.test(name) ? words.slice(1) : [])]) {
        const [, variable, value] = /^(\w+)\+?=(.*)$/s.exec(part) ?? []
        if (
          variable &&
          (differs(value, found) ||
            loops.length ||
            (sets.includes(part) &&
              !words.length &&
              /^for |^select /.test(text) &&
              tokens.some(({raw}) => differs(raw, found))))
        )
          found.add(variable)
      }
    }
  }
  return found
}
export const differs = (text, variables) =>
  TASK.test(text) ||
  /\$\(|`|JOB_ID|RANDOM|\$\$|\$[1-9@*]/.test(text) ||
  [...text.matchAll(/\$\{?!?(\w+)/g)].some(([, name]) => variables.has(name))
const OF_JOB = /^\$\{?(?:SLURM_TMPDIR|TMPDIR|LOCAL_SCRATCH|TMP_LOCAL)\b/ // each task's own, unless facts say otherwise: advice/data.js
export const isArray = ({options}) => {
  const value = options.findLast(({name}) => name === "array" || name === "t")?.value ?? ""
  return /[-,]/.test(value.replace(/%.*/, ""))
}
export const errexit = commands =>
  commands.some(({name, text}) => name === "set" && /^set\s+(-\w*e|-o errexit)/.test(text))
const guarded = ({text, op, condition}) => condition || op === "||" || /\|\|/.test(text)

/** @type {Partial<Rule>} */
export const usual = {kind: "unwise", schedulers: ["slurm", "grid_engine"], where: "command"}

/** @type {Record<string, Rule>} */
export const rules = {
  "array-one-output": {
    *find(script) {
      const {commands} = script
      if (!isArray(script) || !script.lines.some(line => !line.startsWith("#") && TASK.test(line))) return
      const variables = varying(commands)
      if (
        commands.some(
          ({name, words}) =>
            (name === "cd" || name === "pushd") &&
            words.slice(1).some(word => differs(word, variables) || OF_JOB.test(word)),
        )
      )
        return
      for (const {line, words, redirects, condition, sets, fn} of commands) {
        if (condition || fn || !words.length || READS.has(program({words}))) continue
        const given = started(words).words
        const option = given.findIndex(
          (word, place) =>
            place > 0 &&
            /^(?:-o|-out|--out|--output|--outfile|--out-file|--output-file|--output_file|--save|--save[-_](?:path|model|to)|--model[-_]out|-deffnm|--prefix|-prefix)$/.test(
              word,
            ),
        )
        const to = redirects.find(({op, fd}) => (op === ">" || op === "&>") && fd !== "2")?.target.text
        const part = given[1] === "sort" && /samtools$/.test(given[0]) ? given[given.indexOf("-T", 2) + 1] : null
        if (part && given.includes("-T") && !/TMP|^\/tmp|\/$/.test(part) && !differs(part, variables)) {
          yield {line, matched: [part]}
          return
        }
        const file =
          to ??
          (option > 0
            ? given[option + 1]
            : given.find(word => /^--(?:out|output|outfile|output[-_]file)=/.test(word))?.split("=")[1])
        if (
          !file ||
          !(/[.]\w+$/.test(file) || /^-deffnm|prefix/.test(given[option] ?? "")) ||
          /^\/dev\//.test(file) ||
          differs(file, variables) ||
          OF_JOB.test(file) ||
          sets.length
        )
          continue
        if (![...words, file].some(word => differs(word, variables))) continue
        yield {line, matched: [file]}
        return
      }
    },
    words: "all tasks of the array write to `{0}`, so each overwrites the others' results.",
    cure: "Put the task's number into the name: ${{SLURM_ARRAY_TASK_ID}}.",
    bad: [
      "#SBATCH --array=1-9 --output=%A_%a\nblastn -query part$SLURM_ARRAY_TASK_ID.fa -out hits.tsv",
      "#SBATCH --array=1-9 --output=%A_%a\n./a $SLURM_ARRAY_TASK_ID > out.txt",
      "#SBATCH --array=1-9 --output=%A_%a\nI=$SLURM_ARRAY_TASK_ID\nsamtools sort -T part -o $I.bam $I.sam",
    ],
    good: [
      "#SBATCH --array=1-9 --output=%A_%a\nN=$SLURM_ARRAY_TASK_ID\n./a $N > out_$N.txt",
      "#SBATCH --array=1-9 --output=%A_%a\ncd run_$SLURM_ARRAY_TASK_ID\n./a $SLURM_ARRAY_TASK_ID > out.txt",
      "#SBATCH --array=1-9 --output=%A_%a\n./a $SLURM_ARRAY_TASK_ID >> all.txt",
      "#SBATCH --array=1-9 --output=%A_%a\n./a $SLURM_ARRAY_TASK_ID -o $TMPDIR/a.txt",
    ],
  },
  "array-one-directory": {
    kind: "doubtful",
    *find(script) {
      const {commands} = script
      if (!isArray(script) || script.options.some(({name, value}) => name === "array" && /%1$/.test(value ?? "")))
        return // one after the other
      const variables = varying(commands)
      const moves = ({name, words}) =>
        /^(?:cd|pushd)$/.test(name) && words.slice(1).some(word => differs(word, variables))
      if (commands.some(moves)) return
      const expand = expander(commands)
      for (const command of commands) {
        const {words} = started(command.words)
        const named = words.map((word, at) => {
          const [, name, value = words[at + 1] ?? ""] = /^(--?[a-z][\w-]*)(?:=(.*))?$/is.exec(word) ?? []
          return DIRECTORY.test(name ?? "") && /^[\w./$@{}-]+$/.test(value) && !value.startsWith("-") ? value : null
        })
        const found = named.find(Boolean)
        const rest = words.filter((word, at) => named[at] !== word && named[at - 1] !== word)
        if (command.fn || command.condition || !works(command) || !found || /\.\w+$/.test(found)) continue
        if (OF_JOB.test(expand(found))) continue
        if (!differs(found, variables) && rest.some(word => differs(word, variables)))
          return yield {line: command.line, matched: [found]}
      }
    },
    words: "the tasks of the array share `{0}`, and overwrite each other's files if these have the same names.",
    cure: "Put the task's number into the name: ${{SLURM_ARRAY_TASK_ID}}.",
    bad: [
      "#SBATCH --array=1-9 --output=%A_%a\npython a.py --lr $SLURM_ARRAY_TASK_ID --checkpoint_dir ckpt",
      "#SBATCH --array=1-9 --output=%A_%a\n./a --task=$SLURM_ARRAY_TASK_ID --output-dir=$SCRATCH/results",
    ],
    good: [
      "#SBATCH --array=1-9 --output=%A_%a\npython a.py --lr $SLURM_ARRAY_TASK_ID --checkpoint_dir ckpt_$SLURM_ARRAY_TASK_ID",
      "#SBATCH --array=1-9%1 --output=%A_%a\npython a.py --lr $SLURM_ARRAY_TASK_ID --checkpoint_dir ckpt",
      "#SBATCH --array=1-9 --output=%A_%a\nO=$SLURM_TMPDIR/out\n./a --seed $SLURM_ARRAY_TASK_ID --save-dir $O/x",
    ],
  },
  "array-skips-the-first": {
    *find(script) {
      const value = script.options.findLast(({name}) => name === "array" || name === "t")?.value ?? ""
      const [, first] = /^(1)(?:-|,|$)/.exec(value) ?? []
      if (!first || /(?:^|,)0/.test(value)) return
      for (const {sets} of script.commands) {
        const list = sets.map(part => /^(\w+)=\((.*)\)$/s.exec(part)).find(Boolean)
        if (!list || /^\s*(?:""|''|\[|x\b|dummy|none|null|-)/i.test(list[2])) continue
        const reads = new RegExp(String.raw`\$\{${list[1]}\[["']?\$\{?(?:SLURM_ARRAY_TASK_ID|SGE_TASK_ID)\}?["']?\]\}`)
        const read = script.commands.find(({text}) => reads.test(text))
        if (read) yield {line: read.line, matched: [list[1], first]}
      }
    },
    words: "lists begin at index 0, but the tasks begin at {1}, so no task reads the first entry of `{0}`.",
    cure: "Write ${{{0}[$((SLURM_ARRAY_TASK_ID - 1))]}}.",
    bad: ["#SBATCH --array=1-50 --output=%A_%a\nF=(data/*.h5)\n./a ${F[$SLURM_ARRAY_TASK_ID]}"],
    good: ["#SBATCH --array=9-14 --output=%A_%a\nF=(data/*.h5)\n./a ${F[$SLURM_ARRAY_TASK_ID]}"],
  },
  "results-left-behind": {
    *find({commands, lines}) {
      const expand = expander(commands)
      const here = word => HERE.test(expand(word))
      const enters = commands.findIndex(({name, words, fn}) => name === "cd" && !fn && here(words[1] ?? ""))
      if (enters < 0) return
      const behind = commands.slice(enters + 1)
      const work = behind.find(
        ({name, words}) =>
          words.length &&
          !COPIES.test(name) &&
          !READS.has(name) &&
          !/^(cd|set|export|source|\.|mkdir|pip3?|virtualenv|unset|trap|chmod|ln|unzip|wait|exit|echo|printf|return|git)$/.test(
            program({words}),
          ),
      )
      if (!work) return
      const left = behind.slice(0, behind.indexOf(work)).some(({name}) => name === "cd" || name === "popd")
      const after = behind.slice(behind.indexOf(work))
      const away = word => /^(?:\/(?!dev|tmp)|~|\$|[\w.@-]+:)/.test(word) && !here(word)
      const leaves = after.some(
        ({name, words, text, redirects}) =>
          (COPIES.test(program({words})) && words.slice(1).some(away)) ||
          name === "cd" ||
          redirects.some(({target}) =>
            /^(\/(?!dev|tmp)|~|\$\{?(?!SLURM_TMPDIR|TMPDIR|LOCAL_SCRATCH))/.test(target.text),
          ) ||
          words
            .slice(1)
            .some(
              word =>
                /^(?:--?[\w-]+=)?(?:\/(?!dev|tmp)|~\/|\$\{?(?:HOME|SCRATCH|SLURM_SUBMIT_DIR|PROJECT|OUT\w*|RES\w*|\w*DIR|\w*OUT\w*|WORK))/i.test(
                  word,
                ) && !here(word),
            ) ||
          /\.\.\//.test(text),
      )
      const called = each =>
        commands.some(({name, words}) => words[0] === each.fn || (name === "trap" && words[1]?.includes(each.fn)))
      const kept = commands.some(each => each.fn && COPIES.test(program(each)) && called(each))
      if (left || kept || /trap\b.*\b(cp|rsync|mv|tar)\b/.test(lines.join("\n"))) return
      if (!leaves) return yield {line: work.line, matched: [commands[enters].words[1], program(work)]}
      // One program writes elsewhere, and what another makes here is taken by none.
      const MADE =
        /^formchk(?:\s+-\S+)*\s+\S+\s+[\w.-]+$|^(?!(?:echo|printf|cat)\b).*\s>\s*[\w.-]+\.(?:csv|dat|h5|npz|json|tsv)$/
      const at = after.findLastIndex(({text}) => MADE.test(text)),
        stays = after[at]
      if (
        after.some(
          (each, place) =>
            each.name === "cd" ||
            COPIES.test(program(each)) ||
            (place > at && !/^(?:echo|printf|ls|rm)$/.test(each.name)),
        )
      )
        return
      if (stays) yield {line: stays.line, matched: [commands[enters].words[1], base(stays.words[0])]}
    },
    words: "`{1}` runs in `{0}`, which is deleted when the job ends, and nothing copies its results before that.",
    cure: "Copy the results at the end: cp -r results $SLURM_SUBMIT_DIR/",
    bad: [
      "cd $SLURM_TMPDIR\ncp ~/in.dat .\n./a in.dat > out.dat",
      "S=$TMPDIR/run\nmkdir -p $S\ncd $S\nsrun ./a > log",
      "cd $SLURM_TMPDIR\ng16 < ~/a.com > ~/a.log\nformchk a.chk a.fchk\necho see a.fchk",
    ],
    good: [
      "cd $SLURM_TMPDIR\n./a > out.dat\ncp out.dat $SLURM_SUBMIT_DIR",
      'save() { cp -r "$SLURM_TMPDIR"/. ~/out; }\ntrap save EXIT\ncd "$SLURM_TMPDIR" || exit 1\n./a > a.log',
      "cd $SLURM_TMPDIR\npython a.py --out $HOME/results",
      "cd $SLURM_TMPDIR\ntar xf a.tar\ncd $SLURM_SUBMIT_DIR\n./a",
    ],
  },
  "not-set-in-the-submitted-job": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands}) {
      const own = new Set(commands.filter(({fn}) => !fn).flatMap(({sets}) => sets.map(part => /^\w+/.exec(part)?.[0])))
      commands
        .filter(({name}) => name === "export")
        .flatMap(({words}) => words.slice(1))
        .forEach(word => void own.delete(/^\w+/.exec(word)?.[0]))
      for (const {name, tokens, redirects, line, text} of commands) {
        const here = redirects.find(({document}) => document?.quoted)?.document.text ?? ""
        const wrap =
          name === "sbatch"
            ? (tokens.find(({raw}) => /^--wrap='|^--wrap='/.test(raw))?.raw ??
              (tokens[tokens.findIndex(({raw}) => raw === "--wrap") + 1]?.quote === "'" && /--wrap /.test(text)
                ? tokens[tokens.findIndex(({raw}) => raw === "--wrap") + 1].raw
                : ""))
            : ""
        const inner = name === "sbatch" ? here + wrap : ""
        if (!inner || /--export=(?!ALL\s|NONE)\S*=/.test(text)) continue
        const missing = [...inner.matchAll(/\$\{?([A-Za-z_]\w*)/g)]
          .map(([, variable]) => variable)
          .find(
            variable =>
              own.has(variable) &&
              !new RegExp(String.raw`(?:^|[\s;])(?:export\s+)?${variable}=|\b(?:for|read)\s+${variable}\b`).test(inner),
          )
        if (missing) yield {line, matched: [`$${missing}`]}
      }
    },
    words:
      "single quotes prevent the shell from expanding `{0}`. The submitted job does not set it, so it is empty there.",
    cure: "Use double quotes, or sbatch --export=ALL,NAME=value.",
    bad: [
      "for s in a b; do\n  sbatch --time=10 --wrap='./a $s'\ndone",
      "N=4\nsbatch <<'EOF'\n#!/bin/bash\n./a $N\nEOF",
    ],
    good: ["export N=4\nsbatch <<'EOF'\n#!/bin/bash\n./a $N\nEOF"],
  },
  "option-behind-the-script": {
    schedulers: ["slurm"],
    *find({commands, shell}) {
      for (const {name, words, line} of [...commands, ...shell.inner]) {
        if (name !== "sbatch") continue
        const script = words.findIndex(
          (word, place) => place > 0 && /\.(?:sh|slurm|sbatch|job)$/.test(word) && !words[place - 1].startsWith("-"),
        )
        const late = script > 0 && words.slice(script + 1).find(word => LATE_OPTION.test(word))
        if (late) yield {line, matched: [late, words[script]]}
      }
    },
    words: "`{0}` comes after {1}, so sbatch passes it to the script and does not read it.",
    cure: "Write options before the script's name.",
    bad: ["sbatch job.sh --time=10", "for i in 1 2; do sbatch train.sbatch $i --gres=gpu:1; done"],
    good: ["sbatch --time=10 job.sh", "sbatch job.sh 10 --epochs=3"],
  },
  "octal-number": {
    kind: "fails",
    *find({commands, lines}) {
      const text = lines.join("\n")
      for (const {sets, line, tokens, text: own} of commands) {
        const padded =
          /^printf -v (\w+) ["']?%0\d+[di]/.exec(own)?.[1] ??
          sets.map(part => /^(\w+)=\$\(\s*printf\s+(?:--\s+)?["']?%0\d+[di]/.exec(part)?.[1]).find(Boolean) ??
          sets
            .map(part => /^(\w+)=["']?(?:\$\(|`)date\s.*\+["']?%[mdHMSjyVI]["']?[)`]["']?$/.exec(part)?.[1])
            .find(Boolean) ??
          /^for (\w+) in .*(?:seq\s+-w|\{0\d+\.\.|\s0[89]\b)/.exec(own)?.[1]
        if (!padded || !tokens || text.includes(`${padded}=$((10#`)) continue
        const place = lines.findIndex(
          (each, at) =>
            at + 1 >= line &&
            new RegExp(String.raw`\(\((?:[^)]*[^#\w$])?\$?\{?${padded}\b`).test(each) &&
            !each.includes(`10#$${padded}`) &&
            !each.includes(`10#\${${padded}`),
        )
        if (place >= 0 && text) yield {line: place + 1, matched: [`$${padded}`]}
      }
    },
    words: "`{0}` begins with zeros, so the shell reads it as an octal number, in which 08 and 09 are errors.",
    cure: "Write $((10#$name + 1)).",
    bad: [
      "I=$(printf '%03d' $SLURM_LOCALID)\n./a $((I + 1))",
      "for i in $(seq -w 1 20); do ./a $((i * 2)); done",
      "H=$(date +%H)\n./a $((H + 1))",
    ],
    good: ["I=$(printf '%03d' $SLURM_LOCALID)\n./a $((10#$I + 1))", "H=$(date +%H)\nH=$((10#$H))\n./a $((H + 1))"],
  },
  "status-never-read": {
    *find({commands}) {
      if (!errexit(commands) || commands.some(({text}) => /^set\s+\+e|^trap\b.*ERR/.test(text))) return
      for (const [place, command] of commands.entries()) {
        const before = commands[place - 1]
        const reads = /\$\?/.test([...command.words, ...command.sets].join(" "))
        if (
          !reads ||
          !before ||
          guarded(before) ||
          before.fn ||
          command.fn ||
          !before.certain ||
          /^(wait|:|true|echo|set)$/.test(before.name)
        )
          continue
        if (before.piped || command.op || !command.certain) continue
        yield {line: command.line, matched: [String(before.line)]}
        return
      }
    },
    words: "`set -e` ends the script when line {0} fails, so this line never sees its `$?`.",
    cure: "Write: program || status=$?",
    bad: ["set -e\npython a.py\nif [ $? -ne 0 ]; then echo failed; fi", "set -euo pipefail\n./a\nrc=$?\nexit $rc"],
    good: [
      "set -e\nrc=0\npython a.py || rc=$?\nexit $rc",
      'set -e\n./a || { echo "$?"; exit 1; }',
      "python a.py\nif [ $? -ne 0 ]; then echo failed; fi",
    ],
  },
  "head-under-pipefail": {
    *find({commands, shell, lines}) {
      if (!errexit(commands) || !lines.some(line => /^\s*set\s+.*pipefail/.test(line))) return
      const all = [...commands, ...shell.inner].sort((one, other) => one.line - other.line)
      for (const [place, {name, piped, text, line, words, condition, op}] of all.entries()) {
        const ends =
          (name === "head" && !/\s-[nc]\s*-/.test(text)) ||
          (name === "grep" && words.some(word => /^-\w*q/.test(word))) ||
          (name === "sed" && /\dq['"]?$/.test(text))
        const from = all[place - 1]
        if (
          !ends ||
          !piped ||
          condition ||
          op === "||" ||
          !from ||
          !/^(zcat|gunzip|gzip|pigz|bzcat|xzcat|samtools|bcftools|find|sort|cat|yes|tr)$/.test(from.name)
        )
          continue
        if (/\|\|/.test(lines[line - 1])) continue
        yield {line, matched: [from.name, name]}
        return
      }
    },
    words:
      "`{1}` closes the pipe early and ends `{0}` with a signal, which `set -e` with `pipefail` treats as a failure.",
    cure: "Add `|| true` to this line.",
    bad: [
      "set -euo pipefail\nzcat reads.fq.gz | head -n 4 > first.txt\n./a",
      "set -eo pipefail\nN=$(zcat a.gz | head -1 | wc -c)\n./a $N",
    ],
    good: [
      "set -euo pipefail\nzcat reads.fq.gz | head -n 4 > first.txt || true\n./a",
      "set -euo pipefail\ncat a | head -n -1 > b\n./a",
      "set -e\nzcat a.gz | head -n 4",
    ],
  },
  "counts-all-cores": {
    *find({commands, options, system}) {
      const partitions = system?.partitions ?? {}
      const named = options.findLast(({name}) => name === "partition")?.value
      const there = named ? [partitions[named]] : Object.values(partitions).filter(each => each.default)
      const whole = there.length > 0 && there.every(each => each?.whole)
      if (options.some(({name}) => name === "exclusive") || whole) return
      const all =
        /\bdetectCores\(\s*\)|\b(?:\w+\.)?cpu_count\(\)|\bSys\.CPU_THREADS\b|\bfeature\(["']numcores["']\)|\bgetconf\s+_NPROCESSORS_(?:ONLN|CONF)\b|\bnproc\s+--all\b|grep\s+-c\s+\^?["']?processor["']?\s+\/proc\/cpuinfo/
      for (const {line, text, tokens, redirects, name} of commands) {
        if (name === "echo") continue
        const found = [text, ...tokens.map(({raw}) => raw), ...documents({redirects})]
          .map(each => (CAPPED.test(each) ? null : all.exec(each)?.[0]))
          .find(Boolean)
        if (found) yield {line, matched: [found]}
      }
    },
    words: "`{0}` counts all cores of the node, but the job may use only its own.",
    cure: "Read SLURM_CPUS_PER_TASK (NSLOTS in Grid Engine) instead.",
    bad: [
      "Rscript -e 'library(parallel); mclapply(1:99, f, mc.cores = detectCores())'",
      "export OMP_NUM_THREADS=$(nproc --all)\n./a",
      "python3 <<EOF\nimport os\nn = os.cpu_count()\nEOF",
    ],
    good: ["Rscript -e 'n <- min(parallel::detectCores(), as.integer(Sys.getenv(\"SLURM_CPUS_PER_TASK\")))'"],
  },
  "deletes-where-it-is": {
    *find({commands}) {
      if (errexit(commands)) return
      for (const [place, {name, words, line, text}] of commands.entries()) {
        const next = commands.slice(place + 1, place + 4).find(each => each.name === "rm")
        if (name !== "cd" || words.length < 2 || commands[place + 1]?.op || !/[$/]/.test(words[1]) || !next || next.op)
          continue
        if (next.words.some(word => /^-\w*r/.test(word)) && next.words.some(word => word === "*" || word === "./*"))
          yield {line, matched: [text, String(next.line)]}
      }
    },
    words: "if `{0}` fails, line {1} deletes the files of the directory where you submitted.",
    cure: "Write: cd ... || exit 1",
    bad: ['cd "$RUN"\nrm -rf *\n./a', "cd /scratch/me/run\nrm -rf *\n./a"],
    good: ['cd "$RUN" || exit 1\nrm -rf *\n./a', 'set -e\ncd "$RUN"\nrm -rf *\n./a'],
  },
  "gpu-chosen-twice": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands, options}) {
      const option = options.findLast(({name, value}) => name === "gpus-per-task" && /[1-9]/.test(value ?? ""))
      const chosen = command =>
        command.tokens.some(({raw}) => /(?:CUDA|ROCR|HIP)_VISIBLE_DEVICES=["'\\]*\$\{?SLURM_LOCALID/.test(raw))
      const command = option && commands.find(chosen)
      if (command) yield {line: command.line, matched: [option.written], written: option.written}
    },
    words:
      "`{written}` shows each task its own GPU as number 0, so $SLURM_LOCALID names GPUs that the task does not see.",
    cure: "Remove the line that sets VISIBLE_DEVICES.",
    bad: ["#SBATCH --ntasks=4 --gpus-per-task=1\nsrun bash -c 'export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID; ./a'"],
    good: [
      "#SBATCH --ntasks=4 --gpus=4\nsrun bash -c 'export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID; ./a'",
      "#SBATCH --ntasks=4 --gpus-per-task=1\nsrun ./a",
    ],
  },
  "one-report-for-all-tasks": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands, options}) {
      if (!options.some(({name, value}) => /^ntasks/.test(name) && Number(value) > 1)) return
      for (const {words, line} of commands) {
        const {through} = started(words)
        const nsys = through.find(({name}) => /^(?:nsys|ncu|rocprof|perf)$/.test(name))
        const at = nsys?.words.findIndex(word => /^(?:-o|--output|--export)(?:=|$)/.test(word)) ?? -1
        const file =
          at < 0
            ? nsys?.words[0] === "record"
              ? "perf.data"
              : ""
            : (nsys.words[at].split("=")[1] ?? nsys.words[at + 1] ?? "")
        const srun = through.find(({name}) => /^(?:srun|mpirun|mpiexec)$/.test(name))
        if (
          file &&
          srun &&
          through.indexOf(srun) < through.indexOf(nsys) &&
          !/%|PROCID|RANK/.test(file) &&
          !/^(?:-n1|--ntasks=1)$/.test(srun.words.join(""))
        )
          yield {line, matched: [file, nsys.name]}
      }
    },
    words: "every task writes its report to `{0}`, so {1} fails in all tasks but one, or keeps only one report.",
    cure: "Put the rank into the name: -o report.%q{{SLURM_PROCID}}",
    bad: ["#SBATCH --ntasks=4\nsrun nsys profile -o report ./a", "#SBATCH --ntasks=4\nsrun perf record ./a"],
    good: [
      "#SBATCH --ntasks=4\nsrun nsys profile -o report.%q{SLURM_PROCID} ./a",
      "#SBATCH --ntasks=4\nnsys profile -o report srun ./a",
    ],
  },
  "mpirun-in-the-container": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands, options}) {
      const nodes = options.findLast(({name}) => name === "nodes")
      if (!(Number(nodes?.value) > 1)) return
      for (const {words, line} of commands) {
        const names = started(words).through.map(({name}) => name)
        const inside = names.findIndex(name => /^(?:apptainer|singularity)$/.test(name))
        if (inside >= 0 && names.slice(inside).some(name => /^mpi(?:run|exec)/.test(name)))
          yield {line, matched: [nodes.written], written: nodes.written}
      }
    },
    words:
      "`{written}` requests several nodes, but mpirun cannot reach them, because the container has neither Slurm nor ssh.",
    cure: "Let srun start one container for each task, without mpirun: srun apptainer exec ...",
    bad: ["#SBATCH --nodes=2\napptainer exec a.sif mpirun -np 8 ./a"],
    good: [
      "#SBATCH --nodes=2\nsrun apptainer exec a.sif ./a",
      "#SBATCH --nodes=1\napptainer exec a.sif mpirun -np 8 ./a",
    ],
  },
  "pmi2-with-open-mpi-5": {
    kind: "fails",
    schedulers: ["slurm"],
    pattern: /^srun\s.*--mpi=(pmi2?)\b.*/u,
    body: /^(?:module|ml)\s.*\bopenmpi\/[5-9]/u,
    words: "Open MPI 5 supports only PMIx, so with --mpi={1}, each process runs alone.",
    cure: "Write srun --mpi=pmix, or omit the option.",
    fix: bench => bench.swap(/--mpi=pmi2?\b/, "--mpi=pmix"),
    bad: ["module load gcc openmpi/5.0.3\nsrun --mpi=pmi2 ./a"],
    good: ["module load gcc openmpi/5.0.3\nsrun --mpi=pmix ./a", "module load openmpi/4.1.5\nsrun --mpi=pmi2 ./a"],
  },
  "launcher-on-one-node": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands, options, text}) {
      const nodes = options.findLast(({name}) => name === "nodes")
      if (!(Number(nodes?.value) > 1) || /\b(?:ssh|clush|pdsh|pdsh_|mpirun|mpiexec)\b|hostfile/.test(text)) return
      for (const {words, line, loops, background} of commands) {
        const {through, words: own} = started(words)
        const name = base(own[0] ?? "")
        const launches =
          /^(torchrun|deepspeed)$/.test(name) ||
          (name === "accelerate" && own[1] === "launch") ||
          /^-m torch\.distributed\.(run|launch)/.test(own.slice(1, 3).join(" "))
        if (!launches || through.some(each => each.name === "srun") || loops.length || background) continue
        const ranked = name !== "accelerate" || own.some(word => word.startsWith("--machine_rank"))
        const each = ranked ? `${name} ...` : "bash -c 'accelerate launch --machine_rank $SLURM_NODEID ...'"
        const more = ranked ? "" : ". Add --num_machines and --main_process_ip."
        yield {line, matched: [name, nodes.written, each, more]}
      }
    },
    words:
      "`{1}` requests several nodes, but `{0}` starts on only one, so the other nodes stay idle, or it waits for them.",
    cure: "Start it once on each node: srun --ntasks-per-node=1 {2}{3}",
    bad: [
      "#SBATCH --nodes=2\ntorchrun --nnodes=2 --nproc-per-node=4 a.py",
      "#SBATCH --nodes=2\nsource env/bin/activate\ndeepspeed a.py",
    ],
    good: [
      "#SBATCH --nodes=2\nsrun torchrun --nnodes=2 a.py",
      "#SBATCH --nodes=1\ntorchrun a.py",
      "#SBATCH --nodes=2\ndeepspeed --hostfile hosts a.py",
    ],
  },
  "array-makes-the-directory": {
    kind: "fails",
    *find(script) {
      const {commands} = script
      if (!isArray(script) || !errexit(commands)) return
      const variables = varying(commands)
      const place = commands.findIndex(
        ({name, words, certain, op}) =>
          name === "mkdir" &&
          certain &&
          !op &&
          !words.slice(1).some(word => word.startsWith("-") || differs(word, variables)),
      )
      const [own, next] = commands.slice(place, place + 2)
      if (place < 0 || next?.op === "||" || commands.slice(0, place).some(({name}) => name === "cd")) return
      yield {line: own.line, matched: [own.text]}
    },
    words: "`{0}` fails in every task but the first, because the directory exists, and `set -e` ends the task.",
    cure: "Write mkdir -p.",
    fix: bench => bench.swap(/\bmkdir (?=[^-])/, "mkdir -p "),
    bad: ["#SBATCH --array=1-9 --output=%A_%a\nset -e\nmkdir out\n./a $SLURM_ARRAY_TASK_ID"],
    good: [
      "#SBATCH --array=1-9 --output=%A_%a\nset -e\nmkdir -p out\n./a $SLURM_ARRAY_TASK_ID",
      "#SBATCH --array=1-9 --output=%A_%a\nset -e\nmkdir out_$SLURM_ARRAY_TASK_ID\n./a",
    ],
  },
  "array-deletes-for-all": {
    kind: "fails",
    *find(script) {
      const {commands} = script
      if (!isArray(script)) return
      const variables = varying(commands)
      for (const [place, {name, words, certain, line}] of commands.entries()) {
        if (name === "cd") return
        const folder = words.at(-1) ?? ""
        if (name !== "rm" || !certain || !/^-\w*r/.test(words[1] ?? "") || words.length !== 3) continue
        if (differs(folder, variables) || /^(?:\/tmp|\/dev)|TMP|LOCAL|\$\{?SLURM/.test(folder)) continue
        const again = commands.slice(place + 1).find(each => each.name === "mkdir" && each.words.includes(folder))
        if (again) return yield {line, matched: [folder]}
      }
    },
    words: "each task of the array deletes `{0}`, which other tasks already use.",
    cure: "Give each task its own directory: {0}_$SLURM_ARRAY_TASK_ID",
    bad: ["#SBATCH --array=1-9 --output=%A_%a\nrm -rf work\nmkdir -p work\ncd work\n../a $SLURM_ARRAY_TASK_ID"],
    good: [
      "#SBATCH --array=1-9 --output=%A_%a\nW=work_$SLURM_ARRAY_TASK_ID\nrm -rf $W\nmkdir -p $W\n./a $W",
      "rm -rf work\nmkdir work\n./a",
    ],
  },
  "array-mirrors-into-one": {
    kind: "fails",
    *find(script) {
      const {commands} = script
      if (!isArray(script) || commands.some(({name}) => name === "flock")) return
      const variables = varying(commands),
        expand = expander(commands)
      const local = text =>
        /^(?:\/tmp|\/dev\/shm|\$\{?(?:SLURM_TMPDIR|TMPDIR|LOCAL_SCRATCH|TMP_LOCAL)\b)/.test(expand(text))
      for (const {name, words, certain, op, line} of commands) {
        const [from = "", to = ""] = words.filter(word => !word.startsWith("-")).slice(-2)
        const own = local(from) || differs(from, variables)
        if (name !== "rsync" || !certain || op || !own || !from.endsWith("/") || !/^[/$~]/.test(to)) continue
        if (words.some(word => /^--del/.test(word)) && !local(to) && !differs(to, variables))
          return yield {line, matched: [to]}
      }
    },
    words: "--delete removes the files that the other tasks of the array have written to `{0}`.",
    cure: "Omit --delete.",
    fix: bench => bench.swap(/\s--delete(?:-\w+)?(?=\s)/, ""),
    bad: [
      "#SBATCH --array=1-9 --output=%A_%a\nO=$TMPDIR/out\n./a $SLURM_ARRAY_TASK_ID --out $O\nrsync -a --delete $O/ /projects/me/out/",
    ],
    good: [
      "#SBATCH --array=1-9 --output=%A_%a\n./a --out $TMPDIR/o\nrsync -a --delete $TMPDIR/o/ /projects/me/out_$SLURM_ARRAY_TASK_ID/",
    ],
  },
  "array-writes-the-usual-file": {
    kind: "doubtful",
    *find(script) {
      const {commands, options} = script
      const array = options.findLast(({name}) => name === "array" || name === "t")?.value ?? ""
      const variables = varying(commands),
        expand = expander(commands)
      const enters = ({name, words}) =>
        /^(?:cd|pushd)$/.test(name) && words.slice(1).some(word => differs(word, variables))
      if (!isArray(script) || /%1$/.test(array) || commands.some(enters)) return
      for (const command of commands) {
        const {words, through} = started(command.words.map(expand)),
          text = words.join(" ")
        const own = FIXED.find(([of]) => of.test(`${base(words[0] ?? "")} ${words[1] ?? ""}`))
        const moves = through.some(each => each.words.some(word => /^(?:-D|--chdir|-wdir|--wdir)/.test(word)))
        if (!own || command.fn || command.condition || moves || own[2].test(text)) continue
        if (!commands.some(each => each !== command && everyWord(each).includes(own[1])))
          return yield {line: command.line, matched: [base(words[0]), own[1]]}
      }
    },
    words: "`{0}` writes `{1}` in the directory where it starts, which is the same for all tasks of the array.",
    cure: "Start each task in its own directory, or put the task's number into the file's name.",
    bad: [
      "#SBATCH --array=1-9 --output=%A_%a\nsrun lmp -in a.in -var s $SLURM_ARRAY_TASK_ID",
      "#SBATCH --array=1-9 --output=%A_%a\ncd /scratch/me\nsrun vasp_std > $SLURM_ARRAY_TASK_ID.log",
    ],
    good: [
      "#SBATCH --array=1-9 --output=%A_%a\nsrun lmp -in a.in -var s $SLURM_ARRAY_TASK_ID -log log.$SLURM_ARRAY_TASK_ID",
      "#SBATCH --array=1-9 --output=%A_%a\ncd run_$SLURM_ARRAY_TASK_ID\nsrun vasp_std",
      "#SBATCH --array=1-9%1 --output=%A_%a\nsrun vasp_std",
    ],
  },
  "array-gathers-itself": {
    *find(script) {
      const {commands} = script
      if (!isArray(script)) return
      const glob = text => text.replace(/\$\{?(?:SLURM_ARRAY_TASK_ID|SGE_TASK_ID)\}?/g, "*")
      for (const [place, {redirects}] of commands.entries()) {
        const to = redirects.map(({target}) => target.text).find(text => TASK.test(text))
        const gather = to && commands.slice(place + 1).find(each => each.certain && each.words.includes(glob(to)))
        if (gather) return yield {line: gather.line, matched: [glob(to)]}
      }
    },
    words: "each task of the array gathers `{0}` when it ends, while other tasks are still writing.",
    cure: "Submit a separate job for this, with --dependency=afterok and the array's job ID.",
    bad: [
      "#SBATCH --array=1-9 --output=%A_%a\n./a > p_$SLURM_ARRAY_TASK_ID.csv\ncat p_*.csv > all_$SLURM_ARRAY_TASK_ID.csv",
    ],
    good: ["#SBATCH --array=1-9 --output=%A_%a\n./a > p_$SLURM_ARRAY_TASK_ID.csv\nif [ -e end ]; then cat p_*.csv; fi"],
  },
  "array-submits-for-each-task": {
    schedulers: ["slurm"],
    *find(script) {
      const {commands} = script
      if (!isArray(script)) return
      const variables = varying(commands)
      const own = commands.find(
        ({name, words, certain, op}) =>
          name === "sbatch" &&
          certain &&
          !op &&
          words.length > 1 &&
          !words.some(word => differs(word.replace(ITSELF, ""), variables) || /singleton/.test(word)),
      )
      if (own) yield {line: own.line, matched: [own.text]}
    },
    words: "each task of the array runs `{0}`, so the job is submitted once for each task.",
    cure: "Submit it once from a login node, with --dependency=afterok and the array's job ID.",
    bad: [
      "#SBATCH --array=1-9 --output=%A_%a\n./a $SLURM_ARRAY_TASK_ID\nsbatch merge.sh",
      "#SBATCH --array=1-9 --output=%A_%a\nsbatch --dependency=afterok:$SLURM_JOB_ID merge.sh\n./a $SLURM_ARRAY_TASK_ID",
    ],
    good: [
      "#SBATCH --array=1-9 --output=%A_%a\n./a\nif [ $SLURM_ARRAY_TASK_ID = 9 ]; then sbatch merge.sh; fi",
      "./a\nsbatch merge.sh",
    ],
  },
  "waits-for-another-job": {
    schedulers: ["slurm"],
    *find({commands, options, text}) {
      if (!options.length && /\bsbatch\b/.test(text)) return // it runs where its user logs in
      const found = commands.find(each => each.condition && polls(each))
      if (found) yield {line: found.line, matched: [found.text]}
    },
    words: "`{0}` waits for another job while this job occupies its resources.",
    cure: "Submit this script with --dependency=afterok and the other job's ID.",
    bad: ["until partition-stats | grep idle; do sleep 10; done\n./b"],
    good: ["squeue -j $J\n./b", "J=$(sbatch --parsable a.sh)\nuntil squeue -j $J | grep R; do sleep 60; done\necho up"],
  },
  "asks-the-scheduler-often": {
    schedulers: ["slurm"],
    *find({commands}) {
      const sleeps = new Map(
        commands.flatMap(each => (each.name === "sleep" ? each.loops.map(({line}) => [line, each]) : [])),
      )
      const often = ({loops}) => /^(?:[1-9]?\ds?)?$/.test(sleeps.get(loops.at(-1).line)?.words[1] ?? "")
      const found = commands.find(
        each => (each.name === "watch" && ASKS.test(each.text)) || (!each.condition && polls(each) && often(each)),
      )
      if (found) yield {line: found.line, matched: [found.text]}
    },
    words: "`{0}` in this loop queries the scheduler, which serves all users, again and again.",
    cure: "Query the scheduler once, or every few minutes at most.",
    bad: ["while true; do sinfo > s.log; sleep 5; done &\n./b", "watch -n 1 squeue --me &\n./b"],
    good: ["while true; do sstat -j $SLURM_JOB_ID >> s; sleep 600; done &\n./b", "squeue --me\n./b"],
  },
  "dependency-without-dollar": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands}) {
      const own = new Set(commands.flatMap(({sets}) => sets.map(part => /^\w+/.exec(part)?.[0])))
      for (const {name, words, line} of commands) {
        const given = name === "sbatch" ? words.join(" ") : ""
        const [, id] = /(?:--dependency|-d)[= ]\w+:([A-Za-z_]\w*)\b/.exec(given) ?? []
        if (id && own.has(id)) yield {line, matched: [id]}
      }
    },
    words: "`{0}` lacks a $, so Slurm gets the name instead of the job ID.",
    cure: "Write ${0}.",
    bad: ["J=$(sbatch --parsable a.sh)\nsbatch --dependency=afterok:J b.sh"],
    good: ["J=$(sbatch --parsable a.sh)\nsbatch --dependency=afterok:$J b.sh", "for $i in 1 2; do ./a; done"],
  },
  "dependency-cut-off": {
    kind: "fails",
    schedulers: ["slurm"],
    pattern: /^sbatch\s.*(?:--dependency|-d)[= ]\w+:\s+\$\{?\w+/u,
    words: "the space after the colon in --dependency cuts off the job ID.",
    cure: "Write afterok:$ID without a space.",
    fix: bench => bench.swap(/((?:--dependency|-d)[= ]\w+:)\s+(?=\$)/, "$1"),
    bad: ["J=$(sbatch --parsable a.sh)\nsbatch --dependency=afterok: $J b.sh"],
    good: ["J=$(sbatch --parsable a.sh)\nsbatch --dependency=afterok:$J b.sh"],
  },
  "launched-text": {
    kind: "fails",
    *find({commands}) {
      for (const {words, line} of commands) {
        const {through, words: given} = started(words)
        const launcher = through.at(-1)?.name ?? ""
        const next = through.length === 1 ? (words[1 + through[0].words.length] ?? "") : ""
        if (!/^(?:srun|mpirun|mpiexec)$/.test(launcher)) continue
        if (/^[^\s$`<]+\s+\S/.test(given[0] ?? "")) yield {line, matched: [launcher, given[0], "Remove the quotes."]}
        else if (/^[A-Z_]+=/.test(next))
          yield {line, matched: [launcher, next, `Write: ${launcher} ... env ${next} ...`]}
      }
    },
    words: "{0} searches for a program named `{1}`.",
    cure: "{2}",
    bad: ['srun "./a --x 1"', "srun -n 4 OMP_NUM_THREADS=2 ./a"],
    good: ["srun `which a` -x", "srun --multi-prog <(printf '0 a\n')"],
  },
  "set-but-not-exported": {
    *find({commands, text}) {
      if (/\bset\s+-a|allexport|\bexport -p/.test(text)) return
      const last = commands.findLastIndex(each => !PREPARE.test(each.name) && each.words.length)
      const told = new Set()
      for (const [place, {sets, words, line, tokens}] of commands.entries()) {
        const name = words.length || tokens.length ? null : FROM_ENVIRONMENT.exec(sets[0] ?? "")?.[1]
        if (!name || told.has(name) || place > last) continue
        told.add(name)
        if (!new RegExp(String.raw`\$\{?${name}|(?:export|declare)\s[^\n]*${name}`).test(text))
          yield {line, matched: [name]}
      }
    },
    words: "`{0}` is not exported, so no program sees it.",
    cure: "Write export before it.",
    fix: bench => bench.swap(/^(\s*)(?=\w+=)/, "$1export "),
    bad: [
      "OMP_NUM_THREADS=8\nsrun ./a",
      "ESPRESSO_TMPDIR=/scratch/me/t\nsrun pw.x -in a.in",
      "WANDB_MODE=offline\npython a.py",
    ],
    good: [
      "OMP_NUM_THREADS=8 ./a",
      "MASTER_PORT=29500\ntorchrun --master_port=$MASTER_PORT a.py",
      "OMP_NUM_THREADS=8\nexport OMP_NUM_THREADS\n./a",
    ],
  },
  "profile-of-all-ranks": {
    schedulers: ["slurm"],
    *find({commands, text, options}) {
      const profiles = commands.some(
        ({name, words, sets}) =>
          name === "gprof" || [...words, ...sets].some(word => /(?:^|[\s=])-pg(?:\s|$)/.test(word)),
      )
      if (!profiles || /GMON_OUT_PREFIX/.test(text)) return
      const several = options.some(({name, value}) => /^(?:ntasks|ntasks-per-node)$/.test(name) && Number(value) > 1)
      const run = commands.find(({words}) => {
        const [launcher] = started(words).through.filter(({name}) => /^(?:srun|mpirun|mpiexec)$/.test(name))
        const own = launcher && /(?:^|\s)(?:-n\s*|-np\s+|--ntasks[= ])(\d+)/.exec(launcher.words.join(" "))?.[1]
        return launcher && (own ? Number(own) > 1 : several)
      })
      if (run) yield {line: run.line, matched: [program(run)]}
    },
    words: "each rank of `{0}` writes its profile to the same file, gmon.out, so only one is left.",
    cure: "Add this line above it: export GMON_OUT_PREFIX=gmon.out",
    bad: ["#SBATCH -n 8\nsrun ./a\ngprof ./a gmon.out > p.txt", "gcc -pg a.c -o a\nmpirun -np 4 ./a"],
    good: [
      "#SBATCH -n 8\nexport GMON_OUT_PREFIX=g\nsrun ./a\ngprof ./a g.1 > p.txt",
      "#SBATCH -n 1\n./a\ngprof ./a gmon.out",
    ],
  },
  "profiler-switch-too-late": {
    kind: "ignored",
    schedulers: ["slurm"],
    excused: ({directives, commands}) =>
      !directives.length || commands.some(({name}) => /^(?:sbatch|salloc)$/.test(name)),
    pattern: /\bDISABLE_DCGM=["']?1/u,
    unless: /^echo/u,
    words: "`{0}` has no effect in the job, because the node reads it before the job starts.",
    cure: "Set it when you submit: DISABLE_DCGM=1 sbatch job.sh",
    bad: ["#SBATCH -n 1\nexport DISABLE_DCGM=1\nncu ./a", "#SBATCH -n 1\nDISABLE_DCGM=1 srun ncu ./a"],
    good: ["DISABLE_DCGM=1 sbatch a.sh", "echo DISABLE_DCGM=1"],
  },
  "make-without-a-number": {
    pattern: /^make(?:\s.*)?\s(?:-j|--jobs)(?=\s+[^\d$"\s]|$).*/u,
    words: "`{0}` starts as many compilers as it can, but this job's cores and memory are limited.",
    cure: "Write make -j $SLURM_CPUS_PER_TASK.",
    bad: ["make -j", "make -j install"],
    good: ["make -j 4", 'make -j "$N" install', "make -j$(nproc)"],
  },
}
