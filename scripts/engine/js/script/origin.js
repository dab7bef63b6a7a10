// For which system a script was written, by what it names: account, partition, GPUs, modules.
import {data} from "../data.js"
import {schedulerOf} from "../schedulers/registry.js"
import {live} from "./directives.js"

const SURE = 2 // so much more than any other system
const LOADS = /^\s*(?:module\s+(?:load|add)|ml)\s+([^#;&|]+)/gm
const family = module => module.split("/")[0]

/** The models in `gpu:v100:2,nvme:100`, or in `h100:2` of the other options. */
const types = ({name, value}) =>
  (value ?? "")
    .split(",")
    .map(item => item.split(":"))
    .filter(([first]) => name !== "gres" || first === "gpu")
    .map(parts => parts[name === "gres" ? 1 : 0] ?? "")
    .filter(type => /[a-z]/i.test(type) && !type.includes("$"))

/** What a script names that differs between systems; of Grid Engine, which one system has, only that it is that. */
function named(text) {
  const lines = text.split("\n")
  const kind = live(lines, "slurm").length ? "slurm" : live(lines, "grid_engine").length ? "grid_engine" : null
  const options = kind === "slurm" ? schedulerOf(kind).readOptions(text) : []
  const values = wanted =>
    options.filter(({name, value}) => name === wanted && value && !value.includes("$")).map(({value}) => value)
  return {
    kind,
    account: values("account"),
    partition: values("partition").flatMap(value => value.split(",")),
    GPU: options.filter(({name}) => /^(?:gres|gpus(?:-per-\w+)?)$/.test(name)).flatMap(types),
    module: [...text.matchAll(LOADS)].flatMap(([, words]) => words.trim().split(/\s+/)),
  }
}

/** What of it a system has; what it does not have speaks against it. */
function scored(key, signs, said) {
  const {name, kind, accounts = [], partitions = [], gpus = [], modules = []} = signs
  const has = {
    account: value => (accounts.length ? accounts.some(form => RegExp(`^(?:${form})$`).test(value)) : null),
    partition: value => (partitions.length ? partitions.includes(value) : null),
    GPU: value => gpus.includes(value),
    module: value => modules.includes(value) || (modules.some(own => family(own) === family(value)) ? true : null),
  }
  let score = said.kind === "grid_engine" && kind === said.kind ? SURE : 0
  const why = score ? ["Grid Engine's options"] : []
  if (said.kind && kind !== said.kind) score = -Infinity
  for (const [what, fits] of Object.entries(has))
    for (const value of new Set(said[what])) {
      const fit = fits(value)
      if (fit === null) continue
      score += (fit ? 1 : -1) * (what === "module" ? 1 : SURE)
      if (fit) why.push(`${what} \`${value}\``)
    }
  return {key, name, score, why: why.join(", ")}
}

/**
 * @param {string} text a script's
 * @returns {{key: string, name: string, score: number, why: string}[]} the systems that it fits: one where it is clear,
 *   several where it may be any of them, none where it names nothing
 */
export function originsOf(text) {
  const said = named(text)
  const found = Object.entries(data.advice.signs).map(([key, signs]) => scored(key, signs, said))
  const most = Math.max(...found.map(({score}) => score))
  return most >= SURE ? found.filter(({score}) => score > most - SURE) : []
}
