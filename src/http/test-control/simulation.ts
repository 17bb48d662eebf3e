import { Type } from '@sinclair/typebox'
import { check } from '../../lib/check.js'
import { withLimit } from './query.js'
import { addControl, type ControlRoutes } from './route.js'
import { presentDue, presentTimelineEntry } from '../../sim/views.js'
import { setQuotas } from '../../test-control/simulation/quotas.js'
import { DueSchema, QuotasSchema, ReleasedSchema, ReleaseSchema, TimelineEntrySchema, TimelineQuerySchema, TransitionRulesSchema, TransitionsSchema } from '../../sim/schemas.js'
import type { Rule } from '../../sim/rule-document.js'
import { listRules, releaseHeld, replaceRules } from '../../test-control/simulation/transitions.js'

const tag = 'Simulation'

export const simulationRoutes: ControlRoutes = (app, { world }, done) => {
  addControl(app, 'GET', '/events', {
    operationId: 'listEvents', tag, summary: 'List the scheduled events', result: Type.Array(DueSchema)
  }, ({ sandbox }) => {
    const events = world.engine.dueEvents.list(sandbox.key).map(presentDue)
    return { message: `Events: ${events.length}.`, result: events }
  })

  addControl(app, 'GET', '/timeline', {
    operationId: 'listTimeline', tag, summary: 'List the state changes', query: TimelineQuerySchema, result: Type.Array(TimelineEntrySchema)
  }, ({ sandbox, query }) => {
    const filter = withLimit(query)
    check(TimelineQuerySchema, filter)
    const entries = world.timeline.list(sandbox.key, filter.workspace_id, filter.limit).map(presentTimelineEntry)
    return { message: `Entries: ${entries.length}.`, result: entries }
  })

  addControl(app, 'GET', '/transitions', {
    operationId: 'listTransitionRules', tag, summary: 'List the rules, and the transitions they can apply to', result: TransitionsSchema
  }, ({ sandbox }) => ({
    message: 'The rules, and the transitions they can apply to.', result: presentTransitions(listRules(world, sandbox))
  }))

  addControl(app, 'PUT', '/transitions', {
    operationId: 'replaceTransitionRules', tag, summary: 'Replace the rules', body: TransitionRulesSchema, result: TransitionsSchema
  }, async (request) => ({
    message: 'The rules were replaced.', result: presentTransitions(await replaceRules(world, request, request.body as { rules: Rule[] }))
  }))

  addControl(app, 'POST', '/transitions/release', {
    operationId: 'releaseTransitions', tag, summary: 'Release held transitions', body: ReleaseSchema, isBodyOptional: true, result: ReleasedSchema
  }, async (request) => {
    const fired = await releaseHeld(world, request, request.body ?? {})
    return { message: `Events run: ${fired.length}.`, result: { fired } }
  })

  addControl(app, 'GET', '/quotas', {
    operationId: 'readQuotas', tag, summary: 'Read the quotas', result: QuotasSchema
  }, ({ sandbox }) => ({ message: 'null: no limit.', result: world.storesOf(sandbox).quotas.list() }))

  addControl(app, 'PUT', '/quotas', {
    operationId: 'setQuotas', tag, summary: 'Set quotas', body: QuotasSchema, result: QuotasSchema
  }, async (request) => ({ message: 'The quotas were set.', result: await setQuotas(world, request, request.body as object) }))

  function presentTransitions(rules: readonly Rule[]) {
    const transitions = [...world.engine.transitions.values()].map(({ name, duration }) => ({ name, duration_ms: duration }))
    return { rules, transitions }
  }

  done()
}
