import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { type Stored, Table } from '../../db/table.js'
import { replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { toSeconds } from '../../lib/time.js'
import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { atCreation, id, newId, text, when } from '../document.js'
import { extraField } from '../extra.js'
import { completer, inDocument, type NewRow, properties, type ResourceTable, viewer } from '../field-table.js'

/** Fields that in-database users and org users have in common. */
export const IDENTITY = {
  path: { reply: Type.String({ description: 'Always `/`.' }), compared: 'stable' },
  tenantID: { reply: Type.String({ description: 'Id of the org.' }) },
  auth0UserID: {
    reply: Type.String({ description: 'Id at the identity provider, beginning with `auth|`.' }),
    masked: 'composed'
  },
  srn: { reply: Type.String({ description: 'Resource name.' }), masked: 'composed' }
} as const

/** A user inside the database of a workspace. */
export const DATABASE_USERS = {
  name: 'database_users',
  shownAs: 'svcIAM.IAMUser',
  key: ['workspace', 'username'],
  fields: {
    /** Id of its workspace. */
    workspace: { type: Type.String() },
    id: { type: Type.String(), defaultOf: newId, document: id, reply: Type.String() },
    username: {
      type: Type.String(),
      document: Type.String({ ...requestText, description: 'Name of the user.' }),
      create: text('Name of the user.'),
      reply: Type.String(),
      compared: 'stable'
    },
    password: {
      document: text('Password in clear; only its hash is kept.'),
      create: text('Password; no reply shows it.'),
      masked: 'secret'
    },
    /** Salted scrypt. */
    password_hash: { type: Type.String(), document: text('Salted hash of the password, as an export has it.') },
    email: { reply: Type.String() },
    firstName: { reply: Type.String() },
    lastName: { reply: Type.String() },
    enabled: { reply: Type.Boolean(), compared: 'stable' },
    ...IDENTITY,
    created: {
      type: Type.String(),
      defaultOf: atCreation,
      document: when('Creation'),
      shown: toSeconds,
      reply: Type.String({ description: 'Timestamp.' })
    },
    updated: {
      type: Type.String(),
      defaultOf: (_: NewRow, __: unknown, { created }: { created: string }) => created,
      document: when('Last change', '`created`'),
      shown: toSeconds,
      reply: Type.String({ description: 'Timestamp of the creation or the last new password.' })
    },
    extra: extraField('database_user')
  }
} as const satisfies ResourceTable

export type DatabaseUserRecord = Stored<typeof DATABASE_USERS.fields>

/** Completes a new in-database user with its defaults. */
export const newDatabaseUser = completer(DATABASE_USERS.fields)

export const databaseUserInDocument = inDocument(DATABASE_USERS, {
  description: 'An in-database user; exactly one of password and password_hash.'
})

export const InDatabaseUserRequestSchema = requestSchema(
  'P-045',
  'InDatabaseUserRequest',
  'An in-database user; which fields are needed depends on the operation.',
  properties(DATABASE_USERS.fields, 'create')
)

export const IAMUserSchema = replySchema(
  'P-044',
  DATABASE_USERS.shownAs,
  'An in-database user: enabled, with empty email and names.',
  properties(DATABASE_USERS.fields, 'reply')
)
export type IAMUser = Static<typeof IAMUserSchema>

const EMPTY = () => ''

/** An in-database user as the interface shows it. */
export const toDatabaseUserView = viewer<
  typeof DATABASE_USERS.fields,
  { readonly org: Pick<Org, 'orgId'>; readonly words: StateWords }
>(DATABASE_USERS.fields, {
  email: EMPTY,
  firstName: EMPTY,
  lastName: EMPTY,
  enabled: () => true,
  path: () => '/',
  tenantID: (_, { org }) => org.orgId,
  auth0UserID: ({ id }) => `auth|${id}`,
  srn: ({ id }, { org }) => `srn:svc:iam:${org.orgId}:user/${id}`
})

/** The rows of in-database users. Every function takes the sandbox key first; lists are in order of creation. */
export function databaseUserStore(db: Database) {
  const table = new Table(db, DATABASE_USERS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('workspace', 'username'),
    list: table.lister('workspace'),
    listAll: table.lister(),
    /** @returns how many were removed */
    remove: table.remover('workspace', 'username')
  }
}
