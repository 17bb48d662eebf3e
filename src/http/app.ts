import type { TSchema } from '@sinclair/typebox'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { publishApiDocs } from './api-docs.js'
import { callerOf } from '../lib/ip.js'
import { giveRequestId, onArrival } from './arrival.js'
import { brandOf, speakBrand } from './brand.js'
import { allowOrigins } from './cors.js'
import { readJsonBodies } from './bodies.js'
import { handleClientError, handleError } from './error-handler.js'
import { refuseWhenFull } from './full-database.js'
import { otherMethods } from './method-not-allowed.js'
import { publishOpenApi } from './openapi.js'
import { ReadCache } from './read-cache.js'
import { requestLog } from './request-log.js'
import * as envelopeSchemas from './envelope.js'
import { closeSilentConnections } from './silent-connections.js'
import { boundUnreadReplies } from './unread-replies.js'
import { refuseUnknownFields } from '../lib/validation.js'
import { validatorFactory } from './body-validation.js'
import { recordRequests } from './recorder.js'
import type { Options } from '../options.js'
import { consolePage } from './test-control/console-page.js'
import { injectFaults } from './fault-injection.js'
import { guard } from './test-control/guard.js'
import { controlRoutes, readinessRoute } from './test-control/plugin.js'
import { allowListRoutes } from './interface/allow-list.js'
import * as allowListSchemas from '../resources/allow-list/schemas.js'
import { backupRoutes } from './interface/backups.js'
import * as backupSchemas from '../resources/backups/schemas.js'
import { databaseUserRoutes } from './interface/database-users.js'
import * as databaseUserSchemas from '../resources/database-users/schemas.js'
import { databaseRoutes } from './interface/databases.js'
import * as databaseSchemas from '../resources/databases/schemas.js'
import { metadataRoutes } from './interface/metadata.js'
import * as metadataSchemas from '../resources/metadata/schemas.js'
import { orgUserRoutes } from './interface/org-users.js'
import * as orgUserSchemas from '../resources/org-users/schemas.js'
import { scheduleRoutes } from './interface/schedules.js'
import * as scheduleSchemas from '../resources/schedules/schemas.js'
import { workgroupRoutes } from './interface/workgroups.js'
import * as workgroupSchemas from '../resources/workgroups/schemas.js'
import { workspaceRoutes } from './interface/workspaces.js'
import * as workspaceSchemas from '../resources/workspaces/schemas.js'
import { VERSION } from '../lib/version.js'
import type { World } from '../control-plane.js'

/** Every schema that is published under its own name. */
const NAMED_SCHEMAS = [envelopeSchemas, workgroupSchemas, allowListSchemas, databaseSchemas, workspaceSchemas, metadataSchemas,
  backupSchemas, scheduleSchemas, databaseUserSchemas, orgUserSchemas]
  .flatMap((module): unknown[] => Object.values(module))
  .filter((value): value is TSchema & { $id: string } => typeof value === 'object' && value !== null && '$id' in value)

/** Path of the controller operations below the base path, as the interface fixes it. */
const CONTROLLER = '/controller/v4/v2'

/**
 * The HTTP application over a world. The server and every test use this one, with the same options to Fastify.
 * @throws {OptionError} if a brand's names are those of something else
 */
