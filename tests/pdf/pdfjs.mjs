// The text of each page of a PDF as pdf.js, Firefox's viewer, gives it to whoever selects and copies; prints JSON.
import {readFileSync} from "node:fs"
import {getDocument} from "../../.venv/node_modules/pdfjs-dist/legacy/build/pdf.mjs"

const data = new Uint8Array(readFileSync(process.argv[2]))
const pdf = await getDocument({data, verbosity: 0}).promise
const pages = []
for (let number = 1; number <= pdf.numPages; number++) {
  const {items} = await (await pdf.getPage(number)).getTextContent()
  pages.push(items.map(item => item.str + (item.hasEOL ? "\n" : "")).join(""))
}
process.stdout.write(JSON.stringify(pages))
