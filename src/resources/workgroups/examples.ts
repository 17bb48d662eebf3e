import { NEW_ID } from '../examples.js'
import { CALLER, DEFAULT_PLATFORM, DEFAULT_REGION } from '../metadata/catalogue.js'
import type { WorkgroupRecord } from './store.js'

const workgroup = (id: string, given: Partial<WorkgroupRecord> = {}): WorkgroupRecord => ({
  id,
  name: id,
  creator: CALLER,
  cloudProviderId: 'demo-account',
  platform: DEFAULT_PLATFORM,
  region: DEFAULT_REGION,
  enableAllowList: false,
  ...given
})

/** The workgroup of the demo data that is in use. */
export const DEMO_WORKGROUP = workgroup('demo', { enableAllowList: true })

/** The empty one. */
export const SPARE_WORKGROUP = workgroup('spare')

/** A workgroup that has just been created. */
export const CREATED_WORKGROUP = workgroup(NEW_ID, { name: 'staging', region: 'eu-west-1' })
