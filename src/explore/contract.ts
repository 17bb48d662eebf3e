import { type Static, Type } from '@sinclair/typebox'
import { html, htmlTable, reportPage, toned } from '../lib/report-page.js'
import { strict } from '../lib/strict.js'
import { inOrder, titleOf, type Trial } from './findings.js'
import { PLAN_NAMES } from './plans.js'
import { callInWords } from './points.js'
import { capital, count } from './words.js'

const oneOf = <const T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] })

/** Rules for how a client retries. The first rule for a call and a plan counts. */
export const ContractSchema = strict({
  // Version of the format.
  contract: Type.Literal(1),
  name: Type.Optional(Type.String({ maxLength: 256 })),
  rules: Type.Array(
    strict({
      // operationIds, or beginnings followed by `*`; all if absent.
      operations: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 100 })),
      on: Type.Array(oneOf(PLAN_NAMES), { minItems: 1, maxItems: 100 }),
      // Whether the client sends the call again.
      retry: oneOf(['must', 'must-not', 'may'])
    }),
    { minItems: 1, maxItems: 1000 }
  )
})

export type Contract = Readonly<Static<typeof ContractSchema>>
type ContractRule = Contract['rules'][number]

/** A rule applied to one call and fault, with the client's behaviour. */
type Clause = ReturnType<typeof clauseOf>[number]

export type Certificate = ReturnType<typeof certificateOf>

/** Checks trials against a contract. */
export function certificateOf({ name = '', rules }: Contract, trials: readonly Trial[]) {
  const clauses = inOrder(trials).flatMap((trial) => clauseOf(rules, trial))
  const number = (wanted: boolean | null) => clauses.filter(({ is_kept }) => is_kept === wanted).length
  const counts = { kept: number(true), broken: number(false), unknown: number(null) }
  return { format: 1 as const, contract: name, ...counts, clauses }
}

function clauseOf(rules: readonly ContractRule[], { plan, result, wasSentAgain }: Trial) {
  const [fault, ...others] = plan.faults
  const { kind: on, point } = fault!
  const { operation, resource } = point
  const rule = rules.find((one) => one.on.includes(on) && appliesTo(one, operation))
  if (rule === undefined || others.length > 0) return []
  const { retry } = rule
  const isKnown = result !== 'undecided' && result !== 'missed' && result !== 'unrepeated'
  // A client that looked, and saw that the work was done, need not send it again.
  const isDone = wasSentAgain || result === 'recovered'
  const isKept = retry === 'may' || (retry === 'must' ? isDone : !wasSentAgain)
  return [
    {
      operation,
      resource,
      on,
      retry,
      /** null: unknown, because the client was still waiting or never made the call. */
      was_sent_again: isKnown ? wasSentAgain : null,
      /** null: unknown. */
      is_kept: isKnown ? isKept : null,
      plan: titleOf(plan)
    }
  ]
}

/** Whether a rule applies to an operation. */
export function appliesTo(
  { operations = ['*'] }: { readonly operations?: readonly string[] },
  operation: string
): boolean {
  return operations.some((name) => (name.endsWith('*') ? operation.startsWith(name.slice(0, -1)) : name === operation))
}

/** A clause as a sentence, without its verdict. */
export function clauseInWords({ retry, was_sent_again: again, ...clause }: Clause): string {
  const asked = { must: 'must be sent again', 'must-not': 'must not be sent again', may: 'may be sent again' }[retry]
  const seen = again === null ? 'unknown whether it was' : again ? 'it was' : 'it was not'
  return `${callInWords(clause)} after ${clause.on} ${asked}; ${seen}`
}

/** A certificate as one page. */
export function certificateAsHtml(certificate: Certificate): string {
  const { contract, kept, broken, unknown, clauses } = certificate
  return reportPage('svc-mock explore', `contract ${contract}`.trim(), [
    `<p><b>${kept}</b> kept · <b>${broken}</b> broken · <b>${unknown}</b> unknown</p>`,
    `<p>${capital(count(clauses.length, 'clause'))}, one for each call and fault that the contract covers.</p>`,
    htmlTable(
      clauses.map((clause) => ({ cells: [verdictOf(clause.is_kept), html(clauseInWords(clause))] })),
      ['Verdict', 'Clause']
    )
  ])
}

const verdictOf = (isKept: boolean | null) =>
  isKept === null ? toned('quiet', 'unknown') : isKept ? toned('good', 'kept') : toned('bad', 'broken')
