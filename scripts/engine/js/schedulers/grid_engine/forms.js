// Is each option one that qsub has, and its value of its form?

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

/** Is each option one, and its value of its form? */
export function forms(look) {
  const {options, last, refuse, blame, unclear} = look
  const takes = new Set([...Object.keys(FORMS), "l", "pe", "q"])
  for (const option of options) {
    const {name, value, written, known} = option
    const [word, rest] = [written.split(/\s/)[0], FORMS[name]]
    if (!known) refuse(option, "unknown-option", `qsub has no option \`${written}\`.`, "See man qsub.")
    else if (takes.has(name) && value === null) {
      refuse(option, "value-missing", `\`${word}\` has no value.`, "Write a value, or remove the option.")
    } else if (rest) {
      if (rest.lastCounts && option !== last.get(name) && !value.includes("/")) continue
      if ((rest.lastCounts && written.includes("\\")) || (rest.refused?.test(value) && wrong(rest, value))) {
        blame(option, "value-form", " has a value that qsub does not accept.", "See man qsub.")
      } else if (!rest.taken.test(value)) unclear(option)
    } else if (name === "pe") environment(look, option)
    else if (name === "q") queue(look, option)
    else if (!SWITCHES.has(name) && name !== "l") unclear(option)
  }
  tasks(look)
}

function wrong({taken, lastCounts}, value) {
  return lastCounts || !taken.test(value)
}

function queue(look, option) {
  const {system, facts, blame, unclear} = look
  if (/[^\w.,-]/.test(option.value)) return unclear(option)
  const strange = option.value.split(",").find(name => !facts.queues[name])
  if (!strange) return
  const known = Object.keys(facts.queues).join(", ")
  blame(option, "unknown-queue", ` names no queue of ${system.name}.`, `Remove it, or write ${known}.`)
}

function environment({blame}, option) {
  const [, range] = option.value.split(" ")
  if (!range) blame(option, "value-missing", " lacks the number of slots.", "Write -pe smp 4.")
  else if (/^[a-z]/i.test(range))
    blame(option, "whole-number", " does not request a whole number of slots.", "Write -pe smp 4.")
}

function tasks({last, blame}) {
  const array = last.get("t"),
    limit = last.get("tc")
  if (Number(limit?.value) > 0 && !array) {
    blame(limit, "array-form", " is for job arrays, but the script requests none.", "Add -t 1-10.")
  }
  const parts = /^(\d+)(?:-(\d*)(?::(\d+))?)?$/.exec(array?.value ?? "")
  if (!parts) return
  const first = Number(parts[1]),
    end = Number(parts[2] || first),
    step = Number(parts[3] ?? 1)
  if (!first) blame(array, "array-form", " begins at 0, but tasks are numbered from 1.", "Write -t 1-10.")
  if (!step) blame(array, "array-form", " has a step of 0.", "Write -t 1-10.")
  else if (Math.floor(Math.abs(end - first) / step) + 1 > MOST_TASKS)
    blame(array, "jobs-over-queue", ` requests more than ${MOST_TASKS} tasks.`, "Request fewer.", `${MOST_TASKS}`)
}
