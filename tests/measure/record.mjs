// What docs/assets/judge-record.js says of each record that stands on the input, as JSON: how many cases are good and which are refused, or a fault.
import {readFileSync} from "node:fs"
import {runInThisContext} from "node:vm"

runInThisContext(
  `${readFileSync(process.argv[2], "utf-8")}\n${readFileSync(process.argv[3], "utf-8")}\nthis.page = {judgeRecord, MEASURABLE}`,
)
const {judgeRecord, MEASURABLE} = globalThis.page
console.log(
  JSON.stringify(
    JSON.parse(readFileSync(0, "utf-8")).map(record => {
      try {
        const {name, date, cores, good, refused} = judgeRecord(record, MEASURABLE)
        return {name, date, cores, good: good.map(({size, on, median, least}) => ({size, on, median, least})), refused}
      } catch (fault) {
        return {fault: fault.message}
      }
    }),
  ),
)
