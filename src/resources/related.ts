import type { Relation } from '../profile/stored-kinds.js'
import type { Org } from '../sandboxes/sandbox.js'
import { toDatabaseView } from './databases/fields.js'
import type { SandboxStores } from './tx.js'
import { toWorkgroupView } from './workgroups/views.js'
import { toWorkspaceView, type ViewContext } from './workspaces/views.js'

/** Ids by their names in replies. */
export type Ids = Readonly<Partial<Record<'workgroup_id' | 'workspace_id' | 'database_id', string>>>

/** Finds the resource that another one belongs to, as replies show it. @param own ids in the reply of the latter */
export type FindRelated = (relation: Relation, own: Ids) => object | undefined

/** Returns a function that finds what resources belong to, and remembers it: use it only while nothing is written. */
export function relatedIn(org: Org, stores: SandboxStores, view: ViewContext & { readonly now: number }): FindRelated {
  const find: Record<Relation, (own: Ids) => object | undefined> = {
    workgroup: ({ workgroup_id: id = '' }) => {
      const workgroup = stores.workgroups.find(id)
      return workgroup && toWorkgroupView(workgroup, { ...view, org })
    },
    database: ({ workgroup_id: id = '', database_id: databaseId = '' }) => {
      const workgroup = stores.workgroups.find(id)
      const database = stores.databases.find(id, databaseId)
      return (
        workgroup && database && toDatabaseView(database, { ...view, org, region: workgroup.region, workspaceIds: [] })
      )
    },
    workspace: ({ workspace_id: id = '' }) => {
      const workspace = stores.workspaces.find(id)
      return workspace && toWorkspaceView(workspace, { ...view, org })
    }
  }
  const found = new Map<string, object | undefined>()
  return (relation, own) => {
    const key = `${relation} ${own[`${relation}_id`] ?? ''}`
    if (!found.has(key)) found.set(key, find[relation](own))
    return found.get(key)
  }
}
