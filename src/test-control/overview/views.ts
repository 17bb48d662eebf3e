import type { DatabaseRecord } from '../../resources/databases/fields.js'
import { viewer } from '../../resources/field-table.js'
import type { WorkgroupRecord } from '../../resources/workgroups/fields.js'
import { BRIEF_WORKSPACES } from '../../resources/workspaces/fields.js'
import type { ViewContext } from '../../resources/workspaces/views.js'
import type { Org } from '../../sandboxes/sandbox.js'
import type { DatabaseSummary, WorkgroupSummary } from './schemas.js'

interface Context extends Pick<ViewContext, 'words' | 'hostOf'> {
  readonly org: Org
}

export const summarizeWorkspace = viewer<typeof BRIEF_WORKSPACES.fields, Context>(BRIEF_WORKSPACES.fields, {
  host: (workspace, { hostOf, org }) => hostOf(workspace, org)
})

export function summarizeWorkgroup({ id, name, platform, region }: WorkgroupRecord): WorkgroupSummary {
  return { workgroup_id: id, name, platform, region }
}

export function summarizeDatabase({ id, workgroup, name }: DatabaseRecord): DatabaseSummary {
  return { database_id: id, workgroup_id: workgroup, name }
}
