// The engine on a command line: {command, arguments, data} as JSON on standard input, the answer as JSON out.
// scripts/jobscript asks this way. `data` is {systems, data}, as the engine's data files set them.
const {readFileSync} = require("node:fs")
const jobscript = require("./index.js")

const {command, arguments: given, data} = JSON.parse(readFileSync(0, "utf8"))
Object.assign(jobscript, data)
process.stdout.write(JSON.stringify(jobscript.commands[command](jobscript, ...given)))
