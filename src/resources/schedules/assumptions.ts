import { refused, section } from '../../interface/assumption.js'
import { BACKUP_FIRING, BACKUP_RETRY, WORKSPACE_FIRING } from './lifecycle.js'

/** Sections "Backup schedule" and "Workspace schedules". */
export const SCHEDULE_ASSUMPTIONS = [
  section('Backup schedule', '`src/resources/schedules/lifecycle.ts`.', {
    'P-157': {
      says:
        'If the workspace is not Active or the quota is used up, the firing is skipped, as the timeline shows. ' +
        'Backups that go when this one succeeds do not count.',
      about: [{ aspect: 'transition', subject: BACKUP_FIRING.name }]
    },
    'P-158': {
      says:
        'Setting it replaces the previous one, in any state but Terminating. On a read-only workspace it is a 400. ' +
        'It cannot be deleted; `pause: true` stops it.',
      about: [{ aspect: 'status', operation: 'setBackupSchedule' }, ...refused('notAllowed', 'setBackupSchedule')]
    },
    'P-159': {
      says:
        'A failed automatic backup is retried a minute later, up to `max_retry` times. Each attempt is a new ' +
        'backup. Setting the backup schedule ends the retries.',
      about: [
        { aspect: 'transition', subject: BACKUP_RETRY.name },
        { aspect: 'duration', subject: BACKUP_RETRY.name }
      ]
    },
    'P-160': {
      says:
        'When an automatic backup succeeds, old automatic ones are removed: all Succeeded ones but the newest ' +
        '`max_backup_files`, and all, failed ones included, that began more than `max_reserved_days` ago. Manual ' +
        'backups are never removed.',
      about: [{ aspect: 'order', operation: 'listBackups' }]
    }
  }),
  section('Workspace schedules', '`src/resources/schedules/`; `chosenBy` for the shared path.', {
    'P-161': {
      says:
        'Without `workspace_type_name`, a schedule pauses the workspace. With it, an Active workspace is resized to ' +
        'that type; a Stopped, Idle or Failed one is resumed and then, if needed, resized. On a read-only workspace, ' +
        'another type is a 400, as in an update.',
      about: [{ aspect: 'transition', subject: WORKSPACE_FIRING.name }]
    },
    'P-162': {
      says:
        "If the action is impossible when the schedule fires, because of the workspace's state or because it is " +
        'read-only, the firing is skipped for good, as the timeline shows. Of two schedules that fire at one time, ' +
        'the second acts when the first has ended.',
      about: [{ aspect: 'transition', subject: WORKSPACE_FIRING.name }]
    },
    'P-163': {
      says:
        'A one-off schedule (`none`) in the past is a 400, and so is the `id` of a schedule of another workspace. ' +
        'After a one-off has fired, it stays listed and never fires again.',
      about: [
        ...refused('notAllowed', 'updateWorkspaceSchedule'),
        { aspect: 'order', operation: 'getWorkspaceSchedules' }
      ]
    },
    'P-164': {
      says:
        'A local time that daylight saving repeats counts once, the first time; one that it skips fires at the end ' +
        'of the gap.'
    }
  })
]
