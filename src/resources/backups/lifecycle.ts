import { Type } from '@sinclair/typebox'
import { BUILT_IN_DURATIONS } from '../../profile/durations.js'
import { defineEnd, defineEvent, Id } from '../../sim/events.js'
import type { StateTable, Transition } from '../../sim/state-machine.js'

/** The states of a backup. All are assumed; `id` names the assumption. */
export const BACKUP_STATES = {
  Running: { id: 'P-144', meaning: 'being made' },
  Succeeded: { id: 'P-145', meaning: 'there to be restored' },
  Failed: { id: 'P-146', meaning: 'nothing was saved' }
} as const satisfies StateTable

/** The states of a restore job. */
export const RESTORE_STATES = {
  Pending: { id: 'P-147', meaning: 'accepted, not begun' },
  Running: { id: 'P-148', meaning: 'at work' },
  Succeeded: { id: 'P-149', meaning: 'the workspace is as it was at the time of the backup' },
  Failed: {
    id: 'P-150',
    meaning: 'the workspace is `Failed`, or the job was interrupted; the last line of `output` says why'
  }
} as const satisfies StateTable

/** States of an unfinished restore job. */
export const UNFINISHED_JOB: readonly (string | undefined)[] = ['Pending', 'Running']

/** The making of a backup. It starts while the workspace is Active, and does not change its state. */
export const BACKUP: Transition<keyof typeof BACKUP_STATES> = {
  id: 'P-126',
  durationId: 'P-127',
  name: 'backup.run',
  trigger: 'backup schedule, control API',
  from: [],
  noopFrom: [],
  during: 'Running',
  to: ['Succeeded'],
  failsTo: 'Failed',
  duration: BUILT_IN_DURATIONS['backup.run']
}
/** States of a workspace in which a backup can start. */
export const BACKED_UP_IN = ['Active'] as const

/** The event that starts a pending restore job. */
export const RESTORE_STEP = defineEvent('restore.step', Type.Object({ job: Id }))

/** Data stored when a backup starts: its id, and how many retries are left if a schedule started it. */
export const BACKUP_END = defineEnd(
  BACKUP,
  Type.Object({ backup: Id, retries: Type.Optional(Type.Integer({ minimum: 0 })) })
)
