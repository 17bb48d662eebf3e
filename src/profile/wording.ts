import { isoLength } from '../lib/time.js'
import type { Complain } from './form.js'
import { checkNames, compileNames, type Names, type NamesDocument, type Vocabulary } from './names.js'
import { checkOmit, compileOmit, type Omitted, type OmittedDocument, type ReplyFields } from './omit.js'
import { type Phases, toPhasesDocument } from './phases.js'
import {
  type Allowed,
  checkStates,
  compileStates,
  type KnownStates,
  type StateKind,
  type StatesDocument,
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

/** Checks parts that are valid individually. */
export function checkWording(
  { names = {}, states = {}, ...omitted }: WordingDocument,
  builtIn: BuiltInWording,
  complain: Complain
): void {
  checkStates(states, builtIn.states, complain)
  checkOmit(omitted, builtIn.replies, builtIn.states, complain)
  checkNames(names, builtIn.vocabulary, complain)
}

/** @param document checked by {@link checkWording} */
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
