// The form of a job script: what each field can be on a system, and the script that its values stand for.
;(jobscript => {
  const {FIELDS} = jobscript
  const TIMES = ["15m", "30m", "1h", "2h", "4h", "8h", "12h", "1d", "2d", "3d", "7d"]
  const MEMORY = ["8G", "16G", "32G", "64G", "128G", "256G", "512G"]
  const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
  const once = values => [...new Set(values.map(String))]

  function made(system, fields) {
    const read = jobscript.wishOf(system, fields)
    return read.fault ? read : jobscript.planOf(system, read.wish)
  }
  const limits = (system, field) => system.form.places.filter(place => !place.closed).map(place => place[field]).filter(Boolean)
  const increasing = (values, size) => once(values).sort((a, b) => size(a) - size(b))

  /** All that a field of this system can be asked for, possible or not, as the address says it. */
  const VALUES = {
    cluster: system => Object.keys(jobscript.systems ?? {[system.key]: system}),
    gpu: system => [...Object.keys(system.form.gpus), "none"],
    gpus(system, wish) {
      if (!wish?.gpu) return ["0"]
      const most = Math.max(1, ...system.form.places.flatMap(place => place.nodes.map(node => node.gpus[wish.gpu] ?? 0)))
      return Array.from({length: most}, (_, number) => String(number + 1))
    },
    nodes: system => increasing([1, 2, 3, 4, 8, 16, 32, 64, ...limits(system, "maxNodes")], Number),
    time: system => increasing([...TIMES, ...limits(system, "maxTime").map(jobscript.shortTime)], jobscript.minutesOf),
    memory: () => ["share", ...MEMORY],
    cores: () => ["share", ...COUNTS.map(String)],
    program: system => Object.keys(system.form.programs),
    array: () => ["no", "1-4", "1-10", "1-100"],
    checkpoint: () => ["no", "yes"],
    mail: () => ["no", "yes"],
  }
  const SIZES = {
    gpus: Number, nodes: Number, cores: Number, time: jobscript.minutesOf, memory: jobscript.mibOf,
    array: text => Number(/-(\d+)/.exec(text)?.[1] ?? 1),
  }

  /** The value of a field that can be had and is nearest to what was asked; null where none can. */
  function nearest(system, fields, field, fault) {
    const possible = value => {
      const found = made(system, {...fields, [field]: value})
      return found.plan
    }
    const tries = [...fault.nearest ? [fault.nearest] : [], ...VALUES[field](system, jobscript.wishOf(system, {...fields, [field]: ""}).wish)]
    if (field === "gpu") return nearGpu(system, fields.gpu, tries).find(possible) ?? null
    if (!(field in SIZES)) return tries.find(value => value !== fields[field] && possible(value)) ?? null
    if (fault.limit) tries.unshift(written(field, fault.limit))
    const size = SIZES[field], asked = size(String(fields[field] ?? ""))
    const near = once(tries).filter(value => value !== "share" && value !== "no")
      .sort((a, b) => Math.abs(size(a) - asked) - Math.abs(size(b) - asked))
    return [...near, "share", "no"].filter(value => VALUES[field](system).includes(value) || near.includes(value)).find(possible) ?? null
  }
  const written = (field, limit) => field === "time" ? jobscript.shortTime(limit)
    : field === "memory" ? jobscript.shortMemory(Math.floor(limit / 1024) * 1024) : field === "array" ? `1-${limit}` : String(limit)
  // By memory on the device, those of the same maker first.
  function nearGpu(system, asked, keys) {
    const {gpus} = system.form, from = gpus[asked]
    if (!from) return keys
    const far = key => gpus[key] ? (gpus[key].vendor === from.vendor ? 0 : 1e9) + Math.abs(gpus[key].mib - from.mib) : 1e12
    return keys.filter(key => key !== asked).sort((a, b) => far(a) - far(b))
  }

  /** What can be had instead, as `field=value`: of the field that is at fault, else of another. */
  function instead(system, fields, fault) {
    if (fault.field === "cluster" || system.form.gone) return null
    for (const field of once([fault.field, "gpus", "nodes", "time", "cores", "memory", "program", "checkpoint", "array", "gpu"])) {
      const value = field in VALUES ? nearest(system, fields, field, field === fault.field ? fault : {}) : null
      if (value !== null) return {field, value}
    }
    return null
  }

  /**
   * The script that the fields stand for.
   * @param {object} system `jobscript.systems.<cluster>`
   * @param {Object<string, string>} fields as `jobscript.fieldsOf` reads them from an address
   * @returns {{script: string, plan: object, cost: object}|{reason: string, field: string, nearest: object|null}}
   */
  function write(system, fields) {
    const {plan, fault} = made(system, fields)
    if (plan) return {script: jobscript.textOf(system, plan), plan, cost: jobscript.costOf?.(system, plan) ?? null}
    const near = instead(system, fields, fault)
    const also = near ? ` The nearest that can be had is ${near.field}=${near.value}.` : ""
    return {reason: fault.reason + also, field: fault.field, nearest: near}
  }

  function label(system, field, value) {
    const {gpus, programs} = system.form
    if (field === "cluster") return (jobscript.systems?.[value] ?? system).name
    if (field === "gpu") return gpus[value]?.label ?? "no GPU"
    if (field === "program") return programs[value].label
    if (field === "time") return jobscript.timeWords(jobscript.minutesOf(value))
    if (value === "share") return "the share, as proposed"
    return value
  }
  /** What the form shows in a field: what is asked for, or what is proposed. */
  function shown(field, fields, wish) {
    const said = String(fields[field] ?? "").trim()
    if (said || !wish) return said
    if (field === "gpu") return wish.gpu ?? "none"
    if (field === "time") return jobscript.shortTime(wish.time)
    if (["gpus", "nodes", "program"].includes(field)) return String(wish[field])
    return ["memory", "cores"].includes(field) ? "share" : "no"
  }

  /**
   * All fields of the form with their values, given what the others say.
   * @returns {{name: string, label: string, value: string, values: {value: string, label: string,
   *   possible: boolean, reason?: string, nearest?: object}[]}[]}
   */
  function choices(system, fields) {
    const {wish} = jobscript.wishOf(system, fields)
    return Object.keys(FIELDS).map(name => {
      const value = name === "cluster" ? system.key : shown(name, fields, wish)
      const every = system.form.gone && name !== "cluster" ? [] : VALUES[name](system, wish)
      const values = every.map(each => {
        const there = name === "cluster" ? jobscript.systems?.[each] ?? system : system
        const asked = name === "cluster" ? {} : {...fields, [name]: each}
        const found = {value: each, label: label(system, name, each), possible: true}
        const {fault} = made(there, asked)
        if (!fault) return found
        const near = name === "cluster" ? there.form.successor && {field: "cluster", value: there.form.successor}
          : instead(there, asked, fault)
        return {...found, possible: false, reason: fault.reason, nearest: near}
      })
      return {name, label: FIELDS[name], value, values}
    })
  }

  Object.assign(jobscript, {choices, write})
  jobscript.commands ??= {}
  jobscript.commands.choices = (_, cluster) => choices(jobscript.systems[cluster], {})
  jobscript.commands.write = (_, fragment) => {
    const {fields, reason} = jobscript.fieldsOf(fragment)
    if (reason) return {reason}
    const {script, reason: why} = write(jobscript.systems[fields.cluster], fields)
    return script ? {script} : {reason: why}
  }
})(globalThis.jobscript ??= {})
