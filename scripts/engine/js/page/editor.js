// The script, to read and to edit: a plain text field over its own text in colours, with the
// numbers of the lines, and a bar at those of which something is said.
import {element} from "./element.js"

const COLOURED = 50_000 // letters; of a longer text the beginning is shown, without colours
const DIRECTIVE = /^(#SBATCH|#\$)(\s+)(\S+?)(=|\s+|$)(.*)$/

/** @returns {{field, root, show(text), mark(findings), select(line)}} */
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
  let marks = new Map()

  const paint = () => {
    const text = field.value,
      long = text.length > COLOURED
    root.classList.toggle("long", long)
    if (long) return behind.replaceChildren()
    behind.replaceChildren(
      ...text
        .split("\n")
        .map((line, place) => element(`span.line.${marks.get(place + 1) ?? "plain"}`, {}, ...coloured(line), "\n")),
    )
  }
  field.addEventListener("input", paint)
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
    /** The worst kind of finding on each line. */
    mark(findings) {
      marks = new Map([...findings].reverse().map(({line, kind}) => [line, kind.replace(" ", "-")]))
      paint()
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

/** The same to read only: a listing in colours. */
export const listing = text =>
  element(
    "pre.own-listing",
    {tabIndex: 0},
    ...text.split("\n").map(line => element("span.line", {}, ...coloured(line), "\n")),
  )
