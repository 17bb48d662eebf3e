import { type Static, type TObject, Type } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { AllowedIpStateSchema } from '../allow-list/document.js'
import { flag, resources } from '../document.js'
import { properties, reader, stater } from '../field-table.js'
import type { Tx } from '../tx.js'
import { newWorkgroup, type WorkgroupRecord, WORKGROUPS } from './fields.js'

/** A workgroup in a state document, without its databases and workspaces. */
export const workgroupFields = {
  ...properties(WORKGROUPS.fields, 'document'),
  allow_list: Type.Optional(closed({ enabled: flag('false if absent.'), entries: resources(AllowedIpStateSchema) }))
}
type WorkgroupFields = Static<TObject<typeof workgroupFields>>

const given = reader(WORKGROUPS.fields, 'document')
const toState = stater(WORKGROUPS.fields)

/** @returns the id of the workgroup */
export function addWorkgroup(tx: Tx, workgroup: WorkgroupFields): string {
  const enableAllowList = workgroup.allow_list?.enabled ?? false
  const record = newWorkgroup(tx, { ...given(workgroup), enableAllowList })
  tx.workgroups.insert(record)
  return record.id
}

/** @param entries its allow list */
export function toWorkgroupFields(
  workgroup: WorkgroupRecord,
  entries: NonNullable<NonNullable<WorkgroupFields['allow_list']>['entries']>
): WorkgroupFields {
  return { ...toState(workgroup), allow_list: { enabled: workgroup.enableAllowList, entries } }
}
