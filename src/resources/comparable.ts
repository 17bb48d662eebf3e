import type { StateKind } from '../profile/states.js'

/** A list from which some fields take their values. The roles are not in the metadata. */
export type CatalogueList = 'platforms' | 'regions' | 'versions' | 'workspace_types' | 'roles'

/** How to compare the fields of a schema with those of a real service. */
export interface Comparable {
  /** The field that tells the items of a list apart. */
  readonly identity?: string | undefined
  /** Fields whose values follow from the requests: only these are compared. Others are data, or chance. */
  readonly stable?: readonly string[]
  /** Fields that hold a state, with its kind. */
  readonly states?: Readonly<Record<string, StateKind>>
  /** Fields whose values are from a list. */
  readonly lists?: Readonly<Record<string, CatalogueList>>
  /** The names that requests which change a resource have for its fields. */
  readonly sent?: Readonly<Record<string, string>>
  /** Fields of closed vocabularies that are neither states nor lists. */
  readonly words?: readonly string[]
  /** Fields with a sentence for people. */
  readonly messages?: readonly string[]
  /** Fields with a number as text. */
  readonly quantities?: readonly string[]
  /** Fields that only some replies have. */
  readonly occasional?: readonly string[]
  /** Fields with lists of objects of another schema. */
  readonly contents?: Readonly<Record<string, string>>
  /** Fields to copy from a reply that shows a pre-existing resource, and their names in a state document. */
  readonly carried?: readonly { readonly field: string; readonly as: string; readonly list?: CatalogueList }[]
}

/** By name of the schema. */
export type Comparables = Readonly<Record<string, Comparable>>
