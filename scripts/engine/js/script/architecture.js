// For which processors and GPUs a command compiles.

// The compute capability, in the words of nvcc, CMake, nvc++, PyTorch and Kokkos.
const CODE =
  /(?:sm_|compute_|CUDA_ARCHITECTURES=["']?|TORCH_CUDA_ARCH_LIST=["']?|-gpu=cc|CUDA_TARGET_SM=["']?|CUDA_ARCH=["']?|Kokkos_ARCH_(?:VOLTA|TURING|AMPERE|ADA|HOPPER))(\d{1,2})\.?(\d)?(?!\d)/g

/** Each of them, as it is written and as [major, minor]. @param {string} text */
export const compiledCode = text =>
  [...text.matchAll(CODE)].map(([whole, one, two]) => ({
    whole,
    version: two === undefined ? [Number(one.slice(0, -1)), Number(one.slice(-1))] : [Number(one), Number(two)],
  }))

/** The text for another capability; null if it names none, several, or a family of Kokkos. @param {number[]} now */
export function compiledFor(text, now) {
  const versions = new Set(compiledCode(text).map(({version}) => version.join(".")))
  if (versions.size !== 1 || /Kokkos_ARCH/.test(text)) return null
  return text.replace(CODE, whole => whole.replace(/[\d.]+$/, digits => now.join(digits.includes(".") ? "." : "")))
}

const AVX512 =
  /(?:\.(?=avx512)|-march=|-DGMX_SIMD=|-mtune=|-m|-x|-xCORE-|-tp=?)((?:skylake-|core-)?avx_?512(?:f|bw)?|cascadelake|icelake-server|sapphirerapids|znver[45])(?![\w-])/i
/** Has none of these processors AVX-512? @param {string[]} cpus */
export const lacksAvx512 = cpus => cpus.length > 0 && cpus.every(cpu => /EPYC 7\w{3}\b|E5-2\w{3} v[34]/.test(cpu)) // Zen to Zen 3, Haswell, Broadwell
/** A name of AVX-512 in words of a command, if none of these processors has it. @param {string[]} cpus @param {string[]} words */
export const newerThan = (cpus, words) =>
  lacksAvx512(cpus) ? words.map(word => AVX512.exec(word)?.[1].toLowerCase()).find(Boolean) : undefined

/** The option of Intel's compilers that makes code for Intel's processors only. @param {string} word */
export const onlyOfIntel = word =>
  /(?<![\w-])-x(?:CORE-AVX[\w-]*|AVX[\w-]*|SSE[\w.]+|COMMON-AVX512|SAPPHIRERAPIDS|ICELAKE-SERVER|CASCADELAKE|SKYLAKE-AVX512|BROADWELL|HASWELL)(?![\w.-])/i.exec(
    word,
  )?.[0]
