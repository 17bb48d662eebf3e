/** The backup of the demo data, in a state document. */
export const DEMO_BACKUP = { id: 'before-upgrade', tag: 'before-upgrade', size_bytes: 7_340_032 } as const

/** The restore job of the demo data, in a state document. */
export const DEMO_JOB = {
  id: 'roll-back',
  output: `Restore of backup before-upgrade requested.
The workspace was taken out of service; reading the backup.
The backup was restored; the workspace is in service again.
`
} as const
