import { Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { duration, nullable, strict, timestamp } from '../../lib/strict.js'

/** Parts of a sandbox that a reset can keep. */
export const KEEPABLE = ['clock', 'faults', 'transitions', 'journal'] as const

/** The origin of a fork that is not made from a snapshot. */
export const BASELINE = 'baseline'

export const ResetSchema = strict(
  {
    keep: Type.Optional(
      Type.Array(enumeration(KEEPABLE, 'A part of the sandbox.'), {
        maxItems: KEEPABLE.length,
        uniqueItems: true,
        description: 'Parts to leave alone; none if absent.'
      })
    )
  },
  { description: 'What to reset.' }
)

export const SnapshotNameSchema = Type.String({ format: 'readable-id', description: 'Name of the snapshot.' })

export const SnapshotSchema = strict(
  {
    name: SnapshotNameSchema,
    created_at: timestamp('When it was saved, by the clock of the sandbox.')
  },
  { description: 'A snapshot.' }
)

export const NewSandboxSchema = strict(
  {
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Name of a snapshot of this sandbox; `baseline` if absent.'
      })
    ),
    ttl: Type.Optional(duration("Lifetime by the machine's clock; unlimited if absent."))
  },
  { description: 'A sandbox to create.' }
)

export const ForkSchema = strict(
  {
    key: Type.String({ description: 'API key of the sandbox. It is not shown again.' }),
    expires_at: nullable(Type.String(), "When it expires, by the machine's clock; null: never.")
  },
  { description: 'A new sandbox.' }
)

export const SandboxFilterSchema = strict(
  {
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: '`next` of the list before this one.' })
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number; 100 if absent.' }))
  },
  { description: 'Which sandboxes to list.' }
)

const SandboxItemSchema = strict(
  {
    id: Type.String({ description: 'The first 12 digits of the SHA-256 of its key.' }),
    name: nullable(Type.String(), 'Name of a key of --api-key; null for all others.'),
    created_at: timestamp("When it was created, by the machine's clock."),
    last_used_at: timestamp("When it was last used, by the machine's clock; up to an hour too early after a crash."),
    expires_at: nullable(Type.String(), "When it expires, by the machine's clock; null: never."),
    workgroups: Type.Integer({ description: 'How many it has.' }),
    workspaces: Type.Integer({ description: 'How many it has.' })
  },
  { description: 'A sandbox.' }
)

export const SandboxListSchema = strict({
  sandboxes: Type.Array(SandboxItemSchema, { description: 'In order of creation.' }),
  total: Type.Integer({ description: 'Total number.' }),
  next: nullable(Type.Integer(), 'Send it as `after` for the next ones; null: there are no more.')
})

export const PurgeSchema = strict(
  { idle: duration("Removes sandboxes unused for this long, by the machine's clock.") },
  { description: 'Which sandboxes to remove.' }
)

export const PurgedSchema = strict({ removed: Type.Integer({ description: 'Number of removed sandboxes.' }) })
