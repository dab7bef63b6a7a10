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
