// What would come of the script: one sentence, and below it each finding with its line and its cure.
import {many} from "../script/units.js"
import {element, words} from "./element.js"
import {loaded} from "./parts.js"

const ORDER = ["refused", "ignored", "unwise", "doubtful", "not judged"]
const HEADS = {
  accepted: name => `${name} accepts this script.`,
  refused: name => `${name} rejects this script.`,
  "not judged": () => "We cannot check this here.",
  doubt: name => `${name} may reject this script.`,
}
const lines = findings => {
  const numbers = [...new Set(findings.map(({line}) => line))].sort((a, b) => a - b)
  return numbers.length ? `${numbers[1] ? "Lines" : "Line"} ${numbers.join(", ")}: ` : "This is "
}
const ASKS = {slurm: "sbatch --test-only job.sh", grid_engine: "qsub -w v job.sh"} // and submit nothing

/** What to do where the answer is no yes and no no. */
function unsure({key, name, kind, move}, {doubt, findings}) {
  const asks = words => element("code", {}, words)
  const where = lines(
    findings.filter(each => (doubt ? each.kind === "doubtful" : /^not-judged-here$|^beyond-/.test(each.rule))),
  )
  const what = doubt
    ? `${where}the reason against it is unconfirmed. Follow the finding, or ask the scheduler. `
    : `${where}unknown to this page. Ask the scheduler. `
  return [
    what,
    ...(move.running ? [`On ${name}: `, asks(ASKS[kind]), ". "] : []),
    "With this guide's repository: ",
    asks(`./guide check ${key} job.sh`),
  ]
}

/** "2 refused, 1 unwise" */
const counts = findings =>
  ORDER.map(kind => [findings.filter(finding => finding.kind === kind).length, kind])
    .filter(([number]) => number)
    .map(([number, kind]) => `${number} ${kind}`)
    .join(", ")

/** {root, show(system, answer, more), say(words)}, in which select(line) and mend(finding) follow a click. */
export function verdictView({select, mend}) {
  const said = element("p.own-verdict", {role: "status"})
  const list = element("ol.own-findings")
  const root = element("div", {}, said, list)
  return {
    root,
    shown: 0, // how often it was written
    show(system, answer, more = []) {
      this.shown++
      const {verdict, findings} = answer
      said.className = `own-verdict ${verdict.replace(" ", "-")}`
      const head = HEADS[answer.doubt ? "doubt" : verdict](system.name),
        count = counts(findings)
      const tail = verdict === "not judged" ? unsure(system, answer) : more
      const text = [head, count, ...tail.map(part => part.textContent ?? part)].join(" ")
      if (said.dataset.said !== text) {
        // or a screen reader says the same again
        said.dataset.said = text
        said.replaceChildren(element("strong", {}, head), " ", count ? `${count}. ` : "", ...tail)
      }
      const shown = [...findings].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || a.line - b.line)
      list.replaceChildren(...shown.slice(0, 200).map(finding => loaded("more").findingItem(finding, select, mend)))
      if (shown.length > 200) list.append(element("li", {}, many(shown.length - 200, "more finding")))
    },
    say(text, kind = "", ...more) {
      this.shown++
      said.className = `own-verdict ${kind}`
      said.dataset.said = text
      said.replaceChildren(...words(text), ...more.filter(Boolean).flatMap(one => [" ", one]))
      list.replaceChildren()
    },
  }
}
