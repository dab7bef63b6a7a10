// Advice about how programs are called: arguments with which they cannot do their work, whatever the input is.
import {base, documents, programs} from "../script/payload.js"
import {minutes} from "../schedulers/slurm/values.js"
import {gpusOf, many} from "../script/units.js"
import {has, optionValue} from "./runs.js"

const CONTAINER = /^(?:apptainer|singularity)$/
const fed = ({redirects, piped}) => piped || redirects.some(({op}) => op.startsWith("<"))
const first = words => words.slice(1).find(word => !word.startsWith("-")) ?? ""
const statement = words => (optionValue(words, ["-batch", "-r"]) ?? "").trim()
const PYTHON = /^python[\d.]*$/
/** `python a.py` behind a launcher that starts Python itself. */
const pythonTwice = words => {
  const at = words.findIndex((word, place) => place > 0 && PYTHON.test(word))
  return (
    at > 0 &&
    /\.py$/.test(words[at + 1] ?? "") &&
    !words.slice(0, at).some(word => /^(?:--no[-_]python|-m|--module)$|\.py$/.test(word))
  )
}
const THREES = /^(?:3|6|9|12)$/
/** A model of 7 billion numbers or more in a family of which no member has a multiple of 3 heads: their config.json. */
const ofPowers = word => {
  const [, size] = /(?:llama|mistral|qwen)[\w.]*?-(?:\S*?-)?(\d+)b\b/i.exec(word) ?? []
  return Number(size) >= 7
}
const DOCKER = /^(?:--gpus(?:=.*)?|--rm|--volume(?:=.*)?|-it|-ti)$/

/** Do tasks of an array run at the same time in one directory? */
const oneDirectory = ({job, commands, option}) =>
  Boolean(job.array) &&
  !/%1$/.test(option("array")?.value ?? "") &&
  !commands.some(({name, text}) => /^(?:cd|pushd)$/.test(name) && text.includes("$"))

/** Does the same job run again, to go on? */
const again = ({option}) => Boolean(option("requeue")) || /%1$/.test(option("array")?.value ?? "")

