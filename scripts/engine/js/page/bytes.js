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

// What is right UTF-8, where each letter stands for a byte; any other byte is alone.
const LETTER = [
  "[\\0-\\x7f]|[\\xc2-\\xdf][\\x80-\\xbf]", // of one byte, or two
  "\\xe0[\\xa0-\\xbf][\\x80-\\xbf]|\\xed[\\x80-\\x9f][\\x80-\\xbf]|[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}",
  "\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}|[\\xf1-\\xf3][\\x80-\\xbf]{3}|\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}",
].join("|")
const PIECES = new RegExp(`(?:${LETTER})+|[\\x80-\\xff]`, "g")

function piecewise(bytes) {
  const decoder = new TextDecoder("utf-8", {ignoreBOM: true})
  const letters = Array.from(bytes, byte => String.fromCharCode(byte)).join("")
  return letters.replace(PIECES, (piece, at) =>
    piece.length === 1 && bytes[at] > 0x7f
      ? String.fromCharCode(0xdc00 + bytes[at])
      : decoder.decode(bytes.subarray(at, at + piece.length)),
  )
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

/** The lines of a text, from 1, that another text has not. */
export function differing(text, other) {
  const there = new Set(other.split("\n"))
  return text.split("\n").flatMap((line, at) => (there.has(line) ? [] : at + 1))
}
