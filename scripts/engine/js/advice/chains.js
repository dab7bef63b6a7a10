// Advice about jobs that follow each other: names, and files that one job leaves for the next.
const NO_WORK = /^(?:\[\[?|test|echo|printf|export|cd|mkdir|let)$/
const inChain = ({option}) => /%1$/.test(option("array")?.value ?? "") || option("dependency")?.value === "singleton"

/** A singleton waits for jobs with its name, and these have several. */
function* severalNames({option, commands, say}) {
  if (option("dependency")?.value !== "singleton") return
  const named = ({tokens}) =>
    tokens.some(
      ({raw}, at) =>
        /^--job-name=.*\$/.test(raw) || (/^(?:-J|--job-name)$/.test(raw) && /\$/.test(tokens[at + 1]?.raw ?? "")),
    )
  const found = commands.find(command => command.name === "sbatch" && named(command))
  if (!found) return
  const what = "each job gets its own name, but --dependency=singleton waits only for jobs with the same name."
  yield say("singleton-with-several-names", what, "Give all of them the same name.", found)
}

/** A checkpoint that is searched for under the number of the job, which is new each time. */
function* ownNumber(given) {
  const {commands, expand, say} = given
  if (!inChain(given) || !commands.some(({text}) => /resume|restart|continue|checkpoint|ckpt/i.test(text))) return
  const task = word => /\bSLURM_ARRAY_TASK_ID\b/.test(expand(word))
  // A task whose number is a parameter, such as a seed, continues its own work.
  const apart = commands.some(
    ({name, words}) => !NO_WORK.test(name) && words.some(word => !/\//.test(word) && task(word)),
  )
  const number = word => /\bSLURM_JOB_?ID\b/.test(expand(word)) || (!apart && task(word))
  const looks = ({name, text}) => /^\[\[?$|^test$/.test(name) && /\s-[efsd]\s/.test(text)
  const found = commands.find(each => looks(each) && each.words.some(number))
  if (!found) return
  const what = `\`${found.words.find(number)}\` has the job's ID in its name, so no job of the chain finds what the previous one wrote.`
  yield say("checkpoint-under-a-new-number", what, "Use one name for all jobs of the chain.", found)
}

/** `$SLURM_RESTART_COUNT` exists from the second run on, and `set -u` allows no variable that does not. */
function* firstRun({commands, say}) {
  if (!commands.some(({name, text}) => name === "set" && /^set\s+(?:-\w*u|-o nounset)/.test(text))) return
  const found = commands.find(({text, tokens}) =>
    /\$\{?SLURM_RESTART_COUNT(?!\w|:?-)/.test([text, ...tokens.map(({raw}) => raw)].join(" ")),
  )
  if (!found) return
  const what = "SLURM_RESTART_COUNT is not set on the first run, so `set -u` ends the job here."
  yield say("restart-count-not-set", what, "Write ${SLURM_RESTART_COUNT:-0}.", found, {kind: "fails"})
}

export const ideas = [severalNames, ownNumber, firstRun]
