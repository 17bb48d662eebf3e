import type { Static } from '@sinclair/typebox'
import type { DocumentCheck } from '../document.js'
import { RESTORE } from '../workspaces/lifecycle.js'
import type { backupInDocument, jobInDocument } from './fields.js'
import { UNFINISHED_JOB } from './lifecycle.js'

interface Checked {
  readonly backups?: readonly Static<typeof backupInDocument.schema>[]
  readonly restore_jobs?: readonly Static<typeof jobInDocument.schema>[]
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
