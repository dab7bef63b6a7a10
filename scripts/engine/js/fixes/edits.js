// Edits that many fixes share. A fix gets the bench of fix.js, and returns the lines as they should be, several such
// tries, or null.

/** The pattern's matches in the line become something else. */
export const swap = (pattern, by) => bench => bench.swap(pattern, by)

/** The option's value becomes another one. */
export const value = change => bench => bench.value(change(bench.option?.value ?? "", bench))

/** The option goes, and its line if nothing else is on it. */
export const withoutOption = ({words}) => words("")

/** The option goes; what is none for the scheduler is found by the pattern. */
export const withoutWords = pattern => bench => {
  const lines = bench.option ? bench.words("") : bench.swap(pattern, "")
  return lines?.[bench.at]?.trim() === bench.prefix ? lines.toSpliced(bench.at, 1) : lines
}

/** Does the command stand alone on its line? */
export const alone = ({line}) => !/&&|\|\||[|;\\]/.test(line)

/** The command goes, if it stands alone on its line. */
export const withoutCommand = bench => (alone(bench) ? bench.out() : null)

/** Each variable gets the name that another scheduler gives it. nameOf: of a name and the bench; nothing: it stays */
export const renamed = nameOf => bench => bench.everywhere(/(?<=\$\{?)[A-Z]\w+/g, name => nameOf(name, bench) ?? name)

/** A variable that may be unset stands for 1 then. name: a pattern */
export const orOne = name => bench =>
  bench.everywhere(new RegExp(`\\$\\{?(${name(bench)})\\b\\}?(?!:)`, "g"), "${$1:-1}")

/** The text with the first pattern of the list that matches replaced; null if none does. @returns {string | null} */
export function first(text, list) {
  const [pattern, by] = list.find(([each]) => each.test(text)) ?? []
  return pattern ? text.replace(pattern, by) : null
}

// What word processors make of signs.
export const DASH = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
const INVISIBLE = /[\u200b\u00ad\ufeff]/g
const SPACE = /[\u00a0\u202f]/g
const QUOTES = /[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]/g
const DASHES = new RegExp(`[${DASH}]`, "g")

/** The text in plain signs. */
export const plain = text =>
  text.replace(INVISIBLE, "").replace(SPACE, " ").trim().replace(QUOTES, "").replace(DASHES, "-")
