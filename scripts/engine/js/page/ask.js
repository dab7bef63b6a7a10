// A value that no list holds.
import {element} from "./element.js"

/** Puts a text field in the place of a list, until it is left; done(value) has what it holds, or nothing. */
export function ask(select, label, value, done) {
  const field = element("input", {ariaLabel: label, value: value ?? ""})
  select.hidden = true
  select.before(field)
  field.focus()
  let over = false // taking it away makes it lose the focus, which would end it once more
  const end = given => {
    if (over) return
    over = true
    field.remove()
    select.hidden = false
    select.focus()
    done(given)
  }
  field.addEventListener("change", () => end(field.value.trim()))
  field.addEventListener("blur", () => end(field.value.trim()))
  field.addEventListener("keydown", event => {
    if (event.key === "Escape") end("")
    if (event.key !== "Enter") return
    event.preventDefault()
    end(field.value.trim())
  })
}
