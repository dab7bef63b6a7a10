// The verdict on a whole script: the scheduler's decision and the findings of the rules.
;(jobscript => {
  jobscript.commands ??= {}
})(globalThis.jobscript ??= {})
