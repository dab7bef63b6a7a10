// "Does it fit?": the bytes of a model by part, and the GPUs and slices that hold them.
import {MODEL} from "../form/request.js"
import {counted, family} from "./models.js"

/**
 * Bytes of a number. In 4 bits, 32 numbers share a scale of 8 bits, as in MXFP4; other formats differ little. In 8 and 4
 * bits the tables of words stay in 16.
 */
export const PRECISIONS = {float32: 4, bfloat16: 2, float16: 2, "8-bit": 1, "4-bit": 0.5 + 1 / 32}
export const USES = {inference: "inference", lora: "LoRA fine-tuning", full: "full fine-tuning with Adam"}
const USABLE = 0.9 // of a GPU's memory, as vLLM uses by default; CUDA itself and fragments need the rest
const PROMPT = 8192 // tokens that inference reads at once; a longer prompt is read in pieces
const RANK = 16 // of a LoRA on the four products of each attention
const CACHED = 2 // bytes of a number in the cache, and of most activations
const MOST_NODES = 16
const SPELLED = {
  ...{
    bf16: "bfloat16",
    fp16: "float16",
    half: "float16",
    fp32: "float32",
    int8: "8-bit",
    fp8: "8-bit",
    "8bit": "8-bit",
  },
  ...{int4: "4-bit", nf4: "4-bit", fp4: "4-bit", "4bit": "4-bit"},
}
const UNNAMED = "OWNER/NAME" // in the script of a model whose name on Hugging Face is not said
const UNITS = {"": 1, m: 1e6, million: 1e6, b: 1e9, billion: 1e9, t: 1e12, trillion: 1e12}

/** QuickJS groups no digits. */
const grouped = number => String(Math.floor(number)).replace(/\B(?=(\d{3})+$)/g, ",")
const whole = (text, most) => /^\d+$/.test(String(text)) && Number(text) > 0 && Number(text) <= most

/** The model that a text names: its shape, or its number of parameters alone. */
function modelOf(models, text) {
  const found = counted(models, text)
  if (found) return found
  const said = /^\d{1,3}(?:,\d{3})+(?!\d)/.test(text) ? text.replaceAll(",", "") : text.replace(",", ".")
  const [, digits, unit] = /^(\d+(?:\.\d+)?(?:e\d+)?)\s*([a-z]*)$/i.exec(said) ?? []
  const parameters = Math.round(Number(digits) * (UNITS[unit?.toLowerCase()] ?? Number.NaN))
  return parameters >= 1e6 && parameters <= 1e13 ? {name: "A model", parameters, read: 0} : null
}

/**
 * What is asked, with defaults, or the reason why it cannot be.
 * @returns {any}
 */
