// What a Grid Engine cluster decides about a job: its verifier's rules, then whether any hosts of
// a queue have what is asked for. What is not plainly written is not judged here.
import {last as lastOf} from "../../script/directives.js"
import {nearest} from "../../script/text.js"
import {many} from "../../script/units.js"
import {requestOf} from "./request.js"

const UNITS = {"": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40, k: 1e3, m: 1e6, g: 1e9, t: 1e12}
const YES_OR_NO = /^(y|yes|n|no)$/i
const MOST_TASKS = 75000
// Of an option's value: what is taken, and what surely is not; between them nobody knows here.
const FORMS = {
  j: {taken: YES_OR_NO, refused: /./},
  r: {taken: YES_OR_NO, refused: /./},
  R: {taken: YES_OR_NO, refused: /./},
  m: {taken: /^[beasn]+$/, refused: /./},
  N: {taken: /^[\w.,%+-]+$/, refused: /^\d|[/:@*\\?]|^(none|all|template)$/i, lastCounts: true},
  p: {taken: /^-?\d{1,3}$|^-?10[01]\d$|^-?102[0-3]$|^1024$/, refused: /./},
  tc: {taken: /^\d{1,9}$/, refused: /^-|^[^\d]|\./},
  t: {taken: /^\d{1,15}(-\d{0,15}(:\d{1,9})?)?$/, refused: /^[^\d]|[%.]|^\d+-\d+-/},
  v: {taken: /^\w+(=[\w./:-]*)?(,\w+(=[\w./:-]*)?)*$/, refused: /^=/},
  M: {taken: /./},
  o: {taken: /./},
  e: {taken: /./},
  S: {taken: /./},
  wd: {taken: /./},
  P: {taken: /./},
  // which jobs there are, nobody knows; the scheduler takes any
  hold_jid: {taken: /^[\w.,-]+$/},
  hold_jid_ad: {taken: /^[\w.,-]+$/},
}
const SWITCHES = new Set(["cwd", "V", "notify"])

/** Grid Engine's times in seconds; NaN for what is none, null for what is not plain. */
function seconds(text) {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  const parts = /^(\d{0,9}):(\d{0,9}):(\d{0,9})$/.exec(text)
  if (parts) return parts.slice(1).reduce((sum, part, place) => sum + Number(part) * [3600, 60, 1][place], 0)
  if (/^infinity$/i.test(text)) return Infinity
  return /^[\d:]*$|^[a-z]+$|^\d+[hdsw]|^\d+-|:.*[a-z]/i.test(text) ? NaN : null
}
/** Memory in bytes; NaN and null as above. */
function bytes(text) {
  const parts = /^(\d{1,15}(?:\.\d{1,9})?)([KMGTkmgt]?)$/.exec(text)
  if (parts) return Number(parts[1]) * UNITS[parts[2]]
  return /^-|^[a-z]+$|[a-z]{2}$|[ph-lnq-sv-z]$/i.test(text) ? NaN : null
}

const gigabytes = size => `${Number((size / 2 ** 30).toPrecision(4))} GiB`

/** The hosts of the kind that is asked for. */
const ofType = (job, hosts) => hosts.filter(host => !job.type || host.node_type === job.type)

/**
 * The scheduler's decision.
 * @param {System} system
 * @param {Option[]} options
 * @returns {Decision}
 */
