// How many parameters a model has, by its name: as snippets/measured/models.csv counts them, else as the name says.

// `7B` in a name; not the 3B that work in `30B-A3B`.
const SIZE = /(?:^|[-_/])(\d+(?:\.\d+)?)b(?![\w.])/i
const EXPERTS = /\d+x\d+b/i // experts share layers, so their product is no number of parameters
const expertsOf = name => EXPERTS.exec(name)?.[0].toLowerCase()
const plain = text =>
  text
    .toLowerCase()
    .replace(/^.*\//, "")
    .replace(/[-_ ](?:instruct|chat|it|base|hf|v0\.\d|\d{4})(?=[-_ ]|$)/g, "")
    .replace(/^meta[-_ ]|[^a-z0-9.]/g, "")

const named = new WeakMap()
/** The counted model that a text names: `meta-llama/Llama-3.1-8B-Instruct`. */
export function counted(models, text) {
  if (!named.has(models)) named.set(models, new Map(models.toReversed().map(model => [plain(model.name), model])))
  return named.get(models).get(plain(text))
}

/** Counted models of the family that a text names. */
export function family(models, text) {
  const start = plain(text).match(/^[a-z]{2,}/)?.[0]
  return models.filter(({name}) => start && plain(name).startsWith(start))
}

/** Parameters of the model that a text names; 0: the name does not tell. @param {any[]} models @param {string} [text] */
export function parametersOf(models, text = "") {
  const alike = expertsOf(text) && models.find(({name}) => expertsOf(name) === expertsOf(text))
  const found = counted(models, text) ?? alike
  return found ? found.parameters : 1e9 * Number(SIZE.exec(text)?.[1] ?? 0)
}
