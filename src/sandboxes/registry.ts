import type { Database } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import { ServiceError } from '../interface/errors.js'
import { Coverage } from '../journal/coverage.js'
import { finish, type Slices } from '../lib/scheduler.js'
import { wallTime } from '../lib/time.js'
import { type ClockState, presentOf } from '../sim/clock.js'
import { type DueEventStore, dueEventStore } from '../sim/due-events.js'
import { Random, type RandomState, type SeedSource } from '../sim/random.js'
import { type Timeline, timelineStore } from '../sim/timeline.js'
import { Capacity, REMOVED_AT_ONCE, type SandboxLimits } from './capacity.js'
import { type FaultStore, faultStore } from './faults.js'
import { freeMemory, LoadedSandboxes } from './loaded.js'
import type { Fill, Memory, Sandbox } from './sandbox.js'
import { MANY, type SandboxRecord, type SandboxStore, sandboxStore } from './store.js'

/** Options of a new sandbox. */
interface NewSandbox {
  /** When it expires, by the machine's clock in milliseconds since 1970; never if absent. */
  readonly expires?: number
  /** Its initial contents; those of every new sandbox if absent. */
  readonly filling?: Filling
}

/** The initial contents of a new sandbox. */
export interface Filling {
  /** Approximate number of rows. */
  readonly rows: () => number
  readonly fill: Fill
}

/** The last use of a sandbox is stored again when the stored value is this old, in milliseconds. */
const USE_PRECISION = 3_600_000

/** The sandboxes in use. Loads each when it is requested, and creates it when it is first seen. */
export class SandboxRegistry {
  readonly store: SandboxStore
  readonly loaded: LoadedSandboxes
  readonly #dueEvents: DueEventStore
  readonly #timeline: Timeline
  readonly #faults: FaultStore
  readonly #capacity: Capacity
  /** Sandboxes being created, by id, because several requests may be the first at once. */
  readonly #pending = new Map<string, Promise<Sandbox>>()
  /** Key of the newest sandbox of earlier runs. */
  readonly #newestBefore: number
  /** Keys of sandboxes of earlier runs that were filled in this one. */
  readonly #refilled = new Set<number>()
  /** Number of sandbox objects made so far. */
  #objects = 0
  #isSweeping = false
  /** The flow of the sweep, so that its time is charged. */
  readonly #sweeping = {}

  /**
   * @param filling initial contents of a new sandbox
   * @param newMemory creates the part of a sandbox that exists only in memory, by its id
   */
  constructor(
    private readonly db: Database,
    limits: SandboxLimits,
    private readonly seeds: SeedSource,
    private readonly filling: Filling,
    private readonly newMemory: (id: string) => Memory
  ) {
    this.store = sandboxStore(db)
    this.#dueEvents = dueEventStore(db)
    this.#timeline = timelineStore(db)
    this.#faults = faultStore(db)
    this.loaded = new LoadedSandboxes(db, this.store)
    this.#capacity = new Capacity(db, this.store, this.loaded, limits)
    this.#newestBefore = this.store.newest()
    // Finish the cleanup of the previous run.
    this.store.dropAllDrafts()
    this.sweep()
  }

  /**
   * Finds a sandbox by id, or creates it. Only its first use is slow.
   * @param mayCreate false for a key that was issued with its sandbox
   * @throws {ServiceError} `unauthorized` if there is none and it may not be created, `quotaExceeded` if there would be
   * too many
   */
  open(id: string, mayCreate = true): Sandbox | Promise<Sandbox> {
    const sandbox = this.find(id)
    if (sandbox !== undefined) return sandbox
    if (mayCreate) return this.create(id)
    throw new ServiceError('unauthorized', 'The sandbox of this key is gone: it has expired, or was removed.')
  }

