// What a reader must know of the GPUs of a moved job.
import {many, thousands} from "../script/units.js"
import {nodesOf} from "./nodes.js"
import * as place from "./place.js"

/** The GPU that takes the place of the old one. plan: UPDATED */
export function* tellGpu(to, need, plan, old, gpu) {
  const called = each => `${each.model}${each.slice ? " slice" : ""}`
  const maker = place.maker(gpu)
  const total = plan.per * plan.nodes
  const series = each => `${called(each).replace(/ (?:SXM|PCIe)\d*\b/, "")} with ${each.size}`
  if (need.unknownGpu) {
    plan.notes.gpu = `We do not know the old GPU, \`${need.unknownGpu}\`. The new one is an ${series(gpu)}.`
    return yield `${plan.notes.gpu} Check that its memory is enough, and that the time limit is, if the old one is faster.`
  }
  const said = [
    series(gpu) === series(old)
      ? `This requests the same GPU on ${to.name}, an ${series(gpu)}.`
      : `The GPU changes from an ${called(old)} with ${old.size} to an ${called(gpu)} with ${gpu.size}.`,
  ]
  if (gpu.memory !== null && gpu.memory < old.memory)
    yield {
      kind: "gpu",
      text: `${to.name} has no GPU with ${old.size}: its ${gpu.model} has ${gpu.size}. If your program needs more, reduce its batch or problem size, or divide it among more GPUs.`,
    }
  if (old.slice && !gpu.slice)
    said.push(`${to.name} has no MIG slice for this job, so you get a full GPU and pay for it.`)
  if (maker !== place.maker(old)) {
    const [language, others] = maker === "AMD" ? ["CUDA", "ROCm"] : ["HIP", "CUDA"]
    const frameworks = need.frameworks.length
      ? `, but ${need.frameworks.join(" and ")} ${need.frameworks.length > 1 ? "do" : "does"} if built for ${others}`
      : ""
    said.push(`This is an ${maker} GPU. Programs in ${language} do not run on it${frameworks}.`)
    yield {
      kind: "compiled",
      text: `Programs compiled for ${place.maker(old)} GPUs do not run on ${maker} GPUs. Rebuild them with ${maker === "AMD" ? "HIP" : "CUDA"}, or search for a module or container for ${maker} GPUs.`,
    }
  }
  if (total !== need.gpus) {
    const fixed = total < need.gpus ? `, and \`${need.batch}\` divides a fixed batch among its GPUs` : ""
    const why = `A job on ${to.name} gets ${gpu.counts.join(" or ")} GPUs per node${fixed}, so this one gets ${total} instead of ${need.gpus}.`
    const apart =
      gpu.counts.includes(1) && need.gpus < total
        ? ` If its parts are independent, submit ${need.gpus} jobs with one GPU each, which leave no GPU idle.`
        : ""
    const check = `Check how your program uses more GPUs${need.trains ? ", because its batch may become larger" : ""}.${apart}`
    const longer = "It may take longer. More GPUs work only if the batch is at least as large as their number."
    said.push(why)
    yield `${why} ${fixed ? longer : check}`
  }
  if (plan.nodes > need.nodes) {
    const most = place.perNode(to.move, plan.key)
    said.push(
      `A node has ${many(most, "GPU")}, so the job needs ${plan.nodes} nodes with ${many(plan.per, "GPU")} each.`,
    )
  }
  const least = Math.ceil((need.gpus * old.memory) / gpu.memory)
  let parts = Math.max(1, Math.min(need.gpus, Math.floor(need.gpus / least))) // each GPU has a whole number of them
  while (need.gpus % parts) parts--
  const enough = Math.max(least, need.gpus / parts)
  const fewer = enough <= total / 2 || Math.ceil(enough / place.perNode(to.move, plan.key)) < plan.nodes
  if (old.memory && enough < total && fewer && !gpu.counts.length)
    said.push(
      `${enough > 1 ? `Even ${enough} of these GPUs have` : "One of these GPUs has"} at least as much memory as ${need.gpus} of the old ones, so ${enough > 1 ? enough : "one"} may be enough.${need.pins ? ` Then let \`${need.pins}\` name only GPUs that the job has.` : ""}`,
    )
  yield* slower(need, [need.gpus, old], [total, gpu])
  if (need.implied)
    yield `The new script requests ${many(total, "GPU")}, because the nodes of \`${need.implied}\` have GPUs.`
  plan.notes.gpu = said.join(" ")
}

/** GPUs that compute much less than the old ones, or have slower memory: a job may not end in its time. @param {[number, any][]} sides */
function* slower(need, ...sides) {
  const [kind, words] = need.frameworks.length ? ["float16", "16-bit"] : ["float64", "double-precision"]
  const rates = of => sides.map(([number, gpu]) => number * gpu.rates[of])
  const lower = [kind, "memory"].find(of => rates(of)[0] >= 1.5 * rates(of)[1])
  if (!lower) return
  const [before, now] = rates(lower)
  const [had, has] = sides.map(([number]) => number)
  const rate = number => thousands(number < 10 ? Math.round(number * 10) / 10 : Math.round(number))
  const old = had > 1 ? `${had} old ones` : "one old GPU"
  const gpus = has > 1 ? `${has} new GPUs` : "one new GPU"
  const total = has > 1 ? " in total" : ""
  const [peaks, work] =
    lower === "memory"
      ? [
          `The memory of ${gpus} has a peak of ${rate(now)} TB/s${total}, and that of ${old} had ${rate(before)}.`,
          "reads and writes memory",
        ]
      : [
          `In ${words} arithmetic, ${gpus} ${has > 1 ? "have" : "has"} a peak of ${rate(now)} TFLOP/s${total}, and ${old} had ${rate(before)}.`,
          "computes in this precision",
        ]
  yield {
    kind: "gpu",
    text: `${peaks} A job that mainly ${work} may take up to ${rate(before / now)} times as long, so check its time limit.`,
  }
}

/** Where access to the partition is restricted: fewer GPUs that everybody gets, with the same batch. */
export function* tellOpen(there, need, plan) {
  const per = place.perNode(there, plan.key)
  for (let nodes = plan.nodes; nodes >= 1; nodes--) {
    const fewer = {...plan, nodes, per}
    const room = there.partitions.find(each => each.open && !each.trial && place.takes(there, each, fewer))
    if (!room || need.gpus % (nodes * per) || nodes * per >= need.gpus) continue
    const divided = need.parts.reduce((product, [, , size]) => product * Number(size), 1)
    const few =
      divided > nodes * per &&
      ` Then also change ${need.parts.map(([written]) => `\`${written}\``).join(" and ")}, because the model is divided among ${divided} GPUs.`
    const batch = need.trains
      ? ` To keep the batch, multiply the steps of gradient accumulation by ${need.gpus / (nodes * per)}.`
      : ""
    yield `Access to \`${plan.room.name}\` is restricted. Without access, use \`${room.name}\` with ${per} GPUs on ${nodes > 1 ? `each of ${nodesOf(nodes)}` : "one node"}, if their memory is enough.${few || batch}`
    return
  }
}
