// All rules, in the order in which they are asked. Each has what is usual in its family, unless it says otherwise.
import * as arrays from "./arrays.js"
import * as commands from "./commands.js"
import * as data from "./data.js"
import * as environment from "./environment.js"
import * as expansion from "./expansion.js"
import * as form from "./form.js"
import * as gpus from "./gpus.js"
import * as gridEngine from "./grid_engine.js"
import * as output from "./output.js"
import * as prefix from "./prefix.js"
import * as shell from "./shell.js"
import * as start from "./start.js"
import * as steps from "./steps.js"
import * as values from "./values.js"
import * as waiting from "./waiting.js"
import * as work from "./work.js"

const FAMILIES = [
  arrays,
  commands,
  data,
  environment,
  expansion,
  form,
  gpus,
  gridEngine,
  output,
  prefix,
  shell,
  start,
  steps,
  values,
  waiting,
  work,
]

export const RULES = FAMILIES.flatMap(({usual, rules}) =>
  Object.entries(rules).map(([id, rule]) => ({id, ...usual, ...rule})),
)
