// What to ask for next, as far as the check has nothing against it: tried on the job's own script, or on one like it.
import {askedBy, curedMemory, nextScript} from "./next.js"
import {kindsOf, likeScripts} from "./place.js"
import {found} from "../judge.js"

/** What a job whose script is not known asked for, in options. @returns {[string, any][]} */
function optionsOf(system, {tasks, cores, nodes, limit, requested}, hasGpu) {
  const says = system.rules.memory_ignored || system.form.memory?.[hasGpu ? "gpu" : "cpu"] === false
  const each = cores && Math.max(1, Math.floor(cores / (tasks ?? nodes ?? 1)))
  return [
    ["ntasks", tasks ?? nodes ?? 1],
    ["cpus-per-task", each],
    ["mem", requested && !says ? `${Math.round(requested / (nodes ?? 1))}M` : null],
    ["time", Math.max(1, Math.ceil((limit ?? 0) / 60))],
  ]
}

/** Scripts like the job's, of which the check accepts those that are `clean`: each with as few GPUs as it can have. */
function trialsOf(system, job, hasGpu) {
  const all = likeScripts(system, job, hasGpu, optionsOf(system, job, hasGpu))
  const clean = []
  for (const each of all) {
    if (clean.some(({partition, gpu}) => partition === each.partition && gpu === each.gpu)) continue
    const {verdict, findings} = found(system, each.text)
    if (verdict !== "refused" && !findings.some(({kind, option}) => option && kind === "unwise")) clean.push(each)
  }
  return {hasGpu, clean: clean.length > 0, scripts: clean.length ? clean : all.slice(0, 1)}
}

/** What nextScript says of the first of these scripts that can have the changes as they are, else of the first. */
function anyOf(system, job, scripts, changes) {
  const tried = []
  for (const {partition, text} of scripts) {
    const found = nextScript(system, text, changes)
    if (!found.adapted.length && !found.dropped.length) {
      const other =
        !job.partition && partition !== scripts[0].partition && ` The partition \`${partition}\` accepts it.`
      return {...found, changes: found.changes.map(each => ({...each, why: each.why + (other || "")}))}
    }
    tried.push(found)
  }
  return tried[0]
}

/** The same, of the GPU that can have the least, because the listing does not say which one it was. */
function onTrial(system, job, {scripts}, changes) {
  const gpus = changes.length ? [...new Set(scripts.map(({gpu}) => gpu))] : []
  const answers = gpus.map(gpu =>
    anyOf(
      system,
      job,
      scripts.filter(each => each.gpu === gpu),
      changes,
    ),
  )
  const least = answers.find(({adapted, dropped}) => adapted.length + dropped.length)
  return least ?? answers[0] ?? {changes, adapted: [], dropped: []}
}

/** What is asked for only if a guess is right: with its value, if the check has nothing against it. */
const guessed = (maybe, kept) =>
  maybe.map(({why, request, otherwise, ...change}) => {
    const [own] = kept([change])
    return [why, own ? request(`\`--${own.option}=${own.value}\``) : otherwise].filter(Boolean).join(" ")
  })

const same = one => other => JSON.stringify(one) === JSON.stringify(other)
const IF = {false: "If the job had no GPU:", true: "If the job had a GPU:"}

/** One answer of two: what holds in both cases, and what in one. */
function both(told, kinds, answers) {
  const common = name => answers[0][name].filter(each => answers[1][name].some(same(each)))
  const [changes, notes] = [common("changes"), common("notes")]
  const only = answers.map(answer => [
    ...answer.changes
      .filter(each => !changes.some(same(each)))
      .map(({option, value, why}) => `Request \`--${option}=${value}\`. ${why}`),
    ...answer.notes.filter(each => !notes.includes(each)),
  ])
  const differ = only.some(list => list.length)
  const nothing = changes.length + notes.length ? "Change nothing else." : "Change nothing."
  const said = only.map((list, at) => `${IF[kinds[at]]} ${list.length ? list.join(" ") : nothing}`)
  return {...told, changes, notes: [...notes, ...(differ ? said : [])]}
}

/** Of a job without its script: of a kind that has no job of this size, nothing. */
function ofListing(system, job, adviseOn) {
  const all = kindsOf(system, job).map(hasGpu => trialsOf(system, job, hasGpu))
  const trials = all.some(({clean}) => clean) ? all.filter(({clean}) => clean) : all
  const answers = trials.map(trial => {
    const {changes, notes, maybe} = adviseOn(system, {...job, gpus: job.gpus ?? Number(trial.hasGpu)})
    const tried = onTrial(system, job, trial, changes)
    const guesses = guessed(maybe, change => onTrial(system, job, trial, change).changes)
    return {changes: tried.changes, notes: [...notes, ...guesses, ...tried.adapted, ...tried.dropped]}
  })
  const told = adviseOn(system, job)
  if (answers.length < 2) return {...told, ...answers[0]}
  return both(
    told,
    trials.map(({hasGpu}) => hasGpu),
    answers,
  )
}

/**
 * What is said of a job that has ended, with the script of the next one where its own is known.
 * @param {System} system @param {any} job as readJob gives it @param {string} script
 * @param {typeof import("./advise.js").adviseOn} adviseOn on a page, another chunk has it
 */
export function propose(system, job, script, adviseOn) {
  if (!job.ended || !script.trim()) {
    const {maybe, ...told} = job.ended ? ofListing(system, job, adviseOn) : adviseOn(system, job)
    return {...told, next: null}
  }
  const {maybe, ...told} = adviseOn(system, job, askedBy(system, script))
  const {text, why: cured} = curedMemory(system, script)
  const next = nextScript(system, text, told.changes)
  next.adapted.unshift(...cured)
  const notes = [...told.notes, ...guessed(maybe, change => nextScript(system, text, change).changes), ...next.dropped]
  const advised = next.adapted.length || notes.length
  const why = advised ? "none of this advice changes the value of an option" : "nothing in its requests has to change"
  const unchanged = next.script === script ? `The next script is the same as this one, because ${why}.` : null
  return {...told, notes, changes: next.changes, next: {...next, unchanged}}
}
