// Browsers start no worker for a page that lies in a folder. Then the search's worker runs in a hidden frame instead, which looks the same
// to the theme's script. No inline script is needed for it, so the page's Content-Security-Policy stays strict.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const worker = new URL(url, location)
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = this.inside = frame.contentWindow
      inside.document.open()  // some browsers replace an empty frame's document later; this keeps it
      inside.document.write("<body></body>")
      inside.document.close()
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      const load = address => new Promise((resolve, reject) => {
        const script = inside.document.createElement("script")
        script.onload = resolve
        script.onerror = () => reject(new Error(`${address} is missing from this folder`))
        script.src = address
        inside.document.body.append(script)
      })
      inside.importScripts = (...addresses) => addresses.reduce((before, address) => before.then(() => load(new URL(address, worker))), Promise.resolve())
      this.ready = load(worker)
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.inside.frameElement.remove()
    }
  }
}
