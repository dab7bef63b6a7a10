// How programs are started, and with how many threads.
import {orOne, renamed, swap, withoutCommand} from "../fixes/edits.js"
import {srunOptions} from "../schedulers/slurm/srun_options.js"
import {last} from "../script/directives.js"
import {nearest, words} from "../script/text.js"
import {larger, number} from "./given.js"

// Variables that are there only with an option.
const ONLY_WITH = words(`ntasks-per-node ntasks-per-gpu ntasks-per-core ntasks-per-socket gpus gpus-per-node
  gpus-per-task gpus-per-socket cpus-per-gpu mem-per-gpu mem-per-cpu`)
const OF_OTHERS = {
  JOB_ID: "SLURM_JOB_ID",
  TASK_ID: "SLURM_ARRAY_TASK_ID",
  NCPUS: "SLURM_CPUS_PER_TASK",
  NGPUS: "SLURM_GPUS_ON_NODE",
  JOB_NAME: "SLURM_JOB_NAME",
}
const THREADS_OF =
  /\bOMP_NUM_THREADS=["']?(\$\{?SLURM_(?:(NTASKS|NPROCS|NTASKS_PER_NODE|TASKS_PER_NODE)|(NNODES|JOB_NUM_NODES)|(JOB_ID))\b\}?)/

/** @type {Partial<Rule>} */
export const usual = {kind: "unwise", schedulers: ["slurm"], where: "command"}

/** @type {Record<string, Rule>} */
export const rules = {
  "shell-command-in-a-step": {
    schedulers: ["slurm", "grid_engine"],
    pattern:
      /^(srun|mpirun|mpiexec)\s+(-\S+\s+(\d\S*\s+)?)*(module|ml|source|\.|cd|export|ulimit|conda\s+activate)\s.*/u,
    words: "`{0}` has no effect on the commands below, because it runs in a separate process.",
    cure: "Write it without {1}.",
    fix: swap(/^(\s*)(srun|mpirun|mpiexec)\s+(-\S+\s+(\d\S*\s+)?)*/, "$1"),
    bad: ["srun module load gcc", "srun -n 1 source env/bin/activate", "srun cd run", "mpirun export A=1"],
    good: ["srun ./module load", "srun bash -c 'cd run; ./a'", "module load gcc\nsrun ./a"],
  },
  "modules-in-another-shell": {
    schedulers: ["slurm", "grid_engine"],
    pattern: /^(bash|sh)\s+-l?c\s+["'](module|ml|source|export|cd)\s[^;&|]*["']$/u,
    words: "`{0}` ends immediately, and its settings are lost.",
    cure: "Write the command itself.",
    fix: swap(/^(\s*)(?:bash|sh)\s+-l?c\s+(["'])(.*)\2\s*$/, "$1$3"),
    bad: ["bash -c 'module load gcc'", 'sh -c "export A=1"'],
    good: ["bash -c 'module load gcc; ./a'", "module load gcc"],
  },
  "module-without-a-name": {
    schedulers: ["slurm", "grid_engine"],
    pattern: /^module\s+(load|add|use|unload)$/u,
    words: "`{0}` names no module.",
    cure: "Write module load NAME.",
    fix: withoutCommand,
    bad: ["module load", "module use"],
    good: ["module load gcc", "module list"],
  },
  "srun-alone": {
    kind: "fails",
    pattern: /^srun(\s+--[\w-]+=\S+)*$/u,
    words: "`{0}` names no program.",
    cure: "Write srun ./program.",
    fix: withoutCommand,
    bad: ["srun", "srun --ntasks=4"],
    good: ["srun ./a", "srun hostname"],
  },
  "srun-one-dash": {
    kind: "fails",
    pattern:
      /^srun(\s+-\S+(\s+\d\S*)?)*?\s+(-np|--np|-time|-mem|-ntasks|-nodes|-gres|-partition|-account|-gpus|-cpus-per-task)(?=[\s=\d])/u,
    words: "`{3}` is not an option of srun.",
    cure: "Write two hyphens before long options, and -n or --ntasks for the number of tasks.",
    fix: bench =>
      bench.swap(/\s--?np(?=[\s=\d])/, " -n") ??
      bench.swap(
        /(\ssrun|^\s*srun)(.*?)\s-(time|mem|ntasks|nodes|gres|partition|account|gpus|cpus-per-task)(?=[\s=])/,
        "$1$2 --$3",
      ),
    bad: ["srun -np 4 ./a", "srun --mpi=pmix -np 4 ./a", "srun -time=5 ./a", "srun -n 4 -mem=4G ./a"],
    good: ["srun -n 4 ./a", "mpirun -np 4 ./a", "srun ./a -np 4", "srun -n 4 ./a -time 5"],
  },
  "srun-short-option-with-equals": {
    pattern: /^srun(\s+-\S+(\s+\d\S*)?)*?\s+(-[nNcGtpA]=\S*)/u,
    words: "the equals sign in `{3}` is part of the value, because the option is short.",
    cure: "Remove the sign, or use the long option.",
    fix: swap(/(\s-[nNcGtpA])=/g, "$1 "),
    bad: ["srun -n=4 ./a", "srun --mpi=pmix -c=4 ./a", "srun -N=1 -n 4 ./a"],
    good: ["srun -n4 ./a", "srun --ntasks=4 ./a", "srun ./a -n=4"],
  },
  "srun-option-unknown": {
    kind: "fails",
    /** A long option of srun's own, before the program's name, that it does not have. */
    *find({commands}) {
      const known = srunOptions()
      for (const {line, text} of commands) {
        const [first, ...rest] = words(text)
        if (first !== "srun") continue
        for (const word of rest) {
          if (!word.startsWith("-")) {
            if (/^\d[\d:.-]*$/.test(word)) continue // the value of a short option
            break
          }
          const name = word.slice(2).split("=")[0]
          const whole = /^--[a-z][\w-]*(=.*)?$/.test(word)
          if (!whole || known.some(each => each.startsWith(name))) continue
          const close = nearest(name, known)
          yield {line, matched: [`--${name}`, close ? `Did you mean --${close}?` : "See man srun."]}
          return
        }
      }
    },
    words: "srun has no option {0}.",
    cure: "{1}",
    fix: bench => {
      const near = /--([\w-]+)/.exec(bench.finding.cure)?.[1],
        wrong = /--([\w-]+)/.exec(bench.finding.what)?.[1]
      return near && bench.swap(new RegExp(`--${wrong}(?=[=\\s])`), `--${near}`)
    },
    bad: ["srun --ntask-per-nodes=1 ./a", "srun -n 1 --cpus-per-tasks=4 ./a", "srun --gpu-per-task=1 ./a"],
    good: ["srun --ntasks=1 ./a --no-such=1", "srun --cpu_bind=cores ./a", "srun $OPTIONS --mpi pmix ./a"],
  },
  "variable-without-its-option": {
    /** A variable that Slurm sets only with an option, which the script has not. */
    *find(script) {
      const told = new Set()
      for (const {line, text} of script.commands) {
        for (const [, name] of text.matchAll(/\$\{?(SLURM_\w+)(?![\w]|:?[-=+?])/g)) {
          const option = ONLY_WITH.find(each => name === `SLURM_${each.toUpperCase().replaceAll("-", "_")}`)
          if (!option || told.has(name) || script.names.has(option)) continue
          // a partition's default may set it
          if (name === "SLURM_MEM_PER_CPU" && !script.names.has("mem") && !script.names.has("mem-per-gpu")) continue
          told.add(name)
          if (script.does(new RegExp(`\\b${name}=|^\\[.*${name}|^(if|test)\\b.*${name}`))) continue
          yield {line, matched: [`$${name}`, `--${option}`, name]}
        }
      }
    },
    words: "`{0}` is empty, because Slurm sets it only with {1}.",
    cure: "Add the option, or set a default: ${{{2}:-1}}.",
    fix: orOne(({finding}) => /SLURM_\w+/.exec(finding.what)[0]),
    bad: ["srun -n $SLURM_NTASKS_PER_NODE ./a", "#SBATCH --mem=4G\necho ${SLURM_MEM_PER_GPU}"],
    good: [
      "echo ${SLURM_GPUS_PER_NODE:-1}",
      "#SBATCH --gpus-per-node=t4:1\necho $SLURM_GPUS_PER_NODE",
      "SLURM_GPUS_PER_NODE=1\necho $SLURM_GPUS_PER_NODE",
    ],
  },
  "variable-that-others-set": {
    kind: "doubtful",
    pattern: /\$\{?(JOB_ID|TASK_ID|NCPUS|NGPUS|JOB_NAME)\b/u,
    unless: /:[-=+?]|^(for|read|while)\s/u,
    noBody:
      /\b(JOB_ID|TASK_ID|NCPUS|NGPUS|JOB_NAME)=|^(for|read|export|local|declare)\s+(JOB_ID|TASK_ID|NCPUS|NGPUS|JOB_NAME)\b|^(source|\.)\s+(?!\S*activate)/u,
    words: "other schedulers set `${1}`, but Slurm does not, so it is empty unless you set it when you submit.",
    cure: "Use SLURM_JOB_ID, SLURM_ARRAY_TASK_ID, SLURM_CPUS_PER_TASK, SLURM_GPUS_ON_NODE or SLURM_JOB_NAME.",
    fix: renamed(name => OF_OTHERS[name]),
    bad: ["mkdir run-$JOB_ID", "export OMP_NUM_THREADS=$NCPUS", "python a.py ${TASK_ID}"],
    good: [
      "JOB_ID=$SLURM_JOB_ID\nmkdir run-$JOB_ID",
      "for TASK_ID in 1 2; do echo $TASK_ID; done",
      "echo ${JOB_ID:-0}",
    ],
  },
  "option-for-sbatch-set-too-late": {
    kind: "ignored",
    pattern: /^(export\s+)?SBATCH_[A-Z_]+=\S*/u,
    noBody: /\bsbatch\b|^(\.\/|bash\s|sh\s)\S+\.sh|\b(?:nextflow|snakemake|toil|cromwell|parsl|submitit)\b/u,
    words: "`{0}` has no effect inside the job, because sbatch reads this variable when you submit.",
    cure: "Use an #SBATCH directive.",
    bad: ["export SBATCH_ACCOUNT=project", "SBATCH_PARTITION=gpu\nsrun ./a"],
    good: [
      "export SBATCH_ACCOUNT=project\nsbatch next.sh",
      "export SBATCH_ACCOUNT=project\nnextflow run main.nf", // submits jobs itself
    ],
  },
  "folder-of-the-script": {
    schedulers: ["slurm", "grid_engine"],
    pattern:
      /\$\(\s*(dirname|cd\s+["']?\$\(\s*dirname)\s+(--\s+)?["']?(\$\(\s*(realpath|readlink\s+-f)\s+["']?)?\$\{?(0|BASH_SOURCE(\[0\])?)\b.*|\$\{(0|BASH_SOURCE(\[0\])?)%\/\*\}.*|`dirname\s+["']?\$0["']?`/u,
    noBody: /scontrol|SLURM_SUBMIT_DIR|SGE_O_WORKDIR|^\[+\s.*(SLURM_|JOB_ID)/u,
    words: "`{0}` is one of the scheduler's directories, because the job runs a copy of this script from there.",
    cure: "Use $SLURM_SUBMIT_DIR, or paths relative to the directory where you submit, in which the job starts.",
    bad: [
      "cd $(dirname $0)",
      'cd "${0%/*}"',
      'D="$( cd "$( dirname "${BASH_SOURCE[0]}" )" && pwd )"',
      "cd `dirname $0`",
    ],
    good: ['echo "$(basename "$0")"', "cd $(dirname $(scontrol show job $SLURM_JOB_ID | grep Command= | cut -d= -f2))"],
  },
  "threads-are-no-number": {
    schedulers: ["slurm", "grid_engine"],
    pattern:
      /^(export\s+)?(OMP|MKL|OPENBLAS|NUMEXPR|JULIA)_NUM_THREADS=(["']?\$\{?\w+\}?["']?\s?[-+*\/]\s?["']?\w*["']?|"\$\{?\w+\}?\s?[-+*\/]\s?\w+"|'\$[^']*'|%\w+%|\$\[[^\]]*\]\w+)(?=\s|$)/u,
    words: "the shell does not calculate `{0}`, so the value is text, not a number of threads.",
    cure: "Write $((SLURM_CPUS_PER_TASK / 2)), or the variable in double quotes.",
    fix: bench =>
      bench.swap(/(_NUM_THREADS=)["']?\$\{?(\w+)\}?["']?\s?([-+*/])\s?(\d+)["']?/, "$1$(($2 $3 $4))") ??
      bench.swap(/(_NUM_THREADS=)'(\$[^']*)'/, '$1"$2"'),
    bad: [
      "#SBATCH -c 4\nexport OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK/2",
      '#SBATCH -c 4\nexport OMP_NUM_THREADS="$SLURM_CPUS_PER_TASK / 2"',
      "export OMP_NUM_THREADS='$SLURM_CPUS_PER_TASK'",
    ],
    good: ["export OMP_NUM_THREADS=4,2"],
  },
  "threads-of-the-tasks": {
    /** The number of threads is that of tasks or nodes, though each task has several cores. */
    *find({options, commands}) {
      const cores = number(last(options), "cpus-per-task")
      if (cores <= 1) return
      for (const {line, text} of commands) {
        const match = THREADS_OF.exec(text)
        if (!match) continue
        yield {line, matched: [match[1], match[2] ? "tasks" : match[3] ? "nodes" : "the job", String(cores)]}
      }
    },
    words: "`{0}` is the number of {1}, but --cpus-per-task gives each task {2} cores.",
    cure: "Write $SLURM_CPUS_PER_TASK.",
    fix: swap(/(OMP_NUM_THREADS=["']?)\$\{?SLURM_\w+\}?/, "$1$SLURM_CPUS_PER_TASK"),
    bad: [
      "#SBATCH --ntasks=1 --cpus-per-task=8\nexport OMP_NUM_THREADS=$SLURM_NTASKS",
      '#SBATCH --nodes=1 -c 8\nexport OMP_NUM_THREADS="$SLURM_NNODES"',
    ],
    good: ["#SBATCH --ntasks=8 --cpus-per-task=1\nexport OMP_NUM_THREADS=$SLURM_NTASKS"],
  },
  "tasks-per-node-over-tasks": {
    kind: "ignored",
    /** More tasks a node than there are tasks: Slurm takes it for an upper bound. */
    *find({options}) {
      for (const {option, other} of larger(options, "ntasks-per-node", "ntasks"))
        yield {...option, matched: [option.written, String(Number(other.value)), String(other.line)]}
    },
    words: "`{0}` has no effect, because line {2} sets the total number of tasks to {1}.",
    cure: "Keep the one that you need.",
    fix: withoutCommand,
    bad: ["#SBATCH --ntasks=1\n#SBATCH --ntasks-per-node=4", "#SBATCH --nodes=1 -n 2 --ntasks-per-node=8"],
    good: ["#SBATCH --nodes=2 --ntasks=8 --ntasks-per-node=4", "#SBATCH --ntasks=1 --ntasks-per-node=1"],
  },
  "nodes-that-talk-to-themselves": {
    kind: "fails",
    options: ["nodes"],
    pattern: /^([2-9]|[1-9]\d+)$/u,
    body: /^(export\s+)?MASTER_ADDR=["']?(localhost|127\.0\.0\.1)["']?$|--master[_-]addr[= ](localhost|127\.0\.0\.1)\b/u,
    words:
      "`{written}` requests several nodes, but MASTER_ADDR points each node to itself, so all of them wait forever.",
    cure: 'Write MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1).',
    fix: bench => {
      const at = bench.lines.findIndex(line => /^\s*(export\s+)?MASTER_ADDR=\S*$/.test(line))
      const name = '$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'
      return at < 0
        ? null
        : bench.lines.with(
            at,
            bench.lines[at].replace(/MASTER_ADDR=\S*/, `MASTER_ADDR=${name}`.replaceAll("$", "$$$$")),
          )
    },
    bad: [
      "#SBATCH --nodes=2 --ntasks-per-node=1\nexport MASTER_ADDR=localhost\nsrun python a.py",
      "#SBATCH -N 2\nsrun torchrun --nnodes=2 --master_addr=127.0.0.1 a.py",
    ],
    good: ["#SBATCH --nodes=2\nexport MASTER_ADDR=$(hostname)\nsrun python a.py"],
  },
}
