import type { Catalogue } from '../../profile/catalogue.js'
import { exampleRow, NEW_ID } from '../examples.js'
import { newWorkgroup, type WorkgroupRecord } from './fields.js'

/** The workgroups of the demo data. */
export function demoWorkgroups(catalogue: Catalogue) {
  const { regions } = catalogue
  const workgroup = (id: string, given: Partial<WorkgroupRecord> = {}) =>
    newWorkgroup(exampleRow(catalogue), { id, cloudProviderId: 'demo-account', ...given })
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