export async function buildApp(world: World, options: Options, logger: Logger): Promise<FastifyInstance> {
  const brand = brandOf(options, NAMED_SCHEMAS)
  const schemas = options.strictBodies ? NAMED_SCHEMAS.map(refuseUnknownFields) : NAMED_SCHEMAS
  let isClosing = false
  // Fastify's own remarks at info say nothing that the server's lines do not say better.
  const internals: FastifyBaseLogger = logger.isLevelEnabled('info') ? logger.child({}, { level: 'warn' }) : logger
  const app = Fastify({
    loggerInstance: internals,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => '',
    schemaController: {
      compilersFactory: {
        buildValidator: validatorFactory(schemas),
        // Handlers build exactly what the schemas publish, which the tests hold against the document; compiling a serializer
        // for each status of each operation would take most of the start.
        buildSerializer: () => () => (reply) => JSON.stringify(reply)
      }
    },
    bodyLimit: options.bodyLimit,
    // An id that is too long names nothing, which is a 404; Node itself limits the whole URL to less than this.
    routerOptions: { maxParamLength: 65_536 },
    // A request without it is told so in the envelope, see onArrival().
    http: { requireHostHeader: false },
    // Requests that arrive while the server closes get the envelope, see onArrival().
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A request that does not come to its end must not stay for ever; a reply may take as long as it needs.
    requestTimeout: 300_000,
    frameworkErrors: (error, request, reply) => {
      giveRequestId(world.requestIds, request, reply)
      handleError(error, request, reply)
    },
    clientErrorHandler: handleClientError(() => world.requestIds.uuid())
  }).withTypeProvider<TypeBoxTypeProvider>()

  // The request's own line names its RequestID, so a logger for each request would only cost time. (What a factory for them
  // returns, Fastify checks each time.)
  app.log.child = () => app.log
  app.setErrorHandler(handleError)
  boundUnreadReplies(app)
  // Early, so that a browser may read refusals too.
  if (options.corsOrigin.length > 0) {
    await allowOrigins(app, options.corsOrigin)
  }
  world.engine.onSlowed = (sandbox) => {
    logger.warn({ sandbox: sandbox.id.slice(0, 12) },
      'a sandbox has more due than can be run; its clock continues from the last event, see GET /_mock/clock')
  }
  const others = otherMethods(app)
  app.addHook('preClose', (done) => { isClosing = true; world.stop(); done() })
  app.decorateRequest('sandbox', null as never)
  app.decorateRequest('sandboxName', undefined)
  app.decorateRequest('fault', undefined)
  app.addHook('onRequest', onArrival(world, options, guard(options), others, () => isClosing))
  refuseWhenFull(app, world)
  recordRequests(app, world)
  closeSilentConnections(app)
  // What is expected (except 100-continue, which Node knows) may be passed over, and is better than a reply without an envelope.
  app.server.on('checkExpectation', (request, reply) => { app.server.emit('request', request, reply) })
  if (logger.isLevelEnabled('info')) app.addHook('onResponse', requestLog(logger))
  app.setNotFoundHandler(() => { throw new Error('onArrival() has answered unknown routes') })
  readJsonBodies(app)
  for (const schema of schemas) app.addSchema(schema)

  const reads = new ReadCache(world)
  const caller = callerOf(options.trustProxy)
  publishOpenApi(app, VERSION, brand?.document)
  publishApiDocs(app)
  await app.register(async (api) => {
    if (brand !== undefined) speakBrand(api, brand)
    injectFaults(api, world)
    await api.register(workgroupRoutes, { world, reads, prefix: CONTROLLER })
    await api.register(allowListRoutes, { world, addressOf: (request) => caller(request).address, prefix: CONTROLLER })
    await api.register(databaseRoutes, { world, prefix: CONTROLLER })
    await api.register(workspaceRoutes, { world, reads, prefix: CONTROLLER })
    await api.register(metadataRoutes, { prefix: CONTROLLER })
    await api.register(backupRoutes, { world, prefix: CONTROLLER })
    await api.register(scheduleRoutes, { world, prefix: CONTROLLER })
    await api.register(databaseUserRoutes, { world, prefix: CONTROLLER })
    await api.register(orgUserRoutes, { world })
  }, { prefix: options.basePath === '/' ? '' : options.basePath })
  await app.register(readinessRoute, { world, prefix: '/_mock' })
  await app.register(controlRoutes, { world, prefix: '/_mock' })
  await app.register(consolePage, { options })
  others.complete()
  await app.ready()
  return app
}
