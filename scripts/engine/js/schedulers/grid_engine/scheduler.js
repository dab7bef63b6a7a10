// Grid Engine: its decision about a job, and why.
import {register} from "../registry.js"
import {beyondFacts} from "./beyond_facts.js"
import {gridEngine} from "./decide.js"
import {readOptions} from "./options.js"

register("grid_engine", {readOptions, decide: gridEngine, beyondFacts})
