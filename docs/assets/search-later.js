// Only readers who search pay for it: the index, and the script that ranks, wait until somebody is about to search.
{
  const folder = document.currentScript.src
  const asked = new URLSearchParams(location.search).has("q") // a page opened with a query needs both at once
  const wanted = asked
    ? Promise.resolve()
    : new Promise(resolve => {
        for (const event of ["focusin", "change", "pointerover"])
          addEventListener(event, ({target}) => target.closest?.(".md-search, #__search, [for=__search]") && resolve())
      })
  const ranking = wanted.then(
    () =>
      new Promise((resolve, reject) => {
        const script = document.createElement("script")
        Object.assign(script, {src: new URL("search.js", folder).href, onload: resolve, onerror: reject})
        document.head.append(script)
      }),
  )

  // Material fetches the index on every page.
  const {open, send} = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    this.waits = String(url).endsWith("/search/search_index.json")
    return open.call(this, method, url, ...rest)
  }
  XMLHttpRequest.prototype.send = function (body) {
    if (this.waits) wanted.then(() => send.call(this, body))
    else send.call(this, body)
  }

  // This takes the place of Material's worker, whose ranking has no settings that do as well. It runs in the page:
  // browsers start no worker for a page opened as a file, and a question takes milliseconds.
  const [SETUP, READY, , RESULT] = [0, 1, 2, 3]
  window.Worker = class extends EventTarget {
    async postMessage({type, data}) {
      await ranking
      await new Promise(resolve => setTimeout(resolve)) // the browser shows the typed letter first
      if (type === SETUP) this.search = new window.GuideSearch(data.docs)
      const answer = type === SETUP ? {type: READY} : {type: RESULT, data: {items: this.search.answer(data)}}
      this.dispatchEvent(new MessageEvent("message", {data: answer}))
    }
  }
}
