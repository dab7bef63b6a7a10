// What the page says of a job that has ended: see adviseOn in after/advise.js, and propose in after/propose.js.
import {element, words} from "./element.js"

const items = (list, item) =>
  list.length ? element("ul", {}, ...list.map(each => element("li", {}, ...item(each)))) : null

/** @param {any} told @param {any} [system] @param {any} [next] @param {any} [script] its figure */
export function jobReport({title, means, rows, changes, notes, links}, system, next, script) {
  const cells = ({name, used, asked, share}) => [name, used, asked, share].map(text => element("td", {}, text))
  const head = ["Resource", "Used", "Requested", "Share"].map(text => element("th", {}, text))
  const table = element("table", {}, element("tr", {}, ...head), ...rows.map(row => element("tr", {}, ...cells(row))))
  const change = ({option, value, why}) => [
    element("code", {}, `#SBATCH --${option}=${value}`),
    element("br"),
    ...words(why),
  ]
  return element(
    "section",
    {},
    element("h2", {}, title.replaceAll("`", "")),
    means ? element("p", {}, ...words(means)) : null,
    rows.length ? element("div.own-used", {}, table) : null,
    changes.length ? element("p.own-cure", {}, "For the next job, request:") : null,
    items(changes, change),
    items(notes, words),
    ...(next ? ofScript(system, next, script) : []),
    items(links, ([title, href]) => [element("a", {href}, title)]),
  )
}

function ofScript({name}, {verdict, adapted, against, unchanged}, script) {
  const said = {accepted: `${name} accepts this script.`, refused: `${name} rejects this script.`}[verdict]
  return [
    items(adapted, why => ["Changed to what is possible: ", ...words(why)]),
    unchanged ? element("p", {}, unchanged) : null,
    element("p.own-cure", {}, said ?? `We cannot check here whether ${name} accepts this script.`),
    items(against, words),
    script,
  ]
}
