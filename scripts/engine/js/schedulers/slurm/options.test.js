// Options of directives as sbatch reads them.
import assert from "node:assert/strict"
import {test} from "node:test"
import {readOptions} from "./options.js"

const read = (...directives) =>
  readOptions(["#!/bin/bash", ...directives.map(each => `#SBATCH ${each}`), "hostname"].join("\n"))
const named = (...directives) => read(...directives).map(({name, value, known}) => [name, value, known])

test("long and short forms, cut short or not", () => {
  const account = [["account", "a", true]]
  for (const words of ["--account=a", "--account a", "-A a", "-Aa", "--acco=a"]) assert.deepEqual(named(words), account)
})
test("several on one line, and a comment behind them", () => {
  const two = [
    ["nodes", "2", true],
    ["hold", null, true],
  ]
  assert.deepEqual(named("-N2 -H # nothing"), two)
})
test("quotes go, and stay in what was written", () => {
  const [option] = read('--job-name="my job"')
  assert.equal(option.value, "my job")
  assert.equal(option.written, '--job-name="my job"')
  assert.deepEqual(option.pieces, [[2, 8, 27]])
})
test("what sbatch does not know", () => {
  assert.deepEqual(named("--acount=a"), [["acount", "a", false]])
  assert.deepEqual(named("--n=1"), [["n", "1", false]], "several begin so")
})
test("no directive counts behind the first command", () => {
  assert.deepEqual(readOptions("#!/bin/bash\nhostname\n#SBATCH --nodes=1"), [])
})
