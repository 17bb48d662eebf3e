import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The command line is wrong. The message is one line for the user. */
export class UsageError extends Error {}

/** The default address of a server. */
export const DEFAULT_URL = 'http://127.0.0.1:4700'

/**
 * Node's `parseArgs()`.
 * @throws {UsageError} with its first sentence only; the rest explains its own interface
 */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

/** @throws {UsageError} if a text cannot be the address of a server */
export function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`--url must be an http URL, but is ${url}`)
}
