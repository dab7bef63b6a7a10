// A text that the reader brings: as a file, pasted, dropped, or edited, and what is said of it.
import {page} from "./shared.js"

const {state, editor, verdict, bench, text, keep, own} = page
const LARGEST = 2_000_000 // bytes
const LONGEST = 50_000 // letters; the longest job scripts have a third of that

/** The answer on a text that would keep the page busy for seconds; null on any other. */
page.tooLong = given =>
  given.length <= LONGEST
    ? null
    : {
        verdict: "not judged",
        findings: [
          {
            line: 1,
            kind: "not judged",
            cure: "",
            what: `it has ${given.length.toLocaleString("en")} letters; here up to ${LONGEST.toLocaleString("en")} are read.`,
          },
        ],
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
  if (cold) (globalThis.requestIdleCallback ?? setTimeout)(() => page.engine.found(system, SAMPLE))
  cold = false
}

/** The text is judged, and shown as it was judged; the edits that would mend it are tried after that. */
page.judge = (system, more) => {
  const given = text()
  if (!given.trim()) {
    editor.mark([])
    warm(system)
    return verdict.say(own() ? "Paste a script, or choose a file. Nothing of it leaves this page." : "")
  }
  const show = ({findings, ...rest}) => {
    const shown = findings.filter(({rule}) => own() || rule !== "account-sample") // the form's own
    editor.mark(shown)
    verdict.show(system, {findings: shown, ...rest}, more)
    return verdict.shown
  }
  const long = page.tooLong(given),
    answer = long ?? page.engine.found(system, given, state.file)
  const mine = show(answer)
  verdict.root.ariaBusy = String(!long)
  if (!long)
    setTimeout(() => {
      if (verdict.shown !== mine) return // something newer stands there
      show(page.engine.withFixes(system, given, answer))
      verdict.root.ariaBusy = "false"
    })
}

/** Makes the edit that cures a finding. */
page.mend = ({mend: {line, from, to, lines}}) => {
  const before = text().split("\n")
  if (lines) keep(lines.join("\n"))
  else {
    before[line - 1] = before[line - 1].replace(from, () => to)
    keep(before.join("\n"))
  }
  editor.show(page.plain(text()))
  state.edited()
  editor.field.focus()
}

/** Takes a file in place of the text. */
page.take = async file => {
  if (!file) return
  if (file.size > LARGEST) return verdict.say("This file is larger than any job script.")
  const taken = page.decoded(await file.arrayBuffer())
  if (state.mode === "write") await page.go({mode: "check"})
  Object.assign(state, {own: taken, file: file.name})
  page.show()
}

editor.field.addEventListener("paste", event => {
  // with the ends of lines that the clipboard has
  const {field} = editor,
    pasted = event.clipboardData.getData("text/plain")
  const all = field.selectionStart === 0 && field.selectionEnd === field.value.length
  if (!all || !own()) return
  event.preventDefault()
  keep(pasted)
  editor.show(page.plain(pasted))
  state.edited()
})
bench.addEventListener("dragover", event => {
  event.preventDefault()
  bench.classList.add("over")
})
for (const end of ["dragleave", "drop"]) bench.addEventListener(end, () => bench.classList.remove("over"))
bench.addEventListener("drop", event => {
  event.preventDefault()
  page.take(event.dataTransfer.files[0])
})
