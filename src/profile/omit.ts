import { Type } from '@sinclair/typebox'
import type { Shape } from '../interface/schemas.js'
import { strict } from '../lib/strict.js'
import { by, checkKnown, checkOperation, type Complain } from './form.js'
import type { KnownStates, Phases, StateKind, StateWords } from './states.js'
import type { ShownResources } from './stored-kinds.js'

export const OmitSchema = by(
  'By built-in names of schemas: the built-in names of fields that replies omit.',
  Type.Array(Type.String(), { maxItems: 1000, uniqueItems: true })
)

const names = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 100, uniqueItems: true, description }))

export const ShownSchema = by(
  'By built-in names of schemas and fields: when replies have a field.',
  Type.Record(
    Type.String(),
    strict({
      in_states: names('The built-in states in which replies have it.'),
      only: names('operationIds of the only replies that have it.')
    })
  )
)

interface OmittedDocument {
  readonly omit?: Shape<typeof OmitSchema> | undefined
  readonly shown?: Shape<typeof ShownSchema> | undefined
}

/** The fields of each schema of replies. */
export type ReplyFields = ReadonlyMap<string, readonly string[]>

interface Known {
  readonly replies: ReplyFields
  readonly resources: ShownResources
  readonly states: KnownStates
}

export function checkOmit(
  { omit = {}, shown = {} }: OmittedDocument,
  { replies, resources, states }: Known,
  complain: Complain
): void {
  for (const [schema, fields] of Object.entries(omit)) {
    checkSchema(`omit.${schema}`, schema)
    for (const [index, field] of fields.entries()) checkField(`omit.${schema}.${index}`, schema, field)
  }
  for (const [schema, conditions] of Object.entries(shown)) {
    checkSchema(`shown.${schema}`, schema)
    for (const [field, { in_states: inStates = [], only = [] }] of Object.entries(conditions)) {
      const place = `shown.${schema}.${field}`
      checkField(place, schema, field)
      for (const [index, state] of inStates.entries()) checkState(`${place}.in_states.${index}`, schema, state)
      for (const [index, operation] of only.entries()) checkOperation(operation, `${place}.only.${index}`, complain)
    }
  }

  function checkSchema(place: string, schema: string): void {
    checkKnown(schema, [...replies.keys()], place, 'is not a schema of a reply', complain)
  }

  function checkField(place: string, schema: string, field: string): void {
    const known = replies.get(schema)
    if (known !== undefined) checkKnown(field, known, place, `must be a field of ${schema}, but is ${field}`, complain)
  }

  function checkState(place: string, schema: string, state: string): void {
    const kind = resources.get(schema)?.state
    if (kind === undefined) complain(place, `is not possible, because a ${schema} has no state`)
    else checkKnown(state, states[kind], place, `is not a state of a ${schema}`, complain)
  }
}

/** The replies that have a field. */
interface Condition {
  /** Words for the states in which they have it; undefined: all. */
  readonly words?: ReadonlySet<string> | undefined
  /** Operations whose replies have it; undefined: all. */
  readonly only?: ReadonlySet<string> | undefined
}

/** Fields that all or some replies omit, by schema. */
export type Omitted = ReadonlyMap<string, ReadonlyMap<string, Condition | 'always'>>

/** @param words the words for states in replies @param phases may have others */
export function compileOmit(
  { omit = {}, shown = {} }: OmittedDocument,
  resources: ShownResources,
  words: StateWords,
  phases: Phases
): Omitted {
  const fields = new Map<string, Map<string, Condition | 'always'>>()
  const set = (schema: string, field: string, condition: Condition | 'always') => {
    fields.set(schema, (fields.get(schema) ?? new Map<string, Condition | 'always'>()).set(field, condition))
  }
  const wordsOf = (kind: StateKind, state: string) => {
    const word = words[kind].toWire(state)
    return [word, ...(phases[state] ?? []).map(({ status = word }) => status)]
  }
  for (const [schema, conditions] of Object.entries(shown))
    for (const [field, { in_states: inStates, only }] of Object.entries(conditions))
      set(schema, field, {
        words: inStates && new Set(inStates.flatMap((state) => wordsOf(resources.get(schema)!.state!, state))),
        only: only && new Set(only)
      })
  for (const [schema, names] of Object.entries(omit)) for (const field of names) set(schema, field, 'always')
  return fields
}

/** Whether a reply lacks a field. @param item the object that would have it, as it is sent */
export function isLeftOut(
  condition: Condition | 'always' | undefined,
  item: { readonly status?: unknown },
  operationId: string
): boolean {
  if (condition === undefined || condition === 'always') return condition !== undefined
  return condition.words?.has(String(item.status)) === false || condition.only?.has(operationId) === false
}
