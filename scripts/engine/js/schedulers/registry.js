// The schedulers that the engine knows. A scheduler reads the options of a script, and decides about a job; no other
// room knows which one it talks to. Each registers itself, so that a page loads only the one that it needs.

/** @type {Record<string, BatchScheduler>} */
const known = {}

/** @param {string} kind @param {BatchScheduler} scheduler */
export function register(kind, scheduler) {
  known[kind] = scheduler
}

/** @param {string} kind @returns {BatchScheduler} */
export const schedulerOf = kind => known[kind]
