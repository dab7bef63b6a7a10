// Two columns of the table of all systems, as the reader chooses: their rows side by side. Without JavaScript the table stays hidden.
// It runs where it stands, right behind the table: so nothing that is seen already has to move.
{
  // names of its own: other scripts of the page have theirs
  const make = (name, has, ...inside) => {
    const made = Object.assign(document.createElement(name), has)
    made.append(...inside)
    return made
  }
  // what a page that a browser has saved still has
  for (const old of document.querySelectorAll(".row-of-fields, .job-cost, .compare small")) old.remove()
  const all = document.querySelector(".compare"),
    rows = [...all.querySelectorAll("tr")].map(row => [...row.cells])
  const names = rows[0].map(cell => cell.textContent.trim())
  // Operators publish GB or GiB, and a row has one of them: GB.
  const decimal = (text, number, unit) => {
    const size = Number(number.replaceAll(",", "")) * 1.024 ** 3 * (unit === "T" ? 1024 : 1)
    const [shown, of] = size < 1000 ? [size, "GB"] : [size / 1000, "TB"]
    return `${Number(shown.toPrecision(3))} ${of}`
  }
  for (const texts = document.createTreeWalker(all, NodeFilter.SHOW_TEXT); texts.nextNode();)
    texts.currentNode.data = texts.currentNode.data.replace(/\b(\d[\d,.]*)\s([GT])iB\b/g, decimal)
  // The name of a system's page stands for it in the address: compare.html#puhti+roihu.
  const key = cell =>
    cell
      .querySelector("a")
      .getAttribute("href")
      .replace(/^.*\/|\.html.*$/g, "")
  const selects = ["Compare", "Compare with"].map(ariaLabel => {
    const select = make("select", {ariaLabel})
    names.forEach((name, column) => column && select.add(new Option(name, column)))
    select.addEventListener("change", () => {
      show()
      history.replaceState(null, "", "#" + selects.map(({value}) => key(rows[0][value])).join("+"))
    })
    return select
  })
  const few = make("input", {type: "checkbox", onchange: show})
  const DECIDE = 5 // rows that people decide by stand first: GPU, share, time, cost, number; only these are marked
  const marks = rows.slice(0, DECIDE + 1).map(([head]) => head.appendChild(make("small", {})))
  function show() {
    const chosen = selects.map(select => Number(select.value))
    rows.forEach((cells, row) => {
      const [one, other] = chosen.map(column => cells[column].textContent.trim())
      const differ = row > 0 && one !== other
      const line = cells[0].parentNode
      if (marks[row]) marks[row].textContent = differ ? " differs" : ""
      line.classList.toggle("differs", differ)
      line.classList.toggle("decides", differ && row <= DECIDE)
      line.hidden = row > 0 && !differ && (one === "–" || few.checked) // neither says anything of this
      cells.forEach((cell, column) => (cell.hidden = column > 0 && !chosen.includes(column)))
      cells[0].after(...chosen.map(column => cells[column]))
    })
  }
  const arrive = () => {
    for (const [place, name] of location.hash.slice(1).split("+").slice(0, 2).entries()) {
      const column = rows[0].findIndex((cell, at) => at && key(cell) === name)
      if (column > 0) selects[place].value = column
    }
  }
  selects.forEach((select, place) => (select.value = place + 1))
  arrive()
  addEventListener("hashchange", () => {
    arrive()
    show()
    choice.dispatchEvent(new Event("change")) // for the cost of a job
  })
  const amount = (name, value, max) =>
    make("label", {}, `${name} `, make("input", {type: "number", min: 1, max, value, required: true}))
  const choice = make(
    "p",
    {className: "row-of-fields"},
    make("label", {}, "Compare ", selects[0]),
    make("label", {}, "with ", selects[1]),
    amount("GPUs", 4, 512),
    amount("Hours", 24, 720),
    make("label", {}, few, "Show only rows that differ"),
  )
  // What a job costs needs the engine's form, which comes when a reader is about to do something.
  const cells = ["Cost of 4 GPUs for 24 hours", "…", "…"].map(text => make("td", {}, text))
  const cost = make("tr", {className: "differs decides job-cost"}, ...cells)
  rows[4][0].parentNode.after(cost)
  const src = new URL("job-cost.js", document.currentScript.src).href
  const wants = ["pointerover", "focusin", "keydown", "touchstart"]
  const begun = new AbortController()
  const begin = () => {
    begun.abort()
    all.after(make("script", {src})) // in a page that is saved, too, it comes after what it needs
  }
  for (const event of wants) addEventListener(event, begin, {signal: begun.signal, passive: true})
  addEventListener("pageshow", show) // a browser that goes back puts into the fields what stood there
  all.before(choice)
  all.hidden = false
  show()
}
