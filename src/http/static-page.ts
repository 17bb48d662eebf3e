import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply } from 'fastify'
import { ServiceError } from '../interface/errors.js'
import { packageFile } from '../lib/package-file.js'

/** A file of a built page. */
interface StaticFile {
  readonly content: string | Buffer
  readonly type: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8'
}

/** @param name one that {@link readFiles} would read */
export function staticFile(name: string, content: string | Buffer): StaticFile {
  return { content, type: TYPES[extname(name)]! }
}

/** Reads the files of a directory that browsers load, by name. @throws the system's error, such as ENOENT */
export async function readFiles(directory: URL): Promise<ReadonlyMap<string, StaticFile>> {
  const names = (await readdir(directory)).filter((name) => extname(name) in TYPES)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, staticFile(name, await readFile(new URL(name, directory)))] as const)
    )
  )
}

/** Handles the error of reading the files of a page: if there are none, says how to make them. */
export const explainUnbuilt =
  (page: string, directory: string) =>
  (error: unknown): never => {
    const isUnbuilt = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw isUnbuilt
      ? new ServiceError('notFound', `The ${page} has not been built: npm run build makes it, in ${directory}.`)
      : error
  }

/** Headers for all files of a page. @param policy its Content-Security-Policy */
export function pageHeaders(policy: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin'
  }
}

export function sendFile(reply: FastifyReply, { content, type }: StaticFile, caching = 'no-cache') {
  return reply.type(type).header('cache-control', caching).send(content)
}

/** The page runs its own scripts, uses its own styles, and talks to this server only. */
export const CONSOLE_HEADERS = pageHeaders([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
])

/** The files of the console. */
export interface ConsoleFiles {
  /** The page, with `content="settings"` where the settings belong. */
  readonly template: string
  /** By name, which contains a hash of the content. */
  readonly assets: ReadonlyMap<string, StaticFile>
}

/** Reads the console. @throws {ServiceError} if it is not built */
export async function readConsole(directory = packageFile('dist/console/')): Promise<ConsoleFiles> {
  const template = await readFile(new URL('index.html', directory), 'utf8').catch(
    explainUnbuilt('console', 'dist/console')
  )
  return { template, assets: await readFiles(new URL('assets/', directory)) }
}
