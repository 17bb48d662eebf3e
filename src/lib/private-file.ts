import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs'

/** Only its owner may read and write a file. */
export const PRIVATE = 0o600

/**
 * Writes a file that only its owner may read, also if it takes the place of one that others could read.
 * @param flag `wx`: the file must not be there yet
 * @throws the error of the file system
 */
export function writePrivate(path: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): void {
  const file = openSync(path, flag, PRIVATE)
  try {
    // A device keeps its mode.
    if (fstatSync(file).isFile()) fchmodSync(file, PRIVATE)
    writeFileSync(file, content)
  } finally {
    closeSync(file)
  }
}
