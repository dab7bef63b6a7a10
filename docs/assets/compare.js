// Two columns of the table of all systems, as the reader chooses: their rows side by side. Without JavaScript the table stays hidden.
// It runs where it stands, right behind the table: so nothing that is seen already has to move.
{
  // names of its own: other scripts of the page have theirs
  const all = document.querySelector(".compare"),
    rows = [...all.querySelectorAll("tr")].map(row => [...row.cells])
  const names = rows[0].map(cell => cell.textContent.trim())
  // The name of a system's page stands for it in the address: compare.html#puhti+roihu.
  const key = cell =>
    cell
      .querySelector("a")
      .getAttribute("href")
      .replace(/^.*\/|\.html.*$/g, "")
  const selects = ["This system", "That system"].map(label => {
    const select = document.createElement("select")
    select.ariaLabel = label
    names.forEach((name, column) => column && select.add(new Option(name, column)))
    select.addEventListener("change", () => {
      show()
      history.replaceState(null, "", "#" + selects.map(({value}) => key(rows[0][value])).join("+"))
    })
    return select
  })
  function show() {
    const chosen = selects.map(select => Number(select.value))
    for (const cells of rows) {
      const said = chosen.map(column => cells[column].textContent.trim())
      cells[0].parentNode.hidden = said.every(text => text === "–") // neither says anything of this
      cells.forEach((cell, column) => (cell.hidden = column > 0 && !chosen.includes(column)))
      cells[0].after(...chosen.map(column => cells[column]))
    }
  }
  const wanted = location.hash
    .slice(1)
    .split("+")
    .map(name => rows[0].findIndex((cell, column) => column && key(cell) === name))
  selects.forEach((select, place) => (select.value = wanted[place] > 0 ? wanted[place] : place + 1))
  const choice = document.createElement("p")
  choice.className = "compare-two"
  choice.append(...selects)
  all.before(choice)
  all.hidden = false
  show()
}
