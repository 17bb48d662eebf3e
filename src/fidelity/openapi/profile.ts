import type { FieldType } from '../../profile/fields.js'
import type { CatalogueDocument, ProfileDocument } from '../../profile/schemas.js'
import type { ItemAction } from '../../profile/stubs.js'

/** The kinds of things that have states. */
export type StateKind = 'workspace' | 'refresh' | 'backup' | 'restore_job'

/** A further field of a schema. */
export type FieldRule =
  | {
      readonly type: FieldType
      readonly enum?: readonly unknown[]
      readonly nullable?: true
      readonly default: unknown
      set_by?: string[]
    }
  | { readonly from: string }

/** A further path of an operation, or one less. */
export type RouteRule =
  | {
      readonly method: string
      readonly path: string
      readonly operation: string
      readonly parameters?: Readonly<Record<string, string>>
      readonly result?: 'array'
    }
  | { readonly operation: string; readonly off: true }

export interface StubRule {
  readonly method?: string
  readonly path: string
  readonly status?: number
  readonly body?: unknown
  readonly request?: Readonly<
    Record<string, { readonly type?: FieldType; readonly enum?: readonly unknown[]; readonly required?: true }>
  >
  readonly collection?: {
    readonly id: string
    readonly does?: readonly ItemAction[]
    readonly created?: number
    readonly deleted?: number
    readonly adds?: Readonly<Record<string, unknown>>
    readonly list?: unknown
  }
}

export interface NamesRule {
  fields?: Record<string, string>
  schemas?: Record<string, string>
  values?: Record<string, string>
  prefixes?: Record<string, string>
}

/** A profile as it is written to a file: only what differs from what is built in. */
export interface LearnedProfile extends Pick<ProfileDocument, 'profile' | 'name'> {
  catalogue?: CatalogueDocument
  states?: Partial<Record<StateKind, Record<string, string>>>
  fields?: Record<string, Record<string, FieldRule>>
  omit?: Record<string, string[]>
  names?: NamesRule
  routes?: RouteRule[]
  stubs?: StubRule[]
}
