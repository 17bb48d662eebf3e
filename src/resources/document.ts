import { type TSchema, Type } from '@sinclair/typebox'
import { enumeration, requestText } from '../lib/schemas.js'
import { isPlainTimestamp, parseTimestamp, toTimestamp } from '../lib/time.js'
import { SVC_VERSIONS } from './metadata/catalogue.js'
import type { Tx } from './tx.js'

/** More than a sandbox is made for; `--max-resources` and `--timeline-entries` say how many there may be. */
export const MOST_RESOURCES = 10_000_000

// The kinds of fields that the parts of a state document have.

/** One of a list that may change from version to version, so its type does not name them. */
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

/** A version of the database software. */
export const version = (absent: string) =>
  Type.Optional(
    among(
      SVC_VERSIONS.map(({ name }) => name),
      byDefault('Version of the database software', absent)
    )
  )

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const count = (description: string, minimum = 0) =>
  Type.Optional(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description }))

/** A list of resources. How many there may be in all, an option says; this is more than any sandbox could work with. */
export const resources = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Array(schema, { maxItems: MOST_RESOURCES, ...(description === undefined ? {} : { description }) }))

/** Collects what is wrong with a document although each of its fields is right by itself. */
export interface DocumentCheck {
  readonly complain: (field: string, reason: string) => void
  /** Complains of a value that the document has already, of the same kind. */
  readonly unique: (kind: string, field: string, value: string | undefined) => void
}

/** The id and the name of what a document adds: one with a readable id is named by it, too. */
export function identify(
  tx: Tx,
  kind: string,
  { id: given, name }: { id?: string; name?: string }
): { id: string; name: string } {
  const id = given ?? tx.newId()
  return { id, name: name ?? given ?? `${kind}-${id.slice(0, 8)}` }
}

/** A time in a document that was checked. */
export const time = (text: string): number => parseTimestamp(text)!

/** A timestamp in the one form that replies have; the present if there is none. */
export const timestamp = (tx: Tx, text: string | undefined): string =>
  text === undefined ? tx.timestamp : isPlainTimestamp(text) ? text : toTimestamp(time(text))