/** Programs, the calls of them that cannot work, why, and what to write: from each program's own manual. */
const CALLS = [
  {
    of: /^matlab$/,
    wrong: (words, command) =>
      words.some(word => /^-no/.test(word)) && !has(words, ["-r", "-batch", "-h", "-help", "-n"]) && !fed(command),
    what: "without -batch, MATLAB runs no statement.",
    cure: 'Write matlab -batch "name", without .m.',
  },
  {
    of: /^matlab$/,
    wrong: words => /^[A-Za-z]\w*\.m$/.test(statement(words)),
    what: "MATLAB reads `{statement}` as a statement, not as a file, and fails.",
    cure: "Omit the .m.",
  },
  {
    of: /^matlab$/,
    wrong: words => has(words, ["-r"]) && !/\b(?:exit|quit)\b|\$/.test(statement(words)),
    what: "with -r, MATLAB may stay open after its script, until the job's time limit.",
    cure: "Use -batch instead of -r.",
    kind: "doubtful",
  },
  {
    of: /^R$/,
    wrong: (words, command) =>
      !has(words, ["CMD", "-e", "-f", "--file", "--version", "--help", "-h", "RHOME"]) &&
      !has(words, ["--save", "--no-save", "--vanilla", "--slave", "--no-echo", "-s"]) &&
      (fed(command) || /\.[Rr]$/.test(first(words))),
    what: "in a job, R stops unless an option defines whether to save the workspace.",
    cure: "Start a script with Rscript.",
  },
  {
    of: /^R$/,
    wrong: (words, command) =>
      !has(words, ["CMD", "-e", "-f", "--file", "--args", "--version", "--help"]) &&
      !fed(command) &&
      /\.[Rr]$/.test(first(words)),
    what: "R ignores a file without -f, so it reads an empty input and ends.",
    cure: "Start a script with Rscript.",
  },
  {
    of: /^snakemake$/,
    wrong: (words, _command, {kind}) =>
      kind === "slurm" && /^(?:qsub|bsub)\b/.test(optionValue(words, ["--cluster"]) ?? ""),
    what: "the command after --cluster is another scheduler's, and Slurm has no such command.",
    cure: "Write --executor slurm.",
  },
  {
    of: /^jupyter(?:-nbconvert)?$/,
    wrong: words =>
      words.some(word => /nbconvert$/.test(word)) &&
      !has(words, ["--execute", "--ExecutePreprocessor.enabled=True", "-h", "--help"]) &&
      /^(?:notebook|html|pdf)$/.test(optionValue(words, ["--to"]) ?? ""),
    what: "without --execute, nbconvert converts the notebook and does not run it.",
    cure: "Add --execute.",
    kind: "unwise",
  },
  {
    of: /^chmod$/,
    wrong: words => words.some(word => /^(?:0?7?77[67]|[ao]\+\w*w\w*|a=rwx)$/.test(word)),
    what: "all users of the system can then change your files.",
    cure: "Grant access only to your group: chmod g+rwX.",
    kind: "unwise",
  },
  {
    of: /^pip[\d.]*$/,
    wrong: (words, command, {job}) =>
      words[1] === "install" &&
      command.name === "srun" &&
      (job.tasks_per_node > 1 || job.tasks > (job.nodes ?? 1)) &&
      !/ (?:-n|-N|--ntasks|--nodes)/.test(command.text),
    what: "each task installs into the same environment at the same time.",
    cure: "Install once, or once on each node: srun --ntasks-per-node=1 --ntasks=$SLURM_NNODES ...",
  },
  {
    of: /^java$/,
    wrong: words => words.some(word => /^-Xmx\d{1,5}$/.test(word)),
    what: "-Xmx without a unit is in bytes, which is too little for Java to start.",
    cure: "Write the unit, such as -Xmx8g.",
  },
  {
    of: /^lmp(?:_\w+)?$/,
    wrong: words => /^(?:[\w./-]*\/)?(?:in\.[\w.-]+|[\w.-]+\.(?:in|lmp|lammps))$/.test(words[1] ?? ""),
    what: "LAMMPS accepts no input file without an option before it.",
    cure: "Write -in before the file.",
  },
  {
    of: /^lmp(?:_\w+)?$/,
    wrong: words =>
      has(words, ["-sf kk", "-suffix kk"]) &&
      !words.some(word => /^-(?:k|kokkos)$|\s-(?:k|kokkos)\s|^\$\{?\w+\}?$/.test(word)), // a variable may have it
    what: "LAMMPS accepts -sf kk only together with -k on.",
    cure: "Add -k on g 1 for one GPU, or -k on for no GPU.",
  },
  {
    of: /^(?:pw|ph|cp)\.x$/,
    wrong: (words, command) =>
      /^[\w./-]+\.(?:in|inp|pwi)$/.test(words[1] ?? "") && !words[1].startsWith("-") && !fed(command),
    what: "Quantum ESPRESSO reads its input from -in, not from a bare file name.",
    cure: "Write -in before the file.",
  },
  {
    of: /^(?:torchrun|deepspeed|accelerate)$/,
    wrong: pythonTwice,
    what: "`{name}` starts Python itself, so it searches for a script named python.",
    cure: "Remove python from the command.",
  },
  {
    of: PYTHON,
    wrong: words => /^(?:torchrun|accelerate|deepspeed)$/.test(words[1] ?? ""),
    what: "Python searches for a file named `{argument}` in the working directory.",
    cure: "Remove python from the command.",
  },
  {
    of: /^vllm$/,
    wrong: words => THREES.test(optionValue(words, ["--tensor-parallel-size", "-tp"]) ?? "") && words.some(ofPowers),
    what: "vLLM divides the attention heads among the GPUs, but this model's number of heads is not divisible by 3.",
    cure: "Use 1, 2, 4 or 8 GPUs.",
  },
  {
    of: /^llama-(?:server|cli|bench)$/,
    wrong: (words, _command, {wantsGpu}) =>
      wantsGpu && optionValue(words, ["-ngl", "--n-gpu-layers", "--gpu-layers"]) === "0",
    what: "with 0 layers on the GPU, llama.cpp runs on the CPU, and the job's GPU is idle.",
    cure: "Write -ngl 99 for all layers.",
    kind: "unwise",
  },
  {
    of: /^(?:python[\d.]*|torchrun|accelerate)$/,
    wrong: words => {
      const [save, test] = [["--save_strategy"], ["--eval_strategy", "--evaluation_strategy"]].map(
        names => optionValue(words, names) ?? (names[0] === "--save_strategy" ? "steps" : "no"),
      )
      return /^(?:|[Tt]rue)$/.test(optionValue(words, ["--load_best_model_at_end"]) ?? "x") && save !== test
    },
    what: "--load_best_model_at_end requires the same strategy for saving and evaluation, so the Trainer stops.",
    cure: "Give --save_strategy and --eval_strategy the same value.",
  },
  {
    of: PYTHON,
    wrong: (words, _command, given) => has(words, ["--overwrite_output_dir"]) && again(given),
    what: "--overwrite_output_dir ignores earlier checkpoints, so each requeued run starts from the beginning.",
    cure: "Remove --overwrite_output_dir, or resume from the last checkpoint.",
    kind: "unwise",
  },
  {
    of: /^vllm$/,
    wrong: words => Number(optionValue(words, ["--gpu-memory-utilization"]) ?? 0) > 1,
    what: "--gpu-memory-utilization is a fraction, and vLLM rejects values above 1.",
    cure: "Write a number such as 0.9.",
  },
  {
    of: /^nextflow$/,
    wrong: words => {
      const profiles = (optionValue(words, ["-profile"]) ?? "").split(",")
      return profiles.includes("docker") && !profiles.some(name => /singularity|apptainer|conda/.test(name))
    },
    what: "the docker profile starts containers with Docker, which compute nodes do not have.",
    cure: "Use the singularity or apptainer profile, if the pipeline has it.",
  },
  {
    of: /^nextflow$/,
    wrong: (words, _command, {commands}) =>
      has(words, ["-bg"]) && !commands.some(({name}) => /^(?:wait|sleep|tail)$/.test(name)),
    what: "with -bg, the command returns immediately, so the job ends, and Nextflow ends with it.",
    cure: "Remove -bg.",
  },
  {
    of: /^STAR$/,
    wrong: words => words.some(word => /\.f(?:ast)?q\.gz$/.test(word)) && !has(words, ["--readFilesCommand"]),
    what: "STAR does not decompress reads by itself, so it reads binary data.",
    cure: "Add --readFilesCommand zcat.",
  },
  {
    of: /^sed$/,
    wrong: (_words, {tokens}) => tokens.some(({raw}) => /^'[^']*\$\{?SLURM_\w+/.test(raw)),
    what: "single quotes prevent the shell from expanding the variable, so sed gets its name.",
    cure: 'Write double quotes: sed -n "${SLURM_ARRAY_TASK_ID}p".',
  },
  {
    of: /^(?:snakemake|nextflow)$/,
    wrong: (words, command) =>
      (words[0].endsWith("snakemake") ? has(words, ["-n", "--dry-run", "--dryrun"]) : has(words, ["-preview"])) &&
      !command.op &&
      !command.condition,
    what: "this is a dry run, which prints the plan and runs nothing.",
    cure: "Remove the option, or run it on a login node.",
    kind: "unwise",
  },
  {
    of: /^abaqus$/,
    wrong: words =>
      words.some(word => /^-?j(?:ob)?(?:=|$)/.test(word)) && !words.some(word => /^-?int(?:eractive)?$/.test(word)),
    what: "without interactive, Abaqus returns immediately and runs in the background, so the job ends and stops it.",
    cure: "Add interactive to its options.",
  },
  {
    of: /^salmon$/,
    wrong: words =>
      words[1] === "quant" &&
      has(words, ["-1", "-r", "--mates1", "--unmatedReads"]) &&
      !has(words, ["-l", "--libType"]),
    what: "salmon quant stops, because it requires the library type.",
    cure: "Add -l A, which detects it.",
  },
  {
    of: PYTHON,
    wrong: (words, _command, {option}) =>
      words.some(word => /^--?(?:trainer\.)?fast_dev_run=(?:[Tt]rue|[1-9])/.test(word)) &&
      minutes(option("time")?.value ?? "") > 60,
    what: "fast_dev_run runs one batch without checkpoints and stops, but the job requests hours.",
    cure: "Remove fast_dev_run.",
    kind: "unwise",
  },
  {
    of: /^mdrun$|^gmx/,
    wrong: (words, command, {commands, lines}) =>
      (words[1] === "mdrun" || words[0].endsWith("mdrun")) &&
      !has(words, ["-maxh"]) &&
      !(Number(optionValue(words, ["-nsteps"])) > 0) &&
      !lines.some(line => /\btimeout\b|--signal|\btrap\b/.test(line)) &&
      commands.some(({name, line}) => name === "sbatch" && line > command.line),
    what: "without -maxh, Slurm ends the job if mdrun's steps need more time, and the sbatch below does not run.",
    cure: "Add -maxh with a little less than the time limit.",
    kind: "unwise",
  },
  {
    of: /^julia$/,
    wrong: (words, _command, {job, commands}) =>
      job.cpus_per_task > 1 &&
      !has(words, ["-t", "--threads", "-p", "--procs"]) &&
      /Threads\.@(?:threads|spawn)/.test(commands.flatMap(documents).join("\n")) &&
      !commands.some(({text}) => text.includes("JULIA_NUM_THREADS")),
    what: "Julia starts with one thread, so Threads.@threads uses one core of the job.",
    cure: 'Add -t "$SLURM_CPUS_PER_TASK".',
    kind: "unwise",
  },
  {
    of: /^snakemake$/,
    wrong: (words, _command, {commands}) =>
      has(words, ["--cluster", "--drmaa"]) && commands.some(({text}) => /snakemake[^\s\w]*[=/>]=?v?[89]\b/.test(text)),
    what: "Snakemake 8 has no option --cluster: an executor plugin submits the jobs.",
    cure: "Install snakemake-executor-plugin-slurm, and write --executor slurm.",
  },
  {
    of: /^snakemake$/,
    wrong: (words, _command, given) =>
      oneDirectory(given) && !has(words, ["--nolock", "--directory", "-d", "-n", "--dry-run"]),
    what: "all tasks of the array run in one directory, and Snakemake locks it for the first task.",
    cure: "Give each task its own --directory, or start Snakemake once.",
  },
  {
    of: /^nextflow$/,
    wrong: words => words[1] === "run" && words.some(word => /^--(?:profile|resume)(?:=|$)/.test(word)),
    what: "Nextflow passes options with two hyphens to the pipeline, so it ignores --profile and --resume.",
    cure: "Write one hyphen: -profile, -resume.",
    kind: "unwise",
  },
  {
    of: /^iqtree\d?(?:-mpi)?$/,
    wrong: words => Number(optionValue(words, ["-B", "-bb", "--ufboot"]) ?? 1000) < 1000,
    what: "IQ-TREE stops, because its ultrafast bootstrap requires at least 1000 replicates.",
    cure: "Write -B 1000, or -b for the standard bootstrap.",
  },
  {
    of: /^iqtree\d?(?:-mpi)?$/,
    wrong: (words, _command, given) => has(words, ["-redo", "--redo"]) && again(given),
    what: "-redo ignores the checkpoint, so each part starts from the beginning.",
    cure: "Remove -redo.",
    kind: "unwise",
  },
  {
    of: /^(?:python[\d.]*|(?:run_)?alphafold\w*(?:\.\w+)?)$/,
    wrong: words => {
      const given = words.join(" ")
      return /--db_preset[= ]full_dbs/.test(given)
        ? /--small_bfd_database_path/.test(given)
        : /--db_preset[= ]reduced_dbs/.test(given) && /--(?:bfd|uniref30|uniclust30)_database_path/.test(given)
    },
    what: "AlphaFold stops, because full_dbs accepts only the large BFD, and reduced_dbs only the small one.",
    cure: "Name the database that your --db_preset uses.",
  },
  {
    of: /^nextflow$/,
    wrong: (words, _command, given) => oneDirectory(given) && has(words, ["-resume"]),
    what: "all tasks of the array resume the same session, and Nextflow locks it for the first task.",
    cure: "Give each task its own directory, or start Nextflow once.",
  },
  {
    of: /^(?:STAR|cellranger)$/,
    wrong: (words, _command, given) => {
      const made = optionValue(words, ["--outTmpDir", "--id"])
      return oneDirectory(given) && Boolean(made) && !/\$|`/.test(made)
    },
    what: "{name} creates a directory that must not exist yet, and all tasks of the array give it the same name.",
    cure: "Put $SLURM_ARRAY_TASK_ID into the name.",
  },
  {
    of: /^samtools$/,
    wrong: words => words[1] === "sort" && /^\d{1,5}$/.test(optionValue(words, ["-m"]) ?? ""),
    what: "-m without a unit is in bytes, which is too little for samtools sort.",
    cure: "Write the unit, such as -m 2G.",
  },
  {
    of: /^gatk$/,
    wrong: words => words.some((word, at) => /^-Xm[xs]/.test(word) && words[at - 1] !== "--java-options"),
    what: "gatk has no option -Xmx, because it is an option of Java.",
    cure: 'Write gatk --java-options "-Xmx8g" before the tool.',
  },
  {
    of: /^(?:jupyter(?:-\w+)?|code-server)$/,
    wrong: words =>
      words.some(
        (word, at) =>
          /^--(?:(?:ServerApp|NotebookApp|IdentityProvider)\.)?(?:token|password)=?["']*$/.test(word) &&
          (word.includes("=") || words[at + 1] === ""),
      ) || /^none$/.test(optionValue(words, ["--auth"]) ?? ""),
    what: "without a token or a password, all users of the system can run commands as you.",
    cure: "Remove the option.",
    kind: "unwise",
  },
  {
    of: /^(?:nvidia|rocm)-smi$/,
    wrong: words =>
      /^-/.test(words[1] ?? "") && // not `dmon -c 9`, where it is a count
      words.some(word =>
        /^-(?:c|pl|lgc|pm|mig|e|r|-gpu-reset|-compute-mode|-power-limit|-set\w*|-reset\w*)(?:=|$)/.test(word),
      ),
    what: "only root can change the settings of a GPU.",
    cure: "Remove the line.",
  },
  {
    of: /^(?:python[\d.]*|gdb|cuda-gdb|rocgdb)$/,
    wrong: (words, command) =>
      !fed(command) &&
      (/gdb/.test(words[0])
        ? !has(words, ["-batch", "--batch", "-x"])
        : /^-(?:i$|i |m i?pdb\b)/.test(words.slice(1).join(" "))),
    what: "the debugger or the prompt waits for input, and a job has no terminal.",
    cure: "Remove it, or write gdb -batch -ex run -ex bt.",
  },
  {
    of: /^pip[\d.]*$/,
    wrong: (words, command) => words[1] === "uninstall" && !has(words, ["-y", "--yes"]) && !fed(command),
    what: "pip asks before it removes a package, and nobody can answer in a job.",
    cure: "Add -y.",
  },
]
function* calls(given) {
  const {commands, expand, say} = given
  for (const command of commands.filter(({fn, name}) => !fn && name !== "echo")) {
    for (const {words, through} of programs(command)) {
      const name = base(words[0] ?? "")
      const [outer] = through.filter(each => CONTAINER.test(each.name)).slice(-1)
      const exec = outer?.words.includes("exec") && through.at(-1) === outer
      if (exec && /^-/.test(words[0] ?? "")) {
        const what = `\`${words[0]}\` comes after the image, so ${outer.name} searches for a program with that name.`
        yield say("program-called-wrongly", what, "Write it before the image.", command, {kind: "fails"})
      }
      const docker = outer?.words.find(
        (word, at) => DOCKER.test(word) || (word === "-v" && /:/.test(outer.words[at + 1])),
      )
      if (docker) {
        const what = `\`${docker}\` is an option of Docker, which ${outer.name} rejects.`
        const cure =
          /^-v/.test(docker) || docker.startsWith("--vol") ? "Write --bind." : "Remove it. For a GPU, write --nv."
        yield say("program-called-wrongly", what, cure, command, {kind: "fails"})
      }
      const own = words.map(expand)
      const found = CALLS.find(({of, wrong}) => of.test(name) && wrong(own, command, given))
      if (!found) continue
      const filled = {statement: statement(own), name, argument: words[1]}
      const what = found.what.replace(/\{(\w+)\}/g, (_, key) => filled[key])
      yield say("program-called-wrongly", what, found.cure, command, {kind: found.kind ?? "fails"})
    }
  }
}

