import type { Condition } from '../interface/errors.js'

type Counts = Map<string, number>

/** The counts of what has not been exercised at all. */
const NO_COUNTS: ReadonlyMap<string, number> = new Map()

/**
 * Counts what was exercised in one sandbox since the server started, or since it was cleared. The names are formed when
 * counting. There may be thousands of sandboxes, most of which exercise little, so a map is made for its first count.
 */
export class Coverage {
  #statuses: Counts | undefined
  #transitions: Counts | undefined
  #guards: Counts | undefined
  #errors: Counts | undefined
  #faults: Counts | undefined

  /** Replies by operation and status: `createWorkspace 200`. */
  get statuses(): ReadonlyMap<string, number> {
    return this.#statuses ?? NO_COUNTS
  }

  /** State changes: `workspace.pause: Active → Pausing`. */
  get transitions(): ReadonlyMap<string, number> {
    return this.#transitions ?? NO_COUNTS
  }

  /** Refusals by a guard: `workspace.pause in Resizing`. */
  get guards(): ReadonlyMap<string, number> {
    return this.#guards ?? NO_COUNTS
  }

  /** Errors by condition. */
  get errors(): ReadonlyMap<string, number> {
    return this.#errors ?? NO_COUNTS
  }

  /** Requests with an injected fault, by operation. Their replies count only here. */
  get faults(): ReadonlyMap<string, number> {
    return this.#faults ?? NO_COUNTS
  }

  countReply(
    operation: string | undefined,
    status: number,
    condition: Condition | undefined,
    guardId: string | undefined
  ): void {
    if (operation !== undefined)
      increment((this.#statuses ??= new Map<string, number>()), statusName(operation, status))
    if (condition !== undefined) increment((this.#errors ??= new Map<string, number>()), condition)
    if (guardId !== undefined) increment((this.#guards ??= new Map<string, number>()), guardId)
  }

  countFault(operation: string): void {
    increment((this.#faults ??= new Map<string, number>()), operation)
  }

  countTransition(transition: string, attribute: string, from: string | null, to: string): void {
    if (attribute === 'firing') return
    increment((this.#transitions ??= new Map<string, number>()), sharedName(edgeName(transition, from, to)))
  }

  clear(): void {
    this.#statuses = this.#transitions = this.#guards = this.#errors = this.#faults = undefined
  }
}

const edgeNames = new Map<string, string>()
const statusNames = new Map<string, Map<number, string>>()

/**
 * Names a reply by operation and status. Returns the same string each time: making and hashing a new one costs more
 * than counting.
 */
export function statusName(operation: string, status: number): string {
  let names = statusNames.get(operation)
  if (names === undefined) statusNames.set(operation, (names = new Map<number, string>()))
  let name = names.get(status)
  if (name === undefined) names.set(status, (name = `${operation} ${status}`))
  return name
}

/** Names a state change by a transition; `from` is null if the resource is created. */
export const edgeName = (transition: string, from: string | null, to: string) =>
  `${transition}: ${from ?? '(none)'} → ${to}`

/** The one copy of a state change's name, for all sandboxes. */
function sharedName(name: string): string {
  const shared = edgeNames.get(name)
  if (shared === undefined) edgeNames.set(name, name)
  return shared ?? name
}

function increment(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** An operation of the interface, as its route declares it. */
interface OperationInfo {
  readonly operationId: string
  /** Statuses that it can answer with, success first, without those of a failing server. */
  readonly statuses: readonly number[]
}

/** The registered operations, and the named schemas that their bodies refer to. */
export class OperationCatalogue {
  readonly #operations = new Map<string, OperationInfo>()
  readonly #schemas = new Map<string, object>()

  add(operation: OperationInfo): void {
    this.#operations.set(operation.operationId, operation)
  }

  addSchema(name: string, schema: object): void {
    this.#schemas.set(name, schema)
  }

  has(operationId: string): boolean {
    return this.#operations.has(operationId)
  }

  list(): readonly OperationInfo[] {
    return [...this.#operations.values()]
  }

  schema(name: string): object | undefined {
    return this.#schemas.get(name)
  }
}
