import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs'

/** The mode of a file that only its owner may read and write. */
export const PRIVATE = 0o600

/**
 * Writes a file that only its owner may read, even if it replaces one that others could read.
 * @param flag `wx`: the file must not exist
 */
export function writePrivate(path: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): void {
  const file = openSync(path, flag, PRIVATE)
  try {
    // Leave a device its mode.
    if (fstatSync(file).isFile()) fchmodSync(file, PRIVATE)
    writeFileSync(file, content)
  } finally {
    closeSync(file)
  }
}
