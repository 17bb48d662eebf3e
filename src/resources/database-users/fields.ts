import { Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { extraColumn } from '../extra.js'

/** A user inside the database of a workspace. */
export const DATABASE_USERS = {
  name: 'database_users',
  key: ['workspace', 'username'],
  columns: {
    /** Id of its workspace. */
    workspace: { type: Type.String() },
    id: { type: Type.String(), isFixed: true },
    username: { type: Type.String() },
    /** Salted scrypt. */
    password_hash: { type: Type.String() },
    created: { type: Type.String(), isFixed: true },
    updated: { type: Type.String() },
    extra: extraColumn
  }
} as const

export type DatabaseUserRecord = Stored<typeof DATABASE_USERS.columns>
