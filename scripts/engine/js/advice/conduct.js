// Advice about what an operator forbids, or what cannot be reached: other nodes, tunnels, Docker, profilers, servers.
import {SETUP} from "./case.js"
import {base, program, programs, started} from "../script/payload.js"
import {has, optionValue} from "./runs.js"

const NODE = /\$|^(?:nid|node|cn|gpu|[a-z]{1,3}g?\d\d)\w*$/i
/** ssh to the job's nodes, where the operator allows none. */
function* ssh({facts, name, commands, job, expand, say}) {
  if (facts.ssh !== false) return
  for (const command of commands) {
    const {words, through} = started(command.words)
    const own = words.map(expand),
      tool = base(own[0] ?? "")
    const host =
      own
        .slice(1)
        .find((word, at, all) => !word.startsWith("-") && !/^-[ilpoFJLRDbcEeImOQSWw]$/.test(all[at - 1] ?? "")) ?? ""
    const parallel = through.find(each => each.name === "parallel")
    const reaches =
      (tool === "ssh" && NODE.test(host.split("@").at(-1)) && !/\.\w+/.test(host)) ||
      /^(?:pdsh|clush|pssh|parallel-ssh)$/.test(tool) ||
      (parallel && has(parallel.words, ["-S", "--sshlogin", "--sshloginfile", "--slf"])) ||
      (tool === "deepspeed" && job.nodes > 1 && !has(own, ["--launcher"]) && has(own, ["--hostfile", "-H"]))
    if (!reaches) continue
    const thing = parallel && tool !== "ssh" ? "parallel" : tool
    const what = `${thing} uses ssh, but ${name} allows no ssh to compute nodes, not even to those of the job.`
    yield say("ssh-to-nodes", what, "Start the program with srun, --overlap and --nodelist.", command, {
      fact: "policy.ssh_to_nodes",
      kind: "fails",
    })
    return
  }
}

/** Tunnels by which a third party decides who gets in. */
function* tunnels({facts, name, commands, say}) {
  for (const command of commands) {
    const {words} = started(command.words),
      tool = base(words[0] ?? "")
    const through =
      (/^(?:code|code-insiders|code-server)$/.test(tool) && words[1] === "tunnel") ||
      (tool === "cloudflared" && words.includes("tunnel")) ||
      /^(?:ngrok|tailscaled?|zrok|bore|localtunnel|lt|chisel|frpc)$/.test(tool)
    if (!through) continue
    const what =
      facts.tunnels === false
        ? `${tool} opens a tunnel through third-party servers, which ${name} forbids.`
        : `${tool} opens a way into the cluster through third-party servers, which operators forbid.`
    const cure = "Use the operator's web interface, or ssh -L through a login node."
    yield say("tunnel-through-others", what, cure, command, facts.tunnels === false ? "policy.remote_tunnels" : {})
    return
  }
}

const OWN_MPI = /openmpi|impi|intelmpi|mvapich|conda|activate|(?:^|\s)PATH=/i
/** mpirun where the MPI of the system has none. */
function* mpirun({facts, name, commands, job, say}) {
  if (facts.mpirun !== false || commands.some(({text}) => OWN_MPI.test(text))) return
  for (const command of commands) {
    if (!/^(?:mpirun|mpiexec)$/.test(command.words[0] ?? "") || command.condition) continue
    const what = `${name} starts MPI programs with srun, and its MPI has no ${command.name}.`
    const own = command.words.filter(word =>
      /^--?(?:map-by|bind-to|rank-by|report-bindings|mca|x|ppn|npernode)$/.test(word),
    )
    const without = own.length ? ` without ${own.join(", ")}` : ""
    const tasks = job.tasks || job.tasks_per_node ? "." : ", and request the number of tasks with --ntasks."
    yield say("mpirun-not-there", what, `Write srun${without}${tasks}`, command, {
      fact: "policy.mpirun",
      kind: "fails",
    })
    return
  }
}

