import type { AssumptionId } from './assumption-id.js'
import type { Condition } from './errors.js'
import type { OperationId } from './operation-ids.js'

/** What a fact is about. */
export type Aspect =
  /**
   * HTTP status. `condition`: why the mock refused, if it did; `subject`, if it is known: `type`, `unknown field`,
   * `length` or `name` of a field, or `json` that cannot be stored.
   */
  | 'status'
  /** `Type` of an error. `condition`: why the mock refused. */
  | 'error type'
  /** The fields around a result: whether they are there, and of which type. `field`: the one. */
  | 'envelope'
  /** `Message` of a success. */
  | 'message'
  /** Whether a reply has a header, and its value where that is stable. `subject`: its name in lower case. */
  | 'header'
  /** Whether replies have a field. `schema`, `field`. */
  | 'field'
  /** A field of the service that the interface does not declare. `schema`, `field`. */
  | 'further field'
  /** The JSON type of a field. `schema`, `field`. */
  | 'type'
  /** A word of a closed vocabulary that is no state. `schema`, `field`. */
  | 'word'
  /**
   * The form of a text. `schema`, `field`; `subject`: the form, which is `id`, `timestamp`, `host`, `srn`, `cidr`, or
   * `name` for a default name.
   */
  | 'form'
  /** A value that follows from the requests: an echo, a default, a count. `schema`, `field`. */
  | 'value'
  /** The order of a list, and whether it is complete. */
  | 'order'
  /** The word for a state. `subject`: such as `workspace Active`; `schema`, `field`. */
  | 'state'
  /** Where a transition leads, and when something begins by itself. `subject`: such as `workspace.resume`. */
  | 'transition'
  /** How long a transition takes. `subject`: such as `workspace.resume`. */
  | 'duration'
  /** A list of the metadata. `subject`: `platforms`, `regions`, `versions` or `workspace_types`. */
  | 'catalogue'
  /** Whether there may be one more. `subject`: the quota. */
  | 'quota'

/** What facts are told apart by. */
export interface FactKey {
  readonly aspect: Aspect
  /** operationId of the exchange. */
  readonly operation?: string
  /** Name of the published schema, as built in. */
  readonly schema?: string
  /** Name of the field in that schema, as built in. */
  readonly field?: string
  /** A condition of the error catalogue. */
  readonly condition?: Condition
  readonly subject?: string
}

/** How a request is refused for a condition, by any operation or by the one that is named. */
export function refused(condition: Condition, operation?: OperationId): readonly FactKey[] {
  const of = operation === undefined ? { condition } : { operation, condition }
  return [
    { aspect: 'status', ...of },
    { aspect: 'error type', ...of }
  ]
}

/** Something on which the mock and a service were compared: they agree, or they do not. */
export interface Fact extends FactKey {
  readonly agrees: boolean
  /** What the mock has. */
  readonly ours: unknown
  /** What the service has. */
  readonly theirs: unknown
  /** Number of the exchange that shows it. */
  readonly exchange: number
}

/** Something that the mock assumes about the service, because the interface is silent. */
export interface Assumption {
  /** Such as `P-017`. It never changes, and is never given again. */
  readonly id: string
  /** Heading of its section in docs/assumptions.md; in docs/interface.md, if it is about a single operation. */
  readonly topic: string
  /** What is assumed, in Markdown: one sentence or a few. */
  readonly says: string
  /** How to change it, in Markdown. */
  readonly change: string
  /**
   * The facts that confirm or refute it: those that have all values of a pattern. A fact counts for the assumptions
   * whose pattern has most values; of those that have equally many, for those that name the condition, if any does.
   * Absent: exchanges cannot show it.
   */
  readonly about?: readonly FactKey[]
}

/** What an assumption says, and the facts that it is about. */
type Claim = Pick<Assumption, 'says' | 'about'>
export type Claims = Readonly<Record<AssumptionId, Claim>>

/** The assumptions of a section of docs/assumptions.md. */
export interface Section {
  /** Its heading. */
  readonly topic: string
  /** How to change them, in Markdown. */
  readonly change: string
  /** Those that it lists. */
  readonly listed: readonly Assumption[]
  /** Those that have a row in one of its tables. */
  readonly tabled: readonly Assumption[]
}

/** @param change completes the sentence `Change it: …` */
export function section(topic: string, change: string, listed: Claims, tabled: Claims = {}): Section {
  const of = (claims: Claims) => Object.entries(claims).map(([id, claim]) => ({ id, topic, change, ...claim }))
  return { topic, change, listed: of(listed), tabled: of(tabled) }
}
