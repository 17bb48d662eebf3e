import t from 'tap'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { Masker } from '../../src/fidelity/masking/masker.js'
import { EMPTY } from './empty-exchange.js'

/** What is written of an exchange, masked as the first one, and again. */
function masked(part: Partial<Exchange>): Exchange {
  const once = new Masker().maskExchange({ ...EMPTY, ...part })
  t.strictSame(new Masker().maskExchange(once), once, 'to mask what is masked changes nothing')
  return once
}

const request = (requestHeaders: Record<string, string>) => masked({ requestHeaders }).requestHeaders
const reply = (headers: Record<string, string>) => masked({ headers }).headers
const body = (value: unknown) => masked({ body: value }).body
const sent = (value: unknown) => masked({ requestBody: value }).requestBody
const query = (text: string) => masked({ query: text }).query
const events = (text: string) => masked({ headers: { 'content-type': 'text/event-stream' }, body: text }).body

void t.test('cookies keep their names and attributes, and lose their values', async (t) => {
  t.strictSame(request({ cookie: 'a=b;sid=c;   x=y; bare; z=' }), {
    cookie: 'a=cookie-1; sid=cookie-2; x=cookie-3; cookie-4; z='
  })
  t.strictSame(
    reply({
      'set-cookie': 'sid=open=sesame; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT,other=d; Secure, bare; HttpOnly'
    }),
    {
      'set-cookie':
        'sid=cookie-1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT, other=cookie-2; Secure, bare; HttpOnly'
    }
  )
  t.strictSame(reply({ 'set-cookie': 'opensesame; Path=/jane@acme.io' }), {
    'set-cookie': 'cookie-1; Path=/user-1@example.test'
  })
  t.strictSame(reply({ 'set-cookie': 'a=b;domain = .acme.io; Secure, c=d; Domain=ACME.io' }), {
    'set-cookie': 'a=cookie-1;domain = .host-1.example.test; Secure, c=cookie-2; Domain=host-1.example.test'
  })
  t.strictSame(reply({ 'set-cookie': 'jane@acme.io=x; a@b.io=c' }), {
    'set-cookie': 'user-2@example.test=cookie-1; user-1@example.test=c'
  })
})

void t.test('credentials in headers keep their scheme', async (t) => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  t.strictSame(
    request({
      authorization: 'Bearer opensesame, x',
      'proxy-authorization': 'DIGEST username="jane"',
      'x-api-key': 'open sesame',
      'x-auth': 'AWS4-HMAC-SHA256\tCredential=x',
      'x-session-id': 's',
      'x-password': 'token opensesame',
      'x-jwt': 'other opensesame'
    }),
    {
      authorization: 'Bearer session-1',
      'proxy-authorization': 'DIGEST session-2',
      'x-api-key': 'key-1',
      'x-auth': 'AWS4-HMAC-SHA256 session-3',
      'x-session-id': 'session-4',
      'x-password': 'password-1',
      'x-jwt': 'token-1'
    }
  )
  t.strictSame(request({ authorization: basic('jane:open:se\nsame') }), { authorization: basic('key-1:password-1') })
  t.strictSame(request({ authorization: basic('opensesame:') }), { authorization: basic('key-1:') })
  t.strictSame(request({ authorization: basic('opensesame') }), { authorization: 'Basic session-1' })
  const opaque = basic('jane:opensesame').replace('Basic', 'Bearer')
  t.strictSame(request({ authorization: opaque }), { authorization: 'Bearer session-1' })
  t.strictSame(request({ authorization: 'Bearer  ' }), { authorization: 'secret-1' })
  t.strictSame(request({ authorization: 'Bearer   opensesame' }), { authorization: 'Bearer session-1' })
  t.strictSame(request({ 'x-jwt': 'see bearer opensesame' }), { 'x-jwt': 'token-1' })
})

void t.test('headers that say how to read a message stay, but for what their form gives away', async (t) => {
  const kept = {
    accept: 'text/html',
    'ratelimit-limit': '100',
    'x-rate-limit-reset-at': '12',
    'cache-control': 'no-store'
  }
  t.strictSame(reply(kept), kept)
  t.strictSame(reply({ warning: '199 - "jane@acme.io"', 'retry-after': '' }), {
    warning: '199 - "user-1@example.test"',
    'retry-after': ''
  })
  t.strictSame(request({ 'user-agent': 'acme-cli/1.2.3.4 (jane; linux) x' }), { 'user-agent': 'acme-cli/1.2.3.4' })
  t.strictSame(request({ host: 'db.acme.io:8080' }), { host: 'host-1.example.test:8080' })
  t.strictSame(request({ host: '***' }), { host: '***' })
  t.strictSame(reply({ warning: '199 85.214.132.117' }), { warning: '199 198.51.100.117' })
})

