import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import type { Logger } from 'pino'
import { MiddlewareErrorSchema, withTypes } from '../interface/envelope.js'
import { refuseUnknownFields } from '../interface/validation.js'
import { callerOf } from '../lib/ip.js'
import { mountOf, type Options } from '../options.js'
import { furtherTypes } from '../profile/refusals.js'
import { CONTROLLER } from '../profile/routes.js'
import type { ControlPlane } from '../resources/control-plane.js'
import { NAMED_SCHEMAS } from '../resources/vocabulary.js'
import { addedFieldsOf, addToEnvelopes, addToReplies } from './added-fields.js'
import { publishApiDocs } from './api-docs.js'
import { readJsonBodies, validatorFactory } from './bodies.js'
import { handleClientError, handleErrors, type ToWire } from './error-handler.js'
import { publishHome } from './home.js'
import { answerFromPast } from './hooks/answer-from-past.js'
import { boundUnreadReplies, sendInPieces } from './hooks/bound-unread-replies.js'
import { completeBodies, completeRequests } from './hooks/complete-requests.js'
import { allowOrigins, answerPreflights } from './hooks/cors.js'
import {
  authenticate,
  authenticator,
  ensureRequestId,
  enterSandbox,
  giveRequestId,
  refuseKeysAsBearer
} from './hooks/enter-sandbox.js'
import { heedIdempotencyKeys } from './hooks/heed-idempotency-keys.js'
import { injectFaults } from './hooks/inject-faults.js'
import { limitRequests } from './hooks/limit-requests.js'
import { logRequests } from './hooks/log-requests.js'
import { recordRequests } from './hooks/record-requests.js'
import {
  maxParamLength,
  refuseDuplicateHeaders,
  refuseWhenFull,
  refuseWhileClosing,
  requireHost,
  requireRoute
} from './hooks/refuse.js'
import { requireRole } from './hooks/require-role.js'
import { translateNames } from './hooks/translate-names.js'
import { allowListRoutes } from './interface/allow-list.js'
import { backupRoutes } from './interface/backups.js'
import { databaseUserRoutes } from './interface/database-users.js'
import { databaseRoutes } from './interface/databases.js'
import { metadataRoutes } from './interface/metadata.js'
import { orgUserRoutes } from './interface/org-users.js'
import { scheduleRoutes } from './interface/schedules.js'
import { workgroupRoutes } from './interface/workgroups.js'
import { workspaceRoutes } from './interface/workspaces.js'
import { publishOpenApi } from './openapi.js'
import { decorateWithSuccess, isControl, learnOperations, messagesOf } from './operation.js'
import { createPipelineServer, endConnections } from './pipelines.js'
import { placeRoutes } from './place-routes.js'
import { ReadCache } from './read-cache.js'
import { succeedAs, withForms } from './reply-forms.js'
import { decorateRequests } from './request-context.js'
import { scheduleReads } from './request-queue.js'
import { stubRoutes } from './stub-routes.js'
import { consolePage } from './test-control/console-page.js'
import { guard } from './test-control/guard.js'
import { mcpRoute } from './test-control/mcp.js'
import { controlRoutes, readinessRoute } from './test-control/plugin.js'
import { delayFirst } from './waits.js'
import { wireNamesOf } from './wire-names.js'

