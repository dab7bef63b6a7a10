// A script without some of its options.
import {PREFIX} from "./directives.js"

/**
 * @param {string} text @param {Kind} kind
 * @param {Option[]} options that go; a directive of which nothing is left becomes a comment
 * @returns {string} as many lines as before
 */
export function leaveOut(text, kind, options) {
  const lines = text.split("\n")
  const pieces = options.flatMap(option => option.pieces).sort((one, other) => other[0] - one[0] || other[1] - one[1])
  for (const [number, start, end] of pieces) {
    const line = lines[number - 1]
    const left = line.slice(0, start) + line.slice(end)
    lines[number - 1] = left.slice(PREFIX[kind].length).trim() ? left : "#"
  }
  return lines.join("\n")
}
