import { DELETED } from '../../sim/state-machine.js'
import type { Plan, Step } from './plan.js'

const GROUP = { workgroupID: '{{each.workgroup_id}}' }
const SPACE = { ...GROUP, workspaceID: '{{each.workspace_id}}' }

/** Reads everything that exists, and changes nothing. */
export const READ_ONLY: Plan = {
  plan: 1,
  steps: [
    { name: 'groups', operation: 'listWorkgroups' },
    { operation: 'getMetadata' },
    { operation: 'listOrgUsers' },
    { name: 'group', operation: 'getWorkgroup', each: 'groups', params: GROUP },
    { operation: 'listAllowedIPs', each: 'groups', params: GROUP },
    { operation: 'getCurrentIP', each: 'groups', params: GROUP },
    {
      operation: 'getDatabase',
      each: 'group.svc_databases',
      params: { ...GROUP, databaseID: '{{each.svc_database_id|each.database_id}}' }
    },
    ...(['getWorkspace', 'getBackupSchedule', 'getWorkspaceSchedules', 'listDatabaseUsers'] as const).map(
      (operation): Step => ({ operation, each: 'group.workspaces', params: SPACE })
    ),
    { operation: 'listBackups', each: 'group.workspaces', params: { workspaceID: '{{each.workspace_id}}' } }
  ]
}

const POLL = { every: '5s', within: '30m' }
const OWN_SPACE = { workgroupID: '{{created.workgroup_id}}', workspaceID: '{{space.workspace_id}}' }

/** Polls a workspace until it is in a state. */
const becomes = (state: string): Step => ({
  operation: 'getWorkspace',
  params: OWN_SPACE,
  until: { field: 'status', states: 'workspace', in: [state], unless: ['Failed'], ...POLL }
})

/**
 * Creates a workgroup and a workspace of the first type, and leads it through its states. What was made is found by
 * its name at the end, because the reply to a creation may have been lost.
 */
export const LIFE_CYCLE: Plan = {
  plan: 1,
  steps: [
    { name: 'groups', operation: 'listWorkgroups' },
    { name: 'meta', operation: 'getMetadata' },
    {
      name: 'created',
      operation: 'createWorkgroup',
      body: {
        name: '{{unique}}',
        cloud_provider_id: '{{values.cloud_provider_id|groups.0.cloud_provider_id}}',
        platform: '{{values.platform|groups.0.platform}}',
        region: '{{values.region|groups.0.region|meta.regions.0.name}}'
      }
    },
    {
      name: 'space',
      operation: 'createWorkspace',
      params: { workgroupID: '{{created.workgroup_id}}' },
      body: {
        name: '{{unique}}',
        workspace_type_name: '{{values.workspace_type_name|meta.workspaceTypes.0.typeName}}',
        svc_version: '{{values.svc_version|meta.svcVersions.0.name}}'
      }
    },
    becomes('Active'),
    { operation: 'pauseWorkspace', params: OWN_SPACE, required: true },
    becomes('Stopped'),
    { operation: 'resumeWorkspace', params: OWN_SPACE, required: true },
    becomes('Active')
  ],
  finally: [
    { name: 'all', operation: 'listWorkgroups' },
    { name: 'left', operation: 'getWorkgroup', each: 'all', where: { name: '{{unique}}' }, params: GROUP },
    {
      operation: 'deleteWorkspace',
      each: 'left.workspaces',
      params: SPACE,
      until: { status: [200, 202, 204, 404], ...POLL }
    },
    {
      operation: 'getWorkspace',
      each: 'left.workspaces',
      params: SPACE,
      until: { status: [404], field: 'status', states: 'workspace', in: [DELETED, 'Terminated', 'Deleted'], ...POLL }
    },
    {
      operation: 'deleteDatabase',
      each: 'left.svc_databases',
      params: { ...GROUP, databaseID: '{{each.svc_database_id|each.database_id}}' },
      until: { status: [200, 202, 204, 404], ...POLL }
    },
    {
      operation: 'deleteWorkgroup',
      each: 'left',
      params: GROUP,
      until: { status: [200, 202, 204, 404], ...POLL }
    }
  ]
}
