import { type TSchema, Type } from '@sinclair/typebox'
import { enumeration, requestText } from '../interface/schemas.js'
import { isPlainTimestamp, parseTimestamp, toTimestamp } from '../lib/time.js'
import { fromCatalogue } from '../profile/from-catalogue.js'
import type { StateWords } from '../profile/states.js'
import type { Tx } from './tx.js'

/** More than a sandbox is made for; the actual limits are `--max-resources` and `--timeline-entries`. */
export const MOST_RESOURCES = 10_000_000

// Schemas for the fields of state documents.

/** One value of a list that may change between versions, so its type does not name them. */
export const among = (values: readonly string[], description: string) => enumeration<string>(values, description)

export const byDefault = (text: string, value: string) => `${text}; ${value} if absent.`

export const id = Type.Optional(
  Type.String({
    format: 'readable-id',
    description: 'Any readable name, which then stands in URLs; a new UUID if absent.'
  })
)

export const text = (description: string) => Type.Optional(Type.String({ ...requestText, description }))

export const anyText = (description: string) => Type.Optional(Type.String({ description }))

export const when = (description: string, absent = 'the time of the clock') =>
  Type.Optional(Type.String({ format: 'timestamp', description: `${description}; ${absent} if absent.` }))

/** A version of the database software; that of the catalogue if absent, unless another default is given. */
export const version = (absent?: string) =>
  Type.Optional(
    fromCatalogue('versions', (defaults) => byDefault('Version of the database software', absent ?? defaults.version))
  )

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const count = (description: string, minimum = 0) =>
  Type.Optional(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description }))

/** A list of resources. An option limits their total number; this limit exceeds anything a sandbox could handle. */
export const resources = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Array(schema, { maxItems: MOST_RESOURCES, ...(description === undefined ? {} : { description }) }))

/** Collects the errors of a document whose fields are valid individually. */
export interface DocumentCheck {
  readonly complain: (field: string, reason: string) => void
  /** Reports a value that the document has already used for the same kind of thing. */
  readonly unique: (kind: string, field: string, value: string | undefined) => void
  /** Those in which errors name states. */
  readonly words: StateWords
}

/** The id and name of a new resource. A given id also serves as the name if there is none. */
export function identify(
  tx: Tx,
  kind: string,
  { id: given, name }: { id?: string; name?: string }
): { id: string; name: string } {
  const id = given ?? tx.newId()
  return { id, name: name ?? given ?? `${kind}-${id.slice(0, 8)}` }
}

/** A time in a checked document. */
export const time = (text: string): number => parseTimestamp(text)!

/** A timestamp in the form used in replies; the current time if absent. */
export const timestamp = (tx: Tx, text: string | undefined): string =>
  text === undefined ? tx.timestamp : isPlainTimestamp(text) ? text : toTimestamp(time(text))
