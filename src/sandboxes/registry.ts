import type { Database } from '../db/database.js'
import { ServiceError } from '../errors.js'
import { freshSeed, Random, type RandomState } from '../sim/random.js'
import { SandboxStore, type Sandbox } from './store.js'

/** The sandboxes that have been used since the start, each loaded once and created when it is first seen. */
export class SandboxRegistry {
  readonly #db: Database
  readonly #store: SandboxStore
  readonly #limit: number
  readonly #open = new Map<string, Sandbox>()

  /** @param limit how many sandboxes may exist in the database */
  constructor(db: Database, limit: number) {
    this.#db = db
    this.#store = new SandboxStore(db)
    this.#limit = limit
  }

  /**
   * The sandbox of an id. Only its first use costs anything.
   * @throws {ServiceError} if it would be one sandbox too many
   */
  open(id: string): Sandbox | Promise<Sandbox> {
    const known = this.#open.get(id) ?? this.#keep(this.#store.find(id))
    return known ?? this.#create(id)
  }

  /** Saves how far the sandbox's stream of ids has been used, so that no id comes twice. Part of every write. */
  saveDraws(sandbox: Sandbox): void {
    this.#store.saveDraws(sandbox)
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
      const random: RandomState = { seed: freshSeed(), draws: 0 }
      const orgId = new Random(random).uuid()
      return this.#store.insert({ id, orgId, orgName: 'Mock Org', random })
    }))
    return this.#open.get(id) ?? this.#keep(created)!
  }

  #keep(sandbox: Sandbox | undefined): Sandbox | undefined {
    if (sandbox !== undefined) this.#open.set(sandbox.id, sandbox)
    return sandbox
  }
}
