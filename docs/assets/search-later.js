// Material fetches the whole search index on every page. Let that request wait until somebody is about to search.
{
  const {open, send} = XMLHttpRequest.prototype
  const asked = new URLSearchParams(location.search).has("q") // a page opened with a query needs the index at once
  const wanted = asked
    ? Promise.resolve()
    : new Promise(resolve => {
        for (const event of ["focusin", "change", "pointerover"])
          addEventListener(event, ({target}) => target.closest?.(".md-search, #__search, [for=__search]") && resolve())
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
