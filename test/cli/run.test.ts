import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { readRunRequest } from '../../src/cli/run.js'
import { UsageError } from '../../src/cli/usage.js'
import { startMock } from '../../src/node/index.js'
import { OptionError } from '../../src/options.js'
import { runCommand, runToEnd, until } from '../helper.js'
import { readWhole } from '../recording/recordings.js'
import { temporaryFolder } from '../temporary.js'
import { CALL } from './client-script.js'

/** Runs `svc-mock run` to its end. */
const run = (t: Test, args: readonly string[], env: Record<string, string> = {}) => runToEnd(t, ['run', ...args], env)

const STAY = 'setInterval(() => {}, 1000)'

/** A command in JavaScript. */
const script = (text: string) => ['--', process.execPath, '-e', text]

void t.test('a command finds its own server, and its status is that of the run', async (t) => {
  const { code, out, errors } = await run(
    t,
    script(`${CALL} make('left').then(({ name }) => { console.log(name); process.exitCode = 7 })`)
  )
  t.equal(code, 7)
  t.equal(out, 'left\n', 'its output, and nothing else, is on standard output')
  t.match(errors, /^svc-mock: 1 request, 0 findings, left behind:\n {2}workgroup left \(\S+\)\n$/)
})

void t.test('placeholders stand for the server in arguments and in variables', async (t) => {
  const { code, out } = await run(t, [
    ...['--key', 'm$&e', '--env', 'API={url}/v1', '--env', 'NAME=key-{key}', '--demo'],
    ...script('console.log(JSON.stringify([process.argv.slice(1), process.env.API, process.env.NAME]))'),
    ...['{url}', 'x{key}y']
  ])
  t.equal(code, 0)
  const [[url, key], api, name] = JSON.parse(out) as [string[], string, string]
  t.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
  t.equal(key, 'xm$&ey')
  t.equal(api, `${url}/v1`)
  t.equal(name, 'key-m$&e')
})

void t.test('a name is one line of the summary, whatever it has', async (t) => {
  const { errors } = await run(t, script(`${CALL} make('a\\n  workgroup b')`))
  t.equal(errors.trim().split('\n').length, 2)
})

void t.test('what was there before is not said to be left behind', async (t) => {
  const { errors } = await run(t, ['--demo', ...script(`${CALL} call('GET', '/workgroups')`)])
  t.equal(errors, 'svc-mock: 1 request, 0 findings, nothing left behind\n')
})

void t.test('a command that is not there is 127, one that a signal ended 128 and more', async (t) => {
  const [missing, killed] = await Promise.all([
    run(t, ['--', 'no-such-command-here']),
    run(t, script('process.kill(process.pid, "SIGKILL")'))
  ])
  t.match(missing, { code: 127, errors: /^svc-mock: [^\n]+\n$/ })
  t.match(killed, { code: 137 })
})

void t.test('a signal is passed on, and the second one ends the command', async (t) => {
  const polite = runCommand(t, [
    'run',
    ...script(`process.on("SIGINT", () => process.exit(5)); console.log("up"); ${STAY}`)
  ])
  await polite.seen(/up/)
  polite.child.kill('SIGINT')
  t.match(await polite.exited, { code: 5 })
  t.match(polite.errors(), 'svc-mock: no requests recorded with the key in SVC_MOCK_KEY\n')

  const stubborn = runCommand(t, [
    'run',
    ...script(`process.on("SIGINT", () => console.log("no")); console.log("up"); ${STAY}`)
  ])
  await stubborn.seen(/up/)
  stubborn.child.kill('SIGINT')
  await stubborn.seen(/no/)
  stubborn.child.kill('SIGINT')
  t.match(await stubborn.exited, { code: 143 })
})

void t.test('a server that runs already is used as it is, with a sandbox of its own', async (t) => {
  await using mock = await startMock()
  const box = mock.sandbox('shared')
  await box.call('createWorkgroup', { body: { cloud_provider_id: 'a', name: 'old' } })
  const make = script(`${CALL} make('new')`)
  const shared = await run(t, ['--url', mock.url, '--key', 'shared', ...make])
  t.match(shared.errors, 'svc-mock: 1 request, 0 findings, left behind:\n  workgroup new ')
  t.notMatch(shared.errors, 'old')
  t.equal((await box.call('listWorkgroups')).length, 2)
  const own = await run(t, ['--url', mock.url, ...make])
  t.match(own.errors, `(${mock.url}, key run-`)
  t.equal((await box.call('listWorkgroups')).length, 2)
  const resetting = script(`${CALL} fetch(process.env.SVC_MOCK_URL + '/_mock/reset', {
    method: 'POST', headers: { 'x-api-key': process.env.SVC_MOCK_KEY }
  }).then(() => make('new'))`)
  const reset = await run(t, ['--url', mock.url, '--key', 'shared', ...resetting])
  t.match(reset.errors, 'svc-mock: 1 request, ', 'the journal had more before')
})

