// The engine in Node: loads the parts, each of which adds to one object, and hands that out.
const {existsSync, readdirSync} = require("node:fs")
const {join} = require("node:path")

// In the order in which a page loads them; what decides a verdict comes first, neighbours by what they have in common,
// which compresses better.
const PARTS = [
  "values", "slurm-job", "read", "gres", "slurm", "fit", "policy", "why", "further", "grid_engine_read", "grid_engine",
  "pattern", "shell", "rule_functions", "rules",
  "understood", "advice_shell", "advice_case", "advice_request", "advice_start", "advice_software", "advice_body", "advice",
  "mends", "mend_directives", "mend_commands", "judge",
  "wish", "plan", "body", "cost", "address", "form", "rewrite", "move-need", "move-place", "move-left", "move-body", "move",
  "explain-own", "explain",
]
for (const part of PARTS)
  if (existsSync(join(__dirname, `${part}.js`))) require(`./${part}.js`)
// A package brings its facts along.
const DATA = join(__dirname, "data")
if (existsSync(DATA)) for (const file of readdirSync(DATA)) require(join(DATA, file))
module.exports = globalThis.jobscript
