// The account of a moved job.
import {todo} from "./entries.js"
import {escaped} from "./leftovers.js"

/** The account that is written there: the own one if it has the form of those there. */
function accountOf(here, there, account, endings) {
  const {sample, forms} = there.account
  if (!sample) return null
  const ending = endings.find(each => account?.endsWith(each))
  if (ending) account = account.slice(0, -ending.length)
  const form = each => RegExp(`^${escaped(each).replace(/#/g, "[0-9]").replace(/\\\*/g, "[\\w-]+")}$`)
  for (const each of account ? [account, account.toLowerCase()] : [])
    // capital letters do not matter to Slurm
    if (forms.some(known => form(known).test(each))) return each
  return account && here.centre === there.centre && !forms.length ? account : sample
}

/** plan: UPDATED. old: the account of the script, or null */
export function giveAccount(from, to, plan, old) {
  const {endings = []} = to.advice?.account ?? {} // which Slurm adds there
  plan.account = accountOf(from.move, to.move, old, endings)
  const starts = plan.allocated ? to.rules.allocation_accounts : [""]
  if (!starts.some(start => plan.account?.startsWith(start) ?? true))
    plan.account = plan.account.replace(/^[a-z]+-/, starts[0])
  const like = ["", ...endings].map(ending => `${plan.account}${ending}`)
  plan.sameAccount = plan.account !== null && [old, old?.toLowerCase()].some(each => like.includes(each))
  plan.notes.account = plan.sameAccount
    ? plan.account === old
      ? ""
      : old.toLowerCase() === plan.account
        ? `${to.name} writes this account in lowercase.`
        : `Slurm adds \`${old.slice(plan.account.length)}\` to the account itself.`
    : `Replace this with your account on ${to.name}.`
  const own = from.move.centre === to.move.centre && plan.sameAccount
  const usual = old?.replace(/^r[rp][gp]-/, "def-")
  if (own && old && !/^def-/.test(old))
    plan.impossible.push(
      `Check that the account \`${plan.account}\` can be used on ${to.name}.${usual === old ? "" : ` Such awards are for one system. Otherwise, use your default account, which begins with \`def-\`.`}`,
    )
  for (const [site, menu] of from.move.centre === to.move.centre && from.name !== to.name ? to.move.access : [])
    plan.impossible.push({
      kind: "access",
      text: `If you have no access to ${to.name}, request it at ${site}, under ${menu.replace(/\s+/g, " ")}.`,
    })
  if (plan.account && !plan.sameAccount)
    plan.impossible.push(todo.account`Replace \`${plan.account}\` with your account on ${to.name}.`)
}
