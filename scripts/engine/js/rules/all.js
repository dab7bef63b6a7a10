// All rules, in the order in which they are asked.
import {rules as arrays} from "./arrays.js"
import {rules as commands} from "./commands.js"
import {rules as environment} from "./environment.js"
import {rules as form} from "./form.js"
import {rules as gpus} from "./gpus.js"
import {rules as gridEngine} from "./grid_engine.js"
import {rules as output} from "./output.js"
import {rules as prefix} from "./prefix.js"
import {rules as start} from "./start.js"
import {rules as steps} from "./steps.js"
import {rules as values} from "./values.js"

/**
 * One thing that people get wrong. A rule has either `where` and `pattern`, or `find`.
 * @typedef {object} Rule
 * @property {string} id a name that stays
 * @property {"refused" | "ignored" | "unwise" | "doubtful"} kind
 * @property {("slurm" | "grid_engine")[]} schedulers
 * @property {"first line" | "file" | "directive" | "option" | "comment" | "late comment" | "command" | "last command"
 *   } [where] where the pattern is searched
 * @property {string[]} [options] the full names of those whose values the pattern is searched in
 * @property {RegExp} [pattern]
 * @property {RegExp} [unless] searched in the same text
 * @property {string[]} [needs] options that the script must have
 * @property {string[]} [without] options of which it must have none
 * @property {RegExp} [body] some command must match it
 * @property {RegExp} [noBody] no command may match it
 * @property {(script: object) => Iterable<{line: number, matched: string[], written?: string}>} [find] what no pattern
 *   can express
 * @property {string} words what is wrong: `{0}` is what the pattern matched, `{1}` its first group, `{option}` the
 *   option's name, `{written}` the option as it is written; `{{` is a brace
 * @property {string} cure what to do, with the same places
 * @property {(bench: object) => string[] | string[][] | null} [fix] the edit that is certain; see fixes/fix.js
 * @property {{bad: string[], good: string[]}} samples scripts, or parts of one: what does not begin with `#!` stands
 *   below `#!/bin/bash`, unless the rule looks at the first line or the file. Of each bad one the rule says something,
 *   of a good one nothing. A page's engine has none of them.
 */

/** @type {Rule[]} */
export const RULES = [
  ...arrays,
  ...commands,
  ...environment,
  ...form,
  ...gpus,
  ...gridEngine,
  ...output,
  ...prefix,
  ...start,
  ...steps,
  ...values,
]
