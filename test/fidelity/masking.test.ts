import fc from 'fast-check'
import t from 'tap'
import { conform, type Conformance } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { maskerWith } from '../../src/fidelity/masking/masker.js'
import { vocabularyOf } from '../../src/fidelity/masking/vocabulary.js'
import { BUILT_IN } from '../../src/profile/profile.js'
import { openProfile } from '../../src/resources/open-profile.js'
import { scaled } from '../effort.js'
import type { Body } from '../helper.js'
import { idsOf, ROOT, service } from './asked-service.js'
import { hiddenProfile } from './profiles.js'
import { playService } from './real-service.js'

const vocabulary = vocabularyOf(BUILT_IN)
const masker = (keep: string[] = [], key = 'a key') => maskerWith({ key, keep, vocabulary })
const GROUP = '0b6f4c1e-8a53-4c3b-9d3e-0a1b2c3d4e5f'
const WORKSPACE = '1c7f5d2f-9b64-4d4c-8e4f-1b2c3d4e5f60'
const PATH = `/controller/v4/v2/workgroups/${GROUP}/workspaces/${WORKSPACE}`
const JSON_TYPE = { 'content-type': 'application/json' }

const exchange = (given: Partial<Exchange>): Exchange => ({
  number: 1,
  sent: 0,
  answered: 1,
  method: 'GET',
  path: PATH,
  query: '',
  requestHeaders: JSON_TYPE,
  status: 200,
  headers: JSON_TYPE,
  ...given
})
const mask = (given: Partial<Exchange>, keep: string[] = []) => masker(keep).maskExchange(exchange(given))
const reply = (result: unknown) => exchange({ body: { Error: false, Message: 'ok', Result: result } })
/** The masked value of a field in a reply. */
const field = (name: string, value: unknown) =>
  (mask(reply({ [name]: value })).body as { Result: Record<string, unknown> }).Result[name]

const FIELDS =
  `pin otp psk passcode answer pw kennwort motdepasse value data x seed_phrase recovery cred sig hmac salt jwt
  sas dsn conn uri note description tag name comment label title username license voucher iban ssn mnemonic unlock image
  creator cloud_provider_id addons_id unique_name region status svc_version timezone workspace_type_name`.split(/\s+/)

