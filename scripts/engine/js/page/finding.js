// The findings: how many there are, and of each its level and kind, its line, what is wrong, what to do, and a button where
// one edit is certain; and whom to ask where the answer is no yes and no no.
import {data} from "../data.js"
import {many} from "../script/units.js"
import {button, element, words} from "./element.js"

const ORDER = Object.keys(data.levels)
const MOST = 200

const of = (findings, level) => findings.filter(({kind}) => data.levels[kind] === level)
/** Line -> the worst level of a finding on it. */
export const marked = findings =>
  new Map(["note", "warning", "error"].flatMap(level => of(findings, level).map(({line}) => [line, level])))

/** "2 errors, 1 warning" */
const counts = findings =>
  ["error", "warning", "note"]
    .map(level => [of(findings, level).length, level])
    .filter(([number]) => number)
    .map(([number, level]) => many(number, level))
    .join(", ")

/** Their count in words, and the items of their list, the gravest first. select(line) shows the line; mend(finding) makes the edit. */
export function listed(findings, select, mend) {
  const inOrder = [...findings].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.line - b.line)
  const items = inOrder.slice(0, MOST).map(finding => findingItem(finding, select, mend))
  if (inOrder.length > MOST) items.push(element("li", {}, many(inOrder.length - MOST, "more finding")))
  return {count: counts(findings), items}
}

function findingItem(finding, select, mend) {
  const level = data.levels[finding.kind]
  return element(
    `li.${level}`,
    {},
    finding.mend ? button("Fix it", () => mend(finding), {title: mended(finding.mend)}) : null,
    element("strong", {}, level[0].toUpperCase() + level.slice(1)),
    ` (${finding.kind}), `,
    button(`line ${finding.line}`, () => select(finding.line), {className: "own-line", title: "Show this line"}),
    ": ",
    ...words(finding.what),
    " ",
    ...words(finding.cure),
    source(finding.source),
  )
}

const mended = ({from, to, lines}) => (lines ? "Rewrites these lines" : `${from ?? ""} → ${to ?? ""}`)

function source(given) {
  if (!given) return null
  const {url, title = "source"} = typeof given === "string" ? {url: given} : given
  return /^https:/.test(url ?? "") ? [" ", element("a", {href: url, rel: "noopener"}, title)] : null
}

const lines = findings => {
  const numbers = [...new Set(findings.map(({line}) => line))].sort((a, b) => a - b)
  return numbers.length ? `${numbers[1] ? "Lines" : "Line"} ${numbers.join(", ")}: ` : "This is "
}
const ASKS = {slurm: "sbatch --test-only job.sh", grid_engine: "qsub -w v job.sh"} // and submit nothing

/** What to do where the answer is no yes and no no. */
export function unsure({key, name, kind, move}, {doubt, findings}) {
  const asks = words => element("code", {}, words)
  const where = lines(
    findings.filter(each => (doubt ? each.kind === "doubtful" : /^not-judged-here$|^beyond-/.test(each.rule))),
  )
  const what = doubt
    ? `${where}the reason to reject it is unconfirmed. Follow the finding's advice, or ask the scheduler. `
    : `${where}unknown to this page. Ask the scheduler. `
  return [
    what,
    ...(move.running ? [`On ${name}, run `, asks(ASKS[kind]), ". "] : []),
    "With this guide's repository, run ",
    asks(`./guide check ${key} job.sh`),
  ]
}
