// The parts of the page that wait until its reader does something.
import "./bytes.js"
import "./give.js"
import "./finding.js"
import "./ask.js"
import "./take.js"
import "./modes.js"
import * as rewriting from "../form/rewrite.js"
import {page} from "./shared.js"

page.rewrite = rewriting.rewrite
