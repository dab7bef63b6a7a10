// Amounts and lines in the sentences of a moved script, and amounts in its options.

/** MiB as `64G`, or `500M`. */
export const gib = mib => (mib % 1024 === 0 || mib >= 16 * 1024 ? `${Math.floor(mib / 1024)}G` : `${Math.floor(mib)}M`)

/** Why a new script asks for so many MiB. */
export const hadOnANode = ({name}, mib) => `A ${name} node had ${gib(mib)} of memory.`

/** `one node`, `2 nodes`; what: in the right number */
export const times = (number, what) => `${number === 1 ? "one" : number} ${what}`

/** A script's line as code in a sentence: on one line, and cut where it is long. */
export const quoted = line => {
  const whole = line
    .replace(/\s*\\?\n\s*/g, " ")
    .replace(/\s*\\$/, "")
    .trim()
  return `\`${whole.length > 80 ? `${whole.slice(0, 80).trim()} …` : whole}\``
}