void t.test('other headers keep nothing but what stands for something', async (t) => {
  t.strictSame(
    request({
      'x-customer': 'acme',
      'x-ratelimit.x': 'acme',
      'not-x-ratelimit': 'acme',
      'content-disposition': 'filename=acme',
      'content-security-policy': 'default-src cdn.acme.io',
      'x-key-1': 'key-1',
      'x-masked': '***',
      'x-empty': '',
      'x-random': 'zk3jh4k5Qp34kj5h3mX8w',
      'x-jane@acme.io': 'x'
    }),
    {
      'x-customer': '***',
      'x-ratelimit.x': '***',
      'not-x-ratelimit': '***',
      'content-disposition': '***',
      'content-security-policy': '***',
      'x-key-1': 'key-1',
      'x-masked': '***',
      'x-empty': '',
      'x-random': 'key-2',
      'user-1@example.test': '***'
    }
  )
  const known = masked({ requestHeaders: { 'x-customer': 'Acme Payroll' }, requestBody: { name: 'Acme Payroll' } })
  t.strictSame(known.requestHeaders, { 'x-customer': 'name-1' }, 'a name that is known elsewhere')
  t.strictSame(request({ warning: 'Jane@acme.io', 'x-user': 'jane@acme.io' }), {
    warning: 'user-1@example.test',
    'x-user': 'user-1@example.test'
  })
  const word = masked({ requestHeaders: { 'x-stage': 'default' }, requestBody: { password: 'default' } })
  t.strictSame(word.requestHeaders, { 'x-stage': '***' }, 'a word tells nothing of the secret that it is elsewhere')
})

void t.test('headers of a connection, and lengths that are no longer right, are left out', async (t) => {
  const names = 'connection content-length keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' ')
  t.strictSame(request(Object.fromEntries(names.map((name) => [name, 'x']))), {})
  t.strictSame(reply(Object.fromEntries(names.map((name) => [name, 'x']))), {})
})

void t.test('a location and a referrer are read as a URL: its host, its path and its query', async (t) => {
  for (const name of ['location', 'referer'])
    t.strictSame(
      reply({ [name]: 'https://app.acme.io/workgroups/acme/x?name=Payroll+x&b=1&c#id_token=opensesame&x=%20' }),
      { [name]: 'https://host-1.example.test/workgroups/name-1/x?name=name-2&b=1&c#id_token=token-1&x=%20' }
    )
  t.strictSame(reply({ location: '/x?#' }), { location: '/x?#' })
  t.strictSame(reply({ location: '//jane:opensesame@db.acme.io/x' }), {
    location: '//user-1:password-1@host-1.example.test/x'
  })
  t.strictSame(reply({ location: '?name=Payroll\nx' }), { location: '?name=name-1' })
  t.strictSame(reply({ location: 'a#b?name=Payroll' }), { location: 'a#b?name=name-1' })
})

void t.test('segments of a path are ids if the interface has one there', async (t) => {
  const path = (text: string) => masked({ path: text }).path
  t.equal(path('/v4/workgroups/acme%20one/workspaces/acme-2/'), '/v4/workgroups/name-1/workspaces/name-2/')
  t.equal(path('/v4/workgroups/workspaces/'), '/v4/workgroups/workspaces/', 'a word of the interface is no id')
  t.equal(path('/other/acme%20one/jane%40acme.io/%zz'), '/other/acme%20one/user-1%40example.test/%zz')
})

void t.test('a query is read by its parameters', async (t) => {
  t.equal(
    query('name=Acme+x&api%5Fkey=opensesame&=x&y=&z&&q=jane%40acme.io'),
    'name=name-1&api%5Fkey=key-1&=x&y=&z&&q=user-1%40example.test'
  )
  t.equal(query('a=b+c&d=e%20f&limit=10'), 'a=b+c&d=e%20f&limit=10', 'it stays as it is written')
  t.equal(
    query('code=abc&STATE=xyz&filter=state&jane%40acme.io=1'),
    'code=token-1&STATE=token-2&filter=state&user-1%40example.test=1'
  )
  t.equal(query('state=active&codes=abc&xcode=abc'), 'state=active&codes=abc&xcode=abc')
  t.equal(query('password=a=b\nc'), 'password=password-1')
  t.equal(query('q=see+jane@acme.io&joe%40acme.io'), 'q=see%20user-1%40example.test&user-2%40example.test')
})

