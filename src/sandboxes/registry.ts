import type { Database } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import { databaseFull, ServiceError } from '../interface/errors.js'
import { Coverage } from '../journal/coverage.js'
import { Recency } from '../lib/caches.js'
import { finish, type Slices } from '../lib/scheduler.js'
import { wallTime } from '../lib/time.js'
import { type ClockState, WALL_CLOCK } from '../sim/clock.js'
import { type DueEventStore, dueEventStore } from '../sim/due-events.js'
import { freshSeed, Random, type SeedSource } from '../sim/random.js'
import { type Timeline, timelineStore } from '../sim/timeline.js'
import { type FaultStore, faultStore } from './faults.js'
import type { Fill, Memory, Sandbox } from './sandbox.js'
import { MANY, type SandboxRecord, type SandboxStore, sandboxStore } from './store.js'

/** Options of a new sandbox. */
interface NewSandbox {
  /** When it expires, by the machine's clock in milliseconds since 1970; never if absent. */
  readonly expires?: number
  /** Its initial contents, if they have already been read. */
  readonly filling?: Filling
}

/** The initial contents of a new sandbox. */
export interface Filling {
  /** Approximate number of rows. */
  readonly rows: () => number
  readonly fill: Fill
}

/** Limits for the sandboxes of a database. */
export interface SandboxLimits {
  /** Maximum number. */
  readonly count: number
  /** Milliseconds without use after which one may be evicted for a new one; `Infinity`: never. */
  readonly idle: number
  /** Ids of those that are never evicted. */
  readonly kept: readonly string[]
}

const HOUR = 3_600_000

/** The last use of a sandbox is stored again when the stored value is this old. */
const USE_PRECISION = HOUR

/**
 * Number of sandboxes that always stay in memory, and maximum number. Between the two, those unused for {@link REST}
 * are unloaded.
 */
export const LOADED = { always: 1000, atMost: 10_000 } as const
export const REST = HOUR

/** After this time without use, in milliseconds, nobody is about to write to a sandbox that holds nothing. */
const IN_USE = 1000

/** Maximum number of sandboxes removed per transaction. */
const REMOVED_AT_ONCE = 100

/** The sandboxes in use. Loads each when it is requested, and creates it when it is first seen. */
export class SandboxRegistry {
  readonly store: SandboxStore
  readonly #dueEvents: DueEventStore
  readonly #timeline: Timeline
  readonly #faults: FaultStore
  readonly #kept: string
  readonly #open = new Map<string, Sandbox>()
  readonly #recency = new Recency<Sandbox>()
  /** Unloaded sandboxes that a request may still hold: there must never be two objects for the same rows. */
  readonly #left = new Map<string, WeakRef<Sandbox>>()
  /** Key of the newest sandbox of earlier runs, and the keys of those that have been filled since. */
  readonly #newestBefore: number
  readonly #refilled = new Set<number>()
  /** Keys of copies of such sandboxes. */
  readonly #oldCopies = new Set<number>()
  #held = 0
  /** When there was no empty sandbox that could be replaced. */
  #noneEmpty = -Infinity
  #isSweeping = false
  /** The flow of the sweep, so that its time is charged. */
  readonly #sweeping = {}
  /** Sandboxes being created, by id, because several requests may be the first at once. */
  readonly #making = new Map<string, Promise<Sandbox>>()

  /**
   * @param filling initial contents of a new sandbox
   * @param newMemory creates the part of a sandbox that exists only in memory, by its id
   */
  constructor(
    private readonly db: Database,
    private readonly limits: SandboxLimits,
    private readonly seeds: SeedSource,
    private readonly filling: Filling,
    private readonly newMemory: (id: string) => Memory
  ) {
    this.store = sandboxStore(db)
    this.#dueEvents = dueEventStore(db)
    this.#timeline = timelineStore(db)
    this.#faults = faultStore(db)
    this.#kept = JSON.stringify(limits.kept)
    this.#newestBefore = this.store.newest()
    // Finish the cleanup of the previous run.
    this.store.dropAllDrafts()
    this.sweep()
  }

