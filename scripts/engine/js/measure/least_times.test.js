// Least times, worked out by hand: H100 with 66.9 and 33.5 TFLOP/s in float64, 3.35 TB/s, a link of 63 GB/s; two EPYC
// 7742 with 128 cores of 3.4 GHz, 16 operations a clock, 409.6 GB/s.
import assert from "node:assert/strict"
import {test} from "node:test"
import {leastTimes, onDevice, OPERATIONS, seconds, told} from "./least_times.js"

const h100 = {
  memory: 80e9,
  cache: 50e6,
  memoryRate: 3350,
  linkRate: 63,
  tflops: {float64: 66.9, float32: 66.9},
  ordinary: {float64: 33.5},
}
const epyc = {cache: 512e6, memoryRate: 409.6, tflops: {float64: 6.9632, float32: 13.9264}}
const close = ([time, binds], wanted, by) => {
  assert.ok(Math.abs(time / wanted - 1) < 1e-9, `${time} ${wanted}`)
  assert.equal(binds, by)
}
const pairs = {numbers: 1e9, read: 2, written: 1, operations: 1}

test("what binds on a GPU", () => {
  const large = OPERATIONS.product(8, {rows: 16384, inner: 16384, columns: 16384})
  close(onDevice(h100, large, "float64", false), (2 * 16384 ** 3) / 66.9e12, "arithmetic")
  const hard = OPERATIONS.elementwise(8, {numbers: 1e9, read: 1, written: 1, operations: 1000})
  close(onDevice(h100, hard, "float64", false), 1e12 / 33.5e12, "arithmetic")
  const easy = OPERATIONS.elementwise(4, pairs)
  close(onDevice(h100, easy, "float32", false), 12e9 / 3.35e12, "memory")
  close(onDevice(h100, easy, "float32", true), 8e9 / 63e9, "link")
})
test("a precision that it lacks, one memory, and what fits its cache", () => {
  const small = OPERATIONS.product(4, {rows: 64, inner: 64, columns: 64})
  assert.equal(onDevice(h100, small, "tf32", false), null)
  assert.equal(onDevice(h100, small, "float32", false)[1], "arithmetic")
  const apu = {...h100, linkRate: null}
  const easy = OPERATIONS.elementwise(4, pairs)
  assert.deepEqual(onDevice(apu, easy, "float32", true), onDevice(apu, easy, "float32", false))
})
test("what is said of a GPU and its host", () => {
  const asked = {device: h100, host: epyc, operation: "elementwise", precision: "float32", given: pairs, start: 3e-6}
  const said = {inside: "3.58 ms (memory)", linked: "127 ms (link)", cpus: "29.3 ms (memory)", less: "cpus"}
  assert.deepEqual(leastTimes(asked), said)
  assert.deepEqual(leastTimes({...asked, precision: "float16"}).cpus, said.cpus, "fewer bits are float32 on a CPU")
  assert.deepEqual(leastTimes({...asked, host: null}), {...said, cpus: null, less: null})
  assert.equal(leastTimes({...asked, given: {...pairs, numbers: 1e10}}).inside, "does not fit")
})
test("a time in words", () => {
  assert.deepEqual([3e-10, 1e-6, 0.00099951, 0.5714285, 1234.5].map(seconds), [
    "0.3 ns",
    "1 µs",
    "1000 µs",
    "571 ms",
    "1230 s",
  ])
  assert.equal(told([1e-7, "memory"], 3e-6), "3 µs (start)")
  assert.equal(told([4e-6, "memory"], 3e-6), "4 µs (memory)")
  assert.equal(told(null), "–")
})
