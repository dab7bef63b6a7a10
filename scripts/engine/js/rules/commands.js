// Commands and exported variables below the directives, one at a time.
import {alone, orOne, renamed, swap, withoutCommand} from "../fixes/edits.js"
import {nearest, words} from "../script/text.js"

// PBS's name -> Slurm's, and Grid Engine's.
const OF_PBS = {
  PBS_O_WORKDIR: ["SLURM_SUBMIT_DIR", "SGE_O_WORKDIR"],
  PBS_JOBID: ["SLURM_JOB_ID", "JOB_ID"],
  PBS_JOBNAME: ["SLURM_JOB_NAME", "JOB_NAME"],
  PBS_ARRAYID: ["SLURM_ARRAY_TASK_ID", "SGE_TASK_ID"],
  PBS_ARRAY_INDEX: ["SLURM_ARRAY_TASK_ID", "SGE_TASK_ID"],
  PBS_NUM_NODES: ["SLURM_JOB_NUM_NODES", "NHOSTS"],
  PBS_O_HOST: ["SLURM_SUBMIT_HOST"],
  PBS_NP: ["SLURM_NTASKS", "NSLOTS"],
}
export const FROM_GRID_ENGINE = {
  SGE_TASK_ID: "SLURM_ARRAY_TASK_ID",
  SGE_O_WORKDIR: "SLURM_SUBMIT_DIR",
  SGE_TASK_FIRST: "SLURM_ARRAY_TASK_MIN",
  SGE_TASK_LAST: "SLURM_ARRAY_TASK_MAX",
  SGE_TASK_STEPSIZE: "SLURM_ARRAY_TASK_STEP",
  NHOSTS: "SLURM_JOB_NUM_NODES",
  LS_SUBCWD: "SLURM_SUBMIT_DIR",
}
const TO_GRID_ENGINE = {
  SLURM_CPUS_PER_TASK: "NSLOTS",
  SLURM_NTASKS: "NSLOTS",
  SLURM_JOB_ID: "JOB_ID",
  SLURM_JOBID: "JOB_ID",
  SLURM_SUBMIT_DIR: "SGE_O_WORKDIR",
  SLURM_JOB_NAME: "JOB_NAME",
  SLURM_ARRAY_TASK_ID: "SGE_TASK_ID",
}
const OF_SLURM = words(`SLURM_NTASKS SLURM_CPUS_PER_TASK SLURM_JOB_NUM_NODES SLURM_JOB_NODELIST SLURM_ARRAY_TASK_ID
  SLURM_ARRAY_JOB_ID SLURM_SUBMIT_DIR SLURM_GPUS_ON_NODE SLURM_JOB_ID SLURM_JOB_NAME SLURM_NTASKS_PER_NODE SLURM_NNODES
  SLURM_JOB_ACCOUNT SLURM_JOB_PARTITION SLURM_JOB_USER SLURM_LOCALID SLURM_PROCID SLURM_NODELIST`)
const OF_PROGRAMS = words(`OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS OMP_PLACES OMP_PROC_BIND
  CUDA_VISIBLE_DEVICES HIP_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES SRUN_CPUS_PER_TASK LD_LIBRARY_PATH PYTHONPATH
  MASTER_ADDR`)
const asked = near => near && `Did you mean ${near}?`
const ofSlurm = name => nearest(name.replace(/^SL?[A-Z]{2,3}M?_/, "SLURM_"), OF_SLURM)
const DASHES = /(\s)[-\u2010-\u2014\u2212]*[\u2010-\u2014\u2212][-\u2010-\u2014\u2212]*([A-Za-z][\w-]*)/g

/**
 * Commands of this pattern that run each time the script runs: in no condition, loop or function, and below no `exit`
 * or `return`, sure or not.
 */
function* always({commands}, pattern) {
  for (const {line, text, name, certain, op, fn} of commands) {
    if (name === "exit" || name === "return") return
    const found = pattern.exec(text)
    if (found && certain && !op && !fn) return yield {line, matched: [found[0].trim()]}
  }
}

/** @type {Partial<Rule>} */
export const usual = {kind: "unwise", schedulers: ["slurm", "grid_engine"], where: "command"}

