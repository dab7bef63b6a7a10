// What a reader does to a script that the form wrote stays when the form changes.
import assert from "node:assert/strict"
import {test} from "node:test"
import {systems} from "../test_facts.js"
import {choices, write} from "./offers.js"
import {rewrite} from "./rewrite.js"

const kestrel = systems.kestrel
const written = fields => write(kestrel, fields).script
const one = {time: "1h"},
  two = {gpus: "2", time: "4h"}
const edit = (from, to) => {
  const script = written(one)
  assert.ok(script.includes(from), from)
  return script.replace(from, to)
}
const rewritten = edited => rewrite(written(one), edited, written(two))

test("an untouched script becomes the new one", () => {
  assert.equal(rewritten(written(one)), written(two))
})
test("an added directive stays, and the form's own change", () => {
  const found = rewritten(edit("#SBATCH --time", "#SBATCH --tmp=100G\n#SBATCH --time"))
  assert.match(found, /--gpus=h100:2\n#SBATCH --tmp=100G\n#SBATCH --time=04:00:00/)
})
test("a changed value is the reader's", () => {
  assert.match(rewritten(edit("--job-name=one-gpu", "--job-name=mine")), /--job-name=mine\n/)
  assert.match(rewritten(edit("--account=myproject", "--account=other")), /--account=other\n/)
})
test("a line taken out stays out", () => {
  assert.doesNotMatch(rewritten(edit("#SBATCH --output=%x-%j.out\n", "")), /--output/)
})
test("an own program stays, whatever the form starts", () => {
  const found = rewritten(edit("srun python3 matmul.py --device gpu", "srun python3 train.py --epochs 3"))
  assert.match(found, /:\nsrun python3 train\.py --epochs 3\n$/)
  assert.doesNotMatch(found, /all_gpus\.py/)
  assert.match(found, /--cpus-per-task=64/)
})
test("a line below the set-up stays behind it", () => {
  const found = rewritten(edit("\nsrun python3 check_gpu.py", "module load cuda\n\nsrun python3 check_gpu.py"))
  assert.ok(found.indexOf("module load cuda") > found.indexOf("SRUN_CPUS_PER_TASK"))
  assert.ok(found.indexOf("module load cuda") < found.indexOf("# Put your own"))
})
test("there and back again is where it began", () => {
  const edited = edit("--job-name=one-gpu", "--job-name=mine")
  assert.equal(rewrite(written(two), rewritten(edited), written(one)), edited)
})
test("from each script to each other: the form's own lines change, and a reader's stay", () => {
  let tried = 0
  for (const system of [kestrel, systems.lumi, systems.fir]) {
    const all = choices(system, {}).flatMap(({name, values}) =>
      name === "cluster"
        ? []
        : values.filter(({possible}) => possible).map(({value}) => write(system, {[name]: value}).script),
    )
    for (const before of all)
      for (const after of all) {
        tried += 1
        const edited = before
          .replace("#SBATCH --time", "#SBATCH --comment=mine\n#SBATCH --time")
          .replace("set -euo pipefail", "set -euo pipefail\nexport MINE=1")
        assert.equal(rewrite(before, before, after), after)
        const found = rewrite(before, edited, after)
        assert.equal(found.replace("#SBATCH --comment=mine\n", "").replace("\nexport MINE=1", ""), after)
        assert.ok(found.length > after.length + 30, found)
      }
  }
  assert.ok(tried > 3000, tried)
})
