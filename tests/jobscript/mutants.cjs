// Breaks the engine at one place at a time, or one number of the facts, and says which case notices.
// Standard input: {folder, parts, systems, data, cases: [[cluster, script]], places?: [...], facts?: [...]}
// as JSON; places and facts name those that are to be broken, by number; left out: all of them.
// Out: {truth: [verdict], places: [{part, line, from, to, case}], facts: [{path, to, case}]}; case: its number, or null.
const {readFileSync} = require("node:fs")
const {join} = require("node:path")
const vm = require("node:vm")

const SWAPS = [
  [/ < /g, " <= "], [/ <= /g, " < "], [/ > /g, " >= "], [/ >= /g, " > "], [/ === /g, " !== "], [/ !== /g, " === "],
  [/ && /g, " || "], [/ \|\| /g, " && "], [/ \+ /g, " - "], [/ - /g, " + "], [/ \* /g, " + "], [/ \/ /g, " * "],
  [/ % /g, " * "], [/Math\.max/g, "Math.min"], [/Math\.min/g, "Math.max"], [/Math\.ceil/g, "Math.floor"],
  [/Math\.floor/g, "Math.ceil"], [/\.some\(/g, ".every("], [/\.every\(/g, ".some("], [/!(?=[\w(])/g, ""],
  [/\btrue\b/g, "false"], [/\bfalse\b/g, "true"], [/(?<![\w.$])\d+(?![\w.])/g, number => `${+number + 1}`],
]

// The source with the letters of comments, strings, templates and regular expressions blanked.
function code(source) {
  const skip = /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/g
  return source.replace(skip, text => text.replace(/[^\n]/g, "\0"))
}

function placesOf(part, source) {
  const plain = code(source), found = []
  for (const [pattern, swap] of SWAPS)
    for (const match of plain.matchAll(pattern)) {
      const to = typeof swap === "string" ? swap : swap(match[0])
      const line = source.slice(0, match.index).split("\n").length
      found.push({part, line, at: match.index, from: match[0], to})
    }
  return found.sort((a, b) => a.at - b.at)
}

function* numbers(value, path) {
  for (const [key, item] of Object.entries(value))
    if (typeof item === "number") yield [...path, key]
    else if (item && typeof item === "object") yield* numbers(item, [...path, key])
}

const {folder, parts, systems, data, cases, ...wanted} = JSON.parse(readFileSync(0, "utf8"))
const sources = Object.fromEntries(parts.map(part => [part, readFileSync(join(folder, `${part}.js`), "utf8")]))

// The engine in a world of its own, which ends it where it runs without end.
function engine(changed = {}) {
  const context = vm.createContext({jobscript: {data, systems}, cases, truth: [], order})
  for (const part of parts) vm.runInContext(changed[part] ?? sources[part], context, {timeout: 5000})
  vm.runInContext(`function decide([key, text]) {
    const {verdict, refused, unjudged} = jobscript.slurm(jobscript.systems[key], jobscript.read(text, "slurm"))
    return JSON.stringify([verdict, refused, unjudged.map(option => option.line)])
  }
  // Which of these cases is the first that ends otherwise; -1 if there is none.
  const notices = list => list.findIndex(i => {
    try {
      return decide(cases[i]) !== truth[i]
    } catch {
      return true
    }
  })`, context)
  return context
}

const FEW = 40
const order = [...cases.keys()] // those that noticed something come first
const right = engine(), truth = vm.runInContext("cases.map(decide)", right)
right.truth = truth

// A few cases at a time, so that what has no end is found soon.
function notices(context, only) {
  const list = order.filter(i => !only || cases[i][0] === only)
  Object.assign(context, {truth})
  for (let start = 0; start < list.length; start += FEW) {
    context.list = list.slice(start, start + FEW)
    let found = 0 // that it has no end is noticed, too
    try {
      found = vm.runInContext("notices(list)", context, {timeout: 4000})
    } catch { /* without end */ }
    if (found < 0) continue
    const i = context.list[found]
    order.splice(order.indexOf(i), 1)
    order.unshift(i)
    return i
  }
  return null
}

const pick = (list, numbers) => numbers ? numbers.map(number => list[number % list.length]) : list
const places = pick(parts.flatMap(part => placesOf(part, sources[part])), wanted.places).map(place => {
  const {part, at, from, to} = place, source = sources[part]
  let context
  try {
    context = engine({[part]: source.slice(0, at) + to + source.slice(at + from.length)})
  } catch {
    return {...place, case: -1} // it does not even load
  }
  return {...place, case: notices(context)}
})
const all = [...numbers(systems, [])].flatMap(path => [[path, 1], [path, -1]])
const facts = pick(all, wanted.facts).map(([path, step]) => {
  const parent = path.slice(0, -1).reduce((value, key) => value[key], systems), key = path.at(-1)
  parent[key] += step
  const found = notices(right, path[0])
  parent[key] -= step
  return {path: path.join("."), to: parent[key] + step, case: found}
})
const verdicts = truth.map(text => JSON.parse(text)[0])
process.stdout.write(JSON.stringify({truth: verdicts, places, facts}))
