// Facts that nobody has compared with their source for over a year are shown as such: below the page's title, and in
// the table of its sources. It depends on the day on which a page is read, so no build can know it.
import {isOld} from "./age.js"

const today = new Date().toISOString().slice(0, 10)
const heads = row => [...row.cells].map(cell => cell.textContent.trim()).join()
/** @type {NodeListOf<HTMLTableElement>} */
const tables = document.querySelectorAll("article table")
const table = [...tables].find(one => one.tHead && heads(one.tHead.rows[0]) === "Facts,Source,Published,Retrieved")
const old = [...(table?.tBodies[0].rows ?? [])].filter(row => isOld(row.cells[3].textContent.trim(), today))
// a page that a browser has saved has all of it
if (old.length && !document.querySelector(".old-facts")) {
  for (const row of old) row.cells[3].append(", over a year ago")
  const names = [...new Set(old.flatMap(row => row.cells[0].textContent.trim().split(", ")))]
  const said = document.createElement("p")
  said.className = "old-facts"
  said.innerHTML = 'These facts were last compared with their <a href="#sources">sources</a> over a year ago: '
  said.append(`${names.join(", ")}. Ask the operator before you rely on it.`)
  document.querySelector("article h1").after(said)
}
