import { Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { closed } from '../../lib/closed.js'
import { type Rule, RULES } from './finding.js'

const message = Type.String({ description: 'The finding, and the remedy.' })

export const ReportSchema = closed(
  {
    findings: Type.Array(
      closed({
        rule: enumeration(Object.keys(RULES) as Rule[], 'Which rule.'),
        message,
        requests: Type.Array(Type.String(), { description: 'RequestIDs of the requests in question, in order.' })
      }),
      { description: 'Habits of the client that would cause trouble with a real service.' }
    ),
    left_behind: Type.Array(
      closed({
        kind: enumeration(
          ['running-workspaces', 'transitions-under-way', 'running-backups', 'restore-jobs', 'open-allow-list-entries'],
          'What it is.'
        ),
        message,
        ids: Type.Array(Type.String())
      }),
      { description: 'Leftovers that a test should have cleaned up.' }
    )
  },
  { description: 'A review of the client.' }
)
