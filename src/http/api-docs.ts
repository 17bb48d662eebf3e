import { createRequire } from 'node:module'
import type Swagger from '@fastify/swagger'
import type SwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import { notFound } from '../lib/errors.js'
import { kept } from '../lib/kept.js'
import { loadLate } from '../lib/late-modules.js'
import { handleError } from './error-handler.js'

const require = createRequire(import.meta.url)

/** Where the page is. */
const PREFIX = '/docs'

const REQUEST_ID = 'x-request-id'

/** What the page's own script calls Swagger UI, around the function below. */
declare const ui: {
  readonly authSelectors: { authorized: () => { get: (name: string) => unknown } }
  preauthorizeApiKey: (name: string, key: string) => void
}

/**
 * Runs in the browser, where it has only what is in it and around it: fills in a key, which with `--auth any` is as
 * good as any other. One that the reader has put in stays.
 */
function fillInKey(): void {
  // The page is told that it is complete before it has a name for what was made.
  queueMicrotask(() => {
    for (const name of ['apiKey', 'session']) {
      if (ui.authSelectors.authorized().get(name) === undefined) ui.preauthorizeApiKey(name, 'demo')
    }
  })
}

/**
 * Publishes a page at `/docs` that shows both OpenAPI documents and lets the reader try every call. All that it loads
 * comes from this server. It is made when somebody first asks for it: most servers are for programs only.
 */
export function publishApiDocs(app: FastifyInstance): void {
  let built: FastifyInstance | undefined
  const pages = kept(async () => (built = await buildPages()))
  app.addHook('onClose', async () => {
    await built?.close()
  })
  for (const url of [PREFIX, `${PREFIX}/*`]) {
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      const page = await pages()
      reply.hijack()
      request.raw.headers[REQUEST_ID] = request.id
      reply.raw.setHeader(REQUEST_ID, request.id)
      page.routing(request.raw, reply.raw)
    })
  }
}

/** An application of its own, which has the page and what belongs to it. */
async function buildPages(): Promise<FastifyInstance> {
  const swagger = loadLate(() => require('@fastify/swagger') as typeof Swagger)
  const swaggerUi = loadLate(() => require('@fastify/swagger-ui') as typeof SwaggerUi)
  const pages = Fastify({ requestIdHeader: REQUEST_ID })
  // A path that no file can have is refused there, by errors of another kind.
  pages.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    handleError((error.statusCode ?? 500) < 500 ? notFound('page', request.url) : error, request, reply)
  })
  pages.setNotFoundHandler(({ url }) => {
    throw notFound('page', url)
  })
  // The page loads the documents from where they are published; the plugin wants to have one all the same.
  await pages.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } }
  })
  await pages.register(swaggerUi, {
    routePrefix: PREFIX,
    // The page runs no scripts but its own, which set styles.
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'",
    theme: { title: 'svc-mock' },
    uiConfig: {
      urls: [
        { url: '/openapi.json', name: 'Interface' },
        { url: '/_mock/openapi.json', name: 'Control API' }
      ],
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      onComplete: fillInKey
    }
  })
  await pages.ready()
  return pages
}
