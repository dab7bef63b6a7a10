// Edits for advice, where its cure is one: by the name of the finding.
import {compiledFor} from "../script/architecture.js"
import {withoutCommand, withoutOption} from "./edits.js"

/** A word of a command line, as it stands there, with its version if it has one. */
const word = text => RegExp(`(?<=\\s)${text.replace(/[.+]/g, "\\$&")}(?:/[^\\s;&|]+)?(?=[\\s;&|]|$)`)
const written = ({finding}) => /^(?:Write|Load|Remove) (\S+)\.$/.exec(finding.cure)?.[1]

/** @type {Record<string, Fix>} */
export const ofAdvice = {
  "memory-left-out": withoutOption,
  "partition-left-out": withoutOption,
  "account-ending": bench => bench.value(written(bench)),
  "ends-early": withoutCommand,
  "container-option": ({finding, swap}) => (finding.cure === "Remove --rocm." ? swap(/\s--rocm\b/, "") : null),
  "compiled-for-another-gpu"(bench) {
    const [major, minor] = /compute capability (\d+)\.(\d+)/.exec(bench.finding.what)?.slice(1).map(Number) ?? []
    const line = major && compiledFor(bench.line, [major, minor])
    return line ? bench.to(line) : null
  },
  "no-login-shell": ({lines}) => lines.with(0, "#!/bin/bash -l"),
  "module-renamed"(bench) {
    const old = / module (\S+?)(?: on | since |\.$)/.exec(bench.finding.what)?.[1]
    return old && bench.finding.kind === "unwise" ? bench.swap(word(old.split("/")[0]), written(bench)) : null
  },
  "module-cuda-beside"(bench) {
    const rest = bench.line.replace(word(written(bench).split("/")[0]), "").trimEnd()
    return /^\s*(module\s+(load|add)|ml)$/.test(rest) ? bench.out() : bench.to(rest)
  },
}
