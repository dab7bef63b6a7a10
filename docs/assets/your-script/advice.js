// What the scheduler accepts and the cluster's pages warn of. One idea a function, in the advice_*.js files; the samples of
// each stand in scripts/check/advice/*.yml. `guide check` and the page say it from here, in the same words.
;(jobscript => {
  /**
   * The advice about a script, each once.
   * @param {object} system with `advice`, as scripts/jobscript/advice.py writes it
   * @param {string} text without what keeps a file from being a script
   * @param {object[]} options of its directives
   * @param {(object|null)[]} jobs what the scheduler understood, as understood.js has it: one for each component; null: nothing
   * @param {string} [file] what the findings call it
   */
  function advice(system, text, options, jobs, file = "job.sh") {
    if (!system.advice) return []
    const lines = text.split("\n"), commands = jobscript.bash(lines), parts = jobscript.components(options)
    const understood = jobs.length === parts.length ? jobs : parts.map(() => null)
    const cases = parts.map((part, place) => jobscript.caseOf(system, understood[place], part, commands, lines, file))
    const {request, start, software, body} = jobscript.adviceOn, ideas = [...request, ...start, ...software, ...body]
    const found = cases.flatMap(each => ideas.flatMap(idea => [...idea(each)]))
    return [...new Map(found.map(each => [JSON.stringify(each), each])).values()]
  }

  jobscript.commands ??= {}
  /** What `guide check` asks, with what a scheduler understood. */
  jobscript.commands.advice = ({systems}, key, asked, file) => asked.map(([text, jobs]) =>
    advice(systems[key], text, jobscript.read(text, systems[key].kind), jobs, file))
  jobscript.advice = advice
})(globalThis.jobscript ??= {})
