// Other computers to which the commands of a moved script connect.

const NAME = String.raw`((?:[\w.+-]+@|\$\{?USER\}?@)?[A-Za-z][\w-]+(?:\.[\w-]+)*)`
const LOGIN = RegExp(String.raw`(?:^|[\s;&|(])ssh\s+(?:-[bcDEeFIiJLlmOopQRSWw]\s*\S+\s+|-\w+\s+)*${NAME}(?=\s|$)`)
const COPY = RegExp(String.raw`(?:^|[\s;&|(])(?:scp|rsync|sftp)\s(?:[^;&|]*[\s"'])?${NAME}:(?!//)`)
const NAMED = RegExp(String.raw`^\s*(?:export\s+)?\w+=["']?${NAME}:[\/~]`)

/** The commands that connect a user to CSC's object storage. @param {System} to */
export function createsKeys({advice, move}) {
  const [opener] =
    Object.entries(advice?.software?.collections ?? {}).find(([, names]) => names.includes("allas")) ?? []
  return `\`module load ${opener ? `${opener} ` : ""}allas\` and \`${move.remotes[0][2]}\``
}

/**
 * @param {System} from @param {System} to
 * @returns {(line: string) => Generator<string>} what is said of the other computers on a line
 */
export const remoteOf = (from, to) => {
  const isOf = ({move}) => {
    const labels = move.hosts.map(host => host.split(".")[0].replace(/-.*/, ""))
    const named = labels.filter(label => !/^(?:login\d*|hpc)$/.test(label))
    return host => move.hosts.includes(host) || named.includes(host.split(".")[0].replace(/-.*|\d+$/, ""))
  }
  const [ofOld, ofNew] = [from, to].map(isOf)
  return function* (line) {
    const [cloud, remote] = /\brclone\s+\w+\s+(?:[^;&|\s]+\s+)*?([\w-]+):/.exec(line) ?? []
    if (cloud && !to.move.remotes.some(([, now]) => now === remote))
      yield `rclone's remote \`${remote}\` needs your settings. Create them on ${to.name} with \`rclone config\`.`
    const [keys] =
      /(?:^|[;&|]\s*)\s*(?:s3cmd|s5cmd|aws\s+s3(?:api)?|swift\s+(?:upload|download))(?=\s)/.exec(line) ?? []
    if (keys)
      yield `\`${keys.replace(/^[;&|\s]+/, "")}\` needs your keys of the object storage. Create them on ${to.name}.`
    const [login] = /\bssh\s+(?:-\S+\s+)*[\w.@-]+(?=\s+["'].*\bsbatch\s)/.exec(line) ?? []
    if (login)
      return yield `\`${login}\` submits a job on a login node of ${from.name}. ${to.advice?.submit === false ? `Remove the line, and submit the job yourself, because jobs on ${to.name} cannot.` : `Write the command without ssh, because jobs on ${to.name} can submit jobs.`}`
    for (const [pattern, what] of /** @type {[RegExp, string][]} */ ([
      [LOGIN, "run the command"],
      [COPY, "copy the files"],
      [NAMED, "copy the files"],
    ])) {
      const [, name] = pattern.exec(line) ?? []
      const host = name?.split("@").at(-1)
      if (!host || (pattern === NAMED && !host.includes("."))) continue
      const short = !host.includes(".") && host !== "localhost"
      if (short && !ofOld(host) && !ofNew(host))
        yield `\`${host}\` is a short name, which jobs on ${to.name} find only if your ~/.ssh/config has it. ${from.move.retired === null ? "Write the computer's full name" : `If it is a computer of ${from.name}, which is retired, remove the command`}.`
      else if (ofOld(host) && from.move.retired !== null)
        yield `\`${host}\` is a computer of ${from.name}, which is retired. ${pattern === LOGIN ? "Remove the command" : `Copy to or from a directory of ${to.name} instead`}, or write a computer that is in service.`
      else if (ofNew(host))
        yield `\`${host}\` is ${to.name}, on which the job now runs. Write the directory without it.`
      else if (to.advice?.internet !== false)
        yield `Check that jobs on ${to.name} can log in to \`${host}\` without a password. Otherwise, ${what} yourself.`
    }
  }
}