/** @type {Record<string, Rule>} */
export const rules = {
  "variable-of-pbs": {
    pattern: /\$\{?(PBS_(O_\w+|NODEFILE|JOBID|JOBNAME|ARRAYID|ARRAY_INDEX|NP|NUM_NODES|NUM_PPN|NCPUS|TASKNUM))\b/u,
    unless: /\{\w+:?[-=+]|^(?:echo|printf) '/u,
    unset: "tested",
    words: "`${1}` is a PBS variable, so it is empty in this job.",
    cure: "Use SLURM_SUBMIT_DIR, SLURM_JOB_NODELIST, SLURM_JOB_ID, SLURM_ARRAY_TASK_ID or SLURM_NTASKS in Slurm, and JOB_ID, NSLOTS or PE_HOSTFILE in Grid Engine.",
    fix: renamed((name, {kind}) => OF_PBS[name]?.[kind === "slurm" ? 0 : 1]),
    bad: ["cd $PBS_O_WORKDIR", 'NP=$(wc -l < "${PBS_NODEFILE}")', "echo $PBS_JOBID"],
    good: [
      "cd ${SLURM_SUBMIT_DIR:-$PBS_O_WORKDIR}",
      "[ -z ${PBS_JOBNAME+x} ] || echo $PBS_JOBNAME",
      "echo 'cd $PBS_O_WORKDIR' > a.sh",
      "# cd $PBS_O_WORKDIR",
    ],
  },
  "variable-of-grid-engine": {
    schedulers: ["slurm"],
    pattern:
      /\$\{?(NSLOTS|NHOSTS|PE_HOSTFILE|SGE_TASK_ID|SGE_O_WORKDIR|SGE_O_HOST|SGE_TASK_FIRST|SGE_TASK_LAST|SGE_TASK_STEPSIZE|SGE_HGR_\w+|LSB_\w+|LS_SUBCWD|COBALT_\w+|LOADL_\w+|PJM_\w+|OAR_\w+|CCP_\w+)\b/u,
    unless: /\{\w+:?[-=+]|^(?:echo|printf) '/u,
    unset: "tested",
    words: "`${1}` is another scheduler's variable, so it is empty in this job.",
    cure: "Use SLURM_NTASKS, SLURM_CPUS_PER_TASK, SLURM_ARRAY_TASK_ID or SLURM_SUBMIT_DIR. For the list of nodes, use `scontrol show hostnames`.",
    fix: renamed(name => FROM_GRID_ENGINE[name]),
    bad: ["cd $LS_SUBCWD", "export OMP_NUM_THREADS=$NSLOTS", "mpirun -np ${NSLOTS} ./a", "python a.py $SGE_TASK_ID"],
    good: ["NSLOTS=4\necho $NSLOTS"],
  },
  "variable-of-slurm": {
    schedulers: ["grid_engine"],
    pattern: /\$\{?(SLURM_\w+)/u,
    unless: /\{\w+:?[-=+]|^(?:echo|printf) '/u,
    unset: "tested",
    words: "`${1}` is a Slurm variable, so it is empty in this job.",
    cure: "Use NSLOTS, JOB_ID, SGE_TASK_ID or SGE_O_WORKDIR.",
    fix: renamed(name => TO_GRID_ENGINE[name]),
    bad: ["export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK", "cd ${SLURM_SUBMIT_DIR}"],
    good: ["export OMP_NUM_THREADS=$NSLOTS"],
  },
  "variable-misspelt": {
    schedulers: ["slurm"],
    pattern:
      /\$\{?(SLURM_(NTASK|N_TASKS|NUM_TASKS|TASKS|CPU_PER_TASK|CPUS_PER_TASKS|CPUPERTASK|CPUS_PERTASK|NCPUS_PER_TASK|CPUS_PER_NODE|CORES_PER_TASK|NTHREADS|NNODE|NUM_NODES|NODES|NPROC|ARRAY_ID|ARRAY_TASKID|ARRAYID|ARRAY_TASK|TASK_ID|ARRAY_INDEX|SUBMITDIR|SUBMIT_DIRECTORY|WORKDIR|WORK_DIR|O_WORKDIR|JOB_WORKDIR|NODE_LIST|NTASK_PER_NODE|NTASKS_PER_NODES|GPU_PER_NODE|GPUS_PER_NODES|NGPUS|NUM_GPUS|JOBNAME|JOB_DIR|USER|MEM|MEMORY|PARTITION|CPUS|JOB_CPUS|NUM_CPUS|NCPUS|JOB_NTASKS|NUMTASKS|GPU|TMP|TIME)\b|SLRUM_\w+|SLUMR_\w+|SULRM_\w+|SLURN_\w+|SLUM_\w+)/u,
    unless: /:-|:=|:\+|\)\}?\s*=|^(export\s+)?SLURM_/u,
    unset: true,
    words: "`${1}` is not a Slurm variable, so it is empty.",
    cure: "Use SLURM_NTASKS, SLURM_CPUS_PER_TASK, SLURM_JOB_NUM_NODES, SLURM_JOB_NODELIST, SLURM_ARRAY_TASK_ID, SLURM_SUBMIT_DIR or SLURM_GPUS_ON_NODE.",
    meant: ([, name]) => asked(ofSlurm(name)),
    fix: bench => {
      const wrong = /\$\{?(\w+)/.exec(bench.finding.what)?.[1]
      const near = wrong && ofSlurm(wrong)
      return near && bench.everywhere(new RegExp(`(?<=\\$\\{?)${wrong}\\b`, "g"), near)
    },
    bad: [
      "cd $SLURM_TMP",
      "srun -n $SLURM_NTASK ./a",
      "export OMP_NUM_THREADS=$SLURM_CPU_PER_TASK",
      "cd $SLURM_SUBMITDIR",
      "python a.py ${SLURM_ARRAY_TASKID}",
      "echo $SLRUM_JOB_ID",
    ],
    good: [
      "#SBATCH --cpus-per-task=2\nexport OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK",
      "export SLURM_TIME=3 A=b\n./a $SLURM_TIME",
    ],
  },
  "cores-variable-without-request": {
    schedulers: ["slurm"],
    pattern: /\$\{?(SLURM_CPUS_PER_TASK)\b/u,
    unless: /:[-=+?]|\[\[? |^\(\(|^srun\s+(?:\S+\s+)*(?:-c\s?|--cpus-per-task=)\d[^']*'/u,
    noBody: /^(export\s+)?SLURM_CPUS_PER_TASK=|^set\s+-\S*u.*SLURM_CPUS|^(:|\[).*SLURM_CPUS_PER_TASK/u,
    without: ["cpus-per-task"],
    words: "`{1}` is empty, because Slurm sets it only with --cpus-per-task.",
    cure: "Add --cpus-per-task=1, or write ${{SLURM_CPUS_PER_TASK:-1}}.",
    fix: orOne(() => "SLURM_CPUS_PER_TASK"),
    bad: ["export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK", "#SBATCH --ntasks=4\nsrun -c ${SLURM_CPUS_PER_TASK} ./a"],
    good: [
      "#SBATCH -c 4\nexport OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK",
      "export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-1}",
      "srun -c 4 bash -c './a $SLURM_CPUS_PER_TASK'",
    ],
  },
  "tasks-variable-without-request": {
    schedulers: ["slurm"],
    pattern: /\$\{?(SLURM_NTASKS|SLURM_NPROCS)\b/u,
    unless: /:[-=+?]|\[\[? |^srun [^']*'/u, // in a step, srun sets it
    noBody: /^(export\s+)?SLURM_NTASKS=/u,
    without: ["ntasks", "ntasks-per-node", "ntasks-per-gpu", "ntasks-per-socket", "ntasks-per-core", "gpus-per-task"],
    words: "`{1}` is empty, because Slurm sets it only if you request a number of tasks.",
    cure: "Add --ntasks=1.",
    fix: bench => bench.directive("--ntasks=1"),
    bad: ["#SBATCH --nodes=2\nsrun -n ${SLURM_NTASKS} ./a", "#SBATCH --cpus-per-task=4\nmpirun -np $SLURM_NPROCS ./a"],
    good: [
      "#SBATCH -n 4\nmpirun -np $SLURM_NTASKS ./a",
      "#SBATCH --gpus-per-task=1 -N 1\nmpirun -np $SLURM_NTASKS ./a",
      "#SBATCH --ntasks-per-node=4\nmpirun -np $SLURM_NTASKS ./a",
      "srun -n 4 bash -c './a $SLURM_NTASKS'",
    ],
  },
  "array-variable-without-array": {
    kind: "doubtful",
    schedulers: ["slurm"],
    pattern: /\$\{?(SLURM_ARRAY_(?:TASK_(?:ID|COUNT|MIN|MAX|STEP)|JOB_ID))\b/u,
    unless: /:[-=+?]|\[\[? /u,
    excused: ({comments}) => comments.some(([, text]) => /--array|sbatch\s+(?:\S+\s+)*-a\s?\d/.test(text)), // it says how to submit it
    without: ["array"],
    words: "`{1}` is empty unless you submit the script with sbatch --array.",
    cure: "Add --array=1-10.",
    bad: [
      "echo $SLURM_ARRAY_TASK_COUNT",
      "python a.py $SLURM_ARRAY_TASK_ID",
      "mkdir $SLURM_ARRAY_JOB_ID",
      'sed -n "${SLURM_ARRAY_TASK_ID}p" list',
    ],
    good: [
      "# sbatch --array=1-40 job.sh\npython a.py $SLURM_ARRAY_TASK_ID",
      "#SBATCH --array=1-3 --output=%A_%a\npython a.py $SLURM_ARRAY_TASK_ID",
      "N=${SLURM_ARRAY_TASK_ID:-1}",
    ],
  },
  "dollar-missing": {
    pattern: /^(?:export\s+)?\w+=(SLURM_[A-Z_]+|NSLOTS)(?=\s|$)/u,
    words: "`{0}` lacks a $, so the value is the name itself.",
    cure: "Write ${1}.",
    fix: ({swap}) => [swap(/(\w=)(?=SLURM_|NSLOTS)/, "$1$"), swap(/(\w=)(SLURM_\w+)/, "$1${$2:-1}")].filter(Boolean),
    bad: ["export OMP_NUM_THREADS=SLURM_CPUS_PER_TASK", "N=SLURM_NTASKS"],
    good: ["#SBATCH -c 2\nexport OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK", "export SRUN_CPUS_PER_TASK=4"],
  },
  "blanks-in-assignment": {
    pattern:
      /^export\s+\w+\s+=.*|^export\s+\w+=\s+[^\s#=-]+$|^(?!let|set|declare|local|readonly|typeset)[A-Za-z_]\w*\s+=(?!=)\s*\S.*|^[A-Za-z_]\w*=\s+\d+$/u,
    words: "`{0}` has a space next to the equals sign, so it sets nothing.",
    cure: "Write NAME=value, without spaces.",
    fix: swap(/(\w)\s*=\s*(?=\S)/, "$1="),
    bad: ["export OMP_NUM_THREADS = 4", "OMP_NUM_THREADS = 4", "export OMP_NUM_THREADS= 4", "n = 4", "n= 4"],
    good: ["n= ./a", "export OMP_NUM_THREADS=4", "export A= B=1", "[ $A = 4 ]", "OMP_NUM_THREADS=4 srun ./a"],
  },
  "csh-in-bash": {
    pattern: /^(setenv|unsetenv)\s+\w+.*|^set\s+\w+\s*=\s*\S.*/u,
    words: "`{0}` is csh syntax and sets nothing in bash.",
    cure: "Write export NAME=value.",
    fix: bench =>
      bench.swap(/^(\s*)setenv\s+(\w+)\s+(\S.*)$/, "$1export $2=$3") ??
      bench.swap(/^(\s*)unsetenv\s+/, "$1unset ") ??
      bench.swap(/^(\s*)set\s+(\w+)\s*=\s*/, "$1$2="),
    bad: ["setenv OMP_NUM_THREADS 4", "set n = 4", "unsetenv A"],
    good: ["set -e", "set -o pipefail", "#!/bin/tcsh\nsetenv OMP_NUM_THREADS 4\n"],
  },
  "batch-command-of-another-scheduler": {
    kind: "fails",
    schedulers: ["slurm"],
    pattern:
      /^(qsub|bsub|aprun|jsrun|ibrun|qstat|qdel|qalter|bjobs|bkill|qrsh|msub|pjsub|ccc_mprun|runjob|poe)(?=\s|$).*/u,
    words: "`{0}` is another scheduler's command.",
    cure: "Use sbatch, srun, squeue, sacct or scancel. To wait for a job, use sbatch --dependency=afterany:ID.",
    fix: bench =>
      bench.swap(/^(\s*)qsub(?=\s+[\w./$"{}-]+$)/, "$1sbatch") ??
      bench.swap(/^(\s*)(qstat|bjobs)(?=\s*$)/, "$1squeue --me") ??
      bench.swap(/^(\s*)(qdel|bkill)(?=\s)/, "$1scancel"),
    bad: ["qsub next.sh", "aprun -n 4 ./a", "jsrun -n 1 ./a"],
    good: ["sbatch next.sh", "echo qsub", "srun ./qsub"],
  },
  "batch-command-of-slurm": {
    kind: "fails",
    schedulers: ["grid_engine"],
    pattern: /^(sbatch|srun|squeue|scancel|salloc|sacct|scontrol|seff)(?=\s|$).*/u,
    words: "`{0}` is a Slurm command.",
    cure: "Use qsub or qstat, and start programs directly or with mpirun.",
    fix: bench =>
      bench.swap(/^(\s*)sbatch(?=\s+[\w./$"{}-]+$)/, "$1qsub") ??
      bench.swap(/^(\s*)squeue\b.*$/, "$1qstat") ??
      bench.swap(/^(\s*)scancel(?=\s)/, "$1qdel") ??
      bench.swap(/^(\s*)srun\s+(?=[^-\s])/, "$1"),
    bad: ["squeue", "srun ./a", "sbatch next.sh"],
    good: ["mpirun ./a", "./srun"],
  },
  "allocation-inside-a-job": {
    schedulers: ["slurm"],
    pattern: /^(srun\s+)?salloc(?=\s|$).*|^srun\s+sbatch\s.*/u,
    words: "`{0}` requests another job and waits for it inside this one.",
    cure: "Use srun, which runs in the current job. This check is for scripts, not for commands that you type on a login node.",
    fix: bench =>
      bench.swap(/^(\s*)srun\s+(?=sbatch\s)/, "$1") ??
      bench.swap(/^(\s*)(srun\s+)?salloc(?=\s+(-\S+\s+(\d\S*\s+)?)*[^-\s])/, "$1srun"),
    bad: ["salloc -n 1 ./a", "srun sbatch next.sh"],
    good: ["srun ./a", "sbatch next.sh"],
  },
  "interactive-step": {
    schedulers: ["slurm"],
    pattern: /^srun\s(.*\s)?--pty(?=\s|$).*/u,
    words: "`{0}` needs a terminal, and a batch job has none.",
    cure: "Name the program to run: srun ./program",
    fix: bench => bench.swap(/\s--pty(?=\s+\S+\s+[^-\s])/, ""),
    bad: ["srun --pty bash", "srun -n 1 --pty bash -i"],
    good: ["srun -n 1 bash a.sh"],
  },
  "launcher-inside-launcher": {
    schedulers: ["slurm"],
    pattern:
      /^srun\s+(-\S+\s+(\d\S*\s+)?)*(mpirun|mpiexec|mpiexec\.hydra|orterun|prterun|srun)\s.*|^mpirun\s+mpirun\s.*|^(mpirun|mpiexec|mpiexec\.hydra)\s+(-\S+\s+(\S+\s+)?)*srun\s.*/u,
    words: "`{0}` starts one launcher with another, once per task.",
    cure: "Use one of the two.",
    fix: bench => bench.swap(/\b(srun|mpirun)\s+\1\b/, "$1"),
    bad: [
      "srun mpirun -np 4 ./a",
      "mpirun -np 4 srun ./a",
      "srun -n 4 mpiexec ./a",
      "srun srun ./a",
      "mpirun mpirun ./a",
    ],
    good: ["srun ./a", "mpirun -np 4 ./a"],
  },
  "job-submits-itself": {
    schedulers: ["slurm"],
    find: script =>
      always(
        script,
        /^(\w+=["']?\$\()?sbatch\s(.*\s)?["']?(\$\{?0\}?|\$\{?BASH_SOURCE[^\s)"']*)["']?(\)["']?)?(\s|$).*/u,
      ),
    noBody: /^\[|^test\s|^trap\s|^timeout\s/u,
    words: "`{0}` submits this script again each time it runs, forever.",
    cure: 'Add a condition: [ -e finished ] || sbatch "$0"',
    bad: ["sbatch ${BASH_SOURCE[0]}", 'next=$(sbatch --parsable "$0")'],
    good: ["if ! ./a; then sbatch $0; fi", "case $N in\n  5) exit ;;\nesac\nsbatch $0", "# sbatch $0"],
  },
  "job-requeues-itself": {
    schedulers: ["slurm"],
    find: script => always(script, /^scontrol\s+requeue(hold)?\s+["']?\$\{?SLURM_(ARRAY_)?JOB_?ID\b\}?["']?(\s|$).*/u),
    noBody: /^\[|^test\s|^trap\s|^timeout\s/u,
    words: "`{0}` requeues this job each time it runs, forever.",
    cure: 'Add a condition: [ -e finished ] || scontrol requeue "$SLURM_JOB_ID"',
    bad: ["srun ./a\nscontrol requeue $SLURM_JOB_ID", 'scontrol requeue "${SLURM_JOB_ID}"'],
    good: ["scontrol show job $SLURM_JOB_ID"],
  },
  "ends-in-the-background": {
    kind: "fails",
    where: "last command",
    pattern: /^.* &$|^screen\s+-\S*d\S*\s.*|^tmux\s+new\S*\s+(.*\s)?-d\S*(\s.*)?$/u,
    noBody: /^wait\b/u,
    words: "the script does not wait for `{0}`, so the job ends immediately and stops its background processes.",
    cure: "Add the line: wait",
    fix: ({lines}) => {
      const end = lines.findLastIndex(line => line.trim()) + 1
      return lines.toSpliced(end, 0, "wait")
    },
    bad: ["for i in 1 2; do\n  ./a $i &\ndone", "./a & disown", "tmux new -d './a'", "screen -dmS x ./a"],
    good: ["./a &\nwait", "nvidia-smi -l 60 > log &\npython a.py", "./a"],
  },
  "gpu-chosen-by-hand": {
    kind: "doubtful",
    pattern: /^(export\s+)?(CUDA|ROCR|HIP)_VISIBLE_DEVICES=["']?\d[\d,]*["']?(?=\s|$)/u,
    unless: /&$/u,
    words:
      "`{0}` overrides the scheduler's choice of GPUs. Its numbers are correct only if a job sees only its own GPUs.",
    cure: "Remove the line.",
    fix: bench =>
      /^\s*(export\s+)?\w+=\S+\s*$/.test(bench.line)
        ? bench.out()
        : bench.swap(/^(\s*)(CUDA|ROCR|HIP)_VISIBLE_DEVICES=\S+\s+/, "$1"),
    bad: ["export CUDA_VISIBLE_DEVICES=0", "CUDA_VISIBLE_DEVICES=0,1 python a.py", "export ROCR_VISIBLE_DEVICES=0,1,2"],
    good: ["CUDA_VISIBLE_DEVICES=0 ./a &\nwait"],
  },
  "path-overwritten": {
    kind: "fails",
    pattern: /^(?:export\s+)?(PATH=(?!\S*(?:\$\{?\w*PATH|\/bin:|:\/bin|\/usr\/|\$\(|`))\S+)$/u,
    words: "`{1}` replaces the search path, so bash cannot find mkdir, ls and other commands.",
    cure: "Add :$PATH to its end.",
    fix: bench => bench.swap(/(PATH=[^\s"']+)$/, "$1:$PATH"),
    bad: ["export PATH=$HOME/bin\nmkdir out", "PATH=/opt/tool/bin\nls"],
    good: ["export PATH=$HOME/bin:$PATH", "PATH=/opt/x ./a", "export PATH=/opt/x:/usr/bin:/bin", "MY_PATH=/opt/x"],
  },
  "library-path-overwritten": {
    *find({commands}) {
      const module = commands.find(({name, words}) => name === "module" && words[1] === "load")
      for (const {name, words, sets, line} of commands) {
        const set = [...(name === "export" ? words.slice(1) : words.length ? [] : sets)]
        const part = set.find(
          each => /^LD_LIBRARY_PATH=["']?[\w/$.{}:-]+["']?$/.test(each) && !/\$\{?LD_LIB/.test(each),
        )
        if (part && module && module.line < line) return yield {line, matched: [part, String(module.line)]}
      }
    },
    words: "`{0}` replaces the folders of the modules that line {1} loads, so programs cannot find their libraries.",
    cure: "Add :$LD_LIBRARY_PATH to its end.",
    fix: bench => bench.swap(/(LD_LIBRARY_PATH=[^\s"']+)$/, "$1:$LD_LIBRARY_PATH"),
    bad: ["module load gcc\nexport LD_LIBRARY_PATH=$HOME/lib\n./a"],
    good: [
      "module load gcc\nexport LD_LIBRARY_PATH=$HOME/lib:$LD_LIBRARY_PATH\n./a",
      "export LD_LIBRARY_PATH=$HOME/lib\nmodule load gcc\n./a",
    ],
  },
  "conda-without-its-hook": {
    kind: "fails",
    pattern: /^(conda|mamba)\s+activate\b.*/u,
    noBody:
      /^(source|\.|eval|conda init|conda shell)\b|conda\.sh|^\.\s|^(module|ml)\s.*(conda|forge|mamba|python|tykky|torch|tensorflow|\$|restore)/u,
    excused: ({lines}) => /^#!.*sh\s+(-\w*l|--login)/.test(lines[0]), // it reads the profile, and with it .bashrc
    words:
      "`{0}` requires conda's shell function, which a batch job does not have, because it does not read your .bashrc.",
    cure: 'Load it first: eval "$(conda shell.bash hook)"',
    fix: bench => (/^\s*conda/.test(bench.line) ? bench.insert(bench.at, 'eval "$(conda shell.bash hook)"') : null),
    bad: ["conda activate env\npython a.py", "mamba activate env"],
    good: ['eval "$(conda shell.bash hook)"\nconda activate env', "module load anaconda\nconda activate env"],
  },
  "conda-init-in-a-job": {
    pattern: /^conda\s+init\b.*/u,
    words: "`{0}` changes your .bashrc each time the job runs, and has no effect in this shell.",
    cure: 'Write eval "$(conda shell.bash hook)"',
    fix: bench => (alone(bench) ? bench.to('eval "$(conda shell.bash hook)"') : null),
    bad: ["conda init bash\nconda activate env", "conda init"],
    good: ['eval "$(conda shell.bash hook)"\nconda activate env'],
  },
  "modules-purged-again": {
    /** Modules are unloaded behind the last one that was loaded, and before the work. */
    *find({commands}) {
      const loads = /^((module\s+(load|add|swap|restore|use)|ml\s+(?!purge|reset|list|avail))\b)/
      const loaded = commands.findLastIndex(({text}) => loads.test(text))
      if (loaded < 0) return
      const behind = commands.slice(loaded + 1)
      const place = behind.findIndex(({text}) => /^((module|ml)\s+(--force\s+)?(purge|reset)\b)/.test(text))
      if (place < 0) return
      const worked = behind.slice(0, place).some(({text}) => !/^(module|ml|echo|export|set)\b/.test(text))
      if (worked || place + 1 === behind.length) return
      yield {line: behind[place].line, matched: [behind[place].text]}
    },
    words: "`{0}` unloads the modules loaded above.",
    cure: "Put it above the first `module load`.",
    fix: bench => {
      const first = bench.lines.findIndex(line => /^\s*(module\s+(load|add|swap|restore|use)|ml\s)/.test(line))
      return alone(bench) && first >= 0 && first < bench.at
        ? bench.lines.toSpliced(bench.at, 1).toSpliced(first, 0, bench.line)
        : null
    },
    bad: ["module load gcc\nmodule purge\n./a", "module load gcc\nml purge\nsrun ./a", "ml gcc\nmodule purge\n./a"],
    good: ["module load gcc\n./a", "module load gcc\n./a\nmodule purge"],
  },
  "module-misspelt": {
    kind: "fails",
    pattern:
      /^(modul|moduel|modules|mdoule|modlue|mod|modle|moudle|modue|modulel|Module|MODULE|load\s+module)\s+(load|purge|add|list|\w+$).*|^module\s+(laod|lod|loda|laod|looad|loas|lado|pruge|puge|-load|load[a-z]\w*)\b.*|^module(load|purge)\b.*/u,
    words: "`{0}` is not a command.",
    cure: "Write module load NAME.",
    fix: bench =>
      bench.to(
        bench.line
          .replace(/^(\s*)\w*mod?[a-z]*(load|purge)\b/i, "$1module $2")
          .replace(/^(\s*)load\s+module/, "$1module load")
          .replace(/^(\s*)m[a-z]*\s+(?=load|purge|add|list)/i, "$1module ")
          .replace(/^(\s*)(?:moduel|modul|modules|modue|modle|mod)\s+(?=\w)/, "$1module ")
          .replace(/module\s+(laod|lod|loda|looad|loas|lado|-load)\b/, "module load")
          .replace(/module\s+(pruge|puge)\b/, "module purge"),
      ),
    bad: [
      "module laod gcc",
      "modul load gcc",
      "modules load gcc",
      "Module load gcc",
      "modue purge",
      "module loadgcc",
      "module -load gcc",
      "load module gcc",
    ],
    good: ["module load gcc", "ml gcc"],
  },
  "secret-in-the-script": {
    pattern:
      /(?:^|[\s="'])((?:hf_|ghp_|glpat-|sk-|AKIA)(?![xX]{4})[A-Za-z0-9_-]{16,})|WANDB_API_KEY=["']?([0-9a-f]{40})|^sshpass\s+-p\s*(\S+)|^wandb\s+login\s+([0-9a-f]{40})/u,
    words: "the script contains a secret, and Slurm keeps a copy of each script.",
    cure: "Keep it in a file that only you can read, and read it from there.",
    bad: [
      `export WANDB_API_KEY=${"0123456789".repeat(4)}\n./a`,
      "sshpass -p secret scp a b:",
      `hf login --token hf_${"aB3".repeat(9)}`,
    ],
    good: ["export HF_TOKEN=hf_xxxxxxxxxxxxxxxxxxxx\n./a"],
  },
  "needs-root": {
    kind: "fails",
    pattern:
      /^sudo\s.*|^(apt-get|apt|yum|dnf|zypper)\s+(-\S+\s+)*(install|update|upgrade)\b.*|^(su|brew|snap)\s+\w.*|^(systemctl|service)\s+(\w+\s+)?(start|stop|restart|enable)\b.*|^mount\s+\/.*/u,
    words: "`{0}` requires root access, which users of a cluster do not have.",
    cure: "Load a module, or install into your own directory with a virtual environment, conda or a container.",
    bad: [
      "apt-get install -y gcc",
      "sudo apt-get install gcc",
      "yum install gcc",
      "apt install -y gcc",
      "systemctl start docker",
      "service docker start",
      "brew install gcc",
      "mount /dev/sdb /mnt",
    ],
    good: ["module load gcc", "pip install torch", "apptainer exec a.sif apt list"],
  },
  "program-for-a-terminal": {
    kind: "fails",
    pattern:
      /^(vim|vi|nano|emacs|top|htop|nvtop|nvitop|watch|tmux|screen)(?=\s|$).*|^tail\s+(-\S+\s+)*-[fF]\b.*|^nvidia-smi\s.*(-l\b|--loop\b)(?!.* &$).*|^nvidia-smi\s+(dmon|pmon)\b.*|^gpustat\s+(.*\s)?(-i|--interval|--watch)\b.*|^dstat(\s+-.*)?$|^vmstat\s+\d+$|^read\s+(-\S+\s+)*-p\b.*/u,
    unless:
      / &$|-batch|--batch|\s-Q\b|^timeout|^top\s.*-b|^screen\s+-d|^tmux\s+new\S*\s+.*-d|^nvidia-smi\s.*(-c\b|--count)/u,
    words: "`{0}` waits for input or never ends, and a batch job has no terminal.",
    cure: "Remove the line.",
    fix: withoutCommand,
    bad: [
      "vim a.txt",
      "watch nvidia-smi",
      "tail -f log",
      "read -p 'go on? ' answer",
      "htop",
      "nvidia-smi dmon",
      "gpustat -i",
      "vmstat 5",
    ],
    good: ["top -b -n 1", "nvidia-smi dmon -c 5", "nvidia-smi dmon -o T > log &\n./a"],
  },
  "interpreter-without-a-program": {
    kind: "fails",
    pattern: /^(srun\s+)?(python|python3|ipython|R|julia|bash|octave|matlab|maple|ghci|irb|newgrp \w+)$/u,
    words: "`{0}` without a program waits for input. A batch job has no input, so `{0}` ends immediately.",
    cure: "Name the program: {0} program.py",
    bad: ["python", "srun python3", "julia"],
    good: ["python a.py", "python <<EOF\nprint(1)\nEOF", "echo 'print(1)' | python", "which python"],
  },
  "sleeps-for-ever": {
    pattern: /^sleep\s+(infinity|inf|\d{5,}|\d+d|\d{2,}h)(?=\s|$).*/u,
    unless: / &$/u,
    noBody: / &$/u, // what it waits for
    words: "`{0}` occupies the job's resources without using them.",
    cure: "Remove the line. To work interactively, request an interactive job.",
    fix: withoutCommand,
    bad: ["sleep infinity", "sleep 86400", "sleep 2d"],
    good: ["sleep 60", "sleep 10m", "./server &\nsleep infinity"],
  },
  "typographic-sign-in-a-command": {
    kind: "fails",
    pattern:
      /^[^"'#]*\s([\u2010\u2011\u2012\u2013\u2014\u2212-]*[\u2010\u2011\u2012\u2013\u2014\u2212][\u2010\u2011\u2012\u2013\u2014\u2212-]*[A-Za-z][\w-]*)|^[^"']*[^"'\s](\u00a0|\u200b|\u202f)[^"']*$/u,
    unless: /^(echo|printf|#)\b/u,
    words: "`{0}` contains a typographic dash or space from a word processor, which the shell reads as a letter.",
    cure: "Type the line again.",
    fix: bench => {
      const long = /\s-\w{2,}/.test(bench.line) && !/\s--\w/.test(bench.line) ? "-" : "--" // as the line's others
      return bench.to(
        bench.line
          .replace(/[\u00a0\u202f]/g, " ")
          .replaceAll("\u200b", "")
          .replace(DASHES, (_, blank, name) => `${blank}${name.length > 1 ? long : "-"}${name}`),
      )
    },
    bad: ["srun –n 4 ./a", "python a.py —epochs 5", "python a.py"],
    good: ["echo a –b", "srun -n 4 ./a", "# a – comment"],
  },
  "typographic-quote-in-a-command": {
    pattern:
      /^[^"'\u2018\u2019\u201c\u201d]*[=\s][\u2018\u201c\u201d][^\u2018\u2019\u201c\u201d]*[\u2019\u201c\u201d]/u,
    unless: /^(echo|printf)\b/u,
    words: "`{0}` contains typographic quotes from a word processor, which the shell reads as letters.",
    cure: "Type the line again.",
    fix: bench => bench.to(bench.line.replace(/[\u201c\u201d]/g, '"').replace(/[\u2018\u2019]/g, "'")),
    bad: ["export DATA=“/scratch/x”", "python a.py --name “x”", "module load ‘gcc’"],
    good: ["echo “hello”", 'python a.py --name "x"', "python a.py --name 'it’s'"],
  },
  "several-nodes-one-process": {
    schedulers: ["slurm"],
    options: ["nodes"],
    pattern: /^([2-9]|[1-9]\d+)$/u,
    body: /^(python|python3|Rscript|\.\/\S+)(\s|$)/u,
    noBody:
      /srun|mpirun|mpiexec|torchrun|torch\.distributed|accelerate|deepspeed|horovodrun|\bray\b|dask|pdsh|\bssh\b|clush|NODELIST|NODEFILE|hostfile|machinefile|nodelist|charmrun|parallel|prun|ibrun|launcher|pvserver|^source\s|^\.\s/u,
    words: "`{written}` requests several nodes, but the script runs only on the first, so the others stay idle.",
    cure: "Start the program with srun, or request one node.",
    bad: ["#SBATCH --nodes=2\npython a.py", "#SBATCH -N 4\nmodule load gcc\n./a.out"],
    good: ["#SBATCH --nodes=2\nsrun python a.py", "#SBATCH --nodes=1\npython a.py", "#SBATCH --nodes=2\nmpirun ./a"],
  },
  "variable-name-misspelt": {
    pattern:
      /^export\s+((?!OMP_NUM_THREADS=)(OMP_NUM_?T[HR]\w*|OMP_THREADS|NUM_OMP_THREADS)|MKL_NUM_?THREADS?(?!\w)|OPENBLAS_NUM_?THREADS?(?!\w)|OMP_PLACE|OMP_PROCBIND|CUDA_VIS\w*DEV\w*|HIP_VIS\w*DEV\w*|ROCR_VIS\w*DEV\w*|SRUN_CPUS?_PER_?TASKS?|LD_LIB\w*_PATHS?|PYTHON_PATH|PYTHONPATHS?|MASTER_ADDRESS)=/u,
    unless:
      /^export\s+(MKL_NUM_THREADS|OPENBLAS_NUM_THREADS|CUDA_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES|ROCR_VISIBLE_DEVICES|SRUN_CPUS_PER_TASK|LD_LIBRARY_PATH|PYTHONPATH)=/u,
    noBody: /\$\{?(OMP_THREADS|NUM_OMP_THREADS|PYTHON_PATH|MASTER_ADDRESS)\b/u,
    words: "no program reads a variable named `{1}`.",
    cure: "Use OMP_NUM_THREADS, MKL_NUM_THREADS, OMP_PLACES, OMP_PROC_BIND, CUDA_VISIBLE_DEVICES, SRUN_CPUS_PER_TASK, LD_LIBRARY_PATH, PYTHONPATH or MASTER_ADDR.",
    meant: ([, name]) => asked(nearest(name, OF_PROGRAMS)),
    fix: bench => bench.swap(/(?<=export\s+)\w+(?==)/, name => nearest(name, OF_PROGRAMS) ?? name),
    bad: [
      "export OMP_NUM_THREAD=4",
      "export OMP_NUM_TREADS=4",
      "export CUDA_VISIBLE_DEVICE=$A",
      "export SRUN_CPU_PER_TASK=4",
      "export LD_LIBARY_PATH=/x",
      "export MASTER_ADDRESS=$(hostname)",
    ],
    good: [
      "export OMP_NUM_THREADS=4",
      "export PYTHONPATH=x",
      "export MASTER_ADDRESS=x\necho $MASTER_ADDRESS",
      "export LD_LIBRARY_PATH=$A:$LD_LIBRARY_PATH",
    ],
  },
  "path-of-a-pc": {
    kind: "fails",
    pattern:
      /(?:^|[\s="'])([A-Za-rt-z]:\\\S*|[A-Z]:\/\S*|\/Users\/\w\S*|\/Volumes\/\w\S*|\/mnt\/[a-z]\/Users\S*|\/content\/drive\S*|[^\s="']*\/Scripts\/activate)/u,
    unless: /^(echo|printf|rsync|scp)\b/u,
    words: "`{1}` is a path on your computer, which does not exist on the cluster.",
    cure: "Copy the file to the cluster, and use its path there.",
    bad: [
      "cd /Users/me/project",
      "python3 C:/me/a.py",
      'cd "D:\\data"',
      "source venv/Scripts/activate",
      "cp x /mnt/c/Users/me",
    ],
    good: ["cd /scratch/me", "scp me@pc:/Users/me/x .", "A=b:c", "python a.py --map 0:/x", `sed 's:\\":":' a`],
  },
  "needs-docker": {
    kind: "fails",
    pattern: /^(srun\s+)?(docker|docker-compose)\s+(run|pull|build|exec|compose|up|push|login|load|images|ps)\b.*/u,
    words: "`{0}` requires root access, so no cluster in this guide has Docker.",
    cure: "Use Apptainer: apptainer exec image.sif program",
    bad: ["docker run image", "docker-compose up", "docker pull ubuntu"],
    good: ["apptainer pull docker://ubuntu", "echo docker run x"],
  },
  "needs-a-screen": {
    kind: "fails",
    pattern:
      /^(firefox|google-chrome|xterm|gedit|evince|eog|xdg-open|nautilus|nsys-ui|ncu-ui|xclock|rstudio|spyder|fsleyes|freeview|ncview|xmgrace|paraview|ovito|gwenview)(\s.*)?$|^matlab\s+(.*\s)?-desktop.*|^octave\s+(.*\s)?--gui.*|^vmd(\s(?!.*-dispdev\s+text).*)?$|^pymol(\s(?!.*-\w*c).*)?$|^srun\s+(-\S+\s+)*--x11\b.*/u,
    unless: /xvfb|--headless|--version|--help/u,
    noBody: /[Xx]vfb|QT_QPA_PLATFORM|vncserver|^(export\s+)?DISPLAY=/u,
    words: "`{0}` needs a screen, and a batch job has none.",
    cure: "Remove the line. For graphical programs, request an interactive job.",
    fix: withoutCommand,
    bad: [
      "firefox",
      "xterm",
      "matlab -desktop",
      "vmd a.pdb",
      "octave --gui a.m",
      "pymol a.pml",
      "gedit a.txt",
      "srun --x11 ./a",
    ],
    good: [
      "firefox --headless --screenshot x",
      "Xvfb :1 &\nexport DISPLAY=:1\nxterm",
      "vmd -dispdev text -e a.tcl",
      "pymol -cq a.pml",
    ],
  },
  "prompt-copied-along": {
    kind: "fails",
    pattern: /^(\$|%)\s+(?!-)[A-Za-z.\/]\S*.*/u,
    words: "`{0}` begins with a shell prompt, which is not a command.",
    cure: "Remove the prompt.",
    fix: swap(/^(\s*)[$%]\s+/, "$1"),
    bad: ["$ ./a", "$ module load gcc", "% make"],
    good: ["$A/run", "$A b", "echo $ a"],
  },
  "python-in-a-shell": {
    kind: "fails",
    pattern:
      /^(import\s+(os|sys|re|time|math|torch|numpy|pandas|json|subprocess|tensorflow|matplotlib)\b.*|from\s+[\w.]+\s+import\s.*|def\s+\w+\(.*|endif|endfor|elsif\b.*)$/u,
    words: "`{0}` is not a shell command.",
    cure: "Put Python code in a separate file: python3 program.py",
    bad: ["import os", "from torch import nn", "import numpy as np", "endif"],
    good: ["python3 <<EOF\nimport os\nEOF", "import -window root x.png", "python3 -c 'import os'"],
  },
  "conda-misspelt": {
    kind: "fails",
    pattern:
      /^(conda|mamba)\s+(env\s+activate|activte|acivate|actvate|activat|activete|actviate|acitvate)\b.*|^source\s+conda\s+activate\b.*|^activate\s+[\w-]+$/u,
    words: "`{0}` is not a command.",
    cure: "Write conda activate NAME.",
    fix: swap(
      /^(\s*)(?:(conda|mamba)\s+(?:env\s+)?\w+|source\s+(conda)\s+activate|activate)\s+(?=\S+$)/,
      (_, blank, one, other) => `${blank}${one ?? other ?? "conda"} activate `,
    ),
    bad: ["conda activte x", "conda env activate x", "source conda activate x", "activate env"],
    good: ['eval "$(conda shell.bash hook)"\nconda activate x', "source activate x", "source /x/bin/activate env"],
  },
  "placeholder-in-a-command": {
    kind: "fails",
    pattern:
      /^[^"'#<]*(?:[\w\/=.-](<[A-Za-z][\w -]*>)|\s(<[A-Za-z][\w-]*>)(?=$|[\/.]))|(\/path\/to\/[^\s"']*|\bproject_[xX]{3,}\b)/u,
    unless: /^(?:echo|printf)\b/u,
    words: "`{1}{2}{3}` is a placeholder.",
    cure: "Replace it with your own value.",
    bad: [
      "cd /scratch/<project>",
      "srun python3 <your_script>.py",
      "python train.py --data=<folder>",
      "python train.py <input>",
      "cp /path/to/data .",
      "cd /scratch/project_xxxxxxx",
    ],
    good: ["sort <input >output", "cat <<EOF\n<b>\nEOF", 'echo "usage: a /path/to/b"', "cd /scratch/project_2001234"],
  },
  "module-behind-the-work": {
    where: "last command",
    pattern: /^(module\s+(load|add)|ml)\s.*/u,
    body: /^(srun\s+(-\S+\s+)*)?(python3?|torchrun|julia|Rscript|matlab)(\s|$)/u,
    words: "`{0}` comes too late, because no program runs after it.",
    cure: "Load modules above the programs that need them.",
    bad: ["srun python3 train.py\nmodule load pytorch", "python train.py\nml cuda\necho done"],
    good: ["module load pytorch\nsrun python3 train.py", "module load a"],
  },
}
