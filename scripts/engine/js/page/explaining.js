// The chunk that explains: the page fetches it when its reader is about to paste a message.
export * from "../after/advise.js"
export * from "../after/read.js"
export * from "../messages/explain.js"
export * from "../messages/linked.js"
export * from "../messages/unknown.js"
