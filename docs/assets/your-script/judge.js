// The verdict on a whole script: the scheduler's decision, and what the rules find besides.
;(jobscript => {
  /**
   * @typedef {object} Finding
   * @property {number} line from 1
   * @property {"refused" | "ignored" | "unwise" | "doubtful" | "not judged"} kind
   * @property {string} what what is wrong @property {string} cure what to do
   * @property {string} rule a name that stays
   * @property {string} [option] as written @property {string} [limit] what the facts allow
   * @property {string} [source] who says so @property {object} [mend] an edit that is certain
   */

  /**
   * @param {object} system facts of one cluster @param {string} text the script's
   * @param {string} [file] what the findings call it
   * @returns {{file: string, verdict: "accepted" | "refused" | "not judged", doubt?: true, findings: Finding[]}}
   *   doubt: not judged, since only facts that nobody confirms would refuse it
   */
  function judge(system, text, file = "job.sh") {
    return withMends(system, text, found(system, text, file))
  }

  /** What `judge` found, with `mend` where an edit is certain: it judges the script anew for each that it tries. */
  function withMends(system, text, answer) {
    const again = text => found(system, text, answer.file).findings
    return jobscript.mended
      ? {...answer, findings: jobscript.mended(system, text, answer.findings, again)} : answer
  }

  /** As `judge`, without mends: what a page shows first. */
  function found(system, text, file = "job.sh") {
    return jobscript.reading(text, () => findings(system, text, file))
  }

  function findings(system, text, file) {
    const script = clean(text), options = jobscript.read(script, system.kind)
    const empty = !text.trim()
    const decision = empty ? {verdict: "refused", findings: []} : decided(system, options, file)
    const all = empty
      ? [finding(1, "refused", "the file is empty.", "Start from one of the guide's scripts.", "empty")]
      : [...together(decision.findings, jobscript.rules(jobscript.data.rules, system, text, file)),
        ...jobscript.advice?.(system, script, options, [decision.asked ?? null], file) ?? []]
    const refused = all.some(each => each.kind === "refused")
    // What only doubtful facts refuse may be taken.
    const open = decision.verdict === "refused" && all.some(each => each.kind === "doubtful")
    const whole = all.map(each => ({file, option: null, limit: null, source: null, ...each}))
    return {
      file, verdict: refused ? "refused" : open ? "not judged" : decision.verdict, ...open && !refused ? {doubt: true} : {},
      findings: whole.sort((a, b) => a.line - b.line),
    }
  }

  // Where a rule says on that line what is wrong, the scheduler's bare words are not needed; what is
  // refused is not called unwise as well.
  function together(said, rules) {
    const on = (list, {line}, kind) => list.some(each => each.line === line && each.kind === kind)
    const refused = ({line, option}) =>
      said.some(each => each.kind === "refused" && each.line === line && each.option && each.option === option)
    const bare = ({line, rule, cure}) => rule === "scheduler" || rule === "unknown-option" &&
      (!cure || rules.some(each => each.line === line && [rule, "grid-engine-name"].includes(each.rule)))
    return [...said.filter(each => !bare(each) || !on(rules, each, each.kind)),
      ...rules.filter(each => each.kind !== "unwise" || !refused(each))]
  }

  // Without what keeps a file from being a script; rules/start.yml says what that does.
  const clean = text => text.replaceAll("\0", "").replace(/^\uFEFF/, "").replaceAll("\r\n", "\n")

  const finding = (line, kind, what, cure, rule, option) => ({line, kind, what, cure, rule, option})

  function decided(system, options, file) {
    if (system.kind !== "slurm") return jobscript.gridEngine(system, options)
    const {verdict, refused, unjudged, sure, job} = jobscript.slurm(system, options)
    const again = rest => decided(system, rest, file)
    const found = verdict === "refused" ? faults(system, options, refused, job, again) : []
    const left = unjudged.map(({line, written}) => finding(line, "not judged",
      `\`${written}\` is not judged here.`, `Ask the scheduler: \`./guide check ${system.key} ${file}\``,
      "not-judged-here", written))
    const more = jobscript.further(system, options, refused, found, job, again)
    return {
      verdict, findings: [...found, ...left, ...more?.findings ?? []],
      asked: sure && job ? jobscript.understood?.ofSlurm(system, job) ?? null : more?.understood ?? null,
    }
  }

  // Why it is refused.
  function faults(system, options, refused, job, again) {
    const {GRES_WRONG, atFault, lacking, nowhere} = jobscript
    const why = refused => jobscript.why(system, options, refused, job)
    const odds = refused.filter(({what}) => what === GRES_WRONG), others = refused.filter(each => !odds.includes(each))
    // What is missing or unknown comes first; of GPUs the rest is asked then.
    if (lacking(system, options).length) return why(others)
    const apart = job && !nowhere(refused) ? jobscript.apart(system, options, again) : null
    if (!apart) return atFault(system, options, why(refused), job)
    const found = [...why(odds), ...atFault(system, options, apart, job)]
    return found.length ? found : atFault(system, options, why(refused), job)
  }

  Object.assign(jobscript, {judge, found, withMends, decided, clean})
})(globalThis.jobscript ??= {})
