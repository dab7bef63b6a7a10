// The compute capability for which a command compiles, in the words of nvcc, CMake, nvc++, PyTorch and Kokkos.
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