function understood({models, gpus}, asked) {
  const text = String(asked.model ?? "").trim()
  const model = modelOf(models, text)
  if (!model) {
    if (!text) return {reason: "Enter a model such as Llama 3.1 8B, or its number of parameters such as 7B."}
    if (/^-?\d[\d.,]*(?:e\d+)?\s*[a-z]*$/i.test(text))
      return {reason: `\`${text}\` is not a number of parameters from 1M to 10T. Enter a number such as 7B or 0.5B.`}
    const near = family(models, text).map(({name}) => name)
    const known = near.length ? `one of: ${near.join(", ")}` : "a model such as Llama 3.1 8B"
    return {reason: `The guide does not know the model \`${text}\`. Enter a number such as 7B, or ${known}.`}
  }
  const lower = word =>
    String(word ?? "")
      .trim()
      .toLowerCase()
  const use = lower(asked.use) || "inference"
  const written = lower(asked.precision) || "bfloat16"
  const precision = SPELLED[written] ?? written
  const system = lower(asked.system)
  const context = asked.context || Math.min(4096, model.longest ?? 4096)
  const batch = asked.batch || 1
  if (!Object.hasOwn(USES, use))
    return {reason: `The guide does not know the use \`${use}\`. Choose one of ${Object.keys(USES).join(", ")}.`}
  if (!Object.hasOwn(PRECISIONS, precision))
    return {
      reason: `The guide does not know the precision \`${written}\`. Choose one of ${Object.keys(PRECISIONS).join(", ")}.`,
    }
  if (use === "full" && PRECISIONS[precision] < 2)
    return {reason: `Full fine-tuning needs weights of 16 or 32 bits. Use LoRA with ${precision} weights.`}
  if (!whole(context, 1e7)) return {reason: "Enter the context as a whole number of tokens from 1 to 10,000,000."}
  if (!whole(batch, 1e6)) return {reason: "Enter the batch as a whole number of sequences from 1 to 1,000,000."}
  if (model.fixed && context > model.longest)
    return {reason: `${model.name} reads at most ${grouped(model.longest)} tokens.`}
  if (system && !gpus.some(({key}) => key === system)) {
    const keys = [...new Set(gpus.map(({key}) => key))].join(", ")
    return {reason: `No system in service is called \`${system}\`. Choose one of ${keys}.`}
  }
  if (asked.rate && !(Number(asked.rate) > 0))
    return {reason: "Enter the rate as a number of tokens per second above 0."}
  const rate = Number(asked.rate || 0)
  if (rate && (use !== "inference" || !model.read || model.fixed))
    return {reason: "The guide can judge the rate only of a named model that generates text. Omit the rate."}
  const named = text.includes("/") && MODEL.test(text) ? text : UNNAMED
  return {model, named, use, precision, system, context: Number(context), batch: Number(batch), rate}
}

/** Bytes of the keys and values of one sequence. */
function cached({layers, sliding, window, kv, head, fixed}, context) {
  const tokens = (layers - sliding) * context + sliding * Math.min(context, window)
  return fixed ? 0 : 2 * kv * head * CACHED * tokens
}
const adapters = ({layers, hidden, heads, kv, head}) =>
  RANK * layers * (2 * (hidden + heads * head) + 2 * (hidden + kv * head))

/**
 * Bytes by part. Training stores what autograd stores, with or without checkpointing: then each layer's input, and one
 * layer's rest while it is computed again.
 */
function bytesOf({model, use, precision, context, batch, checkpointing}) {
  const {parameters, layers} = model
  const size = PRECISIONS[precision]
  const known = layers > 0
  const trained = use === "full" ? parameters : use === "lora" && known ? adapters(model) : 0
  const own = use === "lora" ? 4 : size // an adapter is in float32
  const tokens = context * batch
  const wide = size === 4 ? 2 : 1 // activations of 32 bits
  const layer = checkpointing ? model.hidden * CACHED : model.layer_bytes
  const loss = use === "inference" || !known ? 0 : tokens * model.vocabulary * (size === 4 ? 4 : 6) // gradients of the output
  const activations =
    use === "inference"
      ? Math.min(tokens, PROMPT) * model.layer_bytes + batch * model.vocabulary * 4
      : tokens * (layers * layer + (checkpointing ? model.layer_bytes : 0) + model.head_bytes)
  const tables = size < 2 && known ? model.vocabulary * model.hidden * (model.tied ? 1 : 2) : 0
  return {
    weights: (parameters - tables) * size + tables * 2 + (use === "lora" ? trained * own : 0),
    gradients: trained * own,
    // Two moments of Adam in float32; weights of 16 bits also need a copy in float32.
    optimizer: trained * (own === 2 ? 12 : 8),
    cache: known && use === "inference" ? batch * cached(model, context) * wide : 0,
    activations: known ? activations * wide + loss : 0,
  }
}

/** Bytes on each of some GPUs: weights and optimizer are shared out, in inference the layers as well. */
function onEach(asked, number) {
  const {weights, gradients, optimizer, cache, activations} = bytesOf(asked)
  const shared = (weights + gradients + optimizer) / number
  if (asked.use === "inference")
    return shared + cache / Math.min(number, asked.model.kv ?? number) + activations / number
  const own = Math.ceil(asked.batch / number) / asked.batch // no GPU has less than one sequence
  return shared + activations * own
}

