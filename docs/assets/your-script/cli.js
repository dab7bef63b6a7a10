#!/usr/bin/env node
// The package's own command: judges job scripts with the facts in data/, one line for each finding.
const {readFileSync} = require("node:fs")
const jobscript = require("./index.js")

const USAGE = "usage: gpu-cluster-jobscript judge CLUSTER FILE... [--json]"

/** @param {string[]} given the words behind the command's name @returns {number} the status */
function main(given) {
  const words = given.filter(word => word !== "--json"), [command, key, ...files] = words
  if (command !== "judge" || !files.length) return told(USAGE)
  const system = Object.hasOwn(jobscript.systems ?? {}, key) ? jobscript.systems[key] : null
  if (!system) return told(`${key}: no such cluster. Known here: ${Object.keys(jobscript.systems ?? {}).join(", ")}.`)
  const judged = []
  for (const file of files) {
    try {
      judged.push(jobscript.judge(system, jobscript.decoded(readFileSync(file)), file))
    } catch (fault) {
      if (!fault.code) throw fault
      return told(`${file}: cannot be read (${fault.code}). Check the path.`)
    }
  }
  process.stdout.write(words.length < given.length ? `${JSON.stringify(judged, null, 1)}\n` : lines(judged))
  const verdicts = judged.map(({verdict}) => verdict)
  return verdicts.includes("refused") ? 1 : verdicts.includes("not judged") ? 2 : 0
}

const lines = judged => judged.flatMap(({file, findings, verdict}) => [
  ...findings.map(({line, kind, what, cure}) => `${file}:${line}: ${kind}: ${what} ${cure}`.trimEnd()),
  `${file}: ${verdict}`,
]).join("\n") + "\n"

function told(words) {
  process.stderr.write(`${words}\n`)
  return 2
}

process.exitCode = main(process.argv.slice(2))
