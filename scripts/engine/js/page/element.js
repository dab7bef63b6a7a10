// Makes the page's elements. Text goes in as text, never as HTML.
import {page} from "./shared.js"

/**
 * @param {string} name of the element, with its classes: "p.verdict"
 * @param {object} has properties, or attributes where no such property is
 * @param {...(Node|string|null)} inside what it holds; null is left out
 */
page.element = (name, has = {}, ...inside) => {
  const [tag, ...classes] = name.split(".")
  const made = document.createElement(tag)
  if (classes.length) made.className = classes.join(" ")
  for (const [key, value] of Object.entries(has))
    if (value != null) key in made ? (made[key] = value) : made.setAttribute(key, value)
  made.append(...inside.flat().filter(one => one != null && one !== ""))
  return made
}

/** Words with code between backticks, as Markdown has it; an option's name stays on one line. */
page.words = text =>
  String(text ?? "")
    .split("`")
    .flatMap((part, place) =>
      place % 2
        ? page.element("code", {}, part)
        : part
            .split(/(--[a-z][a-z-]*)/)
            .map((word, odd) => (odd % 2 ? page.element("span.own-option", {}, word) : word)),
    )

let number = 0
/** A control below its label, with a hint behind it: [label, control, hint]. */
page.labelled = (label, control, hint) => {
  control.id ||= `own-${++number}`
  if (hint) control.setAttribute("aria-describedby", (hint.id ||= `own-${++number}`))
  return [page.element("label", {htmlFor: control.id}, label), control, hint].filter(Boolean)
}

page.button = (words, act, has = {}) => page.element("button", {type: "button", onclick: act, ...has}, words)
