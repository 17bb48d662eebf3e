import type { ControlPlane } from '../../control-plane.js'
import { BACKED_UP_IN } from '../../resources/backups/lifecycle.js'
import { REFRESHABLE, SERVING, WORKSPACE_TRANSITIONS } from '../../resources/workspaces/lifecycle.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { Overview } from './schemas.js'
import { summarizeDatabase, summarizeWorkgroup, summarizeWorkspace } from './views.js'

/**
 * All of a sandbox in short, by three statements. Unlike the reads of the interface, this leaves no trace: not in the
 * journal, not in the coverage, and not on a clock in mode `poll`.
 */
export function readOverview({ options, storesOf }: ControlPlane, sandbox: Sandbox): Overview {
  const { workgroups, databases, workspaces } = storesOf(sandbox)
  const { pause, resume, restore, delete: deletion } = WORKSPACE_TRANSITIONS
  return {
    org_name: sandbox.orgName,
    base_path: options.basePath,
    brand: options.brand,
    workgroups: workgroups.list().map(summarizeWorkgroup),
    databases: databases.list().map(summarizeDatabase),
    workspaces: workspaces.listBrief().map((workspace) => summarizeWorkspace(workspace, options.workspaceHostTemplate)),
    possible_in: {
      pause: pause.from,
      resume: resume.from,
      refresh: REFRESHABLE,
      delete: deletion.from,
      backup: BACKED_UP_IN,
      restore: restore.from,
      activity: SERVING
    }
  }
}
