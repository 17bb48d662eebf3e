import type { Static } from '@sinclair/typebox'
import type { DocumentCheck } from '../document.js'
import type { NewRow } from '../field-table.js'
import { RESTORE } from '../workspaces/lifecycle.js'
import { backupInDocument, type BackupRecord, type jobInDocument } from './fields.js'
import { UNFINISHED_JOB } from './lifecycle.js'

type BackupState = Static<typeof backupInDocument.schema>

interface Workspace {
  readonly backups?: readonly BackupState[]
  readonly restore_jobs?: readonly Static<typeof jobInDocument.schema>[]
  readonly status?: string
  readonly is_rw?: boolean
}

/** @param path path of the workspace */
export function checkBackups(
  { backups = [], is_rw: isRw = true }: Workspace,
  path: string,
  { complain, unique }: DocumentCheck
): void {
  if (!isRw && backups.length > 0) complain(`${path}.backups`, 'must be empty for a read-only workspace')
  backups.forEach((backup, index) => unique('backup', `${path}.backups.${index}.id`, backup.id))
}

/** The row of a backup, which is of the version of its workspace unless the document says otherwise. */
export const toBackupRow = (
  tx: NewRow,
  backup: BackupState,
  { id, svcVersion }: { readonly id: string; readonly svcVersion: string }
): BackupRecord => backupInDocument.toRow(tx, backup, { workspace: id, version: backup.version ?? svcVersion })

/** @param path path of the workspace */
export function checkRestoreJobs(workspace: Workspace, path: string, { complain, unique, words }: DocumentCheck): void {
  const { workspace: states, restore_job: jobStates } = words
  const { restore_jobs: jobs = [], status, is_rw: isRw = true } = workspace
  if (!isRw && jobs.length > 0) complain(`${path}.restore_jobs`, 'must be empty for a read-only workspace')
  jobs.forEach((job, index) => {
    unique('restore job', `${path}.restore_jobs.${index}.id`, job.id)
    if (UNFINISHED_JOB.includes(job.status) && (index < jobs.length - 1 || status !== RESTORE.during)) {
      complain(
        `${path}.restore_jobs.${index}.status`,
        `must not be ${jobStates.toWire(job.status!)} unless it is the last job and status of the workspace is ` +
          states.toWire(RESTORE.during)
      )
    }
  })
  if (status === RESTORE.during && isRw && !UNFINISHED_JOB.includes(jobs.at(-1)?.status)) {
    complain(
      `${path}.restore_jobs`,
      `must end with a job that is ${jobStates.toWire('Pending')} or ${jobStates.toWire('Running')}, because ` +
        `status is ${states.toWire(RESTORE.during)}`
    )
  }
}
