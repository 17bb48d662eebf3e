import { Type } from '@sinclair/typebox'
import { enumeration } from '../../http/schemas.js'
import { closed, nullable, timestamp } from '../schemas.js'

/** Parts of a sandbox that a reset can leave as they are. */
export const KEEPABLE = ['clock', 'faults', 'transitions', 'journal'] as const

/** What a fork can be made from besides snapshots. */
export const BASELINE = 'baseline'

export const ResetSchema = closed({
  keep: Type.Optional(Type.Array(enumeration(KEEPABLE, 'A part of the sandbox.'), { maxItems: KEEPABLE.length, uniqueItems: true, description: 'What stays as it is; nothing if absent.' }))
}, { description: 'What to reset.' })

export const SnapshotNameSchema = Type.String({ format: 'readable-id', description: 'Name of the snapshot.' })

export const SnapshotSchema = closed({
  name: SnapshotNameSchema,
  created_at: timestamp('When it was saved, by the clock of the sandbox.')
}, { description: 'A snapshot.' })

export const NewSandboxSchema = closed({
  from: Type.String({ minLength: 1, maxLength: 256, description: 'Name of a snapshot of this sandbox, or `baseline`.' }),
  ttl: Type.Optional(Type.String({ description: 'ISO 8601 duration after which it is gone, by the clock of the machine; it stays if absent.' }))
}, { description: 'A sandbox to make.' })

export const ForkSchema = closed({
  key: Type.String({ description: 'API key that names it. It is not shown again.' }),
  expires_at: nullable(Type.String(), 'When it is gone, by the clock of the machine; null: it stays.')
}, { description: 'A sandbox that was made.' })
