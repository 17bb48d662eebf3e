import type { ServiceError } from '../interface/errors.js'

/**
 * Counted by name: replies (`createWorkspace 200`), state changes (`workspace.pause: Active → Pausing`), refusals by a
 * guard (`workspace.pause in Resizing`), conditions of errors, and operations that met a fault, whose replies count
 * only there.
 */
type Kind = 'statuses' | 'transitions' | 'guards' | 'errors' | 'faults'

/**
 * The coverage of one sandbox since the server started, or since it was cleared. There may be thousands of sandboxes,
 * most of which exercise little, so a map is made for its first count.
 */
export class Coverage {
  #counts: Partial<Record<Kind, Map<string, number>>> = {}

  of(kind: Kind): ReadonlyMap<string, number> {
    return this.#counts[kind] ?? new Map<string, number>()
  }

  countReply(operation: string | undefined, status: number, failure: ServiceError | undefined): void {
    if (operation !== undefined) this.#count('statuses', statusName(operation, status))
    if (failure !== undefined) this.#count('errors', failure.condition)
    if (failure?.guardId !== undefined) this.#count('guards', failure.guardId)
  }

  countFault(operation: string): void {
    this.#count('faults', operation)
  }

  countTransition(transition: string, attribute: string, from: string | null, to: string): void {
    if (attribute !== 'firing') this.#count('transitions', edgeName(transition, from, to))
  }

  clear(): void {
    this.#counts = {}
  }

  #count(kind: Kind, name: string): void {
    const counts = (this.#counts[kind] ??= new Map<string, number>())
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}

/** Names a reply by operation and status. */
export const statusName = (operation: string, status: number) => `${operation} ${status}`

/** Names a state change by a transition; `from` is null if the resource is created. */
export const edgeName = (transition: string, from: string | null, to: string) =>
  `${transition}: ${from ?? '(none)'} → ${to}`
