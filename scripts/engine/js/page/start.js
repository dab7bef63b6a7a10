// The page: its parts in the order in which they need each other, and then it starts.
import "./element.js"
import "./parts.js"
import "./editor.js"
import "./address.js"
import "./verdict.js"
import "./workbench.js"
import "./write.js"
import {page} from "./shared.js"

globalThis.jobscriptPage = page
page.start()
