import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { CONTROL_COMMANDS } from '../src/cli/ctl-calls.js'
import { UsageError } from '../src/cli/usage.js'
import { startMock } from '../src/node/index.js'
import { ctl, openCtl as open } from './cli/ctl.js'
import { problemsOf } from './doc-blocks.js'
import { listen, replaceMethod } from './helper.js'
import { messageOf, patternOf } from './messages.js'

const START = "; start 'svc-mock serve', or set --url to another server"

const FAILING = '{"operation":"listWorkgroups","times":1,"effect":{"status":503}}'
const HELD = '[{"transition":"backup.run","outcome":"hold"}]'

/** An empty list as a pattern of `match` matches any list, and an empty object any object. */
const NONE = { length: 0 }

/** Command lines, in order, and their output. JSON arguments have no spaces. */
const STEPS: readonly (readonly [line: string, result: unknown])[] = [
  ['seed FOLDER/seed.yaml', { Message: 'The document was imported, and is now the baseline.' }],
  ['state export', { workgroups: [{ id: 'main' }] }],
  ['workspaces', { workspaces: [{ workspace_id: 'w' }] }],
  ['events', [{ event: 'workspace.resume', resource_id: 'w' }]],
  ['clock advance --until w=Active', { clock: { now: '2027-01-01T00:00:02.000Z' }, fired: [{ resource_id: 'w' }] }],
  ['timeline w', [{ from: 'Resuming', to: 'Active' }]],
  ['clock advance --by 1h', { clock: { now: '2027-01-01T01:00:02.000Z' } }],
  ['clock advance --to 2027-01-02T00:00:00Z', { clock: { now: '2027-01-02T00:00:00.000Z' } }],
  ['clock advance --until idle --max 7d', { fired: NONE }],
  ['transitions set [{"transition":"backup.run","after":"90s"}]', { rules: [{ after: 'PT90S' }] }],
  ['transitions set @FOLDER/printed.json', { rules: [{ outcome: 'hold' }] }],
  ['transitions', { rules: [{ transition: 'backup.run' }] }],
  ['backup w --tag mine', { tag: 'mine', status: 'Running' }],
  ['transitions release --resource w', { fired: [{ event: 'backup.run' }] }],
  ['quotas set {"rw_workspaces":1}', { rw_workspaces: 1 }],
  ['quotas', { rw_workspaces: 1, ro_workspaces: null }],
  ['activity w', { status: 'Active' }],
  ['profile', { name: 'built-in' }],
  ['assumptions', [{ id: 'P-001' }]],
  [`fault add ${FAILING}`, { id: 'fault-1' }],
  ['REQUEST', 503],
  ['fault list', [{ id: 'fault-1', hits: 1 }]],
  ['fault clear fault-1', { removed: 1 }],
  ['fault add {"effect":{"delay":{"min":"PT1S","max":"1m"}}}', { effect: { delay: { min: 'PT1S', max: 'PT1M' } } }],
  ['fault clear', { removed: 1 }],
  ['requests --operation listWorkgroups --status 5xx --limit 5', { requests: [{ fault: { id: 'fault-1' } }] }],
  ['requests show REQUEST_ID', { request: { status: 503 } }],
  ['requests verify {"operation":"listWorkgroups","times":{"exactly":1}}', { count: 1 }],
  ['report', { findings: NONE }],
  ['coverage', { summary: { faults: { exercised: 1 } } }],
  ['coverage clear', { Message: 'The coverage was reset.' }],
  ['coverage', { summary: { faults: { exercised: 0 } } }],
  ['requests clear', { Message: 'The journal is empty.' }],
  ['requests', { requests: NONE, total: 0 }],
  ['snapshot save a', { name: 'a' }],
  ['snapshot list', [{ name: 'a' }]],
  ['sandbox create a --ttl 1h', { key: /^fork_/, expires_at: /^\d{4}-/ }],
  ['snapshot restore a', { Message: 'The snapshot was restored.' }],
  ['snapshot delete a', { Message: 'The snapshot was deleted.' }],
  ['snapshot list', NONE],
  ['state import FOLDER/other.json', { Message: 'The document was imported.' }],
  ['state export', { workgroups: [{ id: 'other' }], transitions: [{ after: 'P1D' }] }],
  ['clock set --mode frozen --now 2030-01-01T00:00:00Z', { clock: { mode: 'frozen' } }],
  ['reset --keep clock,transitions', { Message: 'The sandbox was reset.' }],
  ['reset --keep faults --keep clock', { Message: 'The sandbox was reset.' }],
  ['clock', { mode: 'frozen', now: '2030-01-01T00:00:00.000Z' }],
  ['state export', { workgroups: [{ id: 'main' }] }],
  ['clock set --mode real --rate 60', { clock: { mode: 'real', rate: 60 } }],
  ['sandboxes --limit 1', { sandboxes: { length: 1 }, total: 2 }],
  ['sandboxes purge 7d', { removed: 0 }],
  ['sandbox delete', { Message: 'The sandbox was removed.' }]
]

