import { createRequire } from 'node:module'
import type Swagger from '@fastify/swagger'
import type SwaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { notFound } from '../lib/errors.js'
import { kept } from '../lib/kept.js'
import { loadLate } from '../lib/late-modules.js'
import { handleErrors } from './error-handler.js'

const require = createRequire(import.meta.url)

/** Path of the page. */
const PREFIX = '/docs'

const REQUEST_ID = 'x-request-id'

/** The page's own script, which surrounds the function below, calls Swagger UI by this name. */
declare const ui: {
  readonly authSelectors: { authorized: () => { get: (name: string) => unknown } }
  preauthorizeApiKey: (name: string, key: string) => void
}

/**
 * Runs in the browser, with access to nothing but its own code and the script around it. Fills in a key, because
 * `--auth any` accepts any key. Keeps a key that the reader has entered.
 */
function fillInKey(): void {
  // The page calls this before it has assigned `ui`.
  queueMicrotask(() => {
    for (const name of ['apiKey', 'session']) {
      if (ui.authSelectors.authorized().get(name) === undefined) ui.preauthorizeApiKey(name, 'demo')
    }
  })
}

/**
 * Publishes a page at `/docs` that shows both OpenAPI documents and allows trying every call. It loads everything from
 * this server. It is built on first request, because most servers are used by programs only.
 */
export function publishApiDocs(app: FastifyInstance, logger: Logger): void {
  let built: FastifyInstance | undefined
  const pages = kept(async () => (built = await buildPages(logger)))
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

/** A separate application for the page and its files. */
async function buildPages(logger: Logger): Promise<FastifyInstance> {
  const swagger = loadLate(() => require('@fastify/swagger') as typeof Swagger)
  const swaggerUi = loadLate(() => require('@fastify/swagger-ui') as typeof SwaggerUi)
  const pages = Fastify({ requestIdHeader: REQUEST_ID })
  const handle = handleErrors(logger)
  // For a path that cannot be a file, the plugin raises errors of its own.
  pages.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    handle((error.statusCode ?? 500) < 500 ? notFound('page', request.url) : error, request, reply)
  })
  pages.setNotFoundHandler(({ url }) => {
    throw notFound('page', url)
  })
  // The page loads the documents from their own URLs, but the plugin requires one.
  await pages.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } }
  })
  await pages.register(swaggerUi, {
    routePrefix: PREFIX,
    // The page runs only its own scripts, which set styles.
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
