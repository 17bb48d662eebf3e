import { Type } from '@sinclair/typebox'
import { enumeration } from '../../lib/schemas.js'
import { closed } from '../../lib/closed.js'

const message = Type.String({ description: 'What was seen, and what to do about it.' })

export const ReportSchema = closed({
  findings: Type.Array(closed({
    rule: enumeration(['polling-too-fast', 'no-back-off', 'retry-after-ignored', 'error-ignored', 'transient-state-taken-for-end'], 'Which rule.'),
    message,
    requests: Type.Array(Type.String(), { description: 'RequestIDs of the requests that it is about, in order.' })
  }), { description: 'What a client does that would not go well with the real service.' }),
  left_behind: Type.Array(closed({
    kind: enumeration(['running-workspaces', 'transitions-under-way', 'running-backups', 'restore-jobs', 'open-allow-list-entries'], 'What it is.'),
    message,
    ids: Type.Array(Type.String())
  }), { description: 'What is still there that a test should have ended.' })
}, { description: 'What the requests say about the client.' })
