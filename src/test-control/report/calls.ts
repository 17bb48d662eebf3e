import { defineCall } from '../control-call.js'
import { readReport } from './report.js'
import { ReportSchema } from './schemas.js'

export const REPORT_CALLS = [
  defineCall({
    name: 'readReport',
    method: 'GET',
    path: '/report',
    tag: 'Requests',
    summary: 'Review the requests of the client',
    result: ReportSchema,
    program: { name: 'report', returns: 'findings, and what the client has left behind' },
    command: {
      usage: 'report',
      help: 'Review the calls of the client, and list what it left behind.',
      examples: ['report'],
      tables: [
        { what: 'findings', list: 'findings', columns: { FINDING: 'rule', MESSAGE: 'message' } },
        { what: 'leftovers', list: 'left_behind', columns: { LEFT: 'kind', IDS: 'ids', MESSAGE: 'message' } }
      ]
    },
    // Not `inSlices`: the journal, unlike the sandbox, also changes with reads.
    run: ({ plane, sandbox }) => plane.read(sandbox, (isTimeUp) => readReport(plane, sandbox, isTimeUp))
  })
]
