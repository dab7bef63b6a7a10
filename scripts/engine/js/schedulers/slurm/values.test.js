// Values as sbatch 22.05 reads them: null is refused, undefined is not judged.
import assert from "node:assert/strict"
import {test} from "node:test"
import {count, indices, mebibytes, minutes, nodes, resources} from "./values.js"

function reads(read, cases) {
  for (const [text, value] of cases) assert.deepEqual(read(text), value, text)
}

test("times", () => {
  reads(minutes, [
    ["90", 90],
    ["1:30", 2],
    ["02:00:00", 120],
    ["1-", 1440],
    ["1-12", 2160],
    ["1-12:30", 2190],
    ["0", Infinity],
    ["UNLIMITED", Infinity],
    ["1h", null],
    ["", null],
    ["-5", undefined],
    ["99999999999", undefined],
  ])
})
test("memory in MiB", () => {
  reads(mebibytes, [
    ["500", 500],
    ["4G", 4096],
    ["4gb", 4096],
    ["1t", 1024 ** 2],
    ["1K", 1],
    ["0.5G", null],
    ["x", null],
    ["9999999999T", undefined],
  ])
})
test("counts", () => {
  reads(count, [
    ["4", 4],
    ["+4", 4],
    ["0", null],
    ["-1", null],
    ["2.5", null],
    ["99999999999", undefined],
  ])
})
test("the least and the most nodes", () => {
  reads(nodes, [
    ["4", [4, 4]],
    ["2-4", [2, 4]],
    ["2k", [2048, 2048]],
    ["4-2", null],
    ["two", null],
  ])
})
test("generic resources", () => {
  const read = text => resources(["gpu", "nvme"], text)
  reads(read, [
    ["gpu:2", [{name: "gpu", type: "", count: 2}]],
    ["gpu:a100:2", [{name: "gpu", type: "a100", count: 2}]],
    [
      "gpu,nvme:1K",
      [
        {name: "gpu", type: "", count: 1},
        {name: "nvme", type: "", count: 1024},
      ],
    ],
    ["gpu:0", []],
    ["tape:1", null],
    ["gpu::1", null],
    ["gpu:1g.10gb", undefined],
    ["gpu:1x", null],
  ])
})
test("indices of an array, below its largest size", () => {
  for (const text of ["1-10", "1,3,5", "1-9:2%3", "[1-3]"]) assert.ok(indices(text, 100), text)
  for (const text of ["3-1", "a", "1-100", "0-10:0"]) assert.ok(!indices(text, 100), text)
})