/** GNU parallel gets the name of a list in place of its lines. */
function* listAsArgument({commands, say}) {
  for (const command of commands) {
    const at = command.words.indexOf(":::")
    const [file, ...others] = at < 0 ? [] : command.words.slice(at + 1)
    if (command.name !== "parallel" || others.length || !/^[\w./$-]+\.(?:txt|lst|list|csv|tsv)$/.test(file ?? ""))
      continue
    const what = `after \`:::\`, parallel reads \`${file}\` as the only argument, not as a list.`
    yield say("program-called-wrongly", what, "Write :::: instead of :::.", command, {kind: "fails"})
  }
}

/** The numbers of GPUs that a program is told. @returns {number[]} */
function gpusNamed(words) {
  const name = base(words[0] ?? "")
  const list = /^gmx/.test(name)
    ? optionValue(words, ["-gpu_id"])
    : /^namd[23]$/.test(name)
      ? optionValue(words, ["+devices"])
      : PYTHON.test(name)
        ? words.map(word => /^(?:--?[\w-]+=)?cuda:(\d+)$/.exec(word)?.[1]).find(Boolean)
        : null
  if (!/^\d+(?:,\d+)*$/.test(list ?? "")) return []
  return (/^gmx/.test(name) && !list.includes(",") ? [...list] : list.split(",")).map(Number)
}

