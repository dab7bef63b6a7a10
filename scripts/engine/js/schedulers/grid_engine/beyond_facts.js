// What no facts can know: a scheduler that is set up from the facts is not asked about it.

// Option -> what is not known of it, and how to ask the cluster itself.
const ASK = {
  P: ["which projects you have", "qconf -sprjl"],
  hold_jid: ["which jobs you have", "qstat"],
  hold_jid_ad: ["which jobs you have", "qstat"],
  ar: ["which reservations exist", "qrstat"],
}

/** @type {BatchScheduler["beyondFacts"]} */
export function beyondFacts(_system, {name, value, known}) {
  if (!Object.hasOwn(ASK, name) || !value || !known) return null
  const [what, command] = ASK[name]
  return {what, command}
}
