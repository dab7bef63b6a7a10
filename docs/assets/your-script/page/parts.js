// Fetches the engine's larger parts and a system's facts when they are first needed, by script
// elements: a page that a browser opens as a file may not fetch in another way.
;(page => {
  const here = new URL("..", document.currentScript.src)
  const asked = new Map()

  /** Resolves when the script of this name has run; rejects with an Error where there is none. */
  page.load = name => {
    if (!asked.has(name)) asked.set(name, new Promise((resolve, reject) => {
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
    }))
    return asked.get(name)
  }

  /** A joined part of the engine: verdict, rules, move or explain. */
  page.part = name => page.load(`joined/${name}`)

  /** What the engine knows of a system: what its form needs, or with what verdicts and moves need. */
  page.system = async (key, whole = true) => {
    await page.load(`data/${key}`)
    if (whole) await page.load(`data/${key}-more`)
    return jobscript.systems[key]
  }
})(globalThis.jobscriptPage ??= {})