void t.test('--record leaves one file with the whole run', async (t) => {
  await using mock = await startMock()
  const folder = temporaryFolder(t)
  const file = join(folder, 'a.svcmock')
  const make = script(`${CALL} make('new')
    .then(() => fetch(process.env.SVC_MOCK_URL + '/_mock/clock', { headers: { 'x-api-key': 'another' } }))
    .then(() => { process.exitCode = 3 })`)
  for (const options of [
    [],
    ['--auth', 'strict', '--api-key', 'ci=mine', '--api-key', 'other=another'],
    [],
    ['--url', mock.url]
  ]) {
    const { code } = await run(t, ['--record', file, ...options, ...make])
    t.equal(code, 3)
    t.strictSame(readdirSync(folder), ['a.svcmock'])
    const { steps, manifest } = await readWhole(file)
    t.equal(steps.filter((step) => step.kind === 'request' && step.operation === 'createWorkgroup').length, 1)
    if (options.includes('strict')) t.equal(manifest.sandbox, 'ci')
  }
})

void t.test('a command that does not use its sandbox has no recording, but its own status', async (t) => {
  const file = join(temporaryFolder(t), 'a.svcmock')
  t.match(await run(t, ['--record', file, ...script('process.exitCode = 3')]), {
    code: 3,
    errors: `${file} is not written, because the command did not use its sandbox`
  })
})

void t.test('a signal while the server starts leaves nothing beside the recording', async (t) => {
  const folder = temporaryFolder(t)
  const { child, exited } = runCommand(t, ['run', '--record', join(folder, 'a.svcmock'), ...script(STAY)])
  await until(() => readdirSync(folder).length > 0)
  child.kill('SIGINT')
  t.strictSame(await exited, { code: 130, signal: null })
  t.strictSame(readdirSync(folder), [])
})

void t.test('a recording that cannot be written is told before the command runs', async (t) => {
  const folder = temporaryFolder(t)
  for (const file of [folder, join(folder, 'none', 'a.svcmock'), ''])
    for (const options of [[], ['--url', 'http://127.0.0.1:1']]) {
      const { code, out } = await run(t, ['--record', file, ...options, ...script('console.log("ran")')])
      t.equal(code, 2, file)
      t.equal(out, '')
    }
  t.strictSame(readdirSync(folder), [])
})

void t.test('the clock runs as asked for', async (t) => {
  const clockIn = async (...options: string[]) => {
    const { out } = await run(t, [
      ...options,
      ...script(`const headers = { 'x-api-key': process.env.SVC_MOCK_KEY };
        fetch(process.env.SVC_MOCK_URL + '/_mock/clock', { headers })
          .then((reply) => reply.json()).then(({ Result }) => console.log(JSON.stringify(Result)))`)
    ])
    return JSON.parse(out) as unknown
  }
  t.match(await clockIn('--clock', 'poll'), { mode: 'poll' })
  t.match(await clockIn('--rate', '60'), { mode: 'real', rate: 60 })
})

void t.test('variables that are about another server are named, and ignored', async (t) => {
  const db = join(temporaryFolder(t), 'other.db')
  t.match(await run(t, script('0'), { SVC_MOCK_PORT: '1', SVC_MOCK_DB: db }), {
    code: 0,
    errors: /^svc-mock: this server is temporary, so it ignores SVC_MOCK_PORT, SVC_MOCK_DB; /
  })
  t.notOk(existsSync(db))
})

void t.test('a mistake in the options is told before anything runs', async (t) => {
  for (const args of [
    [],
    ['npm', 'test'],
    ['--'],
    ['--env', 'x', '--', 'true'],
    ['--env', '=x', '--', 'true'],
    ['--clock', 'slow', '--', 'true'],
    ['--rate', '0', '--', 'true'],
    ['--rate', 'x', '--', 'true'],
    ['--rate', '2', '--clock', 'frozen', '--', 'true'],
    ['--url', 'nowhere', '--', 'true'],
    ['--url', 'http://127.0.0.1:1', '--demo', '--', 'true'],
    ['--token', 'x', '--', 'true'],
    ['--auth', 'off', '--key', 'x', '--', 'true'],
    ['--auth', 'none', '--', 'true'],
    ['--nonsense', '--', 'true']
  ]) {
    const error = t.throws(() => readRunRequest(args, {}))
    t.ok(error instanceof UsageError || error instanceof OptionError, args.join(' '))
  }
  t.match(readRunRequest(['--rate', '60', '--', 'a', '--demo'], {}), {
    command: ['a', '--demo'],
    clock: { mode: 'real', rate: 60 },
    options: { demo: false, db: ':memory:', port: 0, logLevel: 'silent' }
  })
  t.match(readRunRequest(['--virtual-time', '--', 'a'], {}), { clock: undefined, isTimeVirtual: true })
  t.match(readRunRequest(['--', 'a'], { SVC_MOCK_DEMO: 'true', SVC_MOCK_URL: 'x' }), { options: { demo: true } })
})

void t.test('the address of a running server reaches the command without a slash at its end', async (t) => {
  for (const url of ['http://127.0.0.1:1', 'http://127.0.0.1:1/', 'HTTP://127.0.0.1:1'])
    t.equal(readRunRequest(['--url', url, '--', 'true'], {}).server?.url, 'http://127.0.0.1:1')
})
