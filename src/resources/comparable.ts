import type { StateKind } from '../profile/states.js'

/** A list from which some fields take their values. The roles are not in the metadata. */
export type CatalogueList = 'platforms' | 'regions' | 'versions' | 'workspace_types' | 'roles'

/** A text: a sentence for people, a number, ids and words with punctuation, a cron expression, or a password. */
export type Masked = 'message' | 'quantity' | 'composed' | 'cron' | 'secret'

/** How to compare the fields of a schema with those of a real service. */
export interface Comparable {
  /** The field that tells the items of a list apart. */
  readonly identity?: string | undefined
  /** Fields whose values follow from the requests: only these are compared. Others are data, or chance. */
  readonly stable?: readonly string[]
  /** Fields that hold a state, with its kind. */
  readonly states?: Readonly<Record<string, StateKind>>
  /** Fields of requests which create a resource, with the list of their values and the field that shows these. */
  readonly chosen?: readonly { readonly field: string; readonly list: CatalogueList; readonly shown: string }[]
  /** The names that requests which change a resource have for its fields. */
  readonly sent?: Readonly<Record<string, string>>
  /** Fields of closed vocabularies that are neither states nor lists. */
  readonly words?: readonly string[]
  readonly masked?: Readonly<Record<string, Masked>>
  /** Fields that only some replies have. */
  readonly occasional?: readonly string[]
  /** Fields with lists of objects of another schema. */
  readonly contents?: Readonly<Record<string, string>>
  /** Fields to copy from a reply that shows a pre-existing resource, and their names in a state document. */
  readonly carried?: readonly { readonly field: string; readonly as: string; readonly list?: CatalogueList }[]
}

/** By name of the schema. */
export type Comparables = Readonly<Record<string, Comparable>>
