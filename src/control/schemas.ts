import { Type, type TProperties } from '@sinclair/typebox'
import { enumeration } from '../http/schemas.js'
import { CLOCK_MODES } from '../sim/clock.js'
import { OUTCOMES } from '../sim/rules.js'

// Unlike the interface, the control API is this server's own: it refuses what it does not know, so that a slip shows.
const closed = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })
const id = Type.String({ minLength: 1, maxLength: 256 })

export const ClockSettingSchema = closed({
  mode: Type.Optional(enumeration(CLOCK_MODES, 'How the clock runs.')),
  now: Type.Optional(Type.String({ description: 'Timestamp that it shows; the present one if absent.' })),
  rate: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'Sandbox seconds a second of the wall clock, in mode real.' }))
})

export const AdvanceSchema = closed({
  by: Type.Optional(Type.String({ description: 'ISO 8601 duration.' })),
  to: Type.Optional(Type.String({ description: 'Timestamp.' })),
  // Its forms are checked by hand, for better words.
  until: Type.Optional(Type.Unsafe<'idle' | { workspace_id: string; status: string }>({
    description: '`"idle"`: until no transition runs; or `{"workspace_id", "status"}`: until a workspace is in a state.'
  })),
  max: Type.Optional(Type.String({ description: 'ISO 8601 duration: how far an until may go.' }))
})

export const TransitionRulesSchema = closed({
  rules: Type.Array(closed({
    transition: id,
    resource_id: Type.Optional(id),
    after: Type.Optional(Type.String({ description: 'ISO 8601 duration.' })),
    outcome: Type.Optional(enumeration(OUTCOMES, 'How it ends; complete if absent.')),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 256, description: 'Why it fails.' })),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'How often the rule applies; always if absent.' }))
  }))
})

export const ReleaseSchema = closed({
  transition: Type.Optional(id),
  resource_id: Type.Optional(id)
})

const limit = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  description: 'null: no limit.'
}))

export const QuotasSchema = closed({ rw_workspaces: limit, ro_workspaces: limit, manual_backups: limit, automatic_backups: limit })

export const RunBackupSchema = closed({
  tag: Type.Optional(Type.String({ maxLength: 256, description: 'Name of the backup; may be empty.' }))
})
