// {data, texts: [[cluster, text]]} as JSON on standard input: what each pasted text is explained by, and its patterns.
const {readFileSync} = require("node:fs")
const jobscript = require("../../docs/assets/your-script/index.js")

const {data, texts, patterns} = JSON.parse(readFileSync(0, "utf8"))
Object.assign(jobscript, data)
process.stdout.write(
  JSON.stringify({
    found: texts.map(([cluster, text]) => jobscript.commands.explain(jobscript, cluster, text)),
    patterns: patterns.map(jobscript.messagePattern),
  }),
)
