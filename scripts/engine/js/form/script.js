// The text of a job script, from a plan: one of the guide's scripts in form and order.
import {clock} from "../script/units.js"
import {isTorch} from "./plan.js"
import {shortMemory} from "./request.js"

const WIDTH = 88
const YOUR_OWN = "# Put your own program here"

function jobName(plan, gpu) {
  if (plan.checkpoint) return "requeue"
  if (plan.array) return "array"
  if (plan.tasks > 1) return "mpi"
  if (["vllm", "finetune"].includes(plan.program)) return plan.program
  if (!gpu) return "many-cpus"
  if (plan.nodes > 1) return "more-nodes"
  return gpu.slice ? "slice" : plan.gpus === 1 ? "one-gpu" : plan.whole ? "full-node" : "several-gpus"
}
function directives(system, plan) {
  const {form} = system,
    gpu = form.gpus[plan.gpu]
  const says = form.says[plan.kind].includes("ntasks") || plan.nodes * plan.tasks > 1
  const request = gpu && (plan.nodes > 1 ? gpu.request.replace("--gpus=", "--gpus-per-node=") : gpu.request)
  const near = plan.nodes > 1 && form.between?.type === gpu?.type && form.between?.constraint
  const constraint = gpu?.constraint ?? near
  return [
    `--job-name=${jobName(plan, gpu)}`,
    form.account && `--account=${form.account}`,
    plan.named && `--partition=${plan.place.name}`,
    constraint && `--constraint=${constraint}`,
    plan.array && `--array=${plan.array}`,
    `--nodes=${plan.nodes}`,
    says && `${plan.nodes > 1 ? "--ntasks-per-node" : "--ntasks"}=${plan.tasks}`,
    plan.cores && `--cpus-per-task=${Math.floor(plan.cores / plan.tasks)}`,
    plan.mib && `--mem=${shortMemory(plan.mib)}`,
    gpu && `${request}${plan.gpus}`,
    `--time=${clock(plan.time * 60)}`,
    ...(plan.checkpoint ? ["--signal=B:USR1@300", "--requeue", "--open-mode=append"] : []),
    plan.mail && "--mail-type=END,FAIL",
    `--output=${plan.array ? "%x-%A-%a" : "%x-%j"}.out`,
  ]
    .filter(Boolean)
    .map(words => `#SBATCH ${words}`)
}

/** One more word behind a command, on a line of its own where the line would be too wide. */
function add(lines, word) {
  const last = lines.at(-1)
  return last.length + word.length < WIDTH
    ? [...lines.slice(0, -1), `${last} ${word}`]
    : [...lines.slice(0, -1), `${last} \\`, `    ${word}`]
}
const command = words => words.slice(1).reduce(add, words.slice(0, 1))
/** The guide's lines for this many GPUs, and for its program that trains on them. */
const counted = (lines, plan) =>
  lines.map(line => line.replaceAll("#", plan.gpus).replace("all_gpus.py", programOf(plan)))
const programOf = plan => (plan.shard ? "fsdp.py" : "all_gpus.py")

/** How the program is started: {env, start}. */
const way = ({form}, plan) =>
  plan.gpu ? form.programs[plan.program] : (form.programs[plan.program].cpu ?? form.programs[plan.program])

