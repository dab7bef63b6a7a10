// What a job costs, by its operator's formula, and what the share of its GPUs is.
import {many, thousands, timeWords} from "../script/units.js"

const number = value => thousands(Number(value.toPrecision(6)))

/** How many of the parts that have a price a job holds: the largest of its sizes counts. */
function partsOf(price, {nodes, gpus, cores, mib}) {
  const sizes = {nodes, gpus: gpus * nodes, cores: cores * nodes, mib: mib * nodes}
  return Math.max(
    ...Object.entries(price.per).map(([name, size]) => {
      const parts = (sizes[name] ?? 0) / size
      return price.whole && name !== "nodes" && name !== "gpus" ? Math.ceil(parts) : parts
    }),
  )
}
/** The first price that is for such a job. */
const priceOf = (prices, gpu, partition) =>
  prices.find(
    price => (!price.gpus || price.gpus.includes(gpu)) && (!price.partitions || price.partitions.includes(partition)),
  )

/**
 * The cost of a job.
 * @param {{prices: any[], free?: boolean}} form of a system: `prices`, `free`
 * @param {{gpu: ?string, partition: string, nodes: number, gpus: number, cores: number, mib: number, disk?: number}} job
 *   sizes on each node; disk: MiB that are reserved
 * @returns {{hour: number, unit: string}|null} null where no number is published
 */
export function costOfHour(form, job) {
  if (form.free) return {hour: 0, unit: ""}
  const price = priceOf(form.prices, job.gpu, job.partition)
  if (!price) return null
  const more = price.core ? price.core * job.cores + (price.gib * job.mib) / 1024 : 0
  const disk = ((price.disk ?? 0) * (job.disk ?? 0)) / 1024
  return {hour: price.price * partsOf(price, job) + job.nodes * (more + disk), unit: price.unit}
}

/** The same for a plan of the form, over all its time and all jobs of its array, with a sentence for readers. */
export function costOf(system, plan) {
  const {form, name} = system,
    {share, place, time, jobs} = plan
  const job = {
    gpu: plan.gpu,
    partition: place.name,
    nodes: plan.nodes,
    gpus: plan.gpus,
    cores: plan.cores ?? share.cores,
    mib: plan.mib ?? share.mib ?? 0,
  }
  const found = costOfHour(form, job)
  const shares =
    plan.gpu && share.mib && !form.gpus[plan.gpu].few
      ? ` The share of ${many(plan.gpus, "GPU")} on a node is ${many(share.cores, "core")} and ${number(share.mib / 1024)} GiB.`
      : ""
  if (!found) return {words: `This guide has no price for such a job on ${name}.${shares}`}
  if (!found.hour) return {...found, total: 0, words: `The job is free.${shares}`}
  const total = ((found.hour * time) / 60) * jobs
  const all = jobs > 1 ? `all ${number(jobs)} jobs of ${timeWords(time)} each` : timeWords(time)
  const sum = jobs > 1 || time !== 60 ? `, and ${number(total)} for ${all}` : ""
  const gpu = form.gpus[plan.gpu]?.or
  const other = gpu && costOfHour(form, {...job, gpu}).hour
  const chosen = gpu ? ` If Slurm chooses ${form.gpus[gpu].label}, the job costs ${number(other)} per hour.` : ""
  const words = `The job costs ${number(found.hour)} ${found.unit} per hour${sum}`
  return {...found, total, words: `${words}.${chosen}${shares}`}
}
