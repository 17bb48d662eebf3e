import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../db/database.js'
import { type Stored, Table } from '../../db/table.js'
import {
  answered,
  assumed,
  enumeration,
  mark,
  ref,
  replySchema,
  requestSchema,
  requestText
} from '../../interface/schemas.js'
import { toSeconds } from '../../lib/time.js'
import { ORG_ROLE_NAMES, ORG_ROLES, type OrgRoleName } from '../../profile/org-roles.js'
import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { uuidFrom } from '../../sim/random.js'
import { IDENTITY } from '../database-users/fields.js'
import { anyText, atCreation, flag, id, newId, text, when } from '../document.js'
import { extraField } from '../extra.js'
import { as, inDocument, type NewRow, properties, type ResourceTable, viewer } from '../field-table.js'

export const OrgRoleSchema = replySchema('P-047', 'org_handler.OrgRole', 'A role of an org user.', {
  id: Type.String({ description: 'Follows from the org and the name.' }),
  name: Type.String(),
  displayName: Type.String(),
  path: Type.String({ description: 'Always `/`.' }),
  tenantID: Type.String({ description: 'Id of the org.' }),
  srn: Type.String({ description: 'Resource name.' })
})

/** More roles than exist; checking each takes time. */
const MOST_ROLES = 100

export const ORG_USERS = {
  name: 'org_users',
  shownAs: 'org_handler.OrgListUserResponse',
  key: ['id'],
  fields: {
    id: { type: Type.String(), defaultOf: newId, document: id, reply: Type.String() },
    username: {
      type: Type.String(),
      defaultOf: (_: NewRow, { email }: { email: string }) => email,
      document: text('The e-mail address if absent.'),
      reply: Type.String()
    },
    email: {
      type: Type.String(),
      document: Type.String({ ...requestText, description: 'E-mail address.' }),
      reply: Type.String(),
      isCarried: true
    },
    first_name: {
      type: Type.String(),
      default: '',
      document: anyText('Empty if absent.'),
      reply: as('firstName', Type.String())
    },
    last_name: {
      type: Type.String(),
      default: '',
      document: anyText('Empty if absent.'),
      reply: as('lastName', Type.String())
    },
    enabled: {
      type: Type.Boolean(),
      default: true,
      document: flag('true if absent.'),
      reply: Type.Boolean(),
      compared: 'stable'
    },
    ...IDENTITY,
    auth_id: {
      type: Type.String(),
      defaultOf: (tx: NewRow) => `auth|${tx.newId()}`,
      document: text('Id at the identity provider; a new one if absent.'),
      reply: as('authID', Type.String({ description: 'The same as auth0UserID.' })),
      masked: 'composed'
    },
    /** Names of roles. */
    roles: {
      type: Type.Array(Type.String()),
      document: Type.Array(enumeration<string>(ORG_ROLE_NAMES, 'At least one.'), {
        minItems: 1,
        maxItems: MOST_ROLES,
        uniqueItems: true
      }),
      reply: Type.Array(ref(OrgRoleSchema))
    },
    /** Timestamp; null: never. */
    last_login: {
      type: Type.Union([Type.String(), Type.Null()]),
      default: null,
      document: Type.Optional(Type.String({ format: 'timestamp', description: 'Never if absent.' }))
    },
    metadata: {
      reply: answered(
        Type.Object(
          mark('P-046', {
            lastLogin: Type.Optional(Type.String({ description: 'Timestamp; only if a state document gives it.' })),
            attachedTo: Type.Array(Type.String(), { description: 'What the user is attached to; always empty.' })
          })
        )
      )
    },
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
      reply: Type.String({ description: 'Timestamp of the creation or the last new roles.' })
    },
    extra: extraField('org_user')
  }
} as const satisfies ResourceTable

export type OrgUserRecord = Stored<typeof ORG_USERS.fields>

export const orgUserInDocument = inDocument(ORG_USERS)

/** An org user as the interface shows it. */
export const toOrgUserView = viewer<
  typeof ORG_USERS.fields,
  { readonly org: Pick<Org, 'orgId'>; readonly words: StateWords }
>(ORG_USERS.fields, {
  path: () => '/',
  tenantID: (_, { org }) => org.orgId,
  auth0UserID: ({ authId }) => authId,
  srn: ({ id }, { org }) => `srn:svc:iam:${org.orgId}:user/${id}`,
  roles: ({ roles }, { org }) => roles.map((name) => toRoleView(org.orgId, name as OrgRoleName)),
  metadata: ({ lastLogin }) => ({ ...(lastLogin === null ? {} : { lastLogin: toSeconds(lastLogin) }), attachedTo: [] })
})

function toRoleView(orgId: string, name: OrgRoleName) {
  const id = uuidFrom('role', orgId, name)
  return { id, name, displayName: ORG_ROLES[name], path: '/', tenantID: orgId, srn: `srn:svc:iam:${orgId}:role/${id}` }
}

const OrgUser = answered(Type.Object(mark('P-046', properties(ORG_USERS.fields, 'reply'))))
export type OrgUser = Static<typeof OrgUser>

export const OrgListUserResponseSchema = Type.Array(OrgUser, {
  $id: ORG_USERS.shownAs,
  description: 'The users of the org; the username is the e-mail address.',
  ...assumed('P-046')
})

export const PutOrgUsersRolesSchema = requestSchema(
  'P-048',
  'org_handler.PutOrgUsersRoles',
  'The new roles of the user.',
  {
    roles: Type.Array(enumeration(ORG_ROLE_NAMES, 'Name of a role.'), {
      minItems: 1,
      maxItems: MOST_ROLES,
      uniqueItems: true,
      description: 'They replace the old ones.'
    })
  }
)

/** The rows of org users. Every function takes the sandbox key first; lists are in order of creation. */
export function orgUserStore(db: Database) {
  const table = new Table(db, ORG_USERS)
  return {
    insert: table.inserter(),
    save: table.saver(),
    find: table.finder('id'),
    list: table.lister()
  }
}
