import type { Ids } from '../../profile/ids.js'
import type { HostOf } from '../../resources/workspaces/views.js'

/** @param template see the option `--workspace-host-template`, which knows the placeholders */
export function hostsBy(template: string, ids?: Pick<Ids, 'toWire'>): HostOf {
  const shown = (field: string, id: string) => ids?.toWire(field, id) ?? id
  return ({ id, workgroup, region }, { orgId }) =>
    template
      .replaceAll('{workspace_id}', shown('workspace_id', id))
      .replaceAll('{workgroup_id}', shown('workgroup_id', workgroup))
      .replaceAll('{org_id}', shown('org_id', orgId))
      // The name of a region can have characters that are not allowed in a host.
      .replaceAll('{region}', () => region.replaceAll(/[^\w.~-]/g, '-'))
}
