// The engine on a command line: {command, arguments, data} as JSON on standard input, the answer as JSON out.
// scripts/jobscript asks this way. `data` is {systems, data}, as the engine's data files set them.
const {readFileSync} = require("node:fs")
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

const {command, arguments: given, data} = JSON.parse(readFileSync(0, "utf8"))
Object.assign(jobscript, data)
process.stdout.write(JSON.stringify(jobscript.commands[command](jobscript, ...given)))
