import type { Database } from '../db/database.js'
import type { Place } from '../db/group-commit.js'
import { Coverage } from '../journal/coverage.js'
import { databaseFull, ServiceError } from '../lib/errors.js'
import { Recency } from '../lib/recency.js'
import { finish, type Slices } from '../lib/slices.js'
import { type ClockState, WALL_CLOCK, wallTime } from '../sim/clock.js'
import { DueEventStore } from '../sim/due-events.js'
import { freshSeed, Random, type SeedSource } from '../sim/random.js'
import { Timeline } from '../sim/timeline.js'
import { FaultStore } from './faults.js'
import { assertNotRemoved, type Fill, type Memory, type Sandbox } from './sandbox.js'
import { MANY, type SandboxRecord, SandboxStore } from './store.js'

/** What a new sandbox is like, besides what is in it. */
export interface NewSandbox {
  /** When it is gone, by the machine's clock in milliseconds since 1970; never, if absent. */
  readonly expires?: number
  /** Makes it what it is at the beginning, if the baseline has been read already. */
  readonly filling?: Filling
}

/** How a new sandbox becomes what it is at the beginning. */
export interface Filling {
  /** How many rows that makes, about. */
  readonly rows: () => number
  readonly fill: Fill
}

/** What bounds the sandboxes of a database. */
export interface SandboxLimits {
  /** How many may exist. */
  readonly count: number
  /** How many milliseconds one is not used before it makes room for a new one; `Infinity`: it never does. */
  readonly idle: number
  /** Ids of those that never make room. */
  readonly kept: readonly string[]
}

const HOUR = 3_600_000

/** The last use of a sandbox is stored when what is stored is so old. */
const USE_PRECISION = HOUR

/**
 * How many sandboxes stay in memory whether they are used or not, and how many at most. Between the two, those go that
 * were not used for {@link REST}.
 */
export const LOADED = { always: 1000, atMost: 10_000 } as const
export const REST = HOUR

/** How many sandboxes are removed in one transaction, where many are. */
const REMOVED_AT_ONCE = 100

