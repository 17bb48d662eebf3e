import type { Database } from '../db/database.js'
import { ServiceError } from '../errors.js'
import { Coverage } from '../journal/coverage.js'
import { Feed } from '../journal/feed.js'
import type { Journal } from '../journal/journal.js'
import { WALL_CLOCK, wallTime, type ClockState } from '../sim/clock.js'
import { DueEventStore } from '../sim/due-events.js'
import { Random, type RandomState, type SeedSource } from '../sim/random.js'
import { Timeline } from '../sim/timeline.js'
import { FaultStore } from './faults.js'
import { SandboxStore, type SandboxRecord } from './store.js'

/** One org's whole world, as it is kept in memory while the server runs. The rows are the truth; this is what is asked for often. */
export interface Sandbox extends SandboxRecord {
  orgId: string
  orgName: string
  random: RandomState
  clock: ClockState
  /** The stream of ids for what is created in it, drawn from {@link random}. */
  ids: Random
  /** The stream of RequestIDs for its requests, in this run of the server. */
  readonly requestIds: Random
  /** A time before which nothing is due; often exactly when the next event is. */
  nextDue: number
  /** Time of the newest row of the timeline. */
  newestChange: number
  /** The time that its clock has shown last; `-Infinity` since it was set, or while it does not run. */
  shown: number
  /** Whether any rule says what shall go wrong with its requests. It may be true too long, and is never false too early. */
  hasFaults: boolean
  /** Counts the writes in it, so that whoever keeps what it read knows when to read again. */
  version: number
  /** Whether it was removed while a request still held it. */
  isRemoved: boolean
  /** The requests of this run of the server, and what they changed. */
  readonly journal: Journal
  /** What was exercised in this run of the server. */
  readonly coverage: Coverage
  /** Tells those who listen what happens in it. */
  readonly feed: Feed
}

/** What a new sandbox is like, besides what is in it. */
export interface NewSandbox {
  /** When it is gone, by the machine's clock in milliseconds since 1970; never, if absent. */
  readonly expires?: number
  /** State document (JSON) that a reset brings it back to; the server's baseline if absent. */
  readonly baseline?: string
  /** Makes it what it is at the beginning; as the server's baseline says if absent. */
  readonly filling?: Filling
}

/** How a new sandbox becomes what it is at the beginning. */
export interface Filling {
  /** How many rows that makes. */
  readonly rows: () => number
  readonly fill: (sandbox: Sandbox) => void
}

/** The sandboxes that have been used since the start, each loaded once and created when it is first seen. */
export class SandboxRegistry {
  readonly store: SandboxStore
  readonly #db: Database
  readonly #dueEvents: DueEventStore
  readonly #timeline: Timeline
  readonly #faults: FaultStore
  readonly #limit: number
  readonly #seeds: SeedSource
  readonly #filling: Filling
  readonly #newJournal: () => Journal
  readonly #open = new Map<string, Sandbox>()
  #held = 0

  /**
   * @param limit how many sandboxes may exist in the database
   * @param filling makes a new sandbox what it is at the beginning
   * @param newJournal makes the journal of a sandbox
   */
  constructor(db: Database, limit: number, seeds: SeedSource, filling: Filling, newJournal: () => Journal) {
    this.store = new SandboxStore(db)
    this.#db = db
    this.#dueEvents = new DueEventStore(db)
    this.#timeline = new Timeline(db)
    this.#faults = new FaultStore(db)
    this.#limit = limit
    this.#seeds = seeds
    this.#filling = filling
    this.#newJournal = newJournal
  }

  /**
   * The sandbox of an id, which is created if there is none. Only its first use costs anything.
   * @param mayCreate not for a key that was made for a sandbox
   * @throws {ServiceError} `unauthorized` if there is none and it may not be created, `quotaExceeded` if it would be one too many
   */
  open(id: string, mayCreate = true): Sandbox | Promise<Sandbox> {
    const sandbox = this.find(id)
    if (sandbox !== undefined) return sandbox
    if (mayCreate) return this.create(id)
    throw new ServiceError('unauthorized', 'The sandbox of this key is gone: its time is over, or it was removed.')
  }

  /** The sandbox of an id, if there is one whose time is not over. */
  find(id: string): Sandbox | undefined {
    const sandbox = this.#open.get(id) ?? this.#load(id)
    return sandbox === undefined || (sandbox.expires !== null && sandbox.expires <= wallTime()) ? undefined : sandbox
  }

