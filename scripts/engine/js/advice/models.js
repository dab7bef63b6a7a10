// Advice about machine learning on GPUs: models that do not fit, and processes that get in each other's way.
import {data} from "../data.js"
import {parametersOf} from "../fit/models.js"
import {base, documents, program, programs} from "../script/payload.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {has} from "./runs.js"

const LOADS = /^(?:python[\d.]*|vllm|torchrun|accelerate|deepspeed|lm_eval|text-generation-launcher)$/
/** Of gpt-oss, the published files have 4 bits. */
const SMALLER =
  /(?:[348]|four|eight)[-_ ]?bit|int[48]|\bq[2-8]_|awq|gptq|gguf|fp[48]|nf4|mxfp|qlora|quant|offload|device[-_]map|bnb|bitsandbytes|gpt-oss/i
const BYTES = 2 // a number in bfloat16 or float16
const FAMILY = /^(?:llama|qwen|mistral|gemma|falcon|yi)\b/i
/** GB that the numbers of a model take, by its name; 0: the name does not tell. */
export const weights = name => (BYTES * parametersOf(data.advice.models, name)) / 1e9

/** A model whose numbers alone need more memory than the job's GPUs have. */
function* modelTooLarge({gpus, job, wantsGpu, commands, expand, lines, say}) {
  const all = gpus().map(([, gpu]) => mebibytes((gpu.memory ?? "").replace(/\s+|i?B$/g, "")))
  if (!wantsGpu || !job.gpus_total || !all.length || !all.every(Boolean) || lines.some(line => SMALLER.test(line)))
    return
  const there = (Math.max(...all) * job.gpus_total) / 1024
  for (const command of commands)
    for (const {words} of programs(command)) {
      if (!LOADS.test(base(words[0] ?? ""))) continue
      const code = documents(command).join("\n")
      const written = /\bvllm\b|from_pretrained/.test(code) ? (code.match(/(?<=["'])[^"'\n]*(?=["'])/g) ?? []) : []
      const model = [...words.slice(1), ...written]
        .map(word => expand(word).replace(/^--?[\w-]+=/, ""))
        .find(
          word =>
            /^[\w$./{}-]+$/.test(word) &&
            (word.includes("/") || FAMILY.test(word)) &&
            weights(word) > 0 &&
            !/\.(?:py|jsonl?|txt)$/.test(word),
        )
      const needed = weights(model) * (1e9 / 1024 ** 3)
      if (needed <= there) continue
      const what = `\`${base(model ?? "")}\` needs ${Math.ceil(needed)} GiB of GPU memory at 16-bit precision, but this job's GPUs have ${Math.floor(there)} GiB.`
      const cure = "Request more or larger GPUs, or load the model in 8-bit or 4-bit precision."
      yield say("model-over-gpu-memory", what, cure, command)
      return
    }
}

/** Two torchruns at a time on one node: both listen on port 29500. */
function* samePort({commands, job, say}) {
  if ((job.nodes ?? 1) !== 1) return
  const found = commands.filter(
    command =>
      command.background &&
      program(command) === "torchrun" &&
      !has(command.words, ["--standalone"]) &&
      !/--?(?:master[-_]port|rdzv[-_]endpoint|rdzv[-_]backend)|MASTER_PORT/.test(command.text),
  )
  const second = found.length > 1 ? found[1] : found.find(({loops}) => loops.length)
  if (!second) return
  const what = "two `torchrun` commands at the same time use the same port, 29500, so the second one fails."
  yield say("port-twice", what, "Add --standalone to each.", second, {kind: "fails"})
}

/** With a GPU for each task, each task's GPU has the number 0. */
const OWN_GPU = /--gpus-per-task[= ](?:[\w.]+:)?1\b|--gpu-bind[= ](?:single:1|per_task:1)/
function* localNumber({commands, option, say}) {
  const asked = option("gpus-per-task")?.written ?? ""
  for (const command of commands) {
    if (program(command) === "sbatch" || !(OWN_GPU.test(command.text) || OWN_GPU.test(asked))) continue
    const inner = command.tokens.map(({raw}) => raw).join(" ")
    if (!/cuda:\$\{?SLURM_(?:LOCALID|PROCID)/.test(inner)) continue
    const what = "each task sees only its own GPU, as number 0, so no other number exists."
    yield say("gpu-number-not-there", what, "Write cuda:0.", command, {kind: "fails"})
    return
  }
}

/** JAX reserves three quarters of a GPU's memory at its start: https://docs.jax.dev/en/latest/gpu_memory_allocation.html */
function* sharedByJax({commands, job, lines, say}) {
  if (job.gpus_total !== 1 || lines.some(line => /XLA_PYTHON_CLIENT|nvidia-cuda-mps/.test(line))) return
  if (!lines.some(line => /\bpip3? install\b.*\sjax\b|^\s*import jax\b|JAX_PLATFORM/.test(line))) return
  const found = commands.filter(each => each.background && /^python[\d.]*$/.test(program(each)))
  const second = found.length > 1 ? found[1] : found.find(({loops}) => loops.length)
  if (!second) return
  const what = "each JAX process reserves 75% of the GPU's memory when it starts, so the second one fails."
  const cure = "Set XLA_PYTHON_CLIENT_PREALLOCATE=false, or request a GPU for each process."
  yield say("jax-takes-the-gpu", what, cure, second)
}

/** A PyTorch, of a module or an image, that no longer has code for this GPU. */
function* tooNewPyTorch({gpus, certain, say}) {
  const all = gpus().map(([, gpu]) => gpu)
  if (!all.length || !all.every(gpu => gpu.no_pytorch)) return
  for (const command of certain) {
    if (!/^(?:module|ml|apptainer|singularity|srun|pip3?)$/.test(command.name)) continue
    const [found, major, minor] = /\b(?:py)?torch(?:[-_/:]|==)v?(\d+)\.(\d+)/.exec(command.text) ?? []
    const [last, first] = all[0].no_pytorch
    if (!found || Number(major) < last || (Number(major) === last && Number(minor) < first)) continue
    const what = `\`${found}\` does not run on ${all[0].model}.`
    const cure = `Request a different GPU, or use a PyTorch version older than ${last}.${first}.`
    yield say("pytorch-without-this-gpu", what, cure, command, {
      fact: `gpus.${gpus()[0][0]}.no_pytorch_from`,
      kind: "fails",
    })
    return
  }
}

export const ideas = [modelTooLarge, samePort, localNumber, sharedByJax, tooNewPyTorch]
