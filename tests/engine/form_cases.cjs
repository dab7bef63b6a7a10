// Cases of the form: all pairs of its choices, and at random. {data, random, seed, pairs} as JSON on standard input;
// out comes, for each system, [{fields, script, plan, cost}], and how many were refused with which reasons.
const {readFileSync} = require("node:fs")
const jobscript = require("../../docs/assets/your-script/index.js")

const {data, random, seed, pairs} = JSON.parse(readFileSync(0, "utf8"))
Object.assign(jobscript, data)

// A small generator, so that a seed gives the same cases everywhere (xorshift).
let state = seed || 1
const next = () => {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) / 2 ** 32
}
const pick = values => values[Math.floor(next() * values.length)]

// What a reader can type where the form offers a list: near the values of the list, and between them.
const typed = {
  time: () => `${1 + Math.floor(next() * 30)}${pick(["h", "m", "h", "d"])}`,
  memory: () => `${1 + Math.floor(next() * 600)}G`,
  cores: () => `${1 + Math.floor(next() * 200)}`,
  nodes: () => `${1 + Math.floor(next() * 12)}`,
  array: () => `1-${1 + Math.floor(next() * 300)}%${1 + Math.floor(next() * 20)}`,
}

/** Fields at random: each said with some chance, so that the proposals are there too. */
function fieldsAtRandom(system, choices) {
  const fields = {cluster: system.key}
  for (const {name, values} of choices) {
    if (name === "cluster" || next() < 0.45) continue
    fields[name] = name in typed && next() < 0.3 ? typed[name]() : pick(values).value
  }
  return fields
}
const pair = (one, a, other, b) => (one < other ? `${one}=${a} ${other}=${b}` : `${other}=${b} ${one}=${a}`)

/** Few cases in which each pair of values stands that can be had together, with any others. */
function allPairs(system, choices) {
  const possible = fields => jobscript.asked(system, fields).plan
  const open = new Map(),
    found = []
  const lists = choices.filter(({name}) => name !== "cluster")
  lists.forEach((one, at) =>
    lists.slice(at + 1).forEach(other => {
      for (const a of one.values)
        for (const b of other.values) {
          const fields = {cluster: system.key, [one.name]: a.value, [other.name]: b.value}
          if (possible(fields)) open.set(pair(one.name, a.value, other.name, b.value), fields)
        }
    }),
  )
  const total = open.size
  while (open.size) {
    let fields = open.values().next().value
    for (const {name, values} of lists) {
      if (name in fields) continue
      const gain = value =>
        Object.keys(fields).filter(other => open.has(pair(name, value, other, fields[other]))).length
      const best = values
        .map(({value}) => [gain(value), value])
        .filter(([count]) => count)
        .sort((a, b) => b[0] - a[0])
        .find(([, value]) => possible({...fields, [name]: value}))
      if (best) fields = {...fields, [name]: best[1]}
    }
    for (const one of Object.keys(fields))
      for (const other of Object.keys(fields)) open.delete(pair(one, fields[one], other, fields[other]))
    found.push(fields)
  }
  return {total, found}
}

const answer = {}
for (const [key, system] of Object.entries(jobscript.systems)) {
  if (system.form.gone) continue
  const choices = jobscript.choices(system, {}),
    cases = []
  const {total, found} = pairs ? allPairs(system, choices) : {total: 0, found: []}
  for (const fields of found) cases.push({fields, ...jobscript.write(system, fields)})
  const refused = []
  while (cases.length < found.length + random) {
    const fields = fieldsAtRandom(system, choices),
      possible = jobscript.asked(system, fields).plan
    if (possible) cases.push({fields, ...jobscript.write(system, fields)})
    else if (refused.length < random) refused.push({fields, ...jobscript.write(system, fields)})
  }
  answer[key] = {pairs: total, cases, refused}
}
process.stdout.write(JSON.stringify(answer))
