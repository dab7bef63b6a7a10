// What a script asks for, in numbers that hold on every system.
import assert from "node:assert/strict"
import {test} from "node:test"
import {schedulerOf} from "../schedulers/registry.js"
import {systems} from "../test_facts.js"
import {needOf} from "./need.js"

const need = (key, ...options) => {
  const {kind} = systems[key]
  const prefix = kind === "slurm" ? "#SBATCH" : "#$"
  const text = ["#!/bin/bash", ...options.map(each => `${prefix} ${each}`), "./a", ""].join("\n")
  return needOf(systems[key], schedulerOf(kind).readOptions(text))
}

test("memory per GPU is that of one node's GPUs", () => {
  const {memory, gpus, perNode} = need("puhti", "--nodes=2", "--gres=gpu:v100:4", "--mem-per-gpu=10G")
  assert.deepEqual([gpus, perNode, memory], [8, 4, 40 * 1024])
})

test("the least number of cores of a node is that of its tasks together", () => {
  const {perTask} = need("aire", "--ntasks=2", "--mincpus=12")
  assert.equal(perTask, 6)
})

test("cores per GPU are those of all its tasks", () => {
  const each = tasks => need("puhti", `--ntasks=${tasks}`, "--gres=gpu:v100:4", "--cpus-per-gpu=10").perTask
  assert.deepEqual([1, 2, 3].map(each), [40, 20, 14])
})

test("seconds of Grid Engine's time are whole minutes, rounded up", () => {
  assert.equal(need("arc4", "-l h_rt=90").minutes, 2)
  assert.equal(need("arc4", "-l h_rt=1:30:00").minutes, 90)
})
