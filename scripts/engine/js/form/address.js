// The form in an address: `cluster=kestrel&gpu=h100&gpus=2&time=4h`. No account, path or command ever stands in it.
import {FIELDS, MODEL} from "./request.js"

const SAFE = /^[\w.:%+, -]{0,60}$/
export const safe = (name, value) => (name === "model" ? MODEL : SAFE).test(value)

/** The fragment of an address, without its `#`; what is empty or unknown is left out. */
export const fragmentOf = fields =>
  Object.keys(FIELDS)
    .filter(name => fields[name] && safe(name, fields[name]))
    .map(name => `${name}=${encodeURIComponent(fields[name]).replaceAll("%3A", ":").replaceAll("%2F", "/")}`)
    .join("&")
