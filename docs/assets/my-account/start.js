// My account, on every page: its button. All else is loaded when values are stored or the button is pressed.
;(() => {
  const folder = new URL(".", document.currentScript.src).href
  const make = (name, given, ...inside) => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(given))
      if (key in element) element[key] = value
      else element.setAttribute(key, value)
    element.append(...inside)
    return element
  }
  const own = (globalThis.myAccount = {key: "my-account", make})
  const one = name =>
    new Promise((onload, onerror) =>
      document.head.append(make("script", {src: `${folder}${name}.js`, onload, onerror})),
    )
  own.load = () =>
    (own.loading ??= (async () => {
      document.head.append(make("link", {rel: "stylesheet", href: `${folder}my-account.css`}))
      for (const name of ["data", "values", "fill", "panel"]) await one(name)
      own.show()
      dispatchEvent(new Event("my-account")) // a script that is written here says whose account it will have
    })())
  const place = document.querySelector(".md-header__inner .md-search")
  if (!place) return
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  icon.setAttribute("viewBox", "0 0 24 24")
  const path = document.createElementNS(icon.namespaceURI, "path")
  path.setAttribute("d", "M4 20v-4L15 5l4 4L8 20z")
  icon.append(path)
  for (const old of document.querySelectorAll(".my-account-open, .my-account-panel")) old.remove() // of a saved page
  const button = make(
    "button",
    {
      type: "button",
      className: "md-header__button md-icon my-account-open",
      title: "My account",
      ariaHasPopup: "dialog",
    },
    icon,
    make("span", {}, "My account"),
  )
  button.ariaLabel = "My account"
  button.addEventListener("click", () => own.load().then(() => own.open()))
  place.before(button)
  const stored = () => localStorage.getItem(own.key) && own.load()
  stored()
  for (const name of ["storage", "pageshow"]) addEventListener(name, stored) // another tab may be the first to store them
})()
