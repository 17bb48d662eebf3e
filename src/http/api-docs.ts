import type { FastifyInstance } from 'fastify'
import { notFound } from '../interface/errors.js'
import { kept } from '../lib/kept.js'
import { packageFile } from '../lib/package-file.js'
import { explainUnbuilt, pageHeaders, readFiles, sendFile } from './static-page.js'

/** The page runs only its own scripts, which set styles, and talks to this server only. */
const HEADERS = pageHeaders([
  "default-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
])

/**
 * Publishes a page at `/docs` that shows both OpenAPI documents, and in which every call can be tried. Its files are
 * read on first request, because most servers are used by programs only.
 */
export function publishApiDocs(app: FastifyInstance, directory = packageFile('dist/docs/')): void {
  const files = kept(() => readFiles(directory).catch(explainUnbuilt('page', 'dist/docs')))
  for (const path of ['/docs', '/docs/*']) {
    app.get<{ Params: { '*'?: string } }>(path, { schema: { hide: true } }, async (request, reply) => {
      const { '*': name = 'index.html' } = request.params
      // The page refers to its files by URLs relative to `/docs`.
      if (name === '') return reply.redirect('../docs', 308)
      const file = (await files()).get(name)
      if (file === undefined) throw notFound('page', request.url)
      return sendFile(reply.headers(HEADERS), file)
    })
  }
}
