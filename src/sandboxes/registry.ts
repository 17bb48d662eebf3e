import type { Database } from '../db/database.js'
import { ServiceError } from '../errors.js'
import { WALL_CLOCK, type ClockState } from '../sim/clock.js'
import { DueEventStore } from '../sim/due-events.js'
import { Random, type SeedSource } from '../sim/random.js'
import { Timeline } from '../sim/timeline.js'
import { SandboxStore, type SandboxRecord } from './store.js'

/** One org's whole world, as it is kept in memory while the server runs. The rows are the truth; this is what is asked for often. */
export interface Sandbox extends SandboxRecord {
  clock: ClockState
  /** The stream of ids for what is created in it. */
  readonly ids: Random
  /** The stream of RequestIDs for its requests, in this run of the server. */
  readonly requestIds: Random
  /** A time before which nothing is due; often exactly when the next event is. */
  nextDue: number
  /** Time of the newest row of the timeline. */
  newestChange: number
  /** Counts the writes in it, so that whoever keeps what it read knows when to read again. */
  version: number
}

/** The sandboxes that have been used since the start, each loaded once and created when it is first seen. */
export class SandboxRegistry {
  readonly #db: Database
  readonly #store: SandboxStore
  readonly #dueEvents: DueEventStore
  readonly #timeline: Timeline
  readonly #limit: number
  readonly #seeds: SeedSource
  readonly #seed: (sandbox: SandboxRecord, ids: Random) => void
  readonly #open = new Map<string, Sandbox>()

  /**
   * @param limit how many sandboxes may exist in the database
   * @param seed fills a new sandbox with what is there from the beginning
   */
  constructor(db: Database, limit: number, seeds: SeedSource, seed: (sandbox: SandboxRecord, ids: Random) => void) {
    this.#db = db
    this.#store = new SandboxStore(db)
    this.#dueEvents = new DueEventStore(db)
    this.#timeline = new Timeline(db)
    this.#limit = limit
    this.#seeds = seeds
    this.#seed = seed
  }

  /**
   * The sandbox of an id. Only its first use costs anything.
   * @throws {ServiceError} if it would be one sandbox too many
   */
  open(id: string): Sandbox | Promise<Sandbox> {
    const known = this.#open.get(id)
    if (known !== undefined) return known
    const stored = this.#store.find(id)
    return stored === undefined ? this.#create(id) : this.#keep(stored)
  }

  /** Saves how far the sandbox's stream of ids has been used, so that no id comes twice. */
  saveDraws({ key, random }: Sandbox): void {
    this.#store.saveDraws(key, random.draws)
  }

  saveClock(sandbox: Sandbox, clock: ClockState): void {
    this.#store.saveClock(sandbox.key, clock)
    sandbox.clock = clock
  }

  /** Reads again what a change that did not hold may have left different in memory. */
  reload(sandbox: Sandbox): void {
    const stored = this.#store.find(sandbox.id)
    if (stored === undefined) return
    sandbox.clock = stored.clock
    sandbox.nextDue = this.#dueEvents.earliest(sandbox.key)
    sandbox.newestChange = this.#timeline.newest(sandbox.key)
  }

  async #create(id: string): Promise<Sandbox> {
    const created = await this.#db.write(() => this.#db.atomic(() => {
      // Several requests may be the first at once.
      const known = this.#store.find(id)
      if (known !== undefined) return known
      if (this.#store.count() >= this.#limit) {
        throw new ServiceError('quotaExceeded',
          `There are ${this.#limit} sandboxes already, as many as --max-sandboxes allows; use one of theirs, or raise the limit.`)
      }
      const random = { seed: this.#seeds.ofSandbox(), draws: 0 }
      const ids = new Random(random)
      const created = this.#store.insert({ id, orgId: ids.uuid(), orgName: 'Mock Org', random, clock: WALL_CLOCK })
      this.#seed(created, ids)
      this.#store.saveDraws(created.key, random.draws)
      return created
    }))
    return this.#open.get(id) ?? this.#keep(created)
  }

  #keep(record: SandboxRecord): Sandbox {
    const sandbox: Sandbox = {
      ...record,
      ids: new Random(record.random),
      requestIds: new Random({ seed: this.#seeds.ofRequests(record.random.seed), draws: 0 }),
      nextDue: this.#dueEvents.earliest(record.key),
      newestChange: this.#timeline.newest(record.key),
      version: 0
    }
    this.#open.set(record.id, sandbox)
    return sandbox
  }
}
