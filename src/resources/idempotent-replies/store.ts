import { Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { Table } from '../../db/table.js'

/** Maximum number in a sandbox; the newest stay. */
const MOST = 10_000

const IDEMPOTENT_REPLIES = {
  name: 'idempotent_replies',
  key: ['key'],
  fields: {
    key: { type: Type.String() },
    fingerprint: { type: Type.String() },
    status: { type: Type.Integer() },
    body: { type: Type.String() },
    /** In milliseconds since 1970. */
    at: { type: Type.Integer() }
  }
} as const

/** The replies that a profile keeps for an Idempotency-Key. Every function takes the sandbox key first. */
export function idempotentReplyStore(db: Database) {
  const table = new Table(db, IDEMPOTENT_REPLIES)
  return {
    keep: table.replacer(),
    /** Forgets those that were kept by some time. */
    forget: table.pruner('at', MOST),
    find: table.finder('key')
  }
}
