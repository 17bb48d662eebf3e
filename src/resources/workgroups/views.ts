import { ref } from '../../interface/schemas.js'
import { groupBy } from '../../lib/group-by.js'
import type { Org } from '../../sandboxes/sandbox.js'
import type { DatabaseRecord } from '../databases/fields.js'
import { SvcDatabaseSchema } from '../databases/schemas.js'
import { toDatabaseView } from '../databases/views.js'
import { type AddFields, withExtra } from '../extra.js'
import type { FoundWorkspace } from '../workspaces/fields.js'
import { WorkspaceSchema } from '../workspaces/schemas.js'
import { toWorkspaceView, type ViewContext } from '../workspaces/views.js'
import type { WorkgroupRecord } from './fields.js'
import { type Workgroup, WorkgroupSchema } from './schemas.js'

/** A workgroup as the interface shows it, with its databases and workspaces. */
export function toWorkgroupView(
  org: Org,
  workgroup: WorkgroupRecord,
  databases: readonly DatabaseRecord[],
  workspaces: readonly FoundWorkspace[],
  view: ViewContext
): Workgroup {
  const byDatabase = groupBy(workspaces, ({ database }) => database)
  const reply: Workgroup = {
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
  return withExtra(reply, workgroup)
}

/**
 * The JSON text of a {@link toWorkgroupView}, with its long lists serialized piece by piece.
 * @param isTimeUp asked after each piece whether to yield
 * @param addFields undefined if the profile has no further fields
 */
export function* workgroupText(
  org: Org,
  workgroup: WorkgroupRecord,
  databases: readonly DatabaseRecord[],
  workspaces: readonly FoundWorkspace[],
  view: ViewContext,
  isTimeUp: () => boolean,
  addFields?: AddFields
): Generator<undefined, string, undefined> {
  const byDatabase = groupBy(workspaces, ({ database }) => database)
  const textOf = (shown: object, schema: object) =>
    JSON.stringify(addFields === undefined ? shown : addFields(shown, schema))
  function* list<T>(
    items: readonly T[],
    toView: (item: T) => object,
    schema: object
  ): Generator<undefined, string, undefined> {
    let text = ''
    for (const [index, item] of items.entries()) {
      text += `${index === 0 ? '' : ','}${textOf(toView(item), schema)}`
      if (index % PIECE === PIECE - 1 && isTimeUp()) yield
    }
    return text
  }
  const databaseTexts = yield* list(
    databases,
    (database) =>
      toDatabaseView(
        org,
        database,
        workgroup.region,
        (byDatabase.get(database.id) ?? []).map(({ id }) => id)
      ),
    SHOWN.database
  )
  const workspaceTexts = yield* list(workspaces, (workspace) => toWorkspaceView(org, workspace, view), SHOWN.workspace)
  const empty = toWorkgroupView(org, workgroup, [], [], view)
  if (addFields !== undefined) return withLists(addFields(empty, SHOWN.workgroup), databaseTexts, workspaceTexts)
  // Both lists are the last fields of a workgroup.
  const own = JSON.stringify(empty).slice(0, -EMPTY_LISTS.length)
  return `${own},"svc_databases":[${databaseTexts}],"workspaces":[${workspaceTexts}]}`
}

/** The schemas of what a workgroup shows, always the same objects. */
const SHOWN = { workgroup: ref(WorkgroupSchema), database: ref(SvcDatabaseSchema), workspace: ref(WorkspaceSchema) }

/** The JSON text of a workgroup whose lists are empty, with these lists. A further field can mirror one of them. */
function withLists(workgroup: Workgroup, databases: string, workspaces: string): string {
  const texts = new Map<unknown, string>([
    [workgroup.svc_databases, `[${databases}]`],
    [workgroup.workspaces, `[${workspaces}]`]
  ])
  const fields = Object.entries(workgroup).map(
    ([name, value]) => `${JSON.stringify(name)}:${texts.get(value) ?? JSON.stringify(value)}`
  )
  return `{${fields.join()}}`
}

const EMPTY_LISTS = ',"svc_databases":[],"workspaces":[]}'

/** Number of items serialized between two checks of the time. */
const PIECE = 100
