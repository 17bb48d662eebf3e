import type { Catalogue } from '../../profile/catalogue.js'
import { NEW_ID } from '../examples.js'
import { CALLER } from '../org-users/seed.js'
import type { WorkgroupRecord } from './fields.js'

/** The workgroups of the demo data. */
export function demoWorkgroups({ regions, defaults }: Catalogue) {
  const workgroup = (id: string, given: Partial<WorkgroupRecord> = {}): WorkgroupRecord => ({
    id,
    name: id,
    creator: CALLER,
    cloudProviderId: 'demo-account',
    platform: defaults.platform,
    region: defaults.region,
    enableAllowList: false,
    ...given
  })
  const another = regions.find(({ name }) => name === 'eu-west-1') ?? regions.at(-1)!
  return {
    /** The one in use. */
    demo: workgroup('demo', { enableAllowList: true }),
    /** The empty one. */
    spare: workgroup('spare'),
    /** One that has just been created. */
    created: workgroup(NEW_ID, { name: 'staging', region: another.name })
  }
}
