// The chunk that judges: the page fetches it when its reader is about to check a script.
import "../schedulers/slurm/scheduler.js"
export * from "../after/propose.js"
export * from "../judge.js"
export * from "../script/origin.js"
