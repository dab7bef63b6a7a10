// How a moved script starts the processes of an MPI program.
import {data} from "../data.js"
import {sameSoftware} from "./leftovers.js"
import {hasCrayModules, loadedBy} from "./module_names.js"

// Options of Open MPI's mpirun for which srun has defaults.
const PLACING = String.raw`(?:\s+-{1,2}(?:mca\s+\S+\s+\S+|(?:bind-to\s+\S+|map-by\s+(?:core|slot|socket|numa|l3cache)(?::PE=\S+)?|x\s+\w+)(?=\s)|report-bindings))*`
const MPIRUN = RegExp(
  String.raw`^(\s*(?:time\s+)?)(?:mpirun|mpiexec(?:\.hydra)?|orterun|prterun)${PLACING}(?:\s+-{1,2}(?:np?|ntasks)[= ]\s*(\S+))?${PLACING}(?=\s+[^-\s])`,
)

/** A line that starts MPI's processes with srun, where there is no mpirun; the job has so many. */
export const withSrun = (to, total, line, none = to.advice?.mpirun === false) =>
  none && total > 1
    ? line.replace(
        MPIRUN,
        (whole, begin, number = "") =>
          `${begin}srun${/:PE=(\S+)/.exec(whole)?.[1].replace(/^/, " --cpus-per-task=") ?? ""}${!number || Number(number) === total || /SLURM_NTASKS|SLURM_NPROCS/.test(number) ? "" : ` --ntasks=${number}`}`,
      )
    : line

const WRAPPERS = {cc: "mpicc", CC: "mpicxx", ftn: "mpif90"}
/** A line that compiles MPI programs without HPE Cray's cc, CC and ftn. */
export const withoutCray = (from, to, line) =>
  hasCrayModules(from) && !hasCrayModules(to)
    ? line.replace(/(?<=(?:^|[;&|])\s*|=["']?)(?:cc|CC|ftn)(?=[\s"']|$)/g, name => WRAPPERS[name])
    : line

/** What sbatch passes to a job without ALL, srun passes on, but mpirun does not look at it: slurm.schedmd.com/srun.html, SLURM_EXPORT_ENV. */
export function* exported(before, now) {
  const steps = /^[^#\n]*\bsrun\b/m
  const [option] = /(?<=\bsbatch\s[^\n#]*)--export=(?!ALL\b|NONE\b|NIL\b)\w+=[^\s"']*/.exec(now) ?? []
  if (option && steps.test(now) && !steps.test(before))
    yield `With \`${option}\`, srun passes no other variable to the program. Write \`${option.replace("=", "=ALL,")}\`.`
}

/** Is a system's MPI that of HPE Cray? */
export const hasCray = to => to.move.renamed.some(([, now]) => now === "cray-mpich")

/** What brings an mpirun. */
export const WITH_MPIRUN = /^(?:openmpi|hpcx|mpich|mvapich|intel-?mpi|impi|intel-oneapi-mpi|PrgEnv-intel)/
/** Do these lines load an application of HPE Cray's MPI, which has no mpirun, and no other MPI? */
function onCrayAlone(to, lines) {
  const names = lines.flatMap(loadedBy)
  const applications = Object.values(to.move.applications).flatMap(({cpu, gpu}) => [cpu, gpu].flatMap(loadedBy))
  return (
    to.move.documented.includes("cray-mpich") &&
    names.some(name => applications.includes(name)) &&
    !names.some(name => WITH_MPIRUN.test(name))
  )
}

/**
 * What srun is told of the program's MPI.
 * @param {any[]} all the lines of the new script @param {Set<string>} impossible UPDATED
 * @returns {(line: string) => [string | null, string]}
 */
export function interfaceOf(from, to, total, all, impossible) {
  const lines = all.map(({text}) => text ?? "")
  const alone = onCrayAlone(to, lines)
  for (const name of hasCray(to) ? data.move.modules.openMpi : [])
    if (lines.some(line => RegExp(`^[^#]*(?<![\\w.-])${name}(?![\\w.-])`).test(line)))
      impossible.add(
        `\`${name}\` starts its processes with Open MPI, which ${to.name} does not have. Install the Open MPI that its release names, too, or use a container that has both.`,
      )
  const five = lines.some(line => /^\s*(?:module|ml)\s[^#]*\bopenmpi\/[5-9]/.test(line))
  return given => {
    let line = withSrun(to, total, given, alone)
    if (line !== given) return [line, `${to.name} starts MPI programs with srun.`]
    if (five) line = line.replace(/(\bsrun\s.*?--mpi=)pmi2?\b/, "$1pmix")
    const [mpi] = /(?:--mpi=(?!none|list)|\bSLURM_MPI_TYPE=)\w+/.exec(line) ?? []
    if (!mpi || /^\s*#/.test(line) || sameSoftware(from, to) || (five && mpi.endsWith("pmix")))
      return [line, "Open MPI 5 supports only PMIx."]
    const inImage = /\b(?:apptainer|singularity)\s/.test(line)
    if (!hasCray(to) || inImage) {
      impossible.add(`Check with \`srun --mpi=list\` whether ${to.name} has \`${mpi}\`.`)
      return [line, ""]
    }
    const why = `srun starts programs that use ${to.name}'s Cray MPICH without this.`
    return /^\s*(?:export\s+)?SLURM_MPI_TYPE=\S+\s*$/.test(line)
      ? [null, why]
      : [line.replace(RegExp(`\\s+${mpi}`), ""), why]
  }
}
