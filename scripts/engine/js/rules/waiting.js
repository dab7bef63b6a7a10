// What runs beside the script, what it waits for, what ends it early, and jobs that wait for jobs.
import {COPIES, base, documents, payload, program, started} from "../script/payload.js"
import {setOf} from "../script/text.js"
import {FOREVER, forever, works} from "./shell.js"
import {errexit} from "./work.js"

/** Programs that end only when they are killed. */
const ENDLESS =
  /^nvidia-smi\b.*(?:\s-l\b|\s-lms\b|--loop(?:-ms)?\b|\bdmon\b|\bpmon\b)(?!.*(?:\s-c\s|--count))|^(?:rocm-smi|amd-smi)\b.*(?:--loop|monitor\b|\s-w\b)|^(?:vmstat|iostat|mpstat|sar|pidstat)\s(?:-\S+\s)*\d+(?=$|\s[>&])|^tail\s.*-[fF]\b|^(?:watch|tensorboard|dstat|nvtop|gpustat\s.*(?:-i|--interval|--watch)|dcgmi\s+dmon)\b|^top\s(?!.*-n).*-b|^sleep\s+inf|^jupyter(?:-|\s+)(?:lab|notebook|server)\b|^(?:redis-server|mongod|memcached|ollama\s+serve|vllm\s+serve|text-generation-launcher|mlflow\s+(?:server|ui))\b|^python[\d.]*\s+-m\s+(?:http\.server|vllm\.entrypoints)|^ssh\s+(?:.*\s)?-\w*N|^ray\s+start\s.*--block|^inotifywait\s.*-m\b/
const READERS =
  /^(?:sort|gzip|pigz|bgzip|samtools|bcftools|bedtools|cat|head|tail|sed|awk|gawk|tr|cut|uniq|xz|zstd|tar|ts|column|tee|nl|fold)$/
const SOURCES = setOf("grep cat zcat head tail sed awk cut sort find ls seq wc echo printf squeue sacct scontrol")

const killsBefore = (commands, place) =>
  commands.slice(0, place).some(({name, text, fn}) => !fn && name !== "trap" && /\b(?:kill|pkill|killall)\b/.test(text))
/** The line of a background process that never ends. */
function endless(commands) {
  const loops = commands.filter(each => each.background && forever(each))
  const named = new Set(commands.filter(each => each.fn && each.name !== "sleep" && forever(each)).map(({fn}) => fn))
  const left = line =>
    commands.some(each => /^(?:break|exit|return)$/.test(each.name) && each.loops.some(own => own.line === line))
  const loop = loops.find(({loops: own, fn}) => !fn && !left(own.at(-1)?.line))
  const found = commands.find(command => {
    if (!command.background || command.fn) return false
    const {through} = started(command.words)
    if (through.some(({name}) => name === "timeout")) return false
    return ENDLESS.test(payload(command).join(" ")) || named.has(command.words[0])
  })
  return [
    loop && {line: loop.loops.at(-1)?.line ?? loop.line, text: "the loop"},
    found && {line: found.line, text: `\`${found.words[0]}\``},
  ].find(Boolean)
}

/** @type {Partial<Rule>} */
export const usual = {kind: "fails", schedulers: ["slurm", "grid_engine"], where: "command"}

