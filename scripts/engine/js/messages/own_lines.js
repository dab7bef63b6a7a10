// The line that a message's cure proposes, in the form that a system's own page teaches.
const GPU = /^#SBATCH --(?:gres=gpu|gpus)\S*?(\d*)$/
const SLURM_ONLY = /^(?:#SBATCH|scontrol|squeue|sbatch|srun)\b|SLURM_/

/**
 * @param {any} taught as scripts/engine/data/messages.py writes it
 * @param {string} kind the scheduler's @param {string} line as the message has it
 * @returns {string | null} null where this system has no such line
 */
function own(taught, kind, line) {
  const gpu = GPU.exec(line)
  if (gpu) return taught.gpu?.replace(/1$/, gpu[1] || "1") ?? null
  if (kind === "grid_engine") {
    const time = /^#SBATCH --time=(\S+)$/.exec(line)
    return time ? `#$ -l h_rt=${time[1]}` : SLURM_ONLY.test(line) ? null : line
  }
  if (line.startsWith("#SBATCH --mem=") && !taught.memory) return null
  if (line.startsWith("#SBATCH --account=")) return taught.account ? line : null
  if (line.startsWith("#SBATCH --partition=")) return taught.partition ?? null
  if (line.includes(" --nv ") && taught.container === "none") return null
  return line
    .replace(" --nv ", ` ${taught.container ?? "--nv"} `)
    .replace(/\/scratch\/YOUR_PROJECT(?![\w-])/, () => taught.scratch ?? "/scratch/YOUR_PROJECT")
}

/** {was, now} of a message here; what is wrong is left out where it is this system's way. */
export const taughtLines = ({taught, kind}, {was, now}) => {
  const here = now && taught ? own(taught, kind, now) : now
  return {now: here ?? null, was: here && here !== was ? was : null}
}
