// Which limits a job breaks, of all that hold for it: one answer for those who judge, explain, write and move it.
import {violations} from "../../limits.js"
import {evenJob, quantities, shareOf} from "./quantities.js"

/**
 * @typedef {{partitions?: any, gpus?: (gpu: any) => any, policy?: any, qos?: any}} Limits those that each group gives to
 *   the job, by their keys
 * @typedef {import("../../limits.js").Violation & {group: import("../../limits.js").Group, gpu?: any}} Broken
 */

/** @param {Limits} there @param {any} job as job.js has it @param {any} all its quantities @returns {Broken[]} */
export function broken(there, job, all) {
  const of = (group, own, asked = all, gpu = undefined) =>
    violations(group, own, asked).map(each => ({...each, group, gpu}))
  return [
    ...of("partitions", there.partitions),
    ...all.wanted.flatMap(gpu => of("gpus", there.gpus?.(gpu), shareOf(job, all, gpu), gpu)),
    ...of("policy", there.policy),
    ...of("qos", there.qos),
  ]
}

/** The same of a job that has so much on each node. who: what else is so of it @returns {Broken[]} */
export function brokenEvenly(there, each, {system = {}, who = {}} = {}) {
  const job = evenJob(each)
  return broken(there, job, {...quantities(system, job), ...who})
}

/** What a quantity is of, whatever it is divided by: `memory` of `memory_per_gpu`. */
export const kindOf = quantity => quantity.split("_per_")[0]
const partOf = quantity => quantity.split("_per_")[1]
/** ` per GPU`, ` per node`, ` per job` */
export const perPart = quantity => ` per ${{gpu: "GPU", node: "node"}[partOf(quantity)] ?? "job"}`

/** How much of its cores or memory a job with this limit can have on each node. */
export const onNode = ({row: {quantity}, limit}, {nodes, gpus}) =>
  limit * (partOf(quantity) === "gpu" ? gpus : partOf(quantity) ? 1 : 1 / nodes)

const ALL = Number.MAX_SAFE_INTEGER

/**
 * The limit that leaves such a job least of a kind of quantity, or asks most of it; none: `value` is Infinity or 0.
 * `value` is of the job, but of cores and memory on each node.
 * @param {"nodes" | "cores" | "memory" | "minutes" | "jobs" | "exclusive"} kind
 * @param {"at_most" | "at_least"} [test]
 * @returns {{value: number, row?: any, limit?: number}}
 */
export function tightest(there, each, kind, of = {}, test = "at_most") {
  const most = test === "at_most"
  const size = one => (/^(cores|memory)$/.test(kind) ? onNode(one, each) : one.limit)
  return brokenEvenly(there, {...each, [kind]: most ? ALL : 0}, of)
    .filter(({row}) => kindOf(row.quantity) === kind && row.test === test)
    .map(one => ({...one, value: size(one)}))
    .reduce((best, one) => (most === one.value < best.value ? one : best), {value: most ? Infinity : 0})
}
