// A script as the file has it. A text field would lose the ends of its lines and whatever is no
// UTF-8, and both decide whether it runs.

/** The text of a file; a byte that is no UTF-8 becomes a lone surrogate, as Python has it. */
export function decoded(buffer) {
  const bytes = new Uint8Array(buffer)
  try {
    return new TextDecoder("utf-8", {ignoreBOM: true, fatal: true}).decode(bytes)
  } catch {
    return piecewise(bytes)
  }
}

// The first byte: how many follow it, and the least and the most that the next may be.
const kindOf = byte =>
  byte < 0x80
    ? [0]
    : byte < 0xc2 || byte > 0xf4
      ? null
      : byte < 0xe0
        ? [1, 0x80, 0xbf]
        : byte < 0xf0
          ? [2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf]
          : [3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf]

function piecewise(bytes) {
  const found = [],
    decoder = new TextDecoder("utf-8", {ignoreBOM: true})
  let from = 0 // what is right from here on is decoded at once
  for (let at = 0; at < bytes.length;) {
    const [more, least, most] = kindOf(bytes[at]) ?? [-1]
    const right =
      more === 0 ||
      (more > 0 &&
        bytes[at + 1] >= least &&
        bytes[at + 1] <= most &&
        bytes.subarray(at + 2, at + 1 + more).every(byte => byte >> 6 === 2) &&
        at + more < bytes.length)
    if (!right) {
      found.push(decoder.decode(bytes.subarray(from, at)), String.fromCharCode(0xdc00 + bytes[at]))
      from = at + 1
    }
    at += right ? more + 1 : 1
  }
  return found.join("") + decoder.decode(bytes.subarray(from))
}

/** The bytes that such a text stands for. */
export function encoded(text) {
  const bytes = new Uint8Array(text.length * 3),
    encoder = new TextEncoder()
  let length = 0
  for (const part of text.split(/(?<![\ud800-\udbff])([\udc80-\udcff])/)) {
    if (/^[\udc80-\udcff]$/.test(part)) bytes[length++] = part.charCodeAt(0) - 0xdc00
    else length += encoder.encodeInto(part, bytes.subarray(length)).written
  }
  return bytes.slice(0, length)
}

/** As a text field shows it: ends of lines are all alike, and what is no letter has a sign. */
export const plain = text =>
  text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "\u2400")
    .replace(/(?<![\ud800-\udbff])[\udc80-\udcff]/g, "\ufffd")

/** The edited text, with the bytes of those lines that stay as they were, and their ends. */
export function ended(before, edited) {
  const lines = before.split("\n"),
    shown = line => plain(line.replace(/\r$/, ""))
  const had = new Map(lines.map(line => [shown(line), line]))
  const windows = lines.length > 1 && lines.slice(0, -1).every(line => line.endsWith("\r"))
  return edited
    .split("\n")
    .map((line, place, all) => had.get(line) ?? (windows && place < all.length - 1 ? line + "\r" : line))
    .join("\n")
}
