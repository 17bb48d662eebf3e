import type { TSchema } from '@sinclair/typebox'
import type { StateKind } from '../profile/states.js'

/** A list that the values of some fields are from. The roles are not in the metadata. */
export type CatalogueList = 'platforms' | 'regions' | 'versions' | 'workspace_types' | 'roles'

/** What a comparison with a real service must know of the fields of a schema. */
export interface Comparable {
  /** The field that tells the items of a list apart. */
  readonly identity?: string | undefined
  /** Fields whose values follow from the requests: only these are compared. Others are data, or chance. */
  readonly stable?: readonly string[]
  /** Fields that hold a state, with what it is a state of. */
  readonly states?: Readonly<Record<string, StateKind>>
  /** Fields whose values are from a list. */
  readonly lists?: Readonly<Record<string, CatalogueList>>
  /** Fields of closed vocabularies besides states and lists. */
  readonly words?: readonly string[]
  /** Fields with a sentence for people. */
  readonly messages?: readonly string[]
  /** Fields with a number as a text. */
  readonly quantities?: readonly string[]
  /** Fields that a reply has only sometimes. */
  readonly occasional?: readonly string[]
  /**
   * Fields that the mock takes over from a reply that shows a resource which was there before: a state document has
   * them under the same names, with these schemas.
   */
  readonly carried?: readonly { readonly field: string; readonly schema: TSchema; readonly list?: CatalogueList }[]
}

/** By the name of the schema. */
export type Comparables = Readonly<Record<string, Comparable>>
