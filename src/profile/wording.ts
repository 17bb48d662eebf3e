import type { FieldError } from '../interface/errors.js'
import { isoLength } from '../lib/time.js'
import { compileNames, type Names, type NamesDocument, namesErrors, type Vocabulary } from './names.js'
import { compileOmit, omitErrors, type Omitted, type OmittedDocument, type ReplyFields } from './omit.js'
import { type Phases, toPhasesDocument } from './phases.js'
import {
  type Allowed,
  compileStates,
  type KnownStates,
  type StateKind,
  type StatesDocument,
  statesErrors,
  type StateWords
} from './states.js'

/** The parts of a profile that say which words travel. */
interface WordingDocument extends OmittedDocument {
  readonly names?: NamesDocument | undefined
  readonly states?: StatesDocument | undefined
}

/** The built-in words. Other floors know them. */
export interface BuiltInWording {
  readonly vocabulary: Vocabulary
  readonly replies: ReplyFields
  readonly states: KnownStates
}

/** The words that travel. */
export interface Wording {
  readonly names: Names
  readonly omitted: Omitted
  readonly words: StateWords
}

/** The errors of parts that are valid individually. */
export function wordingErrors(
  { names = {}, states = {}, ...omitted }: WordingDocument,
  builtIn: BuiltInWording
): FieldError[] {
  return [
    ...statesErrors(states, builtIn.states),
    ...omitErrors(omitted, builtIn.replies, builtIn.states),
    ...namesErrors(names, builtIn.vocabulary)
  ]
}

/** @param document checked by {@link wordingErrors} */
export function compileWording({ names = {}, states = {}, ...omitted }: WordingDocument): Wording {
  const words = compileStates(states)
  return { names: compileNames(names), omitted: compileOmit(omitted, words), words }
}

/** The words that travel as parts of a profile: all states, and the names that are not the built-in ones. */
export function toWordingDocument(
  { names, omitted, words }: Wording,
  states: KnownStates,
  others: { readonly readableFor?: number | undefined; readonly phases: Phases; readonly allowed: Allowed }
): {
  states: StatesDocument
  names: NamesDocument
} & Omitted['document'] {
  const { readableFor, phases, allowed } = others
  return {
    states: {
      ...Object.fromEntries(
        Object.entries(states).map(([kind, known]) => {
          const { toWire } = words[kind as StateKind]
          return [kind, Object.fromEntries(known.map((state) => [state, toWire(state)]))]
        })
      ),
      ...(Object.keys(phases).length === 0 ? {} : { phases: toPhasesDocument(phases) }),
      ...(allowed.size === 0 ? {} : { allowed: Object.fromEntries(allowed) }),
      ...(readableFor === undefined ? {} : { deleted: { readable_for: isoLength(readableFor) } })
    },
    names: Object.fromEntries(
      Object.entries(names).map(([kind, renaming]) => [kind, Object.fromEntries(renaming.names)])
    ),
    ...omitted.document
  }
}
