// What shares or turns on GPUs: NVIDIA's service MPS, and LAMMPS's GPU package or Kokkos, of which a build has one.

const MPS = /\bnvidia-cuda-mps-\w+|\bCUDA_MPS_\w+/
const NESTED = /^\s*(?:if|for|while|until|case|function)\b|\b(?:then|do|else)\b|[{}\\]\s*$/

const REST = "(?:\\s+(?!-[a-z])[^\\s;&|>()\"'\\\\]+)*"
const OPTIONS = {
  gpu: [/([\s"'=])(-(?:sf|suffix)\s+)gpu\b/, RegExp(`([\\s"'=])-(?:pk|package)\\s+gpu(?:\\s+([^\\s;&|)"']+))?${REST}`)],
  kk: [
    /([\s"'=])(-(?:sf|suffix)\s+)kk\b/,
    RegExp(`([\\s"'=])-(?:k|kokkos)\\s+on(?:\\s+(?:t|threads)\\s+\\S+)?(?:\\s+(?:g|gpus)\\s+([^\\s;&|)"']+))?${REST}`),
  ],
}
const OF_KOKKOS = RegExp(`\\s-(?:pk|package)\\s+kokkos${REST}`)

const BINDING = /\s--gpu-bind=(?:v,|verbose,)?(?:closest|single(?::\d+)?|per_task:\d+|map_gpu:\S+|mask_gpu:\S+)(?=\s|$)/
const EACH_ITS_OWN = /(?:ROCR|HIP|CUDA)_VISIBLE_DEVICES=\\?["']?\\?\$\{?(?:SLURM|OMPI_COMM_WORLD|MPI)_LOCAL/
const SEVERAL = /((?:^|[\s"'=])-(?:k|kokkos)\s+on(?:\s+(?:t|threads)\s+\S+)?\s+(?:g|gpus)\s+)(?!1\b)(?:\d+|\$\{?\w+\}?)/

/**
 * Kokkos gives each process of a node a GPU by its local number, so `g 4` needs four visible ones.
 * @param {any} job as job.js makes it @param {string[]} lines @returns {(line: string) => [string, string]} a line there, and why
 */
export function kokkosOf(job, lines) {
  if (job.kind === "cpu" || job.now.per < 2 || !lines.some(line => SEVERAL.test(line))) return line => [line, ""]
  if (lines.some(line => EACH_ITS_OWN.test(line)))
    return line => [
      line.replace(SEVERAL, (_, begin) => `${begin}1`),
      "Each process sees one GPU, and Kokkos stops if it counts more.",
    ]
  return line => [
    line.replace(BINDING, ""),
    "With this option, each process sees one GPU, but Kokkos must see all that it counts.",
  ]
}

/** A line for MPS becomes a comment where GPUs are not NVIDIA's. */
export const withoutService = (job, line) =>
  job.amd && job.oldVendor === "NVIDIA" && MPS.test(line) && !NESTED.test(line) ? `# ${line.trim()}` : line

/**
 * @param {System} to @param {any} job as job.js makes it @param {string[]} lines @param {Set<string>} impossible UPDATED
 * @returns {(line: string) => [string, string]} a line there, and why
 */
export function acceleratorsOf(to, job, lines, impossible) {
  const flags = to.move.applications.lammps?.flags ?? ""
  const now = job.kind === "cpu" ? null : (/-sf (gpu|kk)\b/.exec(flags)?.[1] ?? null)
  const [suffix, start] = OPTIONS[now === "kk" ? "gpu" : "kk"]
  const loads = lines.some(line => /^[^#]*\b(?:module|ml)\s[^#]*\blammps/i.test(line))
  const own = lines.some(line => /^[^#]*\/lmp(?:_\w+)?(?=["'\s]|$)/.test(line)) // built by its user, with what the user chose
  if (!now || !loads || own || !lines.some(line => suffix.test(line))) return line => [line, ""]
  const [name, begin] = now === "kk" ? ["Kokkos", "-k on g"] : ["the GPU package", "-pk gpu"]
  const more = /-pk kokkos.*/.exec(flags)?.[0] ?? ""
  const started = lines.some(line => start.test(line))
  const count = number => (/[$]/.test(number ?? "") ? number : Math.max(job.now.per, 1))
  impossible.add(
    `LAMMPS on ${to.name} is built with ${name}, so the options change. If the input has a \`package\` or \`suffix\` command, change it, too.`,
  )
  const gpus = job.now.per * job.now.nodes
  if (now === "kk" && job.now.total > gpus)
    impossible.add(
      `With Kokkos, start one process per GPU, and divide the cores among them. This job has ${job.now.total} processes for ${gpus} GPU${gpus > 1 ? "s" : ""}.`,
    )
  return line => {
    const options = number => `${begin} ${count(number)}`
    const text = line
      .replace(now === "kk" ? "" : OF_KOKKOS, "")
      .replace(start, (_, before, number) => `${before}${options(number)}`)
      .replace(
        suffix,
        (_, before, option) => `${before}${started ? "" : `${options(null)} `}${option}${now}${more && ` ${more}`}`,
      )
    return [text, `LAMMPS on ${to.name} is built with ${name}.`]
  }
}