/** The sandboxes that are in use, each loaded when it is asked for and created when it is first seen. */
export class SandboxRegistry {
  readonly store: SandboxStore
  readonly #db: Database
  readonly #dueEvents: DueEventStore
  readonly #timeline: Timeline
  readonly #faults: FaultStore
  readonly #limits: SandboxLimits
  readonly #kept: string
  readonly #seeds: SeedSource
  readonly #filling: Filling
  readonly #newMemory: () => Memory
  readonly #open = new Map<string, Sandbox>()
  readonly #recency = new Recency<Sandbox>()
  /**
   * Those that were unloaded, as long as a request still holds one: there must not be a second one of the same rows.
   */
  readonly #left = new Map<string, WeakRef<Sandbox>>()
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (this.#left.get(id)?.deref() === undefined) this.#left.delete(id)
  })
  #held = 0
  #isSweeping = false
  /** The lane of what is swept, so that its time counts. */
  readonly #sweeping = {}
  /** Those that are being made, by their ids: several requests may be the first at once. */
  readonly #making = new Map<string, Promise<Sandbox>>()

  /**
   * @param filling makes a new sandbox what it is at the beginning
   * @param newMemory makes what a sandbox keeps in memory alone
   */
  constructor(db: Database, limits: SandboxLimits, seeds: SeedSource, filling: Filling, newMemory: () => Memory) {
    this.store = new SandboxStore(db)
    this.#db = db
    this.#dueEvents = new DueEventStore(db)
    this.#timeline = new Timeline(db)
    this.#faults = new FaultStore(db)
    this.#limits = limits
    this.#kept = JSON.stringify(limits.kept)
    this.#seeds = seeds
    this.#filling = filling
    this.#newMemory = newMemory
    // What the last run did not come to.
    this.store.dropAllDrafts()
    this.sweep()
  }

  /** How many sandboxes are in memory. */
  get loaded(): number {
    return this.#open.size
  }

  /** A sandbox that is in memory. */
  peek(id: string): Sandbox | undefined {
    return this.#open.get(id)
  }

  /**
   * The sandbox of an id, which is created if there is none. Only its first use costs anything.
   * @param mayCreate not for a key that was made for a sandbox
   * @throws {ServiceError} `unauthorized` if there is none and it may not be created, `quotaExceeded` if it would be
   * one too many
   */
  open(id: string, mayCreate = true): Sandbox | Promise<Sandbox> {
    const sandbox = this.find(id)
    if (sandbox !== undefined) return sandbox
    if (mayCreate) return this.create(id)
    throw new ServiceError('unauthorized', 'The sandbox of this key is gone: it has expired, or was removed.')
  }

  /** The sandbox of an id, if there is one whose time is not over. This is a use of it. */
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
   * Creates a sandbox, unless there is one of that id. At the limit, the one that was not used for longest makes room,
   * if that is long enough.
   * @throws {ServiceError} if it would be one too many
   */
  async create(id: string, { expires, filling = this.#filling }: NewSandbox = {}): Promise<Sandbox> {
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
      const fresh = await this.#db.write(() =>
        this.#db.atomic(() => {
          this.#makeRoom(gone)
          const random = { seed: this.#seeds.ofSandbox(), draws: 0 }
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
            this.#db.unwatched(() => {
              finish(steps)
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
        }
        await this.#db.write(() => {
          this.#db.atomic(publish)
        }, draft)
        sandbox.id = id
      }
      draft = undefined
      this.#keep(sandbox)
      return sandbox
    } finally {
      if (draft !== undefined) this.dropDraft(draft)
      this.#release(gone)
    }
  }

  /** Makes room for one more sandbox. */
  #makeRoom(gone: Sandbox[]): void {
    const wall = wallTime()
    for (const expired of this.store.expired(wall, REMOVED_AT_ONCE)) {
      this.store.mark(expired.key)
      this.#forget(expired.id, gone)
    }
    if (this.store.count() >= this.#limits.count && !this.#removeIdle(wall - this.#limits.idle, gone))
      throw this.#tooMany()
    if (this.#db.isNearlyFull) throw databaseFull()
  }

  async #fill(draft: Sandbox, steps: Slices<void>): Promise<void> {
    for (let place: Place = 'slice', isDone = false; !isDone; place = 'rest') {
      isDone = await this.#db.write(() => this.#db.inBulk(steps), draft, place)
    }
  }

  /** A new row with nothing in it, which becomes what a sandbox is going to be. Must be called within a write. */
  draft(sandbox: Sandbox): Sandbox {
    const { ownSeed, orgId, orgName } = sandbox
    const random = { seed: ownSeed, draws: 0 }
    const { use, ...record } = this.store.insert(
      { id: draftId(), orgId, orgName, random, clock: WALL_CLOCK, expires: null },
      wallTime()
    )
    this.store.markDraft(record.key)
    const unused = {
      ids: new Random(random),
      stored: use,
      shown: -Infinity,
      nextDue: Infinity,
      newestChange: -Infinity,
      behind: 0
    }
    return { ...sandbox, ...record, ...unused }
  }

  /** Lets a sandbox be what its draft has become. Must be called within a write; the old rows go when that holds. */
  putInPlace(sandbox: Sandbox, draft: Sandbox): void {
    this.store.putInPlace(draft.key, sandbox)
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

  /** Gives up a draft that came to nothing. */
  dropDraft({ key }: Sandbox): void {
    // If that cannot be written, the next start does it.
    this.#db
      .write(() => {
        this.#db.atomic(() => {
          this.store.dropDraft(key)
        })
      })
      .then(
        () => {
          this.sweep()
        },
        () => undefined
      )
  }

  /** Gives the sandbox another org, and lets its stream of ids go on elsewhere. */
  setIdentity(sandbox: Sandbox, identity: Pick<SandboxRecord, 'orgId' | 'orgName' | 'random'>): void {
    Object.assign(sandbox, identity)
    sandbox.ids = new Random(sandbox.random)
    this.store.saveIdentity(sandbox.key, sandbox)
  }

  /**
   * Saves how far the sandbox's stream of ids has been used, so that no id comes twice, and what its clock has shown.
   */
  saveDraws(sandbox: Sandbox): void {
    const { key, random, shown, stored } = sandbox
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
   * Removes a sandbox with all that is in it. Its id is free then, even where its rows go a few at a time.
   * @throws {ServiceError} `notAllowed` if it was removed already
   */
  async remove(sandbox: Sandbox): Promise<void> {
    const gone: Sandbox[] = []
    try {
      await this.#db.write(() => {
        // Its key may be that of another one by now.
        assertNotRemoved(sandbox)
        this.#db.atomic(() => {
          this.store.remove(sandbox.key)
        })
        this.#forget(sandbox.id, gone)
      }, sandbox)
    } catch (error) {
      // The commit has failed. Loaded again, it would lose its journal.
      for (const there of gone) {
        there.isRemoved = false
        this.#keep(there)
      }
      throw error
    }
    this.#release(gone)
  }

  /**
   * Removes the sandboxes that were not used for some time, but for those that never make room.
   * @param idle in milliseconds
   * @returns how many there were
   */
  async purge(idle: number): Promise<number> {
    const by = wallTime() - idle
    for (let count = 0; ;) {
      const gone: Sandbox[] = []
      try {
        const removed = await this.#db.write(() =>
          this.#db.atomic(() => {
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

  /** Stores what is known of the use of all that are in memory. Call it before the database is closed. */
  saveUses(): void {
    const changed = [...this.#open.values()].filter(
      ({ lastUsed, shown, stored }) => lastUsed !== stored.last || shown !== stored.shown
    )
    if (changed.length === 0) return
    this.#db
      .write(() => {
        this.#db.atomic(() => {
          changed.forEach((sandbox) => {
            this.#saveUse(sandbox)
          })
        })
      })
      .catch(() => undefined)
  }

  /** Reads again what a change that did not hold, or one beside the stores, may have left different in memory. */
  reload(sandbox: Sandbox): void {
    const stored = this.store.find(sandbox.id)
    if (stored === undefined) return
    const { key, orgId, orgName, clock, random } = stored
    Object.assign(sandbox, { key, orgId, orgName, clock })
    // What has been drawn in vain stays drawn, unless it was from another stream; and no reset that did not hold gives
    // ids again.
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

  /** Has a sandbox in memory from now on, and lets others go that are not used. */
  #keep(sandbox: Sandbox): void {
    this.#left.delete(sandbox.id)
    this.#open.set(sandbox.id, sandbox)
    this.#recency.touch(sandbox)
    // More than one, so that they become fewer.
    for (let i = 0; i < 2; i++) this.#unloadIdle()
  }

  #unloadIdle(): void {
    const { size } = this.#open
    const idle = this.#recency.oldest
    if (idle === undefined || size <= LOADED.always || (size <= LOADED.atMost && wallTime() - idle.lastUsed < REST))
      return
    // Somebody listens to it.
    if (idle.eventHub.size > 0) this.#recency.touch(idle)
    else void this.#unload(idle)
  }

  /** Forgets a sandbox that is not used, with its journal and its coverage. What it needs to go on is stored before. */
  async #unload(sandbox: Sandbox): Promise<void> {
    this.#recency.remove(sandbox)
    try {
      await this.#db.write(() => {
        this.#db.atomic(() => {
          this.#saveUse(sandbox)
        })
      })
    } catch {
      if (!sandbox.isRemoved) this.#recency.touch(sandbox)
      return
    }
    if (sandbox.isRemoved || this.#recency.has(sandbox)) return
    this.#open.delete(sandbox.id)
    this.#left.set(sandbox.id, new WeakRef(sandbox))
    this.#collected.register(sandbox, sandbox.id)
    this.#release([sandbox])
  }

  #noteUse(sandbox: Sandbox): void {
    sandbox.stored = { ...sandbox.stored, last: sandbox.lastUsed }
    // It is not worth failing for.
    this.#db
      .write(() => {
        this.#db.atomic(() => {
          this.#saveUse(sandbox)
        })
      })
      .catch(() => undefined)
  }

  #saveUse(sandbox: Sandbox): void {
    if (sandbox.isRemoved) return
    const { key, lastUsed: last, shown, requestRandom: requests } = sandbox
    this.store.saveUse(key, { last, shown, requests })
    sandbox.stored = { last, shown }
  }

  /** Removes the sandbox that was not used for longest, if it was not since a time. @returns whether there was one */
  #removeIdle(by: number, gone: Sandbox[]): boolean {
    for (;;) {
      const idle = this.store.longestIdle(by, this.#kept)
      if (idle === undefined) return false
      const loaded = this.#open.get(idle.id) ?? this.#left.get(idle.id)?.deref()
      if (loaded === undefined || (loaded.lastUsed <= by && loaded.eventHub.size === 0)) {
        this.store.mark(idle.key)
        this.#forget(idle.id, gone)
        return true
      }
      // It was used since that was stored; or somebody listens to it, which is a use, too.
      if (loaded.eventHub.size > 0) loaded.lastUsed = wallTime()
      this.#saveUse(loaded)
    }
  }

  #tooMany(): ServiceError {
    const { count, idle } = this.#limits
    const room =
      idle === Infinity
        ? 'None of them can be replaced, because --sandbox-idle is off'
        : 'All of them were used too recently to be replaced (--sandbox-idle)'
    return new ServiceError(
      'quotaExceeded',
      `There are ${count} sandboxes already, the maximum of --max-sandboxes. ${room}. Use an existing one, ` +
        'remove some (POST /_mock/sandboxes/purge), or raise the limit.'
    )
  }

  /** A sandbox is being removed: whoever still holds it finds out. */
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

  /** Gives back what sandboxes that are gone have kept in memory. */
  #release(gone: readonly Sandbox[]): void {
    for (const { eventHub, journal, coverage } of gone) {
      eventHub.end()
      journal.clear()
      coverage.clear()
    }
    this.sweep()
  }

  /** Takes away what removed sandboxes have left, a little with each commit, until there is nothing. */
  sweep(): void {
    void this.#sweep()
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping) return
    this.#isSweeping = true
    try {
      while (this.store.hasRemoved())
        await this.#db.write(
          () => {
            this.#db.atomic(() => {
              this.store.sweep()
            })
          },
          this.#sweeping,
          'slice'
        )
    } catch {
      // The disk is full, or the database was closed: it goes on when the next sandbox is removed, or at the next
      // start.
    } finally {
      this.#isSweeping = false
    }
  }

  #hold({ use, ...record }: SandboxRecord): Sandbox {
    const seed = this.#seeds.ofRequests(record.ownSeed)
    // Another run has drawn from another stream.
    const requestRandom = { seed, draws: use.requests?.seed === seed ? use.requests.draws : 0 }
    return {
      ...record,
      ids: new Random(record.random),
      requestIds: new Random(requestRandom),
      requestRandom,
      lastUsed: use.last,
      stored: use,
      nextDue: this.#dueEvents.earliest(record.key),
      newestChange: this.#timeline.newest(record.key),
      shown: use.shown,
      behind: 0,
      hasFaults: this.#faults.hasAny(record.key),
      // A removed sandbox leaves its key to another one, which must not be taken for it.
      version: this.#held++ * 2 ** 32,
      isRemoved: false,
      coverage: new Coverage(),
      ...this.#newMemory()
    }
  }
}

/** A name for a draft, which is no hash of any key. */
const draftId = () => `draft ${freshSeed()}`
