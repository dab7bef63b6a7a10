// What a user does after a move: entries, each with its sentence. Code asks for their kind and name, not for their words.
import {words} from "../script/text.js"

/** Entries that code asks for, by kind: each is about the first value of its sentence, its name. @type {Record<string, (parts: any, ...values: string[]) => Entry>} */
export const todo = Object.fromEntries(
  words("account build command environment exists path request script unset variable").map(kind => [
    kind,
    (parts, ...values) => ({kind, name: values[0], text: String.raw({raw: parts}, ...values)}),
  ]),
)

/** Each once, also of those that are only a sentence. @param {(Entry | string)[]} list @returns {Entry[]} */
export function entries(list) {
  const all = list.map(each => (typeof each === "string" ? {text: each} : each))
  return all.filter(({text}, at) => all.findIndex(each => each.text === text) === at)
}