const CONDA = /(?:ana|mini)conda|miniforge|mambaforge/i
export const INSTEAD_OF_CONDA = "Use a virtualenv with pip install --no-index, or a container."
/** Anaconda and its kin, where the operator asks users not to install them. */
function* conda({facts, name, commands, say}) {
  if (facts.conda !== false) return
  const command = commands.find(
    each =>
      /^(?:conda|mamba|micromamba)$/.test(program(each)) ||
      (/^(?:source|\.|eval|module|ml|bash|sh)$/.test(each.name) && CONDA.test(each.text)) ||
      (each.sets.concat(each.name === "export" ? each.words : []).some(part => /^PATH=/.test(part)) &&
        CONDA.test(each.text)) ||
      CONDA.test(each.words[0] ?? "") ||
      (each.name === "source" && each.words[1] === "activate") ||
      (program(each) === "snakemake" && has(each.words, ["--use-conda", "--sdm conda"])) ||
      (program(each) === "nextflow" && has(each.words, ["-with-conda", "-profile conda"])),
  )
  if (!command) return
  const what = `${name} asks its users not to install Anaconda, because Anaconda fills the file quota, and its programs are not built for these processors.`
  yield say("conda-not-wanted", what, INSTEAD_OF_CONDA, command, "policy.conda")
}

const ELSEWHERE = /^(?:enroot|shifter|shifterimg|sarus|ch-run)$/
/** A container tool that the system has not. */
function* containerTool({facts, name, commands, say}) {
  const tool = facts.software.container_tool
  if (!tool) return
  const loaded = commands.some(({text}) => /^(?:module|ml)\s.*apptainer|PATH=/.test(text))
  for (const command of commands) {
    const {through, words} = started(command.words)
    const names = [...through.map(each => each.name), base(words[0] ?? "")]
    const other = names.find(
      each => ELSEWHERE.test(each) || (each === "apptainer" && /^Singularity/.test(tool) && !loaded),
    )
    if (!other) continue
    const what = `compute nodes of ${name} have no ${other}. The container tool there is ${tool}.`
    const cure = `Write ${/^singularity/i.test(tool) ? "singularity" : "apptainer"} exec IMAGE.sif, with an image that you built from the other one.`
    yield say("container-tool-not-there", what, cure, command, {group: "software", kind: "fails"})
    return
  }
}

/** GPU profilers, where they may not read its counters. */
function* profilers({facts, name, wantsGpu, commands, say}) {
  for (const command of wantsGpu && facts.profilers === false ? commands : []) {
    const {through, words} = started(command.words)
    const tool = [...through, {name: base(words[0] ?? ""), words}].find(
      each =>
        /^(?:ncu|nv-nsight-cu-cli|nvprof)$/.test(each.name) || (each.name === "nsys" && each.words.includes("profile")),
    )
    if (!tool) continue
    const what = `${tool.name} is a profiler, and ${name} does not support profilers yet.`
    const cure = "Profile on a different system, or use PyTorch's own profiler."
    return yield say("profiler-not-allowed", what, cure, command, "policy.profilers")
  }
}

