import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../interface/errors.js'

/** A file of a page that a build has made. */
export interface StaticFile {
  readonly content: string | Buffer
  readonly type: string
  /** Entity tag: a hash of the content. */
  readonly tag: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8'
}

/** Describes the content of a file with a name that {@link readFiles} would read. */
export function staticFile(name: string, content: string | Buffer): StaticFile {
  return {
    content,
    type: TYPES[extname(name)]!,
    tag: `"${createHash('sha256').update(content).digest('base64url')}"`
  }
}

/**
 * Reads the files of a directory that browsers load, by name.
 * @throws the system's error if it cannot be read, such as one with the code ENOENT
 */
export async function readFiles(directory: URL): Promise<ReadonlyMap<string, StaticFile>> {
  const names = (await readdir(directory)).filter((name) => extname(name) in TYPES)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, staticFile(name, await readFile(new URL(name, directory)))] as const)
    )
  )
}

/** Handles the error for a page whose files cannot be read: if there are none, it says how to make them. */
export const explainUnbuilt =
  (page: string, directory: string) =>
  (error: unknown): never => {
    const isUnbuilt = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw isUnbuilt ? notFound(`${page} here: npm run build makes it, in`, directory) : error
  }

/** Headers of each reply with a part of a page. @param policy its Content-Security-Policy */
export function pageHeaders(policy: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin'
  }
}

/** Sends a file, unless the browser has it already. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { content, type, tag }: StaticFile) {
  void reply.headers({ etag: tag, 'cache-control': 'no-cache' })
  if (request.headers['if-none-match'] === tag) return reply.code(304).send()
  return reply.type(type).send(content)
}
