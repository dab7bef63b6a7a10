// Values of options as sbatch reads them: times, memory, counts, lists of generic resources.
;(jobscript => {
  jobscript.commands ??= {}
})(globalThis.jobscript ??= {})
