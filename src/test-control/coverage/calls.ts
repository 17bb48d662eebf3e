import { BareReply, defineCall } from '../control-call.js'
import { coverageAsJUnit, CoverageQuerySchema, CoverageSchema, readCoverage } from './coverage.js'

const tag = 'Coverage'

export const COVERAGE_CALLS = [
  defineCall({
    name: 'readCoverage',
    method: 'GET',
    path: '/coverage',
    tag,
    summary: 'Read the coverage of the interface',
    description: 'With `format=junit`, the reply is JUnit XML (application/xml).',
    query: CoverageQuerySchema,
    result: CoverageSchema,
    otherType: 'application/xml',
    program: { name: 'coverage.read', takes: [], returns: 'how often each item was exercised' },
    command: {
      usage: 'coverage',
      help: 'Show which operations, statuses and states were exercised.',
      flags: { format: { value: 'json|junit', help: 'JSON, the default, or JUnit XML.' } },
      examples: ['coverage', 'coverage --format junit'],
      tables: [
        {
          what: 'coverage',
          list: 'summary',
          columns: { WHAT: 'name', EXERCISED: 'exercised', TOTAL: 'total' },
          note: { text: 'With --json, every item is listed.' }
        }
      ]
    },
    run: ({ plane, sandbox, query }) => {
      const coverage = readCoverage(plane, sandbox)
      return query.format === 'junit' ? new BareReply(coverageAsJUnit(coverage)) : coverage
    }
  }),

  defineCall({
    name: 'clearCoverage',
    method: 'DELETE',
    path: '/coverage',
    tag,
    summary: 'Reset the coverage',
    program: { name: 'coverage.clear' },
    command: { usage: 'coverage clear', examples: ['coverage clear'] },
    run: ({ sandbox: { coverage, eventHub } }) => {
      coverage.clear()
      eventHub?.tell({ kind: 'reset' })
    },
    says: 'The coverage was reset.'
  })
]
