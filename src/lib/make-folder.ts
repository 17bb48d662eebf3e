import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Creates a folder and those above it, unless it exists. @throws the system's error, such as EACCES */
export function makeFolder(path: string): void {
  const folder = resolve(path)
  if (isFolder(folder)) return
  // Node's own `recursive` tries forever where the folder above takes no new ones, such as /proc or a deleted one.
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
