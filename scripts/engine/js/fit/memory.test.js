// Whether a model fits, held against arithmetic that can be done by hand.
import assert from "node:assert/strict"
import {test} from "node:test"
import {data} from "../test_facts.js"
import {fit} from "./memory.js"

const asked = (model, more = {}) => fit(data.fit, {model, ...more})
const part = (found, wanted) => found.parts.find(({name}) => name === wanted)?.bytes ?? 0

test("weights are the parameters times the bytes of each", () => {
  const eight = 8030261248
  for (const [precision, bytes] of Object.entries({float32: 4, bf16: 2, "8-bit": 1, "4-bit": 0.53125}))
    assert.equal(part(asked("Llama 3.1 8B", {precision}), "weights"), eight * bytes, precision)
})
test("full fine-tuning with Adam stores 16 bytes for each parameter, in 16 and in 32 bits", () => {
  for (const precision of ["bfloat16", "float32"]) {
    const found = asked("7B", {use: "full", precision})
    assert.equal(found.total, 16 * 7e9)
  }
})
test("a cache of 8 heads is an eighth of one of 64, and a window bounds it", () => {
  const cache = (model, context) => part(asked(model, {context}), "KV cache")
  assert.equal(cache("Llama 3.1 70B", 1000), 2 * 80 * 8 * 128 * 2 * 1000)
  assert.equal(cache("gpt-oss-20b", 8000), 2 * 8 * 64 * 2 * (12 * 8000 + 12 * 128))
  assert.equal(cache("BERT base", 512), 0)
})
test("more of anything never needs less, and LoRA less than full fine-tuning", () => {
  for (const {name, fixed} of data.fit.models) {
    const total = more => asked(name, {context: fixed ? 128 : 1024, ...more}).total
    assert.ok(total({}) < total({batch: 2}), name)
    assert.ok(total({use: "lora", checkpointing: true}) < total({use: "lora"}), name)
    assert.ok(total({use: "lora"}) < total({use: "full"}), name)
  }
})
test("what is spelled otherwise is the same model", () => {
  for (const text of ["llama-3.1-8b", "meta-llama/Llama-3.1-8B-Instruct", "Meta-Llama-3.1-8B"])
    assert.match(asked(text).title, /^Llama 3\.1 8B: 8,030,261,248 parameters/)
})
test("a slice works alone, and a node's GPUs together", () => {
  for (const {slice, gpus, per, nodes} of asked("Llama 3.1 70B").places) assert.ok(!slice && gpus <= per * nodes)
  assert.ok(asked("Llama 3.2 1B").places.some(({slice}) => slice))
})
test("memory bandwidth bounds the rate, and a rate beyond it is refused", () => {
  const [{most}] = asked("Llama 3.1 8B", {system: "narval"}).places
  assert.ok(most > 90 && most < 1555 / 15)
  assert.match(asked("Llama 3.1 8B", {rate: 10 * most, system: "narval"}).reason, /upper limit, not/)
  assert.equal(asked("Llama 3.1 8B", {rate: 0.9 * most, system: "narval"}).places.length, 1)
})
test("what cannot be answered is one sentence, with what to enter", () => {
  const wrong = [
    ["", {}],
    ["lama", {}],
    ["1e99", {}],
    ["7B", {use: "train"}],
    ["7B", {precision: "3-bit"}],
    ["7B", {use: "full", precision: "4-bit"}],
    ["7B", {batch: "-1"}],
    ["7B", {context: "many"}],
    ["7B", {system: "puhti"}],
    ["7B", {rate: "fast"}],
    ["BERT base", {context: 513}],
  ]
  for (const [model, more] of wrong) assert.match(asked(model, more).reason, /^[^\n]+\.$/, model)
})
