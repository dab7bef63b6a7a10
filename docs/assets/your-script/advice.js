// What the scheduler accepts and the cluster's pages warn of: of the advice of scripts/check/advice
// the kinds that need no more than the script and a few facts. `guide check` gives all of it.
;(jobscript => {
  const {regex} = jobscript
  const words = text => new Set(text.split(" "))
  // Commands that prepare a job or talk of it, and compute nothing.
  const SETUP = words(". : [ [[ alias cat cd chmod command cp date declare df echo env exit export false hash hostname "
    + "id ls lscpu mkdir ml module mv printenv printf pwd read rm scontrol set shopt source squeue tee test trap true "
    + "type ulimit umask uname unset wait which whoami")
  const FILES = words("bzip2 cut diff du find grep gunzip gzip head md5sum rsync sed sha256sum sleep sort tail tar touch "
    + "unzip wc xz zip")
  const LAUNCHERS = words("srun mpirun mpiexec orterun time numactl taskset timeout stdbuf nice exec nohup nvprof nsys")
  const GPU_TOOLS = words("nvidia-smi rocm-smi amd-smi nvtop")
  const NO_GPU = new Set(["", "-1", "none", "NoDevFiles"])
  const TOLD_CPU = words("--device=cpu --accelerator=cpu --no-cuda --no_cuda --no-gpu --use-cpu")

  // The name of a program without its folder, as PurePosixPath has it.
  const base = path => path.split("/").filter(part => part && part !== ".").at(-1) ?? ""

  function takesAWord(launcher, option, following) {
    const {takes, short} = jobscript.data.options
    if (launcher !== "srun") return /^(mpirun|mpiexec|orterun)$/.test(launcher) && !/^[-/.]/.test(following)
    const name = option.startsWith("--") ? option.slice(2) : short[option.slice(1)]
    const kind = Object.keys(takes).find(each => takes[each].split(" ").includes(name))
    return (kind ?? (name?.startsWith("mpi") ? "value" : "none")) === "value"
  }
  /** The words of what is started in the end: without srun, mpirun, time and their options. */
  function payload(command) {
    const left = [...command.words]
    while (left.length && LAUNCHERS.has(base(left[0]))) {
      const launcher = base(left.shift())
      while (left[0]?.startsWith("-")) {
        const option = left.shift()
        if (left.length && !option.includes("=") && takesAWord(launcher, option, left[0])) left.shift()
      }
      if (["timeout", "taskset"].includes(launcher) && left.length) left.shift() // the time, or the cores
    }
    return left
  }
  const program = command => base(payload(command)[0] ?? "")
  const all = (pattern, text) => regex(`^(?:${pattern})$`).test(text)

  // --- each idea: what it says about a case

  function* submitInside({facts, name, certain, say}) {
    if (facts.submit !== false) return
    for (const command of certain.filter(each => ["sbatch", "salloc"].includes(program(each)))) {
      yield say("submit-inside", `${program(command)}: no job can be submitted from inside a job of ${name}.`,
        "Submit all from the login node, with --dependency.", command, "policy.submit_in_jobs")
    }
  }

  function* endsEarly({commands, lines, say}) {
    for (const [place, command] of commands.entries()) {
      if (!command.certain || !all("(exit|logout)(\\s+\\d+)?\\s*;?\\s*(#.*)?", lines[command.line - 1])) continue
      const behind = commands.slice(place + 1).find(each => program(each) && !SETUP.has(program(each)))
      if (behind) {
        yield say("ends-early", `the script ends here; \`${program(behind)}\` on line ${behind.line} is never started.`,
          "Take the line out.", command)
      }
      return
    }
  }

  function* loginShell({facts, option, lines, certain, commands, say}) {
    const given = option("export")
    if (!facts.login || !given || (given.value ?? "").split(",").includes("ALL")) return
    if (regex("^#!\\s*\\S*sh\\s+(-\\w*l\\w*|--login)\\b").test(lines[0])) return
    const module = certain.find(({name}) => name === "module" || name === "ml")
    const sourced = commands.some(({name, words}) => /^(source|\.)$/.test(name) && words.join(" ").includes("profile"))
    if (!module || sourced) return
    yield say("no-login-shell", `with ${given.written} the job has no \`module\`, unless it starts a login shell.`,
      "Begin with #!/bin/bash -l.", module, "policy.login_shell_without_export")
  }

  function* variables({facts, name, commands, certain, say}) {
    const here = new Set(commands.flatMap(({sets, words}) => [...sets, ...words].map(part => part.split("=")[0])))
    const told = new Set()
    for (const command of certain) {
      const text = [...command.words, ...command.sets].join(" ")
      for (const [, variable] of text.matchAll(regex("\\$\\{?(\\w+)(?![\\w:?+-])", "g"))) {
        if (!Object.hasOwn(facts.others, variable) || here.has(variable) || told.has(variable)) continue
        told.add(variable)
        const instead = facts.places.find(({job}) => job)
        yield say("variable-of-another",
          `$${variable} is not set on ${name}; it is a folder of ${facts.others[variable]}.`,
          instead ? `Take ${instead.path}.` : "See the storage on the cluster's page.", command, "", "storage")
      }
    }
  }

  // Slurm's own release notes: srun hands the cores on again from 23.11.
  const FIRST = 22 * 1000 + 5, FIXED = 23 * 1000 + 11
  function* srunCores({facts, kind, job, commands, certain, say}) {
    const [, year, month] = /^(\d+)\.(\d+)/.exec(facts.version ?? "") ?? []
    const number = Number(year) * 1000 + Number(month)
    if (kind !== "slurm" || !(number >= FIRST && number < FIXED) || !(job?.cpusPerTask >= 2)) return
    const known = ({words, sets}) => [...words, ...sets].some(word => word.includes("SRUN_CPUS_PER_TASK"))
    if (commands.some(known)) return
    const SAYS_SO = "-c[0-9$\"]*|--cpus-per-task.*|--exact|--cpus-per-gpu.*"
    const command = certain.find(({name, words}) => name === "srun" && !words.some(word => all(SAYS_SO, word)))
    if (!command) return
    yield say("srun-one-core", `srun gets one core: Slurm ${facts.version} does not hand on --cpus-per-task.`,
      'Write above it: export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"', command, "scheduler.version")
  }

  const LITERAL = {$HOME: "/home/", $PROJECT: "/project/", $SCRATCH: "/scratch/"}
  function below(path, place) {
    const begin = place.split("$USER")[0].split("<")[0]
    return path.startsWith(LITERAL[place] ?? (begin.endsWith("/") ? begin : `${begin}/`))
  }
  function* places({facts, name, option, certain, say}) {
    for (const at of ["output", "error", "o", "e"].map(each => option(each)).filter(Boolean)) {
      const path = (at.value ?? "").replace(/^:+/, ""), own = facts.places.filter(place => below(path, place.path))
      let known = false
      for (const place of own) {
        if (place.read_only_in_jobs) {
          yield say("output-read-only", `${at.written}: jobs can only read ${place.path} on ${name}.`,
            "Write to scratch.", at, `storage.${place.path}`)
        } else if (place.one_node) {
          yield say("output-one-node", `${at.written}: only the job's own node sees ${place.path}.`,
            "Write to storage that you see, too.", at, `storage.${place.path}`)
          known = true
          break
        }
      }
      if (!known && /^\/(tmp|dev\/shm|var\/tmp)\//.test(path)) {
        yield say("output-one-node", `${at.written}: only the job's own node sees that folder.`,
          "Write to storage that you see, too.", at)
      }
    }
    for (const command of certain) {
      const given = payload(command), second = given.slice(1, 3).join(" ")
      if (program(command) !== "virtualenv" && second !== "-m venv" && second !== "-m virtualenv") continue
      for (const place of facts.places.filter(each => each.in_memory)) {
        if (!given.some(word => word.replace(/[{}]/g, "").startsWith(`${place.path}/`))) continue
        yield say("environment-in-memory",
          `on ${name} ${place.path} is memory, and the environment takes it from the job.`,
          "Make the environment once, on a login node.", command, `storage.${place.path}`)
      }
    }
  }

  const PIP_OFFLINE = "--no-index|-f|--find-links.*|--index-url.*|-i|-e|--editable|--no-deps|.*\\.whl|\\.{1,2}(/.*)?|/.*"
  const url = word => regex("^(https?|ftp)://(?!localhost|127\\.|\\$|\\[)[\\w.-]+\\.[a-z]+", "i").test(word)
  const remote = word => /^(docker|oras|library|shub):\/\//.test(word)
  /** What a command fetches with, if it is sure to fetch. */
  function download(command) {
    let given = payload(command), name = (given[0] ?? "").split("/").at(-1)
    if (/^python[0-9.]*$/.test(name) && given[1] === "-m" && given[2] === "pip") {
      name = "pip"
      given = given.slice(2)
    }
    if (/^pip[0-9.]*$/.test(name)) {
      const offline = given.slice(2).some(word => all(PIP_OFFLINE, word))
      return ["install", "download"].includes(given[1]) && !offline && given.length > 2 ? `pip ${given[1]}` : null
    }
    const rest = given.slice(1), [first, second] = rest, has = (...names) => names.some(each => rest.includes(each))
    const conda = () => (["install", "create", "update"].includes(first) || first === "env" && second === "create")
      && !has("--offline", "--clone")
    const git = () => (["clone", "pull", "fetch"].includes(first) || first === "submodule" && second === "update")
      && (first !== "clone" || rest.some(word => /^(https?:\/\/|git@|ssh:\/\/)/.test(word)))
    const fetches = {
      wget: () => rest.some(url), curl: () => rest.some(url), git, conda, mamba: conda, micromamba: conda,
      npm: () => ["install", "ci"].includes(first), cargo: () => first === "install" && !has("--path", "--offline"),
      gdown: () => rest.length > 0, kaggle: () => has("download"),
      aws: () => first === "s3" && rest.some(word => word.startsWith("s3://")),
      gsutil: () => rest.some(word => word.startsWith("gs://")), dvc: () => ["pull", "fetch"].includes(first),
      uv: () => first === "pip" && second === "install" && !has("--no-index", "--offline"),
      Rscript: () => rest.some(word => word.includes("install.packages(")
        && !word.replaceAll(" ", "").includes("repos=NULL")),
      julia: () => rest.some(word => /Pkg\.(add|update)\(/.test(word)),
      hf: () => first === "download", "huggingface-cli": () => first === "download",
      apptainer: () => rest.some(remote), singularity: () => rest.some(remote),
    }
    if (!Object.hasOwn(fetches, name) || !fetches[name]()) return null
    return ["wget", "curl"].includes(name) ? name : `${name} ${rest.find(word => /^[a-z]+$/.test(word)) ?? ""}`
  }
  function* internet({facts, name, commands, certain, say}) {
    if (facts.internet !== false) return
    const everything = commands.flatMap(({words, sets}) => [...words, ...sets]).join(" ")
    if (regex("httpproxy|https?_proxy|PIP_NO_INDEX|PIP_FIND_LINKS|conda.*--offline", "i").test(everything)) return
    for (const command of certain) {
      const thing = download(command)
      if (!thing) continue
      const cure = thing.startsWith("pip") ? "Add --no-index, or install on a login node before the job."
        : "Do it before the job, on a login node."
      yield say("internet-none", `\`${thing}\` needs the internet, and compute nodes of ${name} have none.`, cure,
        command, "policy.internet_on_compute_nodes")
    }
  }

  const ruleOf = (requirement, gpus) => gpus ? requirement.gpu_jobs ?? requirement.rule : requirement.rule
  function* partition({facts, name, kind, job, wantsGpu, option, say}) {
    const at = option("partition", "q"), own = facts.partition
    if (kind === "slurm" && !job || !at || ruleOf(own, wantsGpu) !== "leave out") return
    const jobs = own.gpu_jobs && wantsGpu ? "a GPU job" : "a job"
    yield say("partition-left-out", `${at.written}: on ${name} ${jobs} names no partition.`, "Take it out.", at,
      "policy.partition")
  }
  function* memory({facts, name, kind, job, wantsGpu, option, say}) {
    const own = facts.memory, rule = ruleOf(own, wantsGpu), at = option("mem", "mem-per-cpu", "mem-per-gpu")
    if (kind !== "slurm" || !job || !at || !["leave out", "ignored"].includes(rule)) return
    const jobs = own.gpu_jobs ? "GPU jobs" : "jobs", note = own.note ? `: ${own.note.replace(/\.+$/, "")}` : ""
    yield own.rule === "ignored"
      ? say("memory-left-out", `${at.written} has no effect on ${name}${note}.`, "Take it out.", at, "policy.memory", "",
        "ignored")
      : say("memory-left-out", `${at.written}: on ${name} ${jobs} leave memory out${note}.`, "Take it out.", at,
        "policy.memory")
  }

  // What is set for all that follows; Slurm exports the GPUs' variables, so that setting one is enough.
  const exported = ({name, words, sets}) => name === "export" ? words.slice(1) : words.length ? [] : sets
  const toldCpu = given => given.some((word, place) =>
    TOLD_CPU.has(word) || place + 1 < given.length && TOLD_CPU.has(`${word}=${given[place + 1]}`))
  function* unusedGpu({job, wantsGpu, gpuOption, commands, say}) {
    if (!job || !wantsGpu) return
    const started = [...new Set(commands.map(program))].filter(Boolean).sort()
    const idle = name => (SETUP.has(name) || FILES.has(name)) && name !== "source" && name !== "."
    if (started.length && started.every(idle)) {
      yield say("gpu-unused", `a GPU is asked for, and nothing here can use it: ${started.join(", ")}.`,
        "Ask for none, or start the program that needs it.", gpuOption)
    }
    const set = (has) => commands.flatMap(each => exported(each).filter(has).map(part => [each, part]))
    const valueOf = part => part.slice(part.indexOf("=") + 1)
    const hidden = set(part => part.includes("VISIBLE_DEVICES="))
    if (hidden.length === 1 && hidden[0][0].certain && NO_GPU.has(valueOf(hidden[0][1]))) {
      yield say("gpu-hidden", `\`${hidden[0][1]}\` hides every GPU, and the job asks for one.`,
        "Take the line out, or ask for no GPU.", hidden[0][0])
    }
    const runs = commands.filter(each => {
      const name = program(each)
      return name && !SETUP.has(name) && !FILES.has(name) && !GPU_TOOLS.has(name)
    })
    if (runs.length && runs.every(each => toldCpu(payload(each)))) {
      yield say("gpu-told-cpu", "a GPU is asked for, and this is told to use the CPU.",
        "Ask for no GPU, or leave that out.", runs[0])
    }
    const jax = set(part => part.startsWith("JAX_PLATFORM"))
    if (jax.length === 1 && jax[0][0].certain && valueOf(jax[0][1]) === "cpu") {
      yield say("gpu-told-cpu", `a GPU is asked for, and \`${jax[0][1]}\` keeps JAX from it.`,
        "Ask for no GPU, or take the line out.", jax[0][0])
    }
  }

  const IDEAS = [partition, memory, unusedGpu, srunCores, loginShell, internet, places, variables, submitInside, endsEarly]

  /** The option that asks for GPUs. */
  function asksForGpu(option) {
    const gres = option("gres")
    return option("gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket", "tres-per-task")
      ?? (gres?.value?.includes("gpu") ? gres : undefined)
  }

  /**
   * The advice about a script, each once.
   * @param {object} system with `advice`, as scripts/jobscript/advice.py writes it
   * @param {string} text without what keeps a file from being a script
   * @param {object[]} options @param {object} [job] as the scheduler's part understood it
   * @param {string} [file]
   */
  function advice(system, text, options, job, file = "job.sh") {
    if (!system.advice || jobscript.components(options).length > 1) return [] // each part is a job of its own
    const facts = system.advice, lines = text.split("\n"), commands = jobscript.bash(lines)
    const last = jobscript.last(options)
    const option = (...names) => last.get(names.find(name => last.has(name)))
    const say = (rule, what, cure, at, fact = "", group = "", kind = "unwise") => {
      const why = facts.doubts[fact]
      return {
        file, line: at?.line ?? 1, kind: why ? "doubtful" : kind,
        what: why ? `${what} This is not certain: ${why.replace(/\.+$/, "")}.` : what, cure, rule,
        option: at?.written ?? null, limit: null, source: facts.sources[(group || fact).split(".")[0]] ?? null,
      }
    }
    const wantsGpu = (job?.gres ?? []).some(({name, perJob, perNode, perTask}) =>
      name === "gpu" && perJob + perNode + perTask > 0)
    const own = {
      facts, name: system.name, kind: system.kind, lines, commands, job, option, say, wantsGpu,
      certain: commands.filter(each => each.certain), gpuOption: asksForGpu(option),
    }
    const found = new Map(IDEAS.flatMap(idea => [...idea(own)]).map(each => [JSON.stringify(each), each]))
    return [...found.values()]
  }

  jobscript.commands ??= {}
  /** The advice about each [system, text], and the job that it was given: what the tests hold against Python's. */
  jobscript.commands.advice = ({systems}, asked) => asked.map(([key, text]) => {
    const options = jobscript.read(text, systems[key].kind)
    const {job} = systems[key].kind === "slurm" ? jobscript.slurm(systems[key], options) : {}
    return {job, found: advice(systems[key], text, options, job)}
  })
  jobscript.advice = advice
})(globalThis.jobscript ??= {})
