import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyPluginCallback } from 'fastify'
import { notFound } from '../../lib/errors.js'
import { kept } from '../../lib/kept.js'
import { packageFile } from '../../lib/package-file.js'
import { VERSION } from '../../lib/version.js'
import type { Options } from '../../options.js'

/** Where `npm run build` puts the console. */
const DIRECTORY = packageFile('dist/console/')

/** The page runs its own scripts, uses its own styles, and talks to this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8'
}

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin'
}

interface Page {
  readonly html: string
  readonly tag: string
  /** By name; each name contains a hash of the contents. */
  readonly assets: ReadonlyMap<string, Buffer>
}

/**
 * Serves the console at `/_mock/`. The page contains no data, so it needs neither a credential nor a token: it asks for
 * both and sends them with each call. Its files are read on first request.
 */
export const consolePage: FastifyPluginCallback<{ options: Options; directory?: URL }> = (
  app,
  { options, directory = DIRECTORY },
  done
) => {
  const page = kept(() => readPage(directory, options))
  const route = { config: { isControl: true, isPage: true }, schema: { hide: true } }
  app.addHook('onSend', (_request, reply, _payload, sent) => {
    void reply.headers(HEADERS)
    sent()
  })

  // The page refers to its assets by relative URLs.
  app.get('/_mock', route, (_request, reply) => reply.redirect('_mock/', 308))

  app.get('/_mock/', route, async (request, reply) => {
    const { html, tag } = await page()
    void reply.headers({ etag: tag, 'cache-control': 'no-cache' })
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.type(TYPES['.html']!).send(html)
  })

  app.get<{ Params: { name: string } }>('/_mock/assets/:name', route, async ({ params: { name } }, reply) => {
    const asset = (await page()).assets.get(name)
    if (asset === undefined) throw notFound('file', name)
    return reply.type(TYPES[extname(name)]!).header('cache-control', 'public, max-age=31536000, immutable').send(asset)
  })

  done()
}

async function readPage(directory: URL, { auth, controlToken }: Options): Promise<Page> {
  const template = await readFile(new URL('index.html', directory), 'utf8').catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? notFound('console here: npm run build makes it, in', 'dist/console')
      : error
  })
  // The settings that tell the page what to ask for.
  const html = template.replace(
    'content="settings"',
    `content="auth=${auth} token=${controlToken === '' ? 'no' : 'yes'} version=${VERSION}"`
  )
  const names = await readdir(new URL('assets/', directory))
  const assets = await Promise.all(
    names
      .filter((name) => extname(name) in TYPES)
      .map(async (name) => [name, await readFile(new URL(`assets/${name}`, directory))] as const)
  )
  return { html, tag: `"${createHash('sha256').update(html).digest('base64url')}"`, assets: new Map(assets) }
}
