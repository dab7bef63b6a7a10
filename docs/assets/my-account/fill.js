// Puts the reader's values into the scripts and commands of a page, and takes them out again. Text only, never HTML.
;(own => {
  const literal = text => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")

  /** [pattern, value] of a system, the longest first. */
  function rules(key) {
    const {account, environment, places} = own.systems[key],
      values = own.values[key] ?? {}
    const found = []
    const word = text => `(?<![A-Za-z0-9_-])${literal(text)}(?![A-Za-z0-9_-])`
    if (environment && values.environment) found.push([word(environment), values.environment])
    if (account && values.account) {
      found.push([word(account), values.account])
      for (const place of places) found.push([literal(place), values.account])
    }
    if (values.user) found.push(["<user>", values.user])
    return found
  }

  /** Where a system's values go in a text: [from, to, value], in their order. */
  function found(text, key) {
    const places = []
    for (const [pattern, value] of rules(key))
      for (const match of text.matchAll(RegExp(pattern, "g"))) {
        const [from, to] = [match.index, match.index + match[0].length]
        if (!places.some(([start, end]) => from < end && start < to)) places.push([from, to, value])
      }
    return places.sort((a, b) => a[0] - b[0])
  }

  /** @returns the text with a system's values in it */
  own.filled = (text, key) => {
    let filled = "",
      at = 0
    for (const [from, to, value] of own.systems[key] ? found(text, key) : []) {
      filled += text.slice(at, from) + value
      at = to
    }
    return filled + text.slice(at)
  }

  /** The system that a page is about. */
  own.ofPage = () => {
    const name = location.pathname
      .split("/")
      .at(-1)
      .replace(/\.html$/, "")
    return /\/clusters\/[^/]*$/.test(location.pathname) && Object.hasOwn(own.systems, name) ? name : null
  }

  /** The system that a piece of code is for: of the page, of the host it names. */
  function systemOf(code) {
    if (own.ofPage()) return own.ofPage()
    const keys = Object.keys(own.values)
    const hosted = keys.find(key => own.systems[key].hosts.some(host => code.textContent.includes(host)))
    if (hosted) return hosted
    const same = keys.filter(
      key =>
        found(code.textContent, key).length &&
        own.systems[key].account &&
        code.textContent.includes(own.systems[key].account),
    )
    const filled = new Set(same.map(key => own.filled(code.textContent, key)))
    return filled.size === 1 ? same[0] : null
  }

  function put(code, [from, to, value]) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    let at = 0,
      mark = null
    const nodes = []
    while (walker.nextNode()) nodes.push(walker.currentNode)
    for (const node of nodes) {
      const length = node.data.length,
        start = Math.max(from - at, 0),
        end = Math.min(to - at, length)
      at += length
      if (start >= end) continue
      const was = node.data.slice(start, end)
      const piece = node.splitText(start)
      piece.splitText(end - start)
      const filled = own.make("mark", {className: "my-account", "data-was": was}, mark ? "" : value)
      mark ??= filled
      piece.replaceWith(filled)
    }
  }

  /** Take all values out of the page. */
  own.clear = () => {
    for (const mark of document.querySelectorAll("mark.my-account")) {
      const parent = mark.parentNode
      mark.replaceWith(mark.dataset.was)
      parent.normalize()
    }
  }

  /** Put the values into the page. @returns the number of places */
  own.show = () => {
    own.clear()
    let places = 0
    for (const code of document.querySelectorAll("article code")) {
      if (code.closest("[class^=own-], [class*=' own-']")) continue // a reader's own script: they say what stands there
      const key = systemOf(code)
      if (!key || code.textContent === own.systems[key].account) continue
      const all = found(code.textContent, key)
      for (const place of all.reverse()) put(code, place)
      places += all.length
    }
    return places
  }

  // Paper is for others, too.
  addEventListener("beforeprint", own.clear)
  addEventListener("afterprint", own.show)

  function give(name, text) {
    const address = URL.createObjectURL(new Blob([text], {type: "text/x-shellscript"}))
    own.make("a", {href: address, download: name}).click()
    setTimeout(() => URL.revokeObjectURL(address), 1000)
  }

  // A script that is downloaded wears them: that above the link, since a folder's pages may not read its files.
  addEventListener("click", event => {
    const link = event.target.closest?.("a[href]")
    if (!link) return
    const [, key, name] = /\/snippets\/(\w+)\/([\w.-]+\.sh)$/.exec(link.href) ?? []
    if (!own.values[key] || event.ctrlKey || event.metaKey) return
    const above = link.closest(".evidence")?.previousElementSibling
    const shown = above?.querySelector(".filename")?.textContent === name && above.querySelector("code")
    if (!shown && location.protocol === "file:") return
    event.preventDefault()
    if (shown) give(name, own.filled(shown.textContent, key))
    else
      fetch(link.href)
        .then(answer => answer.text())
        .then(text => give(name, own.filled(text, key)))
        .catch(() => location.assign(link.href))
  })
})(globalThis.myAccount)
