// What jobs may only read there: what the script writes into such a place goes to another, or it is said.
import {writes} from "../advice/body.js"
import {readScript} from "../script/read.js"
import {expander} from "../script/variables.js"
import {escaped} from "./leftovers.js"
import {HOME} from "./places.js"

const ELSEWHERE = /^(?:~|\$HOME)\/(?:links\/)?(?:scratch|nearline)\b/ // links in the home
const READS = /\$\((?:cat|<|head|tail|ls|find)\s[^()]*\)/g
const BELOW = /(?:\/projects?|^\$(?!HOME\b)\w+)\/[^/]+\/[^/]+/ // a variable stands for the directory above

/**
 * @param {System} from @param {System} to @param {any} places as placesOf has them @param {Set<string>} said UPDATED
 */
export function readOnlyOf(from, to, {there, scratch}, said) {
  const also = kind => from.move.places.some(each => each[0] === kind && each[2].readonly)
  const closed = there.filter(([kind, , about]) => about.readonly && scratch && !also(kind))

  /** What the job writes where it cannot goes to where it can; what it may write there is said. found: UPDATED */
  function writable(found) {
    if (!closed.length) return
    const {commands} = readScript(found.map(each => each.text ?? "").join("\n"))
    const expand = expander(commands)
    const plain = word =>
      expand(word)
        .replace(/^~(?=\/|$)/, "$HOME")
        .replace(/\$\{(\w+)\}/g, "$$$1")
        .replace(/\/$/, "")
    const roots = new Set()
    let at = ""
    for (const command of commands) {
      if (command.name === "cd" && !command.fn) at = plain(command.words[1] ?? "$HOME")
      for (const word of writes(command, false, at || ".")) {
        const path = /^[\w.]/.test(word) ? at : plain(word)
        if (closed.some(([, place]) => path.startsWith(`${place}/`)) && !ELSEWHERE.test(path))
          roots.add(path === at || /\/projects?\//.test(path) ? path : path.split("/").slice(0, 2).join("/"))
      }
    }
    /** How the script writes this path. */
    function patternOf(root) {
      const [, name, rest] = /^\$(\w+)(.*)/.exec(root)
      return RegExp(`(?:${name === "HOME" ? "~|" : ""}\\$${name}|\\$\\{${name}\\})${escaped(rest)}(?![\\w.-])`, "g")
    }
    const inside = root => [...roots].some(other => root.startsWith(`${other}/`)) // written with it
    for (let root of [...roots].filter(root => !inside(root))) {
      while (!found.some(({text}) => text?.match(patternOf(root))) && BELOW.test(root))
        root = root.replace(/\/[^/]*$/, "")
      const [pattern, rest] = [patternOf(root), root.replace(/^\$\w+/, "")]
      const now = scratch[1] + rest.replace(/^\/(?:links\/)?projects?(?=\/)/, "")
      for (const each of found.filter(({text}) => text?.match(pattern))) {
        each.text = each.text.replace(pattern, () => now)
        const left = each.text.includes(/^\$\w+/.exec(root)?.[0] ?? root) // other paths of this place
        const reason = left
          ? each.reason
          : each.reason.replace(/A project's (?:data has|files have) this path on \S+\.\s?/, "")
        each.reason = `${reason} Jobs can only read \`${root}\`.`.trim()
        const kept = /cache/i.test(root)
          ? ""
          : ` After the job, copy the results that you want to keep to \`${root}\`, on a login node.`
        said.add(
          `Jobs on ${to.name} can only read \`${root}\`, so it becomes \`${now}\`. ${/\.\w+$/.test(now) ? "First copy what the job reads." : "First create the directory, and copy what the job reads there."}${kept}`,
        )
      }
    }
    for (const each of found) readOnly(each.text ?? "")
    // docs.alliancecan.ca/wiki/MATLAB, "Simultaneous parallel MATLAB jobs"
    const text = found.map(each => each.text ?? "").join("\n")
    if (
      closed.some(([kind]) => kind === HOME) &&
      /\bmatlab\b.*\bpar(?:pool|cluster)\b/s.test(text) &&
      !/JobStorage/.test(text)
    )
      said.add(
        `A pool of MATLAB stores files in \`~/.matlab\`, which jobs on ${to.name} can only read. Write \`c = parcluster('local'); c.JobStorageLocation = getenv('SLURM_TMPDIR');\` before \`parpool\`, and start the pool with \`parpool(c)\`.`,
      )
  }

  /** Names what a job may write where it cannot. */
  function readOnly(line) {
    if (/^\s*(?:#|source\b|\.\s|module\b|conda\b)|PATH=/.test(line)) return
    const text = /^\s*(?:cp|rsync|tar|unzip|ls|cat)\b/.test(line)
      ? (line.match(/\S+\s*$/)?.[0] ?? "")
      : line.replace(READS, "")
    for (const [kind, path] of closed) {
      const names = kind === HOME ? "(?:~|\\$HOME|\\$\\{HOME\\})" : escaped(path)
      const isRead = /\/bin\/[^/]*$|\.(?:exe|x|py|R|jl|m|sh|sif|jar)$/
      for (const [found] of text.matchAll(RegExp(`${names}(?=[/"'\\s])[^\\s"';|):,]*(?::\\S*?:ro\\b)?`, "g")))
        if (!found.endsWith(":ro") && !ELSEWHERE.test(found.replace(/\{|\}/g, "")) && !isRead.test(found))
          said.add(`Jobs on ${to.name} can only read \`${found}\`. If this job writes there, use ${scratch[1]}.`)
    }
  }
  return {readOnly, writable}
}
