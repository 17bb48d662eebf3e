import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { recordCommand } from '../../src/cli/record.js'
import { UsageError } from '../../src/cli/usage.js'
import { readExchanges } from '../../src/fidelity/read.js'
import { listen, runCommand, runToEnd, sendJson } from '../helper.js'
import { lacks } from '../programs.js'

const SECRET = 'tops3cret-key-of-acme'

const repeat: RequestListener = (request, response) => {
  void text(request).then((body) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ got: body, url: request.url }))
  })
}

/** Sends a secret. @returns the reply */
async function call(url: string, body = `{"password":"${SECRET}"}`): Promise<unknown> {
  const reply = await sendJson('POST', `${url}/v4/${SECRET}?token=${SECRET}`, { 'x-api-key': SECRET }, body)
  return reply.json()
}

async function startRecorder(t: Test, args: readonly string[], ...more: [env?: Record<string, string>, node?: Node]) {
  const run = runCommand(t, ['record', '--port', '0', ...args], ...more)
  const [, url = ''] = await run.seen(/point the client at (\S+)/)
  /** @returns its exit code */
  const stop = async (signal: NodeJS.Signals = 'SIGINT') => {
    run.child.kill(signal)
    return (await run.exited).code
  }
  return { ...run, url, stop }
}

type Node = Parameters<typeof runCommand>[3]

void t.test('a recording survives a kill, and has no secrets', async (t) => {
  const service = await listen(t, createServer(repeat))
  const out = join(t.testdir({}), 'service.har')
  const args = ['--upstream', `${service}/base`, '--out', out]
  const killed = await startRecorder(t, args)
  for (let count = 1; count <= 3; count++)
    t.match(await call(killed.url), { got: `{"password":"${SECRET}"}`, url: `/base/v4/${SECRET}?token=${SECRET}` })
  // A reply may arrive before its entry has been written completely.
  const written = async () => (await readExchanges([out]).catch(() => [])).length
  while ((await written()) < 3) await new Promise(setImmediate)
  killed.child.kill('SIGKILL')
  t.match(await killed.exited, { signal: 'SIGKILL' })
  t.equal((await readExchanges([out])).length, 3)
  t.notMatch(readFileSync(out, 'utf8') + killed.output(), SECRET)

  t.equal((await runToEnd(t, ['record', ...args])).code, 2, 'an existing file is not replaced')
})

void t.test('requests still pass when nobody reads standard error any longer', async (t) => {
  const service = await listen(t, createServer(repeat))
  const out = join(t.testdir({}), 'service.har')
  const { child, url, stop } = await startRecorder(t, ['--upstream', service, '--out', out])
  child.stderr!.destroy()
  // Requests for an HTTP proxy are refused, with a message on standard error.
  for (let count = 0; count < 3; count++) {
    await new Promise((resolve) => {
      connect(Number(new URL(url).port), '127.0.0.1')
        .on('close', resolve)
        .on('error', () => undefined)
        .end('GET http://a.test/ HTTP/1.1\r\nhost: a.test\r\nconnection: close\r\n\r\n')
        .resume()
    })
    t.ok(await call(url))
  }
  t.equal(await stop('SIGTERM'), 0)
})

const FULL = '/dev/full'

void t.test('a full disk is reported with the name of the file', { skip: !existsSync(FULL) && FULL }, async (t) => {
  const service = await listen(t, createServer(repeat))
  const args = ['record', '--upstream', service, '--out', FULL, '--force', '--port', '0']
  t.match(await runToEnd(t, args), { code: 1, errors: /\/dev\/full .*ENOSPC/ })
})

void t.test('a dry run prints what would be written, and writes nothing', async (t) => {
  const folder = t.testdir({})
  const service = await listen(t, createServer(repeat))
  const run = await startRecorder(t, ['--upstream', service, '--dry-run'])
  await call(run.url)
  await run.seen(/< \}/)
  t.equal(await run.stop('SIGTERM'), 0)
  t.match(run.output(), /POST \/v4\/(\S+)\?\S+=\1 200 .*\n[^]*> x-api-key: \1\n[^]*> {3}"password": "\1"/)
  t.match(run.output(), /These texts are kept:\n[^]* content-type: application\/json\n/)
  t.notMatch(run.output(), SECRET)
  t.strictSame(readdirSync(folder), [])
})

