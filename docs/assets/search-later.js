// Material fetches the whole search index on every page. Let that request wait until somebody is about to search.
{
  const { open, send } = XMLHttpRequest.prototype
  const parameters = new URLSearchParams(location.search)  // a page opened from a result (h) or with a query (q) needs the index at once
  const wanted = parameters.has("h") || parameters.has("q") ? Promise.resolve() : new Promise(resolve => {
    for (const event of ["focusin", "change", "pointerover"])
      addEventListener(event, ({ target }) => target.closest?.(".md-search, #__search, [for=__search]") && resolve())
  })
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    this.waits = String(url).endsWith("/search/search_index.json")
    return open.call(this, method, url, ...rest)
  }
  XMLHttpRequest.prototype.send = function (body) {
    if (this.waits) wanted.then(() => send.call(this, body))
    else send.call(this, body)
  }
}
