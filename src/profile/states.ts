import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { closed } from '../lib/closed.js'
import { TRANSITION_NAMES } from './durations.js'
import { by, checkKnown, type Complain, forEach, length, readLength } from './form.js'
import { PhasesSchema } from './phases.js'
import { checkRenames, type Renames, Renaming } from './renaming.js'

const words = (of: string, pattern = '^\\S(.*\\S)?$') =>
  Type.Optional(by(`States of ${of}.`, Type.String({ pattern, maxLength: 64 })))

const AllowedSchema = by(
  'By transition: the built-in states in which it can be asked for, of those in which it can be by itself.',
  Type.Array(Type.String(), { maxItems: 100, uniqueItems: true })
)

/** The part `states` of a profile. */
export const StatesSchema = closed(
  {
    workspace: words('a workspace (`status`); `gone` is the end of a deleted one'),
    refresh: words('a refresh (`refresh_status`), which is empty before the first', '^(\\S(.*\\S)?)?$'),
    backup: words('a backup'),
    restore_job: words('a restore job'),
    phases: Type.Optional(PhasesSchema),
    allowed: Type.Optional(AllowedSchema),
    deleted: Type.Optional(
      closed(
        { readable_for: length('How long, by the clock of the sandbox: a duration.') },
        {
          description:
            'A deleted workspace stays readable for a while, by getWorkspace only: with the word for `gone` as its ' +
            '`status`, and with `deleted_at`. Without it, it is a 404 at once.'
        }
      )
    )
  },
  { description: 'Words by the built-in states; one to one for each kind.' }
)
type StatesDocument = Shape<typeof StatesSchema>

/** The kinds of things that have states. */
const KINDS = ['workspace', 'refresh', 'backup', 'restore_job'] as const
export type StateKind = (typeof KINDS)[number]

/** The built-in states of each kind. */
export type KnownStates = Readonly<Record<StateKind, readonly string[]>>

/** The words for the states of one kind. */
interface Words {
  readonly toWire: (state: string) => string
  /** The state that a word stands for. A built-in state stands for itself, unless it is the word for another. */
  readonly fromWire: (word: string) => string
}

/** The words of the interface for all states. Inside, states are the built-in ones. */
export type StateWords = Readonly<Record<StateKind, Words>>

export function checkStates(states: StatesDocument, known: KnownStates, complain: Complain): void {
  for (const kind of KINDS)
    checkRenames(states[kind] ?? {}, known[kind], `states.${kind}`, `a state of a ${kind.replace('_', ' ')}`, complain)
}

function wordsOf(renames: Renames = {}): Words {
  const { toWire, names } = new Renaming(renames)
  const states = new Map([...names].map(([state, word]) => [word, state]))
  return { toWire, fromWire: (word) => states.get(word) ?? word }
}

/** The words of a server without a profile. */
export const BUILT_IN_WORDS: StateWords = forEach(KINDS, () => wordsOf())

/** @param states checked by {@link checkStates} */
export function compileStates(states: StatesDocument): StateWords {
  const isOther = (kind: StateKind) => Object.entries(states[kind] ?? {}).some(([state, word]) => state !== word)
  return KINDS.some(isOther) ? forEach(KINDS, (kind) => wordsOf(states[kind])) : BUILT_IN_WORDS
}

/** The states of a workspace in which transitions can be asked for, where a profile says it. */
export type Allowed = ReadonlyMap<string, readonly string[]>

/** @param states those of a workspace */
export function compileAllowed(
  { allowed = {} }: StatesDocument = {},
  states: readonly string[],
  complain: Complain
): Allowed {
  for (const [name, own] of Object.entries(allowed)) {
    const path = `states.allowed.${name}`
    checkKnown(name, TRANSITION_NAMES, path, 'is not a transition', complain)
    for (const [index, state] of own.entries())
      checkKnown(state, states, `${path}.${index}`, 'is not a state of a workspace', complain)
    // Otherwise nothing could stop by itself.
    if (name === 'workspace.pause' && !own.includes('Active')) complain(path, 'must have Active')
  }
  return new Map(Object.entries(allowed))
}

/** How long a deleted workspace stays readable, in milliseconds; undefined: not at all. */
export function readableForOf({ deleted }: StatesDocument = {}, complain: Complain): number | undefined {
  return deleted && readLength(deleted.readable_for, 'states.deleted.readable_for', complain)
}
