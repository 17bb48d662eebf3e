import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** Descriptors that are held for {@link loadLate}, one for the file that is read and one to spare. */
const HELD = 2
let held: number[] = []

/**
 * Holds descriptors for what is loaded later. Without any, there will be enough of them, or Node will say that there
 * are not.
 */
function hold(): void {
  try {
    while (held.length < HELD) held.push(openSync(devNull, 'r'))
  } catch {
    /* The next who loads something tries again. */
  }
}

/**
 * Loads a package that is not needed at the start. Node remembers for good what it could not open, so a moment without
 * file descriptors must not meet this one: there are some held for it, and nothing else can take them meanwhile.
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
