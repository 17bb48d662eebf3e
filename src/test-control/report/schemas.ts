import { Type } from '@sinclair/typebox'
import { enumeration, type Shape } from '../../interface/schemas.js'
import { strict } from '../../lib/strict.js'

/** The rules of the report, each with the habit that it finds. */
export const RULES = {
  'polling-too-fast':
    'three or more reads of one URL in a row, each less than a second after the last, with no other call ' +
    'about the resource, and no change inside it, in between',
  'no-back-off':
    'the same call again within a second of a 429 or a 503 that has no `Retry-After`, unless the pauses grow, ' +
    'from a tenth of a second or more',
  'retry-after-ignored': 'the same call again before its `Retry-After` has passed',
  'error-ignored': 'the identical call after a 4xx other than 429, with the same error again',
  'transient-state-taken-for-end':
    'the client last saw a workspace in a transient state and then called an operation that the state ' +
    "forbids; or it did not look again within ten seconds of that state's end, by the sandbox's clock",
  'ignored-input':
    'a field of a body, or a query parameter, that the operation does not have: the service answers as if it ' +
    'were not there',
  'unknown-path': 'a path that does not exist'
} as const

const message = Type.String({ description: 'The finding, and the remedy.' })

export const ReportSchema = strict(
  {
    findings: Type.Array(
      strict({
        rule: enumeration(Object.keys(RULES) as (keyof typeof RULES)[], 'Which rule.'),
        message,
        requests: Type.Array(Type.String(), { description: 'RequestIDs of the requests in question, in order.' })
      }),
      { description: 'Habits of the client that would cause trouble with a real service.' }
    ),
    left_behind: Type.Array(
      strict({
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
export type Report = Shape<typeof ReportSchema>
export type Finding = Report['findings'][number]

export function findingOf(
  rule: Finding['rule'],
  requests: readonly { readonly id: string }[],
  message: string
): Finding {
  return { rule, message, requests: requests.map(({ id }) => id) }
}
