import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** Creates a folder and those above it, unless it exists. @throws the system's error, such as EACCES */
export function makeFolder(path: string): void {
  // From a working directory that was deleted, Node would try a relative path forever; resolving it throws.
  mkdirSync(resolve(path), { recursive: true })
}
