// The verdict on the text in the editor, and the edits that cure a finding.
import {editor, verdict} from "./bench.js"
import {plain} from "./bytes.js"
import {loaded} from "./parts.js"
import {keep, own, state, text} from "./state.js"

const LONGEST = 50_000 // letters; the longest job scripts have a third of that

/** The answer on a text that would keep the page busy for seconds; null on any other. */
export function tooLong(given) {
  if (given.length <= LONGEST) return null
  const [has, read] = [given.length, LONGEST].map(number => number.toLocaleString("en"))
  const what = `it has ${has} characters, but we check at most ${read}.`
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
  if (!given.trim()) {
    editor.mark([])
    warm(system)
    return verdict.say(own() ? "Paste a script, or choose a file. It stays on this page." : "")
  }
  const show = ({findings, ...rest}) => {
    const shown = findings.filter(({rule}) => own() || rule !== "account-sample") // the form's own
    editor.mark(shown)
    verdict.show(system, {findings: shown, ...rest}, more)
    return verdict.shown
  }
  const long = tooLong(given)
  verdict.root.ariaBusy = String(!long)
  if (long) return show(long)
  const {found, withFixes} = loaded("rules")
  const answer = found(system, given, state.file)
  const mine = show(answer)
  setTimeout(() => {
    if (verdict.shown !== mine) return // something newer stands there
    show(withFixes(system, given, answer))
    verdict.root.ariaBusy = "false"
  })
}

/** Makes the edit that cures a finding. */
export function mend({mend: {line, from, to, lines}}) {
  const before = text().split("\n")
  if (!lines) before[line - 1] = before[line - 1].replace(from, () => to)
  keep((lines ?? before).join("\n"))
  editor.show(plain(text()))
  state.edited()
  editor.field.focus()
}
