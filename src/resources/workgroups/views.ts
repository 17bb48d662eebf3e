import { groupBy } from '../../lib/group-by.js'
import type { Org } from '../../sandboxes/sandbox.js'
import type { DatabaseRecord } from '../databases/store.js'
import { toDatabaseView } from '../databases/views.js'
import type { FoundWorkspace } from '../workspaces/store.js'
import { toWorkspaceView, type ViewContext } from '../workspaces/views.js'
import type { Workgroup } from './schemas.js'
import type { WorkgroupRecord } from './store.js'

/** A workgroup as the interface shows it, with its databases and workspaces. */
export function toWorkgroupView(
  org: Org,
  workgroup: WorkgroupRecord,
  databases: readonly DatabaseRecord[],
  workspaces: readonly FoundWorkspace[],
  view: ViewContext
): Workgroup {
  const byDatabase = groupBy(workspaces, ({ database }) => database)
  return {
    workgroup_id: workgroup.id,
    name: workgroup.name,
    org_id: org.orgId,
    org_name: org.orgName,
    creator: workgroup.creator,
    cloud_provider_id: workgroup.cloudProviderId,
    platform: workgroup.platform,
    region: workgroup.region,
    enable_allow_list: workgroup.enableAllowList,
    svc_databases: databases.map((database) =>
      toDatabaseView(
        org,
        database,
        workgroup.region,
        (byDatabase.get(database.id) ?? []).map(({ id }) => id)
      )
    ),
    workspaces: workspaces.map((workspace) => toWorkspaceView(org, workspace, view))
  }
}

/**
 * The JSON text of a {@link toWorkgroupView}, with its long lists serialized piece by piece.
 * @param isTimeUp asked after each piece whether to yield
 */
export function* workgroupText(
  org: Org,
  workgroup: WorkgroupRecord,
  databases: readonly DatabaseRecord[],
  workspaces: readonly FoundWorkspace[],
  view: ViewContext,
  isTimeUp: () => boolean
): Generator<undefined, string, undefined> {
  const byDatabase = groupBy(workspaces, ({ database }) => database)
  function* list<T>(items: readonly T[], toView: (item: T) => object): Generator<undefined, string, undefined> {
    let text = ''
    for (const [index, item] of items.entries()) {
      text += `${index === 0 ? '' : ','}${JSON.stringify(toView(item))}`
      if (index % PIECE === PIECE - 1 && isTimeUp()) yield
    }
    return text
  }
  const databaseTexts = yield* list(databases, (database) =>
    toDatabaseView(
      org,
      database,
      workgroup.region,
      (byDatabase.get(database.id) ?? []).map(({ id }) => id)
    )
  )
  const workspaceTexts = yield* list(workspaces, (workspace) => toWorkspaceView(org, workspace, view))
  // Both lists are the last fields of a workgroup.
  const own = JSON.stringify(toWorkgroupView(org, workgroup, [], [], view)).slice(0, -EMPTY_LISTS.length)
  return `${own},"svc_databases":[${databaseTexts}],"workspaces":[${workspaceTexts}]}`
}

const EMPTY_LISTS = ',"svc_databases":[],"workspaces":[]}'

/** Number of items serialized between two checks of the time. */
const PIECE = 100
