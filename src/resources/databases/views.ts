import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { viewer } from '../field-table.js'
import { toStatisticsView } from '../workspaces/views.js'
import { DATABASES } from './fields.js'

interface Context {
  readonly org: Org
  readonly region: string
  /** Ids of the workspaces that use it. */
  readonly workspaceIds: readonly string[]
  readonly words: StateWords
}

/** A database as the interface shows it, without its workspaces. */
export const toDatabaseView = viewer<typeof DATABASES.fields, Context>(DATABASES.fields, {
  org_id: (_, { org }) => org.orgId,
  org_name: (_, { org }) => org.orgName,
  region: (_, { region }) => region,
  folder_statistics: (_, { workspaceIds }) => toStatisticsView(workspaceIds)
})
