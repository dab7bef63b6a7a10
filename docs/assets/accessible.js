// What Material's own script leaves undone for keyboards and screen readers.
// Without JavaScript nothing here is missed: the code has no buttons then, and labels open the menu and the search box.

// On narrow screens labels of hidden check boxes open the menu and the search box. Keys cannot reach those: put buttons in their place.
for (const [id, name] of [
  ["__drawer", "Menu"],
  ["__search", "Search"],
]) {
  const box = document.getElementById(id),
    label = document.querySelector(`.md-header__button[for=${id}]`)
  const button = document.createElement("button")
  button.type = "button"
  button.className = label.className
  button.ariaLabel = name
  button.ariaExpanded = "false"
  button.setAttribute("for", id) // Material's style sheet shows and hides it by this
  button.append(...label.childNodes)
  button.addEventListener("click", () => box.click())
  box.addEventListener("change", () => (button.ariaExpanded = String(box.checked)))
  label.replaceWith(button)
}

// The open menu takes the focus; Escape closes it and gives the focus back.
const drawer = document.getElementById("__drawer")
drawer.addEventListener("change", () => drawer.checked && document.querySelector(".md-sidebar--primary a").focus())
addEventListener("keydown", event => {
  if (event.key === "Escape" && drawer.checked) {
    drawer.click()
    document.querySelector(".md-header__button[for=__drawer]").focus()
  }
})

// Material's keys for the search put the focus into its box, which has to be open for that on a narrow screen; the key itself is not typed.
const searching = document.getElementById("__search")
addEventListener(
  "keydown",
  event => {
    const command = ["/", "s", "f"].includes(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey
    if (!command || searching.checked || event.target.closest("input, select, textarea")) return
    event.preventDefault()
    searching.click()
    document.querySelector(".md-search__input").focus()
  },
  true,
)

// A table that is wider than its place scrolls, and the keyboard must reach it to do so.
const scrolls = new ResizeObserver(entries =>
  entries.forEach(({target}) => {
    const wrap = target.closest(".md-typeset__scrollwrap")
    if (wrap.scrollWidth > wrap.clientWidth) wrap.tabIndex = 0
    else wrap.removeAttribute("tabindex")
  }),
)

// A page that a browser has saved still has its buttons, and would get each once more.
for (const old of document.querySelectorAll(".md-code__nav")) old.remove()

// Material puts each copy button into a <nav>: dozens of nameless landmarks on a page, which are no navigation.
const mend = () => {
  document.querySelectorAll("nav.md-code__nav:not([role])").forEach(nav => nav.setAttribute("role", "none"))
  document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset__table").forEach(part => scrolls.observe(part))
}
new MutationObserver(mend).observe(document.querySelector(".md-content"), {childList: true, subtree: true})
mend()
