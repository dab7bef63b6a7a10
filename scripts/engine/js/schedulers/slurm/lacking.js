// What a system requires and a script does not say.
import {nearest} from "../../script/text.js"
import {sbatchOptions} from "./option_table.js"

const REQUIRED = ["account", "time", "partition"]

const nears = new Map()

/** The option of sbatch that a misspelt one means; a script is judged many times. @param {string} name */
export function near(name) {
  if (!nears.has(name)) nears.set(name, nearest(name, sbatchOptions()))
  return nears.get(name)
}

/** What an option means, however it is spelled. */
export const meant = ({known, name, written}) => (known || !written.startsWith("--") ? name : near(name))

/** What the system requires and the options do not say, not even misspelt. @returns {string[]} */
export const lacking = ({rules}, options) =>
  REQUIRED.filter(name => rules[name] && !options.some(each => meant(each) === name && (each.value || !each.known)))
