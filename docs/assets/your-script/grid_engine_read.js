// The options among the words of Grid Engine's directives, as qsub takes them.
;(jobscript => {
  /** @param {object[]} all the words of the directives @returns {Option[]} */
  function readGridEngine(all) {
    const {one, two, none} = jobscript.data.grid_options, found = [], rest = [...all]
    const number = name => two.includes(name) ? 2 : one.includes(name) ? 1 : 0
    while (rest.length) {
      const word = rest.shift(), name = word.text.startsWith("-") ? word.text.slice(1) : null
      const here = () => rest.length && rest[0].line === word.line
      const left = name === "h" && (!here() || rest[0].text.startsWith("-")) ? 0 : number(name)
      const taken = []
      while (taken.length < left && here()) taken.push(rest.shift())
      const value = taken.length ? taken.map(each => each.text).join(" ") : null
      const known = name !== null && (number(name) > 0 || none.includes(name))
      found.push(jobscript.option(name || word.text, value, known, word, ...taken))
    }
    return found
  }

  Object.assign(jobscript, {readGridEngine})
})(globalThis.jobscript ??= {})