/** GPUs by their numbers: each job counts its own from 0. */
function* gpuNumber({job, wantsGpu, commands, expand, say}) {
  const there = (job.nodes ?? 1) === 1 ? job.gpus_total : job.gpus_per_node
  if (!wantsGpu || !there || job.exclusive) return
  const started = commands.flatMap(command =>
    programs(command).map(({words}) => ({command, name: base(words[0] ?? ""), words})),
  )
  const scripts = started.filter(({name}) => /^(?:python|torchrun)/.test(name))
  for (const {command, name, words} of started) {
    const most = Math.max(...gpusNamed(words.map(expand)))
    if (most >= there) {
      const what = `\`${name}\` is set to use GPU ${most}, but the job has only ${gpusOf(there)}.`
      yield say("gpu-number-not-there", what, "Request more GPUs, or name fewer.", command, {kind: "fails"})
    }
    const apart = /VISIBLE_DEVICES|PROCID|LOCALID/.test(command.tokens.map(({raw}) => raw).join(" "))
    const alone =
      scripts.length === 1 && scripts[0].command === command && !command.background && !command.loops.length && !apart
    if (most >= 0 && there > 1 && most < there && alone) {
      const what = `\`${name}\` is set to use only GPU ${most}, but the job has ${many(there, "GPU")}.`
      yield say("gpus-without-work", what, "Request one GPU, or start a process for each.", command)
    }
  }
}

