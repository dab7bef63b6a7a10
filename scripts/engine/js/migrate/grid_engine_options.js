// Grid Engine's options in Slurm's words.
import {data} from "../data.js"
import {mebibytes} from "../schedulers/slurm/values.js"
import {OWN_DISK} from "./places.js"
import {requested} from "./request.js"

const MAIL = {b: "BEGIN", e: "END", a: "FAIL", s: "REQUEUE", n: "NONE"}
// Grid Engine's resources, by what they are about.
/** @type {[RegExp, string][]} */
const RESOURCES = [
  [/h_rt=/, "time"],
  [/h_vmem=/, "memory"],
  [/^np=/, "tasks"],
  [/^(nodes|ppn|tpp)=/, "nodes"],
  [/^disk=/, "tmp"],
  [/^/, "gpu"],
]

function roleInGridEngine({name, value}) {
  if (name === "l") return RESOURCES.find(([pattern]) => pattern.test(value))[1]
  if (name === "pe") return /ib/.test(value ?? "") ? "tasks" : "cores"
  return {t: "array", P: "account"}[name] ?? name
}

/** @param {System} from @param {System} to @param {Option[]} options */
export function fromGridEngine(from, to, need, plan, options) {
  const found = requested(to, need, plan, new Set(["cores"]))
  const given = name => options.findLast(option => option.name === name)
  const job = given("N")?.value
  const variables = text =>
    text
      .replace(/\$JOB_ID/g, need.array ? "%A" : "%j")
      .replace(/\$JOB_NAME/g, "%x")
      .replace(/\$TASK_ID/g, "%a")
  const named = text => variables(job && text.startsWith(`${job}.`) ? text.replace(`${job}.`, "%x.") : text)
  const together = options.some(({name, value}) => name === "j" && /^y/.test(value ?? "y"))
  /** Grid Engine creates a file in a directory; sbatch writes a file of that name. */
  const output = text => {
    if (!/\/$|(?:^|\/)[^./$]+$/.test(text) || text.startsWith("/dev/")) return named(text)
    return `${text.replace(/\/$/, "")}/%x-${need.array ? "%A-%a" : "%j"}`
  }
  const file = (option, ending) => value =>
    `--${option}=${output(value)}${/%[ja]$/.test(output(value)) && !/\$[JT]/.test(value) ? ending : ""}`
  const words = {
    N: value => `--job-name=${value}`,
    o: file("output", ".out"),
    e: file("error", ".err"),
    m: value => `--mail-type=${[...value].flatMap(sign => MAIL[sign] ?? []).join(",")}`,
    M: value => `--mail-user=${value}`,
    v: value => `--export=ALL,${value}`,
    hold_jid: value => `--dependency=afterany:${value.replace(/,/g, ":")}`,
  }
  for (const [name, becomes] of Object.entries(words)) {
    const option = given(name)
    const one = together || option?.value === given("o")?.value
    if (option && !(name === "e" && one)) found[name] = [[becomes(option.value ?? "")], ""]
  }
  if (found.o && !need.array && !/%|\/dev\//.test(found.o[0][0].replace(/%x/g, "")))
    found.o = [[...found.o[0], "--open-mode=append"], "Grid Engine appends to this file, but Slurm overwrites it."]
  const waits = given("hold_jid")?.value ?? ""
  if (waits && waits === job)
    found.hold_jid = [["--dependency=singleton"], "The job waits for those of the same name, one after another."]
  else if (/[^\d,]/.test(waits)) {
    // a job's name
    found.hold_jid = [[], "Slurm waits for job IDs, not for names."]
    const instead = "Move that job's script as well, and submit with: sbatch --dependency=afterany:JOB_ID"
    plan.impossible.push(`-hold_jid ${waits}: Slurm waits for job IDs. ${instead}`)
  }
  if (!given("cwd") && !given("wd"))
    plan.impossible.push(
      "Without `-cwd`, Grid Engine started the job in your home directory. `sbatch` starts it in the directory from which you submit it. To keep the old behavior, submit from your home directory.",
    )
  const tasks = plan.array ?? need.array
  const most = tasks?.includes("%") ? null : given("tc")?.value
  if (tasks) found.array = [[`--array=${tasks}${most ? `%${most}` : ""}`], plan.notes.array ?? ""]
  if (need.nodes === plan.nodes) found.nodes = [[`--nodes=${plan.nodes}`], ""]
  const asSaid = need.tasks && (!need.nodesGiven || need.nodes === plan.nodes)
  found.tasks ??= [[`--ntasks=${asSaid ? need.tasks : plan.tasksPerNode * plan.nodes}`], ""]
  if (need.tasks > 1 && !need.nodesGiven && !plan.spread && plan.nodes > 1) delete found.nodes // --mem is for each node
  const [, disk] = options.map(({value}) => /\bdisk=(\w+)/.exec(value ?? "")).find(Boolean) ?? []
  const own = to.move.places.some(([kind, , about]) => kind === OWN_DISK && !about.memory && !about.diskless)
  if (disk && plan.room.nodes.some(name => to.move.nodes[name].tmp >= mebibytes(disk)))
    found.tmp = [[`--tmp=${disk}`], "It requests local disk."]
  else if (own) found.tmp = [[], `On ${to.name}, the job has local disk without a request.`]
  const unmet = disk && !found.tmp
  for (const option of options) {
    const row = option.name === "e" ? "j" : option.name // both are about two files
    found[roleInGridEngine(option)] ??= [[], data.move.options[row] ?? "Slurm has no equivalent."]
    if (option.name !== "l") continue
    const say = text => plan.impossible.push(`\`-l ${option.value}\`: ${text}`)
    const features = Object.values(from.move.nodes).flatMap(node => node.features)
    const ofNodes = features.includes((option.value ?? "").split("=")[1]) // the cores and the memory choose nodes there
    if (!ofNodes && !/^(?:h_rt|h_vmem|nodes|np|ppn|tpp|disk|coproc)/.test(option.value ?? ""))
      say(
        `we know of nothing like it on ${to.name}. If you need it, search its pages for a partition or a --constraint.`,
      )
    if (/\bdisk=/.test(option.value) && unmet) say(`we know of no local disk for this job on ${to.name}.`)
    if (/\bdisk_out=/.test(option.value))
      say("Slurm copies no results. At the end of the script, copy them from the local disk.")
  }
  return {found, role: roleInGridEngine}
}
