import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { EXPLORE } from '../src/cli/commands/explore.js'
import { MCP } from '../src/cli/commands/mcp.js'
import { RUN } from '../src/cli/commands/run.js'
import { readExploreRequest } from '../src/cli/explore-arguments.js'
import { readMcpRequest } from '../src/cli/mcp.js'
import { readRunRequest } from '../src/cli/run.js'
import { readServeOptions } from '../src/cli/serve.js'
import type { Environment } from '../src/cli/target.js'
import { ServiceError } from '../src/interface/errors.js'
import { plainText } from '../src/lib/plain-text.js'
import {
  checkOptions,
  embeddedDefaults,
  namedKeys,
  OptionError,
  type OptionName,
  OPTIONS,
  optionsHelp,
  optionsTable
} from '../src/options.js'
import { forProgram } from '../src/test-control/handle/from-caller.js'
import { reasonOf } from './messages.js'

const DEFAULTS = Object.fromEntries(Object.entries(OPTIONS).map(([name, option]) => [name, option.default]))

/** Reads the options of `svc-mock serve`. */
const read = (args: readonly string[], env: Environment = {}) => readServeOptions(args, env)

const withKeys = (...keys: string[]) => ['--auth', 'strict', ...keys.map((key) => `--api-key=${key}`)]

/** Texts that an option accepts, at least two, with the values they give, and texts that it refuses with the reason. */
interface Case {
  readonly good: Record<string, unknown>
  readonly bad: readonly string[]
  readonly reason: string
  /** Flags that it needs. */
  readonly with?: readonly string[]
}

const MOST = 2_147_483_647

const text = (...good: readonly [string, string, ...string[]]): Case => ({
  good: Object.fromEntries(good.map((word) => [word, word])),
  bad: [''],
  reason: 'must be a non-empty text'
})

const choice = (...words: readonly string[]): Case => ({
  good: Object.fromEntries(words.map((word) => [word, word])),
  bad: ['', 'none', words[0]!.toUpperCase()],
  reason: `must be one of ${words.join(', ')}`
})

const whole = (least: number, most = MOST): Case => ({
  good: { [least]: least, [most]: most },
  bad: [`${least - 1}`, `${most + 1}`, '', '80.5', '8e1', '0x50', 'x', ' 80'],
  reason: `must be a whole number from ${least} to ${most}`
})

const wholeOr = (word: string, least: number): Case => ({
  good: { [least]: least, [word]: word },
  bad: [`${least - 1}`, '', '1.5', '1GB', '99999999999999999999'],
  reason: `must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}, or ${word}`
})

const onOff = (): Case => ({
  good: { '1': true, true: true, '0': false, false: false },
  bad: ['', 'yes', 'TRUE'],
  reason: 'must be true or false'
})

const brandName = (...good: readonly [string, string]): Case => ({
  ...text(...good),
  bad: ['Acme', '1a', 'a-b', 'a_b', 'a:b', 'ü', ' a'],
  reason: 'must be lower-case letters and digits, beginning with a letter'
})

