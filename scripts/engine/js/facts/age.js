// The age of a fact.

/** Was it last compared with its source over a year before this day? Both as `2026-11-23`. */
export const isOld = (day, today) => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}` < today