export function gridEngine(system, options) {
  const facts = system.grid_engine,
    {rules, sources} = facts
  const found = []
  const say = (option, kind, rule, what, cure, limit = null, source = null) =>
    found.push({
      line: option?.line ?? 1,
      kind,
      rule,
      what,
      cure,
      option: option?.written ?? null,
      limit,
      source,
    })
  const refuse = (option, ...words) => say(option, "refused", ...words)
  const leave = (option, what) => say(option, "not judged", "beyond-the-page", what, "")
  const unclear = option => leave(option, `\`${option.written}\` is beyond what this page knows.`)

  const last = lastOf(options)
  const asked = resources(options)
  forms()
  lacking()
  timed()
  const job = verified()
  if (job) placed(job)
  const kinds = new Set(found.map(({kind}) => kind))
  const verdict = kinds.has("refused") ? "refused" : kinds.has("not judged") ? "not judged" : "accepted"
  const said = job && {gpus: job.gpus, memory: asked.has("h_vmem") ? memoryOf(asked.get("h_vmem")) : null}
  const understood = said ? requestOf(system, options, said) : null
  return {verdict, findings: found.sort((one, other) => one.line - other.line), asked: understood}

  /** The hard resources by name: {value, option}; what is said last counts. */
  function resources(options) {
    const asked = new Map()
    for (const option of options.filter(({name, value}) => name === "l" && value)) {
      for (const part of option.value.split(",").filter(Boolean)) {
        const at = part.indexOf("=")
        const name = at < 0 ? part : part.slice(0, at)
        asked.set(name, {value: at < 0 ? null : part.slice(at + 1), option})
      }
    }
    return asked
  }

  /** Is each option one, and its value of its form? */
  function forms() {
    const takes = new Set([...Object.keys(FORMS), "l", "pe", "q"])
    for (const option of options) {
      const {name, value, written, known} = option
      const [word, rest] = [written.split(/\s/)[0], FORMS[name]]
      if (!known) refuse(option, "unknown-option", `qsub has no option \`${written}\`.`, "Look it up: man qsub")
      else if (takes.has(name) && value === null) {
        refuse(option, "value-missing", `\`${word}\` has no value.`, "Write one, or take the option out.")
      } else if (rest) {
        if (rest.lastCounts && option !== last.get(name) && !value.includes("/")) continue
        if ((rest.lastCounts && written.includes("\\")) || (rest.refused?.test(value) && wrong(rest, value))) {
          refuse(option, "value-form", `\`${written}\`: qsub does not take this value.`, "Look it up: man qsub")
        } else if (!rest.taken.test(value)) unclear(option)
      } else if (name === "pe") environment(option)
      else if (name === "q") queue(option)
      else if (!SWITCHES.has(name) && name !== "l") unclear(option)
    }
    tasks()
  }
  function wrong({taken, lastCounts}, value) {
    return lastCounts || !taken.test(value)
  }
  function queue(option) {
    if (/[^\w.,-]/.test(option.value)) return unclear(option)
    const strange = option.value.split(",").find(name => !facts.queues[name])
    if (!strange) return
    const known = Object.keys(facts.queues).join(", ")
    refuse(
      option,
      "unknown-queue",
      `\`${option.written}\`: ${system.name} has no queue \`${strange}\`.`,
      `Leave it out, or write ${known}.`,
    )
  }
  function tasks() {
    const array = last.get("t"),
      limit = last.get("tc")
    if (Number(limit?.value) > 0 && !array) {
      refuse(limit, "array-form", `\`${limit.written}\` is for an array, and this job is none.`, "Add -t 1-10.")
    }
    const parts = /^(\d+)(?:-(\d*)(?::(\d+))?)?$/.exec(array?.value ?? "")
    if (!parts) return
    const first = Number(parts[1]),
      end = Number(parts[2] || first),
      step = Number(parts[3] ?? 1)
    if (!first) refuse(array, "array-form", `\`${array.written}\`: tasks are counted from 1.`, "Write -t 1-10.")
    if (!step) refuse(array, "array-form", `\`${array.written}\`: the step is nothing.`, "Write -t 1-10.")
    else if (Math.floor(Math.abs(end - first) / step) + 1 > MOST_TASKS) {
      refuse(
        array,
        "jobs-over-queue",
        `\`${array.written}\`: an array has at most ${MOST_TASKS} tasks.`,
        "Ask for less.",
        String(MOST_TASKS),
      )
    }
  }

  /** What must be said, and each resource's name. */
  function lacking() {
    const own = new Set(facts.own.split(" "))
    const offered = new Set(Object.values(facts.queues).flatMap(({hosts}) => hosts.flatMap(Object.keys)))
    if (rules.time && !asked.has("h_rt")) {
      const line = Math.max(1, ...options.map(({line}) => line))
      refuse(
        {line},
        "no-time",
        `no time limit is named, and ${system.name} requires one.`,
        "Add -l h_rt=hours:minutes:seconds.",
        null,
        sources.policy,
      )
    }
    for (const [name, {value, option}] of asked) {
      const ours =
        ["h_rt", "h_vmem", "node_type"].includes(name) ||
        offered.has(name) ||
        name in rules.synonyms ||
        name in rules.resources
      if (name === "slots") {
        refuse(option, "slots", `\`${option.written}\`: cores are asked for by -pe.`, "Write -pe smp 4.")
      } else if (!ours && own.has(name)) unclear(option)
      else if (!ours) {
        const near = nearest(name, ["h_rt", "h_vmem", "node_type", ...Object.keys(rules.bundles)])
        refuse(
          option,
          "unknown-resource",
          `\`${name}\`: ${system.name} has no such resource.`,
          near ? `Did you mean ${near}?` : "Take it out.",
          null,
          sources.nodes,
        )
      } else if (value === "" && !(name in rules.resources)) {
        refuse(option, "value-missing", `\`${name}=\` has no value.`, "Write one, or take it out.")
      } else if (value === null && !(name in rules.resources)) unclear(option)
    }
  }

  /** What the verifier makes of the job: {pe, slots, memory, type, gpus}, or nothing if it ends there. */
  function verified() {
    const gpus = new Map()
    for (const [name, {value, option}] of asked) {
      const real = rules.synonyms[name] ?? name
      if (rules.bundles[real] && value) gpus.set(real, {value, option, number: Number(value)})
    }
    const memory = memoryOf(asked.get("h_vmem"))
    const job = {pe: null, slots: 1, memory, type: asked.get("node_type")?.value ?? null, gpus}
    const whole = !gpus.size && (asked.has("nodes") || asked.has("np")) // writes over what -pe says
    if (memory === null || (!whole && !parallel(job))) return null
    for (const [name, {value, option, number}] of gpus) {
      if (!/^-?\d{1,9}$/.test(value)) {
        ;/^[a-z]+$/i.test(value)
          ? refuse(
              option,
              "gpus-in-this-number",
              `\`${option.written}\`: this must be a whole number.`,
              "Write digits only.",
            )
          : unclear(option)
        return null
      }
      return bundled(job, name, number, option) ? job : null
    }
    if (!wholeNodes(job)) return null
    job.type ??= rules.node_type
    return job
  }
  function memoryOf(given) {
    if (!given) return facts.memory
    const size = bytes(given.value ?? "?")
    if (size === null) given.value && unclear(given.option)
    else if (Number.isNaN(size)) {
      refuse(
        given.option,
        "memory-form",
        `\`${given.option.written}\`: \`${given.value}\` is no memory.`,
        "Write a number and K, M, G or T: h_vmem=4G.",
      )
    }
    return size === null || Number.isNaN(size) ? null : size
  }
  function environment(option) {
    const [, range] = option.value.split(" ")
    if (!range) {
      refuse(option, "value-missing", `\`${option.written}\` lacks the number of slots.`, "Write -pe smp 4.")
    } else if (/^[a-z]/i.test(range)) {
      refuse(option, "whole-number", `\`${option.written}\`: the slots are a whole number.`, "Write -pe smp 4.")
    }
  }
  /** The parallel environment as asked for. */
  function parallel(job) {
    const option = last.get("pe")
    if (!option) return true
    const [name, range] = (option.value ?? "").split(" ")
    if (!range || /^[a-z]/i.test(range)) return false
    const slots = /^(\d{1,9})(?:\.\d+|-(\d{1,9}))?$/.exec(range)
    if (/[^\w.-]/.test(name)) return void unclear(option)
    if (!(name in facts.parallel)) {
      refuse(
        option,
        "unknown-environment",
        `\`${option.written}\`: ${system.name} has no parallel environment \`${name}\`.`,
        `Write one of ${Object.keys(facts.parallel).join(", ")}.`,
      )
      return false
    }
    if (!slots) return void unclear(option)
    const [low, high] = [Number(slots[1]), Number(slots[2] ?? slots[1])]
    job.pe = name
    job.slots = Math.min(low, high)
    job.most = Math.max(low, high)
    job.option = option
    if (job.slots < 1) {
      refuse(option, "whole-number", `\`${option.written}\`: at least one slot is asked for.`, "Write -pe smp 4.")
      return false
    }
    return true
  }
  /** GPUs bring their part of a node. */
  function bundled(job, name, number, option) {
    const {cores, memory_per_core: memory} = rules.bundles[name]
    const brings = `${system.name} gives ${many(cores, "core")} with each GPU`
    const over = asked.get("h_vmem")
    if (rules.max_gpus && number > rules.max_gpus) {
      refuse(
        option,
        "gpus-over-partition",
        `\`${option.written}\` asks for ${many(number, "GPU")}; ${system.name} allows ${rules.max_gpus}.`,
        "Ask for less.",
        String(rules.max_gpus),
        sources.gpus,
      )
    } else if (number < 1) {
      refuse(option, "gpus-in-this-number", `\`${option.written}\` asks for no GPU.`, `Write -l ${name}=1.`)
    } else if ((job.most ?? 0) > number * cores) {
      refuse(
        job.option,
        "cores-over-gpu",
        `\`${job.option.written}\` asks for ${job.most} cores; ${brings}.`,
        "Leave it out: the request for GPUs brings the cores.",
        String(number * cores),
        sources.gpus,
      )
    } else if (over && job.memory > memory) {
      refuse(
        over.option,
        "memory-over-gpu",
        `\`${over.option.written}\`: ${many(number, "GPU")} bring${number === 1 ? "s" : ""} ${gigabytes(memory)} for each core.`,
        "Leave it out: the request for GPUs brings the memory.",
        gigabytes(memory),
        sources.gpus,
      )
    } else if (["nodes", "np", "ppn", "tpp", "placement"].some(each => asked.has(each))) {
      refuse(
        option,
        "unknown-resource",
        `\`${option.written}\`: whole nodes are not given with GPUs by name.`,
        "Keep one of the two.",
      )
    } else {
      if (!job.pe) Object.assign(job, {pe: "smp", slots: number * cores, memory})
      return true
    }
    return false
  }
  /** `nodes` and `np` ask for whole nodes. */
  function wholeNodes(job) {
    const name = ["nodes", "np"].find(each => asked.has(each))
    if (!name) return true
    const numbers = {}
    for (const each of ["nodes", "np", "ppn", "tpp"]) {
      const {value, option} = asked.get(each) ?? {value: "0"}
      if (!/^\d{1,9}$/.test(value ?? "")) return void unclear(option)
      numbers[each] = Number(value)
    }
    const {option} = asked.get(name),
      threads = numbers.tpp || 1
    const processes = numbers.ppn || Math.floor(rules.cores / threads)
    if (!processes || processes * threads > rules.cores) {
      refuse(
        (asked.get("ppn") ?? asked.get("tpp")).option,
        "cores-over-node",
        `\`${option.written}\`: a node has ${rules.cores} cores.`,
        "Ask for fewer processes (ppn) or threads (tpp).",
        String(rules.cores),
        sources.nodes,
      )
      return false
    }
    const nodes = name === "nodes" ? numbers.nodes : Math.ceil(numbers.np / processes)
    if (!nodes) {
      refuse(option, "no-nodes", `\`${option.written}\` asks for no node.`, "Write nodes=1, or how many you need.")
      return false
    }
    Object.assign(job, {pe: "whole", slots: nodes * rules.cores, most: nodes * rules.cores, nodes, option})
    return true
  }

  /** Is there a queue with the time? */
  function timed() {
    const time = asked.get("h_rt")
    const minutes = time?.value ? seconds(time.value) : 0
    if (minutes === null) unclear(time.option)
    else if (Number.isNaN(minutes)) {
      refuse(
        time.option,
        "time-form",
        `\`${time.option.written}\`: \`${time.value}\` is no time.`,
        "Write hours, minutes and seconds: h_rt=01:00:00.",
      )
    }
    const queues = Object.entries(facts.queues)
    const longest = queues.reduce((one, other) =>
      (one[1].seconds ?? Infinity) >= (other[1].seconds ?? Infinity) ? one : other,
    )
    if (time && minutes > (longest[1].seconds ?? Infinity)) {
      refuse(
        time.option,
        "time-over-partition",
        `\`${time.option.written}\` is longer than ${longest[0]} allows, ${longest[1].words}.`,
        "Ask for less.",
        longest[1].words,
        sources.time,
      )
    }
  }
  /** Are there hosts with the rest? */
  function placed(job) {
    const queues = Object.values(facts.queues)
    if (/[^\w.-]/.test(job.type ?? "")) return unclear(asked.get("node_type").option)
    if (!queues.some(({hosts}) => fits(job, hosts)))
      tooMuch(
        job,
        queues.flatMap(({hosts}) => hosts),
      )
  }
  function fits(job, hosts) {
    const room = ({slots, h_vmem: memory}) => Math.min(slots, job.memory ? Math.floor(memory / job.memory) : slots)
    const right = ofType(job, hosts)
    const withGpus = right.filter(host => [...job.gpus].every(([name, {number}]) => number <= (host[name] ?? 0)))
    const rule = job.pe ? facts.parallel[job.pe] : "$pe_slots"
    if (!withGpus.length) return false
    if (rule === "$pe_slots") return withGpus.some(host => room(host) >= job.slots)
    if (rule === "$fill_up") return right.reduce((sum, host) => sum + host.count * room(host), 0) >= job.slots
    const whole = right.filter(host => room(host) >= rule).reduce((sum, {count}) => sum + count, 0)
    const least = Math.ceil(job.slots / rule) * rule // whole nodes alone, within the range that is asked for
    return least <= (job.most ?? job.slots) && whole * rule >= least
  }
  /** Which of the things asked for is too much. */
  function tooMuch(job, hosts) {
    const right = ofType(job, hosts)
    const largest = name => Math.max(0, ...right.map(host => host[name] ?? 0))
    const type = asked.get("node_type"),
      memory = asked.get("h_vmem")
    const {option} = job
    if (!right.length) {
      const known = [...new Set(hosts.map(host => host.node_type).filter(Boolean))]
      return refuse(
        type.option,
        "unknown-node-type",
        `\`${type.option.written}\`: ${system.name} has no such kind of node.`,
        `Write one of ${known.join(", ")}.`,
        known.join(", "),
        sources.nodes,
      )
    }
    if (type && job.gpus.size && !right.some(host => [...job.gpus.keys()].some(name => host[name]))) {
      return refuse(
        type.option,
        "gpu-elsewhere",
        `\`${type.option.written}\`: these nodes have no GPU.`,
        "Leave the kind of node out.",
        null,
        sources.gpus,
      )
    }
    const whole = facts.parallel[job.pe]
    if (option && Number(whole) && Math.ceil(job.slots / whole) * whole > (job.most ?? job.slots)) {
      return refuse(
        option,
        "cores-in-this-number",
        `\`${option.written}\`: \`${job.pe}\` gives whole nodes of ${whole} cores.`,
        `Ask for ${whole}, or twice as many.`,
        String(whole),
        sources.nodes,
      )
    }
    const slots = largest("slots"),
      least = job.nodes || facts.parallel[job.pe] === "$fill_up" ? 1 : job.slots
    if (option && least > slots) {
      return refuse(
        option,
        "cores-over-node",
        `\`${option.written}\` asks for ${job.slots} cores on one node; a node of ${system.name} has ${slots}.`,
        "Ask for less.",
        String(slots),
        sources.nodes,
      )
    }
    const need = job.memory * (job.nodes ? rules.cores : least)
    if (need > largest("h_vmem")) {
      return refuse(
        memory?.option ?? option,
        "memory-over-node",
        `${[memory?.option, option]
          .filter(Boolean)
          .map(each => `\`${each.written}\``)
          .join(" with ")} asks for ` +
          `${gigabytes(need)} on one node; a node of ${system.name} has ${gigabytes(largest("h_vmem"))} for jobs.`,
        "Ask for less.",
        gigabytes(largest("h_vmem")),
        sources.nodes,
      )
    }
    const count = right.reduce((sum, host) => sum + host.count, 0)
    refuse(
      option,
      "nodes-over-partition",
      `\`${option?.written ?? ""}\` asks for more than ${system.name} has, ${many(count, "node")} of this kind.`,
      "Ask for less.",
      String(count),
      sources.nodes,
    )
  }
}
