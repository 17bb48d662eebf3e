import type { StateKind } from '../profile/states.js'

/** A list that the values of some fields are from. The roles are not in the metadata. */
export type CatalogueList = 'platforms' | 'regions' | 'versions' | 'workspace_types' | 'roles'

/** How a field of a reply becomes the field of the same name in a state document: a name is looked up in its list. */
export type Carried = 'text' | 'flag' | 'whole number' | 'timestamp' | 'objects' | 'object' | CatalogueList

/** What a comparison with a real service must know of the fields of a schema. */
export interface Comparable {
  /** The field that tells the items of a list apart. */
  readonly identity?: string
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
  /** What the mock takes over from a reply that shows a resource which was there before. */
  readonly carried?: Readonly<Record<string, Carried>>
}

/** By the name of the schema. */
export type Comparables = Readonly<Record<string, Comparable>>
