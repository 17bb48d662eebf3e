import t from 'tap'
import { bannerOf } from '../../src/cli/serve.js'
import { terminalFormat } from '../../src/cli/terminal.js'
import { sandboxIdOf } from '../../src/lib/secrets.js'
import { checkOptions, embeddedDefaults, type Options } from '../../src/options.js'

const optionsOf = (given: Partial<Options> = {}) => checkOptions(given, embeddedDefaults())

function whole(entry: object, hasColors = false): string {
  const format = terminalFormat({ prefixes: ['/api/controller/v4/v2', '/api'], hasColors })
  return format(JSON.stringify({ level: 30, time: Date.now(), msg: 'a message', ...entry }))
}

/** Without its time. */
function shown(entry: object, hasColors = false): string {
  const line = whole(entry, hasColors)
  return line.slice(line.indexOf(' ') + 1, -1)
}

const REQUEST = {
  operationId: 'listWorkgroups',
  method: 'GET',
  path: '/api/controller/v4/v2/workgroups',
  status: 200,
  ms: 4.3
}

void t.test('a request is one line: the path below the base path, the time, and who called', async (t) => {
  t.equal(shown({ ...REQUEST, sandbox: 'ci' }), 'GET /workgroups 200 4 ms ci')
  t.equal(shown({ ...REQUEST, path: '/api/users', ms: 0.4 }), 'GET /users 200 <1 ms')
  t.equal(
    shown({ ...REQUEST, sandbox: '0123456789ab', fault: 'fault-1' }),
    'GET /workgroups 200 4 ms 0123456789ab fault-1'
  )
})

void t.test("only the sandbox of the banner's key has a name", async (t) => {
  const nameOf = (key: string) =>
    shown({ ...REQUEST, sandbox: sandboxIdOf(key).slice(0, 12) })
      .split(' ')
      .at(-1)
  t.equal(nameOf('demo'), 'demo')
  t.equal(nameOf('hunter2'), sandboxIdOf('hunter2').slice(0, 12))
})

void t.test('an unknown path is shown in full, without control characters', async (t) => {
  const { operationId: _, ...unknown } = REQUEST
  t.equal(shown({ ...unknown, status: 404 }), 'GET /api/controller/v4/v2/workgroups 404 4 ms')
  t.equal(shown({ ...unknown, path: '/\x9b31m\x1b[2J', status: 404 }), String.raw`GET /\u009b31m\u001b[2J 404 4 ms`)
})

void t.test('messages show their level, and errors their stack', async (t) => {
  t.match(whole({}), /^\d\d:\d\d:\d\d a message\n$/)
  t.equal(shown({ level: 40 }), 'warning: a message')
  t.equal(shown({ level: 50, err: { stack: 'Error: no\n    at a' } }), 'error: a message\nError: no\n    at a')
})

void t.test('colours appear only if the terminal supports them', async (t) => {
  t.match(shown({ ...REQUEST, status: 500 }, true), '\x1b[31m500\x1b[0m')
  t.match(shown({ ...REQUEST, status: 404 }, true), '\x1b[33m404\x1b[0m')
  t.match(shown(REQUEST, true), '\x1b[32m200\x1b[0m')
})

const at = (url: string, base = '') => ({ url, controller: `${url}${base}/controller/v4/v2` })

void t.test('the banner has all addresses, the file, and a command to copy', async (t) => {
  const banner = bannerOf(at('http://127.0.0.1:4700', '/api'), optionsOf({ db: 'a.db', basePath: '/api' }))
  for (const part of [
    /Interface +http:\/\/127\.0\.0\.1:4700\/api\/controller\/v4\/v2\n/,
    /Console +http:\/\/127\.0\.0\.1:4700\/_mock\/\n/,
    /API docs +http:\/\/127\.0\.0\.1:4700\/docs\n/,
    /Data +\/.*\/a\.db\n/,
    /curl -H 'x-api-key: demo' http:\/\/127\.0\.0\.1:4700\/api\/controller\/v4\/v2\/workgroups\n/
  ])
    t.match(banner, part)
  t.match(bannerOf(at('http://0.0.0.0:1'), optionsOf()), /curl .*http:\/\/127\.0\.0\.1:1\//)
  t.match(bannerOf(at('http://[::]:1'), optionsOf({ auth: 'off' })), /curl http:\/\/\[::1\]:1\//)
})

void t.test('the banner shows no key', async (t) => {
  const banner = bannerOf(at('http://127.0.0.1:1'), optionsOf({ auth: 'strict', apiKeys: ['ci=hunter2'] }))
  t.match(banner, 'curl -H "x-api-key: $KEY" http')
  t.notMatch(banner, 'hunter2')
})
