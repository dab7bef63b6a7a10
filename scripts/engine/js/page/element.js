// Makes the page's elements. Text goes in as text, never as HTML.

/**
 * @template {string} Name
 * @param {Name} name of the element, with its classes: "p.verdict"
 * @param {Record<string, any>} has properties, or attributes where no such property is
 * @param {...Inside} inside what it holds; null is left out
 * @returns {Made<Name>}
 */
export function element(name, has = {}, ...inside) {
  const [tag, ...classes] = name.split(".")
  const made = /** @type {any} */ (document.createElement(tag))
  if (classes.length) made.className = classes.join(" ")
  for (const [key, value] of Object.entries(has))
    if (value != null) key in made ? (made[key] = value) : made.setAttribute(key, value)
  made.append(...inside.flat().filter(one => one != null && one !== ""))
  return made
}

/** Words with code between backticks and links in angle brackets, as Markdown has them; an option's name stays on one line. */
/** @param {string} [text] @returns {(string | HTMLElement)[]} */
export const words = text =>
  String(text ?? "")
    .split(/(`[^`]*`|<https:[^>]*>|--[a-z][a-z-]*)/)
    .map((part, place) => {
      if (place % 2 === 0) return part
      const inside = part.slice(1, -1)
      if (part[0] === "<") return element("a", {href: inside}, inside)
      if (part[0] !== "`") return element("span.own-option", {}, part)
      return element(/^-\S{0,23}$/.test(inside) ? "code.own-option" : "code", {}, inside)
    })

let number = 0
/** A control below its label, with a hint behind it: [label, control, hint]. */
export function labelled(label, control, hint) {
  control.id ||= `own-${++number}`
  if (hint) control.setAttribute("aria-describedby", (hint.id ||= `own-${++number}`))
  return [element("label", {htmlFor: control.id}, label), control, hint].filter(Boolean)
}

export const button = (words, act, has = {}) => element("button", {type: "button", onclick: act, ...has}, words)
