// What the scheduler accepts and the cluster's pages warn of: one idea a function, by what the idea is about.
import {components} from "../script/directives.js"
import {shellOf} from "../script/script.js"
import {ideas as onBody} from "./body.js"
import {ideas as onCalls} from "./calls.js"
import {caseOf} from "./case.js"
import {ideas as onChains} from "./chains.js"
import {ideas as onCores} from "./cores.js"
import {ideas as onData} from "./data.js"
import {ideas as onDevices} from "./devices.js"
import {ideas as onFits} from "./fits.js"
import {ideas as onLaunchers} from "./launchers.js"
import {ideas as onConduct} from "./conduct.js"
import {ideas as onContainers} from "./containers.js"
import {ideas as onDisks} from "./disks.js"
import {ideas as onHardware} from "./hardware.js"
import {ideas as onOrder} from "./order.js"
import {ideas as onPrograms} from "./programs.js"
import {ideas as onRequest} from "./request.js"
import {ideas as onSlips} from "./slips.js"
import {ideas as onSoftware} from "./software.js"
import {ideas as onStart} from "./start.js"
import {ideas as onTimes} from "./times.js"
import {ideas as onMemory} from "./memory.js"
import {ideas as onModels} from "./models.js"
import {ideas as onWork} from "./work.js"

const IDEAS = [
  ...onRequest,
  ...onStart,
  ...onPrograms,
  ...onSoftware,
  ...onBody,
  ...onModels,
  ...onWork,
  ...onCalls,
  ...onChains,
  ...onSlips,
  ...onData,
  ...onLaunchers,
  ...onFits,
  ...onCores,
  ...onMemory,
  ...onDevices,
  ...onDisks,
  ...onConduct,
  ...onContainers,
  ...onHardware,
  ...onOrder,
  ...onTimes,
]

/**
 * The advice about a script, each once.
 * @param {System} system with `advice`, as scripts/engine/data/advice.py writes it
 * @param {string} text without what keeps a file from being a script
 * @param {Option[]} options of its directives
 * @param {(Asked | null)[]} jobs what the scheduler understood, as schedulers/slurm/request.js has it: one for each component; null: nothing
 * @param {string} [file] what the findings call it
 */
export function advice(system, text, options, jobs, file = "job.sh") {
  if (!system.advice) return []
  const lines = text.split("\n"),
    {commands} = shellOf(lines),
    parts = components(options)
  const understood = jobs.length === parts.length ? jobs : parts.map(() => null)
  const cases = parts.map((part, place) => caseOf(system, understood[place], part, commands, lines, file))
  const found = cases.flatMap(each => IDEAS.flatMap(idea => [...idea(each)]))
  return [...new Map(found.map(each => [JSON.stringify(each), each])).values()]
}
