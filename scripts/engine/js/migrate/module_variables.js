// Modules that a script names in a variable: while the script moves, the lines that load them name them.
const NAMES = "[\\w./+-]+(?:[ \\t]+[\\w./+-]+)*"
const SET = RegExp(`^\\s*([A-Za-z_]\\w*)=(?:"(${NAMES})"|'(${NAMES})'|\\((${NAMES})\\)|([\\w./+-]+))\\s*(?:#.*)?$`)
const LOAD = /\b(?:module\s+(?:-\w+\s+)?(?:load|add)|ml)\s[^\n;&|#]*/g
const used = name => `\\$(?:${name}(?!\\w)|\\{${name}(?:\\[[@*]\\])?\\})`

/**
 * @param {string} text the script
 * @returns the text with the names, and restore, which gives the lines of its move what the script had, UPDATED
 */
export function named(text) {
  const old = text.replace(/\n$/, "").split("\n")
  const values = old.flatMap(line => {
    const [, name, ...found] = SET.exec(line) ?? []
    const other = name && RegExp(`\\b(?:for|local|read\\b.*)\\s+${name}\\b|(?<![\\w-])${name}\\+?=`, "g")
    return name && text.match(other)?.length === 1 ? [[name, found.find(Boolean)]] : []
  })
  const fill = load =>
    values.reduce((now, [name, value]) => now.replace(RegExp(`"${used(name)}"|${used(name)}`, "g"), value), load)
  const lines = old.map(line => (/^\s*#/.test(line) ? line : line.replace(LOAD, fill)))
  const changed = new Set(
    values
      .map(([name]) => name)
      .filter(name => lines.some((line, at) => line !== old[at] && RegExp(used(name)).test(old[at]))),
  )

  function restore(found) {
    let at = 0
    for (const each of found) {
      if (each.from === null) continue
      const was = old[at++]
      if (each.text === each.from) each.text = was
      each.from = was
    }
    const script = found.map(each => each.text ?? "").join("\n")
    for (const each of found) {
      const [, name] = SET.exec(each.text ?? "") ?? []
      if (!changed.has(name) || RegExp(used(name)).test(script)) continue
      each.text = null
      each.reason = "The lines that load the modules name them."
    }
    return found
  }
  return {text: lines.join("\n") + (text.endsWith("\n") ? "\n" : ""), restore}
}
