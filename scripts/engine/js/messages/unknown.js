// Where a message leads that the guide does not know.
import {says, wordsOf} from "./explain.js"

const LATEST = 2_000 // of what is pasted
const MOST = 3 // messages, and 8 words for the search
const GENERAL = "We know only the general lines of this text. The cause is usually in another line"
const NEAR = [". This page may help:", ". The most similar messages that we know:"]
const PROMPT = /^[^\n]*?\w@[\w.-]+[^\n$#>]*[$#>] \S+/gm // with the command, of which logs have any
const ERROR = /^(?:\w+\.)*\w+(?:Error|Exception): .*$/m // names the cause, whatever is before it
// What readers write of a job in place of a message, and the page about it. The first that fits counts.
/** @type {[RegExp, string, string][]} */
const PAGES = [
  [/\b(?:pending|stuck|queued?|wait(?:s|ing)?)\b|(?:not|n't|never) (?:start|run)/i, "Pending jobs", "waiting"],
  [/\b(?:reject|refuse)/i, "Submission errors", "refused"],
  [/\b(?:kill|cancel|crash|end|fail|stop|die)/i, "Failed jobs", "ended"],
]
const ABOUT_JOB = /^(?=.{1,80}$)[^:=/]*\bjobs?\b[^:=/]*$/i // words of a reader, and no line of a log
const WHOLE = "Include the job ID, the command, your script, and the whole message."

/**
 * @param {any[]} messages @param {System} system @param {string} text what was pasted
 * @param {{key: string}[]} found what explains it
 * @returns {{said: string, near: any[], terms: string, search: string, ask: string} | null}
 *   null where something explains it that is not in every log; a `sign` tells one from others of its title
 */
export function unknown(messages, system, text, found) {
  const general = new Set(messages.filter(({rank}) => rank === "general").map(({key}) => key))
  if (found.some(({key}) => !general.has(key))) return null
  const page = ABOUT_JOB.test(text.trim()) && PAGES.find(([words]) => words.test(text))
  const near = page
    ? [{title: page[1], sign: "", link: `wrong/${page[2]}.html`}]
    : nearest(messages, system, text).filter(({key}) => !general.has(key))
  const rest = text.replace(PROMPT, "")
  const terms = [...new Set(`${ERROR.exec(rest) ?? ""} ${rest}`.match(/[A-Za-z]\w{2,}/g))].slice(0, 8).join(" ")
  const known = found.length ? GENERAL : "We do not know this message"
  const {help, retired} = system.here
  return {
    said: (retired ? `${retired} ` : "") + known + (near.length ? NEAR[Number(!page)] : "."),
    near: near.map(({title, sign, link}) => ({title, sign, link})),
    terms,
    search: terms ? `Search this guide for “${terms}”` : "",
    ask: `Or ask ${system.name}'s support${help ? ` (${help})` : ""}. ${WHOLE}`,
  }
}

/**
 * The messages that share most words with one that is unknown, a word for more the fewer messages have it.
 * @returns {any[]} three at most, the nearest first
 */
function nearest(messages, system, text) {
  const pasted = wordsOf(text.slice(-LATEST))
  const own = messages.filter(entry => says(system, entry))
  const all = own.flatMap(({texts, page, key, beside, in_words: named}) => {
    const [first = null] = (beside ?? []).filter(each => !texts.includes(each))
    const sign = named ? ` ${named}` : first ? ` with \`${first}\`` : ""
    return texts.map(title => ({title, sign, key, link: `wrong/${page}.html#${key}`, own: [...wordsOf(title)]}))
  })
  const common = new Map()
  for (const {own} of all) for (const word of own) common.set(word, (common.get(word) ?? 0) + 1)
  const worth = word => Math.log(all.length / common.get(word))
  const sum = words => words.reduce((total, word) => total + worth(word), 0)
  const scored = all.map(each => {
    const shared = each.own.filter(word => pasted.has(word))
    return {...each, shared, score: sum(shared) / Math.sqrt(sum(each.own) || 1)}
  })
  const good = scored.filter(({shared}) => shared.length > 1).sort((a, b) => b.score - a.score)
  const first = good.filter(({link}, at) => good.findIndex(each => each.link === link) === at)
  return first.slice(0, MOST)
}
