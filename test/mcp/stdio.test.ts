import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { readMcpRequest } from '../../src/cli/mcp.js'
import { UsageError } from '../../src/cli/usage.js'
import { startMock } from '../../src/node/index.js'
import { OptionError } from '../../src/options.js'
import { CALL } from '../cli/client-script.js'
import { type Body, isAlive, MAIN, runCommand, startServer, until } from '../helper.js'
import { temporaryFolder } from '../temporary.js'
import { REVISIONS, stdioAgent } from './client.js'
import { breakAndRepair, fillWithLongNames, MANY } from './scenario.js'

for (const revision of REVISIONS)
  void t.test(`an agent of revision ${revision} breaks and repairs a workspace, on a server of its own`, async (t) => {
    const agent = await stdioAgent(t, [], {}, revision)
    t.equal(agent.client.getNegotiatedProtocolVersion(), revision)
    await breakAndRepair(t, agent)
    t.equal(agent.errors(), '', 'nothing is logged')
  })

void t.test('an agent breaks and repairs a workspace of a running server, in the sandbox of its key', async (t) => {
  await using server = await startMock({ controlToken: 'let-me-in' })
  const agent = await stdioAgent(t, ['--url', server.url], { SVC_MOCK_KEY: 'mine', SVC_MOCK_TOKEN: 'let-me-in' })
  await breakAndRepair(t, agent)
  t.equal((await server.sandbox('mine').call('listWorkgroups')).length, 1)
})

void t.test('the client gets the address and the key of its own server', async (t) => {
  const { client } = await stdioAgent(t, ['--demo', '--key', 'shown'])
  const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(client.getInstructions() ?? '') ?? []
  t.match(client.getInstructions(), 'shown')
  const reply = await fetch(`${url!}/controller/v4/v2/workgroups/demo`, { headers: { 'x-api-key': 'shown' } })
  t.equal(reply.status, 200)
})

void t.test('over standard input and output, long replies can be read', async (t) => {
  await using server = await startMock()
  const select = await fillWithLongNames(server)
  const { result } = await stdioAgent(t, ['--url', server.url, '--key', 'agent'])
  t.equal(await result('state', { action: 'read', select }), MANY)
})

