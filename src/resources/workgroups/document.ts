import { type Static, type TObject, Type } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { AllowedIpStateSchema } from '../allow-list/document.js'
import { among, byDefault, flag, id, identify, resources, text } from '../document.js'
import { CALLER, DEFAULT_PLATFORM, DEFAULT_REGION, PLATFORMS, REGIONS } from '../metadata/catalogue.js'
import type { Tx } from '../tx.js'
import type { WorkgroupRecord } from './store.js'

/** A workgroup in a state document, without its databases and workspaces. */
export const workgroupFields = {
  id,
  name: text('Its id if that is given, otherwise `workgroup-` and the first 8 characters of it.'),
  creator: text(byDefault('E-mail address of the user who created it', CALLER)),
  cloud_provider_id: text('Account at the cloud provider; my-account if absent.'),
  platform: Type.Optional(among(PLATFORMS, byDefault('Cloud platform', DEFAULT_PLATFORM))),
  region: Type.Optional(
    among(
      REGIONS.map(({ name }) => name),
      byDefault('Region', DEFAULT_REGION)
    )
  ),
  allow_list: Type.Optional(closed({ enabled: flag('false if absent.'), entries: resources(AllowedIpStateSchema) }))
}
type WorkgroupFields = Static<TObject<typeof workgroupFields>>

/** @returns the id of the workgroup */
export function addWorkgroup(tx: Tx, workgroup: WorkgroupFields): string {
  const { id, name } = identify(tx, 'workgroup', workgroup)
  tx.workgroups.insert({
    id,
    name,
    creator: workgroup.creator ?? CALLER,
    cloudProviderId: workgroup.cloud_provider_id ?? 'my-account',
    platform: workgroup.platform ?? DEFAULT_PLATFORM,
    region: workgroup.region ?? DEFAULT_REGION,
    enableAllowList: workgroup.allow_list?.enabled ?? false
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
    allow_list: { enabled: workgroup.enableAllowList, entries }
  }
}
