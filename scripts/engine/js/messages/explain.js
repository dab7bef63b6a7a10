// What a message of a scheduler, a GPU or a program means, and what to do, with a system's own numbers.
import {cureThere, inWordsOf, less, more, taughtLines} from "./own_lines.js"

const ANY = "…"
const FACTS = new Set(["certificate", "network", "processors", "read_only"]) // topics of its own facts that are reasons
// Limits that a system may have and nobody publishes: what Slurm says of them.
const LIMITED = new Set(["group", "running", "jobs"])
const LOOK_UP =
  "Slurm prints the limits of your account with " +
  "`sacctmgr show assoc account=YOUR_ACCOUNT format=user,grptres%40,grpjobs,maxtres%40,maxjobs,maxsubmit`, and those of " +
  "each QOS with `sacctmgr show qos format=name,grptres%40,maxtrespu%40,maxjobspu,maxsubmitpu`."
// Beside a script, whose other lines may be for another system, too.
const DIRECTIVE = /^#(?:SBATCH|\$)\s+-/gm
const WHOLE = " Then check the whole script with the job script tool or `guide check`, which may reject other lines."
const LONGEST = 100_000 // of what is pasted: its end is read
const LINE = 2_000 // of a line: its beginning
// Which message tells the cause before which: what holds on this system alone, two texts together, what its facts tell.
const RANK = {
  here: 7,
  beside: 6,
  fact: 5,
  clear: 4,
  end: 3,
  vague: 2,
  warned: 1,
  follows: 0,
  noise: 0,
  general: -1,
  progress: -2,
}
const SCHEDULERS = ["slurm", "grid_engine"]
const GUESSES = new Set(["vague", "follows", "noise", "general"])
const OTHERS = "Usually, only other systems print this message."
const WARNED = /(?<!NCCL |NCCL_DEBUG=)warn(?:ing)?\b/i
// PyTorch warns of the cause, then only says that there is no GPU.
const WHY = /warning: CUDA initialization:/i
const NO_GPU = "No CUDA GPUs are available"

// What is before a line's own words: a rank, a date, a frame. It would part a message that is wrapped.
const BEFORE =
  /^\s*(?:\[?(?:rank|proc)?[ ]?\d+\]?:(?=\s|$)|\[\d[\d.:T_ -]*\]|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?:?(?=\s)|\(\w+ pid=[^)]*\)|(?:[|│║]+|>)(?=\s|$))/i
