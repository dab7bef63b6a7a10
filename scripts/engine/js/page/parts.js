// Fetches the engine's larger parts and a system's facts when they are first needed, by script
// elements: a page that a browser opens as a file may not fetch in another way.
import {systems} from "../data.js"
import {page} from "./shared.js"

const here = new URL("..", document.currentScript.src)
const asked = new Map()

/** Resolves when the script of this name has run; rejects with an Error where there is none. */
page.load = name => {
  if (!asked.has(name))
    asked.set(
      name,
      new Promise((resolve, reject) => {
        const script = document.createElement("script")
        script.src = new URL(`${name}.js`, here)
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

/** What a chunk of the engine exports: verdict, rules, grid, move, explain or more. */
page.part = async name => {
  await page.load(`joined/${name}`)
  return globalThis.jobscript.chunks[name]
}

/** What the engine knows of a system: what its form needs, or with what verdicts and moves need. */
page.system = async (key, whole = true) => {
  await page.load(`data/${key}`)
  if (whole) await page.load(`data/${key}-more`)
  return systems[key]
}