/** What listens on its own computer alone unless it is told otherwise: program, its option, values that change it. */
/** @type {[RegExp, string[]][]} */
const SERVERS = [
  [/^jupyter(?:-\w+)?$/, ["--ip", "--ServerApp.ip", "--NotebookApp.ip"]],
  [/^tensorboard$/, ["--host", "--bind_all"]],
  [/^code-server$/, ["--bind-addr", "--host"]],
  [/^mlflow$/, ["--host", "-h"]],
]
const LOCAL = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/
const FORWARD = /-L\s*["']?(?:[\w.*]+:)?[\w${}()\s-]+:([^:\s]+(?:\s+-\w+\))?):[\w${}()]+/g
/** A server that only its own node reaches, and a tunnel that ends at a login node. */
function* onLocalhost({facts, name, commands, lines, expand, say}) {
  for (const command of commands) {
    for (const {words, through} of programs(command)) {
      const own = words.map(expand),
        tool = base(own[0] ?? "")
      const server = SERVERS.find(([of]) => of.test(tool))
      if (
        !server ||
        (tool === "jupyter" && !/^(?:lab|notebook|server)$/.test(own[1] ?? "")) ||
        (tool === "mlflow" && own[1] !== "ui" && own[1] !== "server")
      )
        continue
      if (has(own, ["--bind_all"]) || through.some(each => each.name === "apptainer" && /NOTEBOOK/.test(command.text)))
        continue
      const at =
        optionValue(own, server[1]) ??
        own
          .map(word =>
            server[1].map(option => word.startsWith(`${option}=`) && word.slice(option.length + 1)).find(Boolean),
          )
          .find(Boolean)
      if (at ? !LOCAL.test(at) : /\$\{?\w*(?:OPT|ARG|FLAG)/i.test(command.text)) continue
      const text = lines.join("\n")
      const targets = [...text.matchAll(FORWARD)].map(([, target]) => target)
      const jumps = /ssh\b[^\n]*\s-(?:J|oProxyJump)|ProxyJump/.test(text)
      const reached =
        facts.ssh !== false && (jumps || targets.some(target => LOCAL.test(target)) || /ssh\b[^\n]*\s-R/.test(text))
      if (reached || !(targets.length || facts.ssh === false || at)) continue
      const what = `${tool} listens on localhost, which only its own node can reach, so a tunnel through a login node of ${name} cannot reach it.`
      yield say("server-on-localhost", what, `Write ${server[1][0]}="$(hostname)".`, command, {kind: "fails"})
      return
    }
  }
}

const VIEWS =
  /paraview|pvserver|pvbatch|pvpython|visit\b|vmd\b|ovito|blender|vnc|vgl|virtualgl|xvfb|render|movie|video|ffmpeg|pyvista|vtk|napari|chimera|pymol|plot|figure|frames?\b|image[sr]?y?\b|x11|display|desktop|visual|viz\b/i
const IDLE = /(\d+)\s*h(?:ours?)?\b/i
/** A long step that cannot see the GPU for which the job pays. */
function* idleGpu({wantsGpu, certain, lines, say}) {
  if (!wantsGpu) return
  const option = /\s--(?:nv|rocm|nvccli)\b/
  const inside = certain.filter(({text}) => /\b(?:apptainer|singularity)\s+(?:exec|run)\b/.test(text))
  const shown = inside.some(({text}) => option.test(text))
  for (const command of certain) {
    const hidden =
      command.sets.some(part => /^(?:CUDA|HIP|ROCR)_VISIBLE_DEVICES=(?:-1|""|'')?$/.test(part)) &&
      command.words.length > 0
    const beside = `${lines[command.line - 2] ?? ""} ${lines[command.line - 1]}`.replace(/^[^#]*/, "")
    const without = shown && inside.includes(command) && !option.test(command.text)
    const told = /\bCPUs?[- ]only\b|\bonly (?:on )?(?:the )?CPUs?\b/i.test(beside) && !SETUP.has(program(command))
    if (command.background || !(hidden || without || (told && command !== certain.at(-1)))) continue
    const hours = Number(IDLE.exec(beside)?.[1] ?? 0)
    if (!hours) continue
    const what = `the GPU is idle for about ${hours} h, because this step does not use it.`
    const cure = "Run the step in a job of its own without a GPU, and submit the other job with --dependency."
    yield say("gpu-idle-in-a-step", what, cure, command)
  }
}

/** A partition for one use only, and a job of another use. */
function* otherUse({facts, job, partitions, option, commands, lines, say}) {
  const at = option("partition")
  if (!at) return
  for (const [name, {only_for: use}] of partitions()) {
    const body = commands.map(({text}) => text).join("\n")
    const again = commands.some(
      each => program(each) === "sbatch" || (each.name === "scontrol" && each.words[1] === "requeue"),
    )
    const production = lines.some(line =>
      /^#SBATCH.*(?:--job-name=|-J\s*)(?:\S*[-_])?prod(?:uction)?(?:[-_\d]|\s|$)|^\s*#(?!SBATCH)(?!.*\b(?:no|not|before|for)\b).*\bproduction\b/i.test(
        line,
      ),
    )
    const otherwise =
      use === "visualization"
        ? commands.length > 0 && !VIEWS.test(`${body}\n${lines.join("\n").replaceAll(at.written, "")}`)
        : use === "tests" && (again || production || (job.array && /-|,/.test(job.array)) || option("dependency"))
    if (!otherwise) continue
    const what = `\`${at.written}\` selects ${name}, which is for ${use} only, and other work there can cost you your account.`
    const others = Object.entries(facts.partitions).filter(
      ([key, other]) =>
        key !== name &&
        !other.only_for &&
        !other.access &&
        job.gpus_total > 0 === other.nodes.some(node => Object.keys(facts.nodes[node].gpus).length > 0),
    )
    const cure = others.length
      ? `Use ${others
          .map(([key]) => key)
          .slice(0, 2)
          .join(" or ")}.`
      : "Use another partition."
    yield say("partition-for-another-use", what, cure, at, `partitions.${name}.only_for`)
  }
}

export const ideas = [mpirun, conda, idleGpu, ssh, tunnels, containerTool, profilers, onLocalhost, otherUse]
