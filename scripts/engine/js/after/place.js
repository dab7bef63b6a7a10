// A partition by the name that a listing has of it.
const calledOf = (system, key) => system.why.partitions[key]?.called ?? key

/** The partition of this name: {name, minutes, whole}. @param {System} system @param {string} [name] */
export function placeOf(system, name) {
  const [key, facts] = Object.entries(system.partitions).find(([key]) => name && calledOf(system, key) === name) ?? []
  return key ? {name: calledOf(system, key), minutes: facts.max_time ?? Infinity, whole: Boolean(facts.whole)} : null
}
