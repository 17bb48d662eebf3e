import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../interface/schemas.js'
import { duration, id, nullable, strict, timestamp } from '../lib/strict.js'
import { FiredSchema } from './clock-schemas.js'

export const TransitionRuleSchema = strict(
  {
    transition: id('Name of the transition.'),
    resource_id: Type.Optional(id('The one workspace it is about, also for backups and restores; any if absent.')),
    after: Type.Optional(
      duration('How long the transition takes, except with hold; by the profile and --transitions if absent.')
    ),
    outcome: Type.Optional(
      enumeration(['complete', 'fail', 'hold'], 'How it ends; hold: not until it is released; complete if absent.')
    ),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Why it fails, only with fail; `Simulated failure.` if absent.'
      })
    ),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'How often the rule applies; always if absent.'
      })
    )
  },
  { description: 'Decides how transitions end that begin from now on.' }
)
/** How a transition ends: it succeeds, it fails, or it waits until it is released (`hold`). */
export type TransitionRule = Shape<typeof TransitionRuleSchema>

/** Maximum number of transition rules per sandbox. */
export const MOST_TRANSITION_RULES = 1000

export const TransitionRulesSchema = strict(
  { rules: Type.Array(TransitionRuleSchema, { maxItems: MOST_TRANSITION_RULES }) },
  { description: 'The new rules, which replace all others.' }
)

export const TransitionsSchema = strict({
  rules: Type.Array(TransitionRuleSchema),
  transitions: Type.Array(
    strict({
      name: Type.String(),
      min_ms: Type.Integer({ description: 'Milliseconds it takes here, at least, unless a rule says otherwise.' }),
      max_ms: Type.Integer({ description: 'Milliseconds it takes here, at most, unless a rule says otherwise.' })
    }),
    { description: 'All transitions.' }
  )
})

export const ReleaseSchema = strict(
  {
    transition: Type.Optional(id('Name of the transition; any if absent.')),
    resource_id: Type.Optional(id('The workspace; any if absent.'))
  },
  { description: 'Which held transitions.' }
)

export const ReleasedSchema = strict({ fired: Type.Array(FiredSchema) })

const limit = Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 'null: no limit.'))

export const QuotasSchema = strict(
  { rw_workspaces: limit, ro_workspaces: limit, manual_backups: limit, automatic_backups: limit },
  { description: 'Maximum numbers; null: no limit.' }
)

export const QuotaSettingSchema = strict(
  { plan: Type.Optional(id('A plan of the profile, whose numbers omitted fields get.')), ...QuotasSchema.properties },
  { description: 'Maximum numbers, null for no limit; omitted fields keep their values, unless there is a plan.' }
)

const trace = Type.Optional(
  Type.String({ description: 'The trace of that request; absent if it named none, or is no longer in the journal.' })
)

export const DueSchema = strict(
  {
    due: nullable(Type.String(), 'When; null while it is held.'),
    held: Type.Boolean({ description: 'Whether it waits for a release.' }),
    event: FiredSchema.properties.event,
    resource_id: FiredSchema.properties.resource_id,
    request_id: FiredSchema.properties.request_id,
    trace
  },
  { description: 'A scheduled event.' }
)

export const TimelineQuerySchema = strict({
  workspace_id: Type.Optional(
    Type.String({ description: 'Id of a workspace, a backup or a restore job; all if absent.' })
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Maximum number of most recent entries.'
    })
  )
})

export const TimelineEntrySchema = strict(
  {
    at: timestamp('When it happened.'),
    resource_id: Type.String({ description: 'Id of the resource.' }),
    transition: Type.String({ description: 'Name of the transition.' }),
    attribute: Type.String({ description: 'The field that changed.' }),
    from: nullable(Type.String(), 'Old value; null for a creation.'),
    to: Type.String({ description: 'New value; gone for a deletion.' }),
    reason: nullable(Type.String(), 'Why something failed or was skipped; otherwise null.'),
    request_id: FiredSchema.properties.request_id,
    trace
  },
  { description: 'A state change.' }
)
