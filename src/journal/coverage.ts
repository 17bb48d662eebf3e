import type { Condition } from '../lib/errors.js'

/**
 * Counts what was exercised in one sandbox since the server started, or since it was cleared. The names are formed when
 * counting.
 */
export class Coverage {
  /** Replies by operation and status: `createWorkspace 200`. */
  readonly statuses = new Map<string, number>()
  /** State changes: `workspace.pause: Active → Stopping`. */
  readonly transitions = new Map<string, number>()
  /** Refusals by a guard: `workspace.pause in Resizing`. */
  readonly guards = new Map<string, number>()
  /** Errors by condition. */
  readonly errors = new Map<string, number>()
  /** Requests with an injected fault, by operation. Their replies count only here. */
  readonly faults = new Map<string, number>()

  countReply(
    operation: string | undefined,
    status: number,
    condition: Condition | undefined,
    guardId: string | undefined
  ): void {
    if (operation !== undefined) increment(this.statuses, statusName(operation, status))
    if (condition !== undefined) increment(this.errors, condition)
    if (guardId !== undefined) increment(this.guards, guardId)
  }

  countFault(operation: string): void {
    increment(this.faults, operation)
  }

  countTransition(transition: string, attribute: string, from: string | null, to: string): void {
    if (attribute !== 'firing') increment(this.transitions, edgeName(transition, from, to))
  }

  clear(): void {
    for (const counts of [this.statuses, this.transitions, this.guards, this.errors, this.faults]) counts.clear()
  }
}

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

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