  /** Number of sandboxes in memory. */
  get loaded(): number {
    return this.#open.size
  }

  /** A sandbox, if it is in memory. */
  peek(id: string): Sandbox | undefined {
    return this.#open.get(id)
  }

  /** Whether the server's baseline has not reached a sandbox because it is from an earlier run; a reset brings it. */
  predatesBaseline({ key }: Sandbox): boolean {
    const isOld = key <= this.#newestBefore || this.#oldCopies.has(key)
    return isOld && !this.#refilled.has(key) && this.store.baseline(key) === null
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
    const sandbox = this.#open.get(id) ?? this.#load(id)
    if (sandbox === undefined) return undefined
    const wall = wallTime()
    if (sandbox.expires !== null && sandbox.expires <= wall) return undefined
    sandbox.lastUsed = wall
    this.#recency.touch(sandbox)
    if (wall - sandbox.stored.last >= USE_PRECISION) this.#noteUse(sandbox)
    return sandbox
  }

  /**
   * Creates a sandbox, unless the id exists. At the limit, evicts the least recently used one if it has been idle for
   * long enough.
   * @throws {ServiceError} if there would be too many
   */
  async create(id: string, { expires, filling = this.filling }: NewSandbox = {}): Promise<Sandbox> {
    const making = this.#making.get(id)
    if (making !== undefined) return making
    const made = this.#create(id, expires, filling)
    this.#making.set(id, made)
    try {
      return await made
    } finally {
      this.#making.delete(id)
    }
  }