/** A launcher on each of several nodes that does not lead to the other nodes. */
function* otherNodes({job, commands, say}) {
  if (!(job.nodes > 1)) return
  const one = commands.find(({words, sets}) =>
    [...sets, ...words].some(part => /^TF_CONFIG=.*"index"\s*:\s*\d/s.test(part)),
  )
  if (one && commands.some(each => programs(each)[0]?.through.some(({name}) => name === "srun"))) {
    const what = "TF_CONFIG gives the same index to the workers on all nodes, so each waits for the others."
    yield say("nodes-apart", what, "Set it in a `bash -c` that srun starts, with $SLURM_PROCID.", one, {kind: "fails"})
  }
  for (const command of commands) {
    if (command.background || command.loops.length) continue
    for (const {words, through} of programs(command)) {
      const srun = through.find(({name}) => name === "srun")
      const name = base(words[0] ?? "")
      if (!srun || srun.words.some(word => /^(?:-[wNnr]|--(?:nodelist|nodes|ntasks|relative)\b)/.test(word))) continue
      if (name !== "torchrun" && !(name === "accelerate" && words[1] === "launch")) continue
      const rank = optionValue(words, ["--node-rank", "--node_rank", "--machine_rank"])
      const at = optionValue(words, [
        "--rdzv-endpoint",
        "--rdzv_endpoint",
        "--master-addr",
        "--master_addr",
        "--main_process_ip",
      ])
      const local = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(at ?? "")
      const fixed = /^\d+$/.test(rank ?? "") && !optionValue(words, ["--rdzv-backend", "--rdzv_backend"])
      const nodes = optionValue(words, ["--nnodes"])
      const one = name === "accelerate" && optionValue(words, ["--num_machines"]) === "1"
      const alone =
        one || has(words, ["--standalone"]) || (name === "torchrun" && (nodes === null || nodes === "1") && !at)
      if ((!local && !fixed && !alone) || words.some(word => /\[[@*]\]|^\$[@*]$/.test(word))) continue // from a list
      const [what, cure] = local
        ? [
            `\`${at}\` is a different computer on each node, so the nodes cannot find each other.`,
            "Name the first node.",
          ]
        : fixed
          ? [`every node starts ${name} with the rank ${rank}.`, "Write $SLURM_NODEID in a `bash -c` that srun starts."]
          : [
              "each node trains by itself, because no option names the other nodes.",
              one
                ? "Write --num_machines=$SLURM_NNODES, --main_process_ip and, in a `bash -c`, --machine_rank=$SLURM_NODEID."
                : "Write --nnodes=$SLURM_NNODES with an --rdzv-endpoint.",
            ]
      yield say("nodes-apart", what, cure, command, {kind: "fails"})
    }
  }
}

