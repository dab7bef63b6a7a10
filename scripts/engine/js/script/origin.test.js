// For which system a script was written.
import assert from "node:assert/strict"
import test from "node:test"
import "../test_facts.js"
import {originsOf} from "./origin.js"

const origins = (...lines) =>
  originsOf(["#!/bin/bash", ...lines, "srun python train.py", ""].join("\n")).map(({key}) => key)

test("a script that names what one system has is that system's", () => {
  assert.deepEqual(origins("#SBATCH --account=project_2001234 --partition=gpu", "#SBATCH --gres=gpu:v100:1,nvme:100"), [
    "puhti",
  ])
  assert.deepEqual(origins("#SBATCH -A project_462000123 -p small-g --gpus-per-node=1"), ["lumi"])
  assert.deepEqual(origins("#SBATCH --gpus=h100:1 --partition=gpu-h100s"), ["kestrel"])
  assert.deepEqual(origins("#SBATCH --gres=gpu:gh200:1 -p gpumedium"), ["roihu"])
  assert.deepEqual(origins("#$ -l h_rt=1:00:00,coproc_v100=1"), ["arc4"])
})

test("what several systems have in common leaves it open", () => {
  const several = origins("#SBATCH --account=def-someprof --gpus-per-node=h100:1")
  assert.ok(several.includes("fir") && several.includes("nibi") && !several.includes("narval"))
})

test("a script that names nothing is nobody's", () => {
  assert.deepEqual(origins("#SBATCH --time=60 --gpus=1"), [])
  assert.deepEqual(origins("#SBATCH --partition=$PLACE"), [])
  assert.deepEqual(origins(), [])
})
