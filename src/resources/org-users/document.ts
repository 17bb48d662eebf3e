import type { Static } from '@sinclair/typebox'
import type { DocumentCheck } from '../document.js'
import type { orgUserInDocument } from './fields.js'

export function checkOrgUsers(
  users: readonly Static<typeof orgUserInDocument.schema>[],
  { complain, unique }: DocumentCheck
): void {
  users.forEach((user, index) => unique('org user', `org_users.${index}.id`, user.id))
  if (!users.some(({ enabled = true, roles }) => enabled && hasAdmin(roles))) {
    complain('org_users', 'must have a user who is enabled and has the role org-admin')
  }
}

/** The schema may have rejected the roles. */
const hasAdmin = (roles: unknown) => Array.isArray(roles) && roles.includes('org-admin')