/** The fewest GPUs of a kind that hold it: {gpus, nodes}, or null. Slices do not work together. */
function fewest(asked, {bytes, per, slice, nodes: most, most: allowed, counts: only}) {
  const some = only.length ? only : [1, 2, 4, 8, per]
  const counts = slice ? [1] : some.filter(each => each <= per).sort((one, other) => one - other)
  for (let nodes = 2; !slice && nodes <= Math.min(most, MOST_NODES); nodes++) counts.push(nodes * per)
  const gpus = counts.find(
    count =>
      count <= allowed &&
      (asked.use !== "inference" || !asked.model.heads || asked.model.heads % Math.min(count, per) === 0) &&
      onEach(asked, count) <= USABLE * bytes,
  )
  return gpus ? {gpus, nodes: Math.ceil(gpus / per)} : null
}

/**
 * The most tokens per second that memory allows: each step reads all weights that one token uses, and the keys and
 * values of each sequence. While a sequence grows to its context, these are at least half of the last ones on average.
 */
function bound(asked, rate, gpus) {
  const {model, batch, context, precision} = asked
  if (asked.use !== "inference" || !model.read || model.fixed || !rate) return null
  const read = model.read * PRECISIONS[precision] + (batch * cached(model, context)) / 2
  return (batch * gpus * rate * 1e9) / read
}

/** Where it is told how vLLM runs, for who gets no script of the form. */
const VLLM = "learn/language-models.html#vllm"
/**
 * The form's address of a job with so many GPUs. Who trains on several of them shards the model, and who trains LoRA on
 * one runs the guide's program, which loads bfloat16. Who generates text runs vLLM: null where the form has none.
 */
function addressOf({key, gpu, vllm, finetune}, {gpus, nodes}, {use, model, precision, named}) {
  const generates = use === "inference" && !model.fixed
  const adapts = finetune && use === "lora" && gpus === 1 && precision === "bfloat16" && !model.fixed
  if (generates && !(vllm && nodes === 1 && [1, 2, 4, 8].includes(gpus))) return null
  const program = generates
    ? `&program=vllm&model=${named}`
    : adapts
      ? "&program=finetune"
      : use !== "inference" && gpus > 1
        ? "&shard=yes"
        : ""
  return `cluster=${key}&gpu=${gpu}&gpus=${gpus / nodes}&nodes=${nodes}${program}`
}

/** The cheaper job of a system first. */
const cheaper = (one, other) => (one === other ? 0 : one - other)

const PARTS = {
  weights: "weights",
  gradients: "gradients",
  optimizer: "optimizer",
  cache: "KV cache",
  activations: "activations",
}

/**
 * Does a model fit?
 * @param {{models: any[], gpus: any[]}} known shapes, and each GPU of each running system: {key, system, label, bytes,
 *   per, slice, rate}
 * @param {any} given model, use, precision, context, batch, system, checkpointing, rate; all but the first may be absent
 * @returns {any} {reason}, or {title, notes, parts: [{name, bytes}], total, places: those that hold it, and of one system all,
 *   with gpus: null}
 */
