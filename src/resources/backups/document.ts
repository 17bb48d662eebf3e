import type { Static } from '@sinclair/typebox'
import { closed } from '../../lib/closed.js'
import { type DocumentCheck, resources } from '../document.js'
import { properties, reader, stater } from '../field-table.js'
import type { Tx } from '../tx.js'
import { WORKSPACE_TRANSITIONS } from '../workspaces/lifecycle.js'
import { BACKUPS, newBackup, newJob, RESTORE_JOBS } from './fields.js'

const BackupStateSchema = closed(properties(BACKUPS.fields, 'document'))
type BackupState = Static<typeof BackupStateSchema>

const RestoreJobStateSchema = closed(properties(RESTORE_JOBS.fields, 'document'))
type RestoreJobState = Static<typeof RestoreJobStateSchema>

/** The backups and restore jobs of a workspace in a state document. */
export const backupFields = { backups: resources(BackupStateSchema), restore_jobs: resources(RestoreJobStateSchema) }

const RESTORING = WORKSPACE_TRANSITIONS.restore.during

/** States of an unfinished restore job. */
export const UNDER_WAY: readonly (string | undefined)[] = ['Pending', 'Running']

const givenBackup = reader(BACKUPS.fields, 'document')
export const toBackupState = stater(BACKUPS.fields)

/** @param version that of the workspace */
export function addBackup(tx: Tx, workspace: string, version: string, backup: BackupState): void {
  tx.backups.insert(newBackup(tx, { version, ...givenBackup(backup), workspace }))
}

const givenJob = reader(RESTORE_JOBS.fields, 'document')
export const toRestoreJobState = stater(RESTORE_JOBS.fields)

export function addRestoreJob(tx: Tx, workspace: string, job: RestoreJobState): void {
  tx.backups.insertJob(newJob(tx, { ...givenJob(job), workspace }))
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
  backups.forEach((backup, index) => unique('backup', `${path}.backups.${index}.id`, backup.id))
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
