import { getEventListeners, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import type { TextReply } from '../../src/lib/send-json.js'
import type { McpClient, McpRequest } from '../../src/mcp/client.js'
import { answerOverHttp } from '../../src/mcp/over-http.js'
import { speakOverStdio } from '../../src/mcp/over-stdio.js'
import { Refusal } from '../../src/mcp/refusal.js'
import { createMcpServer } from '../../src/mcp/server.js'
import { Tasks } from '../../src/mcp/tasks.js'
import { defineTool, type Tool } from '../../src/mcp/tool.js'
import { TOOLS } from '../../src/mcp/tools.js'
import { callTool } from '../../src/mcp/tools/call.js'

const { signal } = new AbortController()

/** A client that records requests, and gives all of them the same reply. */
function answering({ status = 200, requestId = 'r', text = '{"Message":"done","Result":{"a":[1,2]}}' } = {}) {
  const asked: McpRequest[] = []
  const request = async (given: McpRequest): Promise<TextReply> => {
    asked.push(given)
    return { status, requestId, text }
  }
  const client: McpClient = { url: 'http://a', remedies: { key: 'another key', token: 'another token' }, request }
  return { client, asked }
}

const TRY = defineTool({
  name: 'try',
  title: 'Try',
  description: 'Tries.',
  input: {},
  run: (_, { control }) => control('readClock')
})

void t.test('a refusal has a remedy only if there is one, and a reply of another server is refused', async (t) => {
  const refusalWith = async (status: number, envelope: unknown) => {
    const text = typeof envelope === 'string' ? envelope : JSON.stringify(envelope)
    const { client } = answering({ status, text })
    return TRY.run({}, { client, signal }).then(
      () => undefined,
      (error: unknown) => error
    )
  }
  for (const [status, message] of [
    [403, 'foreign'],
    [400, 'X-Mock-Token']
  ] as const)
    t.strictSame(((await refusalWith(status, { Message: message })) as Refusal).details, { status, request_id: 'r' })
  for (const envelope of ['<html>', 'null', '5', '{}', { Message: 5 }])
    t.match(await refusalWith(200, envelope), {
      name: 'Refusal',
      message: /^http:\/\/a .*200/,
      details: { status: 200, remedy: /--url/ }
    })
  t.equal(await refusalWith(399, { Message: '' }), undefined)
})

/** A client of a server with additional tools. */
async function connect(t: Test, tools: readonly Tool[]) {
  const { client } = answering({ status: 503, text: '{"Message":"not now"}' })
  const server = createMcpServer(client, { tools, about: 'It is here.', tasks: new Tasks() })
  const [one, other] = InMemoryTransport.createLinkedPair()
  const agent = new Client({ name: 'test', version: '0' })
  await Promise.all([server.connect(one), agent.connect(other)])
  t.teardown(() => agent.close())
  return agent
}

void t.test('an answer with a remedy is an error of the tool, and a bug one of the protocol', async (t) => {
  const answers = [
    { result: 1 },
    { result: 1, remedy: 'do this' },
    { result: 'x'.repeat(20_000) },
    new Refusal('no', { status: 400, remedy: 'that' }),
    new Error('a mistake')
  ]
  const tool: Tool = {
    ...TRY,
    run: async () => {
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return answer
    }
  }
  const agent = await connect(t, [tool])
  const call = () => agent.callTool({ name: 'try', arguments: {} })
  t.strictSame(await call(), { content: [{ type: 'text', text: '{"result":1}' }] })
  t.strictSame(await call(), {
    content: [{ type: 'text', text: '{"result":1,"remedy":"do this"}' }],
    isError: true
  })
  t.match(await call(), { content: [{ type: 'text' }, { type: 'text', text: /select.* change it again/ }] })
  t.strictSame(await call(), {
    content: [{ type: 'text', text: '{"message":"no","status":400,"remedy":"that"}' }],
    isError: true
  })
  await t.rejects(call(), { code: -32603 })
  for (const uri of ['svc-mock://interface', 'svc-mock://profile', 'svc-mock://operation/getWorkspace'])
    await t.rejects(agent.readResource({ uri }), { code: -32603 }, uri)
  await t.rejects(agent.readResource({ uri: 'svc-mock://profile' }), { message: /not now/ })
})

void t.test('over two streams, a session ends when either closes, or on the signal', async (t) => {
  const ask = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })}\n`
  const ends: Record<string, (streams: { input: PassThrough; output: PassThrough; stop: () => void }) => void> = {
    'the input has ended': ({ input }) => input.end(),
    'the input is closed': ({ input }) => input.destroy(),
    'the output is closed': ({ output }) => output.destroy(),
    'the output is broken': ({ output }) => output.emit('error', new Error('EPIPE')),
    'it is stopped': ({ stop }) => stop()
  }
  for (const [name, end] of Object.entries(ends)) {
    const [input, output, stopping] = [new PassThrough(), new PassThrough(), new AbortController()]
    const over = speakOverStdio({ input, output }, answering().client, stopping.signal, [TRY], 'More.')
    input.write(ask)
    const [reply] = (await once(output, 'data')) as [Buffer]
    t.match(JSON.parse(reply.toString()), { id: 1, result: { tools: { length: TOOLS.length + 1 } } }, name)
    end({ input, output, stop: () => stopping.abort() })
    await over
  }
  const [input, output] = [new PassThrough(), new PassThrough()]
  await speakOverStdio({ input, output }, answering().client, AbortSignal.abort(), [], '')
})

void t.test('a server that does not describe its interface cannot be called', async (t) => {
  const { client } = answering({ status: 500 })
  const called = callTool.run({ operation: 'listWorkgroups' }, { client, signal })
  await t.rejects(called, { name: 'Refusal', message: /^http:\/\/a /, details: { status: 500 } })
})

void t.test('over HTTP, a client that has left gets no reply', async (t) => {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  t.equal(await answerOverHttp({ headers, body, signal: AbortSignal.abort() }, 'http://a'), undefined)
  t.match(await answerOverHttp({ headers, body, signal }, 'http://a'), { status: 200 })
  t.strictSame(getEventListeners(signal, 'abort'), [], 'a connection with many requests gathers no listeners')
})
