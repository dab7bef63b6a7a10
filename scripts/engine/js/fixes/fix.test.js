// Edits of findings that share a name with a rule of another scheduler.
import assert from "node:assert/strict"
import {test} from "node:test"
import {foundAndSubmitted, judge} from "../judge.js"
import {systems} from "../test_facts.js"

test("a job of no nodes for Grid Engine is refused, without an edit that is Slurm's", () => {
  const {findings} = judge(systems.arc4, "#!/bin/bash -l\n#$ -l h_rt=1:0:0\n#$ -l nodes=0\nhostname\n")
  const [{rule, mend}] = findings.filter(({kind}) => kind === "refused")
  assert.deepEqual([rule, mend], ["no-nodes", undefined])
})

test("a variable of another scheduler becomes Slurm's of the same meaning", () => {
  const script = name => `#!/bin/bash\n#SBATCH --account=project_2009999 --partition=small --time=10\necho $${name}\n`
  for (const [old, now] of [
    ["PBS_JOBNAME", "SLURM_JOB_NAME"],
    ["PBS_JOBID", "SLURM_JOB_ID"],
    ["PBS_O_WORKDIR", "SLURM_SUBMIT_DIR"],
  ]) {
    const edits = judge(systems.roihu, script(old)).findings.filter(({mend}) => mend?.line === 3)
    assert.deepEqual(
      edits.map(({mend}) => mend.to.replace(/[{}"]/g, "")),
      [`echo $${now}`],
    )
  }
})

test("a job that is too long gets the longest time, not the shortest", () => {
  const text = "#!/bin/bash\n#SBATCH --account=project_2009999\n#SBATCH --partition=small\n#SBATCH --time=5-0\n./a\n"
  const edits = judge(systems.roihu, text).findings.flatMap(({mend}) => mend ?? [])
  assert.match(edits[0].to, /--time=3-0/)
})

test("the same time and memory are written in another form", () => {
  const head = "#!/bin/bash\n#SBATCH --account=project_2009999 --partition=small\n#SBATCH "
  for (const [old, now] of [
    ["--time=1-01:90:00", "--time=1-02:30:00"],
    ["--mem=0.5T --time=10", "--mem=512G --time=10"],
  ]) {
    const {findings} = judge(systems.roihu, `${head}${old}\n./a\n`)
    assert.equal(findings.find(({mend}) => mend?.line === 3)?.mend.to, `#SBATCH ${now}`)
  }
})

test("code for another GPU is compiled for this one, in the compiler's own words", () => {
  const head = "#!/bin/bash\n#SBATCH --account=def-me --time=60 --mem=4G --gpus=a100:1\n"
  for (const [old, now] of [
    ["nvcc -arch=compute_100,code=sm_100 a.cu", "nvcc -arch=compute_80,code=sm_80 a.cu"],
    ["nvc++ -acc -gpu=cc90 a.cpp", "nvc++ -acc -gpu=cc80 a.cpp"],
    ['TORCH_CUDA_ARCH_LIST="9.0" python setup.py build', 'TORCH_CUDA_ARCH_LIST="8.0" python setup.py build'],
  ]) {
    const {findings} = judge(systems.narval, `${head}${old}\n`)
    assert.equal(findings.find(({rule}) => rule === "compiled-for-another-gpu")?.mend?.to, now)
  }
})

test("a byte-order mark is reported, and what is submitted has none", () => {
  const found = foundAndSubmitted(systems.roihu, "\u{feff}#!/bin/bash\n#SBATCH --time=10\n./a\n", "job.sh")
  assert.ok(!JSON.stringify(found.submit ?? "").includes("\u{feff}"))
})

test("a time that stands where Slurm does not read it is not replaced by an hour", () => {
  const head = "#!/bin/bash\n#SBATCH --account=def-me --mem=4G\n"
  const late = judge(systems.fir, `${head}hostname\n#SBATCH --time=10\n`).findings
  assert.deepEqual(
    late.filter(({mend}) => mend).map(({rule}) => rule),
    ["directive-below-command"],
  )
  const none = judge(systems.fir, `${head}hostname\n`).findings.find(({rule}) => rule === "no-time")
  assert.ok(none.mend.lines.includes("#SBATCH --time=01:00:00"))
})
