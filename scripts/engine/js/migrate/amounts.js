// Amounts in the sentences and options of a moved script.

/** MiB as `64G`, or `500M`. */
export const gib = mib => (mib % 1024 === 0 || mib >= 16 * 1024 ? `${Math.floor(mib / 1024)}G` : `${Math.floor(mib)}M`)

/** `one node`, `2 nodes`; what: in the right number */
export const times = (number, what) => `${number === 1 ? "one" : number} ${what}`
