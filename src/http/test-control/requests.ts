import { readRequest } from '../../test-control/requests/record.js'
import { clearRequests, listRequests } from '../../test-control/requests/requests.js'
import {
  ExpectationSchema,
  RequestFilterSchema,
  RequestListSchema,
  RequestRecordSchema,
  VerifiedSchema
} from '../../test-control/requests/schemas.js'
import { type Expectation, verify } from '../../test-control/requests/verify.js'
import { withLimit } from './query.js'
import { addControl, type ControlRoutes } from './route.js'

const tag = 'Requests'

export const requestRoutes: ControlRoutes = (app, { plane }, done) => {
  addControl(
    app,
    'GET',
    '/requests',
    {
      operationId: 'listRequests',
      tag,
      summary: 'List the recorded requests',
      query: RequestFilterSchema,
      result: RequestListSchema
    },
    ({ sandbox, query }) => {
      const result = listRequests(plane, sandbox, withLimit(query))
      return { message: `Requests: ${result.requests.length}.`, result }
    }
  )

  addControl(
    app,
    'DELETE',
    '/requests',
    {
      operationId: 'clearRequests',
      tag,
      summary: 'Clear the journal'
    },
    ({ sandbox }) => {
      clearRequests(sandbox)
      return { message: 'The journal is empty.' }
    }
  )

  addControl(
    app,
    'GET',
    '/requests/:requestID',
    {
      operationId: 'readRequest',
      tag,
      summary: 'Read the record of a request',
      params: { requestID: 'RequestID of the request.' },
      result: RequestRecordSchema
    },
    ({ sandbox, params }) => {
      const result = readRequest(plane, sandbox, params['requestID']!)
      return { message: `Changes: ${result.changes.length}; events: ${result.events.length}.`, result }
    }
  )

  addControl(
    app,
    'POST',
    '/requests/verify',
    {
      operationId: 'verifyRequests',
      tag,
      summary: 'Check that the interface was called as expected',
      isRead: true,
      body: ExpectationSchema,
      result: VerifiedSchema
    },
    ({ sandbox, body }) => {
      const result = verify(plane, sandbox, body as Expectation)
      return { message: `Calls found: ${result.count}.`, result }
    }
  )

  done()
}
