// Storage that Slurm brings to a job's nodes at its request: slurm.schedmd.com/burst_buffer.html, CSC's "Roihu disk areas".
const REQUEST =
  /^#(?:SBATCH\s+(?:.*\s)?--bb[= ]["']?#)?(?:BB_LUA\s|BB\s+(?:create|destroy)_persistent|DW\s+(?:jobdw|persistentdw|stage_|swap)).*/m

/** Where the script has it, and how much it requests; null where it names no directory. */
export function bufferOf(text) {
  const [line = ""] = REQUEST.exec(text) ?? []
  const [path] = /(?<=\bpath=)\/[^\s"']+/.exec(line) ?? []
  const [size = "storage"] = /(?<=\b(?:storagesize|capacity)=)\w+/.exec(line) ?? []
  return path ? {path, size} : null
}

export const noBuffer = to => `Jobs on ${to.name} cannot request such storage, as far as we know.`

/** The requests that are no options go. @param {any[]} lines UPDATED */
export function withoutBuffer(to, lines) {
  for (const each of lines)
    if (REQUEST.test(each.text ?? "") && !each.text.startsWith("#SBATCH"))
      Object.assign(each, {text: null, reason: noBuffer(to)})
}
