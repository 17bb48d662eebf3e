import type { Database } from '../db/database.js'
import type { RowHistory } from '../db/row-history.js'
import type { RawChange } from '../db/row-watcher.js'
import { ServiceError } from '../interface/errors.js'
import type { ChangeLog } from '../journal/change-log.js'
import type { Step } from '../journal/step.js'
import { quantity } from '../lib/quantity.js'
import { lengthOf, parseDuration, toTimestamp } from '../lib/time.js'
import type { FaultEffect } from './fault-schemas.js'
import type { Sandbox } from './sandbox.js'

/** How far back a read is. */
export type Stale = NonNullable<FaultEffect['stale']>

/** Changes of these tables are invisible to clients of the interface, so they do not count as a write. */
const UNSEEN = ['sandboxes', 'faults', 'quotas', 'transition_rules', 'due_events', 'timeline']

/** Reads a sandbox as it was, by undoing its newest changes in a transaction that is rolled back. */
export class Past {
  /** The sandbox's time that is read, in milliseconds since 1970; undefined: the present. */
  moment: number | undefined

  /** @param forget drops the cached counts of a sandbox whose rows were changed in another way */
  constructor(
    private readonly db: Pick<Database, 'rolledBack' | 'watcher'>,
    private readonly history: RowHistory,
    private readonly forget: (sandbox: Sandbox) => void
  ) {}

  /** Whether memory reaches back by a duration. @param now the sandbox's time */
  reaches({ changes }: Sandbox, by: string, now: number): boolean {
    return changes.lostAt <= startOf(by, now)
  }

  /**
   * Runs a read in the past, which must be synchronous.
   * @param now the sandbox's time
   * @throws {ServiceError} `notAllowed` if memory does not reach back that far
   */
  read<T>(sandbox: Sandbox, stale: Stale, now: number, read: () => T): T {
    const steps = this.#stepsSince(sandbox.changes, stale, now)
    this.moment = stale.by === undefined ? (steps.at(-1)?.at ?? now) : startOf(stale.by, now)
    try {
      return this.db.rolledBack(() => {
        for (const { changes } of steps)
          for (let index = changes.length - 1; index >= 0; index--) this.history.undo(changes[index]!, sandbox.key)
        return read()
      })
    } finally {
      this.moment = undefined
      this.forget(sandbox)
    }
  }

  /** The steps to undo, newest first. */
  #stepsSince(log: ChangeLog, { by, writes }: Stale, now: number): Step[] {
    const time = by === undefined ? -Infinity : startOf(by, now)
    const steps: Step[] = []
    let left = writes ?? Infinity
    for (const step of log.list().reverse()) {
      if (left === 0 || step.at <= time) return steps
      steps.push(step)
      if (step.changes.some((change) => this.#isSeen(change))) left--
    }
    if (left > 0 && log.lostAt > time) {
      const back = by === undefined ? quantity(writes!, 'write') : `to ${toTimestamp(time)}`
      throw new ServiceError('notAllowed', `The change log does not reach back ${back}, as effect.stale asks for.`)
    }
    return steps
  }

  #isSeen(change: RawChange): boolean {
    return !UNSEEN.some((table) => this.db.watcher.isOf(change, table))
  }
}

const startOf = (by: string, now: number) => now - lengthOf(parseDuration(by)!)