  /** Finds a sandbox by id, unless it has expired. Counts as a use. */
  find(id: string): Sandbox | undefined {
    const sandbox = this.loaded.peek(id) ?? this.#load(id)
    if (sandbox === undefined) return undefined
    const wall = wallTime()
    if (sandbox.expires !== null && sandbox.expires <= wall) return undefined
    sandbox.lastUsed = wall
    this.loaded.touch(sandbox)
    if (wall - sandbox.stored.last >= USE_PRECISION) this.#noteUse(sandbox)
    return sandbox
  }

  #load(id: string): Sandbox | undefined {
    let sandbox = this.loaded.find(id)
    if (sandbox === undefined) {
      const record = this.store.find(id)
      if (record === undefined) return undefined
      sandbox = this.#toSandbox(record)
      sandbox.changes.clear(presentOf(sandbox))
    }
    this.loaded.add(sandbox)
    return sandbox
  }

  #noteUse(sandbox: Sandbox): void {
    sandbox.stored = { ...sandbox.stored, last: sandbox.lastUsed }
    // Not worth failing for.
    this.#write(() => this.loaded.saveUse(sandbox)).catch(() => undefined)
  }

  /**
   * Creates a sandbox, unless the id exists. At the limit, evicts one that is empty or has been idle for long enough.
   * @throws {ServiceError} if there would be too many
   */
  create(id: string, { expires, filling = this.filling }: NewSandbox = {}): Promise<Sandbox> {
    const pending = this.#pending.get(id)
    if (pending !== undefined) return pending
    const creation = this.#create(id, expires ?? null, filling).finally(() => this.#pending.delete(id))
    this.#pending.set(id, creation)
    return creation
  }

  async #create(id: string, expires: number | null, filling: Filling): Promise<Sandbox> {
    const gone: Sandbox[] = []
    try {
      const isLarge = filling.rows() > MANY
      const sandbox = isLarge
        ? await this.#createInSlices(id, expires, filling, gone)
        : await this.#createAtOnce(id, expires, filling, gone)
      this.loaded.add(sandbox)
      return sandbox
    } finally {
      this.#release(gone)
    }
  }

  #createAtOnce(id: string, expires: number | null, filling: Filling, gone: Sandbox[]): Promise<Sandbox> {
    return this.#write(() => {
      this.#capacity.makeRoom(gone)
      const sandbox = this.#toSandbox(this.store.insert({ id, random: this.#newRandom(), expires }))
      this.db.unwatched(() => {
        finish(filling.fill(sandbox))
        this.#noteContent(sandbox, filling)
      })
      return sandbox
    })
  }

  /** Fills a large sandbox as a draft, in several transactions, and publishes it at the end. */
  async #createInSlices(id: string, expires: number | null, filling: Filling, gone: Sandbox[]): Promise<Sandbox> {
    const sandbox = await this.#write(() => {
      this.#capacity.makeRoom(gone)
      return this.#toSandbox(this.store.insertDraft({ random: this.#newRandom(), expires }), id)
    })
    try {
      const steps = filling.fill(sandbox)
      for (let place: Place = 'slice', isDone = false; !isDone; place = 'rest')
        isDone = await this.db.write(() => this.db.inBulk(steps), sandbox, place)
      await this.#write(() => {
        this.#capacity.makeRoom(gone)
        this.store.publish(sandbox.key, id)
        this.#noteContent(sandbox, filling)
      }, sandbox)
    } catch (error) {
      this.dropDraft(sandbox.key)
      throw error
    }
    sandbox.id = id
    return sandbox
  }

  #newRandom(): RandomState {
    return { seed: this.seeds.ofSandbox(), draws: 0 }
  }

  #noteContent(sandbox: Sandbox, filling: Filling): void {
    if (filling === this.filling) {
      sandbox.isInitial = true
      this.store.saveContent(sandbox.key, 'initial')
    } else this.noteGiven(sandbox)
  }

  /** Notes that the contents of a sandbox are from a document. Must be called within a write. */
  noteGiven(sandbox: Sandbox): void {
    sandbox.isInitial = false
    this.store.saveContent(sandbox.key, 'given')
  }

  /** An empty draft that will replace a sandbox. Must be called within a write. */
  draft(sandbox: Sandbox): Sandbox {
    const { ownSeed, orgId, orgName } = sandbox
    const { use, ...record } = this.store.insertDraft({ orgId, orgName, random: { seed: ownSeed, draws: 0 } })
    return { ...sandbox, ...record, ...this.#readRows({ use, ...record }) }
  }

  /**
   * Begins a copy of a sandbox, as a draft. Must be called within a write.
   * @returns its key, and the steps that copy the contents
   */
  copy(sandbox: Sandbox): { readonly key: number; readonly steps: Slices<void> } {
    const { orgId, orgName, random, clock, shown } = sandbox
    const { key } = this.store.insertDraft({ orgId, orgName, random, clock })
    this.store.saveProgress(key, random.draws, shown)
    return { key, steps: this.store.copyRows(sandbox.key, key) }
  }

  /** Replaces a sandbox with its draft. Must be called within a write; the old rows become a draft. */
  putInPlace(sandbox: Sandbox, draft: Sandbox): void {
    this.store.swap(sandbox.key, draft.key, sandbox.id)
    const { key, orgId, orgName, random, ids, clock, shown, behind, stored, nextDue, newestChange, hasFaults } = draft
    Object.assign(sandbox, { key, orgId, orgName, random, ids, clock })
    Object.assign(sandbox, { shown, behind, stored, nextDue, newestChange, hasFaults })
  }

  /** Discards a draft. */
  dropDraft(key: number): void {
    // If this cannot be written, the next start does it.
    this.#write(() => this.store.dropDraft(key)).then(
      () => this.sweep(),
      () => undefined
    )
  }

  /** Whether the server's baseline has not reached a sandbox because it is from an earlier run; a reset brings it. */
  predatesBaseline({ key }: Sandbox): boolean {
    return key <= this.#newestBefore && !this.#refilled.has(key) && this.store.baseline(key) === null
  }

  /** Gives a sandbox that is being filled its org and its stream of ids. */
  setIdentity(sandbox: Sandbox, identity: Pick<SandboxRecord, 'orgId' | 'orgName' | 'random'>): void {
    Object.assign(sandbox, identity)
    sandbox.ids = new Random(sandbox.random)
    if (sandbox.key <= this.#newestBefore) this.#refilled.add(sandbox.key)
    this.store.saveIdentity(sandbox.key, sandbox)
  }

  /** Saves the position in the sandbox's stream of ids, so that no id repeats, and the time last shown by its clock. */
  saveDraws(sandbox: Sandbox): void {
    const { key, random, shown, stored } = sandbox
    if (sandbox.isInitial) this.store.saveContent(key, 'own')
    sandbox.isInitial = false
    this.store.saveProgress(key, random.draws, shown)
    sandbox.stored = { ...stored, shown }
  }

  saveClock(sandbox: Sandbox, clock: ClockState): void {
    this.store.saveClock(sandbox.key, clock)
    sandbox.clock = clock
    sandbox.shown = -Infinity
    sandbox.behind = 0
    sandbox.stored = { ...sandbox.stored, shown: -Infinity }
  }

  /** Reloads the in-memory state, after a change that failed or that bypassed the stores. */
  reload(sandbox: Sandbox): void {
    const { key, orgId, orgName, clock, random, isInitial } = this.store.find(sandbox.id)!
    Object.assign(sandbox, { key, orgId, orgName, clock, isInitial })
    if (random.seed === sandbox.random.seed) {
      // Ids drawn in vain stay used up: a failed reset must not make ids repeat.
      sandbox.random.draws = Math.max(sandbox.random.draws, random.draws)
    } else {
      sandbox.random = random
      sandbox.ids = new Random(random)
    }
    Object.assign(sandbox, this.#simulationOf(sandbox.key))
  }

  /**
   * Removes a sandbox and its contents. Its id is free afterwards, even if its rows are deleted a few at a time.
   * @throws {ServiceError} `notAllowed` if it was removed already
   */
  async remove(sandbox: Sandbox): Promise<void> {
    const gone: Sandbox[] = []
    try {
      await this.#write(() => {
        // Another sandbox may have the key by now.
        assertNotRemoved(sandbox)
        this.#capacity.remove(sandbox.key, sandbox.id, gone)
      }, sandbox)
    } catch (error) {
      // The commit failed. Keep the object: loading it again would lose its journal.
      for (const kept of gone) {
        kept.isRemoved = false
        this.loaded.add(kept)
      }
      throw error
    }
    this.#release(gone)
  }

  /**
   * Removes the sandboxes that have been idle for some time, except those that are never evicted.
   * @param idle in milliseconds
   * @returns how many were removed
   */
  async purge(idle: number): Promise<number> {
    const since = wallTime() - idle
    for (let total = 0; ;) {
      const gone: Sandbox[] = []
      try {
        const removed = await this.#write(() => {
          let count = 0
          while (count < REMOVED_AT_ONCE && this.#capacity.removeIdle(since, gone)) count++
          return count
        })
        total += removed
        if (removed < REMOVED_AT_ONCE) return total
      } finally {
        this.#release(gone)
      }
    }
  }

  /** Frees the memory of removed sandboxes, and then their rows. */
  #release(gone: readonly Sandbox[]): void {
    gone.forEach(freeMemory)
    this.sweep()
  }

  /** Deletes the rows of removed sandboxes, a few with each commit, until none are left. */
  sweep(): void {
    void this.#sweep()
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    try {
      while (this.store.hasRemoved()) await this.#write(() => this.store.sweep(), this.#sweeping, 'slice')
    } catch {
      // The disk is full, or the database was closed. The next removal or the next start continues.
    } finally {
      this.#isSweeping = false
    }
  }

  /** Makes a change that is all or nothing, but no event runs and nobody is told. */
  #write<T>(change: () => T, flow?: object, place?: Place): Promise<T> {
    return this.db.write(() => this.db.atomic(change), flow, place)
  }

  /** @param id its id; that of its row is temporary while it is a draft */
  #toSandbox({ use, ...record }: SandboxRecord, id = record.id): Sandbox {
    const seed = this.seeds.ofRequests(record.ownSeed)
    // Every run of the server uses another stream.
    const requestRandom = { seed, draws: use.requests?.seed === seed ? use.requests.draws : 0 }
    return {
      ...record,
      ...this.#readRows({ use, ...record }),
      requestIds: new Random(requestRandom),
      requestRandom,
      lastUsed: use.last,
      // A key may be reused after its sandbox was removed. The new sandbox must not be mistaken for the old one.
      version: this.#objects++ * 2 ** 32,
      longReads: 0,
      windows: new Map(),
      isRemoved: false,
      coverage: new Coverage(),
      eventHub: undefined,
      sleepers: undefined,
      ...this.newMemory(id)
    }
  }

  /** What an object caches of the rows of its sandbox. */
  #readRows({ key, random, use }: SandboxRecord) {
    return { ids: new Random(random), stored: use, shown: use.shown, behind: 0, ...this.#simulationOf(key) }
  }

  #simulationOf(key: number) {
    return {
      nextDue: this.#dueEvents.earliest(key),
      newestChange: this.#timeline.newest(key),
      hasFaults: this.#faults.hasAny(key)
    }
  }
}

/** @throws {ServiceError} `notAllowed` if a sandbox was removed while a request still held it */
export function assertNotRemoved({ isRemoved }: Sandbox): void {
  if (isRemoved) throw new ServiceError('notAllowed', 'The sandbox was removed while the request was under way.')
}
