// Whether a model fits, held against arithmetic that can be done by hand.
import assert from "node:assert/strict"
import {test} from "node:test"
import {data} from "../test_facts.js"
import {fit} from "./memory.js"

const asked = (model, more = {}) => fit(data.fit, {model, ...more})
const part = (found, wanted) => found.parts.find(({name}) => name === wanted)?.bytes ?? 0

test("weights are the parameters times the bytes of each", () => {
  const eight = 8030261248
  for (const [precision, bytes] of Object.entries({float32: 4, bf16: 2, FP16: 2}))
    assert.equal(part(asked("Llama 3.1 8B", {precision}), "weights"), eight * bytes, precision)
})
test("with 8 and 4 bits the tables of words stay in 16, as in the published files", () => {
  const tables = 2 * 128256 * 4096
  for (const [precision, bytes] of Object.entries({"8-bit": 1, int4: 0.53125}))
    assert.equal(part(asked("Llama 3.1 8B", {precision}), "weights"), (8030261248 - tables) * bytes + tables * 2)
  // https://n-shot.com/?p=6178 (AWQ) and https://fitmygpu.com/models/gpt-oss-120b (60.8 GiB)
  const published = {"Llama 3.1 8B": 5.7e9, "gpt-oss-120b": 60.8 * 2 ** 30}
  for (const [name, bytes] of Object.entries(published))
    assert.ok(Math.abs(part(asked(name, {precision: "4-bit"}), "weights") / bytes - 1) < 0.06, name)
})
test("a number may be spelled in several ways", () => {
  const numbers = {
    "7,5B": 7.5e9,
    "70e9": 70e9,
    "7 billion": 7e9,
    "7 b": 7e9,
    "0.5B": 5e8,
    "7,000,000,000": 7e9,
    "1T": 1e12,
  }
  for (const [text, parameters] of Object.entries(numbers)) assert.equal(asked(text).total, 2 * parameters, text)
})
test("only as many GPUs and nodes as a job can have there", () => {
  const place = (model, system, label, more = {use: "full", checkpointing: true}) =>
    asked(model, {system, ...more}).places.find(each => each.label.includes(label))
  assert.equal(place("Llama 3.1 8B", "trillium", "H100").gpus, 4, "1 or 4, not 2")
  assert.equal(place("Llama 3.1 8B", "nibi", "MI300A").gpus, 4)
  assert.equal(place("Llama 3.1 70B", "swift", "A100").gpus, null, "there are 10 nodes")
  assert.equal(place("Llama 3.1 70B", "rivanna", "A100, 40").gpus, null, "there are 2 nodes")
  assert.equal(place("Llama 3.1 8B", "rivanna", "2080").gpus, null, "a job has at most 2")
  assert.equal(place("Llama 3.1 8B", "roihu", "L40").gpus, null, "a job has one node")
  assert.equal(place("Llama 3.1 8B", "LUMI", "A40"), undefined, "it is for visualization")
})
test("the heads are divided among the GPUs of one node", () => {
  const [{gpus, nodes}] = asked("Llama 3.1 405B", {system: "kestrel"}).places
  assert.notEqual(128 % gpus, 0)
  assert.equal(gpus, 4 * nodes)
})
test("the script of vLLM has the model's name, or one that no model has and a note", () => {
  const of = (model, more = {}) => {
    const {places, notes} = asked(model, {system: "roihu", ...more})
    return [places[0].form.split("&model=")[1], notes.join(" ")]
  }
  assert.deepEqual(of("Qwen/Qwen3-8B"), ["Qwen/Qwen3-8B", ""])
  for (const model of ["Qwen3 8B", "7B"]) {
    const [name, notes] = of(model)
    assert.equal(name, "OWNER/NAME")
    assert.match(notes, /`--model OWNER\/NAME`\. Replace it/)
  }
  assert.match(of("Qwen/Qwen3-8B", {precision: "4-bit"})[1], /whose files have 4-bit weights/)
  assert.equal(of("Qwen3 8B", {use: "lora"})[0], undefined)
})
test("notes say what is missing", () => {
  assert.match(asked("7B").notes.join(" "), /omits .* There is no bfloat16 on NVIDIA V100 and/)
  assert.match(asked("Llama 3.1 70B", {use: "lora", precision: "4-bit"}).notes[0], /checkpointing, .* need 12\.5 GB/)
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
  assert.equal(cache("gpt-oss-20b", 100), 2 * 8 * 64 * 2 * 24 * 100)
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
  const {most} = asked("Llama 3.1 8B", {system: "narval"}).places.find(({slice}) => !slice)
  assert.ok(most > 90 && most < 1555 / 15)
  assert.match(asked("Llama 3.1 8B", {rate: 10 * most, system: "narval"}).reason, /upper limit, not/)
  assert.equal(asked("Llama 3.1 8B", {rate: 0.9 * most, system: "narval"}).places.length, 1)
})
test("what cannot be answered is one sentence, with what to enter", () => {
  const wrong = [
    ["", {}],
    ["lama", {}],
    ["1e99", {}],
    ["-7B", {}],
    ["7", {}],
    ["７B", {}],
    ["7B", {rate: "5"}],
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
