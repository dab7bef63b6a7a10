// The parts of the page that wait until its reader does something.
export * from "../form/offers.js"
export * from "../form/rewrite.js"
export * from "./bytes.js"
export * from "./finding.js"
export * from "./give.js"
export * from "./judge.js"
export * from "./modes.js"
export * from "./take.js"
