// What no facts can know: a scheduler that is set up from the facts is not asked about it.

// Option -> what is not known of it, and how to ask the cluster itself.
const ASK = {
  constraint: ["which features nodes have", 'sinfo -o "%P %f"'],
  prefer: ["which features nodes have", 'sinfo -o "%P %f"'],
  licenses: ["which licenses exist", "scontrol show licenses"],
  reservation: ["which reservations exist, and for whom", "scontrol show reservation"],
  dependency: ["which jobs you have", "squeue --me"],
  qos: ["which QOS you have", "sacctmgr show assoc user=$USER format=account,qos"],
  nodelist: ["the names of nodes", "sinfo -N"],
  exclude: ["the names of nodes", "sinfo -N"],
  nodefile: ["the contents of the node file", "sinfo -N"],
  clusters: ["which other clusters exist", "sacctmgr show clusters"],
  bb: ["which burst buffers exist", "scontrol show burstbuffer"],
  bbf: ["which burst buffers exist", "scontrol show burstbuffer"],
  "export-file": ["the contents of the variable file", ""],
  argos: ["which options site plugins accept", "sbatch --help"],
}
const DEPENDENCY = /^(singleton|(after\w*|expand):\d+[\d_+:*]*)([,?](singleton|(after\w*|expand):\d+[\d_+:*]*))*$/

/** @type {BatchScheduler["beyondFacts"]} */
export function beyondFacts(system, {name, value, known}) {
  if (!Object.hasOwn(ASK, name) || !value || !known) return null
  if (name === "constraint" || name === "prefer") {
    const there = Object.values(system.nodes).flatMap(node => node.features ?? [])
    if ((value.match(/[A-Za-z_][\w.-]*/g) ?? []).every(word => there.includes(word))) return null
  }
  if (name === "qos" && Object.hasOwn(system.rules.qos ?? {}, value)) return null
  if (name === "dependency" && (!DEPENDENCY.test(value) || value === "singleton")) return null
  const [what, command] = ASK[name]
  return {what, command}
}
