import { EventEmitter } from 'node:events'
import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { logRequests } from '../../src/http/hooks/log-requests.js'
import type { Sandbox } from '../../src/sandboxes/sandbox.js'
import { type Body, buildMock, until } from '../helper.js'
import { logLines } from '../log-lines.js'

void t.test('the log has no lines of Fastify, but a sandbox that falls behind is in it', async (t) => {
  const { logger, lines } = logLines()
  const { app, plane } = await buildMock(t, {}, logger)
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.strictSame(lines, [])
  plane.engine.onSlowed({ id: '0123456789abcdef' } as Sandbox)
  t.match(lines, [{ level: 40, sandbox: /^0123456789ab$/ }])
})

void t.test('probes are logged at level debug only', async (t) => {
  for (const [level, logged] of [
    ['info', ['/']],
    ['debug', ['/_mock/ready', '/']]
  ] as const) {
    const { logger, lines } = logLines(level)
    const { call } = await buildMock(t, {}, logger)
    for (const path of ['/_mock/ready', '/']) await call('GET', path, { prefix: '' })
    await until(() => lines.length >= logged.length)
    t.strictSame(
      lines.map(({ path }) => path as string),
      logged
    )
  }
})

void t.test('the line of a request has its time to a tenth of a millisecond, and its fault', async (t) => {
  const { logger, lines } = logLines()
  let done = 0
  const log = (milliseconds: number, fields: object, isSent = true) => {
    const raw = new EventEmitter()
    const request = { id: 'id', method: 'GET', url: '/a?b=c', headers: {}, route: { config: {} }, ...fields }
    const now = performance.now.bind(performance)
    performance.now = () => 1000
    logRequests(logger)(request as never, { statusCode: 200, raw } as never, () => {
      done++
    })
    performance.now = () => 1000 + milliseconds
    if (isSent) raw.emit('finish')
    else (request as unknown as FastifyRequest).logUnsent?.()
    performance.now = now
  }
  log(12.3456, { fault: { id: 'fault-1' }, enteredSandbox: { id: '0123456789abcdef' } })
  log(0.04, { caller: { name: 'ci' }, enteredSandbox: { id: '0123456789abcdef' } })
  log(1000.06, {})
  log(2, { fault: { id: 'fault-2' } }, false)
  t.match(lines, [
    { RequestID: 'id', method: 'GET', path: '/a', status: 200, ms: 12.3, sandbox: '0123456789ab', fault: 'fault-1' },
    { ms: 0, sandbox: 'ci' },
    { ms: 1000.1 },
    { ms: 2, fault: 'fault-2' }
  ])
  for (const name of ['sandbox', 'fault']) t.notOk(name in lines[2], name)
  t.equal(done, 4)
})

void t.test('a body of the control API may be ten levels deeper than one of the interface', async (t) => {
  const { call } = await buildMock(t)
  const fieldsOf = async (prefix: string | undefined, method: string, url: string, levels: number) => {
    const body = `{"deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    const reply = await call(method, url, { body, ...(prefix === undefined ? {} : { prefix }) })
    t.equal(reply.status, 400)
    return (reply.body.ErrorDetails as Body[]).map(({ FieldName }) => FieldName as string)
  }
  t.strictSame(await fieldsOf(undefined, 'POST', '/workgroups', 1000), ['cloud_provider_id'])
  t.strictSame(await fieldsOf(undefined, 'POST', '/workgroups', 1001), [''])
  t.strictSame(await fieldsOf('/_mock', 'PUT', '/quotas', 1010), ['deep'])
  t.strictSame(await fieldsOf('/_mock', 'PUT', '/quotas', 1011), [''])
})
