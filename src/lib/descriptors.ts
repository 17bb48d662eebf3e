import { readFileSync } from 'node:fs'

/** On Linux, shows the maximum number of file descriptors of a process. */
const LIMITS = '/proc/self/limits'
/** Descriptors reserved for the database, and for pages and modules that are loaded on demand. */
const RESERVED = 64
/** Minimum number of connections, under any limit. */
const FEWEST = 8

/** Maximum number of connections: with more, no file could be opened, and Node never retries a failed module. */
export function mostConnections(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, 'latin1')) ?? []
    return limit === undefined ? Infinity : Math.max(FEWEST, Number(limit) - RESERVED)
  } catch {
    // Only Linux has this file.
    return Infinity
  }
}
