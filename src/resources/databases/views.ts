import type { Org } from '../../sandboxes/sandbox.js'
import { withExtra } from '../extra.js'
import type { DatabaseRecord } from './fields.js'
import type { SvcDatabase } from './schemas.js'
import { toStatisticsView } from './statistics.js'

/**
 * A database as the interface shows it, without its workspaces.
 * @param workspaceIds the workspaces that use it
 */
export function toDatabaseView(
  org: Org,
  database: DatabaseRecord,
  region: string,
  workspaceIds: readonly string[]
): SvcDatabase {
  const reply: SvcDatabase = {
    database_id: database.id,
    name: database.name,
    org_id: org.orgId,
    org_name: org.orgName,
    workgroup_id: database.workgroup,
    region,
    svc_version: database.svcVersion,
    create_time: database.createTime,
    folder_statistics: toStatisticsView(workspaceIds)
  }
  return withExtra(reply, database)
}
