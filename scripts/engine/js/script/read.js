// The commands of a script in their order, each with what stands around it.
import {parse} from "./parse.js"
import {setOf} from "./text.js"

const STARTS = setOf("exec nohup command builtin eval")
const TESTS = setOf("[ [[ test command type which grep (( !")
const ASSIGNED = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/u

/** @param {string} text a script of bash, with lines ended by newlines @returns {Shell} */
export function readScript(text) {
  const {body, comments, error} = parse(text)
  const walk = new Walk()
  walk.items(body, {
    branch: false,
    arms: [],
    loops: [],
    fn: "",
    background: false,
    nested: false,
    condition: false,
    subshell: false,
  })
  walk.settle()
  return {
    comments,
    error,
    commands: walk.commands.filter(({nested}) => !nested),
    inner: walk.commands.filter(({nested}) => nested),
    documents: walk.documents,
  }
}

class Walk {
  constructor() {
    /** @type {Command[]} */
    this.commands = []
    this.documents = []
    this.ended = false
    this.choices = 0
  }
  items(items, around) {
    for (const {parts, background} of items) {
      for (const {op, pipeline} of parts) {
        for (const [place, node] of pipeline.entries()) {
          const first = this.commands.length
          this.node(node, {...around, background: around.background || background, op})
          const own = this.commands.slice(first).filter(each => each.nested === around.nested)
          if (place && own.length) {
            own[0].piped = true
            own[0].text = `| ${own[0].text}`
          }
          if (place + 1 < pipeline.length && own.length) own.at(-1).pipes = true
        }
      }
    }
  }
  node(node, around) {
    const inside = {...around, op: "", branch: around.branch || this.depends(around)}
    const branch = {...inside, branch: true, everyTime: false}
    const choice = ++this.choices
    const arm = place => ({...branch, arms: [...around.arms, {choice, place}]})
    const loop = kind => ({...branch, loops: [...around.loops, {kind, line: node.line}]})
    for (const redirect of node.redirects ?? []) if (redirect.document) this.documents.push(redirect.document)
    switch (node.type) {
      case "unread":
        return this.push(node, {text: node.text, words: [], tokens: [], sets: [], redirects: []}, around)
      case "command":
        return this.command(node, around)
      case "group":
        return this.items(node.body, inside)
      case "subshell":
        return this.items(node.body, {...inside, subshell: true})
      case "if":
        for (const [place, {test, body}] of node.branches.entries()) {
          this.items(test, {...(place ? branch : inside), condition: true})
          this.items(body, arm(place))
        }
        return
      case "while":
      case "until": {
        const first = this.commands.length
        this.items(node.test, {...inside, condition: true, loops: loop(node.type).loops})
        const reads = this.commands.slice(first).some(({name}) => name === "read")
        return this.items(node.body, {...loop(node.type), everyTime: reads && !around.branch})
      }
      case "for":
      case "select":
        this.head(node, `${node.type} ${node.head}`, around)
        return this.items(node.body, node.type === "for" ? {...loop("for"), branch: inside.branch} : loop("select"))
      case "case":
        this.head(node, `case ${node.word?.raw ?? ""} in`, around)
        for (const [place, {body}] of node.arms.entries()) this.items(body, arm(place))
        return
      case "function":
        return this.items(node.body, {...branch, branch: false, fn: node.name, op: ""})
    }
  }
  /** Does what runs after this operator depend on something that may go either way? */
  depends({op}) {
    const last = this.commands.at(-1)
    const tested = last && (TESTS.has(last.name) || last.words.at(-1) === "]]" || !last.certain)
    return op === "||" || (op === "&&" && Boolean(tested))
  }
  head(node, text, around) {
    const sets = node.name ? [`${node.name}=`] : []
    this.push(node, {text, words: [], tokens: node.words ?? [node.word].filter(Boolean), sets, redirects: []}, around)
  }
  command(node, around) {
    const {redirects} = node,
      sets = node.sets.map(({text}) => text)
    let tokens = node.words
    while (tokens.length && STARTS.has(tokens[0].text) && !tokens[1]?.text.startsWith("-")) tokens = tokens.slice(1)
    if (tokens[0]?.text === "env") {
      let at = 1
      while (at < tokens.length && ASSIGNED.test(tokens[at].text)) sets.push(tokens[at++].text)
      if (!tokens[at]?.text.startsWith("-")) tokens = tokens.slice(at)
    }
    const written = [...node.sets, ...node.words, ...redirects].sort((one, other) => one.start - other.start)
    const gap = (each, place) => (place && written[place - 1].end < each.start ? " " : "")
    const text = written
      .map((each, place) => gap(each, place) + plain(each))
      .join("")
      .replace(/^exec /, "")
    this.push(node, {text, words: tokens.map(each => each.text), tokens, sets, redirects}, around)
    for (const {inner} of [...node.sets, ...node.words, ...redirects.map(({target}) => target)])
      for (const {body} of inner) this.items(body, {...around, nested: true, op: "", branch: true})
  }
  push(node, parts, around) {
    const {branch, arms, loops, fn, background, nested, condition, subshell, op, everyTime} = around
    const name = parts.words.length ? (parts.words[0].split("/").at(-1) ?? "") : ""
    const certain = !(branch || this.depends(around) || (this.ended && !fn) || nested)
    const {text} = parts
    this.commands.push({
      line: node.line,
      ...parts,
      text: background ? `${text} &` : text,
      name,
      certain,
      everyTime: Boolean(everyTime) && !this.depends(around),
      op: op ?? "",
      arms,
      loops,
      fn,
      background,
      nested,
      condition,
      subshell,
      piped: false,
      pipes: false,
    })
    if (certain && !fn && name === "exit") this.ended = true
  }
  /** What a function does is sure if the function is sure to be called. */
  settle() {
    const called = new Set([""]),
      calls = new Map(this.commands.map(({fn}) => [fn, new Set()]))
    for (const {certain, fn, words} of this.commands) if (certain && words.length) calls.get(fn).add(words[0])
    for (const fn of called) for (const name of calls.get(fn) ?? []) called.add(name)
    for (const command of this.commands) command.certain &&= called.has(command.fn)
  }
}

/** A word or redirection on one line: of quoted lines the first, and the quote that ends them. */
function plain({raw}) {
  const [first, ...rest] = raw.replaceAll("\\\n", "").split("\n")
  return (rest.length ? first + rest.at(-1).slice(-1) : first).replace(/[ \t\r]+/g, " ")
}
