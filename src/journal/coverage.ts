import type { Condition } from '../lib/errors.js'

/**
 * Counts what was exercised in one sandbox since the start of the server, or since it was cleared. Names are as they
 * are counted.
 */
export class Coverage {
  /** Replies, by operation and status: `createWorkspace 200`. */
  readonly statuses = new Map<string, number>()
  /** Changes of a state: `workspace.pause: Active → Stopping`. */
  readonly transitions = new Map<string, number>()
  /** Refusals by a guard: `workspace.pause in Resizing`. */
  readonly guards = new Map<string, number>()
  /** Errors, by their conditions. */
  readonly errors = new Map<string, number>()
  /** Requests that a fault was injected into, by operation. What they were answered counts here only. */
  readonly faults = new Map<string, number>()

  countReply(
    operation: string | undefined,
    status: number,
    condition: Condition | undefined,
    rule: string | undefined
  ): void {
    if (operation !== undefined) increment(this.statuses, statusName(operation, status))
    if (condition !== undefined) increment(this.errors, condition)
    if (rule !== undefined) increment(this.guards, rule)
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
 * The name of a reply of an operation with a status. It is one text each time: to make and hash a new one costs more
 * than to count.
 */
export function statusName(operation: string, status: number): string {
  let names = statusNames.get(operation)
  if (names === undefined) statusNames.set(operation, (names = new Map<number, string>()))
  let name = names.get(status)
  if (name === undefined) names.set(status, (name = `${operation} ${status}`))
  return name
}

/** The name of a change of a state by a transition; from null, where something comes into being. */
export const edgeName = (transition: string, from: string | null, to: string) =>
  `${transition}: ${from ?? '(none)'} → ${to}`

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
