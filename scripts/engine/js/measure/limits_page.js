// Limits in a reader's own case, on the page. The limits themselves are in made/limits.js.
import {element} from "../page/element.js"
import {many} from "../script/units.js"
import {BYTES, OPERATIONS, leastTimes} from "./least_times.js"

const NAMES = {
  product: "Multiplication of two matrices, A and B",
  elementwise: "Element by element",
  copy: "Copy",
  training: "A training step",
  rows: "Rows of A",
  inner: "Columns of A, rows of B",
  columns: "Columns of B",
  numbers: "Numbers in each array",
  read: "Arrays read",
  written: "Arrays written",
  operations: "Operations for each element",
  megabytes: "MB",
  batch: "Samples in a batch",
  gflop: "GFLOP per sample, forward pass",
  kilobytes: "kB per sample",
}
const inLabel = (words, field) => element("label", {}, words, field)
/** @returns {[HTMLSelectElement, HTMLElement]} */
const choice = (words, names) => {
  const select = element("select", {}, ...names.map(name => new Option(NAMES[name] ?? name, name)))
  return [select, inLabel(words, select)]
}
const [operation, operationLabel] = choice("Operation", Object.keys(OPERATIONS))
const [precision, precisionLabel] = choice("Precision", Object.keys(BYTES))
const every = "all systems",
  [system, systemLabel] = choice("System", [every, ...new Set(LIMITS.systems.map(({system}) => system))])
precision.value = "float32"
const sizes = element("span"),
  body = element("tbody"),
  said = element("p", {role: "status"}),
  fields = {}

let asked = ""
function ask() {
  asked = operation.value
  // the sizes that this operation has
  for (const name in fields) delete fields[name]
  sizes.replaceChildren(
    ...Object.entries(LIMITS.sizes[operation.value]).map(([name, value]) => {
      fields[name] = element("input", {type: "number", min: 0, step: "any", value})
      return inLabel(NAMES[name], fields[name])
    }),
  )
  precisionLabel.hidden = operation.value === "copy"
  show()
}
function row({system, device: key, gpus, cores, host}, given) {
  const device = LIMITS.devices[key]
  const asked = {device, host, operation: operation.value, precision: precision.value, given, start: LIMITS.start}
  const {inside, linked, cpus, less} = leastTimes(asked)
  const cell = (name, ...inside) =>
    element("td", {}, less === name ? element("strong", {}, inside[0]) : inside[0], inside[1])
  const beside = `, on a node with ${cores} cores and ${many(gpus, "GPU")}`
  return element(
    "tr",
    {},
    cell("", `${system}: ${device.name}`),
    cell("", inside),
    cell("linked", linked),
    cpus ? cell("cpus", cpus, beside) : cell("", "not known"),
  )
}
function show() {
  const given = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.valueAsNumber]))
  const right = Object.values(given).every(value => value >= 0),
    own = OPERATIONS[operation.value](BYTES[precision.value], given)
  const some = right && own.flop + own.memory + own.there > 0
  const giga = number => (number / 1e9).toLocaleString("en", {maximumSignificantDigits: 3})
  said.textContent = some
    ? `Minimum work: ${giga(own.flop)} GFLOP, ${giga(own.memory)} GB in memory, and over the link ${giga(own.there)} GB to the GPU and ${giga(own.back)} GB back.`
    : "Each size must be a number, and not all of them 0."
  const chosen = LIMITS.systems.filter(one => [every, one.system].includes(system.value))
  body.replaceChildren(...(some ? chosen.map(one => row(one, given)) : []))
}
/** @type {HTMLElement} */
const place = document.querySelector(".limits-own")
const heads = ["System and GPU", "Data on the GPU", "Data on the host", "All CPUs of the node"]
const table = element(
  "table",
  {},
  element("caption", {}, "The shortest possible time of your operation"),
  element("thead", {}, element("tr", {}, ...heads.map(words => element("th", {scope: "col"}, words)))),
  body,
)
const role = {role: "group", ariaLabel: "Your operation"}
const form = element("div.limits-form", role, operationLabel, sizes, precisionLabel, systemLabel)
const again = () => (operation.value === asked ? show() : ask())
form.addEventListener("input", again)
addEventListener("pageshow", again) // a browser that goes back puts into the fields what stood there
place.replaceChildren(form, said, element("div.as-list.limits-rows", {}, table))
place.hidden = false
ask()
