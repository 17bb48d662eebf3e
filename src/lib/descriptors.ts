import { readFileSync } from 'node:fs'

/** Where Linux says how many file descriptors a process may have. */
const LIMITS = '/proc/self/limits'
/** Descriptors that connections leave for the database, the pages and modules that are loaded on demand. */
const RESERVED = 64
/** Connections that are accepted under any limit. */
const FEWEST = 8

/**
 * Maximum number of connections: with more of them, no file can be opened, and Node never loads a module again that it
 * could not open once.
 */
export function mostConnections(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, 'latin1')) ?? []
    return limit === undefined ? Infinity : Math.max(FEWEST, Number(limit) - RESERVED)
  } catch {
    // Other systems have no such file.
    return Infinity
  }
}
