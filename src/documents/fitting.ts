import type { Extra } from '../profile/fields.js'
import type { Profile } from '../profile/profile.js'
import type { StoredKind } from '../profile/stored-kinds.js'
import { fittingParts } from '../resources/workspaces/document.js'
import type { WorkspaceState } from './schemas.js'

/** Leaves out stored values of further fields that the profile in force does not allow: no import would take them. */
export interface Fitting {
  readonly resource: <T extends { readonly extra?: Extra }>(kind: StoredKind, state: T) => T
  readonly workspace: (state: WorkspaceState) => WorkspaceState
}

export function fittingUnder(profile: Profile): Fitting {
  const parts = fittingParts(profile)
  const resource: Fitting['resource'] = (kind, state) => {
    const { extra, ...rest } = state
    if (extra === undefined) return state
    const kept = profile.fields.fitting(kind, extra)
    return (kept === undefined ? rest : { ...rest, extra: kept }) as typeof state
  }
  return {
    resource,
    workspace: (state) => ({
      ...resource('workspace', state),
      ...parts(state),
      ...(state.restore_jobs && { restore_jobs: state.restore_jobs.map((one) => resource('restore_job', one)) }),
      ...(state.backup_schedule && { backup_schedule: resource('backup_schedule', state.backup_schedule) }),
      ...(state.schedules && { schedules: state.schedules.map((one) => resource('schedule', one)) }),
      ...(state.users && { users: state.users.map((one) => resource('database_user', one)) })
    })
  }
}
