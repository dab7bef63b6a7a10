// One finding: its kind, its line, what is wrong, what to do, and a button where one edit is certain.
import {button, element, words} from "./element.js"

/** Its item in the list. select(line) shows the line; mend(finding) makes the edit. */
export const findingItem = (finding, select, mend) =>
  element(
    `li.${finding.kind.replace(" ", "-")}`,
    {},
    finding.mend ? button("Fix it", () => mend(finding), {title: mended(finding.mend)}) : null,
    element("strong", {}, `${finding.kind[0].toUpperCase()}${finding.kind.slice(1)}`),
    ", ",
    button(`line ${finding.line}`, () => select(finding.line), {className: "own-line", title: "Show this line"}),
    ": ",
    ...words(finding.what),
    " ",
    ...words(finding.cure),
    source(finding.source),
  )

const mended = ({from, to, lines}) => (lines ? "Rewrites these lines" : `${from ?? ""} → ${to ?? ""}`)

function source(given) {
  if (!given) return null
  const {url, title = "source"} = typeof given === "string" ? {url: given} : given
  return /^https:/.test(url ?? "") ? [" ", element("a", {href: url, rel: "noopener"}, title)] : null
}
