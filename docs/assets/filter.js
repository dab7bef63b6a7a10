// Messages, or rows of a table, that fit what is typed or pasted; the rest of the page is hidden. It runs where it stands, so nothing that is seen moves.
// Without JavaScript there is no field, and the page is whole.
{
  const field = document.createElement("input"),
    label = document.createElement("label"),
    said = document.createElement("span"),
    row = document.createElement("p"),
    ofRows = document.currentScript.dataset.rows // the label, where it is for the rows of the page's table
  field.id = "filter"
  field.type = "search"
  label.htmlFor = "filter"
  label.textContent = ofRows ?? "Filter messages"
  said.role = "status"
  row.className = "filter"
  row.append(label, field, said)
  document.querySelector(".filter")?.remove() // of a page that a browser has saved
  document.currentScript.before(row)

  const small = text => text.toLowerCase().replace(/\s+/g, " ").trim()
  /** What follows the row, in parts that begin with a heading: `title` only where that is a message. */
  const parts = () => {
    const found = []
    if (ofRows) return [...document.querySelectorAll("tbody tr")].map(tr => ({level: "H3", title: tr, nodes: [tr]}))
    for (let at = row.nextElementSibling; at; at = at.nextElementSibling) {
      const heading = at.matches("h2, h3")
      if (heading || !found.length) found.push({level: at.tagName, title: at.querySelector("code"), nodes: []})
      found.at(-1).nodes.push(at)
    }
    return found
  }
  const fits = ({title, nodes}, asked) => {
    const text = small(nodes.map(node => node.textContent).join(" "))
    const pieces = small(title.textContent).split("…")
    return asked.split(" ").every(word => text.includes(word)) || pieces.every(piece => asked.includes(piece.trim()))
  }
  const filter = () => {
    const asked = small(field.value)
    let kept = 0,
      group
    for (const part of parts()) {
      const message = part.level === "H3" && part.title
      const shown = !asked || (message && fits(part, asked))
      if (part.level === "H2") group = part
      for (const node of part.nodes) node.hidden = !shown
      if (shown && message) {
        kept++
        if (group) group.nodes[0].hidden = false
      }
    }
    said.textContent = !asked ? "" : kept ? `${kept} shown` : "None on this page. Try the search above."
  }
  field.addEventListener("input", filter)
  addEventListener("pageshow", filter) // a browser that goes back puts into the field what stood there

  // A link to a part that the filter hides shows all; the address of a heading that moved to another page of messages leads on.
  const list = document.currentScript.src.replace(/filter(?=[^/]*$)/, "headings")
  const lead = () => {
    const id = location.hash.slice(1),
      part = document.getElementById(id)
    if (part?.hidden) {
      field.value = ""
      filter()
      part.scrollIntoView()
    }
    if (!id || part) return
    const script = document.createElement("script")
    script.src = list
    script.onload = () => {
      const now = renamed[id] ?? id,
        page = Object.keys(headings).find(each => headings[each].includes(now))
      if (page) location.replace(`${page}.html#${now}`)
    }
    document.head.append(script)
  }
  if (!ofRows) for (const event of ["DOMContentLoaded", "hashchange"]) addEventListener(event, lead)
}
