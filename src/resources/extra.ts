import { Type } from '@sinclair/typebox'
import { extraState } from '../profile/by-profile.js'
import type { Extra } from '../profile/fields.js'
import type { StoredKind } from '../profile/stored-kinds.js'

/** Key in a view for the further fields of its row. A symbol, so that JSON leaves it out. */
export const EXTRA = Symbol('extra')

/** A record whose row can have further fields. */
export interface WithExtra {
  readonly extra?: Extra | null | undefined
}

/** The field that holds the further fields of a row, which a profile defines. */
export const extraField = (kind: StoredKind) => ({
  type: Type.Optional(Type.Unsafe<Extra | null>({ type: 'object' })),
  extraOf: kind,
  document: extraState(kind)
})

/** The further fields of a row after a change; the same object if nothing was set. */
export const changedExtra = (row: WithExtra, set: Extra | null): WithExtra['extra'] =>
  set === null ? row.extra : { ...row.extra, ...set }

/** Adds the further fields of a profile to a view. @param schema identifies the kind of view */
export type AddFields = <T extends object>(view: T, schema: object) => T
