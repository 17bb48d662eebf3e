import type { FastifyPluginCallback, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import { operation } from '../http/operation.js'
import { success } from '../http/schemas.js'
import { QUOTAS } from '../sandboxes/quotas.js'
import { toTimestamp } from '../sim/clock.js'
import type { World } from '../world.js'
import { presentBackup } from '../resources/backups/present.js'
import { noteActivity, runBackup } from './workspaces.js'
import { advanceClock, presentDue, readClock, setClock } from './clock.js'
import { AdvanceSchema, ClockSettingSchema, QuotasSchema, ReleaseSchema, RunBackupSchema, TransitionRulesSchema } from './schemas.js'
import { controlGuard } from './guard.js'
import { listRules, releaseHeld, replaceRules, type Rule } from './transitions.js'

/** Whether the server is ready. Everybody may ask that. */
export const readinessRoute: FastifyPluginCallback = (app, _options, done) => {
  // The process listens only once the database is open and migrated, so whoever gets an answer here can begin.
  app.get('/ready', { schema: { hide: true } }, (request, reply) => {
    void reply.send(success(request, 'The server is ready.'))
  })
  done()
}

/** What the mock offers besides the interface that it mirrors: everything under `/_mock`, for the sandbox of the credential. */
export const controlRoutes: FastifyPluginCallbackTypebox<{ world: World }> = (app, { world }, done) => {
  app.addHook('onRequest', controlGuard(world.options))

  app.get('/clock', control('readClock'), (request, reply) => {
    const clock = readClock(world, request.sandbox)
    void reply.send(success(request, `It is ${clock.now}.`, clock))
  })

  app.put('/clock', control('setClock', ClockSettingSchema), async (request) => {
    const moved = await setClock(world, request, request.body)
    return success(request, `It is ${moved.clock.now}; events run: ${moved.fired.length}.`, moved)
  })

  app.post('/clock/advance', control('advanceClock', AdvanceSchema), async (request) => {
    const moved = await advanceClock(world, request, request.body)
    return success(request, `It is ${moved.clock.now}; events run: ${moved.fired.length}.`, moved)
  })

  app.get('/events', control('listEvents'), (request, reply) => {
    const events = world.engine.dueEvents.list(request.sandbox.key).map(presentDue)
    void reply.send(success(request, `Events: ${events.length}.`, events))
  })

  app.get('/timeline', {
    ...control('listTimeline'),
    schema: { ...control('listTimeline').schema, querystring: Type.Object({ workspace_id: Type.Optional(Type.String()) }, { additionalProperties: false }) }
  }, (request, reply) => {
    const { workspace_id: id } = request.query
    const entries = world.timeline.list(request.sandbox.key, id).map(({ at, resource, requestId, ...change }) =>
      ({ at: toTimestamp(at), resource_id: resource, ...change, request_id: requestId }))
    void reply.send(success(request, `Entries: ${entries.length}.`, entries))
  })

  app.get('/transitions', control('listTransitionRules'), (request, reply) => {
    void reply.send(success(request, 'The rules and the transitions that they can be about.', presentTransitions(listRules(world, request.sandbox))))
  })

  app.put('/transitions', control('replaceTransitionRules', TransitionRulesSchema), async (request) => {
    const rules = await replaceRules(world, request, request.body.rules)
    return success(request, 'The rules were replaced.', presentTransitions(rules))
  })

  app.post('/transitions/release', { ...control('releaseTransitions', ReleaseSchema), preValidation: takeEmptyBody }, async (request) => {
    const fired = await releaseHeld(world, request, request.body)
    return success(request, `Events run: ${fired.length}.`, { fired })
  })

  app.post('/workspaces/:workspaceID/backups', { ...control('runBackup', RunBackupSchema, workspace), preValidation: takeEmptyBody }, async (request) => {
    const backup = await runBackup(world, request, request.params.workspaceID, request.body.tag)
    return success(request, `The backup is ${backup.status}.`, presentBackup(backup))
  })

  app.post('/workspaces/:workspaceID/activity', control('noteActivity', undefined, workspace), async (request) => {
    const status = await noteActivity(world, request, request.params.workspaceID)
    return success(request, `The workspace is ${status}.`)
  })

  app.get('/quotas', control('readQuotas'), (request, reply) => {
    void reply.send(success(request, 'null: no limit.', world.quotas.list(request.sandbox.key)))
  })

  app.put('/quotas', control('setQuotas', QuotasSchema), async (request) => {
    const { sandbox, body } = request
    const quotas = await world.write(request, () => {
      for (const name of QUOTAS) {
        const maximum = body[name]
        if (maximum !== undefined) world.quotas.set(sandbox.key, name, maximum)
      }
      return world.quotas.list(sandbox.key)
    })
    return success(request, 'The quotas were set.', quotas)
  })

  function presentTransitions(rules: readonly Rule[]) {
    const transitions = [...world.engine.transitions.values()].map(({ name, duration }) => ({ name, duration_ms: duration }))
    return { rules, transitions }
  }

  done()
}

/** Where every field is optional, so is the body. */
function takeEmptyBody(request: FastifyRequest, _reply: FastifyReply, next: HookHandlerDoneFunction): void {
  request.body ??= {}
  next()
}

/** The route of a control operation. Its reply has whatever fields the functions behind it give. */
function control<Body extends TSchema = TSchema, Param extends string = never>(operationId: string, body?: Body, params?: Record<Param, string>) {
  return operation<Body, Param>({
    operationId, tag: 'Control', summary: operationId, hide: true, result: Type.Unknown(),
    ...(body === undefined ? {} : { body }), ...(params === undefined ? {} : { params })
  })
}

const workspace = { workspaceID: 'Id of the workspace.' }
