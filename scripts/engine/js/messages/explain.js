// What a message of a scheduler, a GPU or a program means, and what to do, with a system's own numbers.
import {taughtLines} from "./own_lines.js"

const ANY = "…"
const FACTS = new Set(["network", "read_only", "host"]) // topics where this system's own facts are the reason
const LONGEST = 100_000 // of what is pasted: its end is read
const LINE = 2_000 // of a line: its beginning

/** A text as a regular expression: whole words, a blank may be a line break, `…` is anything. */
export function pattern(text) {
  const literal = text.replace(/[\\^$.|?*+()[\]{}]/g, sign => `\\${sign}`)
  const [begins, ends] = [text[0], text.at(-1)].map(sign => (/[A-Za-z0-9]/.test(sign) ? "\\b" : ""))
  return begins + literal.replace(/\s+/g, "\\s+").replaceAll(ANY, ".*?") + ends
}

const compiled = new Map()
/** A text's first match. Most texts are not there: their longest word tells that quickly. */
function search(text, pasted) {
  if (!compiled.has(text)) {
    const words = text.split(/…|\s+/)
    const longest = words.reduce((most, word) => (word.length > most.length ? word : most), "")
    compiled.set(text, [longest, RegExp(pattern(text))])
  }
  const [longest, regex] = compiled.get(text)
  return pasted.includes(longest) ? regex.exec(pasted) : null
}

/** Which of two matches tells more: the longer; a text that ends with `…` comes last. */
const better = (a, b) => a.whole - b.whole || a.length - b.length

/**
 * @param {any[]} messages as scripts/engine/data/messages.py writes them
 * @param {System} system with its parts `here` and `taught`
 * @param {string} text what was pasted
 * @returns {{key: string, title: string, means: string, cure: string, was: string|null,
 *   now: string|null, here: string, elsewhere: boolean, link: string}[]} the best first;
 *   `here`: this system's numbers; `elsewhere`: other systems say it, not this one
 */
export function explain(messages, system, text) {
  const pasted = text
    .slice(-LONGEST)
    .split("\n")
    .map(line => line.slice(0, LINE))
    .join("\n")
  const found = []
  for (const entry of messages) {
    let best = null
    for (const each of entry.texts) {
      const match = search(each, pasted)
      if (!match) continue
      const whole = each.endsWith(ANY) ? 0 : 1
      const here = {
        entry,
        text: each,
        whole,
        length: [...each.replaceAll(ANY, "")].length,
        from: match.index,
        to: match.index + match[0].length,
      }
      if (!best || better(here, best) > 0) best = here
    }
    if (best) found.push(best)
  }
  const fact = ({entry}) => (FACTS.has(entry.about) && system.here[entry.about]) || ""
  found.sort((a, b) => Number(Boolean(fact(b))) - Number(Boolean(fact(a))) || better(b, a))
  const kept = []
  for (const each of found) if (!kept.some(other => each.from < other.to && other.from < each.to)) kept.push(each)
  return kept.slice(0, 5).map(({entry, text}) => ({
    key: entry.key,
    title: text,
    means: `${fact({entry})} ${entry.means}`.trim(),
    cure: entry.cure,
    ...taughtLines(system, entry),
    here: fact({entry}) ? "" : (system.here[entry.about] ?? ""),
    elsewhere: entry.systems !== null && !entry.systems.includes(system.key),
    link: `wrong/${entry.page}.html#${entry.key}`,
  }))
}

const wordsOf = text => new Set(text.toLowerCase().match(/\b(?!(?:srun|sbatch|slurmstepd|error)\b)[a-z][a-z_]{2,}/g))

/**
 * The messages that share most words with one that is unknown, a word for more the fewer messages have it.
 * @returns {{title: string, link: string}[]} three at most, the nearest first
 */
export function nearest(messages, system, text) {
  const pasted = wordsOf(text.slice(-LINE))
  const own = messages.filter(({systems}) => systems?.includes(system.key) ?? true)
  const all = own.flatMap(({texts, page, key}) =>
    texts.map(title => ({title, link: `wrong/${page}.html#${key}`, own: [...wordsOf(title)]})),
  )
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
  return first.slice(0, 3).map(({title, link}) => ({title, link}))
}
