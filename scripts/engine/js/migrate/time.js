// The time of a moved job: its limit there, several jobs for a longer one, and an array with fewer jobs.
import {arrayTasks} from "../schedulers/slurm/quantities.js"
import {timeWords} from "../script/units.js"
import {limitOn, longestTime} from "./place.js"

/** Minutes of a job that names none. */
export function usualTime(move, need) {
  const room = move.partitions.find(each => each.name === need.partition)
  const most = room ? longestTime(move, room) : Infinity
  return most < Infinity ? most : null
}

/** plan: UPDATED. endless: the job had no limit */
export function giveTime(to, need, plan, endless) {
  const shortest = limitOn(to.move, plan.room, plan, "minutes", "at_least").value
  const most = longestTime(to.move, plan.room, plan)
  if (endless) {
    plan.minutes = most < Infinity ? most : 1440
    plan.notes.time = `The job had no time limit, and now has ${timeWords(plan.minutes)}.`
    plan.impossible.push(`${plan.notes.time} Change --time to what the job needs.`)
  }
  if (plan.minutes > most) chain(to, need, plan, most)
  else if (plan.minutes < shortest) {
    plan.minutes = shortest
    plan.notes.time = `The minimum time limit on ${to.name} is ${timeWords(shortest)}.`
  }
  cutArray(to, need, plan)
}

/** Longer than any job there: several after each other. */
function chain(to, need, plan, most) {
  const number = Math.ceil(plan.minutes / most)
  const had = timeWords(plan.minutes)
  const room = to.move.partition === "leave out" ? "" : ` in \`${plan.room.name}\``
  const why = `The time limit${room} on ${to.name} is ${timeWords(most)}, but the job had ${had}.`
  plan.minutes = most
  plan.notes.time = why
  const [before, now] = plan.filled ?? []
  const next = need.continues
  const [, first] = (need.chained && /^(\d+)-/.exec(need.array)) || []
  if (next?.locks)
    plan.impossible.push(
      "A job that ends at its time limit leaves Snakemake's lock. Write `snakemake --unlock` before the command, so that the next job can continue.",
    )
  if (first) {
    const jobs = arrayTasks(need.array)
    plan.array = `${first}-${Number(first) + jobs * number - 1}%1`
    plan.notes.array = `${jobs * number} jobs, one after the other, provide the time of the ${jobs} before.`
  } else if (now >= before * number) plan.notes.time += ` With ${now} cores instead of ${before}, it needs less time.`
  else if (next?.why || need.array !== null)
    plan.impossible.push(`${why} ${parts(to, need.array === null ? "job" : "array", next, number, had)}`)
  else {
    plan.chain = number
    plan.notes.array = `${number} jobs, one after the other, provide the total time, but the program must save its state and restart from it.`
  }
}

/** How several jobs do the work of one, or of each task of an array. next: as restart.js has it, null where nobody knows */
function parts(to, what, next, number, had) {
  const each = "adding `--dependency=afterany:JOB_ID` (the previous job's ID) from the second job on"
  const often = number === 2 ? "twice" : `${number} times`
  const times = `the ${what} ${often} to cover its ${had}, ${each}`
  const several = `Submit ${times}`
  const leave = next?.maybe || next?.signal ? `replace ${next.submits} with \`:\`` : `remove ${next?.submits}` // a branch is not empty
  const divide = "If the work has independent parts, divide it among more jobs instead."
  if (next?.again) return `${several}, because the program continues from what it saved.`
  if (next?.named)
    return `${several}, and remove the job's number from \`${next.named}\`, so that the next job finds what is saved there.`
  if (next?.signal && to.advice?.submit !== false)
    return `Submit the ${what} once, because ${next.why} when its time ends. If that continues this work, it takes about ${number} times as many jobs.`
  if (next?.self) {
    const less = `The script submits itself. Give each job less work, so that it ends in time. The work then takes about ${number} times as many jobs.`
    return to.advice?.submit === false
      ? `${less} Jobs on ${to.name} cannot submit jobs, so ${leave}, and submit them yourself, ${each}.`
      : less
  }
  const leaves = next?.submits && to.advice?.submit === false
  const plain =
    what === "job" ? `A job array (\`--array=1-${number}%1\`) may not continue the work, because ${next?.why}. ` : ""
  const saved = ", if each job continues from what the one before saved"
  if (leaves) return `${plain}${several}${saved}. Jobs on ${to.name} cannot submit jobs, so ${leave}.`
  if (next?.maybe)
    return `${plain}If the command submits this script again, submit the script once, because each job continues the work of the one before. Otherwise, submit ${times}, and let only the last run the command.`
  if (next?.submits) return `${plain}${several}${saved}. Only the last may run ${next.submits}.`
  const because = plain || !next ? "" : `, because ${next.why}`
  if (next?.cure) return `${plain}${several}.${plain ? "" : ` But ${next.why}.`} ${next.cure}${next.lost}`
  return `${plain}First make the program ${next?.saves ? "restart from what it saves" : "save its state and restart from it"}${because}. Then submit ${times}. ${divide}${next?.lost ?? ""}`
}

/** More jobs in an array than may be there at once: its first ones. */
function cutArray(to, need, plan) {
  const limit = limitOn(to.move, plan.room, plan, "jobs").value
  const array = plan.array ?? need.array
  const number = plan.chain ?? (array === null ? 1 : arrayTasks(array))
  if (number <= limit) return
  const why = `${to.name} accepts at most ${limit} jobs, and each array task counts as one. The job had ${number}.`
  plan.impossible.push(`${why} Submit the others when the first have ended.`)
  const first = /^(\d+)-\d+(?::(\d+))?(%\d+)?$/.exec(plan.chain ? `1-${number}%1` : array)
  if (!first) return
  const [begin, step] = [Number(first[1]), Number(first[2] ?? 1)]
  plan.array = `${begin}-${begin + (limit - 1) * step}${step > 1 ? `:${step}` : ""}${first[3] ?? ""}`
  plan.notes.array = why
}
