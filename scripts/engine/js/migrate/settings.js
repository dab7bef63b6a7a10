// Variables that an operator documents for programs on several GPUs, where a moved script has none.

const NETWORK = /^NCCL_/
const CACHE = /^MIOPEN_/ // the library for convolutions on AMD GPUs: rocm.docs.amd.com/projects/MIOpen, conceptual/cache.html
const WITHOUT_CONVOLUTIONS = /vllm|llama|\bllm|transformers|deepspeed|megatron/i

/** @param {System} to @param {any} job as job.js makes it @param {string} text the old script @returns {Generator<string>} */
export function* settingsFor(to, job, text) {
  if (job.kind === "cpu" || !/torch|lightning|jax|tensorflow|\.py\b|NCCL/i.test(text)) return
  const exports = kind =>
    Object.entries(to.move.settings)
      .filter(([name]) => kind.test(name) && !text.includes(name))
      .map(([name, value]) => `\`export ${name}=${value}\``)
  const [network] = job.now.nodes > 1 ? exports(NETWORK) : []
  if (network) yield `For NCCL on several nodes of ${to.name}, write ${network} before the program.`
  const caches = job.amd && job.now.nodes * job.now.per > 1 && !WITHOUT_CONVOLUTIONS.test(text) ? exports(CACHE) : []
  if (caches.length)
    yield `If the program has convolutions, its processes share a cache in your home. Write ${caches.join(" and ")} before the program, which puts the cache into the node's memory.`
}
