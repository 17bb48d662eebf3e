import type { Catalogue } from '../profile/catalogue.js'
import { databaseInDocument } from './databases/fields.js'
import { demoData, typeLike } from './demo.js'
import type { NewRow } from './field-table.js'
import { orgUserInDocument } from './org-users/fields.js'
import { itemsIn, type Part, partRow, WORKSPACE_PARTS } from './parts.js'
import { newWorkgroup, workgroupInDocument, type WorkgroupRecord } from './workgroups/fields.js'
import { type FoundWorkspace, newWorkspace, workspaceInDocument, type WorkspaceRecord } from './workspaces/fields.js'

// The examples in the OpenAPI document use the data of `--demo`, so you can send each of them unchanged. A test does
// that, and compares the replies.

/** Stands for any time. */
const MOMENT = '2026-01-02T03:04:05.678Z'

/** Stands for any id from the server. */
export const NEW_ID = '1f0c2d3e-4b5a-4978-8695-a4b3c2d1e0f9'

/** The defaults of new rows in examples. */
export const exampleRow = (catalogue: Catalogue): NewRow => ({
  now: 0,
  timestamp: MOMENT,
  catalogue,
  newId: () => NEW_ID
})

type RowOf<Name extends keyof typeof WORKSPACE_PARTS> = ReturnType<
  (typeof WORKSPACE_PARTS)[Name]['inDocument']['toRow']
>

/** The rows of the demo data, and of newly created resources. */
export function demoRows(catalogue: Catalogue) {
  const tx = exampleRow(catalogue)
  const { org_users: users, workgroups } = demoData(catalogue)
  // The other workgroup is empty.
  const { databases = [], workspaces = [] } = workgroups[0]!
  const [demo, spare] = workgroups.map((group) =>
    workgroupInDocument.toRow(tx, group, { enableAllowList: group.allow_list?.enabled ?? false })
  ) as [WorkgroupRecord, WorkgroupRecord]
  const { id: workgroup, name: workgroupName, cloudProviderId, region } = demo
  const inDemo = (row: WorkspaceRecord): FoundWorkspace => ({ ...row, workgroupName, cloudProviderId, region })
  const rows = workspaces.map(({ database, ...workspace }) =>
    inDemo(workspaceInDocument.toRow(tx, workspace, { workgroup, database }))
  )
  /** The parts of all workspaces. */
  const partsOf = <Name extends keyof typeof WORKSPACE_PARTS>(name: Name): RowOf<Name>[] => {
    const part: Part = WORKSPACE_PARTS[name]
    return workspaces.flatMap((workspace, index) =>
      (itemsIn(workspace, part, name) ?? []).map((item) => partRow(tx, part, item, rows[index]!) as RowOf<Name>)
    )
  }
  return {
    orgUsers: users.map((user) => orgUserInDocument.toRow(tx, user, {})),
    workgroups: {
      demo,
      spare,
      created: newWorkgroup(tx, { name: 'staging', cloudProviderId, region: otherRegion(catalogue) })
    },
    databases: databases.map((database) => databaseInDocument.toRow(tx, database, { workgroup })),
    workspaces: rows,
    createdWorkspace: inDemo(
      newWorkspace(tx, {
        workgroup,
        database: NEW_ID,
        name: 'analytics',
        status: 'Creating',
        typeName: typeLike('SVC-4', catalogue),
        autoStopMinutes: 30
      })
    ),
    backups: partsOf('backups'),
    jobs: partsOf('restore_jobs'),
    backupSchedules: partsOf('backup_schedule'),
    schedules: partsOf('schedules'),
    users: partsOf('users')
  }
}

/** Another region than the default one, if there is one. */
const otherRegion = ({ regions }: Catalogue) =>
  (regions.find(({ name }) => name === 'eu-west-1') ?? regions.at(-1)!).name
