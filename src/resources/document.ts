import { type TSchema, Type } from '@sinclair/typebox'
import { requestText } from '../interface/schemas.js'
import { parseTimestamp } from '../lib/time.js'
import { fromCatalogue } from '../profile/by-profile.js'
import type { StateWords } from '../profile/states.js'
import type { NewRow } from './field-table.js'
import { CALLER } from './org-users/seed.js'

/** Far above what a sandbox can hold; the actual limits are `--max-resources` and `--timeline-entries`. */
export const MOST_RESOURCES = 10_000_000

// Schemas for the fields of state documents.

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

export const resources = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Array(schema, { maxItems: MOST_RESOURCES, ...(description === undefined ? {} : { description }) }))

/** The field `creator` of a resource. */
export const CREATOR = {
  type: Type.String(),
  default: CALLER,
  document: text(byDefault('E-mail address of the user who created it', CALLER)),
  reply: Type.String({ description: 'E-mail address of the user who created it.' })
} as const

/** Collects the errors of a document whose fields are valid individually. */
export interface DocumentCheck {
  readonly complain: (field: string, reason: string) => void
  /** Complains about a value that the document has already used for the same kind of thing. */
  readonly unique: (kind: string, field: string, value: string | undefined) => void
  /** The error of a cron line, if it has one. */
  readonly cronProblem: (line: string) => string | undefined
  /** The words for states in errors. */
  readonly words: StateWords
}

/** A time in a checked document. */
export const time = (text: string): number => parseTimestamp(text)!

// Defaults of new rows.

export const newId = (tx: NewRow): string => tx.newId()

export const atCreation = ({ timestamp }: NewRow): string => timestamp

/** The default name of a resource: a given id also serves as its name. */
export const nameOf =
  (kind: string) =>
  (_: NewRow, given: { readonly id?: string }, row: { readonly id: string }): string =>
    given.id ?? `${kind}-${row.id.slice(0, 8)}`
