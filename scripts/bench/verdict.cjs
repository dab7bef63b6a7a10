// Times the engine's answers: {engine, times, system, data, texts} as JSON on standard input; out come milliseconds,
// for each text {first, found, judged}: the first answer of a new engine, and later ones without and with mends.
const {readFileSync} = require("node:fs")
const {engine, times, key, data, texts} = JSON.parse(readFileSync(0, "utf8"))

function milliseconds(act) {
  const start = performance.now()
  act()
  return performance.now() - start
}

const jobscript = require(engine)
Object.assign(jobscript, data)
const system = jobscript.systems[key]
const found = Object.entries(texts).map(([name, text]) => {
  const each = () => jobscript.found(system, text)
  const first = milliseconds(each)
  for (let i = 0; i < times; i++) each() // as after a few letters that a reader types
  return [
    name,
    {
      first: [first],
      found: Array.from({length: times}, () => milliseconds(each)),
      judged: Array.from({length: times}, () => milliseconds(() => jobscript.judge(system, text))),
    },
  ]
})
process.stdout.write(JSON.stringify(Object.fromEntries(found)))