void t.test('the assumptions can be read', async (t) => {
  const { client } = await stdioAgent(t)
  const { contents } = await client.readResource({ uri: 'svc-mock://assumptions' })
  t.match(contents, [{ mimeType: 'text/markdown', text: /^# / }])
})

void t.test('a server that refuses the key or the token says what to do', async (t) => {
  await using strict = await startMock({ auth: 'strict', apiKeys: ['ci=secret'] })
  const refused = await (await stdioAgent(t, ['--url', strict.url, '--key', 'other'])).use('clock', { action: 'read' })
  t.match(refused, { isError: true, answer: { status: 401, remedy: /--key/ } })
  const named = await stdioAgent(t, ['--url', strict.url, '--key', 'other'])
  t.equal((await named.use('clock', { action: 'read', key: 'secret' })).isError, false, 'an argument can name one')
  await using guarded = await startMock({ controlToken: 'let-me-in' })
  const without = await (await stdioAgent(t, ['--url', guarded.url])).use('clock', { action: 'read' })
  t.match(without, { isError: true, answer: { status: 403, remedy: /--token/ } })
})

void t.test('a stopped server is an error of the tool', async (t) => {
  const server = await startMock()
  const { use, client } = await stdioAgent(t, ['--url', server.url])
  t.equal((await use('clock', { action: 'read' })).isError, false)
  await server.close()
  t.match(await use('clock', { action: 'read' }), {
    isError: true,
    answer: { message: /ECONNREFUSED/, remedy: /--url/ }
  })
  await t.rejects(client.readResource({ uri: 'svc-mock://profile' }), { code: -32603 })
})

void t.test('a request that cannot be sent says why', async (t) => {
  const { use } = await stdioAgent(t, ['--url', 'http://127.0.0.1:6000'])
  t.match(await use('clock', { action: 'read' }), { isError: true, answer: { message: /bad port/ } })
})

void t.test('a server that starts again may have another interface', async (t) => {
  const server = await startMock({ demo: true })
  const { port } = new URL(server.url)
  const { use } = await stdioAgent(t, ['--url', server.url])
  const list = () => use('call', { operation: 'listWorkgroups' })
  t.equal((await list()).isError, false)
  await server.close()
  await using _again = await startMock({ demo: true, basePath: '/v1', port: Number(port) })
  t.equal((await list()).isError, false)
})

void t.test('a reply that a fault drops is an error of the tool', async (t) => {
  const { result, use } = await stdioAgent(t, ['--demo'])
  await result('faults', { action: 'add', operation: 'listWorkgroups', effect: { reply: 'drop' } })
  t.match(await use('call', { operation: 'listWorkgroups' }), { isError: true, answer: { remedy: /fault/ } })
})

void t.test('it ends with its input', async (t) => {
  const { transport, client } = await stdioAgent(t)
  const { pid } = transport
  await client.close()
  await until(() => !isAlive(pid!))
  const server = await startServer(t, ['--db', ':memory:'])
  const { child, exited, errors } = runCommand(t, ['mcp', '--url', server.url])
  t.strictSame(await exited, { code: 0, signal: null }, 'an input that has ended before')
  t.equal(errors(), '')
  t.equal(child.exitCode, 0)
})

void t.test('an exploration and its commands end with the client', async (t) => {
  const folder = temporaryFolder(t)
  const { transport, client } = await stdioAgent(t)
  const pid = transport.pid!
  const code = `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => undefined, 1000)`
  const explored = client.callTool({
    name: 'explore',
    arguments: { command: [process.execPath, '-e', code], cwd: folder, timeout: '10m' }
  })
  explored.catch(() => undefined)
  await until(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '')
  const command = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await client.close()
  await t.rejects(explored)
  await until(() => !isAlive(pid) && !isAlive(command))
})

void t.test('it ends at SIGTERM', async (t) => {
  const { transport } = await stdioAgent(t)
  const closed = new Promise((resolve) => (transport.onclose = () => resolve(true)))
  process.kill(transport.pid!, 'SIGTERM')
  t.equal(await closed, true)
})

void t.test('explore runs a command and reports', async (t) => {
  const folder = temporaryFolder(t)
  // It retries without checking.
  writeFileSync(
    join(folder, 'client.mjs'),
    `${CALL} console.log('an output that must not reach the protocol')
    await create().catch(create)`
  )
  const { client } = await stdioAgent(t)
  const command = [process.execPath, 'client.mjs']
  const select = '[findings[].kind, endings]'
  const input = { command, cwd: folder, only: ['lost'], report: join(folder, 'out'), select }
  const reply = await client.callTool({ name: 'explore', arguments: input })
  t.match(reply, { content: [{ text: /"result":\[\["duplicate"\],null\]/ }] })
  t.ok(existsSync(join(folder, 'out/report.html')))
  const failed = await client.callTool({ name: 'explore', arguments: { command: ['false'], cwd: folder } })
  t.match(failed, { isError: true, content: [{ text: /exit status 1/ }] })
  const wrong = await client.callTool({ name: 'explore', arguments: { command: ['true'], timeout: 'soon' } })
  t.match(wrong, { isError: true, content: [{ text: /--timeout/ }] })
  const seeded = await client.callTool({ name: 'explore', arguments: { command: ['true'], seed_file: 'none' } })
  t.match(seeded, { isError: true, content: [{ text: /none does not exist/ }] })
  const endless = [process.execPath, '-e', 'setInterval(() => undefined, 1000)']
  const late = { command: endless, timeout: '10m', budget: '1s' }
  t.match(await client.callTool({ name: 'explore', arguments: late }), {
    isError: true,
    content: [
      {
        text: JSON.stringify({
          message: 'The budget was over before the command had run twice without any fault.',
          remedy: 'Give it a longer budget, or explore a faster command.'
        })
      }
    ]
  })
  const keyed = await client.callTool({ name: 'explore', arguments: { command: ['true'], key: 'k' } })
  t.match(keyed, { isError: true, content: [{ text: /"field":"key"/ }] }, 'each run has a sandbox of its own')
  const { tools } = await client.listTools()
  t.match(tools.at(-1), { name: 'explore', annotations: { openWorldHint: true, destructiveHint: true } })
})

void t.test('explore is a task for an agent that polls, and can be cancelled', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'client.mjs'), `${CALL} await create()`)
  writeFileSync(join(folder, 'endless.mjs'), `${CALL} await create(); setInterval(() => undefined, 1000)`)
  const ask = messagesTo(t)
  const begin = (file: string, more: object = {}) =>
    ask('tools/call', {
      name: 'explore',
      arguments: { command: [process.execPath, file], cwd: folder, only: ['lost'], ...more }
    })
  const { resultType, taskId, pollIntervalMs } = await begin('client.mjs', { select: 'plans' })
  t.strictSame([resultType, pollIntervalMs], ['task', 2000])
  const ended = async (id: string) => {
    for (;;) {
      const task = await ask('tasks/get', { taskId: id })
      if (task.status !== 'working') return task
    }
  }
  t.match(await ended(taskId), {
    resultType: 'complete',
    status: 'completed',
    result: { content: [{ text: /"result":1/ }] }
  })
  const endless = await begin('endless.mjs', { timeout: '10m' })
  t.match(await ask('tasks/get', endless), { status: 'working' })
  await ask('tasks/cancel', endless)
  t.match(await ended(endless.taskId), { status: 'cancelled' })
  const refused = await begin('client.mjs', { timeout: 'soon' })
  t.match(await ended(refused.taskId), { status: 'completed', result: { isError: true } })
  await t.rejects(ask('tasks/get', { taskId: 'none' }), { message: 'There is no task none.' })
  await t.rejects(ask('tasks/cancel', {}), { message: /taskId/ })
})

/** Sends messages of the newest revision to `svc-mock mcp`, as an agent that supports tasks. */
function messagesTo(t: Test): (method: string, params: object) => Promise<Body> {
  const child = spawn(process.execPath, [MAIN, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] })
  t.teardown(() => child.kill())
  const waiting = new Map<number, (reply: Body) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const reply = JSON.parse(line)
    waiting.get(reply.id as number)?.(reply)
  })
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  }
  return async (method, params) => {
    const id = waiting.size
    const replied = new Promise<Body>((resolve) => waiting.set(id, resolve))
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } })}\n`)
    const { result, error } = await replied
    if (error !== undefined) throw new Error(error.message as string)
    return result
  }
}

void t.test('a usage error is reported before anything is started', async (t) => {
  for (const args of [['--url', 'x'], ['--url', 'http://a', '--demo'], ['--token', 'a'], ['extra'], ['--prot', '1']]) {
    const error = t.throws(() => readMcpRequest(args, {}))
    t.ok(error instanceof UsageError || error instanceof OptionError, args.join(' '))
  }
  t.match(readMcpRequest(['--url', 'http://a:1'], { SVC_MOCK_KEY: 'k', SVC_MOCK_TOKEN: 't' }), {
    server: { url: 'http://a:1', token: 't' },
    key: 'k'
  })
  t.match(readMcpRequest(['--demo'], { SVC_MOCK_KEY: 'k' }), {
    server: undefined,
    options: { demo: true },
    key: undefined
  })
})
