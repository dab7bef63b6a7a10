// The types that many modules share. Facts of a system are what scripts/engine/data writes; where a part is read in one
// room only, it is `any` here.

/** What the engine knows of one cluster. */
interface System {
  key: string
  name: string
  kind: Kind
  gres: string[]
  nodes: Record<string, NodeFacts>
  partitions: Record<string, PartitionFacts>
  rules: any
  form: any
  move: any
  here: any
  taught: any
  grid_engine: any
  advice: any
  why: any
}
type Kind = "slurm" | "grid_engine"

interface NodeFacts {
  /** CPUs as Slurm counts them: threads, where cores have several. */
  cpus: number
  /** MiB */
  memory: number
  /** MiB */
  tmp: number
  /** Name, type, number. */
  gres: [string, string, number][]
  threads?: number
  count?: number
  features?: string[]
}
interface PartitionFacts {
  /** Kind of node -> how many. */
  nodes: Record<string, number>
  default?: boolean
  whole?: boolean
  /** MiB that a job gets which asks for none. */
  memory_per_node?: number
  memory_per_cpu?: number
  memory_per_gpu?: number
  /** Limits by their keys in scripts/facts/limits.yml: in minutes, in MiB, or counts. */
  [limit: string]: any
}

/** A word of a directive, without its quotes in `text`. */
interface Word {
  line: number
  start: number
  end: number
  raw: string
  text: string
}

/** An option of a live directive. */
interface Option {
  /** From 1. */
  line: number
  /** Long, without dashes; of an unknown option what was written. */
  name: string
  /** The words as they stand. */
  written: string
  /** What the scheduler gets, without quotes. */
  value: string | null
  /** Has the scheduler such an option? */
  known: boolean
  /** Line, first column, end column. */
  pieces?: [number, number, number][]
}

/** What sbatch makes of the options. Memory in MiB, time in minutes; undefined: nothing is said of it. */
interface Job {
  account?: string
  partition?: string
  qos?: string
  array?: string
  features?: string
  shared?: "none" | "ok" | "user" | "mcs"
  tmp?: number
  time?: number
  threads?: number
  tasksPerCore?: number
  tasks?: number
  minCpus: number
  minNodes?: number
  maxNodes?: number
  tasksPerNode?: number
  cpusPerTask?: number
  nodeCpus: number
  mincpus?: number
  memory?: number
  memorySaid?: boolean
  perCpu: boolean
  whole?: boolean
  cpusPerGpu?: number
  memPerGpu?: number
  /** Generic resources, as `gpu:a100:2,gpu:v100:1`. */
  perJob: string
  perTask: string
  perNode: string
  gres?: Gres[]
  /** Nodes that Slurm would take. */
  chosen?: any[]
  minGresCpu?: number
  minJobGresCpu?: number
  gpuMemory?: number
}
/** One kind of generic resource of a job. */
interface Gres {
  name: string
  type: string
  perJob: number
  perNode: number
  perTask: number
  cpus: number
  memory: number
  total?: number
}

/** What a job asks for, whichever scheduler it is for; null: it does not say. */
type Asked = Record<string, any>

type Answer = "accepted" | "refused" | "not judged"
type Source = string | {url: string; title?: string}

type Entry = {text: string; kind?: string; name?: string}

interface Finding {
  /** From 1. */
  line: number
  kind: "refused" | "fails" | "ignored" | "unwise" | "doubtful" | "not judged"
  what: string
  /** What to do. */
  cure: string
  /** A name that stays. */
  rule: string
  /** As written. */
  option?: string
  /** What the facts allow. */
  limit?: any
  source?: Source
  /** An edit that is certain. */
  mend?: Mend
}
/** Either one line, or all lines. */
interface Mend {
  line?: number
  from?: string
  to?: string
  lines?: string[]
}
interface Verdict {
  file: string
  verdict: Answer
  /** Not judged, since only facts that nobody confirms would refuse it. */
  doubt?: boolean
  /** By line. */
  findings: Finding[]
}

/** What a scheduler says against a job, in its own words. */
interface Refusal {
  line?: number
  option?: string
  what: string
}
interface Decision {
  verdict: Answer
  /** Why. */
  findings: Finding[]
  /** What the job asks for, null where that is unsure; of a heterogeneous job what each component asks for. */
  asked: Asked | null | (Asked | null)[]
}
interface JobDecision extends Decision {
  asked: Asked | null
}
interface BatchScheduler {
  /** The options of the live directives. */
  readOptions: (text: string) => Option[]
  /** The decision about the job that they describe. */
  decide: (system: System, options: Option[], file: string) => Decision
  /** What nobody can know here of an option, and the command that shows it there. */
  beyondFacts: (system: System, option: Option) => {what: string; command: string} | null
}

