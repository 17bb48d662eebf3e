import { readFile } from 'node:fs/promises'
import type { FastifyPluginCallback } from 'fastify'
import { notFound } from '../../lib/errors.js'
import { kept } from '../../lib/kept.js'
import { packageFile } from '../../lib/package-file.js'
import { VERSION } from '../../lib/version.js'
import type { Options } from '../../options.js'
import { explainUnbuilt, pageHeaders, readFiles, sendFile, type StaticFile, staticFile } from '../static-page.js'

/** Where `npm run build` puts the console. */
const DIRECTORY = packageFile('dist/console/')

/** The page runs its own scripts, uses its own styles, and talks to this server only. */
const HEADERS = pageHeaders([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
])

interface Page {
  readonly html: StaticFile
  /** By name; each name contains a hash of the contents. */
  readonly assets: ReadonlyMap<string, StaticFile>
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

  app.get('/_mock/', route, async (request, reply) => sendFile(request, reply, (await page()).html))

  app.get<{ Params: { name: string } }>('/_mock/assets/:name', route, async ({ params: { name } }, reply) => {
    const asset = (await page()).assets.get(name)
    if (asset === undefined) throw notFound('file', name)
    return reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable').send(asset.content)
  })

  done()
}

async function readPage(directory: URL, { auth, controlToken }: Options): Promise<Page> {
  const template = await readFile(new URL('index.html', directory), 'utf8').catch(
    explainUnbuilt('console', 'dist/console')
  )
  // The settings that tell the page what to ask for.
  const html = template.replace(
    'content="settings"',
    `content="auth=${auth} token=${controlToken === '' ? 'no' : 'yes'} version=${VERSION}"`
  )
  return { html: staticFile('index.html', html), assets: await readFiles(new URL('assets/', directory)) }
}
