// The edits of commands, by the name of the rule.
;(jobscript => {
  const editors = jobscript.editors ??= {}
  const both = (names, editor) => names.split(" ").forEach(name => editors[name] = editor)
  const swap = (pattern, by) => bench => bench.swap(pattern, by)
  /** Does the command stand alone on its line? */
  const alone = ({line}) => !/&&|\|\||[|;\\]/.test(line)
  const out = bench => alone(bench) ? bench.out() : null

  // --- variables
  const renamed = names => bench => bench.everywhere(/(?<=\$\{?)[A-Z]\w+/g, name =>
    Object.hasOwn(names(bench), name) ? names(bench)[name] : name)
  const OF_PBS = {
    slurm: {PBS_O_WORKDIR: "SLURM_SUBMIT_DIR", PBS_JOBID: "SLURM_JOB_ID", PBS_JOBNAME: "SLURM_JOB_NAME",
      PBS_ARRAYID: "SLURM_ARRAY_TASK_ID", PBS_ARRAY_INDEX: "SLURM_ARRAY_TASK_ID", PBS_NUM_NODES: "SLURM_JOB_NUM_NODES",
      PBS_O_HOST: "SLURM_SUBMIT_HOST", PBS_NP: "SLURM_NTASKS"},
    grid_engine: {PBS_O_WORKDIR: "SGE_O_WORKDIR", PBS_JOBID: "JOB_ID", PBS_JOBNAME: "JOB_NAME",
      PBS_ARRAYID: "SGE_TASK_ID", PBS_ARRAY_INDEX: "SGE_TASK_ID", PBS_NP: "NSLOTS", PBS_NUM_NODES: "NHOSTS"},
  }
  both("variable-of-pbs", renamed(({kind}) => OF_PBS[kind]))
  both("variable-of-grid-engine", renamed(() => ({SGE_TASK_ID: "SLURM_ARRAY_TASK_ID",
    SGE_O_WORKDIR: "SLURM_SUBMIT_DIR", SGE_TASK_FIRST: "SLURM_ARRAY_TASK_MIN", SGE_TASK_LAST: "SLURM_ARRAY_TASK_MAX",
    SGE_TASK_STEPSIZE: "SLURM_ARRAY_TASK_STEP", NHOSTS: "SLURM_JOB_NUM_NODES", LS_SUBCWD: "SLURM_SUBMIT_DIR"})))
  both("variable-of-slurm", renamed(() => ({SLURM_CPUS_PER_TASK: "NSLOTS", SLURM_NTASKS: "NSLOTS",
    SLURM_JOB_ID: "JOB_ID", SLURM_JOBID: "JOB_ID", SLURM_SUBMIT_DIR: "SGE_O_WORKDIR", SLURM_JOB_NAME: "JOB_NAME",
    SLURM_ARRAY_TASK_ID: "SGE_TASK_ID"})))
  both("variable-that-others-set", renamed(() => ({JOB_ID: "SLURM_JOB_ID", TASK_ID: "SLURM_ARRAY_TASK_ID",
    NCPUS: "SLURM_CPUS_PER_TASK", NGPUS: "SLURM_GPUS_ON_NODE", JOB_NAME: "SLURM_JOB_NAME"})))
  const KNOWN = ["SLURM_NTASKS", "SLURM_CPUS_PER_TASK", "SLURM_JOB_NUM_NODES", "SLURM_JOB_NODELIST",
    "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_JOB_ID", "SLURM_SUBMIT_DIR", "SLURM_GPUS_ON_NODE", "SLURM_JOB_ID",
    "SLURM_JOB_NAME", "SLURM_NTASKS_PER_NODE", "SLURM_NNODES", "SLURM_JOB_ACCOUNT", "SLURM_JOB_PARTITION",
    "SLURM_JOB_USER", "SLURM_LOCALID", "SLURM_PROCID", "SLURM_NODELIST"]
  both("variable-misspelt", bench => {
    const name = /\$\{?(\w+)/.exec(bench.finding.what)?.[1] ?? /`(\w+)`/.exec(bench.finding.what)?.[1]
    const wrong = name?.replace(/^\$/, "")
    const near = wrong && jobscript.closest(wrong.replace(/^SL?[A-Z]{2,3}M?_/, "SLURM_"), KNOWN)
    return near && bench.everywhere(new RegExp(`(?<=\\$\\{?)${wrong}\\b`, "g"), near)
  })
  const NAMES = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_PLACES", "OMP_PROC_BIND",
    "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "SRUN_CPUS_PER_TASK", "LD_LIBRARY_PATH",
    "PYTHONPATH", "MASTER_ADDR"]
  both("variable-name-misspelt", bench => bench.swap(/(export\s+)(\w+)(?==)/, (whole, word, name) => {
    const near = jobscript.closest(name, NAMES)
    return near ? word + near : whole
  }))
  const orOne = name => bench => bench.everywhere(new RegExp(`\\$\\{?(${name(bench)})\\b\\}?(?!:)`, "g"), "${$1:-1}")
  both("cores-variable-without-request", orOne(() => "SLURM_CPUS_PER_TASK"))
  both("variable-without-its-option", orOne(({finding}) => /SLURM_\w+/.exec(finding.what)[0]))
  both("tasks-variable-without-request", bench => bench.directive("--ntasks=1"))
  both("dollar-missing", ({swap}) =>
    [swap(/(\w=)(?=SLURM_|NSLOTS)/, "$1$"), swap(/(\w=)(SLURM_\w+)/, "$1${$2:-1}")].filter(Boolean))
  both("threads-of-the-tasks", swap(/(OMP_NUM_THREADS=["']?)\$\{?SLURM_\w+\}?/, "$1$SLURM_CPUS_PER_TASK"))
  both("threads-are-no-number", bench => bench.swap(
    /(_NUM_THREADS=)["']?\$\{?(\w+)\}?["']?\s?([-+*/])\s?(\d+)["']?/, "$1$(($2 $3 $4))")
    ?? bench.swap(/(_NUM_THREADS=)'(\$[^']*)'/, '$1"$2"'))
  both("nodes-that-talk-to-themselves", bench => {
    const at = bench.lines.findIndex(line => /^\s*(export\s+)?MASTER_ADDR=\S*$/.test(line))
    const name = '$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'
    return at < 0 ? null : bench.lines.with(at, bench.lines[at].replace(/MASTER_ADDR=\S*/, `MASTER_ADDR=${name}`
      .replaceAll("$", "$$$$")))
  })

  // --- the shell's own form
  both("blanks-in-assignment", swap(/(\w)\s*=\s*(?=\S)/, "$1="))
  both("csh-in-bash", bench => bench.swap(/^(\s*)setenv\s+(\w+)\s+(\S.*)$/, "$1export $2=$3")
    ?? bench.swap(/^(\s*)unsetenv\s+/, "$1unset ") ?? bench.swap(/^(\s*)set\s+(\w+)\s*=\s*/, "$1$2="))
  both("prompt-copied-along", swap(/^(\s*)[$%]\s+/, "$1"))
  const DASHES = /(\s)[-\u2010-\u2014\u2212]*[\u2010-\u2014\u2212][-\u2010-\u2014\u2212]*([A-Za-z][\w-]*)/g
  both("typographic-sign-in-a-command", bench => bench.to(bench.line.replace(/[\u00a0\u202f]/g, " ")
    .replaceAll("\u200b", "").replace(DASHES, (_, blank, name) => `${blank}${name.length > 1 ? "--" : "-"}${name}`)))
  both("typographic-quote-in-a-command", bench => bench.to(bench.line.replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2018\u2019]/g, "'")))
  both("ends-in-the-background", ({lines}) => {
    const end = lines.findLastIndex(line => line.trim()) + 1
    return lines.toSpliced(end, 0, "wait")
  })

  // --- programs and modules
  both("gpu-chosen-by-hand", bench => /^\s*(export\s+)?\w+=\S+\s*$/.test(bench.line) ? bench.out()
    : bench.swap(/^(\s*)(CUDA|ROCR|HIP)_VISIBLE_DEVICES=\S+\s+/, "$1"))
  both("program-for-a-terminal sleeps-for-ever needs-a-screen", out)
  both("batch-command-of-another-scheduler", bench => bench.swap(/^(\s*)qsub(?=\s+[\w./$"{}-]+$)/, "$1sbatch")
    ?? bench.swap(/^(\s*)(qstat|bjobs)(?=\s*$)/, "$1squeue --me") ?? bench.swap(/^(\s*)(qdel|bkill)(?=\s)/, "$1scancel"))
  both("batch-command-of-slurm", bench => bench.swap(/^(\s*)sbatch(?=\s+[\w./$"{}-]+$)/, "$1qsub")
    ?? bench.swap(/^(\s*)squeue\b.*$/, "$1qstat") ?? bench.swap(/^(\s*)scancel(?=\s)/, "$1qdel")
    ?? bench.swap(/^(\s*)srun\s+(?=[^-\s])/, "$1"))
  both("allocation-inside-a-job", bench => bench.swap(/^(\s*)srun\s+(?=sbatch\s)/, "$1")
    ?? bench.swap(/^(\s*)(srun\s+)?salloc(?=\s+(-\S+\s+(\d\S*\s+)?)*[^-\s])/, "$1srun"))
  both("launcher-inside-launcher", bench => bench.swap(/\b(srun|mpirun)\s+\1\b/, "$1"))
  both("conda-without-its-hook", bench => /^\s*conda/.test(bench.line)
    ? bench.insert(bench.at, 'eval "$(conda shell.bash hook)"') : null)
  both("conda-init-in-a-job", bench => alone(bench) ? bench.to('eval "$(conda shell.bash hook)"') : null)
  both("conda-misspelt", swap(/^(\s*)(?:(conda|mamba)\s+(?:env\s+)?\w+|source\s+(conda)\s+activate|activate)\s+(?=\S+$)/,
    (_, blank, one, other) => `${blank}${one ?? other ?? "conda"} activate `))
  both("modules-purged-again", bench => {
    const first = bench.lines.findIndex(line => /^\s*(module\s+(load|add|swap|restore|use)|ml\s)/.test(line))
    return alone(bench) && first >= 0 && first < bench.at
      ? bench.lines.toSpliced(bench.at, 1).toSpliced(first, 0, bench.line) : null
  })
  both("module-misspelt", bench => bench.to(bench.line.replace(/^(\s*)\w*mod?[a-z]*(load|purge)\b/i, "$1module $2")
    .replace(/^(\s*)load\s+module/, "$1module load").replace(/^(\s*)m[a-z]*\s+(?=load|purge|add|list)/i, "$1module ")
    .replace(/^(\s*)(?:moduel|modul|modules|modue|modle|mod)\s+(?=\w)/, "$1module ")
    .replace(/module\s+(laod|lod|loda|looad|loas|lado|-load)\b/, "module load")
    .replace(/module\s+(pruge|puge)\b/, "module purge")))
  both("shell-command-in-a-step", swap(/^(\s*)(srun|mpirun|mpiexec)\s+(-\S+\s+(\d\S*\s+)?)*/, "$1"))
  both("modules-in-another-shell", swap(/^(\s*)(?:bash|sh)\s+-l?c\s+(["'])(.*)\2\s*$/, "$1$3"))
  both("srun-alone module-without-a-name", bench => alone(bench) ? bench.out() : null)
  both("interactive-step", bench => bench.swap(/\s--pty(?=\s+\S+\s+[^-\s])/, ""))

  // --- srun
  both("srun-one-dash", bench => bench.swap(/\s--?np(?=[\s=\d])/, " -n")
    ?? bench.swap(/(\ssrun|^\s*srun)(.*?)\s-(time|mem|ntasks|nodes|gres|partition|account|gpus|cpus-per-task)(?=[\s=])/,
      "$1$2 --$3"))
  both("srun-short-option-with-equals", swap(/(\s-[nNcGtpA])=/g, "$1 "))
  both("srun-option-unknown", bench => {
    const near = /--([\w-]+)/.exec(bench.finding.cure)?.[1], wrong = /--([\w-]+)/.exec(bench.finding.what)?.[1]
    return near && bench.swap(new RegExp(`--${wrong}(?=[=\\s])`), `--${near}`)
  })
  both("export-none-and-srun", bench => {
    const first = bench.lines.findIndex(line => /^\s*srun\b/.test(line))
    return first < 0 ? null : bench.insert(first, "unset SLURM_EXPORT_ENV")
  })
})(globalThis.jobscript ??= {})
