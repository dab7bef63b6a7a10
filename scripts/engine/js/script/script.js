// A script as the rules see it.
import {schedulerOf} from "../schedulers/registry.js"
import {PREFIX, live} from "./directives.js"
import {readScript} from "./read.js"

// First lines of scripts in other languages, which are read for directives and comments alone.
const OTHER_LANGUAGE = /^#!.*\b(t?csh|fish|python[\d.]*|perl|Rscript|julia|ruby|node|lua|expect|octave)\b/

/** The text with a sign in place of each byte that is not UTF-8, which a host hands over as a lone surrogate. */
const wellFormed = text => text.replace(/\p{Cs}/gu, "\ufffd")

/** The lines without their ends, a carriage return, or the byte-order mark. @param {string} text */
export const linesOf = text =>
  text
    .replace(/^\ufeff+/, "")
    .replaceAll("\r", "")
    .split("\n")

/** What bash reads of these lines; of another language the comments. @param {string[]} lines @returns {Shell} */
export function shellOf(lines) {
  if (!OTHER_LANGUAGE.test(lines[0])) return readScript(lines.join("\n"))
  /** @type {[number, string][]} */
  const comments = lines.flatMap((line, place) => (/^\s*#(?!!)/.test(line) ? [[place + 1, line]] : []))
  return {comments, commands: [], inner: [], error: null, documents: []}
}

/**
 * @param {string} given the file as it is, with its line ends and byte-order mark @param {Kind} kind
 */
export function scriptOf(given, kind) {
  const text = wellFormed(given)
  const lines = linesOf(text)
  const directives = live(lines, kind)
  const options = schedulerOf(kind).readOptions(lines.join("\n"))
  const shell = shellOf(lines)
  const read = new Set(directives.map(([line]) => line))
  const comments = shell.comments.filter(([line]) => !read.has(line))
  const isDirective = ([, words]) => words.startsWith(PREFIX[kind])
  const {commands} = shell
  return {
    kind,
    text,
    lines,
    directives,
    options,
    names: new Set(options.map(option => option.name)),
    commands,
    shell,
    comments: comments.filter(each => !isDirective(each)),
    lateComments: comments.filter(isDirective), // below the first command, where the scheduler does not look
    /** Does a command match? @param {RegExp} pattern */
    does: pattern => commands.some(command => pattern.test(command.text)),
  }
}
