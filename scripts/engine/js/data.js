// What the engine knows, handed in by its host before it is asked: scripts/engine/data writes it from the facts.
const known = (globalThis.jobscript ??= {})

/** @type {Record<string, System>} what it knows of each system, by its key */
export const systems = (known.systems ??= {})

/** @type {Record<string, any>} what holds for all systems */
export const data = (known.data ??= {})
