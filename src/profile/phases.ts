import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { by, checkKnown, type Complain, length, readPositiveLength } from './form.js'

export const PhasesSchema = by(
  'What a workspace shows in a state, one phase after the other, by the built-in states.',
  Type.Array(
    closed({
      status: Type.Optional(
        Type.String({
          pattern: '^\\S(.*\\S)?$',
          maxLength: 64,
          description: 'Its `status`; that of the state if absent.'
        })
      ),
      condition: Type.Optional(Type.String({ maxLength: 64, description: 'Its `condition_type`; none if absent.' })),
      lasts: Type.Optional(length('How long it lasts: a duration. Absent for the last, which stays.'))
    }),
    { minItems: 1, maxItems: 10 }
  )
)
type PhasesDocument = Shape<typeof PhasesSchema>

/** What a workspace shows for a part of the time in a state. */
export interface Phase {
  /** undefined: the word for the state. */
  readonly status?: string
  /** undefined: none. */
  readonly condition?: string
  /** Milliseconds; `Infinity` for the last. */
  readonly lasts: number
}

/** The phases of each state that has any, by its built-in word. */
export type Phases = Readonly<Partial<Record<string, readonly Phase[]>>>

/** @param states the built-in states of a workspace */
export function compilePhases(document: PhasesDocument, states: readonly string[], complain: Complain): Phases {
  return Object.fromEntries(
    Object.entries(document).map(([state, phases]) => {
      const path = `states.phases.${state}`
      checkKnown(state, states, path, 'is not a state of a workspace', complain)
      return [
        state,
        phases.map(({ lasts, ...shown }, index) => {
          const isLast = index === phases.length - 1
          const field = `${path}.${index}.lasts`
          if (isLast && lasts !== undefined) complain(field, 'must be absent, because the last phase stays')
          if (!isLast && lasts === undefined) complain(field, 'is required, because another phase follows')
          const isEndless = isLast || lasts === undefined
          return { ...shown, lasts: isEndless ? Infinity : readPositiveLength(lasts, field, complain) }
        })
      ]
    })
  )
}