/** Builds the HTTP application for a control plane. The server and all tests use it, with the same Fastify options. */
export async function buildApp(plane: ControlPlane, options: Options, logger: Logger): Promise<FastifyInstance> {
  const { edge } = plane.profile
  const prefix = mountOf(options)
  const handle = handleErrors(logger, edge)
  const types = furtherTypes(plane.profile.document.errors)
  const named = NAMED_SCHEMAS.map((schema) => plane.profile.schema(schema)).map((schema) =>
    schema.$id === MiddlewareErrorSchema.$id && types.length > 0 ? withTypes(schema, types) : schema
  )
  const names = wireNamesOf(plane.profile, named)
  const { fromWire: fieldOf } = plane.profile.names.fields
  const added = addedFieldsOf(plane, named)
  const toWire: ToWire = (reply, status) => {
    const whole = added?.addToEnvelope(reply) ?? reply
    return names?.toWire(whole, status) ?? whole
  }
  const schemas = options.strictBodies ? named.map(refuseUnknownFields) : named
  // Fastify has no logger: with one, it would listen for the end of each reply, a sixth of the time of a read.
  const app = Fastify({
    serverFactory: createPipelineServer,
    genReqId: () => '',
    schemaController: {
      compilersFactory: {
        buildValidator: validatorFactory(schemas),
        // Handlers build exactly what the schemas publish, and tests check that against the document. Compiling a
        // serializer for each status of each operation would take most of the startup time.
        buildSerializer: () => () => (reply) => JSON.stringify(reply)
      }
    },
    bodyLimit: options.bodyLimit,
    routerOptions: { maxParamLength },
    // requireHost() reports a missing Host header in the envelope.
    http: { requireHostHeader: false },
    // refuseWhileClosing() answers requests that arrive during shutdown in the envelope.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // For a request to arrive. A reply may take as long as it needs.
    requestTimeout: 300_000,
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: handleClientError(() => plane.requestIds.uuid(), toWire)
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.setErrorHandler(answerError)
  decorateRequests(app)
  const messageOf = messagesOf(plane, edge.messages)
  decorateWithSuccess(app, messageOf)
  const refusesKeysAsBearer = edge.gateway?.has('key_as_bearer') === true
  const identify = authenticator(options, edge.roles !== undefined || refusesKeysAsBearer)

  // The hooks, in the order in which a request meets them. The error handler answers their errors in the envelope.
  // One log line at its end.
  if (logger.isLevelEnabled('info')) app.addHook('onRequest', logRequests(logger))
  // Early, so that browsers can read refusals too.
  if (options.corsOrigin.length > 0) {
    await allowOrigins(app, options.corsOrigin)
    app.addHook('onRequest', answerPreflights(plane))
  }
  // 503 during shutdown.
  app.addHook('onRequest', refuseWhileClosing(app))
  // 400 without a host, or with duplicate host or credential headers.
  app.addHook('onRequest', requireHost)
  app.addHook('onRequest', refuseDuplicateHeaders)
  // 404 for an unknown path, 405 for another method.
  app.addHook('onRequest', requireRoute(app, { basePath: prefix, prefix: edge.prefix }))
  // 403 for callers that the guard rejects, before any credential is checked.
  app.addHook('onRequest', guard(options))
  // 401 or 403 if the credential does not lead to a sandbox.
  app.addHook('onRequest', authenticate(identify))
  if (refusesKeysAsBearer && options.auth === 'strict') app.addHook('onRequest', refuseKeysAsBearer)
  // Finds or creates that sandbox; 403 if there are too many.
  app.addHook('onRequest', enterSandbox(plane))
  // Only now, because each sandbox has its own stream of RequestIDs.
  app.addHook('onRequest', giveRequestId(plane))
  // 507 for requests that would write more.
  if (options.maxDatabaseBytes !== 'off') app.addHook('onRequest', refuseWhenFull(plane))
  // A read waits until due events have run. Only then is the body read.
  app.addHook('onRequest', scheduleReads(plane))
  // 413 or 503 for a body that takes too much memory; 400 or 415 for one that is not JSON.
  readJsonBodies(app, plane.scheduler)
  // Then, for the interface only: other names, injected faults, validation and the handler; see below. A large reply
  // waits until there is room for it.
  app.addHook('onSend', boundUnreadReplies(app))
  // The request is in the journal and the coverage before its client has the reply.
  app.addHook('onSend', recordRequests(plane, identify))
  // The fields that the profile adds, before a reply becomes text.
  if (added !== undefined) addToReplies(app, added)
  // Bodies and replies in other names, if the profile or the brand has any.
  if (names !== undefined)
    translateNames(app, names, { gateway: edge.gateway, ids: edge.replies?.ids, fieldOf }, added?.addToEnvelope)
  const answerRetries = edge.idempotency && heedIdempotencyKeys(app, plane, edge.idempotency)
  // Last, even after the hooks of single routes, which may change the reply: send long replies in pieces.
  app.addHook('onRoute', (route) => {
    route.onSend = [route.onSend ?? [], sendInPieces].flat()
  })

  app.addHook('preClose', (done) => {
    plane.stop()
    done()
  })
  endConnections(app)
  // A client may half-close the connection after its last request, and still gets its replies. Only for requests that
  // wait does this mean that the client has left; see `Waits`.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  // Unknown expectations are ignored (Node handles 100-continue): Node's own reply would have no envelope.
  app.server.on('checkExpectation', (request, reply) => {
    app.server.emit('request', request, reply)
  })
  plane.engine.onSlowed = (sandbox) => {
    logger.warn(
      { sandbox: sandbox.id.slice(0, 12) },
      'a sandbox cannot catch up with its due events; its clock continues from the last event, see GET /_mock/clock'
    )
  }
  if (edge.replies !== undefined) succeedAs(app, edge.replies.statuses)
  learnOperations(app, plane)
  for (const schema of schemas) app.addSchema(edge.replies === undefined ? schema : withForms(schema, edge.replies))

  const reads = new ReadCache(plane, messageOf, added)
  const caller = callerOf(options.trustProxy)
  const limit = edge.limits && limitRequests(edge.limits)
  publishOpenApi(app, (document) => {
    const whole = added === undefined ? document : addToEnvelopes(document)
    return names?.document(whole) ?? whole
  })
  publishApiDocs(app)
  publishHome(app, `${prefix}${edge.prefix}`)
  await app.register(
    async (api) => {
      if (limit !== undefined) api.addHook('onRequest', limit)
      if (edge.replies?.slow !== undefined) delayFirst(api, edge.replies.slow)
      if (edge.paths?.some(({ moves }) => moves !== undefined) === true) completeRequests(api, plane, names?.fromWire)
      if (plane.profile.requests !== undefined) completeBodies(api, plane.profile.requests)
      // A fault replaces the handler, or changes the reply after it.
      injectFaults(api, plane, toWire)
      answerFromPast(api, plane)
      const shared = { plane: answerRetries?.(api) ?? plane, prefix: CONTROLLER }
      if (edge.roles !== undefined) requireRole(api, plane, edge.roles)
      const operations = edge.paths === undefined ? api : placeRoutes(api, edge.paths, fieldOf)
      await operations.register(workgroupRoutes, { ...shared, reads })
      await operations.register(allowListRoutes, { ...shared, addressOf: (request) => caller(request).address })
      await operations.register(databaseRoutes, shared)
      await operations.register(workspaceRoutes, { ...shared, reads })
      await operations.register(metadataRoutes, shared)
      await operations.register(backupRoutes, shared)
      await operations.register(scheduleRoutes, { ...shared, addFields: added?.addTo })
      await operations.register(databaseUserRoutes, shared)
      await operations.register(orgUserRoutes, { plane: shared.plane })
    },
    { prefix }
  )
  if (edge.stubs !== undefined) await app.register(stubRoutes, { plane, stubs: edge.stubs, limit, toWire, prefix })
  await app.register(readinessRoute, { plane, prefix: '/_mock' })
  await app.register(controlRoutes, { plane, reads, prefix: '/_mock' })
  await app.register(mcpRoute, { prefix: '/_mock' })
  await app.register(consolePage, { options })
  await app.ready()
  return app

  /** Answers refusals of the framework itself, such as for a malformed URL. */
  function answerFrameworkError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    ensureRequestId(plane, request, reply)
    handleErrors(logger, edge, isControl(request.url) ? undefined : toWire)(error, request, reply)
  }

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    ensureRequestId(plane, request, reply)
    handle(error, request, reply)
  }
}