void t.test('a service with TLS is recorded if its certificate is trusted', { skip: lacks('openssl') }, async (t) => {
  const folder = t.testdir({})
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const fields = '-newkey rsa:2048 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1'.split(' ')
  execFileSync('openssl', ['req', '-x509', ...fields, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const tls = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, repeat)
  const service = (await listen(t, tls)).replace('http', 'https')
  const record = async (out: string, env: Record<string, string>) => {
    const { url, stop } = await startRecorder(t, ['--upstream', service, '--out', out], env)
    const reply = await fetch(`${url}/v4/${SECRET}`)
    const body = await reply.text()
    t.equal(await stop(), 0)
    return { reply, body, exchanges: await readExchanges([out]) }
  }
  const trusted = await record(join(folder, 'trusted.har'), { NODE_EXTRA_CA_CERTS: cert })
  t.match(trusted.body, SECRET)
  t.match(trusted.exchanges, [{ path: /^\/v4\/name-[a-z0-9]{12}$/, status: 200 }])
  const other = await record(join(folder, 'other.har'), {})
  t.equal(other.reply.status, 502)
  t.match(other.body, 'NODE_EXTRA_CA_CERTS')
  t.match(other.exchanges, [{ status: null }])
})

void t.test('recordings with the same key use the same names', async (t) => {
  const folder = t.testdir({ short: 'abc' })
  const service = await listen(t, createServer(repeat))
  const key = join(folder, 'mask.key')
  const record = async (out: string, bodies: readonly string[]) => {
    const { url, stop } = await startRecorder(t, ['--upstream', service, '--out', out, '--mask-key', key])
    for (const name of bodies) await call(url, JSON.stringify({ name, password: SECRET }))
    t.equal(await stop(), 0)
    return (await readExchanges([out])).map(({ requestBody }) => requestBody as { name: string; password: string })
  }
  const [payroll, billing] = await record(join(folder, 'monday.har'), ['Acme payroll', 'Acme billing'])
  const secret = readFileSync(key, 'utf8')
  t.equal(statSync(key).mode & 0o777, 0o600)
  const [again, other] = await record(join(folder, 'tuesday.har'), ['Acme billing', 'Acme support'])
  t.equal(readFileSync(key, 'utf8'), secret)
  t.strictSame(again, billing)
  t.equal(new Set([payroll!.name, billing!.name, other!.name]).size, 3)
  const bad = ['--upstream', service, '--out', join(folder, 'x.har'), '--mask-key', join(folder, 'short')]
  await t.rejects(recordCommand(bad), UsageError)
})

void t.test('when the disk is full, requests still pass, and the file stays complete', async (t) => {
  const service = await listen(t, createServer(repeat))
  const out = join(t.testdir({}), 'service.har')
  // A file may have 8 KiB.
  const limited = `ulimit -f 16; exec "$0" "$@"`
  const survive = '--import=data:text/javascript,process.on("SIGXFSZ",()=>{})'
  const args = ['--upstream', service, '--out', out]
  const run = await startRecorder(t, args, {}, ['sh', '-c', limited, process.execPath, survive])
  await call(run.url, '"small"')
  const digits = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index % 10))
  for (let count = 0; count < 3; count++) t.match(await call(run.url, digits), { got: digits })
  t.equal(await run.stop(), 1)
  t.ok(run.errors().includes(out), run.errors())
  t.equal((await readExchanges([out])).length, 1)
})

void t.test('a usage error is reported before anything is written', async (t) => {
  const out = join(t.testdir({}), 'x.har')
  const good = ['--upstream', 'http://127.0.0.1:1', '--out', out]
  for (const args of [
    [],
    ['--out', out],
    ['--upstream', 'http://127.0.0.1:1'],
    ['--upstream', 'nowhere', '--out', out],
    ['--upstream', 'ftp://h', '--out', out],
    ['--upstream', `http://user:${SECRET}@h`, '--out', out],
    ['--upstream', 'http://h?x=1', '--out', out],
    [...good, '--port', '70000'],
    [...good, '--max-body', '-1'],
    [...good, '--timeout', 'soon'],
    [...good, '--timeout', '0s'],
    [...good, '--timeout', '25d'],
    [...good, '--host='],
    [...good, '--mask-key='],
    [...good, '--mask-key', join(out, 'none', 'key')],
    ['--upstream', 'http://127.0.0.1:4701', '--out', out],
    ['--upstream', 'http://localhost:4703', '--out', out, '--port', '4703'],
    ['--upstream', 'http://[::1]:4702/base', '--out', out, '--port', '4702', '--host', '0.0.0.0'],
    ['--upstream', 'http://proxy.example.test:4702', '--out', out, '--port', '4702', '--host', 'proxy.example.test'],
    [...good, '--dry-run'],
    ['--upstream', 'http://h', '--dry-run', '--force'],
    ['--upstream', 'http://127.0.0.1:1', '--port', '0', '--out', join(out, 'none', 'x.har')]
  ]) {
    const error = await t.rejects(recordCommand(args), UsageError, args.join(' '))
    t.notMatch((error as Error).message, SECRET)
  }
  await t.rejects(recordCommand([...good, '--host', '203.0.113.1']), { message: /^203.* choose another --host$/ })
  t.notOk(existsSync(out))
})
