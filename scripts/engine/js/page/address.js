// The page's address: its fragment holds the mode, the system and the form, so that a link brings
// another reader to the same script. It never holds an account or a reader's own text.
import {fragmentOf} from "../form/address.js"

const MODES = ["write", "check", "move", "explain"]
const LONGEST = 2000 // letters; what is longer was not made by this page

/** {mode, cluster, to, form}: only what exists; `form` is the rest, for fieldsOf in form/read_address.js. */
export function readAddress(systems) {
  const pairs = (location.hash.length > LONGEST ? "" : location.hash.slice(1)).split("&")
  const value = name => pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  const system = name => systems.find(({key}) => key === value(name))
  const cluster = system("cluster") ?? systems[0]
  const mode = MODES.find(mode => mode === value("mode")) ?? (cluster.running ? "write" : "move")
  const to = system("to") ?? systems.find(({key}) => key === cluster.after) ?? systems[0]
  const form = pairs.filter(pair => pair && !/^(mode|to)=/.test(pair)).join("&")
  return {mode, cluster: cluster.key, to: to.key, form}
}

/** The fragment of a state, as readAddress reads it. @param {Record<string, any>} state */
export const addressOf = ({mode, cluster, to, fields}) =>
  mode === "write"
    ? fragmentOf({...fields, cluster})
    : `mode=${mode}&cluster=${cluster}${mode === "move" ? `&to=${to}` : ""}`

// Material looks for an element of that id as soon as it starts, in words of a selector that a
// quote or a backslash would break.
if (/["\\]/.test(location.hash)) history.replaceState(null, "", location.pathname + location.search)
