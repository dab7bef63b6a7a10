// Which shell expands what, and when: quotes, here-documents, variables and functions that another process does not see.
import {payload, started} from "../script/payload.js"
import {nearest, setOf} from "../script/text.js"
import {expander} from "../script/variables.js"
import {rules as others} from "./commands.js"
import {readsAnother, set} from "./shell.js"

const RUNS_TEXT = setOf(
  "bash sh zsh ksh eval trap ssh parallel xargs find awk gawk sed perl jq watch envsubst su python3 sbatch snakemake " +
    "nextflow git mail rclone",
)
const ENVIRONMENT = /^(?:HOME|USER|LOGNAME|PWD|SHELL|HOSTNAME|SCRATCH|PROJECT|WORK|TMPDIR|TMP|LANG|IFS|\w*PATH|LC_\w+)$/
const PLACES = "SLURM_\\w+|SGE_\\w+|HOME|USER|SCRATCH|PROJECT|WORK|TMPDIR|LOCAL_SCRATCH|TMP_SHARED|TMP_LOCAL"
const OF_TASK = "SLURM_PROCID|SLURM_LOCALID|SLURM_NODEID|SLURMD_NODENAME"
const OF_RANK =
  "OMPI_COMM_WORLD_(?:LOCAL_)?RANK|PMI_(?:LOCAL_)?RANK|PMIX_RANK|MV2_COMM_WORLD_(?:LOCAL_)?RANK|MPI_LOCALRANKID"
