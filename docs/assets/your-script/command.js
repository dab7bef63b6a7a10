// The engine on a command line: a question as one line of JSON on standard input, the answer as another, until the input
// ends. scripts/jobscript asks this way: {command, arguments, clusters, systems, data}. `systems` and `data` are as the
// engine's data files set them, and what was told once is kept; `clusters` are those that the question is about.
const {createInterface} = require("node:readline")
const jobscript = require("./index.js")

jobscript.commands ??= {}
/** The verdict on each file. */
jobscript.commands.judge = ({systems}, key, files) =>
  Object.entries(files).map(([file, text]) => jobscript.judge(systems[key], text, file))
/** The scheduler's part of a verdict: what `guide check` takes where no scheduler can be had. */
jobscript.commands.scheduler = ({systems}, key, text, file) =>
  jobscript.decided(systems[key], jobscript.read(jobscript.clean(text), systems[key].kind), file)
/** The decision alone, for many scripts: what the tests hold against the twins. */
jobscript.commands.decide = ({systems}, asked) => asked.map(([key, text]) => {
  const options = jobscript.read(jobscript.clean(text), systems[key].kind)
  const {verdict, refused, unjudged} = jobscript.slurm(systems[key], options)
  return {verdict, refused, unjudged: unjudged.map(option => option.written)}
})
jobscript.commands.read = (_, kind, texts) => texts.map(text => jobscript.read(text, kind))

const known = {}
createInterface({input: process.stdin}).on("line", line => {
  const {command, arguments: given, clusters, systems, data} = JSON.parse(line)
  Object.assign(known, systems)
  jobscript.systems = Object.fromEntries(clusters.map(key => [key, known[key]]))
  if (data) jobscript.data = data
  process.stdout.write(`${JSON.stringify(jobscript.commands[command](jobscript, ...given))}\n`)
})
