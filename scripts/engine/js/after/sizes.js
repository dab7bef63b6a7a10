// Amounts as listings have them.
const SIZES = {K: 1 / 1024, M: 1, G: 1024, T: 1024 ** 2, P: 1024 ** 3}

/** MiB of `145493K`, `23.68 GB` or, in bytes, `139994035`: Slurm's units, and those of seff, are powers of 1024. */
export function mib(text) {
  const [, number, unit] = /^([\d.]+) ?([KMGTP]?)(?:i?B)?$/i.exec(text?.trim() ?? "") ?? []
  return number ? Number(number) * (unit ? SIZES[unit.toUpperCase()] : 1 / 1024 ** 2) : null
}

/** Seconds of `4-00:00:00`, `00:12:22`, `01:02.345`. */
export function seconds(text) {
  const found = /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:\.\d+)?$/.exec(text?.trim() ?? "")
  if (!found) return null
  const [days, hours, minutes, rest] = found.slice(1).map(part => Number(part ?? 0))
  return days * 86400 + hours * 3600 + minutes * 60 + rest
}