const CASES: Record<OptionName, Case> = {
  host: text('0.0.0.0', '::1'),
  port: whole(0, 65_535),
  db: text(':memory:', 'a b.db'),
  // `strict` needs a key.
  auth: { ...choice('any', 'strict', 'off'), good: { any: 'any', off: 'off' } },
  apiKeys: {
    good: { 'a=1': ['a=1'], 'a=1, b=2=3': ['a=1', 'b=2=3'] },
    bad: ['hunter2', '=hunter2', 'a=', 'a b=hunter2', 'a=1,hunter2'],
    reason: 'must have the form NAME=KEY',
    with: ['--auth', 'strict']
  },
  maxSandboxes: whole(1),
  sandboxIdle: {
    good: { '1h30m': '1h30m', off: 'off' },
    bad: ['0', '3600', 'PT0S', '0s', '1H', 'OFF'],
    reason: `${reasonOf('positiveDuration')}; or off`
  },
  maxDatabaseBytes: wholeOr('off', 1_048_576),
  maxResources: whole(10),
  maxSnapshots: whole(0),
  timelineEntries: whole(1),
  seed: wholeOr('random', 0),
  seedFile: text('seed.yaml', 'a b.json'),
  demo: onOff(),
  profile: {
    ...text('profile.yaml', 'a b.json'),
    reason: 'must be the name or the path of a profile, or a profile as an object'
  },
  transitions: choice('instant', 'fast', 'realistic'),
  workspaceHostTemplate: {
    ...text(
      'localhost:9000',
      '{workspace_id}.test',
      '[::1]:9000',
      '{workspace_id}.a/{org_id}',
      '{workgroup_id}.{region}:1'
    ),
    bad: ['', '{workspce_id}.test', '{}.test', '{workspace_id', 'a b', 'http://a.test', 'a:port', '$id.test'],
    reason: 'must be a host such as'
  },
  basePath: {
    ...text('/', '/api/v1.0/~x_y-z'),
    bad: [
      'api',
      '/api/',
      '//',
      '/a//b',
      '/_mock',
      '/_mock/x',
      '/docs',
      '/openapi.json',
      '/a b',
      '/:x',
      '/*',
      '/a?b',
      '/a/../b',
      '/.'
    ],
    reason: 'must be a path such as /api, without segments such as .. or a slash at its end, not under /_mock or /docs'
  },
  trustProxy: {
    good: { '10.0.0.0/8': ['10.0.0.0/8'], '::1,1.2.3.4': ['::1', '1.2.3.4'] },
    bad: ['localhost', '127.1', '10.0.0.0/33', '1.2.3.4,x'],
    reason: 'must be an IP address or a CIDR block'
  },
  corsOrigin: {
    good: {
      'http://localhost:5173': ['http://localhost:5173'],
      'https://a.example,https://b.example': ['https://a.example', 'https://b.example']
    },
    bad: ['*', 'localhost', 'http://localhost/', 'HTTP://localhost', 'http://localhost:80', 'null'],
    reason: 'must be an origin such as http://localhost:5173'
  },
  control: choice('loopback', 'open'),
  controlToken: {
    ...text('t0ken', 'a=b'),
    bad: ['hunter2 ', 'hünter2'],
    reason: 'must be a text of visible ASCII characters'
  },
  allowedHost: {
    good: { 'svc-mock': ['svc-mock'], 'a.test,::1': ['a.test', '::1'] },
    bad: ['a b', 'http://a', 'svc-mock:4700'],
    reason: 'must be a host name or an address, without a port'
  },
  logLevel: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  strictBodies: onOff(),
  brand: brandName('acme', 'a1'),
  brandResourceName: brandName('arn', 'x2'),
  bodyLimit: whole(1),
  journalRequests: whole(0),
  journalBytes: whole(1024),
  journalTotalBytes: whole(1024, Number.MAX_SAFE_INTEGER),
  record: text('recordings', '/tmp/a b'),
  recordKeep: wholeOr('all', 1)
}
const entries = Object.entries(CASES) as [OptionName, (typeof CASES)[OptionName]][]

void t.test('without flags and environment, each option has its default', async (t) => {
  t.strictSame(read([]), DEFAULTS)
  t.strictSame(read([], { PATH: '/bin', NODE_ENV: 'test' }), DEFAULTS, 'other variables do not matter')
  t.strictSame(embeddedDefaults(), { ...DEFAULTS, port: 0, db: ':memory:', logLevel: 'silent' })
})

void t.test('every option can be a flag, also with =, or a variable, which the flag overrides', async (t) => {
  for (const [name, { good, with: others = [] }] of entries) {
    const { flag, env } = OPTIONS[name]
    for (const [text, value] of Object.entries(good)) {
      const another = Object.keys(good).find((one) => one !== text)!
      t.strictSame(read(others, { [env]: text })[name], value, `${env}=${text}`)
      t.strictSame(read([`${flag}=${text}`, ...others], { [env]: another })[name], value, `${flag} wins over ${env}`)
      if (name !== 'strictBodies' && name !== 'demo')
        t.strictSame(read([flag, text, ...others])[name], value, `${flag} ${text}`)
    }
  }
})

void t.test('every option refuses invalid values, naming the flag or the variable', async (t) => {
  for (const [name, { bad, reason, with: others = [] }] of entries) {
    const { flag, env } = OPTIONS[name]
    for (const text of bad) {
      const start = (source: string) => new RegExp(`^${source} ${reason}`.replaceAll(/[.()]/g, '\\$&'))
      t.throws(() => read([`${flag}=${text}`, ...others]), { message: start(flag) }, `${flag}=${text}`)
      t.throws(() => read(others, { [env]: text }), { message: start(env) }, `${env}=${text}`)
    }
  }
})

