// A listing as Slurm printed it, from what a terminal, a mail or a table of numbers made of it.
const LONGEST = 100_000
const COLORS = new RegExp(`(?:${String.fromCharCode(27)}|\\^\\[)\\[[\\d;]*[A-Za-z]`, "g")
const SEFF = "Cluster|User/Group|State|Nodes|Cores|Cores per node|CPU \\w+|Job Wall-clock time|Memory \\w+"

/** Lines between bars that a terminal has wrapped, whole again. */
export function unwrapped([head, ...rest]) {
  const bars = text => text.split("|").length
  const more = Math.max(
    rest.findIndex(text => !/^[A-Za-z|]*\|[A-Za-z|]*$/.test(text)),
    0,
  )
  const header = [head, ...rest.slice(0, more)].join("")
  const rows = []
  for (const text of rest.slice(more)) {
    const last = rows.at(-1)
    const joined = last && bars(last) + bars(text) - 1 <= bars(header)
    if (joined && (bars(last) < bars(header) || /^[\d.:-]+$/.test(text))) rows[rows.length - 1] += text
    else rows.push(text)
  }
  return [header, ...rows]
}

/** Without colors, and with the lines and bars that a terminal, a table of numbers or a mail has changed. */
export function straightened(text) {
  const lines = text
    .slice(-LONGEST)
    .replace(/\r\n?/g, "\n")
    .replace(COLORS, "")
    .replace(/^(?:> ?)+/gm, "")
    .split("\n")
  const heads = /^\s*"?JobID(?:Raw)?"?([,\t])/i
  const [, between] = heads.exec(lines.find(line => heads.test(line)) ?? "") ?? []
  return lines
    .map(line => (between && /^"?(?:JobID|\d)/i.test(line) ? line.replaceAll('"', "").replaceAll(between, "|") : line))
    .map(line => (/Job ID: *\d+ .*State: /.test(line) ? line.replace(RegExp(` (?=(?:${SEFF}):)`, "g"), "\n") : line))
    .join("\n")
    .replaceAll("\t", "    ")
}
