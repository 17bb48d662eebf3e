import type { HostOf } from '../../resources/workspaces/views.js'

/** @param template see the option `--workspace-host-template`, which knows the placeholders */
export function hostsBy(template: string): HostOf {
  if (!/\{(?!workspace_id\})/.test(template)) return ({ id }) => template.replaceAll('{workspace_id}', id)
  return ({ id, workgroup, region }, { orgId }) => {
    // The name of a region can have characters that are not allowed in a host.
    const values: Readonly<Record<string, string>> = {
      workspace_id: id,
      workgroup_id: workgroup,
      org_id: orgId,
      region: region.replaceAll(/[^\w.~-]/g, '-')
    }
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  }
}
