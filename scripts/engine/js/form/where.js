// Which systems can run a job, and what it costs there.
import {systems} from "../data.js"
import {fragmentOf} from "./address.js"
import {spread, write} from "./form.js"

const gigabytes = mib => ((mib + 1) * 2 ** 20) / 1e9 // MiB are rounded down

/**
 * The GPUs of a system that have so many GB of memory and are this vendor's, or none of them.
 * @returns {[string, {label: string}][]}
 */
const suited = (form, {gpus, gpu_memory: least, vendor}) =>
  gpus
    ? Object.entries(form.gpus).filter(
        ([, gpu]) =>
          gigabytes(gpu.mib) >= (least || 0) && (!vendor || gpu.vendor.toLowerCase() === vendor.toLowerCase()),
      )
    : [["none", {label: "no GPU"}]]

/**
 * @param {any} need gpus: in all of the job's nodes, gpu_memory: GB on each, vendor; `fields`: others of the form
 * @returns {{can: any[], cannot: {system: string, reason: string}[]}} can: {system, gpu, label, gpus, nodes, cost, fields};
 *   the latter as an address of the form has them
 */
export function where(need) {
  const can = []
  const cannot = []
  for (const [key, system] of Object.entries(systems)) {
    if (system.form.gone) continue
    const found = suited(system.form, need)
    if (!found.length) cannot.push({system: key, reason: `${system.name} has no such GPU.`})
    const reasons = new Set()
    for (const [gpu, {label}] of found) {
      const size = need.gpus ? spread(system, need.gpus, gpu) : {}
      const fields = {cluster: key, gpu, ...size, ...need.fields}
      const {plan, cost, reason} = write(system, fields)
      if (plan) {
        const {gpus, nodes} = plan
        can.push({system: key, gpu, label, gpus: gpus * nodes, nodes, cost, fields: fragmentOf(fields)})
      } else reasons.add(reason.startsWith(label) ? reason : `${label}: ${reason}`)
    }
    cannot.push(...[...reasons].map(reason => ({system: key, reason})))
  }
  return {can, cannot}
}
