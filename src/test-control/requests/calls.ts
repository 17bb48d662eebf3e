import { defineCall } from '../control-call.js'
import { readRequest } from './record.js'
import { listRequests } from './requests.js'
import {
  ExpectationSchema,
  RequestFilterSchema,
  RequestListSchema,
  RequestRecordSchema,
  VerifiedSchema
} from './schemas.js'
import { verify } from './verify.js'

const tag = 'Requests'

export const REQUEST_CALLS = [
  defineCall({
    name: 'listRequests',
    method: 'GET',
    path: '/requests',
    tag,
    summary: 'List the recorded requests',
    query: RequestFilterSchema,
    result: RequestListSchema,
    program: {
      name: 'requests.list',
      returns: 'them, oldest first: all, or those that a filter selects',
      throws: 'naming the field errors of the filter'
    },
    command: {
      usage: 'requests',
      help: 'List the requests.',
      flags: {
        operation: { value: 'OPERATION', help: 'Only calls of this operation.' },
        status: { value: '404|4xx', help: 'Only replies with this status, or of this class.' },
        request_id: { flag: 'request-id', value: 'ID', help: 'Only requests with this RequestID.' },
        trace: { value: 'TRACE', help: 'Only requests of this trace.' },
        since: { value: 'TIMESTAMP', help: 'Only those received then or later.' },
        limit: { value: 'N', help: 'Only the newest ones.' },
        follow: { help: 'Print requests as they come, one line each, until Ctrl+C.' }
      },
      examples: [
        'requests --status 4xx --limit 10',
        'requests --follow --operation getWorkspace',
        'requests --trace 4bf92f3577b34da6a3ce929d0e0e4736'
      ],
      tables: [
        {
          what: 'requests',
          list: 'requests',
          columns: {
            RECEIVED: 'received',
            METHOD: 'method',
            PATH: 'path',
            STATUS: 'status',
            MS: 'duration_ms',
            OPERATION: 'operation',
            REQUEST: 'request_id'
          },
          note: { if: 'dropped', text: 'Older requests no longer kept: {dropped}.' }
        }
      ]
    },
    run: ({ plane, sandbox, query }) => listRequests(plane, sandbox, query)
  }),

  defineCall({
    name: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    tag,
    summary: 'Clear the journal',
    program: { name: 'requests.clear' },
    command: { usage: 'requests clear', examples: ['requests clear'] },
    run: ({ sandbox: { journal, eventHub } }) => {
      journal.clear()
      eventHub?.tell({ kind: 'reset' })
    },
    says: 'The journal is empty.'
  }),

  defineCall({
    name: 'readRequest',
    method: 'GET',
    path: '/requests/:requestID',
    tag,
    summary: 'Read the record of a request',
    params: { requestID: 'RequestID of the request.' },
    result: RequestRecordSchema,
    program: {
      name: 'requests.read',
      returns: 'what the request changed and caused',
      throws: 'if the RequestID is unknown'
    },
    command: {
      usage: 'requests show ID',
      help: 'Show the record of one request: changes, events, state changes.',
      examples: ['requests show resize-1']
    },
    run: ({ plane, sandbox, params }) => readRequest(plane, sandbox, params['requestID']!)
  }),

  defineCall({
    name: 'verifyRequests',
    method: 'POST',
    path: '/requests/verify',
    tag,
    summary: 'Check that the interface was called as expected',
    isRead: true,
    body: ExpectationSchema,
    result: VerifiedSchema,
    program: { name: 'verify', throws: 'if the expectation itself is not valid' },
    command: {
      usage: 'requests verify JSON',
      help: 'Verify calls.',
      examples: [`requests verify '{"operation": "resumeWorkspace", "times": {"exactly": 2}}'`]
    },
    run: ({ plane, sandbox, body }) => verify(plane, sandbox, body),
    says: ({ count }) => `Calls found: ${count}.`
  })
]
