// What a job asks for, as schedulers/slurm/request.js has it, before a request for GPUs brings cores and memory.
import {last} from "../../script/directives.js"

/**
 * @param {System} system @param {Option[]} options
 * @param {{gpus: Map<string, {number: number}>, memory: number | null}} asked memory: bytes for each core
 */
export function requestOf(system, options, {gpus: named, memory}) {
  const gpus = [...named].map(([type, {number}]) => ({type, per: "job", number}))
  const total = gpus.reduce((sum, {number}) => sum + number, 0)
  const value = name => last(options).get(name)?.value ?? null
  const slots = Number(/\d+$/.exec(value("pe") ?? "")?.[0] ?? 0) || null
  return {
    account: value("P"),
    partition: value("q"),
    routed: Object.keys(system.grid_engine.queues)[0] ?? null,
    tasks: slots,
    cores: slots ?? 1,
    memory_per_cpu: memory === null ? null : Math.round(memory / 2 ** 20),
    gpus,
    gpus_total: total,
    gpus_per_node: total || null,
    array: value("t"),
  }
}