export function fit(known, given) {
  const understand = understood(known, given)
  if (understand.reason) return understand
  const asked = {...understand, checkpointing: Boolean(given.checkpointing)}
  const {model, use, precision, system: only, context, batch, rate} = asked
  const parts = Object.entries(bytesOf(asked))
    .map(([part, bytes]) => ({name: PARTS[part], bytes: Math.round(bytes)}))
    .filter(({bytes}) => bytes > 0)
  const places = known.gpus
    .filter(({key}) => !only || key === only)
    .map(gpu => {
      const found = fewest(asked, gpu)
      const {key, gpu: name, system, label, per, slice, half} = gpu
      const most = found && bound(asked, gpu.rate, found.gpus)
      const reach = Math.min(gpu.nodes, MOST_NODES)
      const least = !model.layers // more is needed, which only a named model tells
      const count = {gpus: found?.gpus ?? null, nodes: found?.nodes ?? null}
      const form = found && addressOf(gpu, found, asked)
      const page = found && !form ? VLLM : null
      const only = found && fewest(asked, {...gpu, counts: []}).gpus < found.gpus ? gpu.counts : null
      return {key, gpu: name, system, label, per, slice, half, reach, least, ...count, most, form, page, only}
    })
  const price = ({key, gpu, gpus, half}) => {
    const each = known.gpus.find(each => each.key === key && each.gpu === gpu).price
    return gpus && each !== null && !(half && precision === "bfloat16") ? gpus * each : Infinity
  }
  const order = [...new Set(places.map(({key}) => key))]
  places.sort((one, other) => order.indexOf(one.key) - order.indexOf(other.key) || cheaper(price(one), price(other)))
  const told = places.map(({most}) => most).filter(most => most !== null)
  if (rate && !told.length) return {reason: "The guide knows no upper limit for this use, so it cannot judge the rate."}
  if (rate && rate > Math.max(...told)) {
    const said = `${grouped(Math.max(...told))} tokens per second is the upper limit, not ${grouped(rate)}`
    return {refused: true, reason: `No GPU memory here is fast enough: ${said}.`}
  }
  const words = [`${grouped(model.parameters)} parameters`, precision, USES[use]]
  if (model.layers) words.push(`batch ${batch}`, `${grouped(context)} tokens`)
  const notes = []
  const out = {inference: "KV cache and activations", lora: "activations and LoRA's own weights", full: "activations"}[
    use
  ]
  if (!model.layers) notes.push(`The total omits ${out}. Name a model to include them.`)
  else if (context > model.longest) notes.push(`The model supports at most ${grouped(model.longest)} tokens.`)
  if (use === "full") notes.push(`Without fused=True, AdamW needs ${size(4 * model.parameters)} more during its step.`)
  const least = use === "inference" || asked.checkpointing || !model.layers ? null : {...asked, checkpointing: true}
  if (least) notes.push(`With activation checkpointing, the activations need ${size(bytesOf(least).activations)}.`)
  const shown = places.filter(({gpus, most}) => (gpus || only) && (!rate || most >= rate))
  const halves = [...new Set(shown.filter(({half, gpus}) => half && gpus).map(({label}) => label.split(",")[0]))]
  if (halves.length && precision === "bfloat16")
    notes.push(`There is no bfloat16 on ${halves.join(" and ")}. Use float16 there, which needs the same memory.`)
  for (const {system, label, only} of shown.filter(({only}) => only))
    notes.push(
      `On ${system}, jobs with ${label.split(",")[0]} have ${only.join(" or ")} GPUs, although fewer have enough memory.`,
    )
  const vllm = shown.some(({form}) => form?.includes("program=vllm"))
  if (vllm && asked.named === UNNAMED)
    notes.push(`The script has \`--model ${UNNAMED}\`. Replace it with the model's name on Hugging Face.`)
  if (vllm && PRECISIONS[precision] < 2)
    notes.push(`Name a model whose files have ${precision} weights. vLLM reads them without another option.`)
  if (use !== "inference" && shown.some(({gpus}) => gpus > 1))
    notes.push("On several GPUs, FSDP shards the model. DDP stores the whole model on every GPU.")
  return {
    title: `${model.name}: ${words.join(", ")}`,
    notes,
    parts,
    total: parts.reduce((sum, {bytes}) => sum + bytes, 0),
    places: shown,
  }
}

const grouped3 = number => (number < 1000 ? String(Number(number.toPrecision(3))) : grouped(number))
/** Bytes as people read them. */
export const size = bytes =>
  bytes < 1e9 ? `${Number((bytes / 1e6).toPrecision(2))} MB` : `${grouped3(bytes / 1e9)} GB`

/** How many GPUs, in words. */
export function enough({gpus, nodes, per, slice, reach, least}) {
  if (!gpus) return slice ? "does not fit" : `not on ${reach} node${reach > 1 ? "s" : ""}`
  const some = nodes > 1 ? `${nodes} nodes with ${per} each` : `${gpus} of ${per}`
  return `${least ? "at least " : ""}${slice ? "1 slice" : some}`
}
