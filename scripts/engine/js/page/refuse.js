// What the form says where it cannot write a script.
import {fieldsOf as read} from "../form/read_address.js"
import {FIELDS} from "../form/request.js"
import {editor, verdict} from "./bench.js"
import {state, systems} from "./state.js"

const keys = systems.map(({key}) => key)
/** The form that an address holds. It may name any system, also one that is not loaded. */
export const fieldsOf = fragment => read(fragment, keys)

/** The script stays as it was; what is asked for cannot be had. */
export function refuse({faults = []}, stale) {
  editor.mark()
  if (state.wrong) return verdict.say(`${state.wrong} The form shows the defaults.`, "refused")
  const reasons = faults.map(({field, reason}) => `${FIELDS[field] ?? field}: ${reason}`).join(" ")
  verdict.say(stale ? `The script is not updated, because this job is not possible. ${reasons}` : reasons, "refused")
}
