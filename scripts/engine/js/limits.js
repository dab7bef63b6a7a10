// Which limits a job breaks. The rows are those of scripts/facts/limits.yml: no other file here compares a job with one.
import {data} from "./data.js"

/**
 * @typedef {"partitions" | "gpus" | "qos" | "policy"} Group what the facts give limits to
 * @typedef {object} Violation
 * @property {string} key as the facts name the limit
 * @property {any} row of the table: quantity, test, only, refusal, slurm
 * @property {number} limit
 * @property {number} asked
 */

/** What is so of a job of whom nothing else is known. */
const ANYBODY = {no_allocation: true}

const isFor = (row, all) => !row.only || all[row.only]

/**
 * The limits that a job breaks, in the order of the table.
 * @param {Group} group @param {Record<string, number> | undefined} own limits by their keys, in minutes, MiB or counts
 * @param {object} all what the job asks for, as quantities.js has it @returns {Violation[]}
 */
export const violations = (group, own = {}, all) =>
  Object.entries(data.limits[group])
    .map(([key, row]) => ({key, row, limit: own[key], asked: all[row.quantity]}))
    .filter(({row, limit, asked}) => isFor(row, all) && (row.test === "at_least" ? asked < limit : asked > limit))

/**
 * How much of a quantity such a job can have, or must: Infinity or 0 where nothing limits it.
 * @param {Record<string, number> | undefined} own @param {string} quantity
 * @param {{test?: "at_most" | "at_least", all?: object, group?: Group}} [of]
 */
export function limitOf(own = {}, quantity, {test = "at_most", all = ANYBODY, group = "partitions"} = {}) {
  const found = Object.entries(data.limits[group])
    .filter(([key, row]) => key in own && row.quantity === quantity && row.test === test && isFor(row, all))
    .map(([key]) => own[key])
  return test === "at_most" ? Math.min(...found) : Math.max(0, ...found)
}
