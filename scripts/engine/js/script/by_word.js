// Tables that say the same of several words.
import {words} from "./text.js"

/** What each word belongs to. groups: the words of each @param {Record<string, string>} groups */
export const byWord = groups =>
  Object.fromEntries(Object.entries(groups).flatMap(([group, text]) => words(text).map(word => [word, group])))
