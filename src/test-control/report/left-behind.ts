import { UNFINISHED_JOB } from '../../resources/backups/lifecycle.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { WORKSPACE_STATES } from '../../resources/workspaces/lifecycle.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import type { StateTable } from '../../sim/state-machine.js'
import type { Report } from './schemas.js'

const STATES: StateTable = WORKSPACE_STATES

/** Blocks that admit everybody, in canonical form. */
const EVERYBODY: ReadonlySet<string> = new Set(['0.0.0.0/0', '::/0'])

/** Lists what a test should have cleaned up in a sandbox, without empty kinds. */
export function listLeftBehind(plane: ControlPlane, sandbox: Sandbox): Report['left_behind'] {
  const stores = plane.storesOf(sandbox)
  const workspaces = stores.workspaces.listBrief()
  const watched = new Set(
    stores.workgroups
      .list()
      .filter(({ enableAllowList }) => enableAllowList)
      .map(({ id }) => id)
  )
  const all: Report['left_behind'] = [
    {
      kind: 'running-workspaces',
      message: 'Workspaces that run cost money; pause or delete them.',
      ids: workspaces.filter(({ status }) => STATES[status]?.costs).map(({ id }) => id)
    },
    {
      kind: 'transitions-under-way',
      message: 'Transitions of these workspaces have not ended; wait for them.',
      ids: [...new Set(plane.engine.underWay(sandbox).map(({ resource }) => resource))]
    },
    {
      kind: 'running-backups',
      message: 'Backups have not ended; wait for them.',
      ids: stores.backups
        .listAll()
        .filter(({ status }) => status === 'Running')
        .map(({ id }) => id)
    },
    {
      kind: 'restore-jobs',
      message: 'Restore jobs have not ended; wait for them.',
      ids: stores.restoreJobs
        .listAll()
        .filter(({ status }) => UNFINISHED_JOB.includes(status))
        .map(({ id }) => id)
    },
    {
      kind: 'open-allow-list-entries',
      message: 'Entries of allow lists admit everybody; list only the addresses that need access.',
      ids: stores.allowList
        .listAll()
        .filter(({ workgroup, cidr }) => watched.has(workgroup) && EVERYBODY.has(cidr))
        .map(({ id }) => id)
    }
  ]
  return all.filter(({ ids }) => ids.length > 0)
}
