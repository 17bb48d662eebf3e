import { ref } from '../../interface/schemas.js'
import { groupBy } from '../../lib/group-by.js'
import type { Slices } from '../../lib/scheduler.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { type DatabaseRecord, SvcDatabaseSchema, toDatabaseView } from '../databases/fields.js'
import type { AddFields } from '../extra.js'
import { viewer } from '../field-table.js'
import { type FoundWorkspace, WorkspaceSchema } from '../workspaces/fields.js'
import { toWorkspaceView, type ViewContext } from '../workspaces/views.js'
import { type Workgroup, type WorkgroupRecord, WORKGROUPS, WorkgroupSchema } from './fields.js'

/** A workgroup as the interface shows it, without databases and workspaces. */
export const toWorkgroupView = viewer<
  typeof WORKGROUPS.fields,
  { readonly org: Org; readonly words: ViewContext['words'] }
>(WORKGROUPS.fields, {
  org_id: (_, { org }) => org.orgId,
  org_name: (_, { org }) => org.orgName,
  svc_databases: () => [],
  workspaces: () => []
})

const idsOf = (workspaces: readonly FoundWorkspace[] = []) => workspaces.map(({ id }) => id)

/**
 * The JSON text of a {@link toWorkgroupView}, with the databases and workspaces serialized piece by piece.
 * @param isTimeUp whether to yield; called after each piece
 * @param addFields undefined if the profile has no further fields
 */
export function* workgroupText(
  org: Org,
  workgroup: WorkgroupRecord,
  databases: readonly DatabaseRecord[],
  workspaces: readonly FoundWorkspace[],
  viewContext: ViewContext & { readonly now: number },
  isTimeUp: () => boolean,
  addFields?: AddFields
): Slices<string> {
  const context = { ...viewContext, org }
  const byDatabase = groupBy(workspaces, ({ database }) => database)
  const textOf = (shown: object, schema: object) =>
    JSON.stringify(addFields === undefined ? shown : addFields(shown, schema))
  function* list<T>(items: readonly T[], toView: (item: T) => object, schema: object): Slices<string> {
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
      toDatabaseView(database, {
        ...context,
        region: workgroup.region,
        workspaceIds: idsOf(byDatabase.get(database.id))
      }),
    SHOWN.database
  )
  const workspaceTexts = yield* list(workspaces, (workspace) => toWorkspaceView(workspace, context), SHOWN.workspace)
  const empty = toWorkgroupView(workgroup, context)
  return withLists(addFields?.(empty, SHOWN.workgroup) ?? empty, databaseTexts, workspaceTexts)
}

/** The schemas by which {@link AddFields} identifies the kinds of views. */
const SHOWN = { workgroup: ref(WorkgroupSchema), database: ref(SvcDatabaseSchema), workspace: ref(WorkspaceSchema) }

/** The JSON text of a workgroup, with these texts in place of its lists, which further fields can mirror. */
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

/** Number of items serialized between two checks of the time. */
const PIECE = 100
