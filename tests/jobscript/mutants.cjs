// Breaks the engine at one place at a time, or one number of the facts, and says which case notices.
// Standard input, as JSON: {folder, parts, systems, data, cases: [[cluster, script]], made: [cluster],
//   places?: [number] | [key], facts?: [number]}; places and facts name those that are to be broken; left out: all.
//   made: systems whose facts are not broken. A number is broken by 1, both ways.
// Out: {truth: [verdict], keys: of all places, places: [{key, to, case}], facts: [{path, way, to, case}]}; case: its number, or null.
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

// Each place; its key is the line's own text with `«»` around what is broken.
function placesOf(part, source) {
  const plain = code(source), found = []
  for (const [pattern, swap] of SWAPS)
    for (const match of plain.matchAll(pattern)) {
      const to = typeof swap === "string" ? swap : swap(match[0])
      const at = match.index, end = at + match[0].length
      const start = source.lastIndexOf("\n", at) + 1, stop = source.indexOf("\n", end)
      const key = `${part}.js: ${source.slice(start, at).trimStart()}«${match[0]}»${source.slice(end, stop)}`
      found.push({part, key, at, from: match[0], to})
    }
  return found.sort((a, b) => a.at - b.at)
}

function* numbers(value, path) {
  for (const [key, item] of Object.entries(value))
    if (typeof item === "number") yield [...path, key]
    else if (item && typeof item === "object") yield* numbers(item, [...path, key])
}

const {folder, parts, systems, data, cases, made, ...wanted} = JSON.parse(readFileSync(0, "utf8"))
const sources = Object.fromEntries(parts.map(part => [part, readFileSync(join(folder, `${part}.js`), "utf8")]))

// The engine in a world of its own, which ends it where it runs without end. What is global there is slow: it is named once.
function engine(changed = {}, read = []) {
  const context = vm.createContext({jobscript: {data, systems}, cases, read, truth: []})
  vm.runInContext(`(() => {
  const {Array, Infinity, JSON, Map, Math, Number, Object, Set, String, cases, read, jobscript} = globalThis
  ${parts.map(part => changed[part] ?? sources[part]).join("\n")}
  function decide([key, text], i) {
    const options = read[i] ?? jobscript.read(text, "slurm")
    const {verdict, refused, unjudged} = jobscript.slurm(jobscript.systems[key], options)
    return JSON.stringify([verdict, refused, unjudged.map(option => option.line)])
  }
  // Which of these cases is the first that ends otherwise; -1 if there is none.
  function notices(list, truth) {
    return list.findIndex(i => {
      try {
        return decide(cases[i], i) !== truth[i]
      } catch {
        return true
      }
    })
  }
  Object.assign(globalThis, {decide, notices})
  })()`, context, {timeout: 5000})
  return context
}

const FEW = 40, SLOW = 1500 // cases at a time, and ms for them: that something has no end is noticed, too
const order = [...cases.keys()] // those that noticed something come first
const right = engine()
const truth = vm.runInContext("cases.map(decide)", right)
right.truth = truth
const read = vm.runInContext('cases.map(([, text]) => jobscript.read(text, "slurm"))', right)
right.read = read

function notices(context, only) {
  const list = order.filter(i => !only || cases[i][0] === only)
  Object.assign(context, {truth})
  for (let start = 0; start < list.length; start += FEW) {
    context.list = list.slice(start, start + FEW)
    let found = 0
    try {
      found = vm.runInContext("notices(list, truth)", context, {timeout: SLOW})
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
const every = parts.flatMap(part => placesOf(part, sources[part]))
const named = typeof wanted.places?.[0] === "string"
const asked = named ? every.filter(({key}) => wanted.places.includes(key)) : pick(every, wanted.places)
const places = asked.map(({part, key, at, from, to}) => {
  const source = sources[part]
  let context
  try {
    context = engine({[part]: source.slice(0, at) + to + source.slice(at + from.length)}, part === "read" ? [] : read)
  } catch {
    return {key, to, case: -1} // it does not even load
  }
  return {key, to, case: notices(context)}
})

// Which case notices that this number is another.
function changed([path, way]) {
  const parent = path.slice(0, -1).reduce((value, key) => value[key], systems), key = path.at(-1), was = parent[key]
  parent[key] = was + way
  const found = notices(right, path[0])
  parent[key] = was
  return {path, way, to: was + way, case: found}
}

const real = Object.fromEntries(Object.entries(systems).filter(([key]) => !made.includes(key)))
const all = [...numbers(real, [])].flatMap(path => [[path, -1], [path, 1]])
const facts = pick(all, wanted.facts).map(changed)
const verdicts = truth.map(text => JSON.parse(text)[0])
process.stdout.write(JSON.stringify({truth: verdicts, keys: every.map(({key}) => key), places, facts}))
