// Scripts that move: {data, asks: [[from, to, text]]} as JSON on standard input, the answers as a JSON list out.
const {readFileSync} = require("node:fs")
const jobscript = require("../../docs/assets/your-script/index.js")

const {data, asks} = JSON.parse(readFileSync(0, "utf8"))
Object.assign(jobscript, data)
const need = (key, text) => {
  const system = jobscript.systems[key]
  return jobscript.need(system, jobscript.read(text, system.kind))
}
const answers = asks.map(([from, to, text]) => {
  const found = jobscript.commands.move(jobscript, from, to, text)
  const verdict = jobscript.judge(jobscript.systems[from], text).verdict
  return {...found, had: need(from, text), has: found.script ? need(to, found.script) : null, verdict}
})
process.stdout.write(JSON.stringify(answers))
