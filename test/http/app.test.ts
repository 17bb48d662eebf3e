import t from 'tap'
import { type Body, buildMock, CONTROLLER, pluck, portOf, until } from '../helper.js'
import { logLines } from '../log-lines.js'

void t.test('the log has no lines of Fastify', async (t) => {
  const { logger, lines } = logLines()
  const { app } = await buildMock(t, {}, logger)
  await portOf(app)
  t.strictSame(lines, [])
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
    t.strictSame(pluck(lines, 'path'), logged)
  }
})

void t.test('the log line of a request has its time to a tenth of a millisecond, and its fault', async (t) => {
  const { logger, lines } = logLines()
  const { app, call } = await buildMock(t, {}, logger)
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}${CONTROLLER}/workgroups`
  for (const effect of [{ status: 500 }, { reply: 'drop' }]) {
    const { id } = (await call('POST', '/faults', { prefix: '/_mock', body: { times: 1, effect } })).body.Result
    await fetch(url, { headers: { 'x-api-key': 'test' } }).catch(() => undefined)
    await until(() => lines.at(-1)?.['fault'] === id)
    t.match(lines.at(-1), { level: 30, operationId: 'listWorkgroups' }, 'it is not an error of the server')
    const ms = lines.at(-1)!['ms'] as number
    t.equal(Math.round(ms * 10) / 10, ms)
  }
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