void t.test('a form is read by its fields, and a text that is none is left out', async (t) => {
  const form = (text: string) =>
    masked({ requestHeaders: { 'content-type': 'application/X-www-form-urlencoded' }, requestBody: text }).requestBody
  t.equal(form('name=Acme&password=open%20sesame'), 'name=name-1&password=password-1')
  for (const text of ['a b', '{"password":1}', '<password>', "'x'", 'x\ny']) t.equal(form(text), undefined, text)
})

void t.test('an event stream keeps its fields, and what is JSON or a sentence of the interface', async (t) => {
  const kept = [
    'event: workspace.created\r\n',
    'id: 17\n',
    'id:17\n',
    'retry:10\n',
    'id:\n',
    'retry: 10\n',
    ': ok\n',
    ':\n',
    'data:not found\n',
    'data: {"a": 1}\n',
    '\n',
    'data\n'
  ]
  t.equal(events(kept.join('')), kept.join(''))
  t.equal(
    events('data: {"token":"opensesame"}\r\n\r\ndata: ["jane@acme.io"]\nid: jane@acme.io'),
    'data: {"token":"token-1"}\r\n\r\ndata: ["user-1@example.test"]\nid: user-1@example.test'
  )
  for (const field of ['data: ', ': ', 'event: ', 'id: ', 'retry: '])
    t.equal(events(`${field}open sesame\n${field}ok`), `${field}***\n${field}ok`)
  for (const line of ['open sesame', 'x: ok', 'xdata: ok', 'xid: sesame', 'xretry: 10', ': id: sesame'])
    t.equal(events(`${line}\n`), line.startsWith(':') ? ': ***\n' : '***\n')
  t.equal(events('data: "open sesame"\ndata: 12345678\nretry: 1x'), 'data: ***\ndata: ***\nretry: ***')
})

void t.test('a text as a body stays if it is a sentence of the interface, or masked', async (t) => {
  t.equal(body('Service unavailable, please retry later'), undefined)
  t.equal(body('Service unavailable.'), 'Service unavailable.')
  t.equal(body('token-1'), 'token-1')
  t.equal(sent('open sesame'), undefined)
})

void t.test('what is left out is noted with its size, as that of what was left out before', async (t) => {
  t.strictSame(masked({ body: 'öpen sesame' }), { ...EMPTY, isBodyOmitted: true, omitted: { body: 12 } })
  t.strictSame(masked({ requestBody: 'open sesame', omitted: { body: 7 }, isBodyOmitted: true }), {
    ...EMPTY,
    isBodyOmitted: true,
    omitted: { body: 7, requestBody: 11 }
  })
  t.strictSame(masked({ isBodyOmitted: true }), { ...EMPTY, isBodyOmitted: true })
  t.strictSame(masked({ omitted: { body: 7 } }), { ...EMPTY, isBodyOmitted: true, omitted: { body: 7 } })
  t.strictSame(masked({ body: { a: 1 }, requestBody: 0 }), { ...EMPTY, body: { a: 1 }, requestBody: 0 })
})

void t.test('a secret field hides all that is in it', async (t) => {
  t.strictSame(
    body({
      password: ['opensesame', { a: 1, b: ['x', true, null, ''] }],
      token: 123456,
      secrets: ['opensesame', 'ab'],
      api_key: { name: 'x', at: { z: '' } },
      session_token: true,
      token_count: 12,
      passwordHash: '***'
    }),
    {
      password: ['password-1', { a: 'secret-1', b: ['secret-2', true, null, ''] }],
      token: 'token-1',
      secrets: ['password-1', 'secret-3'],
      api_key: { name: 'secret-2', at: { z: '' } },
      session_token: true,
      token_count: 12,
      passwordHash: '***'
    }
  )
  for (const field of [
    'password',
    'passwd',
    'db_pwd',
    'secret_pin',
    'client_secret',
    'access_token',
    'apiKey',
    'PASSWORD'
  ])
    t.match(JSON.stringify(body({ [field]: 4711 })), /^\{"\w+":"[a-z]+-1"\}$/, field)
  t.strictSame(body({ token_id: 17 }), { token_id: 17 }, 'a number that counts secrets')
  t.strictSame(body({ session_id: 17, account_id: 17, n: 123456789012 }), {
    session_id: 17,
    account_id: 17,
    n: 123456789012
  })
})

