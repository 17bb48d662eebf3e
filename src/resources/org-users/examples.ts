import type { OrgUserRecord } from './fields.js'
import { ORG_SEED } from './seed.js'

/** The org users of the demo data: the usual ones, with readable ids. */
export const DEMO_USERS: readonly OrgUserRecord[] = ORG_SEED.map((user) => {
  const id = user.firstName.toLowerCase()
  return { ...user, id, authId: `auth|${id}` }
})
