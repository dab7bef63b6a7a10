// Runs the first line that it reads as a script, and answers each later line with what `ask` makes of it; all lines are JSON.
const vm = require("node:vm")

let ready = false
const answer = text => {
  try {
    return {said: globalThis.ask(text)}
  } catch (fault) {
    return {failed: String(fault)}
  }
}
require("node:readline")
  .createInterface({input: process.stdin})
  .on("line", line => {
    const text = JSON.parse(line)
    if (!ready) vm.runInThisContext(text)
    console.log(JSON.stringify(ready ? answer(text) : {}))
    ready = true
  })
