// srun's long options: sbatch's, and its own. It still accepts the older spellings with underscores.
import {sbatchOptions} from "./option_table.js"

const OWN = `accel-bind bcast bcast-exclude compress cpu-bind cpu_bind disable-status epilog exact het-group immediate
interactive jobid kill-on-bad-exit label mem_bind mpi msg-timeout multi-prog no-allocate overlap pack-group preserve-env
prolog pty quit-on-interrupt relative send-libs slurmd-debug task-epilog task-prolog threads treewidth unbuffered whole
x11`

/** @returns {string[]} */
export const srunOptions = () => [...sbatchOptions(), ...OWN.split(/\s+/)]
