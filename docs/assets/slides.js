// The slides of a notebook: the keys of a presenter, and the colors that the reader has chosen on the guide's pages.
// Without this script the page scrolls, and its links lead from slide to slide.
let chosen
try {
  chosen = JSON.parse(localStorage.getItem(`${new URL("..", location).pathname}.__palette`))?.color?.scheme
} catch {} // a browser may keep nothing for a file
document.body.dataset.mdColorScheme =
  chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "slate" : "default")

const STEP = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1}

addEventListener("keydown", event => {
  const step = STEP[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const slides = [...document.querySelectorAll("main > section")] // a slide may hold a section, for its footnotes
  const at = Math.max(
    0,
    slides.findIndex(slide => slide.getBoundingClientRect().bottom > innerHeight / 2),
  )
  const {top, bottom} = slides[at].getBoundingClientRect()
  const hidden = step > 0 ? bottom - innerHeight : -top // px of this slide that are still to be seen
  if (hidden > 2) scrollBy(0, step * Math.min(hidden, innerHeight * 0.85))
  else if (slides[at + step]) location.replace(`#${slides[at + step].id}`) // moves the focus, too
})
