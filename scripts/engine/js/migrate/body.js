// The commands of a script that moves: software, what starts a program, paths, numbers of GPUs.
import {data} from "../data.js"
import {leftoversOf, sameSoftware} from "./leftovers.js"

const escaped = text => text.replace(/[\\^$.|?*+()[\]{}]/g, sign => `\\${sign}`)
// Where a system has one place of a project for both.
const INSTEAD = {"A project's programs": "A project's data", "A project's data": "A project's programs"}
const OWN_DISK = "The node's own disk"
// What many systems call their places, whether their pages say so or not.
const ALIASES = [
  ["Data for running jobs", "$SCRATCH"],
  ["A project's data", "$PROJECT"],
]
// What there is none of: without its article.
const bare = kind =>
  kind === OWN_DISK
    ? "disk of the node's own"
    : kind.replace(/^(?:An?|The|Your) /, "").replace(/^[A-Z](?![A-Z])/, letter => letter.toLowerCase())
const PATHS = /^#SBATCH\s.*?(?:--(?:output|error|input|chdir)|(?<=\s)-[oeiD])[= ]*\S*\//
const CONTAINER = /\b(?:apptainer|singularity)\s+(?:exec|run)\b/
// Settings that name a node's processors, network devices or directories of its GPU's libraries.
const MACHINE =
  /--cpu-bind=["']?(?:mask|map)_cpu\S*|\b(?:NCCL|FI|UCX|MPICH|GLOO|TP)_\w*(?:IFNAME|DEVICES|PROVIDER|NIC|HCA)\w*=\S*|\b(?:MIOPEN|HSA|ROCR)_\w+=\S*/
const BARE = /^(\s*(?:srun\s+(?:-\S+\s+)*)?)(python3?|torchrun)(?=\s)/

/** @typedef {{nodes: number, per: number}} Size nodes, and GPUs on each */

/**
 * @param {System} from @param {System} to
 * @param {{account: string, newAccount: string, kind: string, anew: boolean, amd: boolean, old: Size, now: Size}} job
 * @returns a function of the script's lines below its directives, and of the directives, whose paths it UPDATES; it
 *   gives {lines: [{text, from, reason}], impossible: [sentence]}; `from` null: a new line
 */
export function bodyMover(from, to, job) {
  const here = from.move,
    there = to.move
  const own = new Set(
    Object.values(here.software.setup)
      .flat()
      .filter(line => !/^(export SRUN|EOF$)/.test(line)),
  )
  const impossible = new Set(),
    folders = new Set()
  const plain = line => (job.account && here.account.sample ? line.split(job.account).join(here.account.sample) : line)
  const software = line =>
    own.has(plain(line)) || (line === "EOF" && own.has('virtualenv --no-download "$SLURM_TMPDIR/env"'))

  return (lines, directives) => {
    const found = []
    const reason = `Loads the software on ${to.name}. Create your own environment again there.`
    let replaced = false
    const setup = there.software.setup[job.kind].map(line => put(line, there.account.sample, job.newAccount))
    const left = leftoversOf(from, to, lines)
    const steps = setup.some(line => line.startsWith("export SRUN"))
    for (const line of lines) {
      if (software(line)) {
        found.push({text: null, from: line, reason})
        if (!replaced) for (const text of setup) found.push({text, from: null, reason})
        replaced = true
      } else found.push({text: line, from: line, reason: ""})
    }
    for (const each of found)
      if (each.from !== null && each.text !== null) {
        change(each, replaced, steps)
        if (each.text !== null && !each.text.trimStart().startsWith("#"))
          for (const said of left(each.text)) impossible.add(said)
      }
    for (const each of directives) if (PATHS.test(each.text ?? "")) place(each, left)
    return {lines: pair(made(spread(found))), impossible: [...impossible]}
  }

  /** The paths of a directive, in which no shell puts values. */
  function place(each, left) {
    const [text, why] = paths(each.text, true),
      now = text.replaceAll("$USER", "%u")
    if (now.includes("%u") && !each.text.includes("%u") && /\s(?:--chdir|-D)/.test(now))
      impossible.add(`\`${each.text}\`: it does not expand user names. Write your own directory there.`)
    else if (now !== each.text) {
      each.text = now
      each.reason = [each.reason, why].filter(Boolean).join(" ")
    }
    for (const said of left(each.text)) impossible.add(said)
  }

  function change(each, replaced, steps) {
    const edit = (text, reason) => {
      if (text === each.text) return
      each.text = text
      each.reason = [each.reason, reason].filter(Boolean).join(" ")
    }
    if (each.text.startsWith("#")) return
    if (replaced && steps && /^export SRUN_CPUS/.test(each.text)) {
      each.text = null
      each.reason = "It comes earlier, before the first step."
      return
    }
    if (replaced) edit(launch(each.text), "Starts programs as this system requires.")
    edit(variables(each.text), "Slurm's name for this variable.")
    edit(...modules(each.text))
    edit(counts(each.text), `A node has ${job.now.per} GPUs for this job.`)
    if (job.amd) edit(each.text.replace(/^(\s*(?:srun\s+)?)nvidia-smi(\s*(?:#.*)?)$/, "$1rocm-smi$2"), "For AMD GPUs.")
    else if (job.kind !== "cpu")
      edit(each.text.replace(/^(\s*(?:srun\s+)?)rocm-smi(?=\s|$).*/, "$1nvidia-smi"), "For NVIDIA GPUs.")
    if (CONTAINER.test(each.text))
      edit(
        each.text.replace(job.amd ? /\s--nv(?=\s)/ : /\s--rocm(?=\s)/, job.amd ? "" : " --nv"),
        `For the GPUs on ${to.name}.`,
      )
    const machine = MACHINE.exec(each.text)?.[0]
    if (machine)
      impossible.add(
        `\`${machine}\`: this is for the nodes of ${from.name}. Remove it, or use what ${to.name} documents.`,
      )
    const [text, why] = paths(each.text)
    edit(text, why)
  }

  /** What stands before a program: a container, or nothing. */
  function launch(line) {
    const cpu = job.kind === "cpu"
    const [a, b] = [here.software, there.software]
    const forms = [
      [a.torchrun, b.torchrun],
      [a.python, cpu ? b.cpu : b.python],
      [a.cpu, cpu ? b.cpu : b.python],
    ]
    if (a.image) {
      for (const [old, now] of forms)
        for (const image of ['"$image"', a.image, `"${a.image}"`]) {
          const at = old.replace('"$image"', image)
          if (line.includes(`${at} `)) return line.replace(`${at} `, `${now} `)
          if (line.includes(`${at}\\`)) return line.replace(at, now)
        }
      return line
    }
    if (!b.image) return line
    const python = cpu ? b.cpu : b.python
    return line.replace(BARE, (_, before, program) => before + (program === "torchrun" ? b.torchrun : python))
  }

  function variables(line) {
    if (from.kind !== "grid_engine") return line
    for (const [old, now] of Object.entries(data.move.variables)) {
      const name = old.slice(1)
      line = line.replace(RegExp(`\\$\\{?${name}\\b(\\})?`, "g"), (_, end) => (end ? `\${${now.slice(1)}}` : now))
    }
    return line
  }

  function modules(line) {
    const parts = /^(\s*module\s+(?:-q\s+)?(?:load|add)\s+)(.*?)(\s*(?:#.*)?)$/.exec(line)
    if (!parts || (sameSoftware(from, to) && !job.anew)) return [line, ""]
    const now = parts[2].split(/\s+/).map(name => {
      const bare = name.split("/")[0]
      const renamed = there.renamed.find(([old]) => old === name || old === bare)
      const other = there.modules.find(each => each.split("/")[0] === (renamed ? renamed[1] : bare).split("/")[0])
      return other ?? renamed?.[1] ?? null
    })
    const lost = parts[2].split(/\s+/).filter((_, i) => !now[i])
    for (const name of lost)
      impossible.add(`We know no module ${name} on ${to.name}. Search with module spider ${name.split("/")[0]}.`)
    const kept = now.filter(Boolean).join(" ")
    const note = lost.length ? `# module load ${lost.join(" ")}` : ""
    const why = note
      ? `We do not know all of these modules on ${to.name}. Search for them, and write their names.`
      : `The module's name on ${to.name}.`
    return [kept ? `${parts[1]}${kept}${note ? `  ${note}` : parts[3]}` : note, why]
  }

  function counts(line) {
    if (!job.old.per || job.old.per === job.now.per) return line
    const {per} = job.now
    return line
      .replace(RegExp(`(--nproc[-_]per[-_]node[= ]|--expect )${job.old.per}\\b`, "g"), `$1${per}`)
      .replace(RegExp(`(SLURM_CPUS_PER_TASK / )${job.old.per}\\b`, "g"), `$1${per}`)
  }

  /** Each path of the old system by what it is for. */
  function paths(line, directive = false) {
    const anew = job.newAccount && job.newAccount !== job.account
    const reasons = new Set()
    const aliases =
      here.centre === there.centre ? [] : ALIASES.filter(([, path]) => !here.places.some(place => place[1] === path))
    for (const [kind, path] of [...here.places, ...aliases]) {
      const of = wanted => wanted && there.places.find(([other]) => other === wanted)
      const place = there.places.find(([, other]) => other === path) ?? of(kind) ?? of(INSTEAD[kind])
      if ((place && place[1] === path && !(anew && path.includes("<"))) || (directive && kind === OWN_DISK)) continue
      const parts = path
        .split(/(<\w+>|\$\w+)/)
        .map(part => (/^(<\w+>|\$USER)$/.test(part) ? `(?:\\$\\{?\\w+\\}?|[A-Za-z0-9_.-]+)` : escaped(part)))
      const begin = path[0] === "$" ? "" : "(?<![\\w$}/.~-])"
      const pattern = RegExp(`${begin}${parts.join("")}(?![A-Za-z0-9_-])`, "g")
      if (!pattern.test(line)) continue
      if (!place)
        impossible.add(`${to.name} has no ${kind ? bare(kind) : "storage"} like ${path}. Choose another place for it.`)
      else {
        const group = job.newAccount ?? there.account.sample ?? "$USER"
        let now = place[1].replace(/<user>/g, "$USER").replace(/<\w+>/g, group)
        if (directive && /\$(?!USER)/.test(now)) {
          impossible.add(
            `${to.name} has ${now} instead of ${path}, but directives do not expand variables. Write the directory itself.`,
          )
          continue
        }
        if (kind === OWN_DISK && !now.includes("$")) folders.add((now = `${now}/$SLURM_JOB_ID`)) // others' jobs are there, too
        line = line.replace(pattern, now.replace(/\$/g, "$$$$"))
        reasons.add(`${place[0]}, as ${to.name} calls it.`)
      }
    }
    return [line, [...reasons].join(" ")]
  }

  /** A folder of the job's own, where a node's disk is for all; it is gone when the job ends. */
  function made(found) {
    const traps = found.some(each => /^\s*trap /.test(each.text ?? ""))
    for (const folder of folders) {
      const at = found.findIndex(each => each.text?.includes(folder))
      const reason = "All jobs on a node share this place, so the job creates its own directory and removes it."
      const lines = [`mkdir -p "${folder}"`, ...(traps ? [] : [`trap 'rm -rf "${folder}"' EXIT`])]
      found.splice(at, 0, ...lines.map(text => ({text, from: null, reason})))
    }
    return found
  }

  /** A program that torchrun starts on one node, now on several. */
  function spread(found) {
    if (job.kind === "cpu" || job.now.nodes === 1 || job.old.nodes > 1) return found
    const starts = at => (at > 0 && found[at - 1].text?.endsWith("\\") ? starts(at - 1) : at)
    const isStart = ({text}, at) => text?.includes("--standalone") && found[starts(at)].text.includes("torchrun")
    const at = found.findIndex(isStart)
    const reason = `The job now has ${job.now.nodes} nodes, so the processes must connect.`
    if (at < 0) {
      impossible.add(
        `${to.name} gives these GPUs only on ${job.now.nodes} nodes, so the program must support multiple nodes.`,
      )
      return found
    }
    const each = found[at]
    each.text = each.text.replace(
      "--standalone",
      `--nnodes="$SLURM_NNODES" --rdzv-backend=c10d \\\n    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500"`,
    )
    each.reason = `${each.reason} ${reason}`.trim()
    const text = `first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"`
    const first = {text, from: null, reason}
    let before = starts(at)
    while (before > 0 && found[before - 1].text?.startsWith("#")) before--
    return [...found.slice(0, before), first, ...found.slice(before)]
  }
}

/** Lines that go, beside those that come in their place. */
function pair(found) {
  const lines = []
  for (let at = 0; at < found.length; at++) {
    if (found[at].text !== null && found[at].from !== null) {
      lines.push(found[at])
      continue
    }
    const gone = [],
      come = []
    for (; at < found.length && (found[at].text === null || found[at].from === null); at++)
      (found[at].text === null ? gone : come).push(found[at])
    at--
    for (let i = 0; i < Math.max(gone.length, come.length); i++)
      lines.push({text: come[i]?.text ?? null, from: gone[i]?.from ?? null, reason: (come[i] ?? gone[i]).reason})
  }
  return lines
}

const put = (line, sample, account) => (sample && account ? line.split(sample).join(account) : line)
