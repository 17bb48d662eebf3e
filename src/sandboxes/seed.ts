import { ORG_SEED } from '../resources/org-users/seed.js'
import type { OrgUserStore } from '../resources/org-users/store.js'
import type { Sandbox } from './registry.js'

/** Fills a new sandbox with what is there from the beginning: its org users. */
export function seedSandbox(orgUsers: OrgUserStore, { key, ids }: Sandbox): void {
  for (const user of ORG_SEED) orgUsers.insert(key, { ...user, id: ids.uuid(), authId: `auth|${ids.uuid()}` })
}
