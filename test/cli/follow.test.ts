import t from 'tap'
import { ctlCommand } from '../../src/cli/ctl.js'
import { startMock } from '../../src/node/index.js'
import { CONTROLLER, jsonLines, replaceMethod, runCommand, until } from '../helper.js'
import { messageOf } from '../messages.js'
import { ctl, openCtl } from './ctl.js'

const HEADERS = { 'x-api-key': 'ctl' }
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
void t.test('requests are printed as they arrive, in a pipe as lines of JSON, until an interrupt', async (t) => {
  const { mock } = await openCtl(t)
  const call = async (path: string) => {
    await (await fetch(`${mock.url}${CONTROLLER}${path}`, { headers: HEADERS })).text()
  }
  const target = ['--url', mock.url, '--key', 'ctl']
  const all = runCommand(t, ['ctl', 'requests', '--follow', ...target])
  const some = ['--operation', 'getWorkgroup', '--status', '4XX', '--request-id', 'mine', '--trace', TRACE]
  const filtered = runCommand(t, ['ctl', 'requests', '--follow', ...some, ...target])
  // They do not say when they listen.
  await until(async () => {
    await call('/workgroups')
    return all.output() !== ''
  })
  await until(async () => {
    const headers = { ...HEADERS, 'x-request-id': 'mine', traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }
    await (await fetch(`${mock.url}${CONTROLLER}/workgroups/none`, { headers })).text()
    await call('/workgroups/none')
    return filtered.output() !== ''
  })
  for (const { child, exited, errors } of [all, filtered]) {
    child.kill('SIGINT')
    t.strictSame(await exited, { code: 0, signal: null })
    t.equal(errors(), '')
  }
  t.match(jsonLines(all.output())[0], { operation: 'listWorkgroups', method: 'GET', status: 200 })
  for (const line of jsonLines(filtered.output()))
    t.match(line, { operation: 'getWorkgroup', status: 404, request_id: 'mine', trace: TRACE })
})

void t.test('it ends when nobody reads its output any longer', async (t) => {
  const { mock } = await openCtl(t)
  const { child, exited } = runCommand(t, ['ctl', 'requests', '--follow', '--url', mock.url, '--key', 'ctl'])
  child.stdout!.destroy()
  let isOver = false
  const end = exited.finally(() => {
    isOver = true
  })
  await until(async () => {
    await (await fetch(`${mock.url}${CONTROLLER}/workgroups`, { headers: HEADERS })).text()
    return isOver
  })
  t.strictSame(await end, { code: 0, signal: null })
})

void t.test('a terminal gets readable lines, and a message when the server stops', async (t) => {
  await using mock = await startMock()
  const printed: string[] = []
  const told: string[] = []
  replaceMethod(t, console, 'log', (line: string) => {
    printed.push(line)
  })
  replaceMethod(t, console, 'error', (line: string) => {
    told.push(line)
  })
  const ended = ctlCommand(['requests', '--follow', '--url', mock.url, '--key', 'ctl'], { env: {}, isTerminal: true })
  // It does not say when it listens.
  await until(async () => {
    await fetch(`${mock.url}${CONTROLLER}/workgroups`, { headers: HEADERS })
    return printed.length > 0
  })
  t.match(printed[0], /^\d\d:\d\d:\d\d\.\d{3} GET \/controller\/v4\/v2\/workgroups 200 \d+ ms listWorkgroups$/)
  await mock.close()
  t.equal(await ended, 3)
  t.strictSame(told, [`svc-mock: ${mock.url} ended the stream: the server was stopped, or the sandbox removed`])
})

void t.test('a missing credential is reported at once', async (t) => {
  const { mock } = await openCtl(t)
  t.match(await ctl(t, ['requests', '--follow', '--url', mock.url]), {
    code: 1,
    errors: messageOf('unauthorized', 'required')
  })
})