void t.test('an error names the flag or the variable', async (t) => {
  const variable = 'there is no option for the environment variable'
  for (const [args, message, env] of [
    [['--port', 'x'], '--port must be a whole number from 0 to 65535, but is "x"'],
    [['-p'], 'there is no option -p'],
    [['--constructor'], 'there is no option --constructor'],
    [['x'], 'unexpected argument x; only options are accepted'],
    [['--prot'], 'there is no option --prot; did you mean --port?'],
    [['--PORT'], 'there is no option --PORT; did you mean --port?'],
    [['--seedfile=a.yaml'], 'there is no option --seedfile; did you mean --seed-file?'],
    [[], `${variable} SVC_MOCK_`, { SVC_MOCK_: '1' }],
    [[], `${variable} SVC_MOCK_PROT; did you mean SVC_MOCK_PORT?`, { SVC_MOCK_PROT: '1' }],
    [['--auth'], '--auth needs a value'],
    [['--auth', 'strict'], '--auth strict needs --api-key, such as NAME=KEY'],
    [['--auth', 'any'], '--api-key needs --auth strict', { SVC_MOCK_API_KEYS: 'a=1' }],
    [['--auth', 'off'], '--api-key needs --auth strict', { SVC_MOCK_API_KEYS: 'a=1' }],
    [withKeys('a=é'), '--api-key must have a key of visible ASCII characters'],
    [withKeys('b=hunter2', 'c=hunter2'), '--api-key gives one key two names; use one of them'],
    [['--control-token', ''], '--control-token must be a text of visible ASCII characters'],
    [['--demo', '--seed-file', 'a.yaml'], '--demo and --seed-file exclude each other; use one of them']
  ] as [string[], string, Environment?][])
    t.throws(() => read(args, env), { message }, args.join(' '))
})

void t.test('variables of other commands are ignored', async (t) => {
  const env = Object.fromEntries(['URL', 'KEY', 'TOKEN', 'COMMAND'].map((name) => [`SVC_MOCK_${name}`, 'x']))
  t.strictSame(read([], env), DEFAULTS)
})

void t.test('a switch needs no value, and does not take the next word', async (t) => {
  t.equal(read(['--strict-bodies']).strictBodies, true)
  t.equal(read(['--strict-bodies=false'], { SVC_MOCK_STRICT_BODIES: 'true' }).strictBodies, false)
  t.strictSame(read(['--strict-bodies', '--port', '1']).port, 1)
})

void t.test('repeated lists add up, and a flag replaces the variable', async (t) => {
  t.strictSame(read(withKeys('a=1', 'b=2,c=3')).apiKeys, ['a=1', 'b=2', 'c=3'])
  t.strictSame(read(['--trust-proxy', '::1'], { SVC_MOCK_TRUST_PROXY: '1.2.3.4' }).trustProxy, ['::1'])
  t.equal(read([], { SVC_MOCK_CONTROL_TOKEN: '' }).controlToken, '', 'an empty variable is no token')
})

void t.test('a key belongs to one name, and can be given twice', async (t) => {
  t.strictSame(namedKeys(read(withKeys('a=1,b=2=3', 'a=1'))), new Map(Object.entries({ 1: 'a', '2=3': 'b' })))
})

void t.test('no error shows an API key', async (t) => {
  for (const [args, env] of [
    [['--api-key', 'hunter2']],
    [['--api-key=hunter2']],
    [['--api-keys=ci=hunter2']],
    [['--api-key', 'ci=1', 'dev=hunter2']],
    [['--apikey=hunter2']],
    [['--api-key', 'ci=hunter2']],
    [withKeys('a b=hunter2')],
    [withKeys('b=hunter2', 'c=hunter2')],
    [[], { SVC_MOCK_API_KEYS: 'hunter2' }],
    [[], { SVC_MOCK_API_KEY: 'ci=hunter2' }]
  ] as [string[], Environment?][])
    t.throws(() => read(args, env), { message: /^(?!.*hunter2)/s }, args.join(' '))
})

void t.test('errors for programs use the names of options', async (t) => {
  const told = (text: string) => forProgram(new Error(text)).message
  t.equal(told('above --max-snapshots; with --auth off (--port 0)'), 'above maxSnapshots; with auth off (port 0)')
  for (const text of ['no flag', '/a/--db', "'--db'", '--dbx', 'a--db', '--db-file']) t.equal(told(text), text)
  const error = forProgram(new ServiceError('quotaExceeded', 'It is --max-resources.'))
  t.match(error, { message: 'It is maxResources.', details: [{ Reason: 'It is maxResources.' }] })
  t.match(forProgram(new Error('choose another --db')).stack, /^Error: choose another db\n/)
  t.equal(forProgram('--db'), '--db')
})

