// The script, to read and to edit: a plain text field over its own text in colours, with the
// numbers of the lines, and a bar at those of which something is said.
import {element} from "./element.js"

const COLOURED = 50_000 // letters; of a longer text the beginning is shown, without colours
const DIRECTIVE = /^(#SBATCH|#\$)(\s+)(\S+?)(=|\s+|$)(.*)$/

export function editorOf(label) {
  const behind = element("pre", {ariaHidden: "true"})
  const field = element("textarea", {
    spellcheck: false,
    autocomplete: "off",
    autocapitalize: "off",
    ariaLabel: label,
    rows: 1,
  })
  field.setAttribute("autocorrect", "off")
  field.setAttribute("wrap", "off")
  const root = element("div.own-editor", {}, element("div", {}, behind, field))
  let marks = new Map(),
    news = new Set() // lines that differ from another text

  const paint = () => {
    const text = field.value,
      long = text.length > COLOURED
    root.classList.toggle("long", long)
    if (long) return behind.replaceChildren()
    behind.replaceChildren(...text.split("\n").map((line, at) => lineOf(line, marks.get(at + 1), news.has(at + 1))))
  }
  field.addEventListener("input", () => {
    news = new Set()
    paint()
  })
  paint()
  return {
    field,
    root,
    show(text) {
      const long = (field.readOnly = text.length > COLOURED)
      const shown = long ? `${text.slice(0, COLOURED)}\n…` : text
      if (field.value !== shown) field.value = shown
      paint()
    },
    /** @param {Map<number, string>} [levels] the worst level of a finding on each line, as finding.js has them */
    mark(levels = new Map()) {
      marks = levels
      paint()
    },
    /** These lines are marked as changed, until the next edit; the first of them is seen where it has to be. */
    changed(lines, show = false) {
      news = new Set(lines)
      paint()
      if (show) behind.children[lines[0] - 1]?.scrollIntoView({block: "nearest"})
    },
    /** The line becomes the selection, and is seen. */
    select(line) {
      const lines = field.value.split("\n"),
        before = lines.slice(0, line - 1).join("\n").length
      const start = line > 1 ? before + 1 : 0
      field.focus()
      field.setSelectionRange(start, start + (lines[line - 1] ?? "").length)
      behind.children[line - 1]?.scrollIntoView({block: "nearest"})
    },
  }
}

/** A line in the colours of its parts. */
function coloured(line) {
  const found = DIRECTIVE.exec(line)
  if (!found) return [/^\s*#/.test(line) ? element("i", {}, line) : line]
  const [, prefix, space, option, sign, value] = found
  return [element("b", {}, prefix), space, element("u", {}, option), sign, element("s", {}, value)]
}

export const lineOf = (line, level = "plain", changed = false) =>
  element(`span.line.${level}${changed ? ".changed" : ""}`, {}, ...coloured(line), "\n")
