// What programs and assistants get: the engine's functions, beside the `systems` and `data` that they hand in.
import {data, systems} from "./data.js"
import {choices, write} from "./form/offers.js"
import {found, judge} from "./judge.js"
import {explain} from "./messages/explain.js"
import {move} from "./migrate/move.js"
import "./schedulers/grid_engine/scheduler.js"
import "./schedulers/slurm/scheduler.js"

/** Everything that the API promises; scripts/site/after/api.py documents it. */
export const api = {systems, data, choices, explain, found, judge, move, write}