void t.test('checkOptions() takes typed values, over the defaults', async (t) => {
  const defaults = embeddedDefaults()
  t.strictSame(checkOptions({}, defaults), defaults)
  t.strictSame(checkOptions({ port: 1, db: undefined, strictBodies: true }, defaults), {
    ...defaults,
    port: 1,
    strictBodies: true
  })
  for (const [given, message] of [
    [{ bogus: 1 }, 'there is no option bogus'],
    [{ seedfile: 'a.yaml' }, 'there is no option seedfile; did you mean seedFile?'],
    [{ auth: 'strict', apiKeys: ['hunter2'] }, 'apiKeys must have the form NAME=KEY'],
    [{ auth: 'strict', apiKeys: ['b=1', 'c=2', 'b=3'] }, 'apiKeys gives two keys one name; name each differently'],
    [{ controlToken: '' }, 'controlToken must be a text of visible ASCII characters'],
    [{ demo: true, seedFile: 'a.yaml' }, 'demo and seedFile exclude each other; use one of them'],
    [null, 'options must be an object such as { port: 4700 }, not null'],
    ['4700', 'options must be an object such as { port: 4700 }, not a string'],
    [[4700], 'options must be an object such as { port: 4700 }, not an array'],
    [{ port: 1n }, 'port must be a whole number from 0 to 65535, but is a bigint'],
    [{ host: () => 'a' }, 'host must be a non-empty text, but is a function'],
    [{ toString: 1 }, 'there is no option toString'],
    [{ port: '1' }, 'port must be a whole number from 0 to 65535, but is "1"'],
    [{ port: 1.5 }, 'port must be a whole number from 0 to 65535, but is 1.5'],
    [{ host: 5 }, 'host must be a non-empty text, but is 5'],
    [{ db: 'file:///a.db' }, 'db must be a path, not a URL, but is "file:///a.db"'],
    [{ db: null }, 'db must be a non-empty text, but is null'],
    [{ strictBodies: 'true' }, 'strictBodies must be true or false, but is "true"'],
    [{ corsOrigin: 'http://x' }, 'corsOrigin must be a list, but is "http://x"'],
    [{ trustProxy: [5] }, 'trustProxy must be a list of texts, but is [5]'],
    [
      { trustProxy: ['10.0.0.1', '10.0.0.300'] },
      'trustProxy must be an IP address or a CIDR block, but is "10.0.0.300"'
    ],
    [
      { sandboxIdle: 5 },
      'sandboxIdle must be a duration such as 90s, 1h30m or 7d, or in ISO 8601 such as PT1H30M, and more than zero; ' +
        'or off, but is 5'
    ],
    [{ seed: 4e20 }, 'seed must be a whole number from 0 to 9007199254740991, or random, but is 400000000000000000000'],
    [{ auth: 'strict' }, 'auth strict needs apiKeys, such as NAME=KEY'],
    [{ apiKeys: ['a=1'] }, 'apiKeys needs auth strict']
  ] as const)
    t.throws(() => checkOptions(given, defaults), new OptionError(message))
})

void t.test('the help and the table for docs/options.md list every option with its variable', async (t) => {
  for (const { flag, env, help } of Object.values(OPTIONS)) {
    for (const text of [flag, env, plainText(help)]) t.ok(optionsHelp().includes(text), `the help has ${text}`)
    t.match(optionsTable(), new RegExp(`^\\| \`${flag}[ \`].*\\| \`${env}\` \\|`, 'm'))
  }
  t.equal(optionsTable().split('\n').length, 2 + Object.keys(OPTIONS).length)
  t.match(optionsTable(), '| `--auth any\\|strict\\|off` | `SVC_MOCK_AUTH` | any |')
  t.match(optionsHelp(), '  --strict-bodies\n')
  t.match(optionsHelp(), 'Default: off. Environment: SVC_MOCK_STRICT_BODIES.')
  t.match(optionsHelp(), 'Default: none. Environment: SVC_MOCK_TRUST_PROXY.')
})

void t.test(
  'commands with a server of their own show its defaults, and only the variables that it reads',
  async (t) => {
    const helps = {
      run: { text: RUN.server!.help(), read: (env: Environment) => readRunRequest(['--', 'true'], env) },
      explore: { text: EXPLORE.server!.help(), read: (env: Environment) => readExploreRequest(['--', 'true'], env) },
      mcp: { text: MCP.server!.help(), read: (env: Environment) => readMcpRequest([], env) }
    }
    for (const [command, { text, read }] of Object.entries(helps)) {
      const { options } = read({})
      const isRead = (name: OptionName) => {
        try {
          return !isDeepStrictEqual(read({ [OPTIONS[name].env]: 'changed' }).options, options)
        } catch {
          return true
        }
      }
      let listed = 0
      for (const name of Object.keys(OPTIONS) as OptionName[]) {
        const { flag, env } = OPTIONS[name]
        const entry = new RegExp(
          `^  ${flag}(?: .*)?\n(?:      .*\n)*?      Default: (.+?)\\.(?: Environment: (.+)\\.)?$`,
          'm'
        )
        const [, shown, variable] = entry.exec(text) ?? []
        // One of the same name is the command's own.
        if (shown === undefined) continue
        listed++
        const value = options[name]
        const words = new Map<typeof value, string>([
          ['', 'none'],
          [true, 'on'],
          [false, 'off']
        ])
        t.equal(shown, typeof value === 'object' ? 'none' : (words.get(value) ?? String(value)), `${command} ${flag}`)
        t.equal(variable, isRead(name) ? env : undefined, `${command} ${env}`)
      }
      t.ok(listed > 25, `${command} lists ${listed} options`)
    }
  }
)
