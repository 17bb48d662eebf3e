import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { type ClientRequest, createServer, request } from 'node:http'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { callCommand, COMMANDS } from '../src/cli/commands.js'
import { openDatabase } from '../src/db/database.js'
import { optionsHelp } from '../src/options.js'
import { captured, CONTROLLER, goneAddress, listen, MAIN, runProgram, runToEnd, startServer } from './helper.js'
import { reasonOf, sentenceOf, wrongType } from './messages.js'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const HEADERS = { 'x-api-key': 'test', 'content-type': 'application/json' }
const BODY = '{"cloud_provider_id":"x"}'
const SILENT = { code: 0, out: '', errors: '' }

// Tests mostly wait for processes, so run several at once.
t.jobs = 4
// A new object for each test, because tap modifies it.
const meanwhile = () => ({ buffered: true })

const create = (url: string) =>
  fetch(`${url}${CONTROLLER}/workgroups`, { method: 'POST', headers: HEADERS, body: BODY })
const list = async (url: string): Promise<unknown[]> => {
  const reply = await fetch(`${url}${CONTROLLER}/workgroups`, { headers: HEADERS })
  return ((await reply.json()) as { Result: unknown[] }).Result
}

/** Starts a request without its body. @returns it, once the server has seen its headers */
async function begin(url: string): Promise<ClientRequest> {
  const pending = request(`${url}${CONTROLLER}/workgroups`, {
    method: 'POST',
    headers: { ...HEADERS, 'content-length': BODY.length, expect: '100-continue' },
    agent: false
  })
  pending.flushHeaders()
  await new Promise<void>((resolve) => {
    pending.on('continue', resolve)
  })
  return pending
}

