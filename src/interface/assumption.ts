import type { AssumptionId } from './assumption-id.js'
import type { Condition } from './errors.js'
import type { OperationId } from './operation-ids.js'

/** The subject of a fact. Each comment names the fields of {@link FactKey} that narrow it. */
export type Aspect =
  /**
   * HTTP status. `condition`: why the mock refused, if it did; `subject`, if known: `type`, `unknown field`, `length`
   * or `name` of a field, or `json` that cannot be stored.
   */
  | 'status'
  /** `Type` of an error. `condition`: why the mock refused. */
  | 'error type'
  /** Presence and type of the fields around a result. `field`; `subject`: `error` in one, or `order` of the fields. */
  | 'envelope'
  /** `Message` of a success. */
  | 'message'
  /** Presence of a header, and its value if that is stable. `subject`: its name in lower case. */
  | 'header'
  /** Whether replies have a field. `schema`, `field`. */
  | 'field'
  /** A field of the service that the interface does not declare. `schema`, `field`. */
  | 'further field'
  /** The JSON type of a field. `schema`, `field`. */
  | 'type'
  /** A word of a closed vocabulary, other than a state. `schema`, `field`. */
  | 'word'
  /** The form of a text. `schema`, `field`; `subject`: `id`, `timestamp`, `host`, `srn`, `cidr` or `name` (default). */
  | 'form'
  /** A value that follows from the requests: an echo, a default, a count. `schema`, `field`. */
  | 'value'
  /** The order of a list, and whether it is complete. */
  | 'order'
  /** The word for a state. `subject`: such as `workspace Active`; `schema`, `field`. */
  | 'state'
  /** The target of a transition, and when it starts by itself. `subject`: such as `workspace.resume`. */
  | 'transition'
  /** How long a transition takes. `subject`: such as `workspace.resume`. */
  | 'duration'
  /** A list of the metadata. `subject`: `platforms`, `regions`, `versions` or `workspace_types`. */
  | 'catalogue'
  /** Whether one more is allowed. `subject`: the quota. */
  | 'quota'

/** Identifies a fact, or a group of facts. */
export interface FactKey {
  readonly aspect: Aspect
  /** operationId of the exchange. */
  readonly operation?: string
  /** Name of the published schema, as built in. */
  readonly schema?: string
  /** Name of the field in that schema, as built in. */
  readonly field?: string
  readonly condition?: Condition
  readonly subject?: string
}

/** The facts about the error for a condition: of one operation, or of any. */
export function refused(condition: Condition, operation?: OperationId): readonly FactKey[] {
  const of = operation === undefined ? { condition } : { operation, condition }
  return [
    { aspect: 'status', ...of },
    { aspect: 'error type', ...of }
  ]
}

/** One comparison of the mock with a service. */
export interface Fact extends FactKey {
  readonly agrees: boolean
  /** The mock's value. */
  readonly ours: unknown
  /** The service's value. */
  readonly theirs: unknown
  /** Number of the exchange that shows it. */
  readonly exchange: number
}

/** Something that the mock assumes about the service, because the interface is silent. */
export interface Assumption {
  /** Such as `P-017`. It never changes, and is never reused. */
  readonly id: string
  /** Heading of its section in docs/assumptions.md, or in docs/interface.md if it is about a single operation. */
  readonly topic: string
  /** The assumption, in a few sentences of Markdown. */
  readonly says: string
  /** How to change it, in Markdown. */
  readonly change: string
  /**
   * Patterns of the facts that confirm or refute it. A fact counts for the assumptions whose matching pattern has the
   * most values; among equals, for those that name the condition, if any does. Absent: exchanges cannot show it.
   */
  readonly about?: readonly FactKey[]
}

type Claim = Pick<Assumption, 'says' | 'about'>
export type Claims = Readonly<Record<AssumptionId, Claim>>

/** A section of docs/assumptions.md: its heading, how to change its assumptions, and those in its list and tables. */
export interface Section {
  readonly topic: string
  readonly change: string
  readonly listed: readonly Assumption[]
  readonly tabled: readonly Assumption[]
}

/** @param change completes the sentence `Change it: …` */
export function section(topic: string, change: string, listed: Claims, tabled: Claims = {}): Section {
  const of = (claims: Claims) => Object.entries(claims).map(([id, claim]) => ({ id, topic, change, ...claim }))
  return { topic, change, listed: of(listed), tabled: of(tabled) }
}
