// A script as the file has it. A text field would lose the ends of its lines and whatever is no
// UTF-8, and both decide whether it runs.
;(page => {
  /** The text of a file; a byte that is no UTF-8 becomes a lone surrogate, as Python has it. */
  page.decoded = buffer => {
    const bytes = new Uint8Array(buffer), keep = {ignoreBOM: true}
    try {
      return new TextDecoder("utf-8", {...keep, fatal: true}).decode(bytes)
    } catch {
      return piecewise(bytes, new TextDecoder("utf-8", {...keep, fatal: true}))
    }
  }

  function piecewise(bytes, strict) {
    const found = []
    for (let at = 0; at < bytes.length;) {
      const length = [1, 2, 3, 4].find(size => {
        try {
          return strict.decode(bytes.subarray(at, at + size))
        } catch {
          return false
        }
      })
      found.push(length ? strict.decode(bytes.subarray(at, at + length))
        : String.fromCharCode(0xdc00 + bytes[at]))
      at += length ?? 1
    }
    return found.join("")
  }

  /** The bytes that such a text stands for. */
  page.encoded = text => new Blob(text.split(/([\udc80-\udcff])/).map((part, place) =>
    place % 2 && !/[\ud800-\udbff]$/.test(part) ? Uint8Array.of(part.charCodeAt(0) - 0xdc00) : part))

  /** As a text field shows it: the ends of lines are all alike. */
  page.plain = text => text.replace(/\r\n?/g, "\n")

  /** The edited text, with the ends of lines that the whole had before: those of lines that stay. */
  page.ended = (before, edited) => {
    const ended = new Set(before.split("\n").filter(line => line.endsWith("\r")))
    if (!ended.size) return edited
    const all = ended.size === new Set(before.split("\n").filter(line => line)).size
    return edited.split("\n").map((line, place, lines) =>
      ended.has(line + "\r") || all && place < lines.length - 1 ? line + "\r" : line).join("\n")
  }
})(globalThis.jobscriptPage ??= {})
