import { HOST_PLACEHOLDER } from '../../options.js'
import type { Catalogue } from '../../profile/catalogue.js'
import type { StateWords } from '../../profile/states.js'
import type { Org } from '../../sandboxes/sandbox.js'
import { DELETED } from '../../sim/state-machine.js'
import { toStatisticsView } from '../databases/statistics.js'
import { withExtra } from '../extra.js'
import type { FoundWorkspace } from './fields.js'
import type { WorkspaceState } from './lifecycle.js'
import type { Workspace } from './schemas.js'

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

/** What a reply shows of a workspace besides its record. */
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

/** A workspace as the interface shows it. */
export function toWorkspaceView(
  org: Org,
  workspace: FoundWorkspace,
  { catalogue, hostOf, words }: ViewContext
): Workspace {
  const reply: Workspace = {
    workspace_id: workspace.id,
    name: workspace.name,
    workgroup_id: workspace.workgroup,
    workgroup_name: workspace.workgroupName,
    database_id: workspace.database,
    org_id: org.orgId,
    org_name: org.orgName,
    creator: workspace.creator,
    cloud_provider_id: workspace.cloudProviderId,
    region: workspace.region,
    status: words.workspace.toWire(workspace.status),
    condition_type: CONDITIONS[workspace.status as WorkspaceState],
    refresh_status: words.refresh.toWire(workspace.refreshStatus),
    refresh_message: workspace.refreshMessage,
    svc_version: workspace.svcVersion,
    version_number: workspace.versionNumber,
    workspace_type: catalogue.sizeOf(workspace.typeName, workspace.enableHa),
    is_rw: workspace.isRw,
    enable_ha: workspace.enableHa,
    enable_auto_start: workspace.enableAutoStart,
    enable_copilot: false,
    auto_stop_minutes: workspace.autoStopMinutes,
    nginx_host: hostOf(workspace, org),
    addons: workspace.addons as Workspace['addons'],
    agent_config: workspace.agentConfig,
    size: 0,
    graph_topology_size_bytes: 0,
    vertex_count: 0,
    edge_count: 0,
    folder_statistics: toStatisticsView([workspace.id]),
    created_at: workspace.createdAt,
    last_modified_time: workspace.lastModifiedTime
  }
  if (workspace.snapshotTime !== null) reply.snapshot_time = workspace.snapshotTime
  if (workspace.solutionCatalogId !== null) reply.solution_catalog_id = workspace.solutionCatalogId
  return withExtra(reply, workspace)
}
