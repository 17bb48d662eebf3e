import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { addonProblem } from './addon.js'
import type { Connection } from './connection.js'
import { DatabaseError } from './database-error.js'
import { loadNodeSqlite } from './node-sqlite.js'

/** Opens a file, or `:memory:`, and refuses a file that is in use at once. */
type Open = (path: string) => Connection

// If the addon was compiled with the headers of Node 24.19 or later, Node aborts when one of its objects is
// garbage-collected (nodejs/node#65446). A closed connection that we keep holds no SQLite memory, only empty shells.
const mustKeep = process.versions.node.startsWith('24.')
const kept: unknown[] = []

function keep<T>(object: T): T {
  if (mustKeep) kept.push(object)
  return object
}

/** Opens with the addon, which the package loads with the first connection. */
const openWithAddon: Open = (path) => {
  const Addon = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite
  const sqlite = keep(new Addon(path, { timeout: 0 }))
  const prepare = sqlite.prepare.bind(sqlite)
  sqlite.prepare = (source: string) => keep(prepare(source))
  return sqlite
}

let open = openWithAddon
let problem: string | undefined

/**
 * Opens a file, or `:memory:`, with the addon, or with Node's own SQLite where the addon cannot be loaded. Refuses a
 * file that is in use at once.
 * @throws {DatabaseError} in one sentence if there is neither
 */
export function openConnection(path: string): Connection {
  try {
    return open(path)
  } catch (error) {
    const reason = addonProblem(error)
    if (reason === undefined) throw error
    open = withoutAddon(reason)
    problem = reason
    return open(path)
  }
}

/** Why Node's own SQLite is used, in words; undefined if it is not, or nothing was opened yet. */
export const whyNodeSqlite = (): string | undefined => problem

function withoutAddon(reason: string): Open {
  const openNodeSqlite = loadNodeSqlite()
  if (openNodeSqlite !== undefined) return openNodeSqlite
  // The long cause, a list of paths that were tried, says no more.
  throw new DatabaseError(`${reason}, or use Node 22.13 or later, which has SQLite of its own`)
}