void t.test('an endless request delays a stop only for the grace period', meanwhile(), async (t) => {
  const { url, child, exited, seen } = await startServer(t, ['--db', ':memory:'])
  const pending = await begin(url)
  const dropped = new Promise<string | undefined>((resolve) => {
    pending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  })
  child.kill('SIGTERM')
  await seen(/"msg":"stopping: /)
  t.strictSame(await exited, { code: 0, signal: null })
  t.equal(await dropped, 'ECONNRESET')
})

void t.test('--help and --version print to standard output and exit with 0', meanwhile(), async (t) => {
  const [version_, help, serve, wait] = await Promise.all(
    [['--version'], ['--help'], ['serve', '--help'], ['wait', '--help']].map((args) => runToEnd(t, args))
  )
  t.strictSame(version_, { code: 0, out: `${version}\n`, errors: '' })
  for (const args of [['-v'], ['serve', '-v'], ['ctl', 'clock', '--version']])
    t.strictSame(await runToEnd(t, args), version_, args.join(' '))
  for (const command of ['run', 'explore', 'mcp']) {
    const { out } = await runToEnd(t, [command, '--help'])
    t.match(out, `svc-mock ${command} --help-server`)
    t.notMatch(out, '--max-sandboxes')
    t.match((await runToEnd(t, [command, '--help-server'])).out, /--max-sandboxes N\n/)
  }
  t.match(await runToEnd(t, ['wait', '--help-server']), { code: 2, errors: /there is no option --help-server/ })
  for (const args of [['-h'], ['help']]) t.strictSame(await runToEnd(t, args), help, args.join(' '))
  for (const args of [
    ['serve', '--port', '1', '-h'],
    ['help', 'serve']
  ])
    t.strictSame(await runToEnd(t, args), serve, args.join(' '))
  t.match(await runToEnd(t, ['help', 'ctl', 'clock', 'set']), {
    code: 0,
    out: 'Usage: svc-mock ctl clock set [options]'
  })
  t.match(help, {
    code: 0,
    out: /^svc-mock .+\n\nUsage: svc-mock <command> \[options\]\n[^]*\n {2}serve [^]*\n {2}wait /,
    errors: ''
  })
  t.equal(serve!.code, 0)
  t.ok(serve!.out.includes(optionsHelp()), 'every option is listed')
  t.notMatch(serve!.out, /`|\]\(/, 'without Markdown')
  t.match(wait, { code: 0, out: /--url URL\n[^]*--timeout DURATION\n/, errors: '' })
})

void t.test('the help of each command lists its flags', async (t) => {
  for (const [name, { load }] of Object.entries(COMMANDS)) {
    const { out } = await captured(t, () => callCommand(name, ['-h']))
    const { flags = {}, subcommands = [] } = await load()
    t.match(out, `Usage: svc-mock ${name} `)
    for (const flag of Object.keys(flags)) t.match(out, `\n  --${flag}`, name)
    for (const { usage } of subcommands) t.match(out, `\n  ${usage}`, name)
  }
})

void t.test('a usage error exits with 2 and a reason in one line', meanwhile(), async (t) => {
  const names = Object.keys(COMMANDS)
  await Promise.all(
    (
      [
        [[], `name a command: ${names.join(', ')}`],
        [['dance'], 'there is no command dance'],
        [['srve'], 'there is no command srve; did you mean serve?'],
        [['serve'], 'SVC_MOCK_AUTH must be one of any, strict, off, but is "none"', { SVC_MOCK_AUTH: 'none' }],
        [
          ['serve', '--db', ':memory:', '--brand-resource-name', 'email'],
          '--brand-resource-name would rename srn to email, which is the name of something else'
        ],
        [['wait', '--url', 'nowhere'], '--url must be an http URL, but is nowhere'],
        [['wait', '--timeout', 'soon'], `--timeout ${reasonOf('duration')}, but is soon`],
        [['wait', '--timout', '1s'], 'there is no option --timout; did you mean --timeout?'],
        [['serve', '-hh'], 'there is no option -h'],
        [['wait', '-hh'], 'there is no option -h'],
        [['wait', 'foo'], 'unexpected argument foo; only options are accepted'],
        [['wait', '--timeout', '-1'], `--timeout ${reasonOf('duration')}, but is -1`],
        [['--versoin'], 'there is no option --versoin; did you mean --version?'],
        [['openapi', '--contrl'], 'there is no option --contrl; did you mean --control?'],
        [['openapi', '--control', '--schema', 'state'], '--control and --schema exclude each other'],
        [['openapi', '--max-snapshots', '1'], 'there is no option --max-snapshots'],
        [['compact', '--db'], '--db needs a value']
      ] as [string[], string, Record<string, string>?][]
    ).map(async ([args, message, env]) => {
      const see = ['svc-mock', ...names.filter((name) => name === args[0]), '--help'].join(' ')
      const errors = `svc-mock: ${message} (see '${see}')\n`
      t.strictSame(await runToEnd(t, args, env), { code: 2, out: '', errors }, args.join(' '))
    })
  )
})

void t.test('a failure exits with 1 and a reason in one line', meanwhile(), async (t) => {
  const { port } = new URL(await listen(t))
  const directory = t.testdir({
    'notes.txt': 'dear diary, '.repeat(100),
    'wrong.yaml': 'orgs: []\nworkgroups:\n  - workspaces:\n      - { auto_stop_minutes: soon, database: main }\n'
  })
  const path = join(directory, 'open.db')
  const open = openDatabase(path)
  t.teardown(open.close)
  const below = join(directory, 'notes.txt', 'a.db')
  await Promise.all(
    (
      [
        [
          ['--db', ':memory:', '--port', port],
          `port ${port} of 127.0.0.1 is in use; stop what listens there, or choose another --port`
        ],
        [
          ['--db', ':memory:', '--port', '0', '--host', '203.0.113.1'],
          '203.0.113.1 is not an address of this machine; choose another --host'
        ],
        [
          ['--db', path],
          `cannot use the database ${path}: it is open in another server; stop that one, or choose another --db`
        ],
        [['--db', below], `cannot use the database ${below}: it is a directory, or cannot be written there`],
        [
          ['--db', ':memory:', '--seed-file', join(directory, 'wrong.yaml')],
          `the seed file ${join(directory, 'wrong.yaml')} is not valid: ` +
            sentenceOf({
              'orgs (line 1, column 1)': ['unknownMeant', { meant: 'org' }],
              'workgroups.0.workspaces.0.auto_stop_minutes (line 4, column 11)': wrongType('integer', 'string'),
              'workgroups.0.workspaces.0.database (line 4, column 36)': ['databaseId', { id: 'main' }]
            })
        ],
        [
          ['--db', join(directory, 'notes.txt')],
          `cannot use the database ${join(directory, 'notes.txt')}: the file is not an SQLite database`
        ]
      ] as [string[], string][]
    ).map(async ([args, message]) => {
      const ended = await runToEnd(t, ['serve', ...args])
      t.strictSame(ended, { code: 1, out: '', errors: `svc-mock: ${message}\n` }, args.join(' '))
    })
  )
  const deleted = ['sh', '-c', 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"', join(directory, 'deleted')] as const
  const { exited } = runProgram(t, [...deleted, process.execPath, MAIN, 'serve', '--port', '0'], process.env)
  t.match(await exited, { code: 1 }, 'in a folder that was deleted')
})

const FULL = '/dev/full'

void t.test(
  'output that cannot be written is a failure',
  { ...meanwhile(), skip: existsSync(FULL) ? false : `needs ${FULL}` },
  async (t) => {
    const { url } = await startServer(t, ['--db', ':memory:'])
    const full = openSync(FULL, 'w')
    t.teardown(() => closeSync(full))
    const target = ['--url', url, '--key', 'k']
    t.strictSame(await runToEnd(t, ['ctl', 'state', 'export', FULL, ...target]), {
      code: 1,
      out: '',
      errors: `svc-mock: ${FULL} cannot be written (ENOSPC)\n`
    })
    const calls = [
      ['-h'],
      ['openapi'],
      ['ctl', 'clock', '-h'],
      ['ctl', 'clock', ...target],
      ['ctl', 'state', 'export', ...target]
    ]
    await Promise.all(
      calls.map(async (args) => {
        const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', full, 'pipe'] })
        let errors = ''
        child.stderr!.setEncoding('utf8').on('data', (text: string) => {
          errors += text
        })
        const [code] = (await once(child, 'close')) as [number | null]
        t.equal(code, 1, args.join(' '))
        t.equal(errors, 'svc-mock: the standard output cannot be written (ENOSPC)\n')
      })
    )
  }
)

void t.test(
  'the first line of the log has the address, the settings, and a curl that works',
  meanwhile(),
  async (t) => {
    const { url, output } = await startServer(t, ['--db', ':memory:', '--base-path', '/api', '--log-level', 'error'])
    const [line = ''] = output().split('\n')
    const first = JSON.parse(line) as Record<string, string>
    const curl = `curl -H 'x-api-key: demo' ${url}/api${CONTROLLER}/workgroups`
    t.match(first, {
      url,
      auth: 'any',
      db: ':memory:',
      msg: `listening on ${url}, credentials: any, control API: from this machine, database: :memory:; try: ${curl}`
    })
    const [, name, value, target] = /curl -H '(.+): (.+)' (\S+)$/.exec(first['msg']!)!
    t.equal((await fetch(target!, { headers: { [name!]: value! } })).status, 200)
  }
)

void t.test('with --auth strict, the curl shows no key; with off, it needs none', meanwhile(), async (t) => {
  const [strict, off] = await Promise.all([
    startServer(t, ['--db', ':memory:', '--auth', 'strict'], { SVC_MOCK_API_KEYS: 'ci=hunter2' }),
    startServer(t, ['--db', ':memory:', '--auth', 'off'])
  ])
  t.match(strict.output(), "try: curl -H 'x-api-key: <one of your keys>' http://")
  t.notMatch(strict.output(), /hunter2/)
  t.match(off.output(), `try: curl ${off.url}${CONTROLLER}/workgroups`)
  t.equal((await fetch(`${off.url}${CONTROLLER}/workgroups`)).status, 200)
})

void t.test('data survives a restart, and SIGTERM and SIGINT exit with 0', meanwhile(), async (t) => {
  const db = join(t.testdir(), 'a.db')
  for (const [index, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
    const { url, child, exited } = await startServer(t, ['--db', db])
    t.equal((await list(url)).length, index)
    t.equal((await create(url)).status, 200)
    child.kill(signal)
    t.strictSame(await exited, { code: 0, signal: null }, signal)
  }
})

void t.test('SIGTERM finishes the request in flight, then exits with 0', meanwhile(), async (t) => {
  const { url, child, exited, seen } = await startServer(t, ['--db', ':memory:'])
  const pending = await begin(url)
  child.kill('SIGTERM')
  await seen(/"msg":"stopping: /)
  const answered = new Promise<number | undefined>((resolve) => {
    pending.on('response', (reply) => {
      reply.resume()
      resolve(reply.statusCode)
    })
  })
  pending.end(BODY)
  t.equal(await answered, 200)
  t.strictSame(await exited, { code: 0, signal: null })
})

void t.test('a second signal exits at once, with the code of that signal', meanwhile(), async (t) => {
  await Promise.all(
    (
      [
        ['SIGTERM', 143],
        ['SIGINT', 130]
      ] as const
    ).map(async ([signal, code]) => {
      const { url, child, exited, seen } = await startServer(t, ['--db', ':memory:'])
      const pending = await begin(url)
      pending.on('error', () => undefined)
      child.kill('SIGTERM')
      await seen(/"msg":"stopping: /)
      child.kill(signal)
      t.strictSame(await exited, { code, signal: null })
    })
  )
})

void t.test('wait exits with 0 when the server is ready, or becomes ready', meanwhile(), async (t) => {
  const { url } = await startServer(t, ['--db', ':memory:', '--base-path', '/api'])
  for (const timeout of ['5', '100000m', '1m30s', 'PT1M'])
    t.strictSame(await runToEnd(t, ['wait', '--url', url, '--timeout', timeout]), SILENT, timeout)

  let asked = 0
  const late = createServer((_request, reply) => {
    reply.writeHead(++asked < 3 ? 503 : 200).end()
  })
  t.strictSame(await runToEnd(t, ['wait', '--url', await listen(t, late), '--timeout', '5s']), SILENT)
  t.equal(asked, 3)
})

void t.test('wait reads SVC_MOCK_URL, and a flag overrides it', meanwhile(), async (t) => {
  const { url } = await startServer(t, ['--db', ':memory:'])
  t.strictSame(await runToEnd(t, ['wait', '--timeout', '5s'], { SVC_MOCK_URL: url }), SILENT)
  const env = { SVC_MOCK_URL: 'nowhere' }
  t.strictSame(await runToEnd(t, ['wait', '--timeout', '5s', '--url', url], env), SILENT)
  t.match(await runToEnd(t, ['wait'], env), {
    code: 2,
    errors: 'svc-mock: SVC_MOCK_URL must be an http URL, but is nowhere'
  })
})

void t.test('openapi prints the documents that a server publishes', meanwhile(), async (t) => {
  const { url } = await startServer(t, ['--db', ':memory:', '--brand', 'acme', '--strict-bodies'])
  const get = async (path: string) => `${await (await fetch(`${url}${path}`)).text()}\n`
  t.strictSame(await runToEnd(t, ['openapi', '--brand', 'acme', '--strict-bodies'], { SVC_MOCK_PORT: 'none' }), {
    code: 0,
    out: await get('/openapi.json'),
    errors: ''
  })
  t.strictSame(await runToEnd(t, ['openapi', '--control', '--strict-bodies'], { SVC_MOCK_BRAND: 'acme' }), {
    code: 0,
    out: await get('/_mock/openapi.json'),
    errors: ''
  })
  t.match(await runToEnd(t, ['openapi', '--base-path', 'x/']), {
    code: 2,
    errors: 'svc-mock: --base-path must be a path such'
  })
  t.match(await runToEnd(t, ['openapi', '--brand-resource-name', 'email']), {
    code: 2,
    errors: 'svc-mock: --brand-resource-name would rename srn to email'
  })
  for (const [name, document, wrong] of [
    ['profile', { profile: 1, quotas: { manual_backups: { default: 5 } } }, { profile: 2 }],
    ['state', { workgroups: [{ id: 'main', workspaces: [{ agent_config: {} }] }] }, { workgroups: [{ id: 1 }] }]
  ] as const) {
    const { out } = await runToEnd(t, ['openapi', '--schema', name])
    const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(out) as object)
    t.ok(isValid(document), name)
    t.notOk(isValid(wrong), name)
  }
  t.match(await runToEnd(t, ['openapi', '--schema', 'seed']), {
    code: 2,
    errors: 'svc-mock: --schema must be profile or state'
  })
})

void t.test('wait exits with 1 after its timeout, with the last problem', meanwhile(), async (t) => {
  /** A server that answers its first requests with these statuses, and no others. */
  const answering = (...statuses: number[]) =>
    listen(
      t,
      createServer((_request, reply) => {
        const status = statuses.shift()
        if (status !== undefined) reply.writeHead(status).end()
      })
    )
  // A reply must come in time, even on a busy machine.
  const cases = [
    [await goneAddress(t), 'ECONNREFUSED', '2s'],
    [await answering(...Array<number>(100).fill(404)), 'status 404', '2s'],
    [await answering(), 'no answer', '300ms'],
    [await answering(404), 'status 404', '2s']
  ] as const
  for (const [url, what, timeout] of cases)
    t.strictSame(
      await runToEnd(t, ['wait', '--url', url, '--timeout', timeout]),
      { code: 1, out: '', errors: `svc-mock: ${url}/_mock/ready was not ready in time (${what})\n` },
      what
    )
})