  async #create(id: string, expires: number | undefined, filling: Filling): Promise<Sandbox> {
    const gone: Sandbox[] = []
    const isLarge = filling.rows() > MANY
    let draft: Sandbox | undefined
    try {
      const fresh = await this.db.write(() =>
        this.db.atomic(() => {
          this.#makeRoom(gone)
          const random = { seed: this.seeds.ofSandbox(), draws: 0 }
          const record = {
            id: isLarge ? draftId() : id,
            orgId: '',
            orgName: '',
            random,
            clock: WALL_CLOCK,
            expires: expires ?? null
          }
          const sandbox = this.#hold(this.store.insert(record, wallTime()))
          if (isLarge) this.store.markDraft(sandbox.key)
          const steps = filling.fill(sandbox)
          if (!isLarge)
            this.db.unwatched(() => {
              finish(steps)
              this.#noteContent(sandbox, filling)
            })
          return { sandbox, steps }
        })
      )
      const { sandbox } = fresh
      if (isLarge) {
        draft = sandbox
        await this.#fill(draft, fresh.steps)
        const publish = () => {
          this.#makeRoom(gone)
          this.store.publish(sandbox.key, id)
          this.#noteContent(sandbox, filling)
        }
        await this.db.write(() => this.db.atomic(publish), draft)
        sandbox.id = id
      }
      draft = undefined
      this.#keep(sandbox)
      return sandbox
    } finally {
      if (draft !== undefined) this.dropDraft(draft.key)
      this.#release(gone)
    }
  }

  /** Notes whether a new sandbox has what every new one has. */
  #noteContent(sandbox: Sandbox, filling: Filling): void {
    if (filling !== this.filling) {
      this.noteGiven(sandbox)
      return
    }
    sandbox.isInitial = true
    this.store.saveContent(sandbox.key, 'initial')
  }

  /** Notes that what a sandbox has is from a document. Must be called within a write. */
  noteGiven(sandbox: Sandbox): void {
    sandbox.isInitial = false
    this.store.saveContent(sandbox.key, 'given')
  }

  /** Makes room for one more sandbox. */
  #makeRoom(gone: Sandbox[]): void {
    const wall = wallTime()
    for (const expired of this.store.expired(wall, REMOVED_AT_ONCE)) {
      this.store.remove(expired.key)
      this.#forget(expired.id, gone)
    }
    if (this.store.count() >= this.limits.count && !this.#replace(wall, gone)) throw this.#tooMany()
    if (this.db.isNearlyFull) throw databaseFull()
  }

  /** Removes a sandbox that nobody misses, or has not used for long enough. @returns whether there was one */
  #replace(wall: number, gone: Sandbox[]): boolean {
    if (this.limits.idle === Infinity) return false
    return this.#removeEmpty(wall, gone) || this.#removeIdle(wall - this.limits.idle, gone)
  }

  #removeEmpty(wall: number, gone: Sandbox[]): boolean {
    // Looking through a house full of others takes milliseconds, which a flood of new keys must not cost each time.
    if (wall >= this.#noneEmpty && wall < this.#noneEmpty + IN_USE) return false
    if (this.#removeIdle(wall - IN_USE, gone, (by) => this.store.longestEmpty(by, this.#kept))) return true
    this.#noneEmpty = wall
    return false
  }

  async #fill(draft: Sandbox, steps: Slices<void>): Promise<void> {
    for (let place: Place = 'slice', isDone = false; !isDone; place = 'rest') {
      isDone = await this.db.write(() => this.db.inBulk(steps), draft, place)
    }
  }

  /** An empty draft that will replace a sandbox. Must be called within a write. */
  draft(sandbox: Sandbox): Sandbox {
    const { ownSeed, orgId, orgName } = sandbox
    const random = { seed: ownSeed, draws: 0 }
    const { use, ...record } = this.store.insert(
      { id: draftId(), orgId, orgName, random, clock: WALL_CLOCK, expires: null },
      wallTime()
    )
    this.store.markDraft(record.key)
    return { ...sandbox, ...record, ...this.#readRows({ use, ...record }) }
  }

  /**
   * Begins a copy of a sandbox, as a draft. Must be called within a write.
   * @returns its key, and the steps that copy the contents
   */
  copy(sandbox: Sandbox): { readonly key: number; readonly steps: Slices<void> } {
    const { orgId, orgName, random, clock, shown } = sandbox
    const { key } = this.store.insert({ id: draftId(), orgId, orgName, random, clock, expires: null }, wallTime())
    this.store.markDraft(key)
    this.store.saveProgress(key, random.draws, shown)
    if (this.predatesBaseline(sandbox)) this.#oldCopies.add(key)
    return { key, steps: this.store.copyRows(sandbox.key, key) }
  }

  /** Replaces a sandbox with its draft. Must be called within a write; the old rows become a draft. */
  putInPlace(sandbox: Sandbox, draft: Sandbox): void {
    this.store.swap(sandbox.key, draft.key, sandbox.id)
    const { key, orgId, orgName, random, ids, clock, shown, behind, stored, nextDue, newestChange, hasFaults } = draft
    Object.assign(sandbox, {
      key,
      orgId,
      orgName,
      random,
      ids,
      clock,
      shown,
      behind,
      stored,
      nextDue,
      newestChange,
      hasFaults
    })
  }

  /** Discards a draft. */
  dropDraft(key: number): void {
    // If this cannot be written, the next start does it.
    this.db
      .write(() => this.db.atomic(() => this.store.dropDraft(key)))
      .then(
        () => this.sweep(),
        () => undefined
      )
  }

  /** Gives a sandbox that is being filled its org and its stream of ids. */
  setIdentity(sandbox: Sandbox, identity: Pick<SandboxRecord, 'orgId' | 'orgName' | 'random'>): void {
    Object.assign(sandbox, identity)
    sandbox.ids = new Random(sandbox.random)
    this.#oldCopies.delete(sandbox.key)
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

  /**
   * Removes a sandbox and its contents. Its id is free afterwards, even if its rows are deleted a few at a time.
   * @throws {ServiceError} `notAllowed` if it was removed already
   */
  async remove(sandbox: Sandbox): Promise<void> {
    const gone: Sandbox[] = []
    try {
      await this.db.write(() => {
        // Another sandbox may have the key.
        assertNotRemoved(sandbox)
        this.db.atomic(() => this.store.remove(sandbox.key))
        this.#forget(sandbox.id, gone)
      }, sandbox)
    } catch (error) {
      // The commit failed. Keep the object: loading it again would lose its journal.
      for (const there of gone) {
        there.isRemoved = false
        this.#keep(there)
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
    const by = wallTime() - idle
    for (let count = 0; ;) {
      const gone: Sandbox[] = []
      try {
        const removed = await this.db.write(() =>
          this.db.atomic(() => {
            let removed = 0
            while (removed < REMOVED_AT_ONCE && this.#removeIdle(by, gone)) removed++
            return removed
          })
        )
        count += removed
        if (removed < REMOVED_AT_ONCE) return count
      } finally {
        this.#release(gone)
      }
    }
  }

  /** Stores the use of all sandboxes in memory. Call this before closing the database. */
  saveUses(): void {
    const changed = [...this.#open.values()].filter(
      ({ lastUsed, shown, stored }) => lastUsed !== stored.last || shown !== stored.shown
    )
    if (changed.length === 0) return
    this.db
      .write(() => this.db.atomic(() => changed.forEach((sandbox) => this.#saveUse(sandbox))))
      .catch(() => undefined)
  }

  /** Reloads the in-memory state, after a change that failed or that bypassed the stores. */
  reload(sandbox: Sandbox): void {
    const stored = this.store.find(sandbox.id)
    if (stored === undefined) return
    const { key, orgId, orgName, clock, random } = stored
    Object.assign(sandbox, { key, orgId, orgName, clock })
    // Ids drawn in vain stay used up, unless they came from another stream. A failed reset must not make ids repeat.
    if (random.seed === sandbox.random.seed) {
      sandbox.random.draws = Math.max(sandbox.random.draws, random.draws)
    } else {
      sandbox.random = random
      sandbox.ids = new Random(random)
    }
    sandbox.nextDue = this.#dueEvents.earliest(sandbox.key)
    sandbox.newestChange = this.#timeline.newest(sandbox.key)
    sandbox.hasFaults = this.#faults.hasAny(sandbox.key)
  }

  #load(id: string): Sandbox | undefined {
    const held = this.#left.get(id)?.deref()
    if (held !== undefined) {
      this.#keep(held)
      return held
    }
    const stored = this.store.find(id)
    if (stored === undefined) return undefined
    const sandbox = this.#hold(stored)
    this.#keep(sandbox)
    return sandbox
  }

  /** Keeps a sandbox in memory, and unloads idle ones. */
  #keep(sandbox: Sandbox): void {
    this.#left.delete(sandbox.id)
    this.#open.set(sandbox.id, sandbox)
    this.#recency.touch(sandbox)
    // Unload two, so that their number goes down.
    for (let i = 0; i < 2; i++) this.#unloadIdle()
  }

  #unloadIdle(): void {
    const { size } = this.#open
    const idle = this.#recency.oldest
    if (idle === undefined || size <= LOADED.always || (size <= LOADED.atMost && wallTime() - idle.lastUsed < REST))
      return
    if (isAttended(idle)) this.#recency.touch(idle)
    else void this.#unload(idle)
  }

  /** Unloads an idle sandbox, dropping its journal and coverage. First stores what it needs to continue. */
  async #unload(sandbox: Sandbox): Promise<void> {
    this.#recency.remove(sandbox)
    try {
      await this.db.write(() => this.db.atomic(() => this.#saveUse(sandbox)))
    } catch {
      if (!sandbox.isRemoved) this.#recency.touch(sandbox)
      return
    }
    if (sandbox.isRemoved || this.#recency.has(sandbox)) return
    this.#open.delete(sandbox.id)
    this.#left.set(sandbox.id, new WeakRef(sandbox))
    this.#release([sandbox])
  }

  #noteUse(sandbox: Sandbox): void {
    sandbox.stored = { ...sandbox.stored, last: sandbox.lastUsed }
    // Not worth failing for.
    this.db.write(() => this.db.atomic(() => this.#saveUse(sandbox))).catch(() => undefined)
  }

  #saveUse(sandbox: Sandbox): void {
    if (sandbox.isRemoved) return
    const { key, lastUsed: last, shown, requestRandom: requests } = sandbox
    this.store.saveUse(key, { last, shown, requests })
    sandbox.stored = { last, shown }
  }

  /** Removes the least recently used sandbox, if it has been idle since a time. @returns whether there was one */
  #removeIdle(by: number, gone: Sandbox[], find = (by: number) => this.store.longestIdle(by, this.#kept)): boolean {
    for (;;) {
      const idle = find(by)
      if (idle === undefined) return false
      const loaded = this.#open.get(idle.id) ?? this.#left.get(idle.id)?.deref()
      if (loaded === undefined || (loaded.lastUsed <= by && !isAttended(loaded))) {
        this.store.remove(idle.key)
        this.#forget(idle.id, gone)
        return true
      }
      // It has been used since that was stored, or has listeners, which counts as a use.
      if (isAttended(loaded)) loaded.lastUsed = wallTime()
      this.#saveUse(loaded)
    }
  }

  #tooMany(): ServiceError {
    const { count, idle } = this.limits
    const room =
      idle === Infinity
        ? 'None of them can be replaced, because --sandbox-idle is off'
        : 'All of them hold something, and were used too recently to be replaced (--sandbox-idle)'
    return new ServiceError(
      'quotaExceeded',
      `There are ${count} sandboxes already, the maximum of --max-sandboxes. ${room}. Use an existing one, ` +
        'remove some (POST /_mock/sandboxes/purge), or raise the limit.'
    )
  }

  /** Drops a sandbox that is being removed, and marks it for requests that still hold it. */
  #forget(id: string, gone: Sandbox[]): void {
    const sandbox = this.#open.get(id) ?? this.#left.get(id)?.deref()
    if (sandbox !== undefined) {
      sandbox.isRemoved = true
      gone.push(sandbox)
      this.#recency.remove(sandbox)
    }
    this.#open.delete(id)
    this.#left.delete(id)
  }

  /** Frees the memory of removed sandboxes. */
  #release(gone: readonly Sandbox[]): void {
    for (const { eventHub, sleepers, journal, changes, recorder, coverage } of gone) {
      eventHub?.end()
      sleepers?.end()
      journal.clear()
      changes.clear(true)
      recorder?.end()
      coverage.clear()
    }
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
      while (this.store.hasRemoved())
        await this.db.write(() => this.db.atomic(() => this.store.sweep()), this.#sweeping, 'slice')
    } catch {
      // The disk is full, or the database was closed. The next removal or the next start continues.
    } finally {
      this.#isSweeping = false
    }
  }

  #hold({ use, ...record }: SandboxRecord): Sandbox {
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
      version: this.#held++ * 2 ** 32,
      isRemoved: false,
      coverage: new Coverage(),
      eventHub: undefined,
      sleepers: undefined,
      ...this.newMemory(record.id)
    }
  }

  /** What an object caches of the rows of its sandbox. */
  #readRows({ key, random, use }: SandboxRecord) {
    return {
      ids: new Random(random),
      stored: use,
      shown: use.shown,
      behind: 0,
      nextDue: this.#dueEvents.earliest(key),
      newestChange: this.#timeline.newest(key),
      hasFaults: this.#faults.hasAny(key)
    }
  }
}

/** A name for a draft that is not the hash of any key. */
const draftId = () => `draft ${freshSeed()}`

/** Whether somebody listens to a sandbox or waits for its clock. */
function isAttended({ eventHub, sleepers }: Sandbox): boolean {
  return (eventHub?.size ?? 0) > 0 || (sleepers?.size ?? 0) > 0
}

/** @throws {ServiceError} `notAllowed` if a sandbox was removed while a request still held it */
export function assertNotRemoved({ isRemoved }: Sandbox): void {
  if (isRemoved) throw new ServiceError('notAllowed', 'The sandbox was removed while the request was under way.')
}
