// What one node did alone, in a job that now has several: torchrun's program, and copies to the node's own disk.
import {quoted} from "./amounts.js"
import {OWN_DISK} from "./places.js"

const TORCHRUN = /torchrun|torch\.distributed\.(?:run|launch)/

/** The lines, which start it on each node. @param {any[]} found the lines, UPDATED @param {Set<string>} said UPDATED */
export function spread(to, job, found, said) {
  const disk = to.move.places.find(([kind]) => kind === OWN_DISK)?.[1]
  const copies = ({text}) => /^\s*(?:cp|rsync|tar|unzip|mkdir)\s/.test(text ?? "") && text.includes(disk)
  const [first] = job.old.nodes === 1 && job.now.nodes > 1 && disk ? found.filter(copies) : []
  if (first)
    said.add(
      `The job now has ${job.now.nodes} nodes, but ${quoted(first.text)} runs only on the first, and each node has its own \`${disk}\`. Start such lines with \`srun --ntasks-per-node=1 --ntasks=${job.now.nodes}\`, or use a directory that all nodes share.`,
    )
  if (job.kind === "cpu" || job.now.nodes === 1 || job.old.nodes > 1) return found
  const starts = at => (at > 0 && found[at - 1].text?.endsWith("\\") ? starts(at - 1) : at)
  const isStart = ({text}, at) => text?.includes("--standalone") && TORCHRUN.test(found[starts(at)].text)
  const at = found.findIndex(isStart)
  const reason = `The job now has ${job.now.nodes} nodes, so the processes must connect to each other.`
  if (at < 0) {
    said.add(
      `On ${to.name}, ${job.now.nodes * job.now.per} GPUs are spread over ${job.now.nodes} nodes, so the program must support multiple nodes. Otherwise, use the GPUs of one node.`,
    )
    return found
  }
  const each = found[at]
  each.text = each.text.replace(
    "--standalone",
    `--nnodes="$SLURM_NNODES" --rdzv-backend=c10d \\\n    --rdzv-id="$SLURM_JOB_ID" --rdzv-endpoint="$first_node:29500"`,
  )
  each.reason = `${each.reason} ${reason}`.trim()
  const begin = found[starts(at)]
  if (!/\bsrun\b/.test(begin.text)) {
    begin.text = begin.text.replace(/^(\s*(?:\w+=\S+\s+)*)/, "$1srun ")
    begin.reason ||= reason
  }
  const text = `first_node="$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)"`
  const top = {text, from: null, reason}
  let before = starts(at)
  while (before > 0 && found[before - 1].text?.startsWith("#")) before--
  return [...found.slice(0, before), top, ...found.slice(before)]
}
