import { Type } from '@sinclair/typebox'
import type { Extra } from '../profile/fields.js'

/** Key in a view for the further fields that its row has. A symbol, so that it is in no JSON. */
export const EXTRA = Symbol('extra')

/** A record whose row can have further fields. */
export interface WithExtra {
  readonly extra?: Extra | null | undefined
}

/** The column with the further fields that a profile gives a row. */
export const extraColumn = { type: Type.Optional(Type.Unsafe<Extra | null>({ type: 'object' })) } as const

/** Adds the further fields of a row to its view, where only the reply's schema makes them visible. */
export function withExtra<T extends object>(view: T, { extra }: WithExtra): T {
  if (extra !== null && extra !== undefined) (view as { [EXTRA]?: Extra })[EXTRA] = extra
  return view
}

/** The further fields of a row after a change; the same object if nothing was set. */
export const changedExtra = (row: WithExtra, set: Extra | null): WithExtra['extra'] =>
  set === null ? row.extra : { ...row.extra, ...set }

/** The further fields of a row in a state document. */
export const extraOf = ({ extra }: WithExtra): { extra?: Extra } =>
  extra === null || extra === undefined ? {} : { extra }

/** Adds the further fields of a profile to a view. @param schema that of the view, by which it is found again */
export type AddFields = <T extends object>(view: T, schema: object) => T
