// The chunk that judges: the page fetches it when its reader is about to check a script.
import * as judge from "../judge.js"
import "../schedulers/slurm/scheduler.js"

export const engine = judge
