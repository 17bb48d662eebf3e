import { createServer } from 'node:http'
import t from 'tap'
import { BUILT_IN } from '../../src/profile/profile.js'
import { callOperation } from '../../src/test-control/handle/call.js'
import type { CallError } from '../../src/test-control/handle/call-error.js'
import { listen } from '../helper.js'

void t.test('a reply that is not an envelope of a success is an error with its text', async (t) => {
  const reply = { status: 200, text: '{"Error":false}' }
  const server = createServer((_, response) => response.writeHead(reply.status).end(reply.text))
  const target = { url: await listen(t, server), key: 'mine', profile: BUILT_IN }
  const call = () => callOperation(target, 'getMetadata', {})
  t.equal(await call(), undefined, 'a success may have no result')
  const nothing = { Type: undefined, ErrorDetails: [], RequestID: '' }
  const detail = { FieldName: 'a', Reason: 'b', Type: 'Not-Found' }
  for (const [status, text, said] of [
    [200, 'no JSON', { ...nothing, Message: /\S/ }],
    [200, 'null', { ...nothing, Message: /\S/ }],
    [200, '5', { ...nothing, Message: /\S/ }],
    [200, '{}', { ...nothing, Message: '' }],
    [404, '{"Error":true,"Message":"m"}', { ...nothing, Message: 'm' }],
    [
      404,
      JSON.stringify({ Error: true, Message: 'm', RequestID: 'r', ErrorDetails: [detail, { ...detail, Type: 'x' }] }),
      { Type: 'Not-Found', Message: 'm', RequestID: 'r', ErrorDetails: [detail, { ...detail, Type: 'x' }] }
    ]
  ] as const) {
    Object.assign(reply, { status, text })
    const error = (await call().catch((thrown: unknown) => thrown)) as CallError
    t.match(error, { name: 'CallError', operation: 'getMetadata', status, ...said }, text)
    t.strictSame(error.ErrorDetails, said.ErrorDetails)
    const codes = error.Type === undefined ? String(status) : `${status} ${error.Type}`
    t.equal(error.message, `getMetadata: ${codes}: ${error.Message}`)
  }
})