/** Texts with a secret in them. */
const TEXTS: readonly [text: string, secret: string][] = [
  ['Temporary password: Xk29fjq', 'Xk29fjq'],
  ["CREATE USER a IDENTIFIED BY 'q8Zk1m'", 'q8Zk1m'],
  ['user: bob\npassword: yamlSecret9\n', 'yamlSecret9'],
  ['export TOKEN=envtok3n99', 'envtok3n99'],
  ['postgres://svc:dbpw77x@db.internal.corp:5432/app', 'dbpw77x'],
  ['Server=db;User Id=sa;Password=connPw88;', 'connPw88'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQ\n-----END RSA PRIVATE KEY-----', 'MIIEowIBAAKCAQ'],
  ['use code 884-221 to log in', '884-221'],
  ['call +49 170 5551234', '5551234'],
  ['mail alice.smith@corp.example.org', 'alice.smith'],
  ['{"password":"nestedJson1"}', 'nestedJson1'],
  ['"{\\"a\\":\\"dblNested2\\"}"', 'dblNested2'],
  ['<pw>xmlPw33</pw>', 'xmlPw33'],
  ['Basic YWRtaW46YmFzaWNQdzQ0', 'YWRtaW46YmFzaWNQdzQ0'],
  ['key=AKIAIOSFODNN7EXAMPLQ', 'AKIAIOSFODNN7EXAMPLQ'],
  ['https://u:p4ssInUrl@host.corp/x', 'p4ssInUrl'],
  ['https://bucket.example/f?X-Amz-Signature=deadbeef77', 'deadbeef77'],
  ['ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB bob@laptop', 'AAAAB3NzaC1yc2EAAAADAQAB'],
  ['cGFzc3dvcmQ9YmFzZTY0c2VjcmV0', 'cGFzc3dvcmQ9YmFzZTY0c2VjcmV0'],
  ['%70%61%73%73%3Dpercent99', 'percent99'],
  ['Project Bluebird launches in May', 'Bluebird'],
  ['10.20.30.41', '10.20.30.41'],
  ['db-master.prod.corp.internal', 'corp.internal'],
  ['otpauth://totp/x?secret=JBSWY3DPEHPK3PXP', 'JBSWY3DPEHPK3PXP'],
  ['word '.repeat(200) + 'buriedSecret5', 'buriedSecret5'],
  ['пароль: Секрет123', 'Секрет123'],
  ['密码：机密代码', '机密代码'],
  // Real values may look like pseudonyms.
  ['name-q1w2e3r4t5y6', 'name-q1w2e3r4t5y6'],
  ['user-000000000001@example.test', 'user-000000000001'],
  ['host-000000000002.example.test', 'host-000000000002'],
  ['203.0.113.77/0', '203.0.113.77'],
  ['203.0.113.77/8', '0.113.77'],
  ['127.48.21.93', '48.21.93'],
  ['code 884 221', '884 221'],
  ['1984-07-21', '1984-07-21'],
  ['9482-11-30T00:00:00Z', '9482'],
  ['Mon, 01 Jan 4821 00:00:00 GMT', '4821'],
  ['4821.7733', '4821'],
  ['Temporary password: pause resume active', 'pause resume'],
  ['Passphrase "active workspace" was set.', 'active workspace'],
  ['user: bob\npin: resume\n', 'resume'],
  ["The value ('resume') is too short.", 'resume'],
  ["The value 'pause resume' is too short.", 'resume'],
  ["The value ('pause resume') is too short.", 'resume'],
  ['value="pause resume" is too short', 'resume'],
  ['It is "secret" now', 'secret'],
  ['The token is "new user"', 'new user'],
  ['CREATE USER a IDENTIFIED BY resume', 'resume'],
  ['dial 884, 221 now', '884'],
  ['Reply: resume\nEnd\n', 'resume'],
  ['dial 884 221 now', '884'],
  ['dial 884 221 now', '221'],
  ['psk: resume', 'resume'],
  ['Your password is secret', 'is secret']
]

/** Words of the interface that may be passwords. */
const WEAK = ['active', 'standard', 'resume', 'default', 'admin', 'Active', 'aws']

/** Keys of objects that are not names of fields. */
const KEYS = `sk_live_51HxYzQ9 alice@corp.example.org 4111111111111112 AKIAIOSFODNN7NAME Qm9keUFzS2V5 hunter2 trustno1
  correct-horse-battery correct_horse_battery_staple_moon_river_seven #resume id_qWeRtYuIo
  remembering_horseback_batteries_stapling_together_forever correcthorsebatterystaple sk_live_qwhzkxvbnmtrp db.prod.corp
  ghp_AbCdEfGhIjKl`.split(/\s+/)

/** Values of declared fields, for places where the interface does not declare them. */
const ASTRAY = {
  status: 'letmein',
  region: 'swordfish',
  type: 'dragon',
  roles: ['trustnobody'],
  svc_version: '4.8.21',
  version: '88.42',
  workspace_type_name: 'Hunter-Two',
  cpu: '4821937',
  schedule: '48 21 * * 7',
  repeat_on: 'Mon,Thu',
  time: '18:21',
  timezone: 'Europe/Berlin',
  refresh_message: 'resume',
  size: 73_731,
  cvv: 737,
  platform: 'aws'
}

/** Secrets in all kinds of places. */
function* cases(): Generator<[what: string, secret: string | RegExp, given: Partial<Exchange>]> {
  for (const [index, name] of FIELDS.entries()) {
    const secret = `hunter${index}zQ!`
    yield [`field ${name} of a reply`, secret, reply({ [name]: secret, inner: [{ [name]: secret }] })]
    yield [`field ${name} of a request`, secret, { method: 'POST', requestBody: { [name]: secret } }]
  }
  yield [
    'name and value',
    'nvpair77',
    { method: 'POST', requestBody: { env: [{ name: 'DB_PASSWORD', value: 'nvpair77' }] } }
  ]
  for (const [text, secret] of TEXTS) {
    yield [`text ${text.slice(0, 20)}`, secret, reply({ addons: [{ enable_configuration: { text } }] })]
    const envelope = { Error: true, Message: text, ErrorDetails: [{ Reason: text, FieldName: text, Type: text }] }
    yield [`message ${text.slice(0, 20)}`, secret, { status: 500, body: envelope }]
    yield [`query ${text.slice(0, 20)}`, secret, { query: `sig=${encodeURIComponent(text)}` }]
    yield [`header ${text.slice(0, 20)}`, secret, { requestHeaders: { 'x-note': text }, headers: { 'x-note': text } }]
    yield [`unknown path ${text.slice(0, 20)}`, secret, { path: `/reset-password/${encodeURIComponent(text)}` }]
  }
  for (const weak of WEAK) {
    const secret = new RegExp(`\\b${weak}\\b`)
    const at = { method: 'POST', path: '/login' }
    for (const sent of [{ password: weak }, { user: { new_password: weak } }, [{ name: 'DB_PASSWORD', value: weak }]]) {
      const what = `${weak}, sent as ${JSON.stringify(sent)}`
      yield [what, secret, { ...at, requestBody: sent }]
      for (const Message of [`The value '${weak}' is too short.`, `${weak}! is too short.`, `It must not be ${weak}`])
        yield [`${what}, in "${Message}"`, secret, { ...at, requestBody: sent, body: { Message } }]
    }
    for (const Message of [`Temporary password: ${weak}`, `Your new password is ${weak}.`, `use token ${weak}`])
      yield [Message, secret, { body: { Message } }]
    yield [`password ${weak}`, secret, { path: `${PATH}/dbuser`, requestBody: { username: 'ann', password: weak } }]
    yield [`query ${weak}`, secret, { query: `password=${weak}`, body: { Message: `It is ${weak}` } }]
    yield [`header ${weak}`, secret, { requestHeaders: { 'x-pw': weak }, body: { Message: `It is ${weak}` } }]
    yield [`path ${weak}`, secret, { path: `/reset-password/${weak}`, body: { Message: `It is ${weak}` } }]
    for (const requestHeaders of [
      { authorization: `Basic ${Buffer.from(`ann:${weak}`).toString('base64')}` },
      { authorization: `Bearer  ${weak}` },
      { authorization: weak },
      { cookie: `theme=1; sid=${weak}` }
    ])
      yield [
        `${JSON.stringify(requestHeaders)} ${weak}`,
        secret,
        { requestHeaders, body: { Message: `It is ${weak}` } }
      ]
    yield [`reply ${weak}`, secret, reply({ addons: [{ enable_configuration: { a: weak } }] })]
    const events = `event: ${weak}\ndata: ${weak}\ndata: {"a":"${weak}"}\n\n`
    yield [`events ${weak}`, secret, { headers: { 'content-type': 'text/event-stream' }, body: events }]
  }
  const form = 'user=ann&password=resume'
  const part = '--x\r\nContent-Disposition: form-data; name="pw"\r\n\r\nresume\r\n--x--'
  const lines = '{"user":"ann"}\n{"password":"resume"}'
  for (const requestBody of [
    ['resume'],
    'resume',
    { name: 'resume' },
    { config: '{"pin":"resume"}' },
    form,
    part,
    lines
  ])
    yield [`${JSON.stringify(requestBody)} in a message`, 'resume', { requestBody, body: { Message: 'It is resume' } }]
  yield ['a subject', / workspace"/, { path: '/x', body: { Message: 'It is my workspace', name: 'workspace' } }]
  yield ['a subject', / workspace"/, { body: { Message: 'It is my workspace', Result: { further: 'workspace' } } }]
  yield ['a member', /standard/, { path: '/x', requestBody: { password: 'standard' }, body: { x: { standard: 1 } } }]
  yield ['a path of a field', 'hunter7', { body: { Error: true, ErrorDetails: [{ FieldName: 'addons.hunter7.0' }] } }]
  yield ['a number in a message', /\b737\b/, { path: '/x', requestBody: { cvv: 737 }, body: { Message: 'It is 737' } }]
  for (const [name, value] of Object.entries(ASTRAY)) {
    const secret = String(value)
    yield [`${name} at an unknown path`, secret, { path: '/v1/x', body: { [name]: value, list: [{ [name]: value }] } }]
    yield [`${name} in an open object`, secret, reply({ addons: [{ enable_configuration: { [name]: value } }] })]
    yield [`${name} in a further object`, secret, reply({ further: { [name]: value } })]
    yield [`${name} in a query`, secret, { query: `${name}=${encodeURIComponent(secret)}` }]
  }
  for (const name of ['status', 'region', 'type', 'platform', 'repeat', 'workspace_type_name'])
    yield [`${name} of a request`, 'open-sesame', { method: 'PUT', requestBody: { [name]: 'open-sesame' } }]
  for (const [name, value] of Object.entries({ pin: 4821, otp: 482_193, card: 4_111_111_111_111_111, x: 73_910.5512 }))
    yield [`number ${name}`, String(value), reply({ [name]: value })]
  for (const name of KEYS) {
    yield [`member ${name}`, name, { path: '/v1/sessions', body: { sessions: { [name]: true } } }]
    yield [`member ${name} of an open object`, name, reply({ addons: [{ enable_configuration: { [name]: true } }] })]
    yield [`member ${name} of a further object`, name, reply({ tokens: { [name]: 1 } })]
  }
  const headers = {
    'x-api-key': 'apikey-real-7781',
    authorization: 'Bearer tok-real-9921',
    cookie: 'sid=cookieSid77; theme=dark',
    'user-agent': 'agent-of-BobsLaptop',
    referer: 'https://intranet.corp/wiki?token=refTok5#fragTok6',
    'if-none-match': '"etagSecret7"',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-01',
    'accept-language': 'xx-privatelang9',
    'set-cookie': 'sess=setCookie99; Path=/secretPath8; HttpOnly',
    location: 'https://login.corp.example/cb?code=oauthCode12',
    'www-authenticate': 'Bearer realm="secretRealm4"',
    server: 'nginx-BuildHost7',
    constructor: 'ctorSecret5',
    'content-disposition': 'attachment; filename="payroll-secret9.csv"',
    date: 'notadateSecret',
    'content-type': 'application/json; boundary=ctSecret11',
    sk_live_51hxyzq9: 'x',
    'x-ratelimit-pin': '482177',
    'retry-after': '4821337'
  }
  const secrets = `apikey-real-7781 tok-real-9921 cookieSid77 BobsLaptop refTok5 fragTok6 intranet etagSecret7
    4bf92f3577b34da6a3ce929d0e0e4736 privatelang9 setCookie99 secretPath8 oauthCode12 login.corp secretRealm4 BuildHost7
    payroll notadateSecret ctSecret11 ctorSecret5 sk_live_51hxyzq9 482177 4821337`.split(/\s+/)
  for (const secret of secrets) yield [`headers: ${secret}`, secret, { requestHeaders: headers, headers }]
  yield [
    'headers: a key in the form of a time',
    '2031-04-05',
    { requestHeaders: { 'x-api-key': '2031-04-05T06:07:08Z' } }
  ]
  for (const [path, secret] of [
    ['/download/report-q3-layoffs.pdf', 'layoffs'],
    ['/controller/v4/v2/workgroups/my-secret-group4', 'my-secret-group4'],
    [`${PATH}/acme-project6`, 'acme-project6'],
    ['/u/alice%40corp7.org/x', 'corp7'],
    ['/users/secretuser9/roles', 'secretuser9'],
    ['/;jsessionid=JSESS8', 'JSESS8'],
    ['/users/current', '/current'],
    ['/v48/x', 'v48']
  ] as const)
    yield [`path ${path}`, secret, { path }]
  for (const [query, secret] of [
    ['operation=opQ7', 'opQ7'],
    ['pinQ8', 'pinQ8'],
    ['a[b]=bracketQ9', 'bracketQ9'],
    ['%73ecretQ10=1', 'ecretQ10']
  ] as const)
    yield [`query ${query}`, secret, { query }]
  const typed = (type: string, body: string) => ({ headers: { 'content-type': type }, body })
  yield ['form', 'formPw1', typed('application/x-www-form-urlencoded', 'user=bob&password=formPw1')]
  yield ['events', 'ssePw7', typed('text/event-stream', 'event: ssePw7\ndata: {"p":"ssePw7"}\n: ssePw7\n\n')]
  yield ['a text', 'plainPw3', typed('text/plain', 'plainPw3')]
  yield ['a page', 'htmlPw4', typed('text/html', '<p>htmlPw4</p>')]
  yield ['broken JSON', 'brokenPw5', typed('application/json', '{"password":"brokenPw5"')]
  yield ['JSON that is a text', 'bareStr8', typed('application/json', 'bareStr8')]
  yield ['a list in a text', 'schedSecret1', { ...reply(JSON.stringify([{ id: 'schedSecret1', note: 1 }])) }]
}

/** The encodings of a secret. */
const formsOf = (secret: string) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]

void t.test('no secret stays, wherever it is', async (t) => {
  let count = 0
  for (const [what, secret, given] of cases()) {
    count++
    const text = JSON.stringify(mask(given))
    const isLeft = typeof secret === 'string' ? formsOf(secret).some((form) => text.includes(form)) : secret.test(text)
    if (isLeft) t.fail(what, { secret: String(secret), text })
  }
  t.ok(count > 600, `${count} cases`)
  const one = masker()
  one.maskExchange(exchange({ method: 'POST', requestBody: { username: 'ann', password: 'Resume' } }))
  const later = exchange({ requestHeaders: { 'x-api-key': 'k' }, body: { Message: 'It is resume' } })
  t.notMatch(one.maskExchange(later).body, { Message: /resume/ }, 'a password is remembered')
})

void t.test('values that the interface declares stay', async (t) => {
  const result = {
    status: 'Active',
    is_rw: true,
    auto_stop_minutes: 999_999,
    size: 1_234_567,
    region: 'us-east-1',
    svc_version: '4.2.2',
    workspace_type: { typeName: 'SVC-16', cpu: '128', memory: '1024', partition: 2, ha: 1 },
    further_field: 'Active',
    created_at: '2026-06-03 06:59:27.151543 +0000 UTC',
    deleted_at: '0001-01-01T00:00:00Z',
    last_modified_time: '2026-06-09T08:44:30Z',
    refresh_message: '',
    addons: null,
    _id: 7,
    note: 7
  }
  t.match(mask(reply(result)).body, { Result: result })
  for (const moment of [946_684_800, 1_786_936_080, 1_786_936_080_000]) {
    t.equal(field('created_at', moment), moment, 'a time in another form stays')
    for (const other of ['account', 'created_at_pin']) t.not(field(other, moment), moment, other)
  }
  for (const number of [73_731, 946_684_799, 4_102_444_800])
    t.not(field('created_at', number), number, 'another century')
  for (const state of ['Paused', 'Being moved']) t.equal(field('status', state), state, 'an unknown state is words')
  const chosen = { requestBody: { region: 'westeurope' } }
  t.match(mask({ ...reply({ region: 'westeurope' }), ...chosen }).requestBody, chosen.requestBody, 'a reply shows it')
  t.notMatch(mask(chosen).requestBody, chosen.requestBody)
  for (const shown of [{ status: 'Deleting' }, { further_field: 'Active' }]) {
    const body = { Message: `The workspace is ${Object.values(shown)[0]!}.`, Result: shown }
    t.match(mask({ body }).body, body, 'a word of the service stays in a message that repeats it')
  }
  const message = 'Failed to resume workspace: cannot resume cluster when cluster is pausing'
  t.match(mask({ body: { Message: message } }).body, { Message: message })
  const invalid = { Error: true, ErrorDetails: [{ FieldName: 'addons.0.enable' }] }
  t.match(mask({ status: 400, body: invalid }).body, invalid)
  const schedule = {
    workspace_id: 'w',
    repeat: 'weekly',
    repeat_on: 'Mon,Thu',
    time: '18:30',
    timezone: 'Europe/Berlin'
  }
  const { workspace_id: _, ...kept } = schedule
  t.match(mask({ requestBody: schedule }).requestBody, kept)
  t.match(mask(reply(JSON.stringify([schedule]))).body, { Result: /"time":"18:30"/ })
  t.equal(mask({ query: 'operation=set_backup_schedule' }).query, 'operation=set_backup_schedule')
  t.match(
    mask({ path: `/api${PATH}/pause` }).path,
    /^\/name-\w{12}\/controller\/v4\/v2\/workgroups\/[0-9a-f-]{36}\/workspaces\/.*\/pause$/
  )
  const policy = { 'ratelimit-policy': '"burst";q=5;w=1, "daily";q=1000;w=600', 'x-ratelimit-remaining': '7' }
  const headers = { date: 'Sat, 06 Jun 2026 08:44:30 GMT', 'retry-after': '30', ...policy }
  t.strictSame(mask({ headers: { ...headers, 'content-length': '30' } }).headers, headers)
  t.match(mask({ requestHeaders: { authorization: 'Bearer x' } }).requestHeaders, { authorization: /^Bearer name-/ })
  const named = { 'ratelimit-policy': '"acme-payments";q=5;w=1' }
  t.notMatch(mask({ headers: named }).headers['ratelimit-policy'], 'acme', 'a name of a policy that may be a customer')
})

void t.test('a text stays only if all of it has a harmless form', async (t) => {
  const times =
    `2031-04-05T06:07:08Z 2031-04-05T06:07 automatic-2031-04-05T06:07:08Z manual-2031-04-05T06:07:08.123456789Z
    1970-01-01T00:00:00Z 0001-01-01T00:00:00Z 2031-04-05T06:07:08+02:00`.split(/\s+/)
  for (const time of [...times, '2031-04-05 06:07:08.1 +0000 UTC', 'Thu, 01 Jan 1970 00:00:00 GMT'])
    t.equal(field('further', time), time)
  for (const other of [
    '1970-01-01T04:08:21Z',
    '2031-48-21T06:07:08Z',
    '2031-04-05T06:07:08Z ann',
    'ann 2031-04-05T06:07:08Z',
    '2031-04-05T06:07:08.4821733790Z',
    'Thu, 01 Jan 1971 00:00:00 GMT',
    'Thu, 01 Jan 2031 00:00:00 GMT ann'
  ])
    t.not(field('further', other), other)
  const forms: Readonly<Record<string, readonly [stay: readonly string[], go: readonly string[]]>> = {
    status: [['Being moved'], ['one two three four', 'ann@corp']],
    region: [
      ['mars-north-2', 'westeurope', 'mars2b'],
      ['mars-north-2 ann', 'ann@mars-2', 'mars-4821']
    ],
    svc_version: [
      ['4.9.21', 'v2031.1'],
      ['4.9.21-ann', '4.8.2.1', '4821.7', 'ann-4.9.21']
    ],
    workspace_type_name: [
      ['DB-16 XL', 'Small.2'],
      ['DB-1-2-3', 'DB-4821733790', 'ann@DB-16']
    ],
    cpu: [
      ['64Gi', '128'],
      ['64Gi ann', 'ann64Gi', '4821733790482173']
    ],
    schedule: [
      ['0 3 * * mon-fri', '*/5 3,4 1-7 JAN 7'],
      ['0 4821 * * 7', '0 3 * * 7 ann', 'the big red dog ran']
    ]
  }
  for (const [name, [stay, go]] of Object.entries(forms)) {
    for (const text of stay) t.equal(field(name, text), text, name)
    for (const text of go) t.not(field(name, text), text, name)
  }
  const region = { requestBody: { region: 'mars-north-2' } }
  t.match(mask(region).requestBody, region.requestBody, 'a region with a number, even if no reply shows it')
  t.equal(field('lastLogin', 1_786_936_080), 1_786_936_080)
})

void t.test('a part of a header stays if all of it is harmless', async (t) => {
  for (const [name, value, kept = value] of [
    ['content-type', 'Application/JSON; charset=UTF-8'],
    ['content-type', 'application/json;charset="utf-8"; boundary=ann', 'application/json;charset="utf-8"'],
    ['content-type', 'application/problem+json'],
    ['allow', 'GET, HEAD,POST'],
    ['www-authenticate', 'bearer realm="ann"', 'bearer'],
    ['x-ratelimit-limit-day', '100000'],
    ['ratelimit-reset', '1786936080'],
    ['ratelimit-policy', 'default; q=5; w=1, per-day;q=10;w=86400']
  ] as const)
    t.equal(mask({ headers: { [name]: value } }).headers[name], kept, value)
  for (const [name, value] of [
    ['content-type', 'application/jsonann'],
    ['allow', 'GET, ANN'],
    ['www-authenticate', 'Bearerann x'],
    ['www-authenticate', 'ann Basic x'],
    ['x-ratelimit-limit', '1000 ann'],
    ['x-ratelimit-limit', '4821733790'],
    ['ann-ratelimit-limit', '1000'],
    ['ratelimit-policy', '"burst";q=5;w=1, ann;q=5;w=1'],
    ['retry-after', '30 ann']
  ] as const) {
    const masked = mask({ headers: { [name]: value } }).headers[name]!
    t.match(masked, /^(?:(?:name|text)-\w{12}|\d+)$/, value)
    t.not(masked, value)
  }
})

void t.test('a comparison finds the same in masked exchanges', async (t) => {
  for (let seed = 1; seed <= scaled(1, 2); seed++) {
    const one = masker()
    const exchanges = await playService({ seed, profile: hiddenProfile(seed) })
    const [plain, masked] = [await conform(exchanges), await conform(exchanges.map((item) => one.maskExchange(item)))]
    const found = ({ facts }: Conformance) =>
      facts.map(({ key, agreements, differences }) => ({ key, agreements, differences }))
    t.ok(plain.facts.some(({ differences }) => differences > 0))
    t.strictSame(found(masked), found(plain))
  }
})

void t.test('a service with other replies contradicts nothing under its profile, masked or not', async (t) => {
  const profile = {
    profile: 1,
    name: 'other',
    durations: { 'workspace.create': '0s', 'workspace.delete': '0s', 'backup.run': '0s', 'restore.run': '0s' },
    names: { prefixes: { 'srn:svc:': 'urn:other:' } },
    routes: [
      { operation: 'createWorkspace', method: 'POST', path: '/v1/instances', from: { workgroupID: 'query.project' } },
      { operation: 'getWorkspace', method: 'GET', path: '/v1/instances/{id}' }
    ],
    replies: {
      envelope: 'none',
      error: { error: { code: '{{status}}', kind: '{{type}}', text: '{{message}}', domain: 'control plane' } },
      results: { getWorkgroup: 'list' },
      under: { listWorkgroups: 'projects', listBackups: 'copies' },
      timestamps: { time: 'unix_ms' }
    },
    errors: { notFound: { status: 410, type: 'Missing' } },
    limits: [{ requests: 1000, window: '1m', fields: true }]
  } as const
  const { ask, box, exchanges } = await service(t, { profile })
  const { workgroup_id: group } = await ask('POST', ROOT, { cloud_provider_id: 'a' })
  const { workspace_id: id, database_id: database } = await ask('POST', `/v1/instances?project=${group}`, {})
  const workspace = `${ROOT}/${group}/workspaces/${id}`
  await box.backup(id!)
  const backups = `${ROOT.replace('workgroups', 'workspaces')}/${id}/backups`
  const { copies } = (await ask('GET', backups)) as Body
  await ask('GET', ROOT)
  await ask('GET', `${ROOT}/${group}`)
  await ask('GET', workspace)
  await ask('POST', `${workspace}/dbuser`, { username: 'u', password: 'p' })
  await ask('GET', `${workspace}/dbuser`)
  const job = (await ask('POST', `${workspace}/backups/restore`, { backup_id: copies[0].id })) as unknown as string
  await ask('GET', `${backups}/${job}/status`)
  await ask('DELETE', workspace)
  await ask('DELETE', `${ROOT}/${group}/databases/${database}`)
  await ask('GET', `${ROOT}/none`)
  await ask('GET', `${ROOT}-none`)
  const one = maskerWith({ key: 'a key', keep: [], vocabulary: vocabularyOf(await openProfile(profile)) })
  const masked = exchanges.map((item) => one.maskExchange(item))
  t.match(masked.at(-2)!.body, { error: { code: 410, kind: 'Missing', domain: 'control plane' } })
  for (const played of [exchanges, masked]) {
    const result = await conform(played, { profile })
    t.strictSame([idsOf(result, 'contradicted'), result.refused, result.counts.compared], [[], [], exchanges.length])
  }
})

void t.test('a text has the same pseudonym everywhere, and its form determines the kind', async (t) => {
  const masked = mask({
    requestBody: {
      name: 'Acme',
      a: WORKSPACE,
      b: `workspace-${WORKSPACE.slice(0, 8)}`,
      c: `${WORKSPACE}.us-east-1.db.acme.test:9000`,
      srn: `srn:svc:iam:${WORKSPACE}:user/ann`
    },
    body: { Message: "The workspace 'Acme' was created.", Result: { x: 'Acme', y: 'bob@acme.test', z: 'two words' } }
  })
  const { name, a, b, c } = masked.requestBody as Record<string, string>
  const { Message, Result } = masked.body as { Message: string; Result: Record<string, string> }
  t.match(name, /^name-[0-9a-z]{12}$/)
  t.equal(Result['x'], name)
  t.equal(Message, `The workspace '${name!}' was created.`)
  t.ok(masked.path.endsWith(a!))
  t.equal(b, `workspace-${a!.slice(0, 8)}`)
  t.match(c, new RegExp(`^${a!}\\.us-east-1\\.host-[0-9a-z]{12}\\.example\\.test:9000$`))
  t.match(masked.requestBody, { srn: new RegExp(`^srn:svc:iam:${a!}:user/name-`) })
  t.match(Result['y'], /^user-[0-9a-z]{12}@example\.test$/)
  t.match(Result['z'], /^text-/)
  const user = { id: 'max', srn: `srn:svc:iam:${WORKSPACE}:user/max` }
  const { id, srn } = (masker().maskExchange(reply([user])).body as { Result: (typeof user)[] }).Result[0]!
  t.equal(srn, `srn:svc:iam:${a!}:user/${id}`, 'also if it is a word of the interface')
  t.not(id, 'max')
  t.ok((field('name', 'x'.repeat(257)) as string).length > 256, 'too long stays too long')
  const long = mask({ body: { Message: 'The workspace was created. '.repeat(200) } })
  t.match(long.body, { Message: /^text-\w{12}-+$/ }, 'a long message is replaced as a whole')
  const other = maskerWith({ key: 'another key', keep: [], vocabulary }).maskExchange(reply({ x: 'Acme' }))
  t.not((other.body as { Result: { x: string } }).Result.x, name)
})

void t.test('a text that somebody has chosen is replaced as a whole in messages, too', async (t) => {
  const names = [
    'Blue Group',
    'the workspace',
    "O'Brien",
    '"resume"',
    '(resume)',
    'ends:',
    'a, b',
    'tab\tname',
    'Zoë x'
  ]
  const messages = [
    'Created NAME.',
    "Created 'NAME' now.",
    'Created (NAME) now',
    'The token of NAME was set.',
    '[NAME]'
  ]
  for (const name of [...names, `${'long '.repeat(40)}end`])
    for (const message of messages) {
      const masked = mask({ requestBody: { name }, body: { Message: message.replace('NAME', name) } })
      const own = (masked.requestBody as { name: string }).name
      t.strictSame(masked.body, { Message: message.replace('NAME', own) }, `${message} ${name}`)
    }
  const shorter = mask({
    requestBody: { name: 'Blue Group', note: 'Group of' },
    body: { Message: 'Group of Blue Groups' }
  })
  t.match(shorter.body, { Message: /^text-\w{12} name-\w{12} name-\w{12}$/ }, 'but not in a part of a word')
  const one = masker()
  one.maskExchange(exchange({ method: 'POST', requestBody: { username: 'ann', password: 'pause resume' } }))
  t.notMatch(one.maskExchange(exchange({ body: { Message: 'It is pause resume' } })).body, { Message: /pause|resume/ })
  const moved = maskerWith({ key: 'a key', keep: [], vocabulary: { ...vocabulary, queries: new Set(['project']) } })
  const found = moved.maskExchange(exchange({ query: 'project=default', body: { Message: 'No default workspace' } }))
  t.equal((found.body as { Message: string }).Message, `No ${found.query.split('=')[1]!} workspace`)
  const wide = { requestBody: { name: 'Blue Group' }, body: { Message: 'In İzmir: Blue Group was made' } }
  t.notMatch(mask(wide).body, { Message: /group/i }, 'after a character that two stand for in lower case')
  const time = '2031-04-05T06:07:08Z'
  const until = { requestBody: { until: time }, query: `at=${time}`, body: { Message: `Active until ${time}.` } }
  t.match(mask(until).body, until.body, 'a time stays')
})

void t.test('--keep names fields, headers and paths that stay', async (t) => {
  t.match(mask(reply({ tier: 'gold', price: 12_345 }), ['tier', 'price']).body, {
    Result: { tier: 'gold', price: 12_345 }
  })
  t.match(mask({ path: '/billing/plans/gold' }, ['/billing/plans/{id}']).path, /^\/billing\/plans\/name-/)
  t.notMatch(mask({ path: '/v1/x', body: { platform: 'aws' } }, ['tier']).body, { platform: 'aws' })
  t.match(mask({ headers: { 'x-tier': 'gold' } }, ['X-Tier']).headers, { 'x-tier': 'gold' })
  t.match(mask({ headers: { 'x-sha256': 'gold' } }, ['x-sha256']).headers, { 'x-sha256': 'gold' })
  const headers = { 'x-api-key': 'gold' }
  t.notMatch(mask({ ...reply({ tier: 'gold' }), requestHeaders: headers }, ['tier']).body, { Result: { tier: 'gold' } })
})

void t.test('unmasked texts can be listed, without secret names', async (t) => {
  const one = masker(['hunter2'])
  one.maskExchange(reply({ status: 'Active', AKIAIOSFODNN7: '2026-06-09T08:44:30Z' }))
  t.ok(one.kept.get('status')?.has('Active'))
  t.notOk([...one.kept.keys()].some((name) => name.includes('AKIA')))
})

void t.test('numbers and addresses are replaced one to one, and keep their forms', async (t) => {
  const one = masker()
  const numberOf = (x: number) => (one.maskExchange(reply({ x })).body as { Result: { x: number } }).Result.x
  const all = new Set(Array.from({ length: 9000 }, (_, index) => numberOf(1000 + index)))
  t.equal(all.size, 9000)
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: Number.MAX_SAFE_INTEGER }), (number) => {
      t.equal(String(numberOf(number)).length, String(number).length)
      t.equal(numberOf(-number), -numberOf(number))
    }),
    { numRuns: 50 }
  )
  const textOf = (x: string) => (one.maskExchange(reply({ x })).body as { Result: { x: string } }).Result.x
  for (const text of [WORKSPACE, 'bob@acme.test', 'db.acme.test:80']) t.equal(textOf(text.toUpperCase()), textOf(text))
  for (const length of [1, 2, 3]) {
    const digits = Array.from({ length: 10 ** length }, (_, index) => String(index).padStart(length, '0'))
    const masked = digits.map(textOf)
    t.equal(new Set(masked).size, digits.length, `${length} digits`)
    const isPadded = (text: string) => length > 1 && text.startsWith('0')
    t.ok(masked.every((text, index) => text.length === length && isPadded(text) === isPadded(digits[index]!)))
  }
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 1, max: 31 }), (address, bits) => {
      fc.pre(!/^(?:127|0)\./.test(address))
      const bitsOf = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
      const network = textOf(`${address}/${bits}`).split('/')[0]!
      const size = 2 ** (32 - bits)
      t.equal(Math.floor(bitsOf(textOf(address)) / size), Math.floor(bitsOf(network) / size))
      t.equal(textOf(`::ffff:${address}`), `::ffff:${textOf(address)}`)
      t.equal(textOf(`::ffff:${address}/${bits + 96}`), `::ffff:${network}/${bits + 96}`)
    }),
    { numRuns: 50 }
  )
  for (const common of ['127.0.0.1', '0.0.0.0/0', '::/0', '::1']) t.equal(textOf(common), common)
})

