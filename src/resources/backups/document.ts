import { type Static, Type } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { extraState } from '../../profile/extra-state.js'
import { stateGiven } from '../../profile/in-words.js'
import {
  anyText,
  byDefault,
  count,
  type DocumentCheck,
  flag,
  id,
  resources,
  timestamp,
  version,
  when
} from '../document.js'
import { extraOf } from '../extra.js'
import type { Tx } from '../tx.js'
import { WORKSPACE_TRANSITIONS } from '../workspaces/lifecycle.js'
import type { BackupRecord, RestoreJobRecord } from './fields.js'
import { BACKUP_STATES, RESTORE_STATES } from './lifecycle.js'

const BackupStateSchema = closed({
  id,
  tag: Type.Optional(
    Type.String({
      maxLength: 256,
      description: '`automatic-` or `manual-` and the time if absent; may be empty.'
    })
  ),
  time: when('Its beginning'),
  is_automatic: flag('false if absent.'),
  status: Type.Optional(
    stateGiven('backup', Object.keys(BACKUP_STATES), ({ backup }) => byDefault('State', backup.toWire('Succeeded')))
  ),
  size_bytes: count('0 if absent.'),
  version: version('that of the workspace')
})
type BackupState = Static<typeof BackupStateSchema>

const RestoreJobStateSchema = closed({
  id,
  status: Type.Optional(
    stateGiven('restore_job', Object.keys(RESTORE_STATES), ({ restore_job: job }) =>
      byDefault('State', job.toWire('Succeeded'))
    )
  ),
  output: anyText('One line per step; empty if absent.'),
  created_at: when('Its beginning'),
  extra: extraState('restore_job')
})
type RestoreJobState = Static<typeof RestoreJobStateSchema>

/** The backups and restore jobs of a workspace in a state document. */
export const backupFields = { backups: resources(BackupStateSchema), restore_jobs: resources(RestoreJobStateSchema) }

const RESTORING = WORKSPACE_TRANSITIONS.restore.during

/** States of an unfinished restore job. */
export const UNDER_WAY: readonly (string | undefined)[] = ['Pending', 'Running']

/** @param svcVersion version of the workspace */
export function addBackup(tx: Tx, workspace: string, svcVersion: string, backup: BackupState): void {
  const backupTime = timestamp(tx, backup.time)
  const isAutomatic = backup.is_automatic ?? false
  tx.backups.insert({
    id: backup.id ?? tx.newId(),
    workspace,
    time: backupTime,
    isAutomatic,
    tag: backup.tag ?? `${isAutomatic ? 'automatic' : 'manual'}-${backupTime}`,
    status: backup.status ?? 'Succeeded',
    sizeBytes: backup.size_bytes ?? 0,
    version: backup.version ?? svcVersion
  })
}

export function addRestoreJob(tx: Tx, workspace: string, job: RestoreJobState): void {
  tx.backups.insertJob({
    id: job.id ?? tx.newId(),
    workspace,
    status: job.status ?? 'Succeeded',
    output: job.output ?? '',
    createdAt: timestamp(tx, job.created_at),
    extra: job.extra
  })
}

export function toBackupState({ id, tag, time, isAutomatic, status, sizeBytes, version }: BackupRecord): BackupState {
  return { id, tag, time, is_automatic: isAutomatic, status, size_bytes: sizeBytes, version }
}

export function toRestoreJobState(job: RestoreJobRecord): RestoreJobState {
  const { id, status, output, createdAt } = job
  return { id, status, output, created_at: createdAt, ...extraOf(job) }
}

/** The backups and restore jobs of a workspace, with the fields that they depend on. */
interface Checked {
  readonly backups?: readonly BackupState[]
  readonly restore_jobs?: readonly RestoreJobState[]
  readonly status?: string
  readonly is_rw?: boolean
}

/** @param path path of the workspace */
export function checkBackups(workspace: Checked, path: string, { complain, unique, words }: DocumentCheck): void {
  const { workspace: states, restore_job: jobStates } = words
  const { backups = [], restore_jobs: jobs = [], status, is_rw: isRw = true } = workspace
  if (!isRw && backups.length > 0) complain(`${path}.backups`, 'must be empty for a read-only workspace')
  if (!isRw && jobs.length > 0) complain(`${path}.restore_jobs`, 'must be empty for a read-only workspace')
  backups.forEach((backup, index) => {
    unique('backup', `${path}.backups.${index}.id`, backup.id)
  })
  jobs.forEach((job, index) => {
    unique('restore job', `${path}.restore_jobs.${index}.id`, job.id)
    if (UNDER_WAY.includes(job.status) && (index < jobs.length - 1 || status !== RESTORING)) {
      complain(
        `${path}.restore_jobs.${index}.status`,
        `must not be ${jobStates.toWire(job.status!)} unless it is the last job and status of the workspace is ` +
          states.toWire(RESTORING)
      )
    }
  })
  if (status === RESTORING && isRw && !UNDER_WAY.includes(jobs.at(-1)?.status)) {
    complain(
      `${path}.restore_jobs`,
      `must end with a job that is ${jobStates.toWire('Pending')} or ${jobStates.toWire('Running')}, because ` +
        `status is ${states.toWire(RESTORING)}`
    )
  }
}
