import { ORG_SEED } from './seed.js'

/** The org users of the demo data, in a state document: the usual ones, with readable ids. */
export const DEMO_ORG_USERS = ORG_SEED.map((user) => {
  const id = user.first_name.toLowerCase()
  return { ...user, id, auth_id: `auth|${id}` }
})
