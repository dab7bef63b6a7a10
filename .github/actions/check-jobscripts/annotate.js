// Findings as the notes that GitHub shows beside a line; the status says whether one is wrong.
const {appendFileSync, readFileSync} = require("node:fs")

const LEVEL = {refused: "error", ignored: "warning", unwise: "warning"}
/** A text as a workflow command takes it: what would end it is escaped. */
const value = text => String(text).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A")
const property = text => value(text).replace(/:/g, "%3A").replace(/,/g, "%2C")

const judged = JSON.parse(readFileSync(0, "utf8"))
for (const {file, findings} of judged) {
  for (const {line, kind, what, cure, rule} of findings) {
    const place = `file=${property(file)},line=${line},title=${property(`${kind}: ${rule}`)}`
    console.log(`::${LEVEL[kind] ?? "notice"} ${place}::${value(`${what} ${cure}`.trim())}`)
  }
}
const counts = {}
for (const {verdict} of judged) counts[verdict] = (counts[verdict] ?? 0) + 1
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `verdicts=${JSON.stringify(counts)}\n`)
console.log(Object.entries(counts).map(([verdict, number]) => `${number} ${verdict}`).join(", "))
process.exitCode = judged.some(({findings}) =>
  findings.some(({kind}) => kind === "refused" || kind === "ignored")) ? 1 : 0
