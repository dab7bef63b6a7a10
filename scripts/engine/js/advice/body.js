// Advice about the commands of a script: where they write, what they fetch, what never runs.
import {DIRECTORY} from "../rules/work.js"
import {SETUP, all} from "./case.js"
import {shellOf} from "../script/script.js"
import {optionValue} from "./runs.js"
import {copiesToLast, documents, payload, program, started} from "../script/payload.js"
import {setOf} from "../script/text.js"

// Workflow managers that submit each step as a job; the profile: github.com/nf-core/configs, conf/alliance_canada.config
const SUBMITS =
  /^snakemake\b.*\s(?:--executor[ =](?:cluster-)?slurm|--slurm|--cluster[ =]["']?sbatch)|^nextflow\b.*(?:-process\.executor[ =]slurm|-profile\s+\S*\balliance_canada\b)/

const SET = /^[^#\n]*(?:\bNXF_EXECUTOR=["']?slurm\b|\bexecutor\s*=\s*["']slurm\b)/m // of Nextflow

function* submitInside({facts, name, commands, lines, say}) {
  if (facts.submit !== false) return
  const set = SET.test(lines.join("\n"))
  for (const command of commands.filter(({text}) => SUBMITS.test(text) || (set && /^nextflow\s.*\brun\s/.test(text)))) {
    const what = `${program(command)} submits each step as a job, but on ${name}, you cannot submit jobs from inside a job.`
    yield say("submit-inside", what, "Run the steps in this job instead.", command, {
      fact: "policy.submit_in_jobs",
      kind: "fails",
    })
  }
  for (const command of commands.filter(each => ["sbatch", "salloc"].includes(program(each)))) {
    const what = `${program(command)} submits a job, but on ${name}, you cannot submit jobs from inside a job.`
    const [, after = "afterany"] = /(?:--dependency|-d)[= ]?["']?(after\w+)/.exec(command.text) ?? []
    const first = command.certain ? "Remove the command" : "Write `:` instead of the command"
    const cure = `${first}, and submit all jobs from a login node, adding \`--dependency=${after}:JOB_ID\` (the previous job's ID) from the second job on.`
    yield say("submit-inside", what, cure, command, {fact: "policy.submit_in_jobs", kind: "fails"})
  }
}

function* endsEarly({commands, lines, say}) {
  for (const [place, command] of commands.entries()) {
    if (!command.certain || !/^(?:exit|logout)$/.test(command.name)) continue
    if (!all("(exit|logout)(\\s+\\d+)?\\s*;?\\s*(#.*)?", lines[command.line - 1])) continue
    const behind = commands
      .slice(place + 1)
      .find(each => program(each) && (/^(?:cp|mv)$/.test(program(each)) || !SETUP.has(program(each))))
    if (behind) {
      const what = `the script ends here, so \`${program(behind)}\` on line ${behind.line} never starts.`
      yield say("ends-early", what, "Remove the line.", command)
    }
    return
  }
}

function* loginShell({facts, option, lines, certain, commands, say}) {
  const given = option("export")
  if (!facts.login || !given || (given.value ?? "").split(",").includes("ALL")) return
  if (/^#!\s*\S*sh\s+(-\w*l\w*|--login)\b/u.test(lines[0])) return
  const module = certain.find(({name}) => name === "module" || name === "ml")
  const sourced = commands.some(({name, words}) => /^(source|\.)$/.test(name) && words.join(" ").includes("profile"))
  if (!module || sourced) return
  const what = `with ${given.written}, the job has no \`module\` command unless it starts a login shell.`
  yield say("no-login-shell", what, "Begin with #!/bin/bash -l.", module, "policy.login_shell_without_export")
}

function* variables({facts, name, sets, certain, say}) {
  const here = sets(),
    told = new Set()
  for (const command of certain) {
    const text = [...command.words, ...command.sets].join(" ")
    for (const [, variable] of text.matchAll(/\$\{?(\w+)(?![\w:?+-])/gu)) {
      if (!Object.hasOwn(facts.others, variable) || here.has(variable) || told.has(variable)) continue
      told.add(variable)
      const instead = facts.places.find(({job}) => job)
      const what = `$${variable} is a directory on ${facts.others[variable]}, but is not set on ${name}.`
      const cure = instead ? `Use ${instead.path}.` : "See Storage on the cluster's page."
      yield say("variable-of-another", what, cure, command, {group: "storage"})
    }
  }
}

/** Directories that only some jobs have. */
function* onRequest({facts, name, option, certain, sets, say}) {
  for (const [variable, resource] of Object.entries(facts.on_request ?? {})) {
    const pattern = new RegExp(String.raw`\$(?:${variable}\b|\{${variable}[}/%#])`)
    const used = certain.find(
      ({name, words, sets}) => !/^(?:\[\[?|test|echo)$/.test(name) && pattern.test([...words, ...sets].join(" ")),
    )
    if (!used || sets().has(variable) || (option("gres")?.value ?? "").includes(resource)) continue
    const instead = facts.places.find(({job}) => job)
    const what = `$${variable} is not set in this job: on ${name}, only --gres=${resource} sets it.`
    const cure = instead ? `Use ${instead.path}.` : `Add --gres=${resource}:SIZE.`
    return yield say("directory-on-request", what, cure, used, {group: "partitions", kind: "fails"})
  }
}

const isOutput = option =>
  DIRECTORY.test(option) ||
  /^(?:-o|--?(?:out(?:put)?|results|checkpoints|ckpts|logdir|default_root_dir|save[-_]to|work[-_]?dir|output[-_]\w+))$/.test(
    option,
  )
const LITERAL = {$HOME: "/home/", $PROJECT: "/project/", $SCRATCH: "/scratch/"}
export function below(path, place) {
  const begin = place.split("$USER")[0].split("<")[0]
  return path.startsWith(LITERAL[place] ?? (begin.endsWith("/") ? begin : `${begin}/`))
}
/** The files and directories that a command writes, as they are named. here: its directory, if known, not `.` */
export function writes(command, offline, here) {
  const {name: made, words, redirects, sets} = command
  return [
    ...redirects.filter(({op}) => /^&?>/.test(op)).map(({target}) => target.text),
    ...(/^(?:mkdir|touch)$/.test(made) ? words.slice(1) : []),
    ...(copiesToLast(made) ? words.slice(-1) : []),
    ...(made === "tar" && /^-?\w*c/.test(words[1] ?? "") ? words.slice(2, 3) : []),
    ...(/^(?:tee|zip)$/.test(made) ? words.filter((word, at) => at && !word.startsWith("-")).slice(0, 1) : []),
    ...(/^(?:make|gmake|ninja)$/.test(made) &&
    here !== "." &&
    !words.some(word => /^(?:-C|-n|run|check|test)$/.test(word))
      ? [`${here}/`]
      : []),
    ...(/^pip[\d.]*$/.test(made) && words.includes("--user") ? ["$HOME/.local"] : []),
    ...(/^(?:conda|mamba)$/.test(made) && words[1] === "create" ? [optionValue(words, ["-p", "--prefix"]) ?? ""] : []),
    ...words.flatMap((word, at) => (isOutput(word) ? [words[at + 1] ?? ""] : [])),
    ...words.flatMap(word => (isOutput(word.split("=")[0]) ? [word.split("=")[1] ?? ""] : [])),
    ...[...sets, ...(made === "export" ? words : [])].flatMap(
      part =>
        /^(?:\w*(?:SCR|SCRATCH|TMP|CACHE|OUT)\w*|RESULTS|CHECKPOINTS|(?:RESULTS?|CKPT|CHECKPOINTS?|SAVE|LOG|RUN|WANDB)_?DIR|MPLCONFIGDIR)=(.*)$/.exec(
          part,
        )?.[1] ?? (offline ? [] : (/^(?:HF_HOME|TORCH_HOME)=(.*)$/.exec(part)?.[1] ?? [])),
    ),
    ...(/^(?:virtualenv$|python[\d.]* -m (?:venv|virtualenv))/.test(
      [program(command), ...payload(command).slice(1, 3)].join(" "),
    ) || program(command) === "virtualenv"
      ? words.slice(-1)
      : []),
  ]
}
function* places({facts, name, option, certain, expand, say}) {
  for (const at of ["output", "error", "o", "e"].map(each => option(each)).filter(Boolean)) {
    const path = (at.value ?? "").replace(/^:+/, ""),
      own = facts.places.filter(place => below(path, place.path))
    let known = false
    for (const place of own) {
      if (place.read_only_in_jobs) {
        const what = `\`${at.written}\` is in ${place.path}, which jobs on ${name} can only read.`
        yield say("output-read-only", what, "Write to scratch.", at, `storage.${place.path}`)
      } else if (place.one_node) {
        const what = `\`${at.written}\` is in ${place.path}, which only the job's own node sees.`
        const cure = "Write to storage that the login nodes can also read."
        yield say("output-one-node", what, cure, at, `storage.${place.path}`)
        known = true
        break
      }
    }
    if (!known && /^\/(tmp|dev\/shm|var\/tmp)\//.test(path)) {
      const what = `\`${at.written}\` is in a directory that only the job's own node sees.`
      yield say("output-one-node", what, "Write to storage that the login nodes can also read.", at)
    }
  }
  const closed = facts.places.filter(place => place.read_only_in_jobs)
  let here = "."
  const offline = certain.some(({words, sets}) => [...words, ...sets].some(part => /^HF_HUB_OFFLINE=["']?1/.test(part)))
  for (const command of closed.length ? certain : []) {
    if (command.name === "cd" && !command.fn) here = expand(command.words[1] ?? "$HOME")
    const written = writes(command, offline, here).map(word =>
      (/^[\w.]/.test(word) ? `${here}/${word}` : expand(word))
        .replace(/^~(?=\/|$)/, "$HOME")
        .replace(/\$\{(\w+)\}/, "$$$1"),
    )
    for (const place of closed) {
      const found = written.find(
        path => path.startsWith(`${place.path}/`) || path === place.path || below(path, place.path),
      )
      if (!found) continue
      const what = `\`${found}\` is in ${place.path}, which jobs on ${name} can only read.`
      yield say("output-read-only", what, "Write to scratch.", command, {fact: `storage.${place.path}`, kind: "fails"})
      return
    }
  }
  for (const command of certain) {
    const given = payload(command),
      second = given.slice(1, 3).join(" ")
    if (program(command) !== "virtualenv" && second !== "-m venv" && second !== "-m virtualenv") continue
    for (const place of facts.places.filter(each => each.in_memory)) {
      if (!given.some(word => word.replace(/[{}]/g, "").startsWith(`${place.path}/`))) continue
      const what = `on ${name}, ${place.path} is in memory, so the environment uses the job's memory.`
      const cure = "Create the environment once, on a login node."
      yield say("environment-in-memory", what, cure, command, `storage.${place.path}`)
    }
  }
}

const PIP_OFFLINE = "--no-index|-f|--find-links.*|--index-url.*|-i|-e|--editable|--no-deps|.*\\.whl|\\.{1,2}(/.*)?|/.*"
const url = word => /^(https?|ftp):\/\/(?!localhost|127\.|\$|\[)[\w.-]+\.[a-z]+/iu.test(word)
const remote = word => /^(docker|oras|library|shub):\/\//.test(word)
const LOCALLY = /localhost|127\.0\.0\.1|\[::1\]|hostname|\$\{?\w*(?:HOST|NODE|ADDR|IP|PORT)|^file:|^\/|^-/i
/** Does curl or wget get something from another computer? A variable that nothing here sets to one counts as an address. */
const remoteUrl = (word, expand) =>
  url(expand(word)) || (/^\$\{?\w*(?:url|link|site|mirror|ftp)\w*/i.test(word) && !LOCALLY.test(expand(word)))
const OTHER_HOST = /^(?:[\w.-]+@)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}:/i
const always = () => true
// Programs that only fetch: NCBI's, and others' for their own data.
const FETCHERS = setOf(
  "prefetch fasterq-dump efetch esearch elink ncbi-genome-download update_blastdb.pl gdown aria2c axel lftp s5cmd azcopy " +
    "kingfisher enaDataGet download_eggnog_data.py",
)
/** What a command fetches with, if it is sure to fetch. */
function download(command, expand) {
  let given = payload(command),
    name = (given[0] ?? "").split("/").at(-1)
  if (/^python[0-9.]*$/.test(name) && given[1] === "-m" && given[2] === "pip") {
    name = "pip"
    given = given.slice(2)
  }
  if (/^pip[0-9.]*$/.test(name)) {
    const offline = given.slice(2).some(word => all(PIP_OFFLINE, word))
    return ["install", "download"].includes(given[1]) && !offline && given.length > 2 ? `pip ${given[1]}` : null
  }
  const python = /^python[0-9.]*$/.test(name) && given[1] === "-m" ? given[2] : ""
  if ((python === "spacy" && given[3] === "download") || python === "nltk.downloader") return `python -m ${python}`
  if (
    started(command.words).through.some(
      ({name, words}) => /^(?:apptainer|singularity)$/.test(name) && words.some(remote),
    )
  )
    return "an image from a registry"
  const code =
    /^(?:python[\d.]*|Rscript)$/.test(name) &&
    [...given, ...documents(command)].find(text =>
      /urlretrieve\(|requests\.get\(\s*f?["']https|nltk\.download\(|gdown\.download\(|torch\.hub\.download|(?<!un)download\.file\(\s*["']https/.test(
        text,
      ),
    )
  if (code)
    return (
      /urlretrieve|requests\.get|nltk\.download|gdown\.download|torch\.hub\.download|download\.file/.exec(code)?.[0] ??
      name
    )
  if (/^t?blast[npx]$/.test(name) && given.includes("-remote")) return `${name} -remote`
  if (FETCHERS.has(name))
    return (name === "fasterq-dump" && given.slice(1).some(word => /[./]/.test(word) && !word.startsWith("-"))) ||
      given.length < 2
      ? null
      : name
  const rest = given.slice(1),
    [first, second] = rest,
    has = (...names) => names.some(each => rest.includes(each))
  const pipeline = rest.find((word, at) => at && !/^-/.test(word) && !/^-/.test(rest[at - 1]))
  const conda = () =>
    (["install", "create", "update"].includes(first) || (first === "env" && second === "create")) &&
    !has("--offline", "--clone")
  const git = () =>
    (["clone", "pull", "fetch"].includes(first) || (first === "submodule" && second === "update")) &&
    (first !== "clone" || rest.some(word => /^(https?:\/\/|git@|ssh:\/\/)/.test(word)))
  const fetches = {
    wget: () => rest.some(word => remoteUrl(word, expand)),
    curl: () => rest.some(word => remoteUrl(word, expand)),
    git: () =>
      git() || (first === "push" && !has("--dry-run")) || (first === "lfs" && ["pull", "fetch"].includes(second)),
    conda,
    mamba: conda,
    micromamba: conda,
    npm: () => ["install", "ci"].includes(first),
    cargo: () => first === "install" && !has("--path", "--offline"),
    yarn: () => ["install", "add"].includes(first),
    gem: () => first === "install" && !has("--local"),
    go: () =>
      (first === "install" || first === "get" || (first === "mod" && second === "download")) &&
      !rest.includes("-mod=vendor"),
    cpan: always,
    cpanm: always,
    poetry: () => first === "install" || first === "add",
    pixi: () => ["install", "add"].includes(first),
    rclone: () =>
      ["copy", "sync", "copyto", "move"].includes(first) && rest.slice(1).some(word => /^\w[\w-]*:/.test(word)),
    scp: () => rest.some(word => OTHER_HOST.test(word)),
    rsync: () => rest.some(word => OTHER_HOST.test(word)),
    datasets: () => first === "download",
    busco: () => !has("--offline", "--help", "-h", "--version", "--list-datasets") && rest.length > 1,
    colabfold_batch: () =>
      rest.some(word => /\.(?:fa|fasta|csv)$/.test(word)) &&
      !rest.some(word => /single_sequence|--host-url/.test(word)),
    gcloud: () => first === "storage",
    az: () => first === "storage",
    "kraken2-build": () => rest.some(word => word.startsWith("--download")),
    checkm: () => first === "data",
    nextclade: () => first === "dataset" && second === "get",
    wandb: () => ["agent", "sync", "login", "pull"].includes(first),
    nextflow: () =>
      first === "pull" ||
      (first === "run" &&
        !has("-offline") &&
        expand("$NXF_OFFLINE") !== "true" &&
        /^(?!.*\.nf$)[\w-]+\/[A-Za-z][\w.-]*$/.test(pipeline ?? "")),
    kaggle: () => has("download"),
    aws: () => first === "s3" && rest.some(word => word.startsWith("s3://")),
    gsutil: () => rest.some(word => word.startsWith("gs://")),
    dvc: () => ["pull", "fetch"].includes(first),
    uv: () =>
      ((first === "pip" && second === "install") || first === "sync" || first === "add") &&
      !has("--no-index", "--offline"),
    Rscript: () =>
      rest.some(
        word =>
          /install\.packages\(|BiocManager::install\(|install_(?:github|gitlab|cran|bioc)\(|renv::restore\(/.test(
            word,
          ) && !word.replaceAll(" ", "").includes("repos=NULL"),
      ),
    julia: () => rest.some(word => /Pkg\.(add|update|develop)\(/.test(word)),
    hf: () => /^(?:download|upload)$/.test(first),
    "huggingface-cli": () => /^(?:download|upload)$/.test(first),
    apptainer: () => rest.some(remote),
    singularity: () => rest.some(remote),
  }
  if (!Object.hasOwn(fetches, name) || !fetches[name]()) return null
  return ["wget", "curl", "scp", "rsync", "busco", "colabfold_batch"].includes(name)
    ? name
    : `${name} ${rest.find(word => /^[a-z]+$/.test(word)) ?? ""}`.trim()
}
/** Is its failure foreseen? */
const foreseen = (commands, command) =>
  commands[commands.indexOf(command) + 1]?.op === "||" || command.op === "||" || command.condition
const HUB =
  /from_pretrained\(\s*["'][\w.-]+\/[\w.-]+["']|load_dataset\(\s*["'][\w-]+(?:\/[\w.-]+)?["']|torch\.hub\.load\(\s*["']\w|(?:--model(?:_name(?:_or_path)?|-name)?[= ]|^vllm serve )["']?(?!models?\/|data\/)[A-Za-z][\w-]*\/[\w.-]*\d+(?:\.\d+)?[bB][\w.-]*|download\s*=\s*True/
/** Models and data that a library downloads, unless it has them. */
function* fromHub({commands, lines, say, name}) {
  if (
    lines.some(line =>
      /_OFFLINE\b|HF_HOME|TORCH_HOME|HF_HUB_CACHE|cache[-_]dir|local_files_only|TRANSFORMERS_CACHE/.test(line),
    )
  )
    return
  for (const command of commands) {
    const code = [command.text, ...command.tokens.map(({raw}) => raw), ...documents(command)]
    const found = command.name === "echo" ? null : code.map(text => HUB.exec(text)?.[0]).find(Boolean)
    if (!found) continue
    const what = `\`${found}\` downloads files that are missing, but compute nodes of ${name} have no access to the internet.`
    yield say("internet-none", what, "Download the files on a login node, and set HF_HUB_OFFLINE=1.", command, {
      fact: "policy.internet_on_compute_nodes",
      kind: "doubtful",
    })
    return
  }
}
/** Logs that go to a server, unless they are told to wait. */
function* onlineLogs({commands, lines, say, name}) {
  const told =
    /WANDB_MODE["']?\]?\s*=\s*["']?(?:offline|disabled|dryrun)|wandb (?:offline|disabled)|WANDB_DISABLED|--wandb[-_]mode[= ](?:offline|disabled)|COMET_OFFLINE|NEPTUNE_MODE=offline/
  if (lines.some(line => told.test(line))) return
  const asks =
    /^WANDB_MODE=["']?(?:online|run)|^--(?:report[-_]to|logger|log[-_]with|trackers?)=(?:wandb|comet\w*|neptune)$|^--(?:use[-_])?wandb$|^(?:logger|trainer\.logger)=wandb$/
  for (const command of commands) {
    const {words, sets} = command
    const at = words.findIndex(word => /^--(?:report[-_]to|logger|log[-_]with)$/.test(word))
    const found =
      [...sets, ...words].find(word => asks.test(word)) ??
      (at > 0 && /^(?:wandb|comet\w*|neptune)$/.test(words[at + 1] ?? "") ? `${words[at]} ${words[at + 1]}` : null)
    if (!found || command.name === "echo") continue
    const what = `\`${found}\` waits for a server on the internet, but compute nodes of ${name} have no access.`
    yield say("logs-need-the-internet", what, "Set WANDB_MODE=offline, and run wandb sync on a login node.", command, {
      fact: "policy.internet_on_compute_nodes",
      kind: "fails",
    })
    return
  }
}
function* internet(given) {
  const {facts, name, commands, certain, expand, say} = given

  if (facts.internet !== false) return
  const everything = commands.flatMap(({words, sets}) => [...words, ...sets]).join(" ")
  if (/httpproxy|https?_proxy|PIP_NO_INDEX|PIP_FIND_LINKS|conda.*--offline/iu.test(everything)) return
  yield* onlineLogs(given)
  yield* fromHub(given)
  const loops = commands.filter(each => !each.certain && each.everyTime && !each.condition)
  const sure = new Set(certain.filter(each => !foreseen(commands, each)).map(({line}) => line))
  const nested = shellOf(given.lines).inner.filter(
    each => sure.has(each.line) && !each.op && /^(?:curl|wget|git)$/.test(each.name),
  )
  const missing = commands.filter(
    (each, at) => each.op === "||" && /^(?:\[\[?|test)$/.test(commands[at - 1]?.name ?? "") && !each.fn,
  )
  for (const command of [...certain, ...loops, ...nested, ...missing]) {
    const unless = missing.includes(command) // unless the file is there
    const thing = foreseen(commands, command) && !unless ? null : download(command, expand)
    if (!thing || (thing === "fasterq-dump" && commands.some(each => /^prefetch\s/.test(each.text)))) continue // fetched
    const cure = thing.startsWith("pip")
      ? "Add --no-index, or install on a login node before the job."
      : `Run it on a login node ${/ (?:upload|push)$/.test(thing) ? "after" : "before"} the job.`
    const what = `\`${thing}\` needs the internet, but compute nodes of ${name} have no access.`
    const fact = "policy.internet_on_compute_nodes"
    yield say("internet-none", what, cure, command, unless ? {fact, kind: "doubtful"} : fact)
  }
}

export const ideas = [loginShell, internet, places, variables, onRequest, submitInside, endsEarly]
