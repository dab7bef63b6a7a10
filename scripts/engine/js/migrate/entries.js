// What a user does after a move: entries, each with its sentence. Code asks for their kind and name, not for their words.

/** An entry about what its sentence begins with. @param {string} kind @param {string} name @param {string} rest of the sentence @returns {Entry} */
export const about = (kind, name, rest) => ({kind, name, text: `\`${name}\`${rest}`})

/** Each once, also of those that are only a sentence. @param {(Entry | string)[]} list @returns {Entry[]} */
export function entries(list) {
  const all = list.map(each => (typeof each === "string" ? {text: each} : each))
  return all.filter(({text}, at) => all.findIndex(each => each.text === text) === at)
}
