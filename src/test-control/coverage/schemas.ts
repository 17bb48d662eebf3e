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
    operations: items('Operations that were called.'),
    statuses: items('Statuses by which each operation can answer.'),
    transitions: items('Changes of states.'),
    guards: items('Refusals by the state of a workspace.'),
    errors: items('Conditions of errors.'),
    faults: items('Operations that a fault was injected into; what those requests are answered counts here only.')
  },
  { description: 'Which items were exercised, and how often.' }
)