  /**
   * Creates a sandbox, unless there is one of that id.
   * @throws {ServiceError} if it would be one too many
   */
  async create(id: string, { expires, baseline, filling = this.#filling }: NewSandbox = {}): Promise<Sandbox> {
    // None has this key yet.
    const isLarge = this.store.isLarge(-1, filling.rows())
    const created = await this.#db.write(() => this.#db.atomic(() => {
      for (const expired of this.store.removeExpired(wallTime())) this.#forget(expired)
      // Several requests may be the first at once.
      if (this.store.find(id) !== undefined) return undefined
      if (this.store.count() >= this.#limit) {
        throw new ServiceError('quotaExceeded',
          `There are ${this.#limit} sandboxes already, as many as --max-sandboxes allows; use one of theirs, or raise the limit.`)
      }
      const random = { seed: this.#seeds.ofSandbox(), draws: 0 }
      const sandbox = this.#hold(this.store.insert({ id, orgId: '', orgName: '', random, clock: WALL_CLOCK, expires: expires ?? null }))
      if (baseline !== undefined) this.store.saveBaseline(sandbox.key, baseline)
      this.#db.unwatched(() => { filling.fill(sandbox) }, isLarge)
      return sandbox
    }), isLarge)
    if (created === undefined) return this.find(id)!
    this.#open.set(id, created)
    return created
  }

  /** Gives the sandbox another org, and lets its stream of ids go on elsewhere. */
  become(sandbox: Sandbox, identity: Pick<SandboxRecord, 'orgId' | 'orgName' | 'random'>): void {
    Object.assign(sandbox, identity)
    sandbox.ids = new Random(sandbox.random)
    this.store.saveIdentity(sandbox.key, sandbox)
  }

  /** Saves how far the sandbox's stream of ids has been used, so that no id comes twice. */
  saveDraws({ key, random }: Sandbox): void {
    this.store.saveDraws(key, random.draws)
  }

  saveClock(sandbox: Sandbox, clock: ClockState): void {
    this.store.saveClock(sandbox.key, clock)
    sandbox.clock = clock
    sandbox.shown = -Infinity
  }

  /**
   * Removes a sandbox with all that is in it. Its id is free then.
   * @throws {ServiceError} `notAllowed` if it was removed already
   */
  async remove(sandbox: Sandbox): Promise<void> {
    let isForgotten = false as boolean
    const isLarge = this.store.isLarge(sandbox.key, 0)
    try {
      await this.#db.write(() => {
        // Its key may be that of another one by now.
        requireThere(sandbox)
        this.#db.atomic(() => { this.#db.unwatched(() => { this.store.remove(sandbox.key) }, isLarge) })
        this.#forget(sandbox.id)
        isForgotten = true
      }, isLarge)
    } catch (error) {
      // The commit has failed. Loaded anew, it would lose its journal, and give the same RequestIDs again.
      if (isForgotten) {
        sandbox.isRemoved = false
        this.#open.set(sandbox.id, sandbox)
      }
      throw error
    }
  }

  /** Reads again what a change that did not hold, or one beside the stores, may have left different in memory. */
  reload(sandbox: Sandbox): void {
    const stored = this.store.find(sandbox.id)
    if (stored === undefined) return
    const { orgId, orgName, clock, random } = stored
    Object.assign(sandbox, { orgId, orgName, clock })
    // What has been drawn in vain stays drawn, unless it was from another stream; and no reset that did not hold gives ids again.
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
    const stored = this.store.find(id)
    if (stored === undefined) return undefined
    const sandbox = this.#hold(stored)
    this.#open.set(id, sandbox)
    return sandbox
  }

  #forget(id: string): void {
    const sandbox = this.#open.get(id)
    if (sandbox !== undefined) {
      sandbox.isRemoved = true
      sandbox.feed.end()
    }
    this.#open.delete(id)
  }

  #hold(record: SandboxRecord): Sandbox {
    return {
      ...record,
      ids: new Random(record.random),
      requestIds: new Random({ seed: this.#seeds.ofRequests(record.ownSeed), draws: 0 }),
      nextDue: this.#dueEvents.earliest(record.key),
      newestChange: this.#timeline.newest(record.key),
      shown: -Infinity,
      hasFaults: this.#faults.hasAny(record.key),
      // A removed sandbox leaves its key to another one, which must not be taken for it.
      version: this.#held++ * 2 ** 32,
      isRemoved: false,
      journal: this.#newJournal(),
      coverage: new Coverage(),
      feed: new Feed()
    }
  }
}

/** @throws {ServiceError} `notAllowed` if a sandbox was removed while a request still held it */
export function requireThere({ isRemoved }: Sandbox): void {
  if (isRemoved) throw new ServiceError('notAllowed', 'The sandbox was removed while the request was under way.')
}
