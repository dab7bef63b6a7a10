// Loops that wait for a file of a server in the background, without an end where the server does not start.
import {quoted} from "./amounts.js"
import {program} from "../script/payload.js"
import {readScript} from "../script/read.js"

const FILE = /(?:^|\s)-[efsS]\s/
const ENDS = /^(?:break|exit|return|kill|timeout)$/

/** @param {System} to @param {string[]} lines of the moved script @returns {Generator<string>} what is said of the first one */
export function* waitsOf(to, lines) {
  const {commands} = readScript(lines.join("\n"))
  const bounded = loop =>
    commands.some(
      ({name, text, loops}) =>
        loops.some(each => each.line === loop.line) && (ENDS.test(name) || /\(\(|\s-[gl][te]\s|\bkill\b/.test(text)),
    )
  for (const [at, {condition, loops, fn, text, line}] of commands.entries()) {
    const loop = loops.at(-1)
    if (fn || !condition || !/^(?:while|until)$/.test(loop?.kind ?? "") || !FILE.test(text)) continue
    const server = commands.slice(0, at).findLast(({background, loops}) => background && !loops.length)
    if (!server || bounded(loop)) continue
    return yield `${quoted(lines[line - 1])} waits until the time limit if \`${program(server)}\` does not start on ${to.name}. In the loop, write \`kill -0 $! || exit 1\`, which ends the job.`
  }
}