void t.test('what is in quotes is replaced, also if there are several in a word', (t) => {
  for (const quoted of ['{"value":"pause resume"}', "(a='x','pause resume')", '"a"="pause resume"'])
    t.notMatch(mask({ body: { Message: `The body ${quoted} is not valid` } }).body, { Message: /pause|resume/ }, quoted)
  const body = { Message: `The 'x's state and "y"'s are not valid` }
  t.match(mask({ body }).body, { Message: / are not valid$/ }, 'an apostrophe after a quote opens none')
  t.end()
})

void t.test('messages of successes stay, except variable parts', async (t) => {
  for (const message of [
    'Workgroups: 3.',
    'Entries: 1.',
    'Backups: 2.',
    'Users: 0.',
    'What the org can create.',
    'The workgroup was created.',
    'The allow list was disabled.',
    'The workspace was updated and is RESUMING.',
    'setBackupSchedule: the backup schedule was set.',
    'The restore job is Running.',
    'The status is " Running " again after a restart.',
    'Result:\nfailed'
  ]) {
    const body = { Error: false, Message: message, Result: null }
    t.strictSame(mask({ body }).body, body)
  }
  const body = { Error: false, Message: 'The user ann was deleted.', Result: null }
  t.match(mask({ body }).body, { Message: /^The user name-\w{12} was deleted\.$/ })
  const other = { ...body, Message: 'The password of ann was changed.' }
  t.match(mask({ body: other }).body, { Message: /^The password of name-\w{12} was changed\.$/ })
  const set = { ...body, Message: 'updateWorkspaceSchedule: the schedule start was set.' }
  const listed = (mask({ body: { ...set, Result: '[{"id":"start"}]' } }).body as { Message: string }).Message
  t.match(listed, /: the schedule name-\w{12} was set\.$/, 'JSON in a text')
  t.match(mask({ requestBody: { id: 'start' }, body: set }).body, { Message: /: the schedule name-\w{12} was set\.$/ })
  const made = { ...body, Message: 'The workspace is Creating.', Result: { status: 'Creating' } }
  t.match(mask({ requestBody: { name: 'workspace' }, body: made }).body, made, 'a name that is the subject of messages')
})
