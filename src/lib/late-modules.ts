import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** File descriptors held for {@link loadLate}: one for the file being read and one to spare. */
const HELD = 2
let held: number[] = []

/**
 * Holds descriptors for later loads. If that fails, the load may still find some free, or Node reports that there are
 * none.
 */
function hold(): void {
  try {
    while (held.length < HELD) held.push(openSync(devNull, 'r'))
  } catch {
    // The next load tries again.
  }
}

/**
 * Loads a package that startup does not need. Node remembers for good what it could not open, so a moment without
 * file descriptors must not affect the load: we hold some for it, and nothing else can take them in the meantime.
 * @param load calls `require()`
 */
export function loadLate<T>(load: () => T): T {
  held.forEach(closeSync)
  held = []
  try {
    return load()
  } finally {
    hold()
  }
}

hold()
