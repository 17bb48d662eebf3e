import type { Database } from '../db/database.js'
import { wallTime } from '../lib/time.js'
import { presentOf } from '../sim/clock.js'
import type { Sandbox } from './sandbox.js'
import type { SandboxStore } from './store.js'

/**
 * Number of sandboxes that always stay in memory, and maximum number. Between the two, those unused for {@link REST}
 * are unloaded.
 */
export const LOADED = { always: 1000, atMost: 10_000 } as const
export const REST = 3_600_000

/** The sandboxes in memory. Unloads idle ones when there are many. */
export class LoadedSandboxes {
  readonly #open = new Map<string, Sandbox>()
  /** Those that can be unloaded, the least recently used one first. */
  readonly #byUse = new Set<Sandbox>()
  /** Unloaded sandboxes that a request may still hold: there must never be two objects for the same rows. */
  readonly #unloaded = new Map<string, WeakRef<Sandbox>>()

  constructor(
    private readonly db: Database,
    private readonly store: SandboxStore
  ) {}

  get size(): number {
    return this.#open.size
  }

  peek(id: string): Sandbox | undefined {
    return this.#open.get(id)
  }

  /** Finds a sandbox that is in memory, or was unloaded while a request held it. */
  find(id: string): Sandbox | undefined {
    return this.#open.get(id) ?? this.#unloaded.get(id)?.deref()
  }

  /** Keeps a sandbox in memory, and unloads idle ones. */
  add(sandbox: Sandbox): void {
    this.#unloaded.delete(sandbox.id)
    this.#open.set(sandbox.id, sandbox)
    this.touch(sandbox)
    // Unload two, so that their number goes down.
    for (let i = 0; i < 2; i++) this.#unloadIdle()
  }

  /** Marks a sandbox as just used. */
  touch(sandbox: Sandbox): void {
    this.#byUse.delete(sandbox)
    this.#byUse.add(sandbox)
  }

  /** Drops a sandbox that is being removed, and marks it for requests that still hold it. */
  remove(id: string): Sandbox | undefined {
    const sandbox = this.find(id)
    if (sandbox !== undefined) {
      sandbox.isRemoved = true
      this.#byUse.delete(sandbox)
    }
    this.#open.delete(id)
    this.#unloaded.delete(id)
    return sandbox
  }

  /** Stores the use of a sandbox. Must be called within a write. */
  saveUse(sandbox: Sandbox): void {
    if (sandbox.isRemoved) return
    const { key, lastUsed: last, shown, requestRandom: requests } = sandbox
    this.store.saveUse(key, { last, shown, requests })
    sandbox.stored = { last, shown }
  }

  /** Stores the use of all sandboxes in a write of its own, which is not worth failing for. */
  saveUses(): void {
    const changed = [...this.#open.values()].filter(
      ({ lastUsed, shown, stored }) => lastUsed !== stored.last || shown !== stored.shown
    )
    if (changed.length === 0) return
    this.db
      .write(() => this.db.atomic(() => changed.forEach((sandbox) => this.saveUse(sandbox))))
      .catch(() => undefined)
  }

  #unloadIdle(): void {
    const { size } = this.#open
    const [idle] = this.#byUse
    if (idle === undefined || size <= LOADED.always || (size <= LOADED.atMost && wallTime() - idle.lastUsed < REST))
      return
    if (isAttended(idle)) this.touch(idle)
    else void this.#unload(idle)
  }

  /** Unloads a sandbox, dropping its journal and coverage. First stores what it needs to continue. */
  async #unload(sandbox: Sandbox): Promise<void> {
    this.#byUse.delete(sandbox)
    try {
      await this.db.write(() => this.db.atomic(() => this.saveUse(sandbox)))
    } catch {
      if (!sandbox.isRemoved) this.touch(sandbox)
      return
    }
    // It may have been removed or used meanwhile.
    if (sandbox.isRemoved || this.#byUse.has(sandbox)) return
    this.#open.delete(sandbox.id)
    this.#unloaded.set(sandbox.id, new WeakRef(sandbox))
    freeMemory(sandbox)
  }
}

/** Whether somebody listens to a sandbox or waits for its clock. */
export function isAttended({ eventHub, sleepers }: Sandbox): boolean {
  return (eventHub?.size ?? 0) > 0 || (sleepers?.size ?? 0) > 0
}

/** Drops what a sandbox has recorded in memory, and disconnects its listeners. */
export function freeMemory(sandbox: Sandbox): void {
  const { eventHub, sleepers, journal, changes, recorder, coverage } = sandbox
  eventHub?.end()
  sleepers?.end()
  journal.clear()
  changes.clear(presentOf(sandbox))
  recorder?.end()
  coverage.clear()
}
