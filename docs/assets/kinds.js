// On a system's page the parts with a script each share a place: the row of links above shows one of them at a time.
// What is not shown is found by the browser's search and by links, and printed; a browser that cannot do so shows all.
if ("onbeforematch" in document.body) {
  const links = [...document.querySelectorAll(".kinds a")]
  const parts = links.map(({hash}) => {
    const head = document.getElementById(hash.slice(1)),
      part = document.createElement("div")
    if (head.parentElement.dataset.kind) return head.parentElement // of a page that a browser has saved
    part.dataset.kind = head.id
    head.before(part)
    part.append(head)
    while (part.nextElementSibling && part.nextElementSibling.tagName !== "H2") part.append(part.nextElementSibling)
    return part
  })
  const show = chosen =>
    parts.forEach((part, at) => {
      links[at].ariaCurrent = part === chosen ? "true" : null
      if (part === chosen) part.removeAttribute("hidden")
      else part.setAttribute("hidden", "until-found")
    })
  const arrive = () => {
    if (!location.hash) return show(parts[0])
    const wanted = document.getElementById(location.hash.slice(1))
    const part = wanted && parts.find(each => each.contains(wanted))
    if (!part) return
    show(part)
    wanted.scrollIntoView()
  }
  parts.forEach((part, at) => {
    part.addEventListener("beforematch", () => show(part))
    links[at].addEventListener("click", event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault() // the row stays where it is
      history.pushState(null, "", links[at].hash)
      show(part)
    })
  })
  addEventListener("hashchange", arrive)
  show(parts[0])
  arrive()
}
