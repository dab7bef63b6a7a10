// Advice about slips: a command, a variable or a text that is valid, and does not do what was meant.
import {documents} from "../script/payload.js"

const exported = ({name, words, sets}) => [...sets, ...(name === "export" ? words.slice(1) : [])]

/** gzip writes no blocks, which an index of a compressed file needs. */
function* indexOfGzip({commands, expand, say}) {
  const zipped = commands.filter(({name}) => name === "gzip").flatMap(({words}) => words.slice(1))
  const files = new Set(zipped.map(word => `${expand(word)}.gz`))
  for (const command of commands)
    if (/\btabix\b|\bbcftools index\b/.test(command.text) && command.words.some(word => files.has(expand(word))))
      yield say(
        "index-of-gzip",
        "gzip does not write the blocks that an index needs, so this file cannot be indexed.",
        "Compress it with bgzip.",
        command,
        {kind: "fails"},
      )
}

/** `parallel a {} > {}.txt`: the shell, not parallel, reads the redirection. */
function* outputOfParallel({commands, say}) {
  for (const command of commands)
    if (
      command.name === "parallel" &&
      command.redirects.some(({op, target}) => op.startsWith(">") && /\{[./]*\}/.test(target?.text ?? ""))
    )
      yield say(
        "parallel-output-in-one-file",
        "the shell reads this redirection itself, so all output goes to one file with {} in its name.",
        "Quote the whole command of parallel.",
        command,
        {kind: "fails"},
      )
}

/** Variables with a value that their reader rejects, or that means another number. */
function* values({commands, job, say}) {
  const tasks = job.tasks_per_node ? job.tasks_per_node * (job.nodes || 1) : (job.tasks ?? 1)
  for (const command of commands)
    for (const part of exported(command)) {
      if (/^PYTORCH_(?:CUDA_|HIP_)?ALLOC_CONF=["']?\w+=/.test(part)) {
        const what = "PyTorch stops, because this variable uses colons between names and values."
        yield say("allocator-setting-rejected", what, "Write max_split_size_mb:128.", command, {kind: "fails"})
      }
      if (tasks > (job.nodes || 1) && /^WORLD_SIZE=["']?\$\{?SLURM_(?:NNODES|JOB_NUM_NODES)\}?/.test(part)) {
        const what = `WORLD_SIZE is the number of nodes, but the job has ${tasks} processes.`
        yield say("world-size-of-nodes", what, "Write WORLD_SIZE=$SLURM_NTASKS.", command, {kind: "fails"})
      }
    }
}

/** A loop over the GPUs that waits for each program. */
function* oneAfterAnother({commands, job, lines, wantsGpu, say}) {
  if (!wantsGpu || !(job.gpus_total > 1)) return
  for (const command of commands) {
    const chosen = command.sets.some(part => /^(?:CUDA|ROCR|HIP)_VISIBLE_DEVICES=\$/.test(part)) && command.words.length
    if (!chosen || !command.loops.length || command.background || /srun|&\s*$/.test(lines[command.line - 1])) continue
    const what = "the loop starts one program after another, each on one GPU, so the other GPUs are idle."
    yield say("gpus-one-after-another", what, "Start each in the background with &, and `wait` below `done`.", command)
  }
}

/** LAMMPS' own `${T}`, which the shell replaces in a here-document without quotes. */
function* variablesOfLammps({commands, say}) {
  for (const command of commands) {
    const text = command.redirects.find(({document}) => document && !document.quoted)?.document.text ?? ""
    const own = [...text.matchAll(/^\s*variable\s+(\w+)\s+(?:equal|string|index|loop)/gm)].map(([, name]) => name)
    const lost = own.find(name => text.includes(`\${${name}}`) && !text.includes(`\\\${${name}}`))
    if (!lost || commands.some(each => exported(each).some(part => part.startsWith(`${lost}=`)))) continue
    const what = `the shell replaces \`\${${lost}}\` with nothing, because the here-document is not quoted.`
    yield say("document-loses-its-variables", what, "Quote its delimiter: <<'EOF'.", command, {kind: "fails"})
  }
}

/** A Dask cluster of Slurm jobs: it has no workers until it is told how many. */
function* noWorkers({commands, say}) {
  for (const command of commands) {
    const code = documents(command).join("\n")
    if (!/\bSLURMCluster\(/.test(code) || /\.(?:scale|adapt)\(|n_workers/.test(code)) continue
    const what = "this SLURMCluster starts no workers, so the computation waits until the job's time limit."
    const cure = "Call cluster.scale(jobs=4) or cluster.adapt()."
    yield say("dask-without-workers", what, cure, command, {kind: "fails"})
  }
}

export const ideas = [indexOfGzip, outputOfParallel, values, oneAfterAnother, variablesOfLammps, noWorkers]
