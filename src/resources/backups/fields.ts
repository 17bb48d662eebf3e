import { type Static, Type } from '@sinclair/typebox'
import type { Stored } from '../../db/table.js'
import { replySchema, requestSchema, requestText } from '../../interface/schemas.js'
import { toGoTime, toSeconds } from '../../lib/time.js'
import { described, stateGiven } from '../../profile/by-profile.js'
import { anyText, atCreation, byDefault, count, flag, id, newId, version, when } from '../document.js'
import { extraField } from '../extra.js'
import { as, completer, inDocument, type NewRow, properties, type ResourceTable, viewer } from '../field-table.js'
import { BACKUP_STATES, RESTORE_STATES } from './lifecycle.js'

export const BACKUPS = {
  name: 'backups',
  shownAs: 'Backup',
  key: ['id'],
  fields: {
    id: { type: Type.String(), defaultOf: newId, document: id, reply: Type.String() },
    /** Id of its workspace. */
    workspace: { type: Type.String(), isFixed: true },
    tag: {
      type: Type.String(),
      defaultOf: (tx: NewRow, { isAutomatic = false, time = tx.timestamp }: { isAutomatic?: boolean; time?: string }) =>
        `${isAutomatic ? 'automatic' : 'manual'}-${time}`,
      document: Type.Optional(
        Type.String({
          maxLength: 256,
          description: '`automatic-` or `manual-` and the time if absent; may be empty.'
        })
      ),
      reply: Type.String({
        description: 'The tag given to the control API, otherwise `manual-` or `automatic-` and the time.'
      }),
      isCarried: true
    },
    time: {
      type: Type.String(),
      isFixed: true,
      defaultOf: atCreation,
      document: when('Its beginning'),
      shown: toSeconds,
      reply: Type.String({ description: 'Timestamp of its start.' }),
      isCarried: true
    },
    type: { reply: Type.String({ description: 'manual or automatic.' }), compared: 'word' },
    is_automatic: {
      type: Type.Boolean(),
      isFixed: true,
      default: false,
      document: flag('false if absent.'),
      reply: Type.Boolean(),
      compared: 'stable'
    },
    status: {
      type: Type.String(),
      default: 'Succeeded',
      state: 'backup',
      document: Type.Optional(
        stateGiven('backup', Object.keys(BACKUP_STATES), ({ backup }) => byDefault('State', backup.toWire('Succeeded')))
      ),
      reply: described(
        Type.String(),
        ({ backup: { toWire } }) => `${toWire('Running')}, ${toWire('Succeeded')} or ${toWire('Failed')}.`
      )
    },
    size_bytes: {
      type: Type.Integer(),
      default: 0,
      document: count('0 if absent.'),
      reply: Type.String({
        description:
          'Bytes, in decimal digits: 1048576 if it succeeded, otherwise 0; or the number in a state document.'
      }),
      masked: 'quantity'
    },
    /** Version of the database software. */
    version: {
      type: Type.String(),
      document: version('that of the workspace'),
      reply: Type.String({ description: 'Version of the database software of the workspace.' }),
      list: 'versions',
      compared: 'stable'
    }
  }
} as const satisfies ResourceTable

export type BackupRecord = Stored<typeof BACKUPS.fields>

/** Completes a new backup with its defaults. */
export const newBackup = completer(BACKUPS.fields)

export const backupInDocument = inDocument(BACKUPS)

/** A backup as the interface shows it. */
export const toBackupView = viewer(BACKUPS.fields, {
  type: ({ isAutomatic }) => (isAutomatic ? 'automatic' : 'manual'),
  size_bytes: ({ sizeBytes }) => String(sizeBytes)
})

export const BackupSchema = replySchema(
  'P-039',
  BACKUPS.shownAs,
  'A backup of a workspace.',
  properties(BACKUPS.fields, 'reply')
)
/** A backup as the interface shows it. */
export type Backup = Static<typeof BackupSchema>

/** A job that restores a workspace from a backup. */
export const RESTORE_JOBS = {
  name: 'restore_jobs',
  shownAs: 'BackupRestoreStatus',
  key: ['id'],
  fields: {
    id: {
      type: Type.String(),
      defaultOf: newId,
      document: id,
      reply: as('name', Type.String({ description: 'Id of the job.' }))
    },
    /** Id of its workspace. */
    workspace: { type: Type.String(), isFixed: true },
    status: {
      type: Type.String(),
      default: 'Succeeded',
      state: 'restore_job',
      document: Type.Optional(
        stateGiven('restore_job', Object.keys(RESTORE_STATES), ({ restore_job: job }) =>
          byDefault('State', job.toWire('Succeeded'))
        )
      ),
      reply: described(
        Type.String(),
        ({ restore_job: { toWire } }) =>
          `${['Pending', 'Running', 'Succeeded'].map(toWire).join(', ')} or ${toWire('Failed')}.`
      )
    },
    output: {
      type: Type.String(),
      default: '',
      document: anyText('One line per step; empty if absent.'),
      reply: Type.String({ description: 'One line per step; if the job failed, the last line says why.' }),
      masked: 'message'
    },
    created_at: {
      type: Type.String(),
      defaultOf: atCreation,
      document: when('Its beginning'),
      shown: toGoTime,
      reply: Type.String({ description: 'Timestamp.' })
    },
    extra: extraField('restore_job')
  }
} as const satisfies ResourceTable

export type RestoreJobRecord = Stored<typeof RESTORE_JOBS.fields>

/** Completes a new restore job with its defaults. */
export const newJob = completer(RESTORE_JOBS.fields)

export const jobInDocument = inDocument(RESTORE_JOBS)

/** A restore job as the interface shows it. */
export const toRestoreJobView = viewer(RESTORE_JOBS.fields, {})

export const BackupRestoreStatusSchema = replySchema(
  'P-038',
  RESTORE_JOBS.shownAs,
  'Progress of a restore job.',
  properties(RESTORE_JOBS.fields, 'reply')
)
/** A restore job as the interface shows it. */
export type BackupRestoreStatus = Static<typeof BackupRestoreStatusSchema>

const backup_id = Type.String({ ...requestText, description: 'Id of the backup.' })

export const DeleteBackupRequestSchema = requestSchema('P-040', 'DeleteBackupRequest', 'A backup to delete.', {
  backup_id
})

export const RestoreBackupRequestSchema = requestSchema('P-041', 'RestoreBackupRequest', 'A backup to restore.', {
  backup_id
})
