import { refused, section } from '../../interface/assumption.js'
import { stateClaims } from '../../sim/lifecycle-claims.js'
import { BACKUP_STATES, RESTORE_STATES, RESTORE_STEP } from './lifecycle.js'

/** Section "Backups and restores". */
export const BACKUP_ASSUMPTIONS = section(
  'Backups and restores',
  'a [rule](test-control.md#transition-rules) for `backup.run` or `restore.run`, a [quota](test-control.md#quotas); ' +
    'otherwise `src/resources/backups/transitions.ts`.',
  {
    'P-151': {
      says:
        'Backups come from the backup schedule or the [control API](test-control.md#backups-and-activity). A backup ' +
        'continues when the workspace leaves Active, and cannot be deleted while it is Running.',
      about: refused('notAllowed', 'deleteBackup')
    },
    'P-152': {
      says:
        'Only a Succeeded backup of the same workspace can be restored. An unknown `backup_id` is a 400, because it ' +
        'is in a body.',
      about: [...refused('notAllowed', 'restoreBackup'), ...refused('notAllowed', 'deleteBackup')]
    },
    'P-153': {
      says: 'On a read-only workspace, backups and restores are a 400.',
      about: refused('notAllowed', 'restoreBackup')
    },
    'P-154': {
      says:
        'A restore job is Pending for the first third of its time, then Running. If a rule holds the restore, that ' +
        'is a third of its normal time.',
      about: [
        { aspect: 'transition', subject: RESTORE_STEP.name },
        { aspect: 'duration', subject: RESTORE_STEP.name }
      ]
    },
    'P-155': { says: 'A failed restore leaves the workspace Failed. Deleting the workspace fails the job at once.' },
    'P-156': { says: 'A restore changes neither data, of which there is none, nor settings.' }
  },
  { ...stateClaims('backup', BACKUP_STATES), ...stateClaims('restore_job', RESTORE_STATES) }
)
