// GROMACS on a system that has only its build with MPI, which has another name and rejects options of thread-MPI.
import {loadedBy, base} from "./module_names.js"
import {sameSoftware} from "./leftovers.js"

const COMMAND = /(?<=^|[\s;&|("'=])gmx(?=\s+[a-z])/g
const NOT_RUN = /^\s*(?:#|echo\b|printf\b)|\b(?:apptainer|singularity|docker)\b/
const ONE_RANK = /\s-ntmpi\s+1(?=\s|$)/
const RANKS = /(?<=\s)-ntmpi\s+[^\s\\]+/
const THREADS = /(?<=\s)-nt(?=\s+\S)/

/** Is `gmx` another program on `to`, to which the script's lines move? @param {System} from @param {System} to @param {string[]} lines */
export const onlyWithMpi = (from, to, lines) =>
  to.move.applications.gromacs?.program === "gmx_mpi" &&
  !sameSoftware(from, to) &&
  lines.some(line => loadedBy(line).some(name => base(name) === "gromacs")) &&
  lines.some(line => !NOT_RUN.test(line) && line.search(COMMAND) >= 0)

/**
 * @param {System} from @param {System} to @param {string[]} lines @param {Set<Entry | string>} impossible UPDATED
 * @returns {(line: string) => [string, string]} a line there, and why
 */
export function mpiBuildOf(from, to, lines, impossible) {
  if (!onlyWithMpi(from, to, lines)) return line => [line, ""]
  const threads = lines.some(line => /\s-ntomp\s/.test(line))
  return line => {
    if (NOT_RUN.test(line)) return [line, ""]
    const text = line.replace(COMMAND, "gmx_mpi")
    const own = text.replace(ONE_RANK, "").replace(THREADS, threads ? "$&" : "-ntomp")
    const ranks = RANKS.exec(own)?.[0] ?? (threads ? /(?<=\s)-nt\s+[^\s\\]+/.exec(own)?.[0] : undefined)
    if (ranks)
      impossible.add(
        `\`gmx_mpi\` ends with an error at \`${ranks}\`. ${ranks.startsWith("-ntmpi") ? "Remove this option, request as many tasks, and start `gmx_mpi mdrun` with srun" : "Remove this option"}.`,
      )
    const why = own === text ? "" : " It rejects options for thread-MPI."
    return [own, `GROMACS on ${to.name} has only its build with MPI.${why}`]
  }
}