void t.test('what is too deep is left out', async (t) => {
  const nested = (levels: number, inside: unknown): unknown =>
    levels === 0 ? inside : { x: nested(levels - 1, inside) }
  t.strictSame(body(nested(200, 'x')), nested(200, 'x'))
  t.strictSame(body(nested(200, ['x'])), nested(200, '***'))
})

void t.test('names of fields stay, unless they are names of something', async (t) => {
  t.strictSame(
    body({
      plainName: 1,
      snake_case: 1,
      'kebab-case': 1,
      userID: 1,
      'jane@acme.io': 1,
      token: 'Sesame-Street',
      'Sesame-Street': 1
    }),
    {
      plainName: 1,
      snake_case: 1,
      'kebab-case': 1,
      userID: 1,
      'user-1@example.test': 1,
      token: 'token-1',
      'token-1': 1
    }
  )
  t.strictSame(
    body([
      { id: 'x', name: 'acme' },
      { acme: 1, acmeName: 1, acme_fieldName: 1, 'acme-2': 1, '2-acme': 1, acme_1x: 1 }
    ]),
    [
      { id: 'name-1', name: 'name-2' },
      { 'name-2': 1, acmeName: 1, acme_fieldName: 1, 'name-2-2': 1, '2-name-2': 1, 'name-2_1x': 1 }
    ],
    'a name inside the name of a field tells nothing'
  )
})

void t.test('names are those that clients send, of resources, and of people', async (t) => {
  t.strictSame(sent({ x: { name: 'Acme', list: [{ title: 'T1 x' }] } }), {
    x: { name: 'name-1', list: [{ title: 'name-2' }] }
  })
  t.strictSame(body({ name: 'Acme', title: 'x y' }), { name: 'Acme', title: 'x y' })
  t.strictSame(body({ created_at: '2026', name: 'Acme' }), { created_at: '2026', name: 'name-1' })
  t.strictSame(body({ region: { id: 1, name: 'Paris' } }), { region: { id: 1, name: 'name-1' } })
  t.strictSame(body({ regions: [{ id: 1, name: 'Paris' }] }), { regions: [{ id: 1, name: 'Paris' }] })
  t.strictSame(body({ users: [{ name: 'Jane' }], workgroup: { name: 'Acme' } }), {
    users: [{ name: 'name-1' }],
    workgroup: { name: 'name-2' }
  })
  t.strictSame(body({ id: 1, labels: ['Acme', 'default'], inner: { name: 'x y' } }), {
    id: 1,
    labels: ['name-1', 'default'],
    inner: { name: 'x y' }
  })
  t.strictSame(body({ owner: 'Jane', username: 'joe x' }), { owner: 'name-1', username: 'name-2' })
})

void t.test('a value that its form gives away keeps its form, also as a name', async (t) => {
  const id = '1f0c2d3e-1111-4222-8333-444455556666'
  const own = '00000001-0000-4000-8000-000000000000'
  t.strictSame(
    sent({
      ids: [id, 'jane@acme.io', '123456789012', 'workspace-1f0c2d3e', 'my_work-1f0c2d3e', 'workspace-1f0c2d3f'],
      owner: 'arn:aws:iam::123456789012:role/x',
      name: 'https://db.acme.io',
      cloud_provider_id: 'acme',
      project_id: 'projects/acme-1',
      account: '123456789013',
      endpoint: 'db.acme.io',
      url: 'not a host',
      version: '1.2.3.4'
    }),
    {
      ids: [own, 'user-1@example.test', '900000000001', 'workspace-00000001', 'my_work-00000001', 'name-1'],
      owner: 'arn:aws:iam::900000000001:role/name-2',
      name: 'name-3',
      cloud_provider_id: 'name-4',
      project_id: 'projects/project-1',
      account: '900000000002',
      endpoint: 'host-1.example.test',
      url: 'not a host',
      version: '1.2.3.4'
    }
  )
})

void t.test('a name that has more than what its form gives away is replaced as a whole', async (t) => {
  for (const name of [
    'jane@acme.io Ltd',
    'Acme jane@acme.io',
    'db.acme.io Ltd',
    '123456789012 Ltd',
    'No 123456789012',
    'arn:aws:iam::123456789012:role/x Ltd',
    'the arn:aws:iam::123456789012:role/x',
    'Acme 1f0c2d3e-1111-4222-8333-444455556666',
    'my work-00000001',
    'work-0000000',
    'work00000001',
    '_-00000001'
  ])
    t.match(sent({ name }), { name: /^name-\d+$/ }, name)
  for (const name of [
    'user-12@example.test',
    'host-12.example.test',
    'a.host-12.example.test',
    'my-work.host-12.example.test',
    '900000000012',
    'work-0000000a',
    'my_own-w-0000000a'
  ])
    t.strictSame(sent({ name }), { name }, name)
})