/** @type {Record<string, Rule>} */
export const rules = {
  "waits-for-an-endless-process": {
    *find({commands}) {
      const own = endless(commands)
      if (!own) return
      const place = commands.findIndex(
        ({name, words, fn, line}) => name === "wait" && words.length === 1 && !fn && line >= own.line,
      )
      if (place < 0 || killsBefore(commands, place)) return
      yield {line: commands[place].line, matched: [own.text, String(own.line)]}
    },
    words: "`wait` also waits for {0} on line {1}, which never ends, so the job runs until its time limit.",
    cure: "Write `pid=$!` below your program and `wait $pid` here, then kill the other process.",
    bad: [
      "nvidia-smi --query-gpu=name --format=csv --loop=30 > gpu.csv &\n./a &\nwait",
      "nvidia-smi -l 30 > gpu.csv &\n./a &\nwait",
      "rocm-smi -w 9 > gpu.log &\n./a &\nwait",
      "log() {\n  while true; do date; sleep 9; done\n}\nlog &\n./a &\nwait",
      "(while :; do free -g; sleep 60; done) &\n./a\nwait",
      "vmstat 5 > v.log &\n./a &\nwait\nkill %1",
    ],
    good: [
      "nvidia-smi -l 30 > gpu.csv &\nM=$!\n./a\nkill $M\nwait",
      "nvidia-smi -l 30 > gpu.csv &\n./a &\nP=$!\nwait $P",
      "timeout 1h nvidia-smi -l 30 > gpu.csv &\n./a &\nwait",
      "nvidia-smi dmon -c 9 > gpu.log &\nvmstat 5 9 > v.log &\n./a &\nwait",
      "while true; do if [ -e end ]; then break; fi; sleep 9; done &\n./a &\nwait",
    ],
  },
  "loop-without-an-end": {
    *find({commands, text}) {
      if (errexit(commands)) return
      for (const {name, condition, loops, background, fn, line, certain} of commands) {
        const loop = loops.at(-1)
        if (!condition || !FOREVER.has(name) || loop?.kind !== "while" || background || fn || loops.length > 1) continue
        const inside = commands.filter(each => each.loops.some(own => own.line === loop.line))
        if (inside.some(each => /\b(?:break|exit|return|exec|kill|scancel)\b/.test(each.text)) || /\btrap\b/.test(text))
          continue
        const next = commands.slice(commands.indexOf(inside.at(-1)) + 1).find(each => works(each) && !each.fn)
        if (next && certain !== undefined) return yield {line, matched: [next.words[0], String(next.line)]}
      }
    },
    words: "this loop never ends, so `{0}` on line {1} never starts.",
    cure: "End the loop with `break`, or write & after `done`.",
    bad: ["while true; do\n  nvidia-smi >> gpu.log\n  sleep 60\ndone\npython train.py"],
    good: [
      "while true; do\n  nvidia-smi >> gpu.log\n  sleep 60\ndone &\npython train.py",
      "while true; do\n  ./a && break\ndone\npython train.py",
      "while true; do\n  ./a\ndone",
    ],
  },
  "runs-again-and-again": {
    *find({commands, text}) {
      for (const {name, condition, loops, background, fn} of commands) {
        const loop = loops.at(-1)
        if (!condition || !FOREVER.has(name) || loop?.kind !== "while" || background || fn || loops.length > 1) continue
        const inside = commands.filter(each => each.loops.some(own => own.line === loop.line) && !each.condition)
        if (inside.length !== 1 || inside[0].background || /\b(?:trap|read|break|exit)\b/.test(text)) continue
        if (/^(?:python[\d.]*|srun|mpirun|Rscript|julia|\.\/\S+)$/.test(inside[0].name))
          yield {line: inside[0].line, matched: [inside[0].text]}
      }
    },
    words: "the loop starts `{0}` again each time it ends, until the job's time limit.",
    cure: "Remove the loop, or end it with break.",
    bad: ["while true; do python train.py; done"],
    good: ["while true; do python train.py && break; done", "while [ ! -e done ]; do python a.py; done"],
  },
  "copied-while-it-runs": {
    *find({commands, text}) {
      if (/\b(?:wait|fg|kill|pgrep|tail\s+--pid)\b|\bkill -0/.test(text)) return
      if (!commands.some(({name}) => COPIES.test(name))) return
      for (const [place, own] of commands.entries()) {
        if (!own.background || own.loops.length || own.fn || own.subshell || !works(own) || COPIES.test(own.name))
          continue
        if (
          ENDLESS.test(own.text) ||
          /server?\b|serve\b|\bstart\b|worker|monitor|dask|ray\b/i.test(own.words.join(" "))
        )
          continue
        const behind = commands.slice(place + 1).filter(({words, fn}) => words.length && !fn)
        const copy = behind.find(({name}) => COPIES.test(name))
        if (behind.some(each => each.name === "sleep" || (works(each) && !COPIES.test(each.name))) || !copy) continue
        return yield {line: copy.line, matched: [copy.text, base(payload(own)[0] ?? ""), String(own.line)]}
      }
    },
    words: "`{0}` runs while `{1}` on line {2} is still running in the background.",
    cure: "Write `wait` above this line.",
    bad: ["nohup python a.py > log &\ncp -r out ~/results", "srun ./a &\ntar czf out.tgz out"],
    good: ["python a.py &\nwait\ncp -r out ~/", "python a.py\ncp -r out ~/"],
  },
  "ends-with-the-signal": {
    *find({commands}) {
      if (!errexit(commands)) return
      for (const [place, {name, words, line, op, condition}] of commands.entries()) {
        const before = commands[place - 1]
        if (name !== "wait" || words.length < 2 || op || condition || before?.name !== "kill" || before.fn) continue
        if (before.words.some(word => /^-(?:0|\w*(?:USR|CONT))/.test(word)) || commands[place + 1]?.op === "||")
          continue
        const next = commands
          .slice(place + 1)
          .find(each => each.words.length && !each.fn && !/^(?:echo|date|exit)$/.test(each.name))
        if (next && before.words.includes(words[1])) yield {line, matched: [String(next.line)]}
      }
    },
    words:
      "`wait` returns the killed process's status, which is not 0, so `set -e` ends the script and line {0} never runs.",
    cure: "Write: wait ... || true",
    bad: ["set -e\nnvidia-smi -l 9 > g &\nM=$!\n./a\nkill $M\nwait $M\ncp -r out ~/"],
    good: [
      "set -e\nnvidia-smi -l 9 > g &\nM=$!\n./a\nkill $M\nwait $M || true\ncp -r out ~/",
      "nvidia-smi -l 9 > g &\nM=$!\n./a\nkill $M\nwait $M\ncp -r out ~/",
    ],
  },
  "timeout-ends-the-script": {
    kind: "unwise",
    *find({commands, text}) {
      if (!errexit(commands) || /\btrap\b.*(?:EXIT|ERR)|set \+e/.test(text)) return
      for (const [place, own] of commands.entries()) {
        const {through} = started(own.words)
        const limit = through.find(({name}) => name === "timeout")
        if (!limit || limit.words.includes("--preserve-status") || own.condition || own.op || own.background || own.fn)
          continue
        if (!own.certain || own.pipes || commands[place + 1]?.op === "||") continue
        const next = commands
          .slice(place + 1)
          .find(({name, fn}) => !fn && (COPIES.test(name) || /^(?:sbatch|scontrol)$/.test(name)))
        if (next) yield {line: own.line, matched: [next.text]}
      }
    },
    words: "`timeout` returns 124 when the time is up, so `set -e` ends the script here, and `{0}` never runs.",
    cure: "Write: timeout ... || [ $? -eq 124 ]",
    bad: ["set -e\ntimeout 23h srun ./a\nsbatch next.sh", "set -euo pipefail\ntimeout 10m ./a\ncp -r out ~/"],
    good: ["set -e\ntimeout 23h srun ./a || true\nsbatch next.sh", "timeout 23h srun ./a\nsbatch next.sh"],
  },
  "empty-under-errexit": {
    *find({commands, lines, shell}) {
      if (!errexit(commands)) return
      const pipefail = lines.some(line => /^\s*set\s+.*pipefail/.test(line))
      for (const {sets, words, line} of commands) {
        const [, name, inside] = (!words.length && /^(\w+)=["']?\$\((.*)\)["']?$/s.exec(sets[0] ?? "")) || []
        if (
          !name ||
          /\|\||\bif\b|;\s*(?:true|:)/.test(inside) ||
          /\|\||&&/.test(lines[line - 1].replace(/\$\(.*\)/, ""))
        )
          continue
        const own = shell.inner.filter(each => each.line === line && each.words.length)
        const fails = own.find(
          ({name: program, words: given, pipes, piped}) =>
            (pipefail || !pipes) &&
            ((program === "ls" && given.some(word => /[*?]/.test(word))) ||
              (/^e?grep$/.test(program) &&
                (!pipes || pipefail) &&
                !given.some(word => /^-\w*c/.test(word)) &&
                (piped || given.length > 2))),
        )
        const asked = new RegExp(
          String.raw`^\[\[? (?:! )?-[zn] "?\$\{?${name}(?::-)?\}?"? \]\]?|^test -[zn] "?\$\{?${name}\b|^\[\[? "?\$\{?${name}\}?"? (?:!=|==?) "" \]`,
        )
        const test = fails && commands.find(each => each.line > line && asked.test(each.text))
        if (test) return yield {line, matched: [fails.name, `$${name}`, String(test.line)]}
      }
    },
    words: "if nothing matches, `{0}` fails and `set -e` ends the script here, so line {2} never sees an empty `{1}`.",
    cure: "Add `|| true` inside $( ).",
    bad: [
      'set -euo pipefail\nL=$(ls -t ckpt/*.pt 2>/dev/null | head -n 1)\nif [ -n "$L" ]; then ./a --resume $L; else ./a; fi',
      'set -e\nE=$(grep ERROR log)\nif [ -z "$E" ]; then ./b; fi',
    ],
    good: [
      'set -eu\nL=$(ls -t ckpt/*.pt 2>/dev/null | head -n 1)\nif [ -n "$L" ]; then ./a --resume $L; else ./a; fi',
      'set -e\nE=$(grep ERROR log || true)\nif [ -z "$E" ]; then ./b; fi',
    ],
  },
  "status-of-the-last-in-the-pipe": {
    kind: "unwise",
    *find({commands, lines}) {
      if (lines.some(line => /pipefail|PIPESTATUS/.test(line))) return
      for (const [place, command] of commands.entries()) {
        const last = commands[place - 1]
        if (
          !last?.piped ||
          last.pipes ||
          last.nested ||
          last.loops.length !== command.loops.length ||
          !READERS.test(last.name)
        )
          continue
        const first = commands.slice(0, place).findLastIndex(({piped}) => !piped)
        const own = commands[first]
        if (!own?.pipes || !works(own) || SOURCES.has(own.name)) continue
        const asks = [...command.words, ...command.sets].some(word => word.includes("$?"))
        const tests = last.condition && !command.condition
        if ((asks && last.name !== "tee") || (tests && own.condition))
          return yield {line: tests ? last.line : command.line, matched: [program(last), program(own)]}
      }
    },
    words: "the pipe's status is that of `{0}` alone, so it is 0 even if `{1}` has failed.",
    cure: "Add `set -o pipefail` above it.",
    bad: [
      "bwa mem ref a.fq | samtools sort -o a.bam -\nif [ $? -eq 0 ]; then rm a.fq; fi",
      "if ./a | tee log; then rm in; fi",
      "pg_dump x | gzip > x.gz\nrc=$?\nexit $rc",
    ],
    good: [
      "set -o pipefail\nbwa mem ref a.fq | samtools sort -o a.bam -\nif [ $? -eq 0 ]; then rm a.fq; fi",
      "cat a | sort > b\nif [ $? -eq 0 ]; then ./b; fi",
      "./a | grep -q done\nif [ $? -eq 0 ]; then ./b; fi",
    ],
  },
  "status-of-the-message": {
    kind: "unwise",
    *find({commands}) {
      for (const [place, command] of commands.entries()) {
        const before = commands[place - 1]
        if (
          !before ||
          command.op ||
          command.piped ||
          before.fn !== command.fn ||
          before.loops.length !== command.loops.length
        )
          continue
        if (!/^(?:echo|printf|date)$/.test(before.name) || before.op || before.piped || before.line === command.line)
          continue
        const reads = /^(?:\[\[?|test|\(\()$/.test(command.name) && command.words.some(word => /\$\?/.test(word))
        const kept = command.sets.some(part => /^\w+=\$\?$/.test(part)) && !command.words.length
        const two = commands[place - 2]
        if ((reads || kept) && two && works(two) && two.certain === before.certain)
          yield {line: command.line, matched: [before.name, String(before.line)]}
      }
    },
    words: "`$?` is the status of `{0}` on line {1}, which is 0, not that of the program.",
    cure: "Write `status=$?` directly below the program, and test $status.",
    bad: ['./a\necho "finished"\nif [ $? -eq 0 ]; then rm in; fi', "srun ./a\ndate\nrc=$?\nexit $rc"],
    good: ['./a\nrc=$?\necho "finished"\nif [ $rc -eq 0 ]; then rm in; fi', "./a\nif [ $? -eq 0 ]; then rm in; fi"],
  },
  "afterok-behind-the-time-limit": {
    schedulers: ["slurm"],
    *find({commands, shell}) {
      const all = [...commands, ...shell.inner]
      const own = all.find(
        ({name, text, fn}) =>
          name === "sbatch" &&
          !fn &&
          /(?:--dependency|-d)[= ]?["']?afterok:["']?\$\{?SLURM_(?:JOB_?ID|ARRAY_JOB_ID)\b/.test(text),
      )
      if (!own) return
      const endless = commands.find(
        command =>
          program(command).startsWith("gmx") && / -nsteps -1\b/.test(command.text) && !/ -maxh\b/.test(command.text),
      )
      const last = commands.findLast(command => works(command) && !command.fn && command.name !== "sbatch")
      const limited =
        last && started(last.words).through.some(({name}) => name === "timeout") && commands.at(-1) === last
      const bare = last && !/--preserve-status|\|\|/.test(last.text)
      if (endless) yield {line: own.line, matched: ["the time limit always ends it, and its state is then TIMEOUT"]}
      else if (limited && bare)
        yield {line: own.line, matched: ["`timeout` ends it with the status 124, which counts as failed"]}
    },
    words: "the next job waits until this one succeeds, but {0}, so the next one never starts.",
    cure: "Write --dependency=afterany:$SLURM_JOB_ID.",
    fix: bench => bench.swap(/\bafterok:(?=["']?\$\{?SLURM_)/, "afterany:"),
    bad: [
      "sbatch --dependency=afterok:$SLURM_JOB_ID next.sh\ngmx mdrun -deffnm md -cpi md.cpt -nsteps -1",
      "sbatch -d afterok:$SLURM_JOB_ID next.sh\ntimeout 23h srun ./a --resume last",
    ],
    good: [
      "sbatch --dependency=afterany:$SLURM_JOB_ID next.sh\ngmx mdrun -deffnm md -cpi md.cpt -nsteps -1",
      "sbatch --dependency=afterok:$SLURM_JOB_ID next.sh\ngmx mdrun -deffnm md -cpi md.cpt -nsteps -1 -maxh 23",
      "sbatch --dependency=afterok:$SLURM_JOB_ID next.sh\nsrun ./a",
    ],
  },
  "deletes-after-a-failure": {
    kind: "unwise",
    schedulers: ["slurm"],
    *find({commands, shell}) {
      for (const command of [...commands, ...shell.inner]) {
        if (
          command.name !== "sbatch" ||
          !/(?:--dependency|-d)[= ]?["']?(afterany|afternotok|after)\b/.test(command.text)
        )
          continue
        const body = [...command.words, ...documents(command)].join("\n")
        const found = /\brm\s+-\w+\s+[^\n;&"']*/.exec(body)
        const kind = /\b(afterany|afternotok|after)\b/.exec(command.text)?.[1]
        if (found && kind) yield {line: command.line, matched: [kind, found[0].trim()]}
      }
    },
    words: "{0} starts this job even if the other job failed, and then `{1}` deletes what you need to repeat that job.",
    cure: "Write --dependency=afterok.",
    fix: bench => bench.swap(/\bafter(?:any|notok)?:/, "afterok:"),
    bad: ['J=$(sbatch --parsable a.sh)\nsbatch --dependency=afterany:$J --time=10 --wrap="rm -rf /scratch/me/raw"'],
    good: ['J=$(sbatch --parsable a.sh)\nsbatch --dependency=afterok:$J --time=10 --wrap="rm -rf /scratch/me/raw"'],
  },
}
