import { ORG_SEED } from '../resources/org-users/seed.js'
import type { OrgUserStore } from '../resources/org-users/store.js'
import type { Random } from '../sim/random.js'
import type { SandboxRecord } from './store.js'

/** Fills a new sandbox with what is there from the beginning: its org users. */
export function seedSandbox(orgUsers: OrgUserStore, sandbox: SandboxRecord, ids: Random): void {
  for (const user of ORG_SEED) orgUsers.insert(sandbox.key, { ...user, id: ids.uuid(), authId: `auth|${ids.uuid()}` })
}
