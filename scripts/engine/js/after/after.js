// All about a job that has ended, for a host that has the whole engine; the page fetches the parts when it needs them.
import {adviseOn} from "./advise.js"
import {propose} from "./propose.js"
import {readJob} from "./read.js"

/**
 * What a listing says of a job, and what to ask for next; null where it is none of a job of Slurm's.
 * @param {System} system @param {string} text what was pasted @param {string} [script] the job's
 */
export function after(system, text, script = "") {
  const job = system.kind === "slurm" ? readJob(text) : null
  if (!job || (!job.listed && !script.trim())) return null
  return {...propose(system, job, script, adviseOn), rest: job.rest}
}
