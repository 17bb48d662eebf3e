import { type Static, Type } from '@sinclair/typebox'
import { requestText } from '../../interface/schemas.js'
import { closed } from '../../lib/closed.js'
import { extraState } from '../../profile/extra-state.js'
import { ORG_ROLE_NAMES } from '../../profile/org-roles.js'
import { among, anyText, type DocumentCheck, flag, id, text, timestamp, when } from '../document.js'
import { extraOf } from '../extra.js'
import type { Tx } from '../tx.js'
import type { OrgUserRecord } from './fields.js'
import { MOST_ROLES } from './schemas.js'
import { ORG_SEED } from './seed.js'

/** An org user in a state document. */
export const OrgUserStateSchema = closed({
  id,
  username: text('The e-mail address if absent.'),
  email: Type.String({ ...requestText, description: 'E-mail address.' }),
  first_name: anyText('Empty if absent.'),
  last_name: anyText('Empty if absent.'),
  enabled: flag('true if absent.'),
  auth_id: text('Id at the identity provider; a new one if absent.'),
  last_login: Type.Optional(Type.String({ format: 'timestamp', description: 'Never if absent.' })),
  roles: Type.Array(among(ORG_ROLE_NAMES, 'At least one.'), {
    minItems: 1,
    maxItems: MOST_ROLES,
    uniqueItems: true
  }),
  created: when('Creation'),
  updated: when('Last change', '`created`'),
  extra: extraState('org_user')
})
type OrgUserState = Static<typeof OrgUserStateSchema>

/** Adds the default users, for a document that does not name any. */
export function addUsualOrgUsers(tx: Tx): void {
  for (const user of ORG_SEED) tx.orgUsers.insert({ ...user, id: tx.newId(), authId: `auth|${tx.newId()}` })
}

export function addOrgUser(tx: Tx, user: OrgUserState): void {
  tx.orgUsers.insert({
    id: user.id ?? tx.newId(),
    username: user.username ?? user.email,
    email: user.email,
    firstName: user.first_name ?? '',
    lastName: user.last_name ?? '',
    enabled: user.enabled ?? true,
    authId: user.auth_id ?? `auth|${tx.newId()}`,
    lastLogin: user.last_login === undefined ? null : timestamp(tx, user.last_login),
    roles: user.roles,
    created: timestamp(tx, user.created),
    updated: timestamp(tx, user.updated ?? user.created),
    extra: user.extra
  })
}

export function toOrgUserState(record: OrgUserRecord): OrgUserState {
  const { firstName, lastName, authId, lastLogin, roles, ...user } = record
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    first_name: firstName,
    last_name: lastName,
    enabled: user.enabled,
    auth_id: authId,
    ...(lastLogin === null ? {} : { last_login: lastLogin }),
    roles: [...roles],
    created: user.created,
    updated: user.updated,
    ...extraOf(record)
  }
}

export function checkOrgUsers(users: readonly OrgUserState[], { complain, unique }: DocumentCheck): void {
  users.forEach((user, index) => {
    unique('org user', `org_users.${index}.id`, user.id)
  })
  if (!users.some(({ enabled = true, roles }) => enabled && hasAdmin(roles))) {
    complain('org_users', 'must have a user who is enabled and has the role org-admin')
  }
}

/** The schema may have rejected the roles. */
const hasAdmin = (roles: unknown) => Array.isArray(roles) && roles.includes('org-admin')
