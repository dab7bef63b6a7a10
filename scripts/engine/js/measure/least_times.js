// The least time of an operation on a GPU, over its link, and on the CPUs of its node.

export const BYTES = {float64: 8, float32: 4, tf32: 4, bfloat16: 2, float16: 2}
// What must be done at least: operations; bytes in memory, to the GPU, back, and those that must be kept there.
export const OPERATIONS = {
  product(size, {rows, inner, columns}) {
    const given = size * (rows * inner + inner * columns),
      result = size * rows * columns
    return {
      flop: 2 * rows * inner * columns,
      memory: given + result,
      there: given,
      back: result,
      kept: given + result,
      matrix: true,
    }
  },
  elementwise(size, {numbers, read, written, operations}) {
    const given = size * numbers * read,
      result = size * numbers * written
    return {flop: numbers * operations, memory: given + result, there: given, back: result, kept: given + result}
  },
  copy(_size, {megabytes}) {
    const number = megabytes * 1e6
    return {flop: 0, memory: 2 * number, there: number, back: 0, kept: 2 * number}
  },
  training(_size, {batch, gflop, kilobytes}) {
    return {flop: 3e9 * gflop * batch, memory: 0, there: batch * kilobytes * 1e3, back: 0, kept: 0, matrix: true}
  },
}
// [seconds, what binds]: the first of the largest.
const largest = bounds => bounds.reduce((most, bound) => (bound[0] > most[0] ? bound : most))
const memory = (bytes, {cache, memoryRate}) => [bytes <= cache ? 0 : bytes / 1e9 / memoryRate, "memory"]

export function onDevice(device, own, precision, linked) {
  const rates = own.matrix ? device.tflops : {...device.tflops, ...device.ordinary}
  if (own.flop && !(precision in rates)) return null
  const link = linked && device.linkRate ? Math.max(own.there, own.back) / 1e9 / device.linkRate : 0
  return largest([
    [own.flop ? own.flop / 1e12 / rates[precision] : 0, "arithmetic"],
    memory(own.memory, device),
    [link, "link"],
  ])
}
function onHost(host, operation, precision, given) {
  const wide = precision === "float64" ? "float64" : "float32"
  const own = OPERATIONS[operation](BYTES[wide], given)
  return largest([[own.flop / 1e12 / host.tflops[wide], "arithmetic"], memory(own.memory, host)])
}
export function seconds(value) {
  /** @type {[number, string][]} */
  const units = [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "µs"],
    [1e-9, "ns"],
  ]
  const [size, unit] = units.find(([size]) => value >= size) ?? units[3]
  return `${Number((value / size).toPrecision(3))} ${unit}`
}
export const told = (time, start = 0) =>
  !time ? "–" : time[0] < start ? `${seconds(start)} (start)` : `${seconds(time[0])} (${time[1]})`

/**
 * What is said of an operation on a GPU with its data there, with them on the host, and on the host itself (null: not
 * known); `less`: which of the two ways for data that are the host's may take less.
 * @param {{device: any, host?: any, operation: string, precision: string, given: any, start: number}} asked
 *   start: seconds that starting a kernel takes
 * @returns {{inside: string, linked: string, cpus: string | null, less: "linked" | "cpus" | null}}
 */
export function leastTimes({device, host, operation, precision, given, start}) {
  const own = OPERATIONS[operation](BYTES[precision], given)
  const [inside, linked] = [false, true].map(linked => onDevice(device, own, precision, linked))
  const cpus = host ? onHost(host, operation, precision, given) : null
  const over = linked && Math.max(linked[0], start)
  const less = linked && cpus ? (over < cpus[0] ? "linked" : "cpus") : null
  // What comes from the host can come in pieces.
  const there = own.kept <= device.memory ? told(inside, start) : "does not fit"
  return {inside: there, linked: told(linked, start), cpus: cpus && told(cpus), less}
}
