import { type Static, Type } from '@sinclair/typebox'
import { OPERATION_IDS } from '../../interface/operation-ids.js'
import { closed, duration } from '../../lib/closed.js'
import { lengthOf, parseDuration } from '../../lib/time.js'
import type { StateKind } from '../../profile/states.js'

const STATE_KINDS = ['workspace', 'refresh', 'backup', 'restore_job'] as const satisfies readonly StateKind[]

const Until = closed({
  status: Type.Optional(Type.Array(Type.Integer(), { description: 'It ends with one of these statuses.' })),
  field: Type.Optional(Type.String({ description: 'Path of a field of the result, such as `status`.' })),
  in: Type.Optional(Type.Array(Type.String(), { description: 'It ends when the field has one of these values.' })),
  unless: Type.Optional(Type.Array(Type.String(), { description: 'It fails when the field has one of these.' })),
  states: Type.Optional(
    Type.Union(
      STATE_KINDS.map((kind) => Type.Literal(kind)),
      {
        description: 'The field is such a state: `in` and `unless` are built-in ones, said in the words of the profile.'
      }
    )
  ),
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
  required: Type.Optional(
    Type.Boolean({ description: 'The plan fails if it is refused. It does anyway if later steps need the result.' })
  ),
  until: Type.Optional(Until)
})

/** At five calls a second, this takes three minutes. */
const MOST_STEPS = 1000

/** What to call, one step after the other. */
export const PlanSchema = closed({
  plan: Type.Literal(1),
  steps: Type.Array(StepSchema, { minItems: 1, maxItems: MOST_STEPS }),
  finally: Type.Optional(
    Type.Array(StepSchema, { maxItems: MOST_STEPS, description: 'Runs at the end, whatever happened before.' })
  )
})

export type Plan = Static<typeof PlanSchema>
export type Step = Static<typeof StepSchema>

/** A step as it is told to the user, such as `step 2 (getWorkgroup)`. */
export function stepName({ operation }: Step, index: number, part: 'steps' | 'finally'): string {
  return `${part === 'steps' ? 'step' : 'step at the end'} ${index + 1} (${operation})`
}

/** A checked duration in milliseconds. */
export function millisecondsOf(text: string): number {
  return lengthOf(parseDuration(text)!)
}