const MPI = /^(?:openmpi|intelmpi|impi|mpich|mvapich2?|intel-oneapi-mpi|hpcx)$/
const family = module => module.split("/")[0]
const PYTHONS = /^(?:python|python3|anaconda3?|miniconda3?|miniforge3?|mambaforge)$/
/** Modules of which the later hides the earlier: two of one name, two MPIs, Python above an environment. */
function* hidden({certain, say, kind}) {
  if (kind !== "slurm") return
  let before = [],
    active = null
  for (const command of certain) {
    const {name, words} = command
    if ((name === "source" || name === ".") && /\/bin\/activate$/.test(words[1] ?? "")) active = command
    if (/^(?:deactivate|conda|mamba|micromamba)$/.test(name)) active = null
    if (/^(?:source|conda|mamba|micromamba)$/.test(name) && words[1] === "activate" && words[2]) active = command
    if (name !== "module" || !/^(?:load|add)$/.test(words[1] ?? "")) {
      if (name) before = []
      continue
    }
    for (const module of words.slice(2).filter(word => /^[\w.+-]+(?:\/[\w.+-]+)*$/.test(word))) {
      const [own, version] = module.split("/")
      const other = before.find(each => {
        const [its, older] = each.split("/")
        return its === own ? version && older && each !== module : MPI.test(its) && MPI.test(own)
      })
      if (other) {
        const what = `${module} replaces or hides ${other}, which is loaded above it.`
        const sure = family(other) !== own
        yield say("module-hides-another", what, "Load only the one that you need.", command, {
          kind: sure ? "unwise" : "doubtful",
        })
      }
      if (active && PYTHONS.test(own)) {
        const what = `${module} comes before the environment on line ${active.line} in PATH, so python is the module's.`
        yield say("module-hides-environment", what, "Load modules before you activate the environment.", command)
        active = null
      }
      before.push(module)
    }
  }
}

export const ideas = [listAsArgument, calls, gpuNumber, otherNodes, hidden]
