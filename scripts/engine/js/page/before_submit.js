// Below the form's script: what must be there before its job can run.
import {main} from "./bench.js"
import {element, words} from "./element.js"
import {state} from "./state.js"

const list = element("ul")
const box = element("div", {}, element("strong", {}, "Before you submit"), list)
const code = text => element("code", {}, text)
const link = (href, inside) => element("a", {href}, inside)

/** The last part of the page, until it shows another mode. */
export function showBeforeSubmit({name, move}) {
  const {written} = state
  const files = [...new Set(written.match(/\b\w+\.py\b/g))]
  const programs = files.flatMap(file => [", ", link(`snippets/programs/${file}`, code(file))]).slice(1)
  const image = /\spytorch\.sif\s/.test(written)
  const made = image ? "pytorch.sif" : /(?:\bPATH="|^python=)(\S+)\/bin\b/m.exec(written)?.[1]
  const how = made?.endsWith("/everything")
    ? link("learn/everything.html", "Install all packages for this guide")
    : link(`learn/install-software.html${image ? "#containers" : ""}`, "Install PyTorch and other software")
  const from = move.submit[/^#SBATCH --(?:gres|gpus)/m.test(written) ? "gpu" : "cpu"]
  const items = [
    files[0] && ["Save the sample programs in the job's directory: ", ...programs],
    made && ["Create ", code(made), ": ", how],
    words(`${from ? `S${from.slice(1)}. Then` : `On a login node of ${name},`} run \`sbatch job.sh\``),
  ]
  list.replaceChildren(...items.filter(Boolean).map(inside => element("li", {}, ...inside)))
  main.append(box)
}
