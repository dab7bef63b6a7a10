// A value that no list holds.
import {page} from "./shared.js"

const {element} = page

/** Puts a text field in the place of a list, until it is left; done(value) has what it holds, or nothing. */
page.ask = (select, label, value, done) => {
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
    if (event.key === "Enter") (event.preventDefault(), end(field.value.trim()))
    if (event.key === "Escape") end("")
  })
}
