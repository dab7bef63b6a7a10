// Processes that share a core, where an operator counts hardware threads as cores.
import {many} from "../script/units.js"
import {wholeNode} from "./nodes.js"

/** What runs on hardware threads there, and on cores of its own before: a sentence, or none. */
export function shareCores(from, to, need, plan) {
  const [node] = plan.room.nodes.map(name => to.move.nodes[name])
  const uses = plan.tasksPerNode * plan.perTask
  const had = Object.values(from.move.nodes).some(each => each.threads)
  if (plan.key || had || !node.threads || uses < 2) return []
  const counts = `${to.name} counts hardware threads as cores: a node has ${node.cores / 2} cores with two threads each`
  if (uses <= node.cores / 2)
    return wholeNode(to, plan, need.exclusive && !plan.apart)
      ? []
      : [
          `${counts}, so this job has ${many(Math.ceil(uses / 2), "core")}${plan.nodes > 1 ? " per node" : ""}. If it is too slow, use \`--cpus-per-task=${2 * plan.perTask}\`.`,
        ]
  const per = Math.max(1, Math.floor(node.cores / 2 / plan.perTask))
  const total = plan.nodes * plan.tasksPerNode
  const cure =
    plan.perTask > node.cores / 2
      ? `--cpus-per-task=${node.cores / 2}`
      : `--nodes=${Math.ceil(total / per)} --ntasks=${total}`
  return [`${counts}, and the job uses ${uses} threads. If it is too slow, use \`${cure}\`.`]
}
