import { writerOf } from '../../profile/id-forms.js'
import type { HostOf } from '../../resources/workspaces/views.js'

/** @param template see the option `--workspace-host-template`, which knows the placeholders @param forms of ids */
export function hostsBy(template: string, forms?: Readonly<Record<string, string>>): HostOf {
  const write = forms && writerOf(forms)
  const shown = (field: string, id: string) => write?.(field, id) ?? id
  const values: Readonly<Record<string, HostOf>> = {
    workspace_id: ({ id }) => shown('workspace_id', id),
    workgroup_id: ({ workgroup }) => shown('workgroup_id', workgroup),
    org_id: (_, { orgId }) => shown('org_id', orgId),
    // The name of a region can have characters that are not allowed in a host.
    region: ({ region }) => region.replaceAll(/[^\w.~-]/g, '-')
  }
  // The names of placeholders, each with the text after it.
  const [start = '', ...rest] = template.split(/\{(\w+)\}/)
  return (workspace, org) =>
    rest.reduce((host, part, index) => host + (index % 2 === 0 ? values[part]!(workspace, org) : part), start)
}
