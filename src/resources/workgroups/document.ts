import { type Static, type TObject, Type } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { extraState } from '../../profile/extra-state.js'
import { fromCatalogue } from '../../profile/from-catalogue.js'
import { AllowedIpStateSchema } from '../allow-list/document.js'
import { byDefault, flag, id, identify, resources, text } from '../document.js'
import { extraOf } from '../extra.js'
import { CALLER } from '../org-users/seed.js'
import type { Tx } from '../tx.js'
import type { WorkgroupRecord } from './fields.js'

/** A workgroup in a state document, without its databases and workspaces. */
export const workgroupFields = {
  id,
  name: text('Its id if that is given, otherwise `workgroup-` and the first 8 characters of it.'),
  creator: text(byDefault('E-mail address of the user who created it', CALLER)),
  cloud_provider_id: text('Account at the cloud provider; my-account if absent.'),
  platform: Type.Optional(fromCatalogue('platforms', ({ platform }) => byDefault('Cloud platform', platform))),
  region: Type.Optional(fromCatalogue('regions', (defaults) => byDefault('Region', defaults.region))),
  allow_list: Type.Optional(closed({ enabled: flag('false if absent.'), entries: resources(AllowedIpStateSchema) })),
  extra: extraState('workgroup')
}
type WorkgroupFields = Static<TObject<typeof workgroupFields>>

/** @returns the id of the workgroup */
export function addWorkgroup(tx: Tx, workgroup: WorkgroupFields): string {
  const { id, name } = identify(tx, 'workgroup', workgroup)
  const { defaults } = tx.catalogue
  tx.workgroups.insert({
    id,
    name,
    creator: workgroup.creator ?? CALLER,
    cloudProviderId: workgroup.cloud_provider_id ?? 'my-account',
    platform: workgroup.platform ?? defaults.platform,
    region: workgroup.region ?? defaults.region,
    enableAllowList: workgroup.allow_list?.enabled ?? false,
    extra: workgroup.extra
  })
  return id
}

/** @param entries its allow list */
export function toWorkgroupFields(
  workgroup: WorkgroupRecord,
  entries: NonNullable<NonNullable<WorkgroupFields['allow_list']>['entries']>
): WorkgroupFields {
  return {
    id: workgroup.id,
    name: workgroup.name,
    creator: workgroup.creator,
    cloud_provider_id: workgroup.cloudProviderId,
    platform: workgroup.platform,
    region: workgroup.region,
    allow_list: { enabled: workgroup.enableAllowList, entries },
    ...extraOf(workgroup)
  }
}
