// Readers of a script's text.
import assert from "node:assert/strict"
import {test} from "node:test"
import {readOptions} from "../schedulers/slurm/options.js"
import {ended} from "../page/bytes.js"
import {leaveOut} from "./leave_out.js"
import {started} from "./payload.js"
import {readScript} from "./read.js"
import {nearest} from "./text.js"
import {clock, hours, many, thousands, timeWords} from "./units.js"

const commandsOf = text => readScript(text).commands.map(({line, text}) => [line, text])
const bashOf = text => readScript(text).commands.map(({line, words, certain}) => [line, words.join(" "), certain])

test("commands by line, without what only separates them", () => {
  assert.deepEqual(commandsOf("if true; then srun a; fi"), [
    [1, "true"],
    [1, "srun a"],
  ])
  assert.deepEqual(commandsOf("a | b &"), [
    [1, "a &"],
    [1, "| b &"],
  ])
  assert.deepEqual(commandsOf("srun \\\n  a"), [[1, "srun a"]])
})
test("neither here-documents nor quotes hold commands or comments", () => {
  assert.deepEqual(commandsOf("cat << EOF\n# text\nrm x\nEOF\nb"), [
    [1, "cat << EOF"],
    [5, "b"],
  ])
  assert.deepEqual(commandsOf("cat << EOF\n\tEOF\nrm x\nEOF\nb"), [
    [1, "cat << EOF"],
    [5, "b"],
  ])
  assert.deepEqual(commandsOf("echo $'it\\'s' # one\nb"), [
    [1, "echo $'it\\'s'"],
    [2, "b"],
  ])
  const {comments, commands} = readScript('# one\necho "# two" # three')
  assert.deepEqual(comments, [[1, "# one"]])
  assert.deepEqual(
    commands.map(({line, text}) => [line, text]),
    [[2, 'echo "# two"']],
  )
})
test("which commands are sure to run", () => {
  assert.deepEqual(bashOf("a\nif b; then c; fi\nd || e\nf() { g; }\nexit\nh"), [
    [1, "a", true],
    [2, "b", true],
    [2, "c", false],
    [3, "d", true],
    [3, "e", false],
    [4, "g", false],
    [5, "exit", true],
    [6, "h", false],
  ])
})
test("bash takes quotes off its words, and tells assignments from them", () => {
  const [{words, sets}] = readScript("A=1 B='2 3' srun \"a b\" $(date)").commands
  assert.deepEqual(words, ["srun", "a b", "$(date)"])
  assert.deepEqual(sets, ["A=1", "B=2 3"])
})
test("a script without some of its options has as many lines", () => {
  const text = "#!/bin/bash\n#SBATCH --nodes=1 --time=5 # mine\n#SBATCH -A a\nhostname"
  const options = readOptions(text)
  assert.equal(leaveOut(text, "slurm", [options[0]]), text.replace("--nodes=1", ""))
  assert.equal(leaveOut(text, "slurm", [options[2]]), text.replace("#SBATCH -A a", "#"))
})
test("the known word that a misspelt one means", () => {
  const known = ["account", "partition", "time"]
  assert.equal(nearest("acount", known), "account")
  assert.equal(nearest("tiem", known), "time")
  assert.equal(nearest("nodelist", known), undefined)
})
test("amounts", () => {
  assert.deepEqual([many(1, "node"), many(2, "node")], ["1 node", "2 nodes"])
  assert.deepEqual([900, 20000, 2000000.1234].map(thousands), ["900", "20,000", "2,000,000.1234"])
  assert.deepEqual([hours(93_784), clock(93_784), clock(60)], ["26:03:04", "1-02:03:04", "00:01:00"])
  assert.deepEqual([1440, 2880, 90, 60, 1].map(timeWords), ["24 hours", "2 days", "90 minutes", "1 hour", "1 minute"])
})
test("a new line of a script from Windows ends as its other lines do", () => {
  assert.equal(ended("a\r\nb\r\n", "a\nc\nb\n"), "a\r\nc\r\nb\r\n")
})
test("what launchers start, behind options that have values", () => {
  const launchers = ["srun -n 2 -c 4", "mpirun -np 2 -x A --mca a b", "mpiexec -n 2 --map-by core -wdir /a -genv A b"]
  launchers.push("timeout -s INT 5m", "numactl -N 0 taskset 1", "nsys profile -o a -t cuda", "conda run -n a env A=b")
  launchers.push("apptainer exec --nv -B /a a.sif")
  for (const line of launchers) assert.deepEqual(started([...line.split(" "), "./a", "-x"]).words, ["./a", "-x"], line)
})
