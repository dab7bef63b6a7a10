// Advice about the commands of a script: where they write, what they fetch, what never runs.
import {SETUP, all} from "./case.js"
import {payload, program} from "../script/payload.js"

function* submitInside({facts, name, commands, say}) {
  if (facts.submit !== false) return
  for (const command of commands.filter(each => ["sbatch", "salloc"].includes(program(each)))) {
    const what = `${program(command)}: on ${name}, you cannot submit jobs from inside a job.`
    const cure = "Submit all jobs from a login node, with --dependency."
    yield say("submit-inside", what, cure, command, "policy.submit_in_jobs")
  }
}

function* endsEarly({commands, lines, say}) {
  for (const [place, command] of commands.entries()) {
    if (!command.certain || !all("(exit|logout)(\\s+\\d+)?\\s*;?\\s*(#.*)?", lines[command.line - 1])) continue
    const behind = commands.slice(place + 1).find(each => program(each) && !SETUP.has(program(each)))
    if (behind) {
      const what = `the script ends here; \`${program(behind)}\` on line ${behind.line} never starts.`
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

function* variables({facts, name, commands, certain, say}) {
  const here = new Set(commands.flatMap(({sets, words}) => [...sets, ...words].map(part => part.split("=")[0])))
  const told = new Set()
  for (const command of certain) {
    const text = [...command.words, ...command.sets].join(" ")
    for (const [, variable] of text.matchAll(/\$\{?(\w+)(?![\w:?+-])/gu)) {
      if (!Object.hasOwn(facts.others, variable) || here.has(variable) || told.has(variable)) continue
      told.add(variable)
      const instead = facts.places.find(({job}) => job)
      const what = `$${variable} is not set on ${name}. It is a directory on ${facts.others[variable]}.`
      const cure = instead ? `Use ${instead.path}.` : "See Storage on the cluster's page."
      yield say("variable-of-another", what, cure, command, {group: "storage"})
    }
  }
}

const LITERAL = {$HOME: "/home/", $PROJECT: "/project/", $SCRATCH: "/scratch/"}
export function below(path, place) {
  const begin = place.split("$USER")[0].split("<")[0]
  return path.startsWith(LITERAL[place] ?? (begin.endsWith("/") ? begin : `${begin}/`))
}
function* places({facts, name, option, certain, expand, say}) {
  for (const at of ["output", "error", "o", "e"].map(each => option(each)).filter(Boolean)) {
    const path = (at.value ?? "").replace(/^:+/, ""),
      own = facts.places.filter(place => below(path, place.path))
    let known = false
    for (const place of own) {
      if (place.read_only_in_jobs) {
        const what = `${at.written}: jobs can only read ${place.path} on ${name}.`
        yield say("output-read-only", what, "Write to scratch.", at, `storage.${place.path}`)
      } else if (place.one_node) {
        const what = `${at.written}: only the job's own node sees ${place.path}.`
        yield say("output-one-node", what, "Write to storage that login nodes see too.", at, `storage.${place.path}`)
        known = true
        break
      }
    }
    if (!known && /^\/(tmp|dev\/shm|var\/tmp)\//.test(path)) {
      const what = `${at.written}: only the job's own node sees that directory.`
      yield say("output-one-node", what, "Write to storage that login nodes see too.", at)
    }
  }
  const closed = facts.places.filter(place => place.read_only_in_jobs)
  for (const command of closed.length ? certain : []) {
    const {name: made, words, redirects, sets} = command
    const written = [
      ...redirects.filter(({op}) => /^&?>/.test(op)).map(({target}) => target.text),
      ...(/^(?:mkdir|touch)$/.test(made) ? words.slice(1) : []),
      ...(/^(?:cp|mv|rsync)$/.test(made) ? words.slice(-1) : []),
      ...words.flatMap((word, at) =>
        /^--?(?:o|out|output|outdir|out-dir|output-dir|output_dir|save-dir|save_dir|results)$/.test(word)
          ? [words[at + 1] ?? ""]
          : [],
      ),
      ...words.flatMap(word => /^--(?:out|output|outdir|output-dir|output_dir|save_dir)=(.*)/.exec(word)?.[1] ?? []),
      ...[...sets, ...(made === "export" ? words : [])].flatMap(
        part => /^\w*(?:SCR|SCRATCH|TMP|CACHE|OUT)\w*=(.*)$/.exec(part)?.[1] ?? [],
      ),
    ].map(word =>
      expand(word)
        .replace(/^~(?=\/|$)/, "$HOME")
        .replace(/\$\{(\w+)\}/, "$$$1"),
    )
    for (const place of closed) {
      const found = written.find(
        path => path.startsWith(`${place.path}/`) || path === place.path || below(path, place.path),
      )
      if (!found) continue
      const what = `\`${found}\`: jobs can only read ${place.path} on ${name}.`
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
/** What a command fetches with, if it is sure to fetch. */
function download(command) {
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
  const rest = given.slice(1),
    [first, second] = rest,
    has = (...names) => names.some(each => rest.includes(each))
  const conda = () =>
    (["install", "create", "update"].includes(first) || (first === "env" && second === "create")) &&
    !has("--offline", "--clone")
  const git = () =>
    (["clone", "pull", "fetch"].includes(first) || (first === "submodule" && second === "update")) &&
    (first !== "clone" || rest.some(word => /^(https?:\/\/|git@|ssh:\/\/)/.test(word)))
  const fetches = {
    wget: () => rest.some(url),
    curl: () => rest.some(url),
    git,
    conda,
    mamba: conda,
    micromamba: conda,
    npm: () => ["install", "ci"].includes(first),
    cargo: () => first === "install" && !has("--path", "--offline"),
    gdown: () => rest.length > 0,
    wandb: () => ["agent", "sync", "login", "pull"].includes(first),
    nextflow: () => first === "run" && rest.some(word => /^[\w-]+\/[\w.-]+$/.test(word)) && !has("-offline"),
    kaggle: () => has("download"),
    aws: () => first === "s3" && rest.some(word => word.startsWith("s3://")),
    gsutil: () => rest.some(word => word.startsWith("gs://")),
    dvc: () => ["pull", "fetch"].includes(first),
    uv: () => first === "pip" && second === "install" && !has("--no-index", "--offline"),
    Rscript: () =>
      rest.some(word => word.includes("install.packages(") && !word.replaceAll(" ", "").includes("repos=NULL")),
    julia: () => rest.some(word => /Pkg\.(add|update)\(/.test(word)),
    hf: () => first === "download",
    "huggingface-cli": () => first === "download",
    apptainer: () => rest.some(remote),
    singularity: () => rest.some(remote),
  }
  if (!Object.hasOwn(fetches, name) || !fetches[name]()) return null
  return ["wget", "curl"].includes(name) ? name : `${name} ${rest.find(word => /^[a-z]+$/.test(word)) ?? ""}`
}
function* internet({facts, name, commands, certain, say}) {
  if (facts.internet !== false) return
  const everything = commands.flatMap(({words, sets}) => [...words, ...sets]).join(" ")
  if (/httpproxy|https?_proxy|PIP_NO_INDEX|PIP_FIND_LINKS|conda.*--offline/iu.test(everything)) return
  for (const command of certain) {
    const thing = download(command)
    if (!thing) continue
    const cure = thing.startsWith("pip")
      ? "Add --no-index, or install on a login node before the job."
      : "Do it before the job, on a login node."
    const what = `\`${thing}\` needs the internet, but compute nodes of ${name} have no access.`
    yield say("internet-none", what, cure, command, "policy.internet_on_compute_nodes")
  }
}

export const ideas = [loginShell, internet, places, variables, submitInside, endsEarly]
