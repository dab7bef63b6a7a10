// "Does it fit?" on the page: a few fields, the bytes by part, and the GPUs that hold them, in place of the static table.
import {data} from "../data.js"
import {element} from "../page/element.js"
import {enough, fit, PRECISIONS, size, USES} from "./memory.js"

const {models, gpus} = data.fit
const choice = options =>
  element("select", {}, ...Object.entries(options).map(([value, text]) => new Option(text, value)))
const count = value => element("input", {type: "number", min: 1, value})
const fields = {
  model: element("input", {value: "Llama 3.1 8B", size: 16, list: "fit-models", spellcheck: false}),
  use: choice(USES),
  precision: choice(Object.fromEntries(Object.keys(PRECISIONS).map(name => [name, name]))),
  context: count(4096),
  batch: count(1),
  system: choice({"": "all systems", ...Object.fromEntries(gpus.map(({key, system}) => [key, system]))}),
  checkpointing: element("input", {type: "checkbox", checked: true}),
}
const NAMES = {
  model: "Model or parameters",
  use: "Use",
  precision: "Precision of the weights",
  context: "Context, tokens",
  batch: "Batch",
  system: "System",
  checkpointing: "Activation checkpointing",
}
fields.precision.value = "bfloat16"
const labels = Object.entries(fields).map(([name, field]) => element("label", {}, `${NAMES[name]} `, field))
const said = element("div", {role: "status"})
const part = document.querySelector(".fit")
const rows = element("tbody")
const heads = ["GPU or slice", "GPUs needed, of those in a node", "Tokens per second, upper limit"]
const head = element("thead", {}, element("tr", {}, ...heads.map(text => element("th", {scope: "col"}, text))))
const table = element("div", {}, element("table", {}, part.querySelector("caption"), head, rows)) // a style shows a table that is hidden

function show() {
  const given = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]))
  const found = fit(data.fit, {...given, checkpointing: fields.checkpointing.checked})
  labels.at(-1).hidden = given.use === "inference"
  table.hidden = Boolean(found.reason)
  if (found.reason) {
    said.replaceChildren(element("p", {}, found.reason))
    return
  }
  const bars = found.parts.map(({name, bytes}) =>
    element("li", {}, `${name}: ${size(bytes)} `, element("meter", {max: found.total, value: bytes, title: name})),
  )
  said.replaceChildren(
    element("p", {}, `${found.title}. ${found.notes.join(" ")}`),
    element("ul", {}, ...bars, element("li", {}, element("strong", {}, `total: ${size(found.total)}`))),
    element("p", {}, found.places.length ? "GPUs that the model needs:" : "No GPU here has enough memory."),
  )
  table.hidden = !found.places.length
  rows.replaceChildren(
    ...found.places.map(place => {
      const most = place.most ? Math.floor(place.most).toLocaleString("en") : "–"
      const href = place.form ? `../jobscript.html#${place.form}` : `../${place.page}`
      const count = place.gpus ? element("a", {href}, enough(place)) : enough(place)
      const cells = [`${place.system}: ${place.label}`, count, most]
      return element("tr", {}, ...cells.map(text => element("td", {}, text)))
    }),
  )
}

const known = element("datalist", {id: "fit-models"}, ...models.map(({name}) => element("option", {value: name})))
part.replaceChildren(element("div.row-of-fields", {}, ...labels, known), said, table)
part.addEventListener("input", show)
addEventListener("pageshow", show) // a browser that goes back puts into the fields what stood there
show()
