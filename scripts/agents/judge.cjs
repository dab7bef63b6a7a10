// Judge job scripts with the guide's engine: node judge.cjs SYSTEM FILE... It prints JSON, and ends as `guide check`
// does: 1 where something is refused, fails or is ignored, 2 where nothing can be judged. It reads files, and no more.
const fs = require("node:fs")
const path = require("node:path")
const vm = require("node:vm")

const [system, ...files] = process.argv.slice(2)
const BAD = ["refused", "fails", "ignored"]
const places = [path.join(__dirname, "api"), path.join(__dirname, "../../../api/v1")]
const api = places.find(place => fs.existsSync(path.join(place, "engine.js")))

function stop(said) {
  console.error(said)
  process.exit(2)
}

function read(name) {
  return fs.readFileSync(path.join(api, name), "utf8")
}

if (!api) stop("The engine is not here. Copy the guide's folder api/v1 to scripts/api in this skill.")
try {
  const known = JSON.parse(read("index.json")).clusters.map(each => each.key)
  if (!known.includes(system) || !files.length) stop(`Usage: judge.cjs SYSTEM FILE... Systems: ${known.join(", ")}.`)
  vm.runInThisContext(read("engine.js"))
  const {data, judge} = globalThis.jobscript
  Object.assign(data, JSON.parse(read("common.json")))
  const facts = JSON.parse(read(`${system}.json`)).system
  const answers = files.map(file => judge(facts, fs.readFileSync(file === "-" ? 0 : file, "utf8"), file))
  console.log(JSON.stringify(answers, null, 1))
  process.exitCode = answers.some(each => each.findings.some(({kind}) => BAD.includes(kind))) ? 1 : 0
} catch (fault) {
  stop(fault.message)
}
