import { Type } from '@sinclair/typebox'
import { check } from '../../interface/check.js'
import { SPEEDS } from '../../profile/durations.js'
import {
  DueSchema,
  QuotaSettingSchema,
  QuotasSchema,
  ReleasedSchema,
  ReleaseSchema,
  TimelineEntrySchema,
  TimelineQuerySchema,
  type TransitionRule,
  TransitionRulesSchema,
  TransitionsSchema
} from '../../sim/schemas.js'
import { listEvents } from '../../test-control/simulation/events.js'
import { setQuotas } from '../../test-control/simulation/quotas.js'
import { listTimeline } from '../../test-control/simulation/timeline.js'
import { listRules, releaseHeld, replaceRules } from '../../test-control/simulation/transitions.js'
import { withLimit } from './query.js'
import { addControl, type ControlRoutes } from './route.js'

const tag = 'Simulation'

export const simulationRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/events',
    {
      operationId: 'listEvents',
      tag,
      summary: 'List the scheduled events',
      result: Type.Array(DueSchema)
    },
    ({ sandbox }) => {
      const events = listEvents(plane, sandbox)
      return { message: `Events: ${events.length}.`, result: events }
    }
  )

  addControl(
    app,
    'GET',
    '/timeline',
    {
      operationId: 'listTimeline',
      tag,
      summary: 'List the state changes',
      query: TimelineQuerySchema,
      result: Type.Array(TimelineEntrySchema)
    },
    ({ sandbox, query }) => {
      const filter = withLimit(query)
      check(TimelineQuerySchema, filter)
      const entries = listTimeline(plane, sandbox, filter.workspace_id, filter.limit)
      return { message: `Entries: ${entries.length}.`, result: entries }
    }
  )

  addControl(
    app,
    'GET',
    '/transitions',
    {
      operationId: 'listTransitionRules',
      tag,
      summary: 'List the rules, and the transitions they can apply to',
      result: TransitionsSchema
    },
    ({ sandbox }) => ({
      message: 'The rules, and the transitions they can apply to.',
      result: toTransitionsView(listRules(plane, sandbox))
    })
  )

  addControl(
    app,
    'PUT',
    '/transitions',
    {
      operationId: 'replaceTransitionRules',
      tag,
      summary: 'Replace the rules',
      body: TransitionRulesSchema,
      result: TransitionsSchema
    },
    async (request) => ({
      message: 'The rules were replaced.',
      result: toTransitionsView(await replaceRules(plane, request, request.body as { rules: TransitionRule[] }))
    })
  )

  addControl(
    app,
    'POST',
    '/transitions/release',
    {
      operationId: 'releaseTransitions',
      tag,
      summary: 'Release held transitions',
      body: ReleaseSchema,
      isBodyOptional: true,
      result: ReleasedSchema
    },
    async (request) => {
      const fired = await releaseHeld(plane, request, request.body ?? {})
      return { message: `Events run: ${fired.length}.`, result: { fired } }
    }
  )

  addControl(
    app,
    'GET',
    '/quotas',
    {
      operationId: 'readQuotas',
      tag,
      summary: 'Read the quotas',
      result: QuotasSchema
    },
    ({ sandbox }) => ({ message: 'null: no limit.', result: plane.storesOf(sandbox).quotas.list() })
  )

  addControl(
    app,
    'PUT',
    '/quotas',
    {
      operationId: 'setQuotas',
      tag,
      summary: 'Set quotas',
      body: QuotaSettingSchema,
      result: QuotasSchema
    },
    async (request) => ({
      message: 'The quotas were set.',
      result: await setQuotas(plane, request, request.body as object)
    })
  )

  function toTransitionsView(rules: readonly TransitionRule[]) {
    const { engine } = plane
    const transitions = [...engine.transitions.values()].map((transition) => {
      const { min, max } = engine.boundsOf(transition)
      return {
        name: transition.name,
        duration_ms: Object.fromEntries(SPEEDS.map((speed) => [speed, engine.boundsOf(transition, speed).max])),
        min_ms: min,
        max_ms: max
      }
    })
    return { rules, transitions }
  }

  done()
}
