import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ctlCommand } from '../src/cli/ctl.js'
import { CONTROL_COMMANDS } from '../src/cli/ctl-commands.js'
import { UsageError } from '../src/cli/usage.js'
import { type Mock, type Options, startMock } from '../src/index.js'
import { type Body, runCommand } from './helper.js'
import { messageOf, patternOf } from './messages.js'

interface Outcome {
  readonly code: number
  readonly out: string
  readonly errors: string
}

/** Runs `svc-mock ctl` in this process, against a server and the sandbox of a key. */
async function ctl(t: Test, args: readonly string[]): Promise<Outcome> {
  const out = t.capture(console, 'log')
  const errors = t.capture(console, 'error')
  try {
    const code = await ctlCommand([...args])
    return { code, out: textOf(out()), errors: textOf(errors()) }
  } finally {
    out.restore()
    errors.restore()
  }
}

const textOf = (calls: readonly { args: unknown[] }[]) => calls.map(({ args }) => args.join(' ')).join('\n')

/** A server, and a way to control one sandbox of it. @returns the parsed result of a command that must succeed */
async function open(
  t: Test,
  options: Partial<Options> = {}
): Promise<{ mock: Mock; run: (...args: string[]) => Promise<Outcome>; result: (...args: string[]) => Promise<Body> }> {
  const mock = await startMock(options)
  t.teardown(() => mock.close())
  const target = ['--url', mock.url, ...(options.auth === 'off' ? [] : ['--key', 'ctl'])]
  const run = (...args: string[]) => ctl(t, [...args, ...target])
  const result = async (...args: string[]) => {
    const { code, out, errors } = await run(...args)
    if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${errors}`)
    return JSON.parse(out)
  }
  return { mock, run, result }
}

void t.test('a sandbox is seeded, exported, changed, imported and reset', async (t) => {
  const { result } = await open(t)
  const directory = t.testdir({
    'seed.yaml': 'workgroups:\n  - { id: main, name: Main }\n',
    'other.json': '{ "workgroups": [{ "id": "other" }] }'
  })
  const groups = async () => ((await result('state', 'export')).workgroups as Body[]).map(({ id }) => id as string)
  t.strictSame(await result('seed', join(directory, 'seed.yaml')), {
    Message: 'The document was imported, and is now the baseline.'
  })
  const file = join(directory, 'out.json')
  t.strictSame(await result('state', 'export'), await result('state', 'export'))
  t.equal((await result('state', 'import', join(directory, 'other.json'))).Message, 'The document was imported.')
  t.strictSame(await groups(), ['other'])
  t.strictSame(await result('reset'), { Message: 'The sandbox was reset.' })
  t.strictSame(await groups(), ['main'])
  await result('clock', 'set', '--mode', 'frozen', '--now', '2030-01-01T00:00:00Z')
  await result('reset', '--keep', 'clock,transitions')
  await result('reset', '--keep', 'faults', '--keep', 'clock')
  t.match(await result('clock'), { mode: 'frozen', now: '2030-01-01T00:00:00.000Z' })
  const { code, out } = await ctl(t, ['state', 'export', file, '--url', (await open(t)).mock.url, '--key', 'x'])
  t.strictSame([code, out], [0, ''])
  t.match(JSON.parse(readFileSync(file, 'utf8')), { format: 1 })
})

void t.test('snapshots and sandboxes', async (t) => {
  const { mock, result, run } = await open(t)
  t.match(await result('snapshot', 'save', 'a'), { name: 'a' })
  t.match(await result('snapshot', 'list'), [{ name: 'a' }])
  const { key, expires_at: expires } = await result('sandbox', 'create', 'a', '--ttl', 'PT1H')
  t.match(key, /^fork_/)
  t.match(expires, /^\d{4}-/)
  t.equal((await ctl(t, ['sandbox', 'delete', '--url', mock.url, '--key', key as string])).code, 0)
  t.match(await ctl(t, ['clock', '--url', mock.url, '--key', key as string]), {
    code: 1,
    errors: `svc-mock: ${messageOf('unauthorized', 'gone')}`
  })
  await result('snapshot', 'restore', 'a')
  await result('snapshot', 'delete', 'a')
  t.strictSame(await run('snapshot', 'restore', 'a'), {
    code: 1,
    out: '',
    errors: `svc-mock: ${messageOf('notFound', 'resource', { what: 'snapshot', id: 'a' })}`
  })
})

void t.test('the clock is moved, and what is due is listed', async (t) => {
  const { mock, result, run } = await open(t)
  const box = mock.sandbox('ctl')
  await box.seed({
    clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' },
    workgroups: [{ id: 'main', workspaces: [{ id: 'w', status: 'Resuming' }] }]
  })
  t.match(await result('events'), [{ event: 'workspace.resume', resource_id: 'w' }])
  t.match(await result('clock', 'advance', '--until', 'w=Active'), {
    clock: { now: '2027-01-01T00:00:02.000Z' },
    fired: [{ event: 'workspace.resume' }]
  })
  t.match(await result('timeline', 'w'), [{ from: 'Resuming', to: 'Active' }])
  t.match(await result('clock', 'advance', '--by', 'PT1H'), { clock: { now: '2027-01-01T01:00:02.000Z' } })
  t.match(await result('clock', 'advance', '--until', 'idle'), { fired: [] })
  t.match(await result('clock', 'set', '--mode', 'real', '--rate', '60'), { clock: { mode: 'real', rate: 60 } })
  const { code, errors } = await run('clock', 'advance', '--to', '2020-01-01T00:00:00Z')
  t.equal(code, 1)
  t.match(errors.slice('svc-mock: '.length), patternOf('notAllowed', { to: 'past' }))
})

void t.test('rules, quotas, backups and activity', async (t) => {
  const { mock, result } = await open(t)
  await mock.sandbox('ctl').seed({ clock: { mode: 'frozen' }, workgroups: [{ id: 'main', workspaces: [{ id: 'w' }] }] })
  t.match(await result('transitions', 'set', '[{"transition": "backup.run", "outcome": "hold"}]'), {
    rules: [{ outcome: 'hold' }]
  })
  t.match(await result('transitions'), { rules: [{ transition: 'backup.run' }] })
  t.match(await result('backup', 'w', '--tag', 'mine'), { tag: 'mine', status: 'Running' })
  t.match(await result('transitions', 'release', '--resource', 'w'), { fired: [{ event: 'backup.run' }] })
  t.match(await result('quotas', 'set', '{"rw_workspaces": 1}'), { rw_workspaces: 1 })
  t.match(await result('quotas'), { rw_workspaces: 1, ro_workspaces: null })
  t.match(await result('activity', 'w'), { Message: 'The workspace is Active.' })
})

void t.test('faults, requests, verification and coverage', async (t) => {
  const { mock, result, run } = await open(t)
  const { url, headers } = mock.sandbox('ctl')
  t.match(await result('fault', 'add', '{"operation": "listWorkgroups", "times": 1, "effect": {"status": 503}}'), {
    id: 'fault-1'
  })
  const reply = await fetch(`${url}/controller/v4/v2/workgroups`, { headers })
  t.equal(reply.status, 503)
  t.match(await result('fault', 'list'), [{ id: 'fault-1', hits: 1 }])
  await result('fault', 'clear', 'fault-1')
  t.match(await result('fault', 'clear'), { removed: 0 })
  const { requests } = await result('requests', '--operation', 'listWorkgroups', '--status', '5xx', '--limit', '5')
  t.match(requests, [{ status: 503, fault: { id: 'fault-1' } }])
  t.match(await result('requests', 'show', requests[0].request_id as string), { request: { status: 503 } })
  t.match(await result('requests', 'verify', '{"operation": "listWorkgroups", "times": {"exactly": 1}}'), { count: 1 })
  const values = { operation: 'listWorkgroups', count: '1 time', wanted: 'exactly 2' }
  t.match(await run('requests', 'verify', '{"operation": "listWorkgroups", "times": {"exactly": 2}}'), {
    code: 1,
    out: '',
    errors: `svc-mock: ${messageOf('notAllowed', 'called', values)}`
  })
  t.match(await result('coverage'), { summary: {} })
  t.match(await run('coverage', '--format', 'junit'), { code: 0, out: /^<\?xml/ })
  await result('coverage', 'clear')
  await result('requests', 'clear')
  t.match(await result('requests'), { requests: [] })
})

void t.test('without credentials no key is needed; a token is sent if there is one', async (t) => {
  const { result, run } = await open(t, { auth: 'off', controlToken: 't0ken' })
  t.match(await run('clock'), { code: 1, errors: messageOf('forbidden', 'token') })
  t.match(await result('clock', '--token', 't0ken'), { mode: 'real' })
})

void t.test('a mistake in the command line is told, and nothing is sent', async (t) => {
  for (const [args, message] of [
    [[], 'name a command'],
    [['fly'], 'there is no command ctl fly'],
    [['snapshot', 'lose', 'a'], 'there is no command ctl snapshot lose'],
    [['snapshot', 'save'], 'it is used as: ctl snapshot save NAME'],
    [['requests', 'show', 'a', 'b'], 'it is used as: ctl requests show ID'],
    [['reset', '--by', 'PT1S'], 'ctl reset has no option --by'],
    [['reset', '--bye', 'PT1S'], "Unknown option '--bye'"],
    [['clock', '--url', 'localhost'], '--url must be an http URL, but is localhost'],
    [['clock', 'set', '--rate', 'fast'], '--rate must be a number, but is fast'],
    [['fault', 'add', '{'], /^\{ is not JSON/],
    [['state', 'import', '/nowhere'], '/nowhere cannot be read (ENOENT)'],
    [['clock', '--key', 'a', '--key', 'b'], '--key was given 2 times'],
    [['clock', '--key', 'a\nb'], '--key must be a text of visible ASCII characters'],
    [['requests', 'verify', '@/nowhere'], /^\/nowhere cannot be read \(ENOENT\)/]
  ] as [string[], string | RegExp][]) {
    const error = await ctl(t, args).catch((error: unknown) => error)
    t.ok(error instanceof UsageError, args.join(' '))
    t.match((error as Error).message, message)
  }
})

void t.test('a server that does not answer, or is another one, is told apart', async (t) => {
  t.strictSame(await ctl(t, ['clock', '--url', 'http://127.0.0.1:9']), {
    code: 3,
    out: '',
    errors: 'svc-mock: http://127.0.0.1:9 does not answer (bad port)'
  })
  const server: Server = createServer((_, response) => {
    response.writeHead(502).end('Bad Gateway')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t.strictSame(await ctl(t, ['clock', '--url', url]), { code: 1, out: '', errors: 'svc-mock: status 502' })
  await new Promise((resolve) => server.close(resolve))
  t.match(await ctl(t, ['clock', '--url', url]), { code: 3, errors: /does not answer \(ECONNREFUSED\)/ })
})

void t.test('the help names every command', async (t) => {
  const { code, out } = await ctl(t, ['--help'])
  t.equal(code, 0)
  for (const { usage, help } of CONTROL_COMMANDS) t.ok(out.includes(usage) && out.includes(help), usage)
})

void t.test('as a process: JSON on the standard output, documents on the standard input, and exit codes', async (t) => {
  const mock = await startMock()
  t.teardown(() => mock.close())
  const process = async (...args: string[]) => {
    const { exited, output, errors } = runCommand(t, ['ctl', ...args, '--url', mock.url, '--key', 'p'])
    const { code } = await exited
    return { code, out: output(), errors: errors() }
  }
  const [clock, wrong, unknown] = await Promise.all([
    process('clock'),
    process('snapshot', 'restore', 'x'),
    process('fly')
  ])
  t.match(JSON.parse(clock.out), { mode: 'real' })
  t.match(wrong, {
    code: 1,
    out: '',
    errors: `svc-mock: ${messageOf('notFound', 'resource', { what: 'snapshot', id: 'x' })}\n`
  })
  t.match(unknown, { code: 2, errors: "svc-mock: there is no command ctl fly (see 'svc-mock ctl --help')\n" })
})
