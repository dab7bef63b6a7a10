// What else is at fault. A scheduler says one thing at a time, so what it refuses is put right in words that
// the system takes, as scripts/check/neutral.py does, or left out, and the rest is judged again.
;(jobscript => {
  const REQUIRED = ["account", "time", "partition"]
  // Without these, and with one GPU in place of several, a job is only smaller: what is refused then is refused anyway.
  const SMALLER = ["account", "time", "ntasks", "ntasks-per-node", "cpus-per-task", "cpus-per-gpu", "mincpus", "mem",
    "mem-per-cpu", "mem-per-gpu", "tmp", "array"]
  const NUMBERS = /(?<=^|[:,])\d+(?=,|$)/g
  // Option -> where a GPU without its model stands in the value.
  const UNTYPED = {gres: /(?<=(?:^|[,:])gpu)(?=(?::\d+)?(?:,|$))/g, gpus: /(?<=^|,)(?=\d+(?:,|$))/g}
  Object.assign(UNTYPED, {"gpus-per-node": UNTYPED.gpus, "gpus-per-task": UNTYPED.gpus})
  const NO_PARTITION = "invalid partition specified"

  // What an option means, however it is spelled.
  const meant = ({known, name, written}) => known || !written.startsWith("--") ? name : jobscript.near(name)

  /** What the system requires and the options do not say, not even misspelt. */
  const lacking = ({rules}, options) => REQUIRED.filter(name =>
    rules[name] && !options.some(each => meant(each) === name && (each.value || !each.known)))

  const isOn = (option, {line, option: written}) => option.line === line && option.written === written

  /**
   * What is found of the rest.
   * @param {object} system @param {Option[]} options @param {object[]} refused as slurm says it
   * @param {object[]} found why, as findings @param {object} [job]
   * @param {(options: Option[]) => object} judge decides on other options
   * @returns {{findings: object[], understood: object | null} | null} those that are new; what the rest asks for
   */
  function further(system, options, refused, found, job, judge) {
    const strange = options.filter(option => [...refused, ...found].some(each => isOn(option, each)))
    const [first, ...others] = judgeable(system, options, refused, strange, job)
    // What one way of meaning it would not break is not told.
    if (!first || others.some(each => jobscript.slurm(system, each).verdict !== "refused")) return null
    const {verdict, findings, asked} = judge(first)
    const told = ({line, option}) => found.some(each => each.line === line && each.option === option)
    return {
      understood: strange.every(idle) ? asked : null, // what counts of a job is as it was written
      findings: verdict !== "refused" ? [] : findings.filter(each => each.option && !told(each) &&
        /^(refused|doubtful)$/.test(each.kind) && !each.rule.includes("-under-")),
    }
  }

  // Options for which the same script may be meant, the likeliest first; what is added stands on line 0.
  function judgeable(system, options, refused, strange, job) {
    const {partitions, rules, why} = system
    const nowhere = refused.some(({line, what}) => line && what.startsWith(NO_PARTITION))
    const names = [...lacking(system, options), ...nowhere ? ["partition"] : []]
    if (job && names.length) {
      const places = jobscript.placesOf(system, job), all = names.includes("partition") || !places.length
      const keys = jobscript.byFaults(system, job, all ? Object.keys(partitions) : places)
      const kept = nowhere ? options.filter(({name}) => name !== "partition") : options
      return keys.slice(0, names.includes("partition") ? Infinity : 1).map(key => {
        const values = {account: why.account, partition: why.partitions[key].called, time: leastTime(system)}
        return [...kept, ...names.map(name => ({name, value: `${values[name]}`, known: true, line: 0, written: ""}))]
      })
    }
    if (job && refused.some(({what}) => what === rules.gpu_model))
      return withModel(system, options, jobscript.placesOf(system, job))
    return smaller(system, options, strange)
  }

  // The job without what is refused, or with less of it; nothing where it would be another job.
  function smaller(system, options, strange) {
    const least = {account: system.why.account, time: `${leastTime(system)}`, ntasks: "1"}
    const less = option => {
      const name = meant(option), value = UNTYPED[name] ? option.value?.replace(NUMBERS, 1) : least[name]
      return value && value !== option.value ? [{...option, name, value, known: true}] : []
    }
    const can = option => idle(option) || SMALLER.includes(meant(option)) || less(option).length
    if (!strange.length || !strange.every(can)) return []
    const names = strange.map(meant).filter(name => SMALLER.includes(name)) // or an earlier value would count now
    const kept = options.filter(each => !strange.includes(each) && !names.includes(meant(each)))
    return [[...kept, ...strange.flatMap(less)]]
  }

  const leastTime = ({partitions}) => Math.max(1, ...Object.values(partitions).map(({rules}) => rules?.min_time ?? 1))

  /**
   * The findings without those on options that are taken as soon as the others are put right: of 64 GPUs for ten
   * years the years are at fault, and 64 GPUs on one node are not where the job may have more nodes.
   */
  function atFault(system, options, found) {
    const told = options.filter(option => found.some(each => isOn(option, each))), spared = []
    if (told.length < 2) return found
    for (const option of told) {
      const [rest] = smaller(system, options, told.filter(each => each !== option && !spared.includes(each)))
      if (rest && jobscript.slurm(system, rest).verdict !== "refused") spared.push(option)
    }
    return spared.length < told.length ? found.filter(each => !spared.some(option => isOn(option, each))) : found
  }

  // Nothing rests on what sbatch does not know and nobody means, and on some others.
  const idle = option => !meant(option) || jobscript.idle({name: meant(option)})

  // The same with each model of these partitions' nodes; where they have none, of all.
  function withModel({nodes, partitions}, options, keys) {
    const models = keys => [...new Set(keys.flatMap(key => Object.keys(partitions[key].nodes))
      .flatMap(type => nodes[type].gres).filter(([name, model]) => name === "gpu" && model).map(([, model]) => model))]
    const there = models(keys), untyped = ({name, value}) => value && value.search(UNTYPED[name] ?? /$^/) >= 0
    if (!options.some(untyped)) return []
    const typed = (option, model) => ({...option,
      value: option.value.replace(UNTYPED[option.name], option.name === "gres" ? `:${model}` : `${model}:`)})
    return (there.length ? there : models(Object.keys(partitions)))
      .map(model => options.map(each => untyped(each) ? typed(each, model) : each))
  }

  Object.assign(jobscript, {further, lacking, atFault})
})(globalThis.jobscript ??= {})
