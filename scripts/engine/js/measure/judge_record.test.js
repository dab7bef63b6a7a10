// What nobody can have measured, and what is no record.
import assert from "node:assert/strict"
import {test} from "node:test"
import {judgeRecord, judged} from "./judge_record.js"

const rules = {samples: 9, spread: 0.1, call: 2e-7}
const names = {program: "a.py", label: "one", size: "8"}
const known = {...names, tolerance: 1e-6, least: 0.01, bound: "memory"}
const samples = Array(9).fill(0.02)
const found = {...names, error: 0, fraction: 0.5, samples_s: samples}
const reasonOf = changes => judged([{...found, ...changes}], [known], rules)[0].reason

test("an honest case is taken, and each fault has its sentence", () => {
  assert.equal(reasonOf({}), null)
  assert.match(reasonOf({size: "9"}), /this case is not measured/)
  assert.match(reasonOf({error: 1e-3}), /the result is wrong/)
  assert.match(reasonOf({error: null}), /the result is wrong/)
  assert.match(reasonOf({fraction: 0.6}), /does not match its time/)
  const wide = [...Array(6).fill(0.02), ...Array(3).fill(0.026)]
  assert.match(reasonOf({samples_s: wide}), /spread is 30% of the median, but at most 10% is/)
  assert.match(reasonOf({samples_s: Array(9).fill(0.005)}), /0.005 s, but the limit is 0.01 s/)
  assert.equal(judged([found, found], [known], rules)[1].reason, "this case is in the record twice")
})
test("nonsense in a case is refused", () => {
  for (const samples_s of [undefined, 3, null, "1", [], [-1], [0], ["1"], [null], {length: 9}])
    assert.match(reasonOf({samples_s}), /its samples are not times/)
})
test("what is no record is said in a sentence", () => {
  const measurable = {rules, cases: [known], devices: {one: {name: "One", cases: [[0, 0.01, "memory"]]}}}
  const record = {device: "one", date: "2026-11-23", cases: [found]}
  const cases = [
    [null, "This is not a record"],
    [[], "This is not a record"],
    [{...record, device: undefined}, "no limits for the device undefined"],
    [{...record, device: "__proto__"}, "no limits for the device __proto__"],
    [{...record, device: "x".repeat(10_000)}, "no limits for the device x"],
    [{...record, cases: Array(1001).fill({})}, "or more than 1000"],
  ]
  for (const [wrong, said] of cases)
    assert.throws(
      () => judgeRecord(wrong, measurable),
      ({message}) => message.includes(said) && message.length < 200,
    )
  const {good, refused} = judgeRecord({...record, cases: [found, null, 3, {program: {a: 1}}]}, measurable)
  assert.deepEqual([good.length, good[0].median, refused.length], [1, 0.02, 3])
})
