import type { Static } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import type { DocumentCheck } from '../document.js'
import { properties, reader, stater } from '../field-table.js'
import type { Tx } from '../tx.js'
import { newOrgUser, ORG_USERS } from './fields.js'
import { ORG_SEED } from './seed.js'

/** An org user in a state document. */
export const OrgUserStateSchema = closed(properties(ORG_USERS.fields, 'document'))
type OrgUserState = Static<typeof OrgUserStateSchema>

const given = reader(ORG_USERS.fields, 'document')
export const toOrgUserState = stater(ORG_USERS.fields)

/** Adds the default users, for a document that does not name any. */
export function addUsualOrgUsers(tx: Tx): void {
  for (const user of ORG_SEED) addOrgUser(tx, user)
}

export function addOrgUser(tx: Tx, user: OrgUserState): void {
  const { email, roles } = user
  tx.orgUsers.insert(newOrgUser(tx, { ...given(user), email, roles }))
}

export function checkOrgUsers(users: readonly OrgUserState[], { complain, unique }: DocumentCheck): void {
  users.forEach((user, index) => unique('org user', `org_users.${index}.id`, user.id))
  if (!users.some(({ enabled = true, roles }) => enabled && hasAdmin(roles))) {
    complain('org_users', 'must have a user who is enabled and has the role org-admin')
  }
}

/** The schema may have rejected the roles. */
const hasAdmin = (roles: unknown) => Array.isArray(roles) && roles.includes('org-admin')
