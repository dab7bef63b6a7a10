// What a script asks for and starts, for whoever compares it with what was wanted.
import {needOf} from "../migrate/need.js"
import {OWN_DISK} from "../migrate/places.js"
import {arrayTasks} from "../schedulers/slurm/quantities.js"
import {base, fills, programs} from "./payload.js"
import {scriptOf} from "./script.js"

const CONTAINER = /^(?:apptainer|singularity|podman-hpc|shifter)$/
const ENVIRONMENT = /\/activate$|\bactivate\b/

/** The partition that the script names: two may be of one name, so that which has the job's kind of node. */
function placeOf(system, name, gpus) {
  const same = Object.entries(system.partitions ?? {}).filter(([key, facts]) =>
    name ? (system.why.partitions[key]?.called ?? key) === name : facts.default,
  )
  const has = ([, {nodes}]) => Object.keys(nodes).some(node => system.nodes[node].gres.length > 0 === gpus > 0)
  return (same.find(has) ?? same[0])?.[1] ?? null
}

/** MiB on each node of a job that names none; null where that is not published. */
function unsaid(place, {perNode, share, tasksPerNode, perTask}, leftOut) {
  if (perNode && leftOut) return share?.memory ? share.memory * perNode : null
  if (perNode && place?.memory_per_gpu) return place.memory_per_gpu * perNode
  if (place?.memory_per_cpu) return place.memory_per_cpu * tasksPerNode * perTask
  return place?.memory_per_node ?? null
}

/**
 * @param {System} system @param {string} text @param {Option[]} options
 * @returns as `needOf`, and: error, why bash cannot read it; directives, how many; account; whole: full nodes; jobs and
 *   atOnce, of its array; runs: what its commands start, each a list of words; brings: the modules that it loads,
 *   `container`, `environment`; disk: does it copy to the node's own disk?
 */
export function asksOf(system, text, options) {
  /** @type {any} */
  const need = needOf(system, options)
  const {shell, directives} = scriptOf(text, system.kind)
  const value = name => options.findLast(each => each.name === name)?.value ?? null
  const place = placeOf(system, need.partition, need.gpus)
  const leftOut = ["leave out", "ignored"].includes(system.move.memory[need.gpus ? "gpu" : "cpu"])
  const all = shell.commands.flatMap(command => programs(command))
  const brings = shell.commands.flatMap(({words: [name, sub, ...rest], sets, text}) =>
    name === "module" && /^(?:load|add)$/.test(sub ?? "")
      ? rest
      : name === "ml"
        ? [sub, ...rest]
        : ENVIRONMENT.test(text) || sets.some(each => /^PATH=.*\/bin\b/.test(each)) || /PATH=\S*\/bin:/.test(text)
          ? ["environment"]
          : [],
  )
  if (all.some(({through}) => through.some(({name}) => CONTAINER.test(name)))) brings.push("container")
  // Also inside of `srun bash -c '...'`, as on the local disk of each node.
  const activates = ({words}) => /^(?:source|\.)$/.test(words[0] ?? "") && ENVIRONMENT.test(words[1] ?? "")
  if (all.some(each => each.words[0]?.includes("/bin/") || activates(each))) brings.push("environment")
  const own = system.move.places.filter(([kind]) => kind === OWN_DISK).map(([, path]) => path)
  const on = text => own.some(path => text.includes(path))
  const folders = shell.commands.flatMap(({sets}) => sets.filter(on).map(each => `$${each.split("=")[0]}`))
  return {
    ...need,
    error: shell.error && `line ${shell.error.line}: ${shell.error.what}`,
    directives: directives.length,
    account: value(system.kind === "slurm" ? "account" : "P"),
    whole: Boolean(need.exclusive || place?.whole || need.memory === 0),
    memory: need.memory ?? unsaid(place, need, leftOut),
    tasks: need.tasks ?? need.tasksPerNode * need.nodes,
    jobs: need.array ? arrayTasks(need.array) : 1,
    atOnce: Number(/%(\d+)/.exec(need.array ?? "")?.[1] ?? 0) || null,
    runs: all.map(({words}) => words.map((word, at) => (at ? word : base(word)))).filter(words => words.length),
    brings: [...new Set(brings)],
    disk: shell.commands.some(
      ({name, words, text}) => fills(name, words) && (on(text) || folders.some(each => text.includes(each))),
    ),
  }
}
