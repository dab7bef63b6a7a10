// The verdict on the text in the editor, and the edits that cure a finding.
import {showBeforeSubmit} from "./before_submit.js"
import {editor, verdict} from "./bench.js"
import {differing, plain} from "./bytes.js"
import {marked} from "./finding.js"
import {loaded} from "./parts.js"
import {keep, own, state, text} from "./state.js"

const LONGEST = 50_000 // letters; the longest job scripts have a third of that

/** The answer on a text that would keep the page busy for seconds; null on any other. */
export function tooLong(given) {
  if (given.length <= LONGEST) return null
  const [has, read] = [given.length, LONGEST].map(number => number.toLocaleString("en"))
  const what = `the script has ${has} characters, but we check at most ${read}.`
  return {verdict: "not judged", findings: [{line: 1, kind: "not judged", cure: "", what}]}
}

// The first verdict is the slowest, since nothing is compiled yet: one is made while the reader looks for a script.
const SAMPLE = `#!/bin/bash
#SBATCH --job-name=a --output=a.out --time=1:00:00 --nodes=1 --ntasks=2 --cpus-per-task=2
#SBATCH --gpus=999 --mem=99T --array=1-3 --mail-type=ALL
#$ -cwd -l h_rt=1:00:00
module load a
srun python3 a.py --b "$SLURM_JOB_ID" > a.txt
`
let cold = true
function warm(system) {
  if (cold) (globalThis.requestIdleCallback ?? setTimeout)(() => loaded("rules").found(system, SAMPLE))
  cold = false
}

/** The text is judged, and shown as it was judged; the edits that would mend it are tried after that. */
export function judge(system, more) {
  const given = text()
  if (!own()) showBeforeSubmit(system)
  if (!given.trim()) {
    editor.mark()
    verdict.fixed("")
    warm(system)
    return verdict.say(own() ? "Paste a script, or choose a file. It stays on this page." : "")
  }
  const show = ({findings, ...rest}) => {
    const shown = findings.filter(({rule}) => own() || rule !== "account-sample") // the form's own
    editor.mark(marked(shown))
    verdict.show(system, {findings: shown.map(each => withAccount(system, given, each)), ...rest}, more)
    return verdict.shown
  }
  const long = tooLong(given)
  verdict.list.ariaBusy = String(!long)
  if (long) return show(long)
  const {found, withFixes} = loaded("rules")
  const answer = found(system, given, state.file)
  const mine = show(answer)
  setTimeout(() => {
    if (verdict.shown !== mine) return // something newer stands there
    show(withFixes(system, given, answer))
    verdict.list.ariaBusy = "false"
  })
}

/** The finding, with the edit that puts the reader's own account where one is missing. */
function withAccount({key, form: {account}}, given, finding) {
  const yours = globalThis.myAccount?.values?.[key]?.account
  const mend = {
    "no-account": {lines: given.split("\n").toSpliced(1, 0, `#SBATCH --account=${yours}`)},
    "account-sample": {line: finding.line, from: account, to: yours},
  }[finding.rule]
  return yours && mend ? {...finding, mend} : finding
}

let before = [] // the texts before each fix

/** Makes the edit that cures a finding. */
export function mend({mend: {line, from, to, lines}}) {
  const was = text()
  const now = was.split("\n")
  if (!lines) now[line - 1] = now[line - 1].replace(from, () => to)
  if (!verdict.fixes()) before = [] // an edit by hand has come between
  before.push(was)
  put((lines ?? now).join("\n"), was, "Fixed")
}

/** Takes the last fix back. */
export function undo() {
  const was = text()
  put(before.pop(), was, "Undone")
  if (before.length) return
  verdict.fixed("")
  editor.field.focus()
}

function put(now, was, what) {
  keep(now)
  editor.show(plain(now))
  const lines = now.split("\n"),
    [added, gone] = [differing(now, was), differing(was, now)]
  const first = lines.findIndex((line, at) => line !== was.split("\n")[at]) + 1 // of lines that have moved, or are gone
  editor.changed(added.length ? added : [first || lines.length], true)
  state.edited()
  const where = gone.length && !added.length ? `removed line ${gone.join(", ")}` : `line ${added.join(", ") || first}`
  verdict.fixed(`${what}: ${where}.`)
}
