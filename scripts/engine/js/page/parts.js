// Fetches the engine's larger parts and a system's facts when they are first needed, by script
// elements: a page that a browser opens as a file may not fetch in another way.
import {systems} from "../data.js"

const here = new URL("..", /** @type {HTMLScriptElement} */ (document.currentScript).src)
const asked = new Map()

/** Resolves when the script of this name has run; rejects with an Error where there is none. */
function load(name) {
  if (!asked.has(name))
    asked.set(
      name,
      new Promise((resolve, reject) => {
        const script = document.createElement("script")
        script.src = new URL(`${name}.js`, here).href
        script.async = false // they run in the order in which they are asked for
        script.onload = resolve
        script.onerror = () => {
          asked.delete(name) // so that it can be tried again
          script.remove()
          reject(new Error(`This page could not load ${name}.js.`))
        }
        document.head.append(script)
      }),
    )
  return asked.get(name)
}

/**
 * @typedef {object} Chunks what each of them exports
 * @property {typeof import("./more.js")} more
 * @property {typeof import("../schedulers/slurm/decide.js")} verdict
 * @property {typeof import("./judging.js")} rules
 * @property {typeof import("../schedulers/grid_engine/scheduler.js")} grid
 * @property {typeof import("../migrate/move.js")} move
 * @property {typeof import("./explaining.js")} explain
 */

/**
 * A chunk that is there already.
 * @template {keyof Chunks} Name @param {Name} name @returns {Chunks[Name]}
 */
export const loaded = name => globalThis.jobscript.chunks[name]

/**
 * Fetches a chunk.
 * @template {keyof Chunks} Name @param {Name} name @returns {Promise<Chunks[Name]>}
 */
export async function part(name) {
  await load(`joined/${name}`)
  return loaded(name)
}

/** What the engine knows of a system: what its form needs, or with what verdicts and moves need. */
export async function systemOf(key, whole = true) {
  await load(`data/${key}`)
  if (whole) await load(`data/${key}-more`)
  return systems[key]
}

/** Fetches all that a verdict on this system needs. */
export async function readyToJudge(key) {
  const {kind} = await systemOf(key)
  await Promise.all(["more", "verdict", "rules", ...(kind === "grid_engine" ? ["grid"] : [])].map(part))
}