void t.test('each command makes its call, and prints the result, with durations in ISO 8601', async (t) => {
  const { mock, result, run } = await open(t, { controlToken: 't0ken' })
  const folder = t.testdir({
    'seed.yaml':
      "clock: { mode: frozen, now: '2027-01-01T00:00:00Z' }\n" +
      'workgroups: [{ id: main, workspaces: [{ id: w, status: Resuming }] }]\n',
    'other.json': '{"workgroups": [{"id": "other"}], "transitions": [{"transition": "backup.run", "after": "1d"}]}',
    'printed.json': `{"rules": ${HELD}, "transitions": []}`
  })
  const { url, headers } = mock.sandbox('ctl')
  let id = ''
  for (const [line, expected] of STEPS) {
    if (line === 'REQUEST') {
      const reply = await fetch(`${url}/controller/v4/v2/workgroups`, { headers })
      id = reply.headers.get('x-request-id')!
      t.equal(reply.status, expected)
    } else {
      const words = line.replace('FOLDER', folder).replace('REQUEST_ID', id).split(' ')
      t.match(await result(...words, '--token', 't0ken'), expected, line)
    }
  }
  const names = CONTROL_COMMANDS.map(({ usage }) => usage.replace(/ [[A-Z].*/, ''))
  const others = names.filter((name) => !STEPS.some(([line]) => line.startsWith(name)))
  t.strictSame(others, ['recording'], 'which prints no JSON')
  t.match(await run('recording', '--token', 't0ken'), { code: 0, out: /^\{"svcmock":1,/ })
})

void t.test('a refusal of the server exits with 1, and its message', async (t) => {
  const { run } = await open(t)
  const called = { operation: 'listWorkgroups', count: 0, wanted: 'exactly 2' }
  for (const [args, message] of [
    [['snapshot', 'restore', 'a'], messageOf('notFound', 'resource', { what: 'snapshot', id: 'a' })],
    [['clock', 'advance', '--to', '2020-01-01T00:00:00Z'], patternOf('notAllowed', { to: 'past' })],
    [['clock', 'advance'], /\bby\b.*\buntil\b/],
    [['clock', 'set', '--rate', 'fast'], /rate must be a number/],
    [
      ['fault', 'add', '{"operation": "getWorkspce", "effect": {"status": 503}}'],
      /operation must be one of .+ \(did you mean getWorkspace\?\)/
    ],
    [['requests', '--operation', 'getWorkspce'], /operation must be one of .+ \(did you mean getWorkspace\?\)/],
    [
      ['requests', 'verify', '{"operation": "listWorkgroups", "times": {"exactly": 2}}'],
      messageOf('notAllowed', 'called', called)
    ]
  ] as const) {
    const { code, out, errors } = await run(...args)
    t.strictSame([code, out], [1, ''])
    t.match(errors.replace('svc-mock: ', ''), message)
  }
})

void t.test('results can go to a file, and reports have other formats', async (t) => {
  const { result, run } = await open(t)
  const file = join(t.testdir(), 'out.json')
  t.strictSame(await run('state', 'export', file), { code: 0, out: '', errors: '' })
  t.strictSame(await result('state', 'export'), JSON.parse(readFileSync(file, 'utf8')))
  t.match(await run('coverage', '--format', 'junit'), { code: 0, out: /^<\?xml/ })
})

void t.test('with --auth off, no key is needed; a token is sent if there is one', async (t) => {
  const { result, run } = await open(t, { auth: 'off', controlToken: 't0ken' })
  t.match(await run('clock'), { code: 1, errors: messageOf('forbidden', 'token') })
  t.match(await result('clock', '--token', 't0ken'), { mode: 'real' })
})

void t.test('a call without a credential says how to set one', async (t) => {
  await using mock = await startMock({ controlToken: 't0ken' })
  t.strictSame(await ctl(t, ['clock', '--url', mock.url, '--token', 't0ken']), {
    code: 1,
    out: '',
    errors: `svc-mock: ${messageOf('unauthorized', 'required')} Set --key or SVC_MOCK_KEY.`
  })
  t.strictSame(await ctl(t, ['clock', '--url', mock.url, '--key', 'k']), {
    code: 1,
    out: '',
    errors: `svc-mock: ${messageOf('forbidden', 'token')} Set --token or SVC_MOCK_TOKEN.`
  })
})

void t.test('the server, the key and the token can come from the environment, and flags override it', async (t) => {
  await using mock = await startMock({ controlToken: 't0ken' })
  const env = { SVC_MOCK_URL: mock.url, SVC_MOCK_KEY: 'env', SVC_MOCK_TOKEN: 't0ken' }
  t.match(await ctl(t, ['snapshot', 'save', 'a'], { env }), { code: 0 })
  t.match(await mock.sandbox('env').snapshot.list(), [{ name: 'a' }])
  t.strictSame(await ctl(t, ['snapshot', 'list', '--key', 'other'], { env }), { code: 0, out: '[]', errors: '' })
  t.match(await ctl(t, ['clock', '--token', 'wrong'], { env }), { code: 1, errors: messageOf('forbidden', 'token') })
  t.match(await ctl(t, ['clock', '--url', 'http://127.0.0.1:9'], { env }), { code: 3 })
  t.match(await ctl(t, ['clock'], { env: { ...env, SVC_MOCK_KEY: '' } }), {
    code: 1,
    errors: messageOf('unauthorized', 'required')
  })
  for (const [variable, value, message] of [
    ['SVC_MOCK_URL', 'nowhere', 'SVC_MOCK_URL must be an http URL, but is nowhere'],
    ['SVC_MOCK_KEY', 'a b', 'SVC_MOCK_KEY must be a text of visible ASCII characters'],
    ['SVC_MOCK_TOKEN', 'a\tb', 'SVC_MOCK_TOKEN must be a text of visible ASCII characters']
  ] as const)
    await t.rejects(ctl(t, ['clock'], { env: { ...env, [variable]: value } }), { message })
})

void t.test('no error shows a token', async (t) => {
  const { run, mock } = await open(t, { controlToken: 't0ken' })
  for (const args of [
    ['--token', 'hunter2'],
    ['--tokne', 'hunter2'],
    ['--tokne=hunter2'],
    ['--token', 'hunter2', '--token', 'hunter2'],
    ['--token', 'hunter2\n'],
    ['--token', '-hunter2'],
    ['--json=hunter2']
  ]) {
    const outcome = await run('clock', ...args).catch((error: unknown) => ({ errors: (error as Error).message }))
    t.notMatch(outcome.errors, /hunter2/, args.join(' '))
    t.not(outcome.errors, '')
  }
  const env = { SVC_MOCK_TOKEN: 'hunter2', SVC_MOCK_KEY: 'k' }
  t.notMatch((await ctl(t, ['clock', '--url', mock.url], { env })).errors, /hunter2/)
})

void t.test('a usage error is reported, and nothing is sent', async (t) => {
  for (const [args, message] of [
    [[], 'name a command of ctl'],
    [['fly'], 'there is no command ctl fly'],
    [['snapshot', 'lose', 'a'], 'there is no command ctl snapshot lose'],
    [['snapshot', 'save'], 'usage: ctl snapshot save NAME'],
    [['requests', 'show', 'a', 'b'], 'usage: ctl requests show ID'],
    [['reset', '--by', 'PT1S'], 'ctl reset has no option --by'],
    [['clock', 'advnace', '--by', 'PT1S'], 'ctl clock has no option --by; did you mean clock advance?'],
    [['--kye', 'k', 'clock'], /^there is no option --kye; did you mean --key\?$/],
    [['clokc', 'set'], 'there is no command ctl clokc set; did you mean clock set?'],
    [['clock', 'advnace'], 'usage: ctl clock; did you mean clock advance?'],
    [['requests', 'shwo', 'a'], 'usage: ctl requests; did you mean requests show?'],
    [['clock', 'advance', '--until', 'a'], '--until must be idle or WORKSPACE=STATUS, but is a'],
    [['seed'], /^usage: ctl seed FILE$/],
    [['events', 'now'], /^usage: ctl events$/],
    [['requests', '--follow', '--limit', '5'], '--follow prints only new requests, so omit --limit'],
    [['clock', '--url', 'localhost'], '--url must be an http URL, but is localhost'],
    [['fault', 'add', '{'], /^\{ is not JSON/],
    [['state', 'import', '/nowhere'], '/nowhere does not exist'],
    [['seed', ''], 'usage: ctl seed FILE'],
    [['fault', 'clear', ' '], 'usage: ctl fault clear [ID]'],
    [['clock', '--key'], '--key needs a value'],
    [['clock', '--key', '--json'], '--key needs a value; if it begins with a hyphen, write --key=VALUE'],
    [['clock', '--json=1'], '--json takes no value'],
    [
      ['clock', '--url', 'http://127.0.0.1:9/foo'],
      /^--url must be .+ without a path or a query, such as http:\/\/127\.0\.0\.1:9$/
    ],
    [['clock', '--url', 'http://h/?token=hunter2'], /^(?!.*hunter2)--url must be .+ such as http:\/\/h$/],
    [['clock', '--url', 'ftp://h/?token=hunter2#hunter2'], '--url must be an http URL, but is ftp://h/'],
    [['clock', '--url', 'http://u:hunter2@127.0.0.1:9/foo'], /^--url must have no user and no password$/],
    [['clock', '--url', 'htps://u:hunter2@h'], /^--url must be an http URL, but is htps:\/\/\*{3}@h$/],
    [['clock', '--key', 'a\nb'], '--key must be a text of visible ASCII characters'],
    [['requests', 'verify', '@/nowhere'], /^\/nowhere does not exist$/]
  ] as [string[], string | RegExp][]) {
    const error = await t.rejects(ctl(t, args), UsageError, args.join(' '))
    t.match((error as Error).message, message)
  }
})

void t.test('no server, and another server, are distinguished', async (t) => {
  t.strictSame(await ctl(t, ['clock', '--url', 'http://127.0.0.1:9']), {
    code: 3,
    out: '',
    errors: `svc-mock: http://127.0.0.1:9 does not answer (ECONNREFUSED)${START}`
  })
  let [status, type, body] = [502, 'text/html; charset=utf-8', '<h1>Hello</h1>']
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  })
  const url = await listen(t, server)
  t.strictSame(await ctl(t, ['clock', '--url', url]), {
    code: 1,
    out: '',
    errors: `svc-mock: ${url} answers with status 502, but not like svc-mock; set --url to the right server`
  })
  status = 200
  t.match(await ctl(t, ['clock', '--url', url]), {
    code: 1,
    out: '',
    errors: `svc-mock: ${url} answers with a web page, but not like svc-mock; set --url to the right server`
  })
  ;[type, body] = ['application/json', '{"status":"ok"}']
  t.match(await ctl(t, ['state', 'export', '--url', url]), { code: 1, out: '', errors: /status 200, but not like/ })
  await new Promise((resolve) => server.close(resolve))
  t.match(await ctl(t, ['clock', '--url', url]), { code: 3, errors: /does not answer \(ECONNREFUSED\)/ })
})

void t.test('an unreadable or unwritable file is a usage error that names it', async (t) => {
  const { run } = await open(t)
  const directory = t.testdir({ 'two.yaml': 'org: {}\n---\norg: {}\n', 'empty.yaml': '' })
  for (const [command, name, reason] of [
    ['seed', 'two.yaml', 'has more than one document; a second one begins at line 2'],
    ['seed', 'empty.yaml', 'is empty'],
    ['state import', '', 'is a directory, not a file'],
    ['state export', '', 'is a directory, not a file'],
    ['state export', 'none/x.json', 'cannot be written: its directory does not exist']
  ] as const) {
    const path = join(directory, name)
    await t.rejects(run(...command.split(' '), path), { name: 'UsageError', message: `${path} ${reason}` }, name)
  }
})

void t.test('no call loads fetch, which is slow to load', async (t) => {
  const { result } = await open(t)
  replaceMethod(t, globalThis, 'fetch', () => Promise.reject(new Error('fetch was called')))
  t.match(await result('clock'), { mode: 'real' })
})

void t.test('each command has a help with its flags and with valid examples', async (t) => {
  const common = (await ctl(t, ['--help'])).out
  for (const text of ['--url', '--key', '--token', '--json', 'SVC_MOCK_URL', 'SVC_MOCK_KEY', 'SVC_MOCK_TOKEN'])
    t.match(common, text)
  for (const { usage, help, flags, examples } of CONTROL_COMMANDS) {
    t.ok(common.includes(usage) && common.includes(help), usage)
    const name = usage.split(' ').filter((word) => /^[a-z]/.test(word))
    const { code, out } = await ctl(t, [...name, '--help'])
    t.equal(code, 0, usage)
    t.ok(out.startsWith(`Usage: svc-mock ctl ${usage} [options]\n\n${help}\n`), usage)
    for (const flag of Object.keys(flags)) t.match(out, `  --${flag}`)
    t.not(examples.length, 0, usage)
    for (const example of examples) {
      t.match(out, `\n  svc-mock ctl ${example}`)
      t.ok(example.startsWith(name.join(' ')), example)
      t.strictSame(problemsOf({ language: 'sh', code: `svc-mock ctl ${example}` }), [], example)
    }
  }
})

void t.test('in the package, it loads neither the server nor its schemas', async (t) => {
  const folder = t.testdir()
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const { status } = spawnSync(process.execPath, [main, 'ctl', 'clock', '--help'], {
    env: { PATH: process.env['PATH'], NODE_V8_COVERAGE: folder }
  })
  t.equal(status, 0)
  const { result } = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')) as {
    result: { url: string }[]
  }
  const own = result.filter(({ url }) => url.includes('/dist/')).map(({ url }) => statSync(fileURLToPath(url)).size)
  t.ok(own.length > 2, 'what it loads is known')
  t.ok(own.reduce((sum, size) => sum + size, 0) < 150_000, `${own.join(' + ')} bytes`)
})