const ONE_TASK = new RegExp(String.raw`\$\{?(${OF_TASK})\b|\$\(hostname\b|\x60hostname\b`)
/** A node's name, which an option of srun needs before the tasks start. */
const OF_NODE = /\$\(hostname\b|\x60hostname\b|\bSLURMD_NODENAME\b/
const HERE = ["this here-document", "quote the delimiter: <<'EOF'"] // where it expands, and what prevents it
const EARLY = new RegExp(String.raw`(?<!\\)\$\{?(?:(?:${OF_TASK}|${OF_RANK})\b|[@*](?![\w]))\}?`)
export const SCRIPT =
  /\.(?:sh|bash|py|pl|R|r|jl|tcl|m|awk|gp|gnuplot|plt|lua|js|rb|nf|smk|cmake|mk|job|slurm|sbatch|sub|bat)$/
const KEPT = /^[^']*(?:'[^']*'[^']*)*'[^']*\$\{?(?:SLURM|SGE)_\w/
const ASSIGNED = /(?:^|[\s;(])(?:export\s+|local\s+|declare\s+(?:-\w+\s+)?)?(\w+)=|\b(?:for|read(?:\s+-\w+)*)\s+(\w+)/g

/** A text with the variables of its sums as if they had their dollar, and without those that stay: `$((N + 1))`, `\\$N`. */
const opened = raw =>
  raw
    .replace(/\\\$\S*/g, "")
    .replace(/\$\(\(([^()]*)\)\)/g, (_, sum) => sum.replace(/(?<![\w${])(?=[A-Za-z_])/g, () => "$"))
/** What a text has that the shell expands, to the sign that closes it. */
function found(pattern, raw) {
  const text = opened(raw)
  const rest = text.slice(Math.max(0, text.search(pattern)))
  return /^(?:\$\([^)]*\)|\$\{[^}]*\}|\x60[^\x60]*\x60|\$\w+)/.exec(rest)?.[0]
}
/** The variables that a text of the shell sets. */
const setIn = text => new Set([...text.matchAll(ASSIGNED)].map(([, one, other]) => one ?? other))
const usesIn = text => [...text.matchAll(/(?<!\\)\$\{?([A-Za-z_]\w*)(?!\w|\}?:?[-=+?])/g)].map(([, name]) => name)
/** What single quotes keep from this shell: without what it fills in between them, as in `'a '$B' c'`. */
const kept = raw => [...raw.matchAll(/"(?:\\.|[^"\\])*"|\\.|'([^']*)'/gs)].map(([, text]) => text ?? "").join(" ")
/** The variables that code of Python reads from the environment. */
const readIn = code =>
  [...code.matchAll(/\benviron(?:\.get\(|\[)\s*["'](\w+)["']|\bgetenv\(\s*["'](\w+)["']/g)].map(
    ([, one, other]) => one ?? other,
  )
const several = ({options}) =>
  options.some(({name, value}) => /^(?:ntasks|ntasks-per-node|nodes)$/.test(name) && Number(value) > 1)
const fileOf = ({redirects}) => redirects.find(({op}) => /^>/.test(op))?.target.text ?? ""
/** The here-documents, each with the command that gets it. */
const documentsOf = ({commands}) =>
  commands.flatMap(command =>
    command.redirects.flatMap(({document, raw}) => (document ? [{command, document, raw, text: document.text}] : [])),
  )
const startsFile = (file, each) => {
  const name = file.split("/").at(-1)
  return Boolean(name) && each.words.some(word => word.split("/").at(-1) === name)
}
/** The texts that `bash -c` gets, anywhere in a command. */
function texts({tokens}) {
  const at = tokens.findIndex(
    ({text}, place) => /^(?:.*\/)?(?:ba|z|da)?sh$/.test(text) && /^-\w*c$/.test(tokens[place + 1]?.text ?? ""),
  )
  return at < 0 || !tokens[at + 2] ? [] : [tokens[at + 2]]
}
/** What the script sets and does not export. */
function unexported({commands, text}) {
  if (/^[ \t]*set\s+(?:-\w*a|-o allexport)/m.test(text)) return new Map()
  const plain = commands.filter(({fn, name}) => !fn && name !== "export")
  const own = new Map(plain.flatMap(each => set(each).map(name => [name, each.line])))
  const given = commands.filter(({name, words}) => name === "export" || (name === "declare" && /^-\w*x/.test(words[1])))
  for (const word of given.flatMap(({words}) => words.slice(1))) own.delete(/^\w+/.exec(word)?.[0] ?? "")
  for (const name of own.keys()) if (ENVIRONMENT.test(name) || /^(?:SLURM|OMP|MKL|CUDA)_/.test(name)) own.delete(name)
  return own
}

// sbatch's and srun's manual pages; what sites add is not known here.
const OF_SLURM = setOf(`ARRAY_JOB_ID ARRAY_TASK_COUNT ARRAY_TASK_ID ARRAY_TASK_MAX ARRAY_TASK_MIN ARRAY_TASK_STEP
  CLUSTER_NAME CONF CPUS_ON_NODE CPUS_PER_GPU CPUS_PER_TASK CPU_FREQ_REQ DISTRIBUTION DIST_PLANESIZE EXPORT_ENV GPUS
  GET_USER_ENV GPUS_ON_NODE GPUS_PER_NODE GPUS_PER_SOCKET GPUS_PER_TASK GPU_FREQ GTIDS HINT JOBID JOB_ACCOUNT JOB_CPUS_PER_NODE
  JOB_DEPENDENCY JOB_END_TIME JOB_EXTRA JOB_GID JOB_GPUS JOB_GROUP JOB_ID JOB_LICENSES JOB_NAME JOB_NODELIST JOB_NUM_NODES
  JOB_OVERSUBSCRIBE JOB_PARTITION JOB_QOS JOB_RESERVATION JOB_RESTART_COUNT JOB_SEGMENT_SIZE JOB_START_TIME JOB_UID
  JOB_USER LAUNCH_NODE_IPADDR LOCALID MEM_PER_CPU MEM_PER_GPU MEM_PER_NODE NNODES NODEID NODELIST NODE_ALIASES NPROCS
  NTASKS NTASKS_PER_CORE NTASKS_PER_GPU NTASKS_PER_NODE NTASKS_PER_SOCKET OVERCOMMIT PRIO_PROCESS PROCID PROFILE
  RESTART_COUNT SCRIPT_CONTEXT SHARDS_ON_NODE SUBMIT_DIR SUBMIT_HOST TASKS_PER_NODE TASK_PID THREADS_PER_CORE TRES_PER_TASK
  WORKING_CLUSTER`)
const OF_SITES =
  /TMP|SCRATCH|SPANK|BIND|STEP|HET_|PACK_|RLIMIT|PTY|MPI|PMI|PMIX|UMASK|CONTAINER|COMM|TOPOLOGY|OOM|STD|DEBUG/
const INSTEAD = {
  TIMELIMIT: "Calculate with SLURM_JOB_END_TIME, or ask squeue -h -j $SLURM_JOB_ID -o %l.",
  QOS: "Write SLURM_JOB_QOS.",
  GRES: "Write SLURM_GPUS_ON_NODE for the GPUs.",
}

/** @type {Partial<Rule>} */
export const usual = {kind: "fails", schedulers: ["slurm", "grid_engine"], where: "command"}

/** @type {Record<string, Rule>} */
export const rules = {
  "variable-not-expanded": {
    kind: "unwise",
    *find({commands, lines, text}) {
      const own = [...new Set(commands.flatMap(set))].filter(name => name.length > 1).join("|")
      const names = new RegExp(String.raw`^(?:[\w-]+=)?'[^'\s]*\$\{?(?:${PLACES}${own && `|${own}`})\b[^'\s]*'$`)
      const list = new RegExp(String.raw`[\s(=]('[^'\s]*\$\{?(?:${PLACES})\b[^'\s]*')`)
      const later = /\b(?:eval|envsubst|sbatch)\b|\b(?:ba|z)?sh\s+-\w*c\b/.test(text)
      for (const {line, name, tokens, words, sets} of commands) {
        if (/^(?:export|alias|PS\w)$/.test(name) || words.some(word => RUNS_TEXT.has(word.split("/").at(-1) ?? "")))
          continue
        const given = tokens.slice(1).find(({raw, quote}) => /^'+$/.test(quote) && KEPT.test(raw))
        const path = tokens.slice(1).find(({raw, quote}) => quote === "'" && names.test(raw))
        const found = /^(?:echo|printf)$/.test(name) ? null : (given ?? path)
        if (found) yield {line: found.line, matched: [found.raw]}
        if (words.length || later || !sets.length) continue
        const [, of = "", value = ""] = /^(\w+)\+?=(.*)$/s.exec(sets[0]) ?? []
        if (/^(?:PS\d|\w*(?:CMD|COMMAND))$/.test(of)) continue
        const raw = value.startsWith("(") ? value : (/=\s*('[^']*')\s*(?:#.*)?$/.exec(lines[line - 1])?.[0] ?? "")
        const kept = list.exec(raw)
        if (kept && new RegExp(String.raw`\$\{?${of}\b`).test(text))
          yield {line: line + (raw.slice(0, kept.index + 1).match(/\n/g)?.length ?? 0), matched: [kept[1]]}
      }
    },
    words: "single quotes prevent the shell from expanding `{0}`, so the program gets the variable's name.",
    cure: "Use double quotes.",
    fix: bench => bench.swap(/'([^'"]*\$\{?[A-Za-z_][^'"]*)'/, '"$1"'),
    bad: [
      "./a --out='run_${SLURM_JOB_ID}'",
      "IN=/scratch/me\n./a '${IN}/a'",
      "O=(\n  --data '$TMPDIR/coco'\n  --n 3\n)\n./a \"${O[@]}\"",
      "DATA='$SCRATCH/in'\n./a $DATA",
    ],
    good: [
      "srun bash -c './a $SLURM_PROCID'",
      "echo '$SLURM_JOB_ID'",
      "awk '$HOME' a\n./a '$price'",
      "C='$SCRATCH/a'\neval $C",
      "./a --id 'run_'$SLURM_JOB_ID",
    ],
  },
  "field-expanded-by-the-shell": {
    *find({commands, shell}) {
      for (const {name, tokens, fn} of [...commands, ...shell.inner]) {
        const field = /^g?awk$/.test(name) ? /\{[^}]*\$(?:\d+|NF\b)/ : name === "perl" ? /\$(?:_\b|F\[)/ : null
        const text = field && tokens.slice(1).find(({raw}) => raw.startsWith('"') && field.test(raw))
        if (!text || fn || /\\\$|BEGIN/.test(text.raw)) continue
        if (commands.some(each => each.name === "set" && !/^[-+]/.test(each.words[1] ?? "-"))) continue
        yield {line: text.line, matched: [text.raw, name]}
      }
    },
    words: "the shell replaces the field in {0} with its own variable, which is empty, before {1} starts.",
    cure: "Use single quotes.",
    fix: bench => bench.swap(/"([^"']*\$[^"']*)"/, "'$1'"),
    bad: ['E=$(grep x a.out | tail -1 | awk "{print $5}")\n./b $E', 'perl -lane "print $F[0]" a'],
    good: ["awk '{print $5}' a", 'awk "{print \\$5}" a', 'awk "NR==$1" a'],
  },
  "variable-that-slurm-does-not-set": {
    kind: "unwise",
    schedulers: ["slurm"],
    *find({commands, text, lines}) {
      if (readsAnother(commands)) return
      const told = new Set()
      for (const {line, tokens, sets, text: own} of commands) {
        const written = [...tokens.filter(({quote}) => quote !== "'").map(({raw}) => raw), ...sets, own].join(" ")
        for (const [, name] of written.matchAll(/\$\{?#?SLURM_(\w+)(?!\w|:?[-=+?])/g)) {
          if (OF_SLURM.has(name) || OF_SITES.test(name) || told.has(name)) continue
          if (others["variable-misspelt"].pattern?.test(`$SLURM_${name}`)) continue
          told.add(name)
          const known = new RegExp(String.raw`\bSLURM_${name}=|-[nzv] "?\$?\{?SLURM_${name}\b|\bSLURM_${name}\b.*\|\|`)
          if (lines.some(each => known.test(each)) || new RegExp(`SLURM_${name}:?[-=+?]`).test(text)) continue
          const near = nearest(
            `SLURM_${name}`,
            [...OF_SLURM].map(each => `SLURM_${each}`),
          )
          yield {
            line,
            matched: [
              `$SLURM_${name}`,
              INSTEAD[name] ?? (near ? `Did you mean ${near}?` : "See the list in man sbatch."),
            ],
          }
        }
      }
    },
    words: "Slurm sets no variable `{0}` in a job, so it is empty. With `set -u`, the script ends here.",
    cure: "{1}",
    bad: ["L=$SLURM_TIMELIMIT\n./a --limit $L", "./a --nodes $SLURM_JOB_NODE_COUNT", "./a ${SLURM_WALLTIME}"],
    good: [
      "./a > log.$SLURM_JOB_ID 2>&1",
      "./a ${SLURM_TIMELIMIT:-60}",
      "SLURM_X=1\n./a $SLURM_X",
      "./a $SLURM_TMPDIR",
    ],
  },
  "variable-in-a-quoted-document": {
    kind: "unwise",
    *find(script) {
      const {commands} = script
      const replaced = /^(?:envsubst|sed|perl|awk|eval|m4|j2)$/
      const fills = ({name, text}) => /^python/.test(name) && /template|render|fill|subst|expand|\s-c?\s/i.test(text)
      for (const {command, document, raw, text} of documentsOf(script)) {
        const file = fileOf(command)
        if (!document.quoted || !/^(?:cat|tee)$/.test(command.name) || !file || SCRIPT.test(file)) continue
        if (/^[ \t]*#!|^#SBATCH/m.test(text) || /[Mm]akefile/.test(file)) continue
        const uses = [...text.matchAll(/\$\{?(\w+)\}?/g)]
        if (!uses.length) continue
        const own = new Set(commands.filter(({line}) => line < command.line).flatMap(set))
        const found = uses.find(([, name]) => {
          const defines = new RegExp(
            String.raw`\b(?:set|variable|let|define|param|string)\s+${name}\b|(?:^|[\s,;])["']?${name}["']?\s*:?[=:]|\bequal\b.*v_${name}`,
            "m",
          )
          const passed = new RegExp(String.raw`(?:^|\s)(?:-v|-var|--var|-D)\s*${name}\b`)
          return (
            (/^SLURM_/.test(name) ||
              own.has(name) ||
              (/^(?:TMPDIR|SCRATCH)$/.test(name) && /\.ya?ml$|\.json$/.test(file))) &&
            !defines.test(text) &&
            !commands.some(each => passed.test(each.text))
          )
        })
        const tasks = ({name, text: words}) => /^(?:nextflow|snakemake)$/.test(name) && words.includes(file)
        if (!found || commands.some(tasks)) continue // each of their jobs expands it
        if (commands.some(each => (replaced.test(each.name) || fills(each)) && startsFile(file, each))) continue
        yield {line: command.line, matched: [found[0], raw, file]}
      }
    },
    words: "`{0}` stays unchanged in {2}, because the quotes in `{1}` prevent the shell from expanding it.",
    cure: "Write the word without quotes.",
    fix: bench => bench.swap(/(<<-?\s*)(["'])(\w+)\2/, "$1$3"),
    bad: [
      'T=300\ncat <<"END" > POTIM\ntemp ${T}\nEND\n./a',
      "cat > c.yaml <<'EOF'\nseed: $SLURM_ARRAY_TASK_ID\nEOF\npython a.py c.yaml",
    ],
    good: [
      "#SBATCH -c 4\ncat > run.in <<EOF\nthreads = $SLURM_CPUS_PER_TASK\nEOF\n./a",
      "cat > a.sh <<'EOF'\necho $SLURM_JOB_ID\nEOF\nbash a.sh",
      "cat > a.config <<'EOF'\nprocess.scratch = '$SLURM_TMPDIR'\nEOF\nnextflow run b -c a.config",
      "T=300\ncat > in.lmp <<'EOF'\nvariable T equal 300\nfix 1 ${T}\nEOF\n./lmp -in in.lmp",
      "T=300\ncat > in.lmp <<'EOF'\nfix 1 ${T}\nEOF\n./lmp -var T $T -in in.lmp",
      "T=300\nexport T\ncat > a.tpl <<'EOF'\n$T\nEOF\nenvsubst < a.tpl > a.in\nenvsubst a.tpl",
    ],
  },
  "document-expands-too-early": {
    schedulers: ["slurm"],
    *find(script) {
      const {commands, directives, shell} = script
      const own = new Set([...commands, ...shell.inner].flatMap(set))
      const submitter = !directives.length
      for (const {command, document, text} of documentsOf(script)) {
        if (document.quoted) continue
        const file = fileOf(command)
        const launcher = started(command.words).through[0]?.name ?? command.name
        const launched =
          /^(?:srun|mpirun|mpiexec|ssh|pdsh|clush)$/.test(launcher) ||
          (file &&
            (/^\s*#!/.test(text) || /\.(?:sh|bash)$/.test(file)) &&
            commands.some(each => each.name !== "chmod" && startsFile(file, each)))
        const submitted = /^[ \t]*#SBATCH/m.test(text)
        const field =
          submitted || command.fn || !file ? null : /\{[^{}\n]*\bprint\b[^{}\n]*?(?<!\\)(\$[1-9])/.exec(text)
        if (field)
          yield {
            line: document.line + text.slice(0, field.index).split("\n").length,
            matched: [field[1], "when it is still empty", ...HERE],
          }
        if (field || (!launched && !submitted)) continue
        const inner = setIn(text.replace(/\\\$/g, ""))
        const early = !submitted && EARLY.exec(text)?.[0]
        const inJob =
          submitted &&
          usesIn(text).find(name =>
            submitter
              ? /^SLURM_(?!SUBMIT|CLUSTER)/.test(name) && !own.has(name)
              : name === "SLURM_ARRAY_TASK_ID" && !script.names.has("array"),
          )
        const empty = usesIn(text).find(name => inner.has(name) && !own.has(name) && !ENVIRONMENT.test(name))
        const found = early || (inJob && `$${inJob}`) || (empty && `$${empty}`)
        if (!found) continue
        const above = text.slice(
          0,
          text.search(new RegExp(String.raw`(?<!\\)\$\{?${found.replace(/\W/g, "") || "[@*]"}`)),
        )
        const line = document.line + above.split("\n").length
        yield {
          line,
          matched: [
            found,
            early && /\w/.test(early) ? "so all tasks get the same value" : "when it is still empty",
            ...HERE,
          ],
        }
      }
      for (const command of submitter ? [...commands, ...shell.inner] : []) {
        const wrap =
          command.name === "sbatch" &&
          command.tokens.find(
            ({raw}, place, all) => /^--wrap="/.test(raw) || (raw[0] === '"' && all[place - 1]?.raw === "--wrap"),
          )
        const name = wrap && usesIn(wrap.raw).find(each => /^SLURM_(?!SUBMIT|CLUSTER)/.test(each) && !own.has(each))
        if (name)
          yield {
            line: command.line,
            matched: [`$${name}`, "when it is still empty", "this command", "put the command in single quotes"],
          }
      }
    },
    words: "the shell expands `{0}` in {2} before the other process starts, {1}.",
    cure: "Write \\{0}, or {3}",
    bad: [
      '#SBATCH -n 8\ncat > w.sh <<EOF\n#!/bin/bash\nexport ROCR_VISIBLE_DEVICES=$SLURM_LOCALID\nexec "\\$@"\nEOF\nchmod +x w.sh\nsrun ./w.sh ./a',
      '#SBATCH -n 8\ncat > w.sh <<EOF\n#!/bin/bash\nexec "$@"\nEOF\nsrun ./w.sh ./a',
      "#SBATCH -n 8\nsrun bash <<EOF\nn=\\$(hostname)\n./a $n\nEOF",
      "sbatch <<EOF\n#!/bin/bash\n#SBATCH --array=1-9\n./a $SLURM_ARRAY_TASK_ID\nEOF",
      'sbatch --array=1-9 --wrap="./a $SLURM_ARRAY_TASK_ID"',
      "cat > r.sh <<EOF\nfor f in *.fa; do\n  ./a $f\ndone\nEOF\nbash r.sh",
      "cat > a.awk <<EOF\n{print $1}\nEOF\nawk -f a.awk in",
    ],
    good: [
      '#SBATCH -n 8\ncat > w.sh <<EOF\n#!/bin/bash\nexport ROCR_VISIBLE_DEVICES=\\$SLURM_LOCALID\nexec "\\$@"\nEOF\nsrun ./w.sh ./a',
      "#SBATCH -n 8\ncat > w.sh <<'EOF'\n#!/bin/bash\nexec \"$@\"\nEOF\nsrun ./w.sh ./a",
      "f=a\nsbatch <<EOF\n#!/bin/bash\n#SBATCH --array=1-9 --output=%A_%a\n./a $f \\$SLURM_ARRAY_TASK_ID\nEOF",
      'for i in 1 2; do\n  sbatch --time=10 --wrap="./a $i \\$SLURM_JOB_ID"\ndone',
    ],
  },
  "options-in-one-word": {
    *find({commands}) {
      const expand = expander(commands)
      const own = new Set(commands.map(({fn}) => fn))
      const readsText = word => word !== "python3" && RUNS_TEXT.has(word)
      for (const command of commands) {
        const {tokens, name, words, fn, line} = command
        if (readsText(name) || fn || own.has(name) || /^(?:echo|printf|export|\[\[?|test|read|sbatch)$/.test(name))
          continue
        const first = payload(command)[0]
        for (const [at, {raw, text}] of tokens.entries()) {
          const value = /^"\$(?:\w+|\{\w+\})"$/.test(raw) ? expand(text) : text
          const told = /^-\S+\s+\S/.test(value) && at > 0 && !/^-/.test(tokens[at - 1].text)
          const run =
            text === first && /^(?:srun|mpirun|mpiexec|python3?|[\w./-]*\.(?:py|sh|x|exe)|\.\/[\w.-]+)\s+\S/.test(value)
          if (value === text || words.some(readsText) || !(told || run)) continue
          yield {line, matched: [raw, value, raw.replace(/\W/g, ""), told ? "option" : "name of a program"]}
        }
      }
    },
    words: "the quotes in `{0}` turn `{1}` into a single {3}.",
    cure: 'Write a list: {2}=({1}) and "${{{2}[@]}}"',
    bad: [
      'A="--lr 3e-4 --batch 256"\npython a.py "$A"',
      'OPTS="-x 1 -y 2"\nsrun ./a in.dat "${OPTS}"',
      'CMD="srun ./a in.dat"\n"$CMD"',
    ],
    good: [
      'A="--lr 3e-4 --batch 256"\npython a.py $A',
      'F="-O3 -g"\nmake --flags "$F"',
      'A="-x 1"\nf() { ./a $1; }\nf "$A"',
      'D="my data"\n./a "$D"',
    ],
  },
  "expanded-on-the-first-node": {
    schedulers: ["slurm"],
    *find(script) {
      const {commands} = script
      const tasks = several(script)
      const same = new Set(
        commands
          .filter(({fn}) => !fn)
          .flatMap(({sets}) =>
            sets.map(
              part =>
                new RegExp(String.raw`^(\w+)=(?:\$\{?(?:${OF_TASK})\}?|\$\(\(.*SLURM_(?:PROC|LOCAL)ID.*)$`).exec(
                  part,
                )?.[1],
            ),
          ),
      )
      const again = [...same].filter(Boolean).map(name => String.raw`|\$\{?${name}\b`)
      const one = new RegExp(ONE_TASK.source + again.join(""))
      for (const {name, tokens, line, text, words, redirects} of commands) {
        if (
          tasks &&
          name === "export" &&
          ONE_TASK.test(opened(text)) &&
          /^(?:RANK|NODE_RANK|LOCAL_RANK|MACHINE_RANK|(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES)=/.test(words[1] ?? "") &&
          !/hostname/.test(text)
        ) {
          if (commands.some(each => each.name === "srun")) yield {line, matched: [found(ONE_TASK, text)]}
          return
        }
        const of = /^(?:mpirun|mpiexec)$/.test(name)
          ? new RegExp(String.raw`\$\{?(?:${OF_RANK})\b`)
          : name === "srun" && (tasks || /\s(?:-n\s*|--ntasks=)(?:[2-9]|\d\d)/.test(text)) && one
        if (!of || /\s(?:-n\s*1|--ntasks=1|-w|--nodelist)\b/.test(text)) continue
        const options = name === "srun" ? (started(words).through[0]?.words.length ?? 0) : 0
        const rest = tokens
          .slice(1)
          .find(
            ({raw, quote}, at, all) =>
              of.test(opened(raw)) &&
              !(at < options && OF_NODE.test(raw)) &&
              quote[0] !== "'" &&
              !/MASTER|addr|endpoint|location|:\/\//i.test(raw) &&
              !/^--?\w*[-_]?(?:addr|endpoint)$/i.test(all[at - 1]?.raw ?? ""),
          )
        const to = redirects.find(
          ({op, target}) =>
            /^(?:&?>>?)$/.test(op) && target.quote !== "'" && of.test(target.raw) && !/hostname/.test(target.raw),
        )
        if (rest && !/[<>]/.test(rest.raw)) yield {line, matched: [found(of, rest.raw), name]}
        else if (to) yield {line, matched: [found(of, to.target.raw), name]}
      }
    },
    words: "the shell of the first node expands `{0}` before the tasks start, so all of them get the same value.",
    cure: "Let each task expand it: put the command in single quotes, as in srun bash -c '... $SLURM_PROCID ...'. In the name of an output file for srun, use %t instead.",
    bad: [
      "#SBATCH --nodes=2\nsrun torchrun --nnodes=2 --node_rank=$SLURM_NODEID a.py",
      '#SBATCH --ntasks=4\nsrun bash -c "./a ${SLURM_PROCID}"',
      "#SBATCH --nodes=2\nsrun -n 2 ./a --name=$(hostname -s)",
      "#SBATCH --ntasks=4\nsrun ./a --port $((29500 + SLURM_PROCID))",
      "#SBATCH --ntasks=4\nR=$SLURM_PROCID\nsrun ./a --seed $R",
      "#SBATCH --ntasks=4\nsrun ./a > out.$SLURM_PROCID",
      "#SBATCH --ntasks=4\nexport CUDA_VISIBLE_DEVICES=$SLURM_LOCALID\nsrun ./a",
      'mpirun -np 4 bash -c "./a $OMPI_COMM_WORLD_RANK"',
    ],
    good: [
      '#SBATCH --ntasks=4\nsrun bash -c "./a \\$SLURM_PROCID"',
      "#SBATCH --nodes=2\nsrun torchrun --rdzv-endpoint $(hostname):29500 a.py",
      "#SBATCH --nodes=2\nsrun -x $(hostname) dask worker tcp://$(hostname):8786",
      "mpirun -np 4 bash -c './a $OMPI_COMM_WORLD_RANK'",
    ],
  },
  "function-in-another-process": {
    *find(script) {
      const {commands, text} = script
      const own = new Set(commands.map(({fn}) => fn).filter(Boolean))
      const shared = name =>
        new RegExp(String.raw`\b(?:export|declare|typeset)\s+-\w*[fx]\w*\s[^\n]*\b${name}\b|^\s*set\s+-\w*a`, "m").test(
          text,
        ) || /\benv_parallel\b/.test(text)
      for (const command of commands) {
        const {through, words} = started(command.words)
        const launcher = through.at(-1)?.name ?? ""
        const [inner] = texts(command)
        const first = (launcher === "parallel" ? words[0] : inner?.text)?.trim().split(/[\s;|&]/)[0] ?? ""
        const exec = command.words[command.words.findIndex(word => /^-exec(?:dir)?$|^-ok$/.test(word)) + 1]
        if (command.name === "find" && exec !== command.words[0] && own.has(exec)) {
          yield {
            line: command.line,
            matched: [
              exec,
              "find starts only programs",
              `Write -exec bash -c '${exec} "$1"' _ {} \\;, and above it: export -f ${exec}`,
            ],
          }
          continue
        }
        const called = inner
          ? [...own].find(name =>
              new RegExp(String.raw`(?:^|[;&|({]\s*|\bdo\s+)${name}(?=[\s;]|$)`).test(inner.text.trim()),
            )
          : own.has(first)
            ? first
            : null
        if (called) {
          if (!shared(called))
            yield {
              line: command.line,
              matched: [called, "the new shell does not know it", `Add this line above it: export -f ${called}`],
            }
          continue
        }
        if (!launcher || !own.has(words[0]) || /^(?:time|exec|command|parallel)$/.test(launcher)) continue
        yield {
          line: command.line,
          matched: [
            words[0],
            `${launcher} starts only programs`,
            `Write: export -f ${words[0]}, and let ${launcher} start bash -c '${words[0]} ...'`,
          ],
        }
      }
    },
    words: "`{0}` is a function of this script, and {1}.",
    cure: "{2}",
    bad: [
      "f() { ./a $1; }\nparallel -j 4 f ::: a b",
      "f() { ./a; }\nsrun f",
      "f() { ./a $1; }\nfind . -name '*.in' -exec bash -c 'f \"$1\"' _ {} \\;",
      "f() { ./a; }\nsrun bash -c 'cd run; f'",
      "f() { ./a; }\nparallel 'f {}' ::: a b",
      "f() { ./a $1; }\nfind . -name '*.in' -exec f {} \\;",
    ],
    good: [
      "f() { ./a $1; }\nexport -f f\nls | xargs -n 1 bash -c 'f \"$1\"' _",
      "run() { ./a; }\nrun\nsrun bash -c './run x'",
    ],
  },
  "variable-in-another-process": {
    *find(script) {
      const {commands} = script
      const own = unexported(script)
      if (!own.size) return
      const missing = (names, command) =>
        names.find(
          name =>
            own.has(name) &&
            own.get(name) < command.line &&
            !command.sets.some(part => part.startsWith(`${name}=`)) &&
            !new RegExp(String.raw`--export=\S*\b${name}\b|-x ${name}\b|(?:^|\s)env\s.*\b${name}=`).test(command.text),
        )
      const told = name => ({matched: [`$${name}`, name]})
      for (const command of commands) {
        for (const {text, raw} of texts(command)) {
          const inner = setIn(text)
          const name = missing(
            usesIn(kept(raw)).filter(each => !inner.has(each)),
            command,
          )
          if (name) yield {line: command.line, ...told(name)}
        }
        const at = command.tokens.findIndex(
          ({text}, place) =>
            text === "-c" && /^python[\d.]*$/.test(command.tokens[place - 1]?.text.split("/").at(-1) ?? ""),
        )
        const code = at < 0 ? "" : (command.tokens[at + 1]?.raw ?? "")
        const quoted = /^(?:parallel|xargs)$/.test(command.name)
          ? command.tokens.find(({raw}) => /^'.*\s.*'$/s.test(raw))
          : null
        const name = missing(
          quoted ? usesIn(kept(quoted.raw)).filter(each => !setIn(quoted.text).has(each)) : readIn(code),
          command,
        )
        if (name) yield {line: command.line, ...told(name)}
      }
      for (const {command, document, text} of documentsOf(script)) {
        const program = payload(command)[0]?.split("/").at(-1) ?? ""
        const file = fileOf(command)
        const run =
          file && /^[ \t]*#!.*sh\b/.test(text) && !/^#SBATCH/m.test(text)
            ? commands.find(
                each =>
                  !/^(?:chmod|sbatch|source|\.|rm|cat)$/.test(each.name) &&
                  each.line > document.line &&
                  startsFile(file, each),
              )
            : null
        const inner = setIn(text)
        const shell = document.quoted && (run || (/^(?:ba|z)?sh$/.test(program) && !file))
        const read = /^python[\d.]*$/.test(program)
          ? readIn(text)
          : shell
            ? usesIn(text).filter(each => !inner.has(each))
            : []
        const name = missing(read, run ?? command)
        if (name) yield {line: run ? run.line : command.line, ...told(name)}
      }
    },
    words: "`{0}` is empty in the process that starts here, because this script does not export it.",
    cure: "Add this line above it: export {1}",
    bad: [
      "for s in 1 2; do\n  srun bash -c './a --seed $s'\ndone",
      "N=3\npython3 - <<'EOF'\nimport os\nprint(os.environ['N'])\nEOF",
      "D=/scratch/me\ncat > w.sh <<'EOF'\n#!/bin/bash\n./a $D $SLURM_PROCID\nEOF\nchmod +x w.sh\nsrun ./w.sh",
      "D=/scratch/me\nsrun bash <<'EOF'\n./a $D\nEOF",
      "LR=1\npython -c \"import os; print(os.environ['LR'])\"",
      "D=data\nparallel './a $D/{}' ::: 1 2",
    ],
    good: [
      "for s in 1 2; do\n  s=$s srun bash -c './a --seed $s'\ndone",
      "D=/scratch/me\nsrun bash <<EOF\n./a $D\nEOF",
    ],
  },
}
