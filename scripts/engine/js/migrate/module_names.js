// What the names of modules say: which program, whose, for which nodes and GPUs.
import {data} from "../data.js"

/** [what begins the line, the names, what ends it] */
export const LOADS =
  /^(\s*(?:module\s+(?:-q\s+)?(?:load|add|swap|switch)|ml(?!\s+(?:-|purge|use|load|av|spider|list|show|restore|reset|unload|swap)))\s+(?:load\s+)?)([\w./+ -]+?)(\s*(?:#.*)?|\s*(?:\|\||&&|;).*)$/
/** The same behind other words. */
export const INNER = /(?<=["'(;&|]\s*)module\s+(?:load|add)\s+[\w./+-]+(?: [\w./+-]+)*(?=\s*(?:["');&|]|$))/g

// Compilers and MPI, which the lines of an application load themselves.
export const TOOLCHAIN =
  /^(?:gcc|gnu|intel[\w-]*|imkl|mkl|openmpi|hpcx[\w-]*|intelmpi|impi|mpich|mvapich2?|cray-\w+|cpe\w*|PrgEnv-\w+|cuda|nvhpc|aocc|fftw|goolf\w*|foss|rocm|craype[\w-]*)(?:\/|$)/
/** What a system offers itself. */
const SERVICES = /^(?:python|httpproxy|tykky)\b|bindings$/
/** Libraries that programs are built with, so that no package takes their place. */
const LIBRARY =
  /^(?:p?netcdf|parallel-netcdf|hdf5|eccodes|eigen|gsl|boost|openblas|(?:netlib-)?(?:sca)?lapack|libxc|petsc|ucx|plumed)/i
// What makes the modules of one system visible: others have nothing like it.
export const STACK =
  /^(?:StdEnv|nixpkgs|LUMI|partition|CrayEnv|EasyBuild-\w+|lumi-container-wrapper|\.unsupported|slurm|user|licenses|sge)(?:\/|$)/
export const AMD = /^(?:rocm|amdgpu|craype-accel-amd-\w+)(?:\/|$)/
export const NVIDIA =
  /^(?:cuda|nvidia-compilers|cudatoolkit|cuda-toolkit|nvhpc(?:-\w+)*|cudnn|nccl|craype-accel-nvidia\w+)(?:\/|$)/
export const CRAY = /^(?:cray-|cpe|PrgEnv-|craype|perftools)/ // of HPE Cray's programming environment
export const hasCrayModules = ({move}) => [...move.documented, ...move.modules].some(name => CRAY.test(name))
export const PROCESSORS = /^craype-(?:x86|arm)-\w+/ // for which the compilers build
export const CONTAINER = /^(?:apptainer|singularity(?:-container|ce|pro)?)(?:\/|$)/
export const CONDA = /^(?:anaconda\d?|miniconda\d?|miniforge\d?|mambaforge|mamba|conda)$/

/** Does a system bring it, or nobody, so that its user installs no program instead? */
export const ofSystem = name =>
  [TOOLCHAIN, CRAY, LIBRARY, CONTAINER, NVIDIA, AMD, SERVICES].some(each => each.test(name)) || CONDA.test(base(name))
export const base = name => name.split("/")[0]
/** The names that a line loads. @param {string | null} line */
export const loadedBy = line => (LOADS.exec(line ?? "")?.[2] ?? "").split(/\s+/).filter(Boolean)
/** The commands that load an application from its user's own conda environment. */
export const OF_USER = /^export PATH="/
/** Does the script load R, which comes from its user's conda environment there? */
export const rInConda = ({move}, lines) =>
  OF_USER.test(move.applications.r?.cpu ?? "") && lines.flatMap(loadedBy).some(name => /^r(?:$|\/|-env)/i.test(name))
const R_LIBRARY =
  /^(\s*)(?:export\s+(?!\S+\s+\w))?R_LIBS(?:_USER|_SITE)?=(?:"[^"]*"|'[^']*'|[^\s;&|"'(]+)(?:\s*;\s*|\s+|$)(?![\s;&|])/
/**
 * A line without its library of R packages, where these come from conda. What other lines create or read stays.
 * @param {System} to @param {string[]} lines @returns {(line: string) => string | null} null: nothing is left
 */
export function withoutRLibrary(to, lines) {
  const here = rInConda(to, lines) && !lines.some(line => /\$\{?R_LIBS/.test(line.replace(R_LIBRARY, "")))
  return line => {
    const now = here ? line.replace(R_LIBRARY, "$1") : line
    return now !== line && /^\s*(?:#|$)/.test(now) ? null : now
  }
}
/** Do many centers have it, so that a line for it stays where we know nothing of it? */
export const isCommon = name => data.move.modules.common.includes(name.toLowerCase()) || CONDA.test(name)
/** Is it a library that programs bring elsewhere? */
export const isInside = name => data.move.modules.inside.includes(base(name))
/** Does it require a license? */
export const isLicensed = name => data.move.modules.licensed.includes(base(name).toLowerCase())
/** Does a program start its own processes with Open MPI, so that nobody installs it without? */
export const needsOpenMpi = name => data.move.modules.openMpi.includes(name.toLowerCase())
/** The names that a toolchain, or a version that says how it was built, has elsewhere. */
export const parted = name =>
  data.move.modules.toolchains[base(name)] ?? [name.replace(/^((?:hdf5|fftw|netcdf)[\w-]*?)\/\S*-mpi$/, "$1-mpi")]
/** Do both names stand for one program? */
export const alike = (one, other) =>
  one.toLowerCase() === other.toLowerCase() ||
  data.move.modules.same.some(names => names.includes(one) && names.includes(other)) ||
  (CONDA.test(one) && CONDA.test(other))
/** Who publishes this release of OpenFOAM, whose name two use. */
export const publisher = module =>
  /^openfoam\/v?\d{4}\b/i.test(module)
    ? "openfoam.com"
    : /^openfoam\/\d{1,2}(?![\d.]*\d{3})/i.test(module)
      ? "openfoam.org"
      : undefined
