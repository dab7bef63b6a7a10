// What the variables of a script stand for, where it sets them once.

const LETTERS = 10_000 // so many are put in at most: values that name others several times grow without end

/** @param {Command[]} commands @returns {(text: string) => string} the text with the values of such variables */
export function expander(commands) {
  const set = new Map()
  for (const {name, sets, words, loops, fn, tokens} of commands) {
    const own = words.length ? (/^(?:export|declare|local|readonly|typeset)$/.test(name) ? words.slice(1) : []) : sets
    for (const part of own) {
      const [, variable, value] = /^(\w+)=(.*)$/s.exec(part) ?? []
      if (!variable) continue
      const loop = loops.length || fn || (!words.length && tokens.length) // the variable of a loop is set without words
      set.set(variable, set.has(variable) || loop ? null : value)
    }
  }
  return text => {
    let left = LETTERS
    const expand = (text, deep) =>
      deep > 5
        ? text
        : text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, one, other) => {
            const value = set.get(one ?? other)
            if (value === undefined || value === null || value.length > left) return whole
            left -= value.length
            return expand(value, deep + 1)
          })
    return expand(text, 0)
  }
}
