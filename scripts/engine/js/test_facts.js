// Hands the facts of all systems to the engine: tests import this first. ENGINE_FACTS is the name of a JSON file that
// tests/engine/test_javascript.py writes.
import {readFileSync} from "node:fs"
import process from "node:process"
import {data, systems} from "./data.js"
import "./schedulers/grid_engine/scheduler.js"
import "./schedulers/slurm/scheduler.js"

const known = JSON.parse(readFileSync(process.env.ENGINE_FACTS, "utf8"))
Object.assign(data, known.data)
Object.assign(systems, known.systems)

export {data, systems}
