import { type Static, Type } from '@sinclair/typebox'
import { schemaErrors } from '../../lib/check.js'
import { closed, duration } from '../../lib/closed.js'
import { DocumentError, parseDocument } from '../../lib/document-file.js'
import { OPERATION_IDS } from '../../lib/operation-ids.js'
import { lengthOf, parseDuration } from '../../lib/time.js'

const Until = closed({
  status: Type.Optional(Type.Array(Type.Integer(), { description: 'It ends with one of these statuses.' })),
  field: Type.Optional(Type.String({ description: 'Path of a field of the result, such as `status`.' })),
  in: Type.Optional(Type.Array(Type.String(), { description: 'It ends when the field has one of these values.' })),
  unless: Type.Optional(Type.Array(Type.String(), { description: 'It fails when the field has one of these.' })),
  every: duration('How long to wait between calls.'),
  within: duration('It fails after this long.')
})

const StepSchema = closed({
  name: Type.Optional(Type.String({ pattern: '^[a-z]\\w*$', description: 'By which later steps find its results.' })),
  operation: Type.Union(OPERATION_IDS.map((id) => Type.Literal(id))),
  each: Type.Optional(
    Type.String({ description: 'Repeats it for each result of an earlier step, or for a list in it.' })
  ),
  where: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Only for results with these fields.' })
  ),
  params: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Parameters of the path.' })),
  body: Type.Optional(Type.Unknown()),
  until: Type.Optional(Until)
})

/** What to call, one step after the other. */
const PlanSchema = closed({
  plan: Type.Literal(1),
  steps: Type.Array(StepSchema, { minItems: 1 }),
  finally: Type.Optional(Type.Array(StepSchema, { description: 'Runs at the end, whatever happened before.' }))
})

export type Plan = Static<typeof PlanSchema>
export type Step = Static<typeof StepSchema>

/** A plan cannot be used, or has failed. The message is one line for the user. */
export class PlanError extends Error {
  override readonly name = 'PlanError'
}

/**
 * Reads a plan in YAML or JSON.
 * @throws {PlanError} if it is none
 */
export async function readPlan(text: string): Promise<Plan> {
  const { document, placeOf } = await parseDocument(text).catch((error: unknown) => {
    throw error instanceof DocumentError ? new PlanError(error.message, { cause: error }) : error
  })
  const [error] = schemaErrors(PlanSchema, document)
  if (error !== undefined) throw new PlanError(`${error.field} ${error.reason} (${placeOf(error.field.split('.'))})`)
  const plan = document as Plan
  for (const { operation, until } of [...plan.steps, ...(plan.finally ?? [])]) {
    if (until === undefined) continue
    for (const name of ['every', 'within'] as const)
      if (parseDuration(until[name]) === undefined) throw new PlanError(`${operation}: until.${name} is no duration`)
    if (until.status === undefined && until.field === undefined)
      throw new PlanError(`${operation}: until needs a status or a field`)
  }
  return plan
}

/** A checked duration in milliseconds. */
export function millisecondsOf(text: string): number {
  return lengthOf(parseDuration(text)!)
}
