import type { Sandbox } from '../../sandboxes/registry.js'
import { groupBy } from '../../group-by.js'
import { presentDatabase } from '../databases/present.js'
import type { DatabaseRecord } from '../databases/store.js'
import { presentWorkspace } from '../workspaces/present.js'
import type { FoundWorkspace } from '../workspaces/store.js'
import type { Workgroup } from './schemas.js'
import type { WorkgroupRecord } from './store.js'

/**
 * A workgroup as the interface shows it, with its databases and workspaces.
 * @param hostTemplate see the option `--workspace-host-template`
 */
export function presentWorkgroup(
  sandbox: Sandbox, workgroup: WorkgroupRecord, databases: readonly DatabaseRecord[], workspaces: readonly FoundWorkspace[], hostTemplate: string
): Workgroup {
  const byDatabase = groupBy(workspaces, ({ database }) => database)
  return {
    workgroup_id: workgroup.id,
    name: workgroup.name,
    org_id: sandbox.orgId,
    org_name: sandbox.orgName,
    creator: workgroup.creator,
    cloud_provider_id: workgroup.cloudProviderId,
    platform: workgroup.platform,
    region: workgroup.region,
    enable_allow_list: workgroup.enableAllowList,
    svc_databases: databases.map((database) =>
      presentDatabase(sandbox, database, workgroup.region, (byDatabase.get(database.id) ?? []).map(({ id }) => id))),
    workspaces: workspaces.map((workspace) => presentWorkspace(sandbox, workspace, hostTemplate))
  }
}
