import { HOST_PLACEHOLDER } from '../../options.js'
import type { Catalogue } from '../../profile/catalogue.js'
import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { DELETED } from '../../sim/state-machine.js'
import { toStatisticsView } from '../databases/statistics.js'
import { viewer } from '../field-table.js'
import { type FoundWorkspace, WORKSPACES } from './fields.js'
import type { WorkspaceState } from './lifecycle.js'

/** The condition that a workspace shows in each state. */
export const CONDITIONS: Readonly<Record<WorkspaceState | typeof DELETED, string>> = {
  Creating: 'Progressing',
  Active: 'Ready',
  Stopping: 'Progressing',
  Stopped: 'Paused',
  Idle: 'Paused',
  Resuming: 'Progressing',
  Resizing: 'Progressing',
  Restoring: 'Progressing',
  Terminating: 'Progressing',
  Failed: 'Failed',
  // Only where a profile keeps it readable.
  [DELETED]: 'Deleted'
}

/** What replies show besides the records, the same for all requests. */
export interface ViewContext {
  readonly catalogue: Catalogue
  readonly words: StateWords
  readonly hostOf: HostOf
}

/** Host (and port) of a workspace's data plane. */
type HostOf = (workspace: Pick<FoundWorkspace, 'id' | 'workgroup' | 'region'>, org: Pick<Org, 'orgId'>) => string

/** @param template see the option `--workspace-host-template` */
export function hostsBy(template: string): HostOf {
  const names = new Set(Array.from(template.matchAll(HOST_PLACEHOLDER), ([, name]) => name))
  if ([...names].every((name) => name === 'workspace_id')) return ({ id }) => template.replaceAll('{workspace_id}', id)
  return ({ id, workgroup, region }, { orgId }) => {
    // The name of a region can have characters that no host has.
    const values = {
      workspace_id: id,
      workgroup_id: workgroup,
      org_id: orgId,
      region: region.replaceAll(/[^\w.~-]/g, '-')
    }
    return template.replaceAll(HOST_PLACEHOLDER, (_, name: keyof typeof values) => values[name])
  }
}

/** What a reply shows of a workspace besides its record. */
interface Context extends ViewContext {
  readonly org: Org
}

const ZERO = () => 0

/** A workspace as the interface shows it. */
export const toWorkspaceView = viewer<typeof WORKSPACES.fields, Context>(WORKSPACES.fields, {
  org_id: (_, { org }) => org.orgId,
  org_name: (_, { org }) => org.orgName,
  condition_type: ({ status }) => CONDITIONS[status as WorkspaceState],
  workspace_type: ({ typeName, enableHa }, { catalogue }) => catalogue.sizeOf(typeName, enableHa),
  enable_copilot: () => false,
  nginx_host: (workspace, { hostOf, org }) => hostOf(workspace, org),
  size: ZERO,
  graph_topology_size_bytes: ZERO,
  vertex_count: ZERO,
  edge_count: ZERO,
  folder_statistics: ({ id }) => toStatisticsView([id])
})