/** A script as rules see it. */
type Script = ReturnType<typeof import("./script/script.js").scriptOf> & {system?: System}
/** A word of bash. raw: as written; text: without its quotes; quote: which it has; inner: lists of its substitutions. */
interface ShellWord {
  raw: string
  text: string
  line: number
  start: number
  end: number
  quote: string
  inner: {line: number; body: any[]}[]
}
interface HereDocument {
  text: string
  quoted: boolean
  line: number
  ended: boolean
}
interface Redirect {
  op: string
  fd: string
  target: ShellWord
  raw: string
  line: number
  start: number
  end: number
  document: HereDocument | null
}
/** What bash reads of a script. inner: commands in substitutions. error: what bash cannot parse, and its line. */
interface Shell {
  comments: [number, string][]
  commands: Command[]
  inner: Command[]
  error: {line: number; what: string} | null
  documents: HereDocument[]
}
/** A simple command, or the head of a loop, which has no words. See script/read.js. */
interface Command {
  line: number
  /** As written, on one line; `| ` stands before one that reads a pipe, ` &` behind one in the background. */
  text: string
  /** Without quotes, assignments and `exec`. */
  words: string[]
  tokens: ShellWord[]
  /** `NAME=value`, set for this command or, if it has no words, for all that follow. */
  sets: string[]
  redirects: Redirect[]
  name: string
  /** It runs whatever else happens. */
  certain: boolean
  /** It runs for each line of what a loop reads. */
  everyTime: boolean
  op: string
  /** The branches of `if` and `case` in which it stands: of one choice, only one place runs. */
  arms: {choice: number; place: number}[]
  loops: {kind: string; line: number}[]
  fn: string
  background: boolean
  nested: boolean
  condition: boolean
  subshell: boolean
  piped: boolean
  pipes: boolean
}

/**
 * One thing that people get wrong, under a name that stays. It has `pattern` or `find`. Its `kind`, `schedulers` and
 * `where` are those of its family, unless it says otherwise.
 */
interface Rule {
  kind?: Finding["kind"]
  schedulers?: Kind[]
  /** Where the pattern is searched. */
  where?: "first line" | "file" | "directive" | "comment" | "late comment" | "command" | "last command"
  /** The full names of the options in whose values alone the pattern is searched. */
  options?: string[]
  pattern?: RegExp
  /** Searched in the same text. */
  unless?: RegExp
  /** Options that the script must have. */
  needs?: string[]
  /** Options of which it must have none. */
  without?: string[]
  /** Some command must match it. */
  body?: RegExp
  /** No command may match it. */
  noBody?: RegExp
  unset?: true | "tested" // not where the script sets, or tests, the variable that the pattern finds first
  /** Says nothing of such a script. */
  excused?: (script: Script) => boolean
  /** What no pattern can express. */
  find?: (script: Script) => Iterable<{line: number; matched: any[]; written?: string; name?: string}>
  /**
   * What is wrong: `{0}` is what the pattern matched, `{1}` its first group, `{option}` the option's name, `{written}`
   * the option as it is written; `{{` is a brace.
   */
  words: string
  /** What to do, with the same places. */
  cure: string
  /** What to ask instead of the cure, if a known name is near. */
  meant?: (matched: string[]) => string | undefined
  /** The edit that is certain. */
  fix?: Fix
  /**
   * Samples of which the rule says something. Each is a script or a part of one: what does not begin with `#!` stands
   * below `#!/bin/bash`, unless the rule looks at the first line or the file. A page's engine has no samples.
   */
  bad: string[]
  /** Samples that are nearly bad, and of which no rule says anything. */
  good: string[]
}
/** What a fix works on; see fixes/fix.js. */
type Bench = any
/** The lines as they should be, several such tries, or null. */
type Fix = (bench: Bench) => string[] | string[][] | null

/** The element that "p.own-verdict" names. */
type Made<Name extends string> = Name extends `${infer Tag}.${string}`
  ? Made<Tag>
  : Name extends keyof HTMLElementTagNameMap
    ? HTMLElementTagNameMap[Name]
    : HTMLElement
type Inside = Node | string | null | Inside[]

declare var jobscript: {systems?: Record<string, System>; data?: Record<string, any>; chunks?: any; modules?: any}
declare var jobscriptPage: any
declare var myAccount: any
declare var judgeRecord: any
/** Of made/limits.js. */
declare const LIMITS: any
