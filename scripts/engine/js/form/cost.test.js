// Prices by the operators' formulas, held against the examples that the operators reckon on their own pages.
import assert from "node:assert/strict"
import {test} from "node:test"
import {systems} from "../test_facts.js"
import {costOfHour} from "./cost.js"
import {write} from "./offers.js"

const GIB = 1024,
  GB = 1e9 / 2 ** 20
const cost = (cluster, hours, job) => {
  const found = costOfHour(systems[cluster].form, {gpu: null, nodes: 1, gpus: 0, cores: 0, mib: 0, ...job})
  return Number((found.hour * hours).toPrecision(9))
}

// [system, hours, job, what the operator says it costs, where]
const EXAMPLES = [
  // docs.lumi-supercomputer.eu, Billing policy
  ["lumi", 12, {partition: "standard", nodes: 16, cores: 128}, 24576],
  ["lumi", 24, {partition: "small", cores: 4, mib: 4 * GIB}, 96],
  ["lumi", 24, {partition: "small", cores: 4, mib: 32 * GIB}, 384],
  ["lumi", 24, {partition: "small", cores: 4, mib: 31 * GIB}, 384], // by parts of 2 GB
  ["lumi", 24, {partition: "standard-g", gpu: "mi250", nodes: 4, gpus: 8, cores: 56}, 384],
  ["lumi", 24, {partition: "small-g", gpu: "mi250", gpus: 2, cores: 14, mib: 120 * GIB}, 24],
  ["lumi", 24, {partition: "small-g", gpu: "mi250", gpus: 1, cores: 7, mib: 128 * GIB}, 24],
  // docs.csc.fi, Billing
  ["roihu", 2, {partition: "small", cores: 4, mib: 16 * GIB}, 12],
  ["roihu", 5, {partition: "gpumedium", gpu: "gh200", gpus: 2, cores: 144}, 2000],
  // NLR, Running on Kestrel
  ["kestrel", 1, {partition: "shared", cores: 26, mib: 123032}, 5],
  ["kestrel", 1, {partition: "gpu-h100s", gpu: "h100", gpus: 2, cores: 32, mib: 270000}, 75],
  // NLR, Running on Swift
  ["swift", 1, {partition: "standard", cores: 64, mib: 128 * GB}, 2.5],
  ["swift", 1, {partition: "standard", cores: 128}, 5],
  ["swift", 1, {partition: "gpu", gpu: "a100", gpus: 1}, 12.5],
  ["swift", 1, {partition: "gpu", gpu: "a100", gpus: 4}, 50],
]
test("the operators' own examples", () => {
  for (const [cluster, hours, job, said] of EXAMPLES)
    assert.equal(cost(cluster, hours, job), said, `${cluster} ${JSON.stringify(job)}`)
})
test("two nodes cost twice what one costs, by memory too", () => {
  for (const job of [
    {cores: 4, mib: 32 * GIB},
    {cores: 4, mib: 4 * GIB},
  ]) {
    const one = cost("lumi", 24, {partition: "small", ...job})
    assert.equal(cost("lumi", 24, {partition: "small", nodes: 2, ...job}), 2 * one)
  }
})
test("the share of one GPU costs what the facts say of a GPU's hour", () => {
  const words = {
    kestrel: 25,
    lumi: 0.5,
    roihu: 200,
    swift: 12.5,
    fir: 12.2,
    nibi: 12.2,
    rorqual: 12.2,
    trillium: 12.2,
    narval: 4,
  }
  for (const [cluster, price] of Object.entries(words)) {
    const {cost: found} = write(systems[cluster], {time: "1h"})
    assert.equal(Number(found.total.toPrecision(9)), price, cluster)
  }
})
test("a slice costs its part, and more never costs less", () => {
  for (const system of Object.values(systems).filter(({form}) => form.prices?.length)) {
    for (const [gpu, {counts}] of Object.entries(system.form.gpus)) {
      let before = 0
      for (const gpus of counts ?? [1, 2, 4]) {
        const made = write(system, {gpu, gpus: String(gpus)})
        if (!made.script || made.cost.total === undefined) continue
        assert.ok(made.cost.total >= before, `${system.key} ${gpu} ${gpus}`)
        before = made.cost.total
      }
    }
  }
})
test("time, and an array's jobs, are reckoned in", () => {
  const {cost: found} = write(systems.kestrel, {gpus: "2", time: "4h", array: "1-10"})
  assert.equal(found.total, 2000)
  assert.match(found.words, /^The job costs 50 allocation units per hour, and 2,000 for all 10 jobs of 4 hours each\./)
})
test("what is free is said, and what is not published too", () => {
  assert.match(write(systems.aire, {}).cost.words, /^The job is free/)
  assert.match(write(systems.lumi, {gpu: "none", memory: "2000G"}).cost.words, /has no price/)
  // 46.381 or 50.89, with 16 cores and 122 GiB: UVA, service.yaml
  const uva = write(systems.rivanna, {gpu: "a100_40", time: "1h"}).cost.words
  assert.match(uva, /costs 54\.9194 SU per hour\. If Slurm chooses NVIDIA A100, 80 GB, the job costs 62\.584 per hour/)
})
