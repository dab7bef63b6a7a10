// What docs/assets/limits.js makes of each case that stands on the input, as JSON: [seconds, what binds], or null.
import {readFileSync} from "node:fs"
import {runInThisContext} from "node:vm"

runInThisContext(
  `${readFileSync(process.argv[2], "utf-8")}\n${readFileSync(process.argv[3], "utf-8")}\nthis.page = {limits, LIMITS}`,
)
const {limits, LIMITS} = globalThis.page
const cases = JSON.parse(readFileSync(0, "utf-8"))
const found = cases.map(({operation, precision, given}) => {
  const own = limits.OPERATIONS[operation](limits.BYTES[precision], given)
  const ways = [false, true].map(linked => device => limits.onDevice(device, own, precision, linked))
  return {
    kept: own.kept,
    devices: Object.values(LIMITS.devices).map(device => ways.map(way => way(device))),
    hosts: LIMITS.systems.map(({host}) => (host ? limits.onHost(host, operation, precision, given) : null)),
  }
})
const told = [3e-10, 9.996e-7, 1e-6, 0.0003234, 0.00099951, 0.5714285, 59.96, 1234.5, 7.6e6].map(limits.seconds)
console.log(JSON.stringify({found, told}))
