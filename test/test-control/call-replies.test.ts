import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { BUILT_IN } from '../../src/profile/profile.js'
import { callOperation } from '../../src/test-control/handle/call.js'
import { CallError } from '../../src/test-control/handle/call-error.js'

interface Seen extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  readonly body: string
}

/** A server that answers each request with the same reply, and notes what it was asked. */
async function serve(t: Test) {
  const seen: Seen[] = []
  const reply = { status: 200, text: '{"Error":false}' }
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (text: string) => (body += text))
      .on('end', () => {
        seen.push({ method, url, headers, body })
        response.writeHead(reply.status).end(reply.text)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const target = { url: `http://127.0.0.1:${port}/base`, key: 'mine', profile: BUILT_IN }
  return { seen, reply, target }
}

void t.test('a result is taken out of its envelope; a list, and a reply without a body, have none', async (t) => {
  const { reply, target } = await serve(t)
  for (const [status, text, result] of [
    [200, '{"Error":false,"Result":{"a":1}}', { a: 1 }],
    [200, '{"Error":false}', undefined],
    [200, '[]', []],
    [204, '', undefined]
  ] as const) {
    Object.assign(reply, { status, text })
    t.strictSame(await callOperation(target, 'getMetadata', {}), result, text)
  }
})

void t.test('whatever is no envelope of a success is an error, with what it says', async (t) => {
  const { reply, target } = await serve(t)
  const nothing = { Type: undefined, ErrorDetails: [], RequestID: '' }
  const detail = { FieldName: 'a', Reason: 'b', Type: 'Not-Found' }
  for (const [status, text, said] of [
    [200, 'no JSON', nothing],
    [200, 'null', nothing],
    [200, '5', nothing],
    [200, '{}', { ...nothing, Message: '' }],
    [404, '{"Error":true,"Message":"m"}', { ...nothing, Message: 'm' }],
    [
      404,
      JSON.stringify({ Error: true, Message: 'm', RequestID: 'r', ErrorDetails: [detail, { ...detail, Type: 'x' }] }),
      { Type: 'Not-Found', Message: 'm', RequestID: 'r', ErrorDetails: [detail, { ...detail, Type: 'x' }] }
    ]
  ] as const) {
    Object.assign(reply, { status, text })
    const error = (await callOperation(target, 'getMetadata', {}).catch((thrown: unknown) => thrown)) as CallError
    t.ok(error instanceof CallError, text)
    t.match(error, { name: 'CallError', operation: 'getMetadata', status, ...said })
    t.strictSame(error.ErrorDetails, said.ErrorDetails)
    const codes = error.Type === undefined ? String(status) : `${status} ${error.Type}`
    t.equal(error.message, `getMetadata: ${codes}: ${error.Message}`)
  }
  reply.text = '5'
  const { Message } = (await callOperation(target, 'getMetadata', {}).catch((thrown: unknown) => thrown)) as CallError
  t.match(Message, /\S/, 'what is no envelope says nothing itself')
})

void t.test('a request has the credential that its operation takes, its ids in the path, and its body', async (t) => {
  const { seen, target } = await serve(t)
  const ids = { workgroupID: 'a b', workspaceID: '/' }
  await callOperation(target, 'getMetadata', {})
  await callOperation(target, 'updateWorkspace', { ...ids, body: { name: 'x' } })
  await callOperation(target, 'listOrgUsers', {})
  await callOperation({ ...target, key: '' }, 'getMetadata', {})
  await callOperation({ ...target, key: '' }, 'listOrgUsers', {})
  const controller = '/base/controller/v4/v2'
  t.strictSame(
    seen.map(({ method, url, headers, body }) => [
      `${method} ${url}`,
      headers['x-api-key'],
      headers.authorization,
      headers['content-type'],
      body
    ]),
    [
      [`GET ${controller}/workspaces/meta`, 'mine', undefined, undefined, ''],
      [
        `PUT ${controller}/workgroups/a%20b/workspaces/%2F`,
        'mine',
        undefined,
        'application/json',
        JSON.stringify({ name: 'x' })
      ],
      ['GET /base/users', undefined, 'Bearer mine', undefined, ''],
      [`GET ${controller}/workspaces/meta`, undefined, undefined, undefined, ''],
      ['GET /base/users', undefined, undefined, undefined, '']
    ]
  )
})
