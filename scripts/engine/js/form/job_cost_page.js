// What one job costs on each of the two systems that a reader compares: a row of their table, for a number of GPUs and hours.
import {systems} from "../data.js"
import {element, words} from "../page/element.js"
import {many} from "../script/units.js"
import {spread, write} from "./form.js"

const here = new URL("your-script/data/", /** @type {HTMLScriptElement} */ (document.currentScript).src)
const choice = document.querySelector(".row-of-fields")
const table = document.querySelector(".compare")
/** @type {NodeListOf<HTMLInputElement>} */
const amounts = choice.querySelectorAll("input[type=number]")
const gpus = amounts[0]
const hours = amounts[1]
/** @type {HTMLTableRowElement} */
const row = table.querySelector(".job-cost")
const label = row.cells[0]
const cells = [row.cells[1], row.cells[2]]

const asked = new Map()
/** The form of a system, in a script of its own, since a page that a browser opens as a file may fetch nothing else. */
function loaded(key) {
  if (!asked.has(key))
    asked.set(
      key,
      new Promise(resolve => {
        const script = element("script", {src: new URL(`${key}.js`, here).href})
        script.onload = script.onerror = () => resolve(systems[key])
        document.head.append(script)
      }),
    )
  return asked.get(key)
}

/** What the job costs there: {unit, said}. */
function costOn(system) {
  if (!system) return {said: "could not be loaded"}
  const {cost, reason} = write(system, {...spread(system, Number(gpus.value)), time: `${Number(hours.value)}h`})
  if (!cost) return {said: reason}
  if (cost.total === undefined) return {said: "no price published"}
  if (!cost.total) return {said: "free"}
  const total = Number(cost.total.toPrecision(6)).toLocaleString("en")
  return {unit: cost.unit, said: `${total} ${cost.unit}`}
}

async function show() {
  if (![gpus, hours].every(each => each.checkValidity())) return
  const keys = [...table.querySelectorAll("thead th:not([hidden]) a")].map(link =>
    link.getAttribute("href").replace(/^.*\/|\.html.*$/g, ""),
  )
  const found = await Promise.all(keys.map(loaded))
  const costs = found.map(costOn)
  const units = new Set(costs.map(({unit}) => unit).filter(Boolean))
  const apart = element("small", {}, "These units cannot be compared")
  const title = `Cost of ${many(Number(gpus.value), "GPU")} for ${many(Number(hours.value), "hour")}`
  label.replaceChildren(title, ...(units.size > 1 ? [apart] : []))
  for (const [place, cell] of cells.entries()) cell.replaceChildren(...words(costs[place]?.said))
}

choice.addEventListener("change", show)
show()
