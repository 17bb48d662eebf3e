import { Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { extraColumn } from '../extra.js'

export const ORG_USERS = {
  name: 'org_users',
  key: ['id'],
  columns: {
    id: { type: Type.String() },
    username: { type: Type.String(), isFixed: true },
    email: { type: Type.String(), isFixed: true },
    first_name: { type: Type.String(), isFixed: true },
    last_name: { type: Type.String(), isFixed: true },
    enabled: { type: Type.Boolean(), isFixed: true },
    auth_id: { type: Type.String(), isFixed: true },
    /** Timestamp; null: never. */
    last_login: { type: Type.Union([Type.String(), Type.Null()]), isFixed: true },
    /** Names of roles. */
    roles: { type: Type.Array(Type.String()) },
    created: { type: Type.String(), isFixed: true },
    updated: { type: Type.String() },
    extra: extraColumn
  }
} as const

export type OrgUserRecord = Stored<typeof ORG_USERS.columns>
