import { openDatabase, type Database } from './db/database.js'
import type { Options } from './options.js'
import { AllowListStore } from './resources/allow-list/store.js'
import { WorkgroupStore } from './resources/workgroups/store.js'
import { SandboxRegistry } from './sandboxes/registry.js'
import type { Sandbox } from './sandboxes/store.js'
import { freshSeed, Random } from './sim/random.js'

/** What a write may use besides the stores. */
export interface Turn {
  readonly sandbox: Sandbox
  /** A new id out of the sandbox's stream. */
  newId: () => string
}

/** Everything that the server knows and can do, without HTTP. */
export interface World {
  readonly sandboxes: SandboxRegistry
  readonly workgroups: WorkgroupStore
  readonly allowList: AllowListStore
  /** Ids for requests. */
  readonly requestIds: Random
  /**
   * Makes a change in a sandbox: all of it holds, or, if `change` throws, none.
   * @returns what `change` returned, once it is durable
   */
  write: <T>(sandbox: Sandbox, change: (turn: Turn) => T) => Promise<T>
  /** Commits what is queued and releases the database. */
  close: () => void
}

/**
 * Opens a world.
 * @throws {DatabaseError} if the database cannot be used
 */
export function openWorld(options: Pick<Options, 'db' | 'maxSandboxes'>): World {
  const db = openDatabase(options.db)
  const sandboxes = new SandboxRegistry(db, options.maxSandboxes)
  return {
    sandboxes,
    workgroups: new WorkgroupStore(db),
    allowList: new AllowListStore(db),
    requestIds: new Random({ seed: freshSeed(), draws: 0 }),
    write: (sandbox, change) => db.write(() => db.atomic(() => runTurn(db, sandboxes, sandbox, change))),
    close: () => { db.close() }
  }
}

function runTurn<T>(_db: Database, sandboxes: SandboxRegistry, sandbox: Sandbox, change: (turn: Turn) => T): T {
  const { draws } = sandbox.random
  const random = new Random(sandbox.random)
  const result = change({ sandbox, newId: () => random.uuid() })
  if (sandbox.random.draws !== draws) sandboxes.saveDraws(sandbox)
  return result
}