const AFTER = /\s*[|│║]\s*$/
// A step of a build failed. What is after it is of another step, or follows.
const STEP_FAILED = /^(?:g?make(?:\[\d+\])?: \*\*\* |ERROR: \w+ failed for package )/gm
// A terminal's colors begin with the character Escape.
const COLOR = /\x1b\[[\d;?]*[A-Za-z]/g

/** With plain quotes, and without the verb that a reader puts between a call and its value. */
const quotes = text =>
  text
    .replace(/[‘’`´]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/(?<=\)) (?:returns|gives|is) (?=(?:False|None)\b)/gi, " ")

function bare(line) {
  let rest = line.slice(0, LINE).replace(AFTER, "")
  for (let times = 0; times < 4 && BEFORE.test(rest); times++) rest = rest.replace(BEFORE, "")
  return rest
}

/** What was pasted without colors, frames, ranks and dates; a progress bar's steps are lines. */
const plain = text =>
  quotes(text.slice(-LONGEST).replace(COLOR, ""))
    .split(/\r\n?|\n/)
    .map(bare)
    .join("\n")

/** A text as a regular expression: whole words, a blank may be a line break, `…` is anything, in a group of its own. */
export function pattern(text, waits = false) {
  // A reason that is a word of any prose counts where a scheduler writes it.
  if (waits && /^[A-Z][a-z]+$/.test(text)) return `Reason=${text}\\b|(?:^|\\()\\s*${text}(?=\\s*(?:$|[,)]))`
  const literal = text.replace(/[\\^$.|?*+()[\]{}]/g, sign => `\\${sign}`)
  const [begins, ends] = [text[0], text.at(-1)].map(sign => (/[A-Za-z0-9]/.test(sign) ? "\\b" : ""))
  // An exit code is no part of a time.
  if (/^\d+:\d+$/.test(text)) return `(?<![\\w:])${text}(?![\\w:])`
  // At its ends, only the nearest word is of use.
  const words = literal.replace(/\s+/g, "\\s+").replace(/^…/, ".*?(\\S*)").replace(/…$/, "(?=(\\S*))")
  return begins + words.replaceAll(ANY, "(.*?)") + ends
}

const compiled = new Map()
/** A text's regular expression, and its longest word. */
function compile(text, waits) {
  const key = waits ? ` ${text}` : text
  if (!compiled.has(key)) {
    const several = /\s/.test(text)
    const own = several ? quotes(text).replace(/(?<=\w)\.$/, "") : text // the full stop is often left behind
    const anyCase = several && !/[A-Z]{3}/.test(text)
    const words = (anyCase ? own.toLowerCase() : own).split(/…|\s+/)
    const longest = words.reduce((most, word) => (word.length > most.length ? word : most), "")
    compiled.set(key, {anyCase, longest, regex: RegExp(pattern(own, waits), anyCase ? "im" : "m")})
  }
  return compiled.get(key)
}
/** A text's first match. Most texts are not there: their longest word tells that quickly. */
function search(text, waits, pasted, lower) {
  const {anyCase, longest, regex} = compile(text, waits)
  return (anyCase ? lower : pasted).includes(longest) ? regex.exec(pasted) : null
}

const START = 4 // letters of a longest word
const indexes = new WeakMap()
/** The messages that may be in a text, in their order: those with the start of a longest word there. */
function candidates(messages, lower) {
  if (!indexes.has(messages)) {
    const index = new Map()
    for (const [place, {texts, when}] of messages.entries())
      for (const text of texts) {
        const {longest} = compile(text, when === "waiting")
        const start = longest.length < START ? "" : longest.slice(0, START).toLowerCase()
        index.set(start, (index.get(start) ?? new Set()).add(place))
      }
    indexes.set(messages, index)
  }
  const index = indexes.get(messages)
  const places = new Set(index.get(""))
  for (let at = 0; at < lower.length; at++)
    for (const place of index.get(lower.slice(at, at + START)) ?? []) places.add(place)
  return [...places].sort((a, b) => a - b).map(place => messages[place])
}

/** Which of two matches tells more: the longer; a text that ends with `…` comes last. */
const better = (a, b) => a.whole - b.whole || a.length - b.length

/** How near to the cause a match is: what only follows from an error, and warnings, come after it. */
function rank({entry, from}, pasted) {
  const line = pasted.slice(pasted.lastIndexOf("\n", from) + 1, (pasted.indexOf("\n", from) + 1 || Infinity) - 1)
  const own = RANK[entry.rank ?? (entry.fact ? "here" : entry.beside ? "beside" : "clear")]
  if (own === RANK.clear && WHY.test(line) && pasted.includes(NO_GPU)) return RANK.fact
  return own < RANK.beside && WARNED.test(line) ? Math.min(own, RANK.warned) : own
}

/**
 * @param {any[]} messages as scripts/engine/data/messages.py writes them
 * @param {System} system with its parts `here` and `taught`
 * @param {string} text what was pasted
 * @returns {{key: string, title: string, means: string, cure: string, was: string|null,
 *   now: string|null, here: string, elsewhere: boolean, link: string}[]} the best first;
 *   `here`: this system's numbers; `elsewhere`: other systems say it, not this one
 */
export function explain(messages, system, text) {
  const pasted = plain(text)
  const {noise, told: failures} = parted(messages)
  const quiet = withoutLinesOf(noise, system, pasted)
  const causes = matches(failures, system, pasted, quiet)
  const found = ofScheduler(system, causes.length ? causes : matches(noise, system, pasted))
  // What only follows from an error does not tell it.
  if (found.every(({rank}) => rank <= RANK.follows)) {
    const rest = messages.filter(each => !found.some(({entry}) => entry === each))
    found.push(...alike(rest, system, quiet))
  }
  const order = ({entry, rank}) => (fact(system, entry) && !entry.rank ? Math.max(rank, RANK.fact) : rank)
  const failed = [...pasted.matchAll(STEP_FAILED)].map(({index}) => index)
  const step = ({spans, from}) =>
    failed.filter(at => at < Math.min(from, ...(spans ?? []).map(each => each.from))).length
  found.sort((a, b) => order(b) - order(a) || b.rank - a.rank || step(a) - step(b) || better(b, a))
  return withoutGuesses(apart(found), order)
    .slice(0, 5)
    .map((each, place) => told(system, each, place === 0, pasted))
}

/** The system's own facts, where they are the reason. */
const fact = ({here}, {fact, about}) => ((fact || FACTS.has(about)) && here[fact ?? about]) || ""

const parts = new WeakMap()
/** The messages that tell of a failure, and those whose lines never do. */
function parted(messages) {
  if (!parts.has(messages)) {
    const [noise, told] = [true, false].map(wanted => messages.filter(({rank}) => (rank === "noise") === wanted))
    parts.set(messages, {noise, told})
  }
  return parts.get(messages)
}

/** What was pasted without the lines of these messages, which may have words of another. */
function withoutLinesOf(noise, system, pasted) {
  const texts = noise.filter(each => says(system, each)).flatMap(({texts}) => texts)
  return texts.reduce((rest, text) => {
    const {regex} = compile(text, false)
    return search(text, false, rest, rest.toLowerCase())
      ? rest.replace(RegExp(`^.*?${regex.source}.*$`, `g${regex.flags}`), "")
      : rest
  }, pasted)
}

/**
 * The best match of each message that has a text in what is pasted, with `spans`, the matches of all its texts; `all`:
 * with the lines that no text is looked for in.
 */
function matches(messages, {here}, all, pasted = all) {
  const lower = pasted.toLowerCase()
  const allLower = all.toLowerCase()
  return candidates(messages, lower).flatMap(entry => {
    if (entry.fact && !here[entry.fact]) return []
    if (entry.beside && !entry.beside.some(each => search(each, false, all, allLower))) return []
    const spans = entry.texts.flatMap(text => {
      const match = search(text, entry.when === "waiting", pasted, lower)
      return match ? [matched(entry, text, match)] : []
    })
    if (!spans.length) return []
    const best = spans.reduce((most, each) => (better(each, most) > 0 ? each : most))
    return [{...best, spans, rank: Math.max(...spans.map(each => rank(each, pasted)))}]
  })
}

const matched = (entry, text, match) => ({
  entry,
  text,
  whole: text.endsWith(ANY) ? 0 : 1,
  length: [...text.replaceAll(ANY, "")].length,
  from: match.index,
  to: match.index + match[0].length,
  values: match.slice(1).map(plainWord),
})

/** Without words of the other scheduler, as `FAILED`, but where nothing of this one's is as clear. */
function ofScheduler({kind}, found) {
  const foreign = ({systems}) => SCHEDULERS.some(each => each !== kind && systems?.includes(each))
  const own = found.filter(({entry}) => !foreign(entry))
  const most = Math.max(RANK.follows, ...own.map(({rank}) => rank))
  return own.length ? found.filter(each => own.includes(each) || Math.min(each.rank, RANK.clear) > most) : found
}

/** Without what another text says in more words, as `Killed` in srun's line about a task: it is no message of its own. */
function apart(found) {
  // But a cause is told, whatever general line it stands in.
  const within = (a, b) =>
    b.from <= a.from && a.to <= b.to && a.length < b.length && (b.rank >= a.rank || a.rank < RANK.clear)
  const overlap = (a, b) => a.from < b.to && b.from < a.to
  const kept = []
  for (const each of found) {
    if (found.some(other => within(each, other))) continue
    const told = (span, rank) => overlap(each, span) && (rank === RANK.here || span.length >= each.length)
    if (!kept.some(other => other.spans?.some(span => told(span, other.rank)) || overlap(each, other))) kept.push(each)
  }
  return kept
}

/** What is shown of a match. */
function told(system, {entry, text, values, spans}, first, pasted) {
  const {means, cure, was, now} = filled(entry, [values, ...(spans ?? []).map(each => each.values)])
  const reason = fact(system, entry) || swapped(system, entry, pasted)
  const others = says(system, entry) ? "" : OTHERS
  const when = entry.when === "submitting" ? less : more
  const lines = taughtLines(system, {was, now: when(now, pasted)}, pasted)
  const there = {...system, taught: {...system.taught, line: lines.now, reason}}
  const ofScript = entry.when === "submitting" || /^modules?-/.test(entry.key)
  const whole = first && ofScript && (pasted.match(DIRECTIVE) ?? []).length > 2 ? WHOLE : ""
  return {
    key: entry.key,
    title: text,
    means: [...new Set([first ? system.here.retired : "", others, reason, inWordsOf(there, means, pasted)])]
      .filter(Boolean)
      .join(" "),
    cure: cureThere(there, cure, pasted) + whole,
    ...lines,
    here: reason ? "" : numbers(system, entry.about, pasted),
    elsewhere: !says(system, entry),
    link: `wrong/${entry.page}.html#${entry.key}`,
  }
}

/** Beside a cause, what follows from it, and a line that has many causes, add nothing; progress counts alone. */
function withoutGuesses(kept, order) {
  const told = kept.some(each => order(each) >= RANK.end)
  const most = kept.some(({rank}) => rank > RANK.progress) ? RANK.general : RANK.progress
  return kept.filter(({entry, rank}) => rank >= most && !(told && GUESSES.has(entry.rank)))
}

// What is shown and copied into a shell: a name, a number, a path or an address; never an option.
const PLAIN = /^(?=.{1,80}$)[./]*\w[\w./+:=@-]*$/
const plainWord = value => {
  const word = value?.trim().replace(/^["']|(?<=\w)[<>~=!].*$|[.,:;"')]+$/g, "") ?? ""
  return PLAIN.test(word) ? word : null
}

/** What an entry says, with what was pasted for `<1:NAME>`, the first `…` of its text; else NAME. */
function filled(entry, ofTexts) {
  const pasted = (_, place, usual) => ofTexts.map(values => values?.[place - 1]).find(Boolean) ?? usual
  const said = text => text?.replace(/<(\d):([^<>]+)>/g, pasted) ?? null
  return {means: said(entry.means), cure: said(entry.cure), was: said(entry.was), now: said(entry.now)}
}

/** Does a system print a message: by its key, its scheduler, or the makers of its GPUs? */
export function says({key, kind, advice}, {systems}) {
  const makers = Object.values(advice?.gpus ?? {}).map(({model}) => model?.split(" ")[0].toLowerCase())
  return systems === null || [key, kind, ...makers].some(name => systems.includes(name))
}

function numbers({here, kind}, about, pasted) {
  const asks = kind === "slurm" && LIMITED.has(about)
  const own = ["node", "cores"].includes(about) ? requestOf(pasted) : []
  return [...own, ofPartition(here[about], pasted), asks && LOOK_UP].filter(Boolean).join(" ")
}

const PARTITION = /(?:--partition|\s-p)[= ]([\w.-]+)/
// As `4 GPUs: \`a\`, \`b\`;` in a system's numbers.
const OF_ROOMS = /(?<=: |; )([^;`]+: )((?:`[^`]+`(?:, )?)+)(?:; )?/g

/** Of a system's numbers, those of the partition that was pasted, if they name it. */
function ofPartition(said, pasted) {
  const name = `\`${PARTITION.exec(pasted)?.[1]}\``
  if (!said?.includes(name)) return said
  return said.replace(OF_ROOMS, (_, value, names) => (names.split(", ").includes(name) ? value + name : ""))
}

// How lines with options begin: of a step, of a command, of the script's top.
const STEP = "(?:[^\\w\\n]*|[^\\n]*')srun(?: -\\S+(?: \\w\\S*)?)*?"
const COMMAND = "[^\\n]*\\b(?:salloc|sbatch)\\b.*?"
const TOP = "#SBATCH.*?"
const OF_NODE = "--gpus-per-node[= ](?:[\\w.-]+:)?|--gres[= ]gpu:(?:[\\w.-]+:)?"

/** A number that a pasted line gives to an option. */
const asked = (pasted, names, begins) =>
  Number(begins.map(begin => RegExp(`^${begin} (?:${names})[= ]?(\\d+)`, "m").exec(pasted)?.[1]).find(Boolean))

/** What the pasted lines request of each node, and a step of more tasks than the job has. */
function requestOf(log) {
  const pasted = log.replace(/\\\n\s*/g, " ")
  const [step, top] = [[STEP], [TOP]].map(begins => names => asked(pasted, names, begins))
  const first = names => asked(pasted, names, [STEP, COMMAND, TOP])
  const [nodes, gpus, tasks] = [first("--nodes|-N"), first(OF_NODE), step("--ntasks|-n")]
  const [all, each] = [first("--ntasks|-n"), first("--cpus-per-task|-c")]
  // Without tasks and nodes, a job has one of each.
  const perNode = first("--ntasks-per-node") || (each && !all && !nodes ? 1 : Math.ceil(all / nodes))
  const cores = perNode * (each || 1)
  const memory = first("--mem-per-cpu(?=[= ]?\\d+[Gg])") * cores
  const most = top("--ntasks|-n") || top("--ntasks-per-node") * (nodes || 1)
  const who = step("--ntasks-per-node|--ntasks|-n|--cpus-per-task|-c") ? "The `srun` line" : "Your job"
  return [
    perNode && `${who} requests ${cores} core${cores > 1 ? "s" : ""}${memory ? ` and ${memory} GiB` : ""} per node.`,
    gpus && `Your job requests ${gpus} GPU${gpus > 1 ? "s" : ""} per node.`,
    tasks > most && `The \`srun\` line starts ${tasks} tasks, and the job has ${most}.`,
  ]
}

/** A partition's name that was pasted as an account. */
function swapped({here}, {about}, pasted) {
  const named = about === "access" ? [...pasted.matchAll(/(?:\s-A|account)[= ]([\w-]+)/g)] : []
  const name = named.map(([, name]) => name).find(name => here.partition?.includes(`\`${name}\``))
  return name ? `The account is set to \`${name}\`, which is a partition.` : ""
}

const ofText = new Map()
/** The words of a text but for names of variables, which may be any. */
function ownWords(text) {
  if (!ofText.has(text))
    ofText.set(
      text,
      [...wordsOf(text)].filter(word => !word.includes("_")),
    )
  return ofText.get(text)
}

/** The message that a line has all words of, but for a letter in one of five: typed by hand, or another version's. */
function alike(messages, system, pasted) {
  const lines = pasted.split("\n").slice(-40).map(wordsOf)
  const begins = lines.map(line => new Set([...line].map(word => word.slice(0, 4))))
  let best = null
  for (const entry of messages) {
    if (entry.beside || !says(system, entry)) continue
    for (const text of entry.texts) {
      const own = ownWords(text)
      if (own.length < 5 || own.length <= (best?.length ?? 0)) continue
      const near = (line, at) => {
        const missing = own.filter(word => !line.has(word))
        return missing.length <= own.length / 5 && missing.every(word => begins[at].has(word.slice(0, 4)))
      }
      if (lines.some(near))
        best = {entry, text, whole: 1, length: own.length, from: -1, to: -1, rank: RANK[entry.rank ?? "clear"]}
    }
  }
  return best ? [best] : []
}

export const wordsOf = text =>
  new Set(text.toLowerCase().match(/\b(?!(?:srun|sbatch|slurmstepd|error)\b)[a-z][a-z_]{2,}/g))
