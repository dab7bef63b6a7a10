// Limits in a reader's own case: the least time of an operation on each GPU, over its link, and on the CPUs of its node.
// The limits themselves are in made/limits.js. scripts/measure/own.py reckons the same, and the tests hold one against the other.
const limits = (() => {
  const BYTES = {float64: 8, float32: 4, tf32: 4, bfloat16: 2, float16: 2}
  // What must be done at least: operations; bytes in memory, to the GPU, back, and those that must be kept there.
  const OPERATIONS = {
    product(size, {rows, inner, columns}) {
      const given = size * (rows * inner + inner * columns),
        result = size * rows * columns
      return {
        flop: 2 * rows * inner * columns,
        memory: given + result,
        there: given,
        back: result,
        kept: given + result,
        matrix: true,
      }
    },
    elementwise(size, {numbers, read, written, operations}) {
      const given = size * numbers * read,
        result = size * numbers * written
      return {flop: numbers * operations, memory: given + result, there: given, back: result, kept: given + result}
    },
    copy(size, {megabytes}) {
      const number = megabytes * 1e6
      return {flop: 0, memory: 2 * number, there: number, back: 0, kept: 2 * number}
    },
    training(size, {batch, gflop, kilobytes}) {
      return {flop: 3e9 * gflop * batch, memory: 0, there: batch * kilobytes * 1e3, back: 0, kept: 0, matrix: true}
    },
  }
  // [seconds, what binds]: the first of the largest.
  const largest = bounds => bounds.reduce((most, bound) => (bound[0] > most[0] ? bound : most))
  const memory = (bytes, {cache, memoryRate}) => [bytes <= cache ? 0 : bytes / 1e9 / memoryRate, "memory"]

  function onDevice(device, own, precision, linked) {
    const rates = own.matrix ? device.tflops : {...device.tflops, ...device.ordinary}
    if (own.flop && !(precision in rates)) return null
    const link = linked && device.linkRate ? Math.max(own.there, own.back) / 1e9 / device.linkRate : 0
    return largest([
      [own.flop ? own.flop / 1e12 / rates[precision] : 0, "arithmetic"],
      memory(own.memory, device),
      [link, "link"],
    ])
  }
  function onHost(host, operation, precision, given) {
    const wide = precision === "float64" ? "float64" : "float32"
    const own = OPERATIONS[operation](BYTES[wide], given)
    return largest([[own.flop / 1e12 / host.tflops[wide], "arithmetic"], memory(own.memory, host)])
  }
  function seconds(value) {
    const [size, unit] = [
      [1, "s"],
      [1e-3, "ms"],
      [1e-6, "µs"],
    ].find(([size]) => value >= size) ?? [1e-9, "ns"]
    return `${Number((value / size).toPrecision(3))} ${unit}`
  }
  const told = (time, start = 0) =>
    !time ? "–" : time[0] < start ? `${seconds(start)} (start)` : `${seconds(time[0])} (${time[1]})`
  return {BYTES, OPERATIONS, onDevice, onHost, seconds, told}
})()

if (globalThis.document) {
  const NAMES = {
    product: "Product of two matrices, A and B",
    elementwise: "Element by element",
    copy: "Copy",
    training: "A training step",
    rows: "Rows of A",
    inner: "Columns of A, rows of B",
    columns: "Columns of B",
    numbers: "Numbers in each array",
    read: "Arrays read",
    written: "Arrays written",
    operations: "Operations for each place",
    megabytes: "MB",
    batch: "Samples in a batch",
    gflop: "GFLOP forward, one sample",
    kilobytes: "kB of one sample",
  }
  const element = (name, ...inside) => {
    const made = document.createElement(name)
    made.append(...inside)
    return made
  }
  const labelled = (words, field) => element("label", words, field)
  const choice = (words, names) => {
    const select = element("select", ...names.map(name => new Option(NAMES[name] ?? name, name)))
    return [select, labelled(words, select)]
  }
  const [operation, operationLabel] = choice("Operation", Object.keys(limits.OPERATIONS))
  const [precision, precisionLabel] = choice("Precision", Object.keys(limits.BYTES))
  const every = "all that run",
    [system, systemLabel] = choice("System", [every, ...new Set(LIMITS.systems.map(({system}) => system))])
  precision.value = "float32"
  const sizes = element("span"),
    body = element("tbody"),
    said = element("p"),
    fields = {}
  said.role = "status"

  function ask() {
    // the sizes that this operation has
    for (const name in fields) delete fields[name]
    sizes.replaceChildren(
      ...Object.entries(LIMITS.sizes[operation.value]).map(([name, value]) => {
        const field = (fields[name] = element("input"))
        Object.assign(field, {type: "number", min: 0, step: "any", value})
        return labelled(NAMES[name], field)
      }),
    )
    precisionLabel.hidden = operation.value === "copy"
    show()
  }
  function row({system, device: key, gpus, cores, host}, own, given) {
    const device = LIMITS.devices[key],
      fits = own.kept <= device.memory // what comes from the host can come in pieces
    const [inside, linked] = [false, true].map(linked => limits.onDevice(device, own, precision.value, linked))
    const cpus = host && limits.onHost(host, operation.value, precision.value, given),
      over = linked && Math.max(linked[0], LIMITS.start)
    // Of the two ways for data that are the host's, the one that may take less is bold.
    const cell = (words, less, more = "") => element("td", less ? element("strong", words) : words, more)
    return element(
      "tr",
      cell(`${system}: ${device.name}`),
      cell(fits ? limits.told(inside, LIMITS.start) : "does not fit"),
      cell(limits.told(linked, LIMITS.start), linked && cpus && over < cpus[0]),
      host
        ? cell(limits.told(cpus), linked && cpus[0] < over, `, ${cores} cores for ${gpus} GPU${gpus > 1 ? "s" : ""}`)
        : cell("not known"),
    )
  }
  function show() {
    const given = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.valueAsNumber]))
    const right = Object.values(given).every(value => value >= 0),
      own = limits.OPERATIONS[operation.value](limits.BYTES[precision.value], given)
    const some = right && own.flop + own.memory + own.there > 0
    const giga = number => (number / 1e9).toLocaleString("en", {maximumSignificantDigits: 3})
    said.textContent = some
      ? `To do at least: ${giga(own.flop)} GFLOP, ${giga(own.memory)} GB in memory; over the link ${giga(own.there)} GB there, ${giga(own.back)} GB back.`
      : "Each size must be a number, and not all of them 0."
    const chosen = LIMITS.systems.filter(one => [every, one.system].includes(system.value))
    body.replaceChildren(...(some ? chosen.map(one => row(one, own, given)) : []))
  }
  const place = document.querySelector(".limits-own")
  const heads = ["System and GPU", "Data on the GPU", "Data on the host", "All CPUs of the node"].map(words =>
    element("th", words),
  )
  heads.forEach(head => (head.scope = "col"))
  const table = element(
    "table",
    element("caption", "The least time of your operation"),
    element("thead", element("tr", ...heads)),
    body,
  )
  const form = element("div", operationLabel, sizes, precisionLabel, systemLabel)
  form.className = "limits-form"
  form.role = "group"
  form.ariaLabel = "Your operation"
  form.addEventListener("input", event => (event.target === operation ? ask() : show()))
  const rows = element("div", table)
  rows.className = "as-list limits-rows"
  place.append(form, said, rows)
  place.hidden = false
  ask()
}
