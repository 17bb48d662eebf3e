import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { by, checkKnown, type Complain, forEach, length, positiveLength, readLength } from './form.js'
import { checkRenames, type Renames, renaming } from './renaming.js'

const words = (of: string, pattern = '^\\S(.*\\S)?$') =>
  Type.Optional(by(`States of ${of}.`, Type.String({ pattern, maxLength: 64 })))

const AllowedSchema = by(
  'By transition: those of its built-in states in which it can be requested.',
  Type.Array(Type.String(), { maxItems: 100, uniqueItems: true })
)

const PhasesSchema = by(
  'By the built-in states of a workspace: what it shows in turn during a state.',
  Type.Array(
    strict({
      status: Type.Optional(
        Type.String({
          pattern: '^\\S(.*\\S)?$',
          maxLength: 64,
          description: 'Its `status`; that of the state if absent.'
        })
      ),
      condition: Type.Optional(Type.String({ maxLength: 64, description: 'Its `condition_type`; none if absent.' })),
      lasts: Type.Optional(positiveLength('How long it lasts: a duration. Absent for the last, which stays.'))
    }),
    { minItems: 1, maxItems: 10 }
  )
)
export const StatesSchema = strict(
  {
    workspace: words('a workspace (`status`); `gone` is the end of a deleted one'),
    refresh: words('a refresh (`refresh_status`), which is empty before the first', '^(\\S(.*\\S)?)?$'),
    backup: words('a backup'),
    restore_job: words('a restore job'),
    phases: Type.Optional(PhasesSchema),
    allowed: Type.Optional(AllowedSchema),
    deleted: Type.Optional(
      strict(
        { readable_for: length('By the clock of the sandbox: a duration.') },
        {
          description:
            'How long getWorkspace shows a deleted workspace, with the word for `gone` as its `status`, and with ' +
            '`deleted_at`. If absent, it answers with a 404 at once.'
        }
      )
    )
  },
  { description: 'Words by the built-in states, one to one for each kind.' }
)
type StatesDocument = Shape<typeof StatesSchema>

const KINDS = ['workspace', 'refresh', 'backup', 'restore_job'] as const
export type StateKind = (typeof KINDS)[number]

/** The built-in states of each kind. */
export type KnownStates = Readonly<Record<StateKind, readonly string[]>>

interface Words {
  readonly toWire: (state: string) => string
  /** The state that a word means. A built-in state means itself, unless it is the word for another. */
  readonly fromWire: (word: string) => string
}

/** The words for states in requests and replies. Internally, states have their built-in words. */
export type StateWords = Readonly<Record<StateKind, Words>>

export function checkStates(states: StatesDocument, known: KnownStates, complain: Complain): void {
  for (const kind of KINDS)
    checkRenames(states[kind] ?? {}, known[kind], `states.${kind}`, `a state of a ${kind.replace('_', ' ')}`, complain)
}

function wordsOf(renames?: Renames): Words {
  const { toWire, names } = renaming(renames)
  const states = new Map([...names].map(([state, word]) => [word, state]))
  return { toWire, fromWire: (word) => states.get(word) ?? word }
}

export const BUILT_IN_WORDS: StateWords = forEach(KINDS, () => wordsOf())

/** @param states checked by {@link checkStates} */
export const compileStates = (states: StatesDocument): StateWords =>
  KINDS.some((kind) => kind in states) ? forEach(KINDS, (kind) => wordsOf(states[kind])) : BUILT_IN_WORDS

/** The states of a workspace in which a transition can be requested, by transitions that a profile limits. */
export type Allowed = ReadonlyMap<string, readonly string[]>

/** @param requestable the states of a workspace in which each transition can be requested */
export function compileAllowed(
  { allowed = {} }: StatesDocument,
  requestable: ReadonlyMap<string, readonly string[]>,
  complain: Complain
): Allowed {
  for (const [name, allowedIn] of Object.entries(allowed)) {
    const path = `states.allowed.${name}`
    checkKnown(name, [...requestable.keys()], path, 'is not a transition that can be requested', complain)
    const states = requestable.get(name) ?? allowedIn
    const reason = `is not a state in which it can be requested: ${states.join(', ')}`
    for (const [index, state] of allowedIn.entries()) checkKnown(state, states, `${path}.${index}`, reason, complain)
  }
  return new Map(Object.entries(allowed))
}

/** How a workspace looks during a part of a state. */
export interface Phase {
  /** undefined: the word for the state. */
  readonly status?: string
  /** undefined: none. */
  readonly condition?: string
  /** Milliseconds; `Infinity` for the last. */
  readonly lasts: number
}

/** Phases by the built-in word of a state. */
export type Phases = Readonly<Partial<Record<string, readonly Phase[]>>>

/** @param states the built-in states of a workspace */
export function compilePhases(
  { phases: document = {} }: StatesDocument,
  states: readonly string[],
  complain: Complain
): Phases {
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
          return { ...shown, lasts: isEndless ? Infinity : readLength(lasts) }
        })
      ]
    })
  )
}
