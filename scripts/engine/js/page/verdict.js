// What would come of the script: one sentence, and below it each finding with its line and its cure.
import {button, element, words} from "./element.js"
import {loaded} from "./parts.js"

const HEADS = {
  accepted: name => `${name} accepts this script.`,
  refused: name => `${name} rejects this script.`,
  fails: name => `${name} accepts this script, but the job fails.`,
  "not judged": () => "We cannot check this here.",
  doubt: name => `${name} may reject this script.`,
}
/** {said, list, show(system, answer, more), say(words), fixed(words)}: a click asks for select(line), mend(finding), undo(). */
export function verdictView({select, mend, undo}) {
  const said = element("p.own-verdict", {role: "status"})
  const last = element("span", {role: "status"})
  const back = button("Undo", undo)
  const done = element("p.own-fixed", {hidden: true}, last, " ", back)
  const found = element("ol.own-findings")
  const list = element("div", {}, done, found)
  return {
    said,
    list,
    shown: 0, // how often it was written
    show(system, answer, more = []) {
      this.shown++
      const {verdict, findings} = answer
      const fails = verdict === "accepted" && findings.some(({kind}) => kind === "fails")
      said.className = `own-verdict ${fails ? "fails" : verdict.replace(" ", "-")}`
      const head = HEADS[answer.doubt ? "doubt" : fails ? "fails" : verdict](system.name),
        {count, items} = findings.length ? loaded("more").listed(findings, select, mend) : {count: "", items: []}
      const tail = verdict === "not judged" ? loaded("more").unsure(system, answer) : more
      const text = [head, count, ...tail.map(part => part.textContent ?? part)].join(" ")
      if (said.dataset.said !== text) {
        // or a screen reader says the same again
        said.dataset.said = text
        said.replaceChildren(element("strong", {}, head), " ", count ? `${count}. ` : "", ...tail)
      }
      found.replaceChildren(...items)
    },
    say(text, kind = "") {
      this.shown++
      said.className = `own-verdict ${kind}`
      said.dataset.said = text
      said.replaceChildren(...words(text))
      found.replaceChildren()
    },
    /** What a fix did, with the way back beside it; or nothing any more. */
    fixed(text) {
      done.hidden = !text
      last.textContent = text
      if (text) back.focus()
    },
    /** Is there a fix to undo? */
    fixes: () => !done.hidden,
  }
}
