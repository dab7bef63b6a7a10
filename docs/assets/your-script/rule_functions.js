// Rules that no pattern can express: as scripts/check/rules/functions.py. Each hands out
// {line, matched, written}: where, and the words that the rule's sentence is filled with.
;(jobscript => {
  const {regex} = jobscript
  const ADD_UP = new Set(["mail-type", "licenses"]) // values that add up when they are given again
  const COUNTS_ONCE = new Set(["N", "pe", "j"]) // Grid Engine: those that it says it overrides
  // Variables that are there only with an option, or with one of several.
  const ONLY_WITH = Object.fromEntries([
    "ntasks-per-node", "ntasks-per-gpu", "ntasks-per-core", "ntasks-per-socket", "gpus",
    "gpus-per-node", "gpus-per-task", "gpus-per-socket", "cpus-per-gpu", "mem-per-gpu", "mem-per-cpu",
  ].map(name => [`SLURM_${name.toUpperCase().replaceAll("-", "_")}`, name]))

  // How an option asks for GPUs with their model, and without.
  const GPUS = ["^[A-Za-z][\\w.-]*(:[1-9]\\d*)?$", "^[1-9]\\d*$"]
  const REQUESTS = {
    gres: ["(^|,)gpu:[A-Za-z][\\w.-]*(:[1-9]\\d*)?(,|$)", "(^|,)gpu(:[1-9]\\d*)?(,|$)"],
    gpus: GPUS, "gpus-per-node": GPUS, "gpus-per-task": GPUS,
  }

  /** The options of each component of a heterogeneous job; of any other job one list. */
  function components(options) {
    const found = [[]]
    for (const option of options) option.name === "hetjob" ? found.push([]) : found.at(-1).push(option)
    return found
  }
  /** The option that counts for each name: the last one. */
  const last = options => new Map(options.map(option => [option.name, option]))
  function number(options, name) {
    const value = options.get(name)?.value
    return value && /^[0-9]{1,15}$/.test(value) ? Number(value) : 0
  }

  /** The long options of sbatch, and of srun, which knows those too. */
  function optionNames() {
    const {options, rules} = jobscript.data
    const sbatch = Object.values(options.takes).join(" ").split(" ")
    return {sbatch, srun: [...sbatch, ...rules.srun.split(" ")]}
  }

  /** How alike two words are, from 0 to 1, as Python's difflib reckons. */
  function alike(one, other) {
    function common(a, b) {
      let best = [0, 0, 0]
      for (let i = 0; i < a.length; i++) {
        for (let j = 0; j < b.length; j++) {
          let size = 0
          while (a[i + size] === b[j + size] && i + size < a.length && j + size < b.length) size++
          if (size > best[2]) best = [i, j, size]
        }
      }
      const [i, j, size] = best
      if (!size) return 0
      return size + common(a.slice(0, i), b.slice(0, j)) + common(a.slice(i + size), b.slice(j + size))
    }
    return 2 * common([...one], [...other]) / ([...one].length + [...other].length)
  }
  /** The known name that is spelled almost so, or nothing. */
  function closest(word, known) {
    let best = null, most = 0.6
    if (word.length > 100) return null
    for (const name of known) {
      const score = alike(name, word)
      if (score > most || score === most && (best === null || name > best)) [best, most] = [name, score]
    }
    return best
  }

  /** Each word that is no option, with the option before it that lacks its value, if there is one. */
  function* stray(options) {
    for (const [place, option] of options.entries()) {
      const before = options[place - 1]
      if (!option.known && !option.written.startsWith("-"))
        yield [before?.line === option.line && regex("^-.*=$").test(before.written) ? before : null, option]
    }
  }

  const functions = {
    /** An option that is there twice with two values: the last one counts. */
    * said_twice({kind, options}) {
      const grid = kind === "grid_engine"
      for (const component of grid ? [options] : components(options)) {
        const counts = last(component)
        for (const {name, known, value, line, written} of component) {
          const other = counts.get(name)
          if (!known || value === other.value || (grid ? !COUNTS_ONCE.has(name) : ADD_UP.has(name))) continue
          yield {line, matched: [written, other.written, String(other.line)], written}
        }
      }
    },
    /** Grid Engine: a resource of -l that is there twice with two values: the last one counts. */
    * resource_twice({options}) {
      const asked = options.filter(({name, value}) => name === "l" && value).flatMap(({value, line, written}) =>
        value.split(",").map(part => ({name: part.split("=")[0], part, line, written})))
      const counts = last(asked)
      for (const {name, part, line, written} of asked) {
        const other = counts.get(name)
        if (part !== other.part) yield {line, matched: [part, other.part, String(other.line)], written}
      }
    },
    /** Grid Engine: the first task of an array has a larger number than the last. */
    * array_backwards({options}) {
      for (const {name, value, line, written} of options) {
        const ends = name === "t" ? regex("^([0-9]{1,15})-([0-9]{1,15})(?![0-9])").exec(value ?? "") : null
        if (ends && +ends[1] > +ends[2]) yield {line, matched: [written, `${ends[2]}-${ends[1]}`], written}
      }
    },
    /** A word that begins with two dashes and is no option of sbatch. */
    * unknown_option({options}) {
      for (const {known, written, line} of options) {
        if (known || !regex("^--[\\w-]").test(written)) continue
        const name = jobscript.words(written.slice(2).split("=")[0])[0]
        const close = closest(name, optionNames().sbatch)
        yield {line, matched: [`--${name}`, close ? `Did you mean --${close}?` : ""], written}
      }
    },
    /** A word in a directive that belongs to no option. Behind `--time =` it is the value, which another rule tells. */
    * stray_word({options}) {
      for (const [before, {line, written}] of stray(options)) if (!before) yield {line, matched: [written], written}
    },
    /** An option that ends with an equals sign, and its value as a word of its own. */
    * blank_after_equals({options}) {
      for (const [before] of stray(options))
        if (before) yield {line: before.line, matched: [before.written], written: before.written}
    },
    /** More nodes than tasks: Slurm takes fewer nodes. */
    * more_nodes_than_tasks({options}) {
      for (const found of components(options).map(last)) {
        const nodes = number(found, "nodes"), tasks = number(found, "ntasks")
        if (!nodes || !tasks || nodes <= tasks) continue
        const {line, written} = found.get("nodes")
        yield {line, matched: [String(nodes), String(tasks)], written}
      }
    },
    /** The folder of the output is made by the job itself, which starts only once its output is open. */
    * late_folder({options, commands}) {
      const made = commands.map(({text}) => text).filter(text => text.startsWith("mkdir")).join(" ")
      for (const {name, value, line, written} of options) {
        const whole = value ?? ""
        const folder = whole.slice(0, Math.max(0, whole.lastIndexOf("/"))).replace(/^\.\//, "")
        if (!folder || !["output", "error", "o", "e"].includes(name)) continue
        const named = folder.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
        if (!regex(`[ /'"]${named}/?(['" ]|$)`).test(made)) continue
        yield {line, matched: [whole, folder], written}
      }
    },
    /** Modules are unloaded behind the last one that was loaded, and before the work. */
    * purged_at_the_end({commands}) {
      const loads = "^((module\\s+(load|add|swap|restore|use)|ml\\s+(?!purge|reset|list|avail))\\b)"
      const loaded = commands.findLastIndex(({text}) => regex(loads).test(text))
      if (loaded < 0) return
      const behind = commands.slice(loaded + 1)
      const place = behind.findIndex(({text}) => regex("^((module|ml)\\s+(--force\\s+)?(purge|reset)\\b)").test(text))
      if (place < 0) return
      const worked = behind.slice(0, place).some(({text}) => !regex("^(module|ml|echo|export|set)\\b").test(text))
      if (worked || place + 1 === behind.length) return
      yield {line: behind[place].line, matched: [behind[place].text]}
    },
    /** A variable that Slurm sets only with an option, which the script has not. */
    * variable_without_option(script) {
      const told = new Set()
      for (const {line, text} of script.commands) {
        for (const [, name] of text.matchAll(regex("\\$\\{?(SLURM_\\w+)(?![\\w]|:?[-=+?])", "g"))) {
          const option = Object.hasOwn(ONLY_WITH, name) && ONLY_WITH[name]
          if (!option || told.has(name) || script.names.has(option)) continue
          // a partition's default may set it
          if (name === "SLURM_MEM_PER_CPU" && !script.names.has("mem") && !script.names.has("mem-per-gpu")) continue
          told.add(name)
          if (script.does(`\\b${name}=|^\\[.*${name}|^(if|test)\\b.*${name}`)) continue
          yield {line, matched: [`$${name}`, `--${option}`, name]}
        }
      }
    },
    /** The number of threads is that of tasks or nodes, though each task has several cores. */
    * threads_of_the_tasks({options, commands}) {
      const cores = number(last(options), "cpus-per-task")
      if (cores <= 1) return
      const of = "SLURM_(?:(NTASKS|NPROCS|NTASKS_PER_NODE|TASKS_PER_NODE)|(NNODES|JOB_NUM_NODES)|(JOB_ID))\\b"
      for (const {line, text} of commands) {
        const match = regex(`\\bOMP_NUM_THREADS=["']?(\\$\\{?${of}\\}?)`).exec(text)
        if (!match) continue
        yield {line, matched: [match[1], match[2] ? "tasks" : match[3] ? "nodes" : "the job", String(cores)]}
      }
    },
    /** More tasks a node than there are tasks: Slurm takes it for an upper bound. */
    * tasks_per_node_over_tasks({options}) {
      for (const found of components(options).map(last)) {
        const each = number(found, "ntasks-per-node"), tasks = number(found, "ntasks")
        if (!each || !tasks || each <= tasks) continue
        const {line, written} = found.get("ntasks-per-node")
        yield {line, matched: [written, String(tasks), String(found.get("ntasks").line)], written}
      }
    },
    /** Two requests for GPUs, of which one names the model and the other does not. */
    * model_named_once({options}) {
      for (const component of components(options)) {
        const found = last(component)
        const asked = component.filter(each => Object.hasOwn(REQUESTS, each.name) && each === found.get(each.name))
        const [typed, plain] = [0, 1].map(way => asked.findLast(({name, value}) => regex(REQUESTS[name][way]).test(value ?? "")))
        if (!typed || !plain) continue
        const [first, second] = [typed, plain].sort((one, other) => asked.indexOf(one) - asked.indexOf(other))
        yield {line: second.line, matched: [first.written, second.written], written: second.written}
      }
    },
    /** A long option of srun's own, before the program's name, that it does not have. */
    * unknown_srun_option({commands}) {
      const known = optionNames().srun
      for (const {line, text} of commands) {
        const [first, ...words] = jobscript.words(text)
        if (first !== "srun") continue
        for (const word of words) {
          if (!word.startsWith("-")) {
            if (regex("^\\d[\\d:.-]*$").test(word)) continue // the value of a short option
            break
          }
          const name = word.slice(2).split("=")[0]
          const whole = regex("^--[a-z][\\w-]*(=.*)?$").test(word)
          if (!whole || known.some(each => each.startsWith(name))) continue
          const close = closest(name, known)
          yield {line, matched: [`--${name}`, close ? `Did you mean --${close}?` : "See man srun."]}
          return
        }
      }
    },
  }

  Object.assign(jobscript, {ruleFunctions: functions, closest, components, last})
})(globalThis.jobscript ??= {})
