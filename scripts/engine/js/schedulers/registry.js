// The schedulers that the engine knows. A scheduler reads the options of a script, and decides about a job; no other
// room knows which one it talks to. Each registers itself, so that a page loads only the one that it needs.

/**
 * @typedef {object} Scheduler
 * @property {(text: string) => import("../script/directives.js").Option[]} readOptions of the live directives
 * @property {(system: object, options: object[], file: string) => Decision} decide about the job that they describe
 * @property {(system: object, option: object) => {what: string, command: string} | null} beyondFacts what nobody can
 *   know here of an option, and the command that shows it there
 *
 * @typedef {object} Decision
 * @property {"accepted" | "refused" | "not judged"} verdict
 * @property {object[]} findings why, as judge.js has them
 * @property {object | null | (object | null)[]} asked what the job asks for, as schedulers/slurm/request.js has it; null
 *   where that is unsure; of a heterogeneous job what each component asks for
 */

/** @type {Record<string, Scheduler>} */
const known = {}

/** @param {string} kind @param {Scheduler} scheduler */
export function register(kind, scheduler) {
  known[kind] = scheduler
}

/** @param {string} kind @returns {Scheduler} */
export const schedulerOf = kind => known[kind]
