// Two columns of the table of all systems, as the reader chooses: their rows side by side. Without JavaScript the table stays hidden.
// It runs where it stands, right behind the table: so nothing that is seen already has to move.
{
  // names of its own: other scripts of the page have theirs
  const make = (name, has, ...inside) => {
    const made = Object.assign(document.createElement(name), has)
    made.append(...inside)
    return made
  }
  const all = document.querySelector(".compare"),
    rows = [...all.querySelectorAll("tr")].map(row => [...row.cells])
  const names = rows[0].map(cell => cell.textContent.trim())
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
  const marks = rows.map(([head]) => head.appendChild(make("small", {})))
  function show() {
    const chosen = selects.map(select => Number(select.value))
    rows.forEach((cells, row) => {
      const [one, other] = chosen.map(column => cells[column].textContent.trim())
      const differ = row > 0 && one !== other
      const line = cells[0].parentNode
      marks[row].textContent = differ ? " differs" : ""
      line.classList.toggle("differs", differ)
      line.hidden = row > 0 && !differ && (one === "–" || few.checked) // neither says anything of this
      cells.forEach((cell, column) => (cell.hidden = column > 0 && !chosen.includes(column)))
      cells[0].after(...chosen.map(column => cells[column]))
    })
  }
  const wanted = location.hash
    .slice(1)
    .split("+")
    .map(name => rows[0].findIndex((cell, column) => column && key(cell) === name))
  selects.forEach((select, place) => (select.value = wanted[place] > 0 ? wanted[place] : place + 1))
  const choice = make(
    "p",
    {className: "compare-two"},
    make("label", {}, "Compare ", selects[0]),
    make("label", {}, "with ", selects[1]),
    make("label", {}, few, "Show only rows that differ"),
  )
  all.before(choice)
  all.hidden = false
  show()
}
