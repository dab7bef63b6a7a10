// What a host asks the engine: one question by its name, with JSON in and JSON out.
import {after} from "./after/after.js"
import {data, systems} from "./data.js"
import {isOld} from "./facts/age.js"
import {enough, fit, size} from "./fit/memory.js"
import {fragmentOf} from "./form/address.js"
import {fieldsOf} from "./form/read_address.js"
import {asked as planned} from "./form/form.js"
import {choices, write} from "./form/offers.js"
import {where} from "./form/where.js"
import {clean, found, foundAndSubmitted, judge} from "./judge.js"
import {leastTimes} from "./measure/least_times.js"
import {judged} from "./measure/judge_record.js"
import {explain} from "./messages/explain.js"
import {unknown} from "./messages/unknown.js"
import {move} from "./migrate/move.js"
import {needOf} from "./migrate/need.js"
import {RULES} from "./rules/all.js"
import {findings} from "./rules/run.js"
import "./schedulers/grid_engine/scheduler.js"
import {schedulerOf} from "./schedulers/registry.js"
import {asksOf} from "./script/asks.js"
import {slurm} from "./schedulers/slurm/decide.js"
import "./schedulers/slurm/scheduler.js"
import {originsOf} from "./script/origin.js"

const MOST_FIXES = 30

const optionsOf = (system, text) => schedulerOf(system.kind).readOptions(clean(text))

/** A text after all its fixes, one after the other, and the verdict then. */
function wholly(system, text) {
  for (let round = 0; ; round++) {
    const {findings: all, verdict} = judge(system, text)
    const mend = all.find(each => each.mend)?.mend
    if (!mend || round > MOST_FIXES) return {text, verdict}
    text = (mend.lines ?? text.split("\n").with(mend.line - 1, mend.to)).join("\n")
  }
}

/** A command that is asked about several [key, ...]. */
const each = answer => asked => asked.map(([key, ...more]) => answer(systems[key], ...more))

const commands = {
  /** The verdict on each [key, text, file], without fixes. */
  found: each(found),
  /** The same, each with the script that a scheduler can be asked about. */
  check: each(foundAndSubmitted),
  /** The same with the edits that are certain. */
  judge: each(judge),
  /** Each [key, text] after all its fixes, and the verdict then. */
  wholly: each(wholly),
  /** What the rules alone find in each [key, text]. */
  rules: each(findings),
  /** The scheduler's decision about each [key, text], with the reasons that the engine finds. */
  decide: each((system, text) => schedulerOf(system.kind).decide(system, optionsOf(system, text), "job.sh")),
  /** Slurm's bare decision: its words, and what is not judged. */
  slurm: each((system, text) => {
    const {verdict, refused, unjudged} = slurm(system, optionsOf(system, text))
    return {verdict, refused, unjudged: unjudged.map(option => option.written)}
  }),
  /** The options of the live directives of each [kind, text]. */
  options: asked => asked.map(([kind, text]) => schedulerOf(kind).readOptions(text)),
  /** The systems that each text fits, by what it names. */
  origins: texts => texts.map(originsOf),
  /** The form's fields on a system, with their values. */
  choices: key => choices(systems[key], {}),
  /** Whether each [key, fields] of the form can be had. */
  possible: each((system, fields) => Boolean(planned(system, fields).plan)),
  /** The script that each address of the form stands for and its cost, or the reason why there is none. */
  write: fragments =>
    fragments.map(fragment => {
      const {fields, reason} = fieldsOf(fragment)
      if (reason) return {reason}
      const {script, cost, reason: why, nearest} = write(systems[fields.cluster], fields)
      if (script) return {script, cost}
      return {reason: why + (nearest ? ` The closest allowed value is ${fragmentOf(nearest.fields)}.` : "")}
    }),
  /** Which of the systems can run each job, and what it costs there. */
  where: needs => needs.map(where),
  /** Each [from, to, text] for the other system. */
  move: asked => asked.map(([from, to, text]) => move(systems[from], systems[to], text)),
  /** What each [key, text] asks for, in numbers that hold on every system. */
  need: each((system, text) => needOf(system, optionsOf(system, text))),
  /** The same of each [key, text], and what it starts. */
  asks: each((system, text) => asksOf(system, clean(text), optionsOf(system, text))),
  /** What each [key, message] means there. */
  explain: each((system, text) => explain(data.messages, system, text)),
  /** Where each [key, message] leads that these answers do not explain, or null. */
  unknown: each((system, text, found) => unknown(data.messages, system, text, found)),
  /** What each [key, listing, script] says of a job that has ended there, and what to ask for next. */
  after: each(after),
  /** Whether each model fits, and where. */
  fit: asked =>
    asked.map(given => {
      const found = fit(data.fit, given)
      if (found.reason) return found
      const parts = [...found.parts, {name: "total", bytes: found.total}]
      return {
        ...found,
        parts: parts.map(part => ({...part, size: size(part.bytes)})),
        places: found.places.map(place => ({...place, enough: enough(place)})),
      }
    }),
  /** What is said of each operation on a GPU and its host. */
  leastTimes: asked => asked.map(leastTimes),
  /** Is each of these days over a year before this one? */
  old: (days, today) => days.map(day => isOld(day, today)),
  /** Why each measured case is refused, or null; known: what can be measured on the device. */
  refusals: (cases, known, rules) => judged(cases, known, rules).map(({reason}) => reason),
  /** The rules as data: what tests run. */
  catalogue: () =>
    RULES.map(({id, kind, schedulers, where = null, bad, good}) => ({id, kind, schedulers, where, bad, good})),
}

/** @param {string} question {command, arguments, systems, data} as JSON; the latter two are added to what is known */
export function ask(question) {
  const {command, arguments: given, systems: more, data: common} = JSON.parse(question)
  Object.assign(systems, more)
  Object.assign(data, common)
  return JSON.stringify(commands[command](...given))
}