void t.test('two ids with the same first digits: the first one counts', async (t) => {
  const ids = ['1f0c2d3e-1111-4222-8333-444455556666', '1F0C2D3E-2222-4222-8333-444455556666']
  t.strictSame(body([...ids, 'workspace-1f0c2d3e', '1f0c2d3e-x']), [
    '00000001-0000-4000-8000-000000000000',
    '00000002-0000-4000-8000-000000000000',
    'workspace-00000001',
    '00000001-x'
  ])
})

void t.test('a secret is replaced wherever it occurs, and a name or a host only as a whole', async (t) => {
  t.strictSame(
    body({
      before: 'xopensesamex, Payroll, Payrolls, xPayroll',
      id: 'x',
      name: 'Payroll',
      password: 'opensesame',
      url: 'https://acme.io/',
      after: 'acme.io db.acme.io acme.iox xacme.io'
    }),
    {
      before: 'xpassword-1x, name-2, Payrolls, xPayroll',
      id: 'name-1',
      name: 'name-2',
      password: 'password-1',
      url: 'https://host-1.example.test/',
      after: 'host-1.example.test db.host-1.example.test acme.iox xacme.io'
    }
  )
})

void t.test('what is learned late is replaced in what came before', async (t) => {
  t.strictSame(
    body({ text: 'at db.acme.io by Payroll', url: 'https://db.acme.io', id: 1, name: 'Payroll' }),
    { text: 'at host-1.example.test by name-1', url: 'https://host-1.example.test', id: 1, name: 'name-1' },
    'a host and a name'
  )
  t.strictSame(
    body({ text: 'opensesame', id: 1, labels: ['n 1', 'n 2', 'n 3'], password: 'opensesame' }),
    { text: 'password-1', id: 1, labels: ['name-1', 'name-2', 'name-3'], password: 'password-1' },
    'a secret'
  )
})

void t.test('a short secret, or one that is a word, is replaced in its place only', async (t) => {
  t.strictSame(body({ text: 'xabcx or default', password: 'abc', token: 'default' }), {
    text: 'xabcx or default',
    password: 'password-1',
    token: 'token-1'
  })
})

void t.test('what is empty or masked stays, also as a name', async (t) => {
  t.strictSame(sent({ name: '', title: '***', label: 'name-7' }), { name: '', title: '***', label: 'name-7' })
})

void t.test('a host is told by its field, and no address by that of a version', async (t) => {
  t.strictSame(body({ endpoint: 'db.acme.io', text: 'db2.acme.io' }), {
    endpoint: 'host-1.example.test',
    text: 'db2.acme.io'
  })
  t.strictSame(body({ version: '2a01:4f8::1, 1.2.3.4' }), { version: '2a01:4f8::1, 1.2.3.4' })
  t.strictSame(body({ text: '2a01:4f8::1, 1.2.3.4' }), { text: '2001:db8::1, 198.51.100.4' })
})

void t.test('a name made of the first digits of an id belongs to it, with a key as well', async (t) => {
  const id = '1f0c2d3e-1111-4222-8333-444455556666'
  for (const key of [undefined, 'k']) {
    const masker = new Masker(key)
    const names = ['workspace-', 'my_work-', 'Aw-', 'workspace-', 'a-b_ws-'].map((start) => `${start}1f0c2d3e`)
    const requestBody = { names: [id, ...names, 'ws-1f0c2d3e-acme'] }
    const { names: results } = masker.maskExchange({ ...EMPTY, requestBody }).requestBody as typeof requestBody
    const [own, first, second, capital, again, third, longer] = results
    const digits = own!.slice(0, 8)
    t.strictSame([first, second, again, third], [`workspace-${digits}`, `my_work-${digits}`, first, `a-b_ws-${digits}`])
    t.match(capital, /^name-\d+$/)
    t.match(longer, /^name-\d+$/)
  }
})

void t.test('the host that is called is replaced, with its port', async (t) => {
  t.equal(new Masker().maskHost('db.acme.io:8443'), 'host-1.example.test:8443')
})