/** The environment, and what the programs of the job need of it. */
function setup(system, plan, spread) {
  const {form} = system,
    program = form.programs[plan.program],
    gpu = form.gpus[plan.gpu]
  if (spread && plan.nodes > 1 && program.nodesSetup)
    return program.nodesSetup.map(line => (line.startsWith("# ") ? line : counted([line], plan)[0]))
  const each =
    !gpu || plan.tasks > 1
      ? '"$SLURM_CPUS_PER_TASK"'
      : plan.cores
        ? `"$((SLURM_CPUS_PER_TASK / ${plan.gpus}))"`
        : gpu.share.cores
  return [
    "set -euo pipefail",
    ...way(system, plan).env,
    plan.cores && 'export SRUN_CPUS_PER_TASK="$SLURM_CPUS_PER_TASK"',
    (spread || !gpu || (plan.tasks > 1 && plan.cores)) && `export OMP_NUM_THREADS=${each}`,
    spread && plan.nodes > 1 && 'first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"',
  ].filter(Boolean)
}
/** The lines of the command that starts the work. */
function work(system, plan, spread, srun) {
  const {form} = system,
    program = form.programs[plan.program]
  const named = spread ? !plan.shard && "--steps " : plan.checkpoint && plan.gpu && "--epochs "
  const number = plan.array ? [`${named || ""}"$SLURM_ARRAY_TASK_ID"`] : []
  if (spread) {
    const own = program.commands?.[plan.nodes > 1 ? "nodes" : plan.whole ? "whole" : "several"]
    if (own) return number.reduce(add, counted(own, plan))
    const start = `${srun}${program.start}-m torch.distributed.run`
    const meet = ["--rdzv-backend=c10d", '--rdzv-id="$SLURM_JOB_ID"', '--rdzv-endpoint="$first_node:29500"']
    const size = plan.nodes > 1 ? ['--nnodes="$SLURM_NNODES"'] : ["--standalone"]
    const words = [
      start,
      ...size,
      `--nproc-per-node=${plan.gpus}`,
      ...(plan.nodes > 1 ? meet : []),
      programOf(plan),
      ...number,
    ]
    return command(words)
  }
  if (program.command) {
    const own = plan.array ? /(\w+)\.jsonl/g : null
    const lines = program.command.map(line => {
      const named = plan.model ? line.replace(/(?<=--model )\S+/, plan.model) : line
      return own ? named.replaceAll(own, '"$1-$SLURM_ARRAY_TASK_ID.jsonl"') : named
    })
    return plan.gpus > 1 ? add(lines, `--tensor-parallel-size ${plan.gpus}`) : lines
  }
  if (plan.program === "own-command") return command([`${srun}./my_program`, ...number])
  const start = `${srun}${way(system, plan).start}`
  if (plan.program === "jax") return command([`${start}multiply_jax.py`, ...number])
  if (plan.program === "numba") return command([`${start}vectorize.py`, ...number])
  if (plan.checkpoint && plan.gpu) return command([`${start}checkpoint.py`, ...number])
  return command([`${start}matmul.py --device ${plan.gpu ? "gpu" : "cpu"}`, ...sizeOf(plan)])
}
/** A matrix of a size for each job of the array, as in the guide's own script; for other arrays, one that fits every GPU. */
function sizeOf({array}) {
  if (!array) return []
  const size = /^1-4\b/.test(array) ? "2048 * SLURM_ARRAY_TASK_ID" : "1024 + SLURM_ARRAY_TASK_ID % 4096"
  return [`--size "$((${size}))"`]
}
function comment(plan, spread) {
  if (plan.checkpoint) return `${YOUR_OWN}. It must resume from what it saved:`
  if (plan.array) return `${YOUR_OWN}. The number is the job's index in the array:`
  if (plan.tasks > 1) return `${YOUR_OWN}, one written for MPI:`
  if (plan.shard) return `${YOUR_OWN}, one that shards its model with FSDP:`
  if (plan.nodes > 1) return `${YOUR_OWN}, one written for several nodes:`
  return spread || plan.gpus > 1 ? `${YOUR_OWN}, one written for several GPUs:` : `${YOUR_OWN}:`
}

/** The script's text, with a line's end at its end. */
export function textOf(system, plan) {
  const {form} = system,
    program = form.programs[plan.program]
  const spread = isTorch(plan.program) && plan.gpus * plan.nodes > 1
  const srun = form.srun || plan.nodes * plan.tasks > 1 || !plan.gpu ? "srun " : ""
  const check =
    plan.gpu && isTorch(plan.program) && !plan.array && !plan.checkpoint && plan.nodes === 1 && !(plan.whole && spread)
  let lines = work(system, plan, spread, srun)
  if (plan.checkpoint) lines = [...lines.slice(0, -1), `${lines.at(-1)} &`]
  return (
    [
      "#!/bin/bash -l",
      ...directives(system, plan),
      "",
      ...setup(system, plan, spread),
      "",
      ...(plan.checkpoint ? [...form.again, ""] : []),
      ...(check ? [`${srun}${program.start}check_gpu.py --expect ${plan.gpus}`] : []),
      comment(plan, spread),
      ...lines,
      ...(plan.checkpoint ? ["program=$!", 'wait "$program"'] : []),
    ].join("\n") + "\n"
  )
}
