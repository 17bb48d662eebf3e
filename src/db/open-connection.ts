import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { addonProblem } from './addon.js'
import type { Connection } from './connection.js'
import { DatabaseError } from './database-error.js'
import { loadNodeSqlite } from './node-sqlite.js'

type Open = (path: string) => Connection

// If the addon was compiled with the headers of Node 24.19 or later, Node aborts when one of its objects is
// garbage-collected (nodejs/node#65446). So we keep them: those of a closed connection hold no SQLite memory.
const mustKeep = process.versions.node.startsWith('24.')
const kept: unknown[] = []

function keep<T>(object: T): T {
  if (mustKeep) kept.push(object)
  return object
}

/** The package loads the addon when the first connection is opened. */
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
 * Opens a file, or `:memory:`, with the addon, or with Node's own SQLite if the addon cannot be loaded. Does not wait
 * for a file that is in use.
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

/** Why Node's own SQLite is used; undefined if it is not, or nothing has been opened yet. */
export const whyNodeSqlite = (): string | undefined => problem

function withoutAddon(reason: string): Open {
  const openNodeSqlite = loadNodeSqlite()
  if (openNodeSqlite !== undefined) return openNodeSqlite
  // Its cause, a list of paths that were tried, would not help.
  throw new DatabaseError(`${reason}, or use Node 22.13 or later, which has its own SQLite`)
}
