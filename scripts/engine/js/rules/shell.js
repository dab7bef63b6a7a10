// What bash makes of the script: what it cannot parse, what it expands too early, and what is lost in a subshell.
import {idleBut} from "../script/idle.js"
import {base, payload, started} from "../script/payload.js"
import {nearest, setOf} from "../script/text.js"

const LOST = /^(?:module|ml|source|\.|export|cd|conda)$/
const PREPARES = idleBut(
  "alias chmod command df false hash id lscpu scontrol shopt squeue tee type umask uname which whoami",
)
const ASKS = /^(?:trjconv|rms|rmsf|gyrate|energy|genion|make_ndx|rdf|hbond|msd|cluster|covar|anaeig|density|traj)$/
export const MONITORS =
  /^(?:nvidia-smi|rocm-smi|amd-smi|dcgmi|top|vmstat|sar|free|dstat|pidstat|sleep|tail|ssh|gpustat)$/
const GATHERS = /^(?:cat|cp|mv|tar|rsync|sort|paste|zip)$/
const VARIABLE = /\$\{?([A-Za-z_]\w*)(?=[^\w]|$)(?!:?[-=?+])/g

const FROM_ROOT =
  /^(?:[/~]|\$\{?\w*(?:HOME|SCRATCH|DIR|ROOT|PATH|WORK|BASE|TOP|TMP|SUBMIT|PROJECT|PWD|START|ORIG|HERE)\w*)/i
/** Does a path begin at the root, as far as its variables' names and values say? */
function absolute(commands, path, deep = 0) {
  const [, variable] = /^\$\{?(\w+)/.exec(path) ?? []
  const values = commands.flatMap(({sets, name, words}) =>
    [...sets, ...(name === "export" ? words : [])].flatMap(set =>
      set.startsWith(`${variable}=`) ? [set.slice(variable.length + 1)] : [],
    ),
  )
  return FROM_ROOT.test(path) || (deep < 5 && values.length > 0 && absolute(commands, values.at(-1), deep + 1))
}
const named = command => command.sets.map(part => /^\w+/.exec(part)?.[0] ?? "")
/** The variables that a command sets. */
export const set = ({name, words, sets, ...rest}) => [
  ...named({sets, ...rest}),
  ...(/^(?:export|declare|local|readonly|typeset|read|mapfile|readarray|getopts|printf)$/.test(name)
    ? words.slice(1).map(word => /^\w+/.exec(word)?.[0] ?? "")
    : []),
]
/** Does the script read another one, which may set variables? */
export const readsAnother = commands =>
  commands.some(
    ({name, words}) => /^(?:source|\.|eval)$/.test(name) && !/activate|conda|profile|bashrc/.test(words[1] ?? ""),
  )
export const works = ({name, words}) => words.length > 0 && !PREPARES.has(name)
export const FOREVER = setOf("true : /bin/true 1")
/** Does a command test for a loop that never ends by itself? */
export const forever = ({name, condition, loops, tokens}) =>
  condition && loops.at(-1)?.kind === "while" && (FOREVER.has(name || (tokens[0]?.text ?? "")) || name === "sleep")
/** [variable, token] of what a command's words expand. */
export const used = command =>
  command.tokens
    .filter(({quote, raw}) => !(quote === "'" && raw.startsWith("'")))
    .flatMap(token => [...token.raw.matchAll(VARIABLE)].map(([, variable]) => variable))

/** The numbers of a list of array tasks, where all are written out. @returns {number[]} */
export function tasks(value) {
  return (value ?? "")
    .replace(/%\d+$/, "")
    .split(",")
    .flatMap(part => {
      const [, from, to = from, step = "1"] = /^(\d{1,5})(?:-(\d{1,5}))?(?::(\d+))?$/.exec(part) ?? []
      const count = from === undefined ? 0 : Math.floor((Number(to) - Number(from)) / (Number(step) || 1)) + 1
      return Array.from({length: Math.max(0, count)}, (_, place) => Number(from) + place * (Number(step) || 1))
    })
}
const arrayOf = ({options}) => options.findLast(({name}) => name === "array" || name === "t")
const TASK = String.raw`\$\{?(?:SLURM_ARRAY_TASK_ID|SGE_TASK_ID)\}?`

/** @type {Partial<Rule>} */
export const usual = {kind: "unwise", schedulers: ["slurm", "grid_engine"], where: "command"}

/** @type {Record<string, Rule>} */
export const rules = {
  "shell-cannot-parse": {
    kind: "fails",
    *find({shell: {error}}) {
      if (error) yield {line: error.line, matched: [error.what]}
    },
    words: "bash cannot read the script from this line on: {0}",
    cure: "Correct the line. `bash -n job.sh` checks the whole file without running it.",
    bad: ["./a )"],
    good: ['echo "a"\n./b'],
  },
  "here-document-never-ends": {
    kind: "fails",
    *find({shell: {documents, error}}) {
      const open = !error && documents.find(({ended}) => !ended)
      if (open) yield {line: open.line, matched: []}
    },
    words: "this here-document has no end, so all lines below it are text, and none of them runs.",
    cure: "Write its closing word on a line by itself, without spaces.",
    bad: ["cat > in <<EOF\na\n  EOF\n./b", "python3 <<END\nprint(1)\nEOF\n./b"],
    good: ["cat > in <<EOF\na\nEOF\n./b", "cat > in <<-EOF\n\ta\n\tEOF\n./b"],
  },
  "lost-in-a-pipe": {
    *find({commands, lines}) {
      // In a group, it may be for the other commands of that group.
      const alone = ({line, text}) =>
        lines[line - 1]
          .replaceAll("&&", ";")
          .replace(/\s*([&|])[ \t]*/g, " $1 ")
          .includes(text)
      const lost = commands.find(
        ({name, pipes, piped, background, loops, words}, at) =>
          LOST.test(name) &&
          (name !== "conda" || words[1] === "activate") &&
          (pipes || ((piped || background) && alone(commands[at]))) &&
          !loops.length,
      )
      if (lost && !/^(avail|list|spider|show)$/.test(lost.words[1] ?? ""))
        yield {line: lost.line, matched: [lost.text.replace(/^\| /, "")]}
    },
    words: "`{0}` runs in a subshell here, so what it sets is lost on the lines below.",
    cure: "Write it on a line by itself.",
    bad: ["module load gcc | tee log\n./a", "source env.sh &\n./a", "cd run | true\n./a"],
    good: ["module load gcc\n./a | tee log", "module list | tee log\n./a", "{ cd run && ./a; } &\nwait"],
  },
  "wait-in-the-loop": {
    *find({commands}) {
      for (const [place, {name, words, loops, op, line}] of commands.entries()) {
        if (name !== "wait" || words.length > 1 || !loops.length || op) continue
        const [loop] = loops.slice(-1)
        const own = commands.filter(each => each.loops.at(-1) === loop)
        const before = commands[place - 1]
        if (
          before?.background &&
          own.filter(({background}) => background).length === 1 &&
          !own.some(({condition}) => condition)
        )
          yield {line, matched: [before.text]}
      }
    },
    words: "`wait` inside the loop waits for each process before the next one starts, so they run one after another.",
    cure: "Write `wait` below `done`.",
    bad: ["for i in 1 2 3; do\n  ./a $i &\n  wait\ndone"],
    good: ["for i in 1 2 3; do\n  ./a $i &\n  ./b $i &\n  wait\ndone"],
  },
  "background-not-waited-for": {
    kind: "fails",
    *find({commands}) {
      const last = commands.findLastIndex(each => works(each) || each.background)
      if (commands.some(({name, text}) => name === "wait" || /\bwait\b/.test(text))) return
      const endless = new Set(commands.filter(forever).map(({loops}) => loops.at(-1).line))
      const ended = each => commands.slice(commands.indexOf(each)).some(({text}) => /\bkill\s/.test(text)) // on purpose
      const beside = each => each.loops.some(({line}) => endless.has(line)) || ended(each)
      const started = commands.filter(
        each => each.background && works(each) && !MONITORS.test(each.name) && !beside(each),
      )
      const looped = started.find(({loops}) => loops.length)
      const behind = commands[last]
      const gathers =
        looped &&
        commands
          .slice(commands.indexOf(looped))
          .find(each => GATHERS.test(each.name) && /\*/.test(each.text) && !each.loops.length)
      if (gathers) return yield {line: looped.line, matched: [looped.text]}
      if (!looped || !behind || behind.background || works(behind) === false) return
      if (
        /server?\b|--block\b|\bstart\b|worker/.test(looped.text) ||
        commands.slice(commands.indexOf(looped)).some(({name}) => name === "sleep")
      )
        return
      if (commands.slice(commands.indexOf(looped)).filter(each => !each.background && works(each)).length === 0) return
      yield {line: looped.line, matched: [looped.text]}
    },
    words: "the script does not wait for `{0}` in the loop, so the lines below cannot find its results.",
    cure: "Write `wait` below `done`.",
    bad: [
      "for i in 1 2; do\n  ./a $i &\ndone\npython merge.py",
      "for i in 1 2; do\n  ./a $i > o_$i &\ndone\ncat o_* > all",
    ],
    good: [
      "for i in 1 2; do\n  ./a $i &\ndone\nwait\npython merge.py",
      "./server &\npython client.py",
      "(while true; do sleep 9; ./save; done) &\npython train.py",
      "while [ -e on ]; do\n  sleep 9\n  ./save\ndone &\nB=$!\ntrap 'kill $B' EXIT\npython train.py",
    ],
  },
  "signal-waits-for-the-program": {
    schedulers: ["slurm"],
    *find({commands, options}) {
      const option = options.findLast(({name}) => name === "signal")
      const handlers = commands.filter(({name}) => name === "trap").map(({words}) => words[1] ?? "")
      const others = commands.filter(({fn}) => !fn || !handlers.includes(fn))
      if (!/^[RB]*B[RB]*:(?:SIG)?\w+(?:@\d+)?$/i.test(option?.value ?? "") || !handlers.length) return
      if (!others.some(({name, text}) => name === "wait" || text.endsWith(" &")))
        yield {line: option.line, matched: [option.written], written: option.written}
    },
    words: "the trap for `{0}` runs only after the program in the foreground has ended, which is too late.",
    cure: "Start the program with & and write `wait` below it.",
    bad: ["#SBATCH --signal=B:USR1@120\nend() {\n  touch stop\n  wait $pid\n}\ntrap end USR1\nsrun ./a"],
    good: [
      "#SBATCH --signal=B:USR1@120\ntrap 'touch stop' USR1\nsrun ./a &\nwait",
      "#SBATCH --signal=USR1@120\nsrun ./a",
    ],
  },
  "array-past-the-list": {
    *find(script) {
      const option = arrayOf(script),
        asked = tasks(option?.value)
      if (!asked.length) return
      for (const {sets, line} of script.commands) {
        for (const part of sets) {
          const [, name, values] = /^(\w+)=\(([^$`*?{}]*)\)$/s.exec(part) ?? []
          if (!name) continue
          const count = values.match(/"[^"]*"|'[^']*'|[^\s"']+/g)?.length ?? 0
          const reads = new RegExp(String.raw`\$\{${name}\[["']?${TASK}["']?\]\}`)
          const read = script.commands.find(({text}) => reads.test(text))
          if (read && count && Math.max(...asked) >= count)
            yield {
              line: read.line,
              matched: [
                `\${${name}[...]}`,
                String(Math.max(...asked)),
                String(count - 1),
                option.written,
                String(line),
              ],
            }
        }
      }
    },
    words: "the list on line {4} ends at index {2}, but `{3}` reads index {1}, which is empty.",
    cure: "Number the tasks from 0, because lists begin at 0.",
    bad: ["#SBATCH --array=1-3\nL=(a b c)\n./a ${L[$SLURM_ARRAY_TASK_ID]}"],
    good: [
      "#SBATCH --array=0-2\nL=(a b c)\n./a ${L[$SLURM_ARRAY_TASK_ID]}",
      "#SBATCH --array=1-3\nL=(a b c)\n./a ${L[$((SLURM_ARRAY_TASK_ID - 1))]}",
    ],
  },
  "array-line-zero": {
    *find(script) {
      const option = arrayOf(script)
      if (!tasks(option?.value).includes(0)) return
      const reads = new RegExp(String.raw`\bsed\b.*["']?${TASK}(?:q;d|p|q|\{)|\bawk\b.*NR\s*==\s*["']*${TASK}`)
      const found = script.commands.find(({text}) => reads.test(text))
      if (found) yield {line: found.line, matched: [option.written]}
    },
    words: "line numbers begin at 1, but `{0}` has a task 0, which reads no line.",
    cure: "Number the tasks from 1.",
    bad: ['#SBATCH --array=0-9\nF=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list)\n./a $F'],
    good: [
      '#SBATCH --array=1-10\nF=$(sed -n "${SLURM_ARRAY_TASK_ID}p" list)\n./a $F',
      '#SBATCH --array=0-9\nF=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" list)\n./a $F',
    ],
  },
  "job-id-is-a-sentence": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands, lines}) {
      for (const {sets, line} of commands) {
        const [, name] =
          sets.map(part => /^(\w+)=(?:\$\(|`)\s*sbatch\s(?!.*--parsable)(?!.*\|)/s.exec(part)).find(Boolean) ?? []
        if (!name) continue
        const uses = new RegExp(String.raw`(?:--dependency|-d)[= ]["']?\w+:["']?\$\{?${name}\}?(?![\w#%/])`)
        const again = new RegExp(
          String.raw`^\s*${name}=.*\$\{?${name}|\$\{${name}[#%/]|<<<\s*["']?\$${name}|echo "?\$\{?${name}\}?"?\s*\|`,
          "m",
        )
        if (uses.test(lines.join("\n")) && !again.test(lines.join("\n"))) yield {line, matched: [`$${name}`]}
      }
    },
    words: "`{0}` is the whole sentence that sbatch prints, not only the job ID, so Slurm rejects the dependency.",
    cure: "Write sbatch --parsable, which prints only the job ID.",
    fix: bench => bench.swap(/\bsbatch (?!--parsable)/, "sbatch --parsable "),
    bad: ['a=$(sbatch one.sh)\nsbatch --dependency=afterok:"$a" two.sh'],
    good: [
      "a=$(sbatch --parsable one.sh)\nsbatch --dependency=afterok:$a two.sh",
      "a=$(sbatch one.sh | awk '{print $4}')\nsbatch -d afterok:$a two.sh",
      "a=$(sbatch one.sh)\nsbatch --dependency=afterok:${a##* } two.sh",
    ],
  },
  "allocation-in-a-batch-job": {
    schedulers: ["slurm"],
    pattern: /^salloc(?:\s.*)?$/u,
    words: "`{0}` requests more resources and waits for them, although the job already has its own.",
    cure: "Remove it, and start the program with srun.",
    bad: ["salloc --time=10 ./a"],
    good: ["srun ./a", "echo salloc"],
  },
  "export-of-a-step-without-all": {
    kind: "fails",
    schedulers: ["slurm"],
    pattern: /^srun\s+(?:-\S+\s+(?:\d\S*\s+)?)*?(--export=((?!["']?(?:ALL|NONE|NIL)\b)\S+))/iu,
    words: "`{1}` passes only what it names, so the step has neither PATH nor the modules loaded above.",
    cure: "Write --export=ALL,{2}.",
    fix: bench => bench.swap(/--export=(?!ALL)/, "--export=ALL,"),
    bad: ["srun --export=OMP_NUM_THREADS=4 ./a", "srun -n 4 --export=FOO ./a"],
    good: ["srun --export=ALL,FOO=1 ./a", "srun ./a --export=x"],
  },
  "asks-which-group": {
    kind: "fails",
    *find({commands}) {
      for (const {words, piped, redirects, line} of commands) {
        const [program, asks] = started(words).words
        if (!/^gmx(?:_mpi|_d)?$/.test(base(program ?? "")) || !ASKS.test(asks ?? "") || piped) continue
        if (!redirects.some(({op}) => op.startsWith("<"))) yield {line, matched: [asks]}
      }
    },
    words: "`gmx {0}` asks for a group on the terminal, but a batch job has no terminal.",
    cure: "Pipe the answer into it: echo System | gmx {0} ...",
    bad: ["gmx trjconv -s a.tpr -f a.xtc -o b.xtc", "gmx_mpi energy -f a.edr -o b.xvg"],
    good: [
      "echo 0 | gmx trjconv -s a.tpr -f a.xtc -o b.xtc",
      "gmx energy -f a.edr <<< Potential",
      "gmx mdrun -deffnm md",
    ],
  },
  "cd-in-a-loop": {
    *find({commands}) {
      for (const [place, {name, words, loops, line, fn}] of commands.entries()) {
        const loop = loops.at(-1)
        if (name !== "cd" || !loop || fn || !/^(?!~|\/|-|\.)/.test(words[1] ?? "~") || !/[$`]/.test(words[1])) continue
        if (absolute(commands.slice(0, place), words[1])) continue
        if (commands.slice(0, place).some(each => each.name === "cd" && each.loops.at(-1)?.line === loop.line)) continue
        const behind = commands.slice(place + 1).filter(each => each.loops.some(own => own.line === loop.line))
        const back = behind.some(
          each => each.name === "popd" || (each.name === "cd" && /^(?:-|\.\.|\/|~|\$)/.test(each.words[1] ?? "")),
        )
        if (!back && !commands[place].subshell && behind.length) yield {line, matched: [`cd ${words[1]}`]}
      }
    },
    words: "the loop does not return after `{0}`, so the next iteration looks for its directory inside this one.",
    cure: "Put the commands into a subshell: ( cd ...; program )",
    bad: ["for d in V_1 V_2; do\n  cd $d\n  ./a\ndone"],
    good: [
      "for d in V_1 V_2; do\n  cd $d\n  ./a\n  cd ..\ndone",
      "for d in V_1 V_2; do\n  (cd $d; ./a)\ndone",
      "for d in /x/*; do\n  cd $SLURM_SUBMIT_DIR/$d\n  ./a\ndone",
      "b=/x\nfor v in 5 10; do\n  d=$b/v$v\n  cd $d\n  ./a\ndone",
      "export B=/x\nfor d in 5 10; do\n  cd $B/$d\n  ./a\ndone\ncd $B\nfor B in v*; do\n  cat $B/a\ndone",
      'for d in 5 10; do\n  cd $d\n  ./a\n  cd "${parent}" || exit\ndone',
    ],
  },
  "counter-under-errexit": {
    kind: "fails",
    *find({commands}) {
      if (!commands.some(({text}) => /^set\s+(?:-\w*e|-o errexit)/.test(text))) return
      for (const {name, words, condition, op, line, text} of commands) {
        const [, variable] = (name === "((" && /^(\w+)\+\+$/.exec(words[1]?.trim() ?? "")) || []
        const zero =
          variable &&
          commands.some(
            ({sets, words: own, line: at}) => at < line && [...sets, ...own].some(part => part === `${variable}=0`),
          )
        const next = commands[commands.findIndex(each => each.line === line && each.text === text) + 1]
        if (zero && !condition && !op && next?.op !== "||") yield {line, matched: [variable]}
      }
    },
    words: "`(({0}++))` has the value 0 the first time, which `set -e` treats as a failure, so the script ends here.",
    cure: "Write {0}=$(({0} + 1)).",
    bad: ["set -e\nn=0\nfor f in a b; do\n  ((n++))\n  ./a $f\ndone"],
    good: ["n=0\n((n++))\n./a", "set -e\nn=0\n((n++)) || true\n./a"],
  },
  "count-under-errexit": {
    *find({commands, shell, lines}) {
      if (!commands.some(({text}) => /^set\s+(?:-\w*e|-o errexit)/.test(text))) return
      for (const {name, words, condition, op, line, pipes} of [...commands, ...shell.inner]) {
        if (
          name !== "grep" ||
          !words.some(word => /^-\w*c/.test(word)) ||
          condition ||
          op ||
          pipes ||
          /\|\||^\s*(?:if|while|local|export|declare|readonly)\b/.test(lines[line - 1])
        )
          continue
        if (/echo|printf|\[\[?\s/.test(lines[line - 1])) continue
        yield {line, matched: []}
      }
    },
    words: "`grep -c` ends with status 1 if it counts 0, which `set -e` treats as a failure, so the script ends here.",
    cure: "Add `|| true` to this line.",
    bad: ["set -e\n./a > log\nN=$(grep -c ERROR log)\n./b $N"],
    good: [
      "set -e\n./a > log\nN=$(grep -c ERROR log || true)\n./b $N",
      "set -e\n./a > log\nexport N=$(grep -c ERROR log)\n./b $N",
    ],
  },
  "failure-in-a-pipe": {
    kind: "doubtful",
    *find({commands, text}) {
      if (!commands.some(({text}) => /^set\s+(?:-\w*e|-o errexit)/.test(text)) || /pipefail|PIPESTATUS|\$\?/.test(text))
        return
      const at = commands.findIndex(
        (each, place) =>
          each.name === "tee" && each.piped && !each.nested && works(commands[place - 1]) && commands[place - 1].pipes,
      )
      if (at > 0 && commands.slice(at + 1).some(each => works(each) && each.certain))
        yield {line: commands[at - 1].line, matched: [payload(commands[at - 1])[0] ?? ""]}
    },
    words: "`set -e` does not detect that `{0}` fails, because the status of the pipe is that of `tee`.",
    cure: "Write `set -eo pipefail`.",
    bad: ["set -e\n./a | tee log\n./b"],
    good: ["set -eo pipefail\n./a | tee log\n./b", "set -e\n./a | tee log", "./a | tee log\n./b"],
  },
  "unset-under-nounset": {
    kind: "doubtful",
    *find({commands, lines}) {
      let strict = false
      const own = new Set()
      for (const command of commands) {
        const {name, words, text, line} = command
        if (name === "set")
          strict = /^set\s+(?:-\w*u|-o nounset)/.test(text) || (strict && !/^set\s+(?:\+\w*u|\+o nounset)/.test(text))
        if (/^(?:module|ml)$/.test(name) || (/^(?:source|\.)$/.test(name) && !strict)) own.add("*")
        if (strict && !own.has("*")) {
          const shown = lines[line - 1]?.replace(/\$\{\w+:?\+(?:[^{}]|\$\{\w+\})*\}/g, "") // without what is only read if it is set
          const unset =
            /\$\{?(PS1|PROMPT_COMMAND|(?:LD_LIBRARY|LD_PRELOAD|PYTHON|PERL5?LIB|MAN|CPATH|LIBRARY|PKG_CONFIG)\w*)(?![\w:+-])/.exec(
              shown ?? "",
            )?.[1]
          const reads =
            /^(?:source|\.)$/.test(name) &&
            /\.?bashrc$|bin\/activate \w|^activate(?: |$)/.test(words.slice(1).join(" "))
          if (reads || (unset && !own.has(unset)))
            return yield {line, matched: [reads ? words.slice(0, 2).join(" ") : `$${unset}`]}
        }
        for (const each of set(command)) own.add(each)
      }
    },
    words: "with `set -u`, the script ends at `{0}` if a variable that this command uses is not set.",
    cure: "Write `set -u` below it, or ${{NAME:-}}.",
    bad: [
      "set -eu\nsource ~/.bashrc\n./a",
      "set -u\nexport LD_LIBRARY_PATH=/x:$LD_LIBRARY_PATH\n./a",
      'set -u\nif [ -n "$PS1" ]; then ./a; fi',
    ],
    good: [
      "source ~/.bashrc\nset -eu\n./a",
      "set -u\nexport LD_LIBRARY_PATH=/x:${LD_LIBRARY_PATH:-}\n./a",
      "set -u\nexport LD_LIBRARY_PATH=/x${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\n./a",
      "set -u\nmodule load gcc\nexport LD_LIBRARY_PATH=/x:$LD_LIBRARY_PATH",
      "set -u\nset +u\nsource ~/.bashrc\nset -u",
    ],
  },
  "status-of-the-pipe": {
    *find({commands, lines}) {
      if (lines.some(line => /pipefail|PIPESTATUS/.test(line))) return
      for (const [place, command] of commands.entries()) {
        const before = commands[place - 1]
        if (!before?.piped || before.name !== "tee" || before.loops.length !== command.loops.length) continue
        if (
          [...command.words, ...command.sets].some(word => word.includes("$?")) ||
          command.op === "&&" ||
          command.op === "||"
        )
          yield {line: command.line, matched: [String(before.line)]}
      }
    },
    words: "the status of line {0} is that of `tee`, which always succeeds, not that of the program.",
    cure: "Add `set -o pipefail` above it.",
    bad: ["./a | tee log\nif [ $? -eq 0 ]; then rm in; fi", "./a | tee log && rm in"],
    good: ["set -o pipefail\n./a | tee log && rm in", "./a | tee log\n./b"],
  },
  "set-after-its-use": {
    *find({commands}) {
      const own = commands.filter(({fn, loops}) => !fn && !loops.length)
      if (commands.some(({name, fn}) => name === "source" || name === "." || fn)) return
      const first = new Map()
      for (const [place, command] of own.entries())
        for (const variable of set(command)) if (!first.has(variable)) first.set(variable, [place, command])
      for (const [place, command] of own.entries()) {
        for (const variable of used(command)) {
          const [at, setter] = first.get(variable) ?? []
          if (
            at === undefined ||
            at <= place ||
            !setter.certain ||
            /^(PATH|LD_LIBRARY_PATH|PYTHONPATH|HOME|USER|TMPDIR|IFS|_|[A-Z]+PATH|SLURM_\w+|\w+_VISIBLE_DEVICES)$/.test(
              variable,
            )
          )
            continue
          yield {line: command.line, matched: [`$${variable}`, String(setter.line)]}
          return
        }
      }
    },
    words: "`{0}` is empty here, because line {1} sets it only later.",
    cure: "Move that line up.",
    bad: ['cd "$DATA"\nDATA=/scratch/me\n./a', "./a --out $out\nout=run1"],
    good: [
      'DATA=/scratch/me\ncd "$DATA"',
      "export PATH=$HOME/bin:$PATH\nPATH=$PATH:/x",
      "for i in 1 2; do ./a $p; p=$i; done",
      "echo $CUDA_VISIBLE_DEVICES\nexport CUDA_VISIBLE_DEVICES=0\n./a",
    ],
  },
  "variable-never-set": {
    kind: "doubtful",
    *find({commands, text}) {
      if (
        commands.some(
          ({name}) => /^(source|\.|eval|set|getopts|mapfile|readarray)$/.test(name) && !/activate/.test(text),
        )
      )
        return
      const names = new Set(commands.flatMap(set).filter(name => name.length > 3))
      for (const command of commands) {
        for (const variable of used(command)) {
          if (
            names.has(variable) ||
            variable.length < 4 ||
            /^(?:SLURM|SGE|PBS|LSB|SBATCH|OMP|CUDA|NCCL|EB|CRAY)/.test(variable)
          )
            continue
          const part = [...names].find(name => variable.startsWith(`${name}_`))
          if (part && !text.includes(`${variable}=`) && !/^[A-Z]+_(?:HOME|DIR|PATH|ROOT)$/.test(variable)) {
            yield {line: command.line, matched: [`$${variable}`, `$${part}`]}
            return
          }
          const near = nearest(variable, [...names])
          const alike =
            near &&
            (near.toLowerCase().replaceAll("_", "") === variable.toLowerCase().replaceAll("_", "") || near.length > 5)
          if (!alike || /\d$/.test(variable) || text.includes(`${variable}=`)) continue
          yield {line: command.line, matched: [`$${variable}`, `$${near}`]}
          return
        }
      }
    },
    words: "this script does not set `{0}`, only `{1}`.",
    cure: "Write {1}, with braces if letters follow the name.",
    bad: ["SAMPLE=a\n./a $SAMPLE_R1.fq", "INPUT_FILE=a.in\n./a $INPUT_FILES"],
    good: ["DATA_DIR=/scratch/me\n./a --data $DATA_DIR", "RUN1=a\n./a $RUN2", "./a $SCRATCH"],
  },
  "exported-too-late": {
    *find({commands}) {
      const last = commands.findLastIndex(works)
      if (last < 0 || commands[last].fn) return
      const late = commands
        .slice(last + 1)
        .find(
          ({name, words, fn}) =>
            name === "export" &&
            !fn &&
            /^(?:OMP|MKL|CUDA|NCCL|HF|JAX|XLA|TF|PYTHON|LD|UCX|HSA|MIOPEN|ROCR|HIP|SRUN|APPTAINER|SINGULARITY)\w*=/.test(
              words[1] ?? "",
            ),
        )
      if (late) yield {line: late.line, matched: [late.words[1].split("=")[0]]}
    },
    words: "`{0}` is set after the last program, so no program sees it.",
    cure: "Move the line above the program.",
    bad: ["srun ./a\nexport OMP_NUM_THREADS=4", "python3 a.py\nexport HF_HOME=/scratch/me"],
    good: ["export OMP_NUM_THREADS=4\nsrun ./a", "srun ./a\nexport OMP_NUM_THREADS=2\nsrun ./b"],
  },
  "steps-one-after-another": {
    schedulers: ["slurm"],
    *find({commands, options}) {
      const steps = commands.filter(
        ({name, background, text}) => name === "srun" && background && !/--(?:het|pack)-group/.test(text), // each its own
      )
      const apart = (one, other) =>
        one.arms.some(({choice, place}) => other.arms.some(each => each.choice === choice && each.place !== place))
      const meets = one => one.loops.length > 0 || steps.some(other => other !== one && !apart(one, other))
      if (!steps.some(meets)) return
      const next = step => commands[commands.indexOf(step) + 1]
      if (steps.every(step => next(step)?.name === "wait" && next(step).loops.length === step.loops.length)) return
      const shares =
        /--(?:exact|exclusive|overlap|cpus-per-task|jobid|mem-per-cpu|het-group|pack-group|nodelist|relative|exclude)\b|\s-c\s?\d|\s-c\s|\s-[wrx]\s?\S/
      const memory = options.find(({name}) => name === "mem" || name === "mem-per-gpu")
      const several = options.some(({name, value}) => name === "nodes" && /^[2-9]|^1\d/.test(value ?? ""))
      const step = steps.filter(meets).find(
        ({text}) =>
          !(several && /\s(?:--nodes[= ]|-N\s?)1\b/.test(text)) && // a node of its own
          (!shares.test(text) ||
            (memory &&
              memory.value !== "0" &&
              !/--(?:mem|overlap|jobid|nodelist|relative|exclude|het-group)|\s-[wrx]\s?\S/.test(text))),
      )
      const all = options.some(({name}) => name === "exclusive") // all of the node's memory goes to the first step
      if (step && !commands.some(({text}) => /SLURM_(?:EXACT|OVERLAP)/.test(text)) && !all)
        yield {line: step.line, matched: [step.text]}
    },
    words:
      "`{0}` gets all cores and memory of the job unless it requests less, so the next step waits until this one ends.",
    cure: "Write srun --exact with --ntasks, --cpus-per-task and --mem for each step.",
    bad: [
      "#SBATCH -n 4\nfor i in 1 2 3 4; do\n  srun -n 1 ./a $i &\ndone\nwait",
      "#SBATCH -n 4 --mem=8G\nfor i in 1 2 3 4; do\n  srun -n 1 --exact ./a $i &\ndone\nwait",
      "if [ -e a ]; then\n  srun ./a &\nelse\n  srun ./b &\nfi\nsrun ./c &\nwait",
    ],
    good: [
      "#SBATCH -n 4\nfor i in 1 2 3 4; do\n  srun -n 1 --exact ./a $i &\ndone\nwait",
      "#SBATCH -N 2 --mem=8G\nfor i in 1 2; do\n  srun -N 1 -n 4 ./a $i &\ndone\nwait",
      "for i in 1 2; do\n  srun ./a $i &\n  wait $!\ndone",
      "if [ -e a ]; then\n  srun ./a &\nelse\n  srun ./b &\nfi\nP=$!\nwait $P",
    ],
  },
  "test-without-spaces": {
    kind: "fails",
    pattern: /^(?:if |while )?(\[\[?[^\s[\]]+)(?:\s.*\]|\]\]?)$/u,
    words: "`{1}` lacks a space after the bracket, so the shell searches for a program named `{1}`.",
    cure: "Write a space on both sides of [ and ].",
    bad: ["if [$N -gt 3 ]; then ./a; fi", "if [-e a ]; then ./a; fi", "if [$A]; then ./a; fi", '["$A" = b ] && ./a'],
    good: ["if [ $N -gt 3 ]; then ./a; fi", "ls [ab]*", "if [[ -e a ]]; then ./a; fi"],
  },
  "test-always-true": {
    *find({commands}) {
      for (const {name, tokens, line, text} of commands) {
        if (!/^\[\[?$/.test(name) || tokens.length !== 3) continue
        if (/^[^=]+[=!]?=[^=]+$/.test(tokens[1].raw.replace(/\$\([^)]*\)|\$\{[^}]*\}/g, "$x")))
          yield {line, matched: [text]}
      }
    },
    words: "`{0}` is always true: without spaces around =, the brackets contain only one word.",
    cure: 'Write [ "$a" = "b" ].',
    bad: ['if [ "$1"=="full" ]; then ./a; fi', "if [[ $A==b ]]; then ./a; fi", 'if [ "$A"=b ]; then ./a; fi'],
    good: ['if [ "$1" = "full" ]; then ./a; fi', 'if [ "$A" ]; then ./a; fi', "if [[ -n ${A:=b} ]]; then ./a; fi"],
  },
  "test-writes-a-file": {
    *find({commands}) {
      for (const {name, tokens, redirects, line} of commands) {
        const found =
          name === "[" && redirects.find(({op, start}) => /^[<>]$/.test(op) && start < (tokens.at(-1)?.start ?? 0))
        if (found) yield {line, matched: [found.raw, found.op, found.op === ">" ? "-gt" : "-lt"]}
      }
    },
    words: "`{0}` inside [ ] is a redirection, not a comparison.",
    cure: "Write {2} for numbers.",
    bad: ["if [ $N > 100 ]; then ./a; fi", "if [ $N < 3 ]; then ./a; fi"],
    good: ["if [ $N -gt 100 ]; then ./a; fi", "if (( N > 100 )); then ./a; fi", "if [[ $N > a ]]; then ./a; fi"],
  },
  "test-of-several-files": {
    pattern: /^\[ (?:! )?-[efsd] ([^\s"'`]*\*\S*) \]$/u,
    words: "`{0}` fails with an error if more than one file matches `{1}`.",
    cure: "Write: if ls {1} > /dev/null 2>&1; then",
    bad: ["if [ -f out/*.csv ]; then exit; fi\n./a"],
    good: ["if [ -f out/a.csv ]; then exit; fi\n./a", 'if [ -n "$(ls out/*.csv)" ]; then exit; fi\n./a'],
  },
  "decimal-in-arithmetic": {
    kind: "fails",
    *find({commands, shell, lines}) {
      if (/^#!.*\b(?:zsh|ksh)/.test(lines[0])) return // these calculate with decimals
      const given = commands.flatMap(({sets, words}) => (words.length ? [] : sets)).map(part => part.split("="))
      const decimal = value => /^-?\d*\.\d+(?:e-?\d+)?$/i.test(value ?? "")
      const decimals = given
        .filter(([, value]) => decimal(value))
        .map(([name]) => name)
        .filter(name => /^\w+$/.test(name) && given.every(([other, value]) => other !== name || decimal(value)))
      const number = new RegExp(String.raw`(?<![\w.#])\d+\.\d+${decimals.map(name => `|(?<!\\w)${name}\\b`).join("")}`)
      for (const {name, words, tokens, line, text} of [...commands, ...shell.inner]) {
        const plain = tokens.every(({quote}) => quote !== "'") ? text : ""
        const sum = name === "((" ? words[1] : /\$\(\(((?:[^()]|\([^()]*\))*)\)\)/.exec(plain)?.[1]
        // Other programs calculate in $(...), and what is cut from a value may be its decimals.
        const own = sum?.replace(/\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{\w+[^\w}][^}]*\}/g, "0")
        if (own && number.test(own)) return yield {line, matched: [sum.trim(), number.exec(own)[0]]}
      }
    },
    words: "`{1}` in `{0}` is not a whole number, but the shell calculates only with whole numbers.",
    cure: 'Write $(echo "..." | bc -l), or calculate in the program.',
    bad: ["for i in 1 2; do\n  t=$((i * 0.05))\n  ./a $t\ndone", "dt=0.5\n./a $((3 * dt))"],
    good: [
      "awk '{print $((1.5))}' a",
      't=1.5\nif (( $(echo "$t < 2.5" | bc -l) )); then ./a; fi',
      "t=12.0\n./a $(( ${t%.*} * 2 ))",
      "t=12.5\nt=$(printf %.0f $t)\n./a $((t + 1))",
    ],
  },
  "tilde-in-an-option": {
    kind: "unwise",
    *find({commands}) {
      for (const {name, tokens, line} of commands) {
        if (/^(?:echo|printf|ssh|rsync|scp|sed|awk|grep|export|bash|sh)$/.test(name) || !name) continue
        const found = tokens
          .slice(1)
          .find(({raw}) => /^(?!--find-links)--?[\w-]+=["']?~\/|^["']~\/[^"']*["']$/.test(raw))
        if (found) return yield {line, matched: [found.raw]}
        const given = tokens.slice(1).flatMap(({raw}) => /^"?\$\{?(\w+)\}?"?$/.exec(raw)?.[1] ?? [])
        if (!given.length) continue
        const set = commands.find(
          each => each.line < line && given.includes(/^(?:export )?(\w+)=["']~\//.exec(each.text)?.[1]),
        )
        if (set) return yield {line: set.line, matched: [set.text]}
      }
    },
    words: "`{0}`: the shell does not replace ~ here, so the program looks for a directory named ~.",
    cure: "Write $HOME instead of ~.",
    fix: bench => bench.swap(/(--?[\w-]+=["']?)~\//, "$1$$HOME/"),
    bad: ["./a --data=~/data", 'D="~/data"\npython a.py --data "$D"', "python a.py --data=~/data", './a "~/data"'],
    good: ["pip install --find-links=~/w a", "D=~/data\n./a --data=$D"],
  },
  "tilde-in-quotes": {
    kind: "fails",
    *find({commands}) {
      const quoted = new Map(
        commands.flatMap(({text, line}) => {
          const [, name] = /^(?:export )?(\w+)=["']~\//.exec(text) ?? []
          return name ? [[name, line]] : []
        }),
      )
      for (const {name, tokens, line} of commands) {
        if (!/^(?:cd|cp|mv|mkdir|ls|cat|rm|tar|source|\.|touch|ln|chmod)$/.test(name)) continue
        for (const {raw} of tokens.slice(1)) {
          const [, variable] = /^"?\$\{?(\w+)\}?/.exec(raw) ?? []
          if (/^["']~(?:\/|["'])/.test(raw)) return yield {line, matched: [raw]}
          if (quoted.has(variable)) return yield {line: quoted.get(variable), matched: [`$${variable}`]}
        }
      }
    },
    words: "the shell does not replace the quoted ~ in `{0}` with your home directory.",
    cure: 'Write "$HOME/...".',
    fix: bench => bench.swap(/(["'])~\/([^"']*)\1/, '"$$HOME/$2"'),
    bad: ['cd "~/run"\n./a', 'D="~/data"\ncp "$D"/a .\n./b'],
    good: ["cd ~/run\n./a", 'cd "$HOME/run"\n./a', 'D=~/data\ncp "$D"/a .\n./b'],
  },
  "dollar-before-the-name": {
    kind: "fails",
    pattern: /^(?:export\s+)?\$(\w+)=\S*/u,
    words: "`{0}` does not set {1}: the shell replaces ${1} first.",
    cure: "Write {1}=..., without $.",
    fix: bench => bench.swap(/^(\s*(?:export\s+)?)\$(\w+=)/, "$1$2"),
    bad: ["$OUT=/scratch/me\n./a", "export $N=8\n./a"],
    good: ["OUT=/scratch/me\n./a", "echo $A=1"],
  },
  "program-reads-the-list": {
    kind: "fails",
    *find({commands}) {
      for (const {name, words, loops, redirects, condition} of commands) {
        const loop = loops.at(-1)
        if (name !== "read" || !condition || loop?.kind !== "while" || redirects.length || words.includes("-u"))
          continue
        const found = commands.find(
          each =>
            /^(?:srun|ssh|mpirun|mpiexec|ffmpeg|sshpass)$/.test(each.name) &&
            each.loops.some(own => own.line === loop.line) &&
            !each.background &&
            !each.piped &&
            !each.fn &&
            !each.redirects.some(({op}) => op.startsWith("<")) &&
            !/\s(?:-n(?=\s+[^\d\s])|--input|-i\s*none|-stdin|--stdin)/.test(each.text),
        )
        if (found) return yield {line: found.line, matched: [found.name]}
      }
    },
    words: "`{0}` reads the rest of the loop's list, so the loop ends after its first iteration.",
    cure: "Add < /dev/null to this line.",
    bad: ["while read f; do\n  srun ./a $f\ndone < list", "cat list | while read f; do\n  srun -n 4 ./a $f\ndone"],
    good: [
      "while read f; do\n  srun ./a $f < /dev/null\ndone < list",
      "while read -r f <&3; do\n  srun ./a $f\ndone 3< list",
    ],
  },
  "counted-in-a-pipe": {
    *find({commands, lines}) {
      if (lines.some(line => /lastpipe|\|\s*[({]/.test(line))) return
      for (const {name, piped, loops} of commands) {
        const loop = loops.at(-1)
        if (name !== "read" || !piped || !loop) continue
        const inside = commands.filter(each => each.loops.some(own => own.line === loop.line))
        const names = new Set(inside.filter(({words}) => !words.length).flatMap(named))
        const behind = commands.slice(commands.indexOf(inside.at(-1)) + 1)
        for (const command of behind) {
          const lost = used(command).find(variable => names.has(variable))
          if (lost) return yield {line: loop.line, matched: [`$${lost}`, String(command.line)]}
          for (const variable of set(command)) names.delete(variable)
        }
      }
    },
    words: "the loop runs in a subshell after the pipe, so line {1} does not see its value of `{0}`.",
    cure: "Write: while read ...; do ...; done < file",
    bad: ["n=0\ncat list | while read f; do\n  n=$((n + 1))\ndone\n./a $n"],
    good: [
      "n=0\nwhile read f; do\n  n=$((n + 1))\ndone < list\n./a $n",
      "cat list | while read f; do\n  n=$f\n  ./a $n\ndone\nn=1\n./a $n",
    ],
  },
  "errors-before-the-output": {
    *find({commands}) {
      for (const {redirects, line, pipes} of commands) {
        const place = redirects.findIndex(({op, fd, target}) => fd === "2" && op === ">&" && target.text === "1")
        const to = place < 0 ? null : redirects.slice(place + 1).find(({op, fd}) => /^>>?$/.test(op) && /^1?$/.test(fd))
        if (to && !pipes) yield {line, matched: [to.raw]}
      }
    },
    words: "`2>&1` comes before `{0}`, so error messages do not go into the file.",
    cure: "Write {0} 2>&1.",
    fix: bench => bench.swap(/2>&1\s+(>>?\s*[^\s;&|]+)/, "$1 2>&1"),
    bad: ["./a 2>&1 > a.log"],
    good: ["./a > a.log 2>&1", "./a 2>&1 > /dev/null | grep error"],
  },
  "trap-too-late": {
    *find({commands}) {
      const place = commands.findLastIndex(({name, fn}) => name === "trap" && !fn)
      const own = commands[place]
      if (!own?.certain || commands.some(({name}, at) => name === "trap" && at < place)) return
      const behind = commands.slice(place + 1).filter(({fn}) => !fn)
      if (commands.slice(0, place).some(each => works(each) && !each.fn) && !behind.some(({words}) => words.length))
        yield {line: own.line, matched: [own.text]}
    },
    words: "`{0}` comes after the last program, so it affects no program.",
    cure: "Move the line above the program.",
    bad: ["./a &\nwait\ntrap 'touch stop' USR1", "./a\ntrap 'touch stop' TERM"],
    good: ["trap 'touch stop' USR1\n./a &\nwait"],
  },
  "trap-of-another-signal": {
    schedulers: ["slurm"],
    *find({commands, options}) {
      const option = options.findLast(({name}) => name === "signal")
      const [, asked] = /^[RB]*B[RB]*:(?:SIG)?(\w+)/i.exec(option?.value ?? "") ?? []
      const traps = commands.filter(({name}) => name === "trap")
      const numbers = {10: "USR1", 12: "USR2", 15: "TERM", 2: "INT", 1: "HUP", 18: "CONT"}
      const signal = word => numbers[word] ?? word.toUpperCase().replace(/^SIG/, "")
      const caught = traps.flatMap(({words}) => words.slice(2))
      if (!asked || !traps.length || caught.some(word => word.includes("$") || signal(word) === signal(asked))) return
      yield {line: traps[0].line, matched: [option.written, signal(asked)], written: option.written}
    },
    words: "`{0}` sends {1}, and no `trap` catches it, so the signal ends the script.",
    cure: "Add {1} to the trap.",
    bad: ["#SBATCH --signal=B:USR1@300\ntrap 'touch stop' TERM\n./a &\nwait"],
    good: [
      "#SBATCH --signal=B:USR1@300\ntrap 'touch stop' USR1 TERM\n./a &\nwait",
      "#SBATCH --signal=B:10@300\ntrap 'touch stop' SIGUSR1\n./a &\nwait",
    ],
  },
  "trap-cannot-catch": {
    pattern: /^trap\s.*\s(?:SIG)?(KILL|STOP|9|19)(?:\s|$)/u,
    words: "no program can catch the signal {1}, so this `trap` never runs.",
    cure: "Request a different signal: --signal=B:USR1@300 and trap ... USR1.",
    bad: ["trap 'cp a b' KILL\n./a"],
    good: ["trap 'cp a b' TERM\n./a", "./a"],
  },
  "signal-ends-the-wait": {
    schedulers: ["slurm"],
    options: ["signal"],
    *find({commands, options}) {
      const option = options.findLast(({name}) => name === "signal")
      const traps = commands.filter(({name, words}) => name === "trap" && !/^(?:-|)$/.test(words[1] ?? ""))
      const waits = commands.filter(({text}) => /\bwait\b/.test(text))
      const [own] = waits
      if (!/B[RB]*:/i.test(option?.value ?? "") || traps.length !== 1 || waits.length !== 1 || own.name !== "wait")
        return
      const handler = [traps[0].words[1] ?? "", ...commands.filter(({fn}) => fn).map(({text}) => text)].join("\n")
      const [next] = commands.slice(commands.indexOf(own) + 1).filter(({fn}) => !fn)
      if (/\bexit\b|scontrol|scancel|requeue|sbatch/.test(handler) || own.loops.length || own.op || !own.certain) return
      if (/^(?:cp|mv|rsync|tar|python3?|srun|mpirun)$/.test(next?.name ?? ""))
        yield {line: own.line, matched: [next.text]}
    },
    words: "the signal ends this `wait` early, so `{0}` runs while the program is still writing.",
    cure: "Write `wait` a second time below it.",
    bad: ["#SBATCH --signal=B:USR1@120\ntrap 'kill -USR1 $P' USR1\n./a &\nP=$!\nwait $P\ncp out ~/"],
    good: [
      "#SBATCH --signal=B:USR1@120\ntrap 'kill -USR1 $P' USR1\n./a &\nP=$!\nwait $P\nwait $P\ncp out ~/",
      "#SBATCH --signal=B:USR1@120\ntrap 'kill $P; exit' USR1\n./a &\nP=$!\nwait\ncp out ~/",
    ],
  },
  "exec-ends-the-script": {
    kind: "fails",
    *find({commands, lines}) {
      const own = commands.find(
        ({certain, fn, line, subshell, background, words, loops}) =>
          certain &&
          !(fn || subshell || background || loops.length) &&
          words.length &&
          /\s*exec\s+(?![-<>&\d{])\S+/y.test(lines[line - 1]),
      )
      const next = own && commands.find(({line, fn, words}) => line > own.line && !fn && words.length)
      if (next) yield {line: own.line, matched: [own.text, String(next.line)]}
    },
    words: "exec replaces the script with `{0}`, so line {1} never runs.",
    cure: "Remove exec.",
    fix: bench => bench.swap(/^(\s*)exec\s+/, "$1"),
    bad: ["exec ./a in\ncp out ~/"],
    good: ["./a\nexec ./b", "exec > log 2>&1\n./a", "exec 3< list\n./a"],
  },
  "cancels-itself-too-early": {
    kind: "fails",
    schedulers: ["slurm"],
    *find({commands}) {
      const ends =
        /^(?:scancel\s+(?!.*(?:-s|--signal)\b).*|scontrol requeue(?:hold)? |kill -(?:9|KILL) )["']?\$(?:\{?SLURM_JOB_?ID\b\}?|\$)["']?$/
      const main = commands.filter(({fn, words}) => !fn && words.length)
      const at = main.findIndex(({certain, loops, text}) => certain && !loops.length && ends.test(text))
      const next = main.slice(at + 1).find(({name}) => !/^(?:exit|echo|sleep|date|wait)$/.test(name))
      if (at >= 0 && next) yield {line: main[at].line, matched: [main[at].text, next.text, String(next.line)]}
    },
    words: "`{0}` ends this job, so `{1}` on line {2} does not run.",
    cure: "Move it below line {2}, or remove it, because a job ends when its script ends.",
    bad: ["srun ./a\nscancel $SLURM_JOB_ID\ncp out ~/", 'srun ./a\nscontrol requeue "$SLURM_JOB_ID"\ncp out ~/'],
    good: ["srun ./a\ncp out ~/\nscancel $SLURM_JOB_ID", "[ -e in ] || scancel $SLURM_JOB_ID\n./a"],
  },
  "exit-in-a-loop": {
    kind: "fails",
    *find({commands}) {
      for (const {name, certain, loops, op, fn, subshell, piped, line} of commands) {
        const loop = loops.at(-1)
        if (name !== "exit" || !certain || loop?.kind !== "for" || op || fn || subshell || piped) continue
        const skips = commands.some(
          each => /^(?:continue|break)$/.test(each.name) && each.loops.some(own => own.line === loop.line),
        )
        if (!skips) return yield {line, matched: [String(loop.line)]}
      }
    },
    words: "`exit` ends the script in the first iteration of the loop on line {0}.",
    cure: "Write it below `done`, or run it only under a condition.",
    bad: ["for f in a b; do\n  ./a $f\n  exit 0\ndone"],
    good: ["for f in a b; do\n  if [ -e stop ]; then exit; fi\n  ./a $f\ndone"],
  },
  "return-outside-a-function": {
    *find({commands}) {
      for (const {name, fn, op, redirects, line, text} of commands)
        if (name === "return" && !fn && !op && !redirects.length && !text.includes("||")) yield {line, matched: [text]}
    },
    words: "`{0}` is an error outside a function, and the script continues below it.",
    cure: "Write exit.",
    fix: bench => bench.swap(/\breturn\b/, "exit"),
    bad: ["if [ ! -e in ]; then\n  return 1\nfi\n./a"],
    good: ["f() {\n  return 1\n}\nf || ./a", "if [ ! -e in ]; then exit 1; fi\n./a"],
  },
  "function-used-before": {
    kind: "fails",
    *find({commands}) {
      const begins = new Map() // function -> its first line
      for (const {fn, line} of commands) if (fn && !begins.has(fn)) begins.set(fn, line)
      for (const {name, words, fn, line} of commands) {
        const first = !fn && words[0] === name && !PREPARES.has(name) ? begins.get(name) : undefined
        if (first > line) return yield {line, matched: [name, String(first)]}
      }
    },
    words: "the function `{0}` is defined only on line {1}, so it does not exist yet.",
    cure: "Move the function up.",
    bad: ["prepare\n./a\nprepare() {\n  mkdir -p run\n}"],
    good: ["prepare() {\n  mkdir -p run\n}\nprepare\n./a", "main() {\n  step\n}\nstep() {\n  ./a\n}\nmain"],
  },
  "alias-in-a-script": {
    kind: "fails",
    *find({commands, text}) {
      if (/expand_aliases/.test(text)) return
      for (const {name, words, line} of commands) {
        const [, own, value] = (name === "alias" && /^([\w-]+)=(\S*)/.exec(words[1] ?? "")) || []
        const use = own && value !== own && commands.find(each => each.words[0] === own && each.line > line)
        if (use && !commands.some(({fn}) => fn === own)) yield {line: use.line, matched: [own, String(line)]}
      }
    },
    words: "bash ignores aliases in scripts, so `{0}` on line {1} does not exist.",
    cure: "Write a function: {0}() {{ ...; }",
    bad: ["alias runit='python run.py'\nrunit a.in"],
    good: ["shopt -s expand_aliases\nalias runit='python run.py'\nrunit a.in", "alias ls='ls -l'\nls\n./a"],
  },
  "activated-in-another-shell": {
    pattern: /^(?:(?:bash|sh)\s+)?\S*\/bin\/activate$|^(?:bash|sh)\s+\S*conda\.sh$/u,
    words: "`{0}` runs in a separate process, so the environment is not active on the lines below.",
    cure: "Write source before it.",
    fix: bench => bench.swap(/^(\s*)(?:(?:bash|sh)\s+)?(?=\S)/, "$1source "),
    bad: ["bash env/bin/activate\npython a.py", "./env/bin/activate\npython a.py"],
    good: ["source env/bin/activate\npython a.py", ". env/bin/activate\npython a.py"],
  },
  "command-not-substituted": {
    kind: "fails",
    pattern:
      /^(?!\w*(?:PAGER|EDITOR|CMD|SHELL)=)([A-Za-z_]\w*)=(ls|cat|sed|awk|grep|head|tail|date|pwd|wc|find|basename|dirname|seq|sbatch|scontrol|mktemp|cut)\s+\S.*/u,
    words: "`{0}` sets `{1}` to the word {2} and then runs the rest as a command.",
    cure: "Write {1}=$({2} ...).",
    fix: bench => bench.swap(/^(\s*\w+=)([a-z]+\s[^#]*\S)\s*$/, "$1$($2)"),
    bad: ["N=ls data | wc -l\n./a $N", 'S=sed -n "1p" list\n./a $S', "J=sbatch a.sh\necho $J"],
    good: ["N=$(ls data | wc -l)\n./a $N", "GIT_PAGER=cat git log\n./a", "M=cat\n$M a"],
  },
  "sum-is-text": {
    *find({commands, text}) {
      for (const {sets, words, line} of commands) {
        const [whole, name] = sets.map(part => /^(\w+)=\$\{?SLURM_\w+\}?\s*[-+*]\s*\d+$/.exec(part)).find(Boolean) ?? []
        if (!whole || words.length || new RegExp(String.raw`\(\([^)]*\b${name}\b|declare -i`).test(text)) continue
        yield {line, matched: [whole]}
      }
    },
    words: "the shell does not calculate `{0}`, so the value is text.",
    cure: "Write $((...)).",
    fix: bench => bench.swap(/(=)["']?(\$\{?SLURM_\w+\}?\s*[-+*]\s*\d+)["']?/, "$1$(($2))"),
    bad: ["#SBATCH --array=1-3 --output=%A_%a\nS=$SLURM_ARRAY_TASK_ID+100\n./a $S"],
    good: ["#SBATCH --array=1-3 --output=%A_%a\nS=$((SLURM_ARRAY_TASK_ID + 100))\n./a $S"],
  },
  "variable-name-too-long": {
    *find({commands, text}) {
      if (
        commands.some(({name, words}) => /^(?:source|\.|eval)$/.test(name) && !/activate|conda|profile/.test(words[1]))
      )
        return
      const own = new Set(["SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_JOB_ID", ...commands.flatMap(set)])
      own.delete("SLURM") // a name such as SLURM_CONSTRAINT is whole
      for (const {tokens, redirects, line} of commands) {
        const written = [...tokens, ...redirects.map(({target}) => target)].filter(({quote}) => quote !== "'")
        for (const [whole, name] of written.flatMap(({raw}) => [...raw.matchAll(/(?<!\\)\$([A-Za-z]\w*)/g)])) {
          if (own.has(name) || !(/[a-z]/.test(name) || name.startsWith("SLURM_")) || text.includes(`${name}=`)) continue
          const short = [...own].filter(each => each && name.startsWith(`${each}_`)).at(-1)
          if (short) return yield {line, matched: [whole, short, name.slice(short.length)]}
        }
      }
    },
    words: "`{0}` is empty, because the shell reads `{2}` as part of the name.",
    cure: "Write ${{{1}}}{2}.",
    fix: bench => {
      const [, whole, short] = /\$((\w+))` is empty/.exec(bench.finding.what) ?? []
      const name = /\{(\w+)\}/.exec(bench.finding.cure)?.[1]
      return whole && name && short ? bench.swap(new RegExp(`\\$${name}(?=_)`, "g"), `$\{${name}}`) : null
    },
    bad: ["for file in *.in; do\n  ./a $file > $file_out.txt\ndone", "mkdir run_$SLURM_JOB_ID_out\n./a"],
    good: ['S=a\necho "\\$S_x" > b', "SLURM=a\necho $SLURM_CLUSTER_NAME"],
  },
  "braces-with-a-variable": {
    *find({commands}) {
      for (const {name, tokens, line} of commands) {
        const found = name !== "eval" && tokens.find(({raw}) => /^[^"']*\{(?:\w+\.\.\$|\$\{?\w+\}?\.\.)/.test(raw))
        if (!found) continue
        const [, from, to] = /^\{(\w+|\$\w+|\$\{\w+\})\.\.(\w+|\$\w+|\$\{\w+\})\}$/.exec(found.raw) ?? [null, "1", "$N"]
        yield {line, matched: [found.raw, from, to]}
      }
    },
    words: "`{0}` is not expanded, because Bash does not support variables in brace ranges.",
    cure: "Write $(seq {1} {2}).",
    bad: ["N=10\nfor i in {1..$N}; do\n  ./a $i\ndone"],
    good: ["for i in {1..10}; do\n  ./a $i\ndone", "for i in $(seq 1 $N); do\n  ./a $i\ndone"],
  },
  "commas-in-the-list": {
    *find({commands}) {
      for (const {words, tokens, line, text} of commands) {
        const [, list] = (!words.length && /^\w+=\(([^)]*)\)$/.exec(text)) || []
        const parts = list?.trim().split(/\s+/) ?? []
        if (parts.length > 1 && parts.slice(0, -1).every(part => /^["']?[\w./-]+["']?,$/.test(part)))
          yield {line, matched: [parts[0]]}
        if (words.length || !/^for /.test(text) || tokens.length < 2) continue
        if (tokens.slice(0, -1).every(({raw}) => /^[\w.-]+,$/.test(raw))) yield {line, matched: [tokens[0].raw]}
      }
    },
    words: "the comma in `{0}` becomes part of the value.",
    cure: "Separate the values with spaces.",
    fix: bench => bench.swap(/,(?=\s+[\w.-]+(?:,|\s*;|\s*$|\s))/g, ""),
    bad: ["for i in 1, 2, 3; do\n  ./a $i\ndone", "A=(1, 2, 3)\n./a ${A[0]}"],
    good: ["for i in 1 2 3; do\n  ./a $i\ndone"],
  },
  "list-as-one-word": {
    *find({commands}) {
      const sets = commands.flatMap(({sets, words, tokens}) => (words.length || tokens.length ? [] : sets))
      for (const {words, tokens, line, text} of commands) {
        if (words.length || !/^for /.test(text) || tokens.length !== 1) continue
        const [, name] = /^"?\$\{?(\w+)\}?"?$/.exec(tokens[0].raw) ?? []
        const values = sets.filter(part => part.startsWith(`${name}=`) || part.startsWith(`${name}+=`))
        const [, value] = (values.length === 1 && /^\w+=(.*)$/s.exec(values[0])) || []
        const list = /^\(\s*\S+\s+\S/.test(value ?? "")
        const quoted = tokens[0].raw.startsWith('"') && /^[\w.-]+(?: [\w.-]+)+$/.test(value ?? "")
        if (list || quoted) yield {line, matched: [tokens[0].raw, list ? `"\${${name}[@]}"` : `$${name}`]}
      }
    },
    words: "`{0}` is one word here, so the loop has only one iteration.",
    cure: "Write {1}.",
    bad: ['L="a b c"\nfor i in "$L"; do\n  ./a $i\ndone', "L=(a b c)\nfor i in $L; do\n  ./a $i\ndone"],
    good: [
      'L="a b c"\nfor i in $L; do\n  ./a $i\ndone',
      'L=(a b c)\nfor i in "${L[@]}"; do\n  ./a $i\ndone',
      'D="/x/my dir"\nfor i in "$D"; do\n  ./a $i\ndone',
    ],
  },
  "option-as-a-command": {
    kind: "fails",
    pattern: /^(--?[A-Za-z][\w-]*)(?=[\s=]|$)/u,
    words: "`{1}` begins a new command, because the command above does not continue on this line.",
    cure: "End each line above it with a backslash and nothing after it, not even a space. Remove comments and empty lines between them.",
    bad: ["./a --b 1\n  --c 2"],
    good: ["./a --b 1 \\\n  --c 2", "./a -- --b"],
  },
  "exit-behind-the-message": {
    kind: "fails",
    *find({commands}) {
      for (const [place, {name, op, fn, line, certain, loops}] of commands.entries()) {
        const [one, two] = [commands[place - 2], commands[place - 1]]
        if (name !== "exit" || fn || loops.length || two?.line !== line || !/^(?:echo|printf)$/.test(two.name)) continue
        const always = (certain && !op && two.op === "||") || (op === "&&" && two.op === "||" && one && !one.op)
        if (always && commands.slice(place + 1).some(each => each.words.length && !each.fn) && one.line === line)
          yield {line, matched: [two.text]}
      }
    },
    words: "the script always ends here: `||` covers only `{0}`, not the `exit`.",
    cure: "Write: ... || {{ echo ...; exit 1; }",
    fix: bench => bench.swap(/\|\|\s*((?:echo|printf)\s[^;&|]*?)\s*(?:;|&&)\s*(exit(?:\s+\d+)?)\s*$/, "|| { $1; $2; }"),
    bad: ['[ -e in ] || echo "missing"; exit 1\n./a', 'cd run || echo "no" && exit 1\n./a'],
    good: ['[ -e in ] && echo "x" && exit 1\n./a'],
  },
  "deleted-while-copied": {
    kind: "fails",
    *find({commands}) {
      for (const [place, {name, words, background, line}] of commands.entries()) {
        if (!background || !/^(?:cp|rsync|tar|scp)$/.test(name)) continue
        for (const each of commands.slice(place + 1)) {
          if (/\bwait\b/.test(each.text)) break
          const gone =
            each.name === "rm" &&
            each.words.slice(1).find(word => words.slice(1).includes(word) && !word.startsWith("-"))
          if (gone) return yield {line: each.line, matched: [gone, String(line)]}
        }
      }
    },
    words: "line {1} is still copying `{0}` in the background when this line deletes it.",
    cure: "Write `wait` above it.",
    bad: ["./a\ncp -r out ~/out &\nrm -rf out"],
    good: ["./a\ncp -r out ~/out &\nwait\nrm -rf out", "./a\ncp -r out ~/out\nrm -rf out"],
  },
}
