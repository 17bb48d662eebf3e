import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The command line is wrong; the message is one line for the user. */
export class UsageError extends Error {}

/** Where a server listens unless it is told otherwise. */
export const DEFAULT_URL = 'http://127.0.0.1:4700'

/**
 * `parseArgs()` of Node.
 * @throws {UsageError} in the first sentence of its words: the rest is about its own interface
 */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

/** @throws {UsageError} if a text cannot be where a server listens */
export function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`--url must be an http URL, but is ${url}`)
}
