// Words, and which known word is meant by a misspelt one.

/** The words of a text. @param {string} text @returns {string[]} */
export const words = text => text.trim().split(/\s+/).filter(Boolean)

/** The words of a text, to be asked whether it has one. @param {string} text @returns {Set<string>} */
export const setOf = text => new Set(words(text))

const letters = word => [...word].sort().join("")

/** How many letters must change, come or go to make one word of the other; two that change places count once. */
function distance(one, other) {
  if (letters(one) === letters(other)) return one === other ? 0 : 1
  let row = [...other, 0].map((_, place) => place)
  for (const [place, letter] of [...one].entries()) {
    const next = []
    for (const [column, above] of row.entries()) {
      const changed = column && row[column - 1] + (letter !== other[column - 1] ? 1 : 0)
      next.push(column ? Math.min(above + 1, next[column - 1] + 1, changed) : place + 1)
    }
    row = next
  }
  return row[other.length]
}

/**
 * The known name that the word most likely means: at most a third of its letters differ.
 * @param {string} word @param {string[]} known @returns {string | undefined}
 */
export function nearest(word, known) {
  const most = Math.max(1, Math.min(3, word.length / 3))
  const short = word.slice(0, 60)
  const [first] = known
    .filter(name => name && Math.abs(name.length - short.length) <= most) // all others are further
    .map(name => ({name, far: distance(short, name)}))
    .filter(({far}) => far <= most)
    .sort((one, other) => one.far - other.far)
  return first?.name
}
