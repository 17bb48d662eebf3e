import cors from '@fastify/cors'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { callerIp } from './http/addresses.js'
import { giveRequestId, onArrival } from './http/arrival.js'
import { readJsonBodies } from './http/bodies.js'
import { handleClientError, handleError } from './http/error-handler.js'
import { refuseOtherMethods } from './http/method-not-allowed.js'
import { publishOpenApi } from './http/openapi.js'
import { requestLog } from './http/request-log.js'
import { MiddlewareErrorSchema, MiddlewareResponseSchema } from './http/schemas.js'
import { ajvOptions, refuseUnknownFields } from './http/validation.js'
import type { Options } from './options.js'
import { controlRoutes } from './control/plugin.js'
import { allowListRoutes } from './resources/allow-list/routes.js'
import { AllowedIPSchema } from './resources/allow-list/schemas.js'
import { workgroupRoutes } from './resources/workgroups/routes.js'
import { CreateWorkgroupRequestSchema, UpdateWorkgroupRequestSchema, WorkgroupSchema } from './resources/workgroups/schemas.js'
import { VERSION } from './version.js'
import type { World } from './world.js'

/** Every schema that is published under its own name. */
const NAMED_SCHEMAS = [
  MiddlewareErrorSchema, MiddlewareResponseSchema,
  CreateWorkgroupRequestSchema, UpdateWorkgroupRequestSchema, WorkgroupSchema,
  AllowedIPSchema
]

/** Path of the controller operations below the base path, as the interface fixes it. */
const CONTROLLER = '/controller/v4/v2'

/** The HTTP application over a world. The server and every test use this one, with the same options to Fastify. */
export async function buildApp(world: World, options: Options, logger: Logger): Promise<FastifyInstance> {
  let isClosing = false
  // Fastify's own remarks at info say nothing that the server's lines do not say better.
  const internals: FastifyBaseLogger = logger.isLevelEnabled('info') ? logger.child({}, { level: 'warn' }) : logger
  const app = Fastify({
    loggerInstance: internals,
    logController: new LogController({ disableRequestLogging: true }),
    // The request's own line names its RequestID, so a logger for each request would only cost time.
    childLoggerFactory: (parent) => parent,
    genReqId: () => '',
    bodyLimit: options.bodyLimit,
    // An id that is too long names nothing, which is a 404; Node itself limits the whole URL to less than this.
    routerOptions: { maxParamLength: 65_536 },
    // Requests that arrive while the server closes get the envelope, see onArrival().
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    ajv: ajvOptions,
    frameworkErrors: (error, request, reply) => {
      giveRequestId(world, request, reply)
      handleError(error, request, reply)
    },
    clientErrorHandler: handleClientError(() => world.requestIds.uuid())
  }).withTypeProvider<TypeBoxTypeProvider>()

  // First, so that a browser may read refusals too.
  if (options.corsOrigin.length > 0) {
    await app.register(cors, { origin: [...options.corsOrigin], exposedHeaders: ['X-Request-Id'], methods: ['GET', 'POST', 'PUT', 'DELETE'], strictPreflight: false })
  }
  app.addHook('preClose', (done) => { isClosing = true; done() })
  app.decorateRequest('sandbox', null as never)
  app.decorateRequest('sandboxName', undefined)
  app.addHook('onRequest', onArrival(world, options, () => isClosing))
  if (logger.isLevelEnabled('info')) app.addHook('onResponse', requestLog(logger))
  app.setErrorHandler(handleError)
  app.setNotFoundHandler(() => { throw new Error('onArrival() has answered unknown routes') })
  readJsonBodies(app)
  for (const schema of NAMED_SCHEMAS) app.addSchema(options.strictBodies ? refuseUnknownFields(schema) : schema)

  const refuseOthers = refuseOtherMethods(app)
  await publishOpenApi(app, VERSION)
  await app.register(async (api) => {
    await api.register(workgroupRoutes, { world, prefix: CONTROLLER })
    await api.register(allowListRoutes, { world, callerIp: callerIp(options.trustProxy), prefix: CONTROLLER })
  }, { prefix: options.basePath === '/' ? '' : options.basePath })
  await app.register(controlRoutes, { prefix: '/_mock' })
  refuseOthers()
  await app.ready()
  return app
}
