// Reads the form that an address holds, as address.js writes it.
import {systems} from "../data.js"
import {safe} from "./address.js"
import {FIELDS, plain} from "./request.js"

const LONGEST = 400

/**
 * Reads the fragment of an address, with or without its `#`.
 * @param {string} fragment
 * @param {string[]} keys of the systems that there are
 * @returns {{fields?: Record<string, string>, reason?: string}} one sentence about the first thing that is wrong
 */
export function fieldsOf(fragment, keys = Object.keys(systems ?? {})) {
  const text = fragment.replace(/^#/, ""),
    fields = {}
  if (text.length > LONGEST)
    return {reason: `This address is longer than ${LONGEST} characters, so it is not from this form.`}
  for (const part of text.split("&").filter(Boolean)) {
    const at = part.indexOf("="),
      name = at < 0 ? part : part.slice(0, at)
    if (!Object.hasOwn(FIELDS, name))
      return {reason: `The form has no field \`${plain(name)}\`. It has ${Object.keys(FIELDS).join(", ")}.`}
    if (at < 0) return {reason: `The field ${name} has no value. Write ${name}=… instead.`}
    if (name in fields) return {reason: `The field ${name} is set twice.`}
    const raw = part.slice(at + 1)
    // Typed by hand, `1-100%30` has 30 jobs at once; the form itself writes `%25` for its `%`.
    const value = name === "array" && /%(?!25\d)\d/.test(raw) ? raw : decoded(raw)
    if (value === null || !safe(name, value))
      return {reason: `\`${plain(part.slice(at + 1))}\` is not a value of the field ${name}.`}
    fields[name] = value
  }
  if (!fields.cluster) return {reason: "Name the system: cluster=kestrel."}
  if (!keys.includes(fields.cluster))
    return {reason: `There is no system \`${plain(fields.cluster)}\`. Choose from ${keys.join(", ")}.`}
  return {fields}
}
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
