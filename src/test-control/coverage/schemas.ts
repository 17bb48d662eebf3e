import { Type } from '@sinclair/typebox'
import { enumeration } from '../../interface/schemas.js'
import { closed } from '../../lib/closed.js'

const items = (description: string) =>
  Type.Array(closed({ name: Type.String(), count: Type.Integer() }), { description })
const sum = closed({ exercised: Type.Integer(), total: Type.Integer() })

export const CoverageQuerySchema = closed({
  format: Type.Optional(enumeration(['json', 'junit'], 'json, or JUnit XML without an envelope; json if absent.'))
})

export const CoverageSchema = closed(
  {
    summary: closed({ operations: sum, statuses: sum, transitions: sum, guards: sum, errors: sum, faults: sum }),
    operations: items('The 38 operations; the three that share a path count separately.'),
    statuses: items(
      'The success of each operation, and the errors it can answer with, such as `createWorkspace 403`; not 401, ' +
        'which belongs to no sandbox, and no server failures.'
    ),
    transitions: items(
      'Changes of states, such as `workspace.pause: Active → Pausing`; not with --journal-requests 0.'
    ),
    guards: items('Refusals by the state of a workspace, such as `workspace.pause in Resizing`.'),
    errors: items('Conditions of errors, such as `notFound`.'),
    faults: items('Operations that a fault was injected into; what those requests are answered counts here only.')
  },
  { description: 'Which items were exercised, and how often.' }
)
