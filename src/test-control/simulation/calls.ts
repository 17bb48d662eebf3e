import { Type } from '@sinclair/typebox'
import { QUOTAS } from '../../profile/quotas.js'
import {
  DueSchema,
  QuotaSettingSchema,
  QuotasSchema,
  ReleasedSchema,
  ReleaseSchema,
  TimelineEntrySchema,
  TimelineQuerySchema,
  TransitionRulesSchema,
  TransitionsSchema
} from '../../sim/schemas.js'
import { defineCall } from '../control-call.js'
import { listEvents, listTimeline } from './timeline.js'
import { listRules, releaseHeld, replaceRules, ruleErrors, withTransitions } from './transitions.js'

const tag = 'Simulation'

export const SIMULATION_CALLS = [
  defineCall({
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    tag,
    summary: 'List the scheduled events',
    result: Type.Array(DueSchema),
    program: { name: 'events', returns: 'them, in order' },
    command: {
      usage: 'events',
      examples: ['events'],
      tables: [
        {
          what: 'events',
          columns: { DUE: 'due', EVENT: 'event', RESOURCE: 'resource_id', HELD: 'held', REQUEST: 'request_id' }
        }
      ]
    },
    run: ({ plane, sandbox }) => listEvents(plane, sandbox)
  }),

  defineCall({
    name: 'listTimeline',
    method: 'GET',
    path: '/timeline',
    tag,
    summary: 'List the state changes',
    query: TimelineQuerySchema,
    result: Type.Array(TimelineEntrySchema),
    program: {
      name: 'timeline',
      takes: ['workspace_id', 'limit'],
      returns: 'the changes in order: all, or those of a workspace, a backup or a restore job'
    },
    command: {
      usage: 'timeline [ID]',
      arguments: ['workspace_id'],
      help: 'List the state changes: all, or those of a workspace, a backup or a restore job.',
      flags: { limit: { value: 'N', help: 'Only the newest ones.' } },
      examples: ['timeline', 'timeline writer --limit 10'],
      tables: [
        {
          what: 'state changes',
          columns: {
            AT: 'at',
            RESOURCE: 'resource_id',
            TRANSITION: 'transition',
            FROM: 'from',
            TO: 'to',
            REASON: 'reason'
          }
        }
      ]
    },
    run: ({ plane, sandbox, query }) => listTimeline(plane, sandbox, query.workspace_id, query.limit)
  }),

  defineCall({
    name: 'listTransitionRules',
    method: 'GET',
    path: '/transitions',
    tag,
    summary: 'List the rules, and the transitions they can apply to',
    result: TransitionsSchema,
    program: { name: 'transitions.read', gives: 'rules', returns: 'the rules, in order' },
    command: {
      usage: 'transitions',
      examples: ['transitions'],
      tables: [
        {
          what: 'rules',
          list: 'rules',
          columns: {
            RULE: 'transition',
            RESOURCE: 'resource_id',
            OUTCOME: 'outcome',
            AFTER: 'after',
            TIMES: 'times',
            REASON: 'reason'
          }
        },
        {
          what: 'transitions',
          list: 'transitions',
          columns: { TRANSITION: 'name', 'MIN MS': 'min_ms', 'MAX MS': 'max_ms' }
        }
      ]
    },
    run: ({ plane, sandbox }) => withTransitions(plane, listRules(plane, sandbox))
  }),

  defineCall({
    name: 'replaceTransitionRules',
    method: 'PUT',
    path: '/transitions',
    tag,
    summary: 'Replace the rules',
    description: 'They apply to transitions that begin from now on.',
    body: TransitionRulesSchema,
    result: TransitionsSchema,
    program: {
      name: 'transitions.replace',
      takes: 'rules',
      gives: 'rules',
      throws: 'naming every invalid rule; then nothing is changed'
    },
    command: {
      usage: 'transitions set JSON',
      arguments: ['rules'],
      help: 'Replace the rules.',
      examples: [
        `transitions set '[{"transition": "workspace.resume", "outcome": "fail", "after": "10s"}]'`,
        'transitions set @rules.json'
      ]
    },
    problems: ({ plane, body }) => ruleErrors(plane, body),
    run: async (call) => withTransitions(call.plane, await replaceRules(call.plane, call, call.body)),
    says: 'The rules were replaced.'
  }),

  defineCall({
    name: 'releaseTransitions',
    method: 'POST',
    path: '/transitions/release',
    tag,
    summary: 'Release held transitions',
    body: ReleaseSchema,
    isBodyOptional: true,
    result: ReleasedSchema,
    program: { name: 'transitions.release', gives: 'fired', returns: 'the events that fired' },
    command: {
      usage: 'transitions release',
      help: 'Release held transitions: all, or some of them.',
      flags: {
        transition: { value: 'NAME', help: 'Only those of this name.' },
        resource_id: { flag: 'resource', value: 'ID', help: 'Only those of this workspace.' }
      },
      examples: ['transitions release', 'transitions release --resource writer']
    },
    run: async (call) => ({ fired: await releaseHeld(call.plane, call, call.body) }),
    says: ({ fired }) => `Events run: ${fired.length}.`
  }),

  defineCall({
    name: 'readQuotas',
    method: 'GET',
    path: '/quotas',
    tag,
    summary: 'Read the quotas',
    result: QuotasSchema,
    program: { name: 'quotas.read' },
    command: { usage: 'quotas', examples: ['quotas'] },
    run: ({ plane, sandbox }) => plane.storesOf(sandbox).quotas.list()
  }),

  defineCall({
    name: 'setQuotas',
    method: 'PUT',
    path: '/quotas',
    tag,
    summary: 'Set quotas',
    description: 'Omitted quotas keep their values, or get those of the plan.',
    body: QuotaSettingSchema,
    result: QuotasSchema,
    program: { name: 'quotas.set', throws: 'naming all errors' },
    command: {
      usage: 'quotas set JSON',
      help: 'Set quotas; null means no limit.',
      examples: [`quotas set '{"rw_workspaces": 1}'`]
    },
    problems: ({ plane, body }) => {
      const { plans } = plane.profile.quotas
      const { plan } = (body as { plan?: unknown } | null) ?? {}
      if (typeof plan !== 'string' || plans.has(plan)) return []
      const known = [...plans.keys()].join(', ')
      return [{ field: 'plan', reason: `must be one of the plans of the profile: ${known || 'it has none'}` }]
    },
    run: (call) => {
      const { plan, ...given } = call.body
      const quotas = { ...(plan !== undefined && call.plane.profile.quotas.plans.get(plan)), ...given }
      return call.plane.write(call, (tx) => {
        for (const name of QUOTAS) {
          const maximum = quotas[name]
          if (maximum !== undefined) tx.quotas.set(name, maximum)
        }
        return tx.quotas.list()
      })
    },
    says: 'The quotas were set.'
  })
]
