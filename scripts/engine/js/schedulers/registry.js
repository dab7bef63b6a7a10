// The schedulers that the engine knows. A scheduler reads the options of a script, and decides about a job; no other
// room knows which one it talks to. Each registers itself, so that a page loads only the one that it needs.

/** @type {Record<string, Scheduler>} */
const known = {}

/** @param {string} kind @param {Scheduler} scheduler */
export function register(kind, scheduler) {
  known[kind] = scheduler
}

/** @param {string} kind @returns {Scheduler} */
export const schedulerOf = kind => known[kind]
