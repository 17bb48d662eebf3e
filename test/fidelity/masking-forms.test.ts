import t, { type Test } from 'tap'
import { Masker } from '../../src/fidelity/masking/masker.js'
import { EMPTY } from './empty-exchange.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What is written of a text in a body. */
function masked(text: string): string {
  const { body } = new Masker().maskExchange({ ...EMPTY, body: [text] })
  return (body as string[])[0]!
}

/** Each text is masked by itself, as the first one. */
function becomes(t: Test, texts: Readonly<Record<string, string>>) {
  const once = Object.keys(texts).map((text) => [text, masked(text)] as const)
  t.strictSame(Object.fromEntries(once), texts)
  const twice = once.map(([text, result]) => [text, masked(result)] as const)
  t.strictSame(Object.fromEntries(twice), texts, 'to mask what is masked changes nothing')
}

function stays(t: Test, texts: readonly string[]) {
  becomes(t, Object.fromEntries(texts.map((text) => [text, text])))
}

void t.test('a secret field gives its value away, in any notation and at any depth', async (t) => {
  becomes(t, {
    'failed with password=opensesame, again': 'failed with password=password-1, again',
    'a&api_key=opensesame&b': 'a&api_key=key-1&b',
    'with password="open sesame".': 'with password="password-1".',
    "with password='open sesame' and token='or not'": "with password='password-1' and token='token-1'",
    '{password: "opensesame", name: "x"}': '{password: "password-1", name: "x"}',
    'Log: {"password":"open sesame"}': 'Log: {"password":"password-1"}',
    'Log: {"password" : "opensesame", "x": "password"}': 'Log: {"password" : "password-1", "x": "password"}',
    'Log: {"a":"","password":"opensesame"}': 'Log: {"a":"","password":"password-1"}',
    'Log: {\\"password\\":\\"opensesame\\"}': 'Log: {\\"password\\":\\"password-1\\"}',
    'password=\\"opensesame\\"': 'password=\\"password-1\\"',
    'Log: {"a.token":"", "x": 1}': 'Log: {"a.token":"", "x": 1}'
  })
  becomes(t, {
    'Log: {"password":"open \\"sesame\\"", "x": 1': 'Log: {"password":"password-1", "x": 1',
    'Log: {\\"password\\":\\"open \\\\\\"sesame\\", \\"x': 'Log: {\\"password\\":\\"password-1\\", \\"x',
    'Log: {"path":"C:\\\\","password":"opensesame"}': 'Log: {"path":"C:\\\\","password":"password-1"}',
    'Log: {"password":"opensesame\\\\","x":"y"}': 'Log: {"password":"password-1","x":"y"}',
    'Log: {\\"password\\":\\"opensesame\\\\\\\\\\",\\"x\\"': 'Log: {\\"password\\":\\"password-1\\",\\"x\\"'
  })
  becomes(t, {
    'Log: {"password":"open ses': 'Log: {"password":"password-1',
    'Log: "{\\"password\\":\\"open ses", x': 'Log: "{\\"password\\":\\"password-1", x',
    'Log: "{\\"password\\":\\"\\"open ses", x': 'Log: "{\\"password\\":\\"\\"open ses", x'
  })
  const field = 'x'.repeat(70) + 'password'
  becomes(t, { [`${field}=opensesame`]: `${field}=password-1`, [`${field}='a b'`]: `${field}='password-1'` })
  becomes(t, { 'password=\'token="a b" c\' d': "password='password-1' d" })
  stays(t, [
    'password=***',
    'password is required',
    "password: 'password-1'",
    'the name="acme"',
    'a=b',
    'token_type="x"',
    'password='
  ])
})

void t.test('a URL keeps its form: user, password and host are replaced', async (t) => {
  becomes(t, {
    'see http://jane:opensesame@db.acme.io:5432/x?y#z.': 'see http://user-1:password-1@host-1.example.test:5432/x?y#z.',
    'postgres+ssl://jane@db.acme.io': 'postgres+ssl://user-1@host-1.example.test',
    'http://jane:open:sesame@db.acme.io has open:sesame': 'http://user-1:password-1@host-1.example.test has password-1',
    'http://:opensesame@db.acme.io': 'http://:password-1@host-1.example.test',
    'http://j%61ne:open%73esame@db.acme.io and opensesame':
      'http://user-1:password-1@host-1.example.test and password-1',
    'http://jane@x@db.acme.io': 'http://user-1@host-1.example.test',
    'http://jane:opensesame@db.localhost/': 'http://user-1:password-1@db.localhost/',
    'HTTPS://DB.ACME.IO/X': 'HTTPS://host-1.example.test/X',
    '(https://db.acme.io), https://db.acme.io;': '(https://host-1.example.test), https://host-1.example.test;',
    's3://acme-bucket/x': 's3://host-1.example.test/x',
    'http://[2a01:4f8::1]:80/': 'http://[2001:db8::1]:80/',
    'http://85.214.132.117:80/': 'http://198.51.100.117:80/',
    'https://db.acme.io./': 'https://host-1.example.test./',
    'https://db.acme.io and db.acme.io, xdb.acme.io, db.acme.iox':
      'https://host-1.example.test and host-1.example.test, xdb.acme.io, db.acme.iox'
  })
  stays(t, [
    'http://localhost:4700/x',
    '://x',
    'http://',
    'a:/b',
    '//db',
    'http://[::1]/',
    'http://host-3.example.test:80/'
  ])
})

void t.test('the query of a URL gives away what an identity provider hands over', async (t) => {
  becomes(t, {
    'at /back?code=opensesame&x=1': 'at /back?code=token-1&x=1',
    'at /back?x=1&SAMLResponse=opensesame#x': 'at /back?x=1&SAMLResponse=token-1#x',
    'at /back#state=opensesame': 'at /back#state=token-1',
    'at /back?nonce=open%73esame opensesame': 'at /back?nonce=token-1 token-1',
    '<a href="/?ticket=opensesame">': '<a href="/?ticket=token-1">'
  })
  stays(t, ['/x?state=active', '/x?state=', 'code=12', '/x?codes=12', '/x?barcode=12'])
})

void t.test('a scheme gives away the credential after it', async (t) => {
  becomes(t, {
    'got Bearer opensesame1.': 'got Bearer session-1',
    'got\tbearer\topensesame1': 'got\tbearer\tsession-1',
    'apikey  abc-123 x': 'apikey  session-1 x',
    [`got Basic ${base64('jane:ab')}, again`]: 'got Basic token-1, again',
    [`got basic ${base64('user:opensesame')} and opensesame`]: 'got basic token-1 and password-1',
    'got Basic opensesame1': 'got Basic session-1'
  })
  stays(t, [
    'Bearer token is missing',
    'basic authentication',
    'Bearer v12.3',
    'a token expired',
    'xbearer opensesame1'
  ])
})

void t.test('addresses of people are replaced', async (t) => {
  becomes(t, {
    'mail jane.doe+x@mail.acme.co.uk, or joe@acme.io': 'mail user-1@example.test, or user-2@example.test',
    '<Jane@Acme.io> jane@acme.io': '<user-1@example.test> user-1@example.test',
    'josé_1@müller.de': 'user-1@example.test',
    'a-b@x-y.example.com.': 'user-1@example.test.',
    'user-7@acme.io': 'user-1@example.test',
    'jane@acme.test': 'user-1@example.test',
    'jane%40acme-cloud.io': 'user-1%40example.test',
    'AKIA7ABCDEFGH jane@acme.io': 'token-1 user-1@example.test',
    'see /x?mail=jane%40acme-cloud.io&y': 'see /x?mail=user-1%40example.test&y',
    'user-3@example.test jane@acme.io': 'user-3@example.test user-4@example.test'
  })
  stays(t, ['jane@acme', '@acme.io', 'jane@', 'a @b.io', 'x@y.z'])
})

void t.test('telephone numbers are replaced', async (t) => {
  for (const number of [
    '+49 170 1234567',
    '+491701234567',
    '+49 (170) 123-45-67',
    '+1.555.123.4567',
    '(555) 123-4567',
    '(030)1234 5678',
    '0170/1234567',
    '0170-1234567'
  ])
    becomes(t, { [`call ${number}!`]: 'call name-1!' })
  stays(t, ['+1234567', 'a+49170123456', '1-2', '(12) of 3', '10/20', '0170/123', '1/0170/1234567', '+49 170 1234567x'])
})

void t.test('addresses of hosts are replaced, with and without a port or a prefix', async (t) => {
  becomes(t, {
    'from 85.214.132.117:80 to 85.214.132.118.': 'from 198.51.100.117:80 to 198.51.100.118.',
    'in 85.214.0.0/16': 'in 240.0.0.0/16',
    'in 85.214.132.0/24, (8.8.8.8)': 'in 198.51.100.0/24, (203.0.113.8)',
    '85.214.132.117-85.214.132.120': '198.51.100.117-198.51.100.120',
    'at 2a01:4f8:c17::1 and [2A01:4F8:C17::2]:80': 'at 2001:db8::1 and [2001:db8::2]:80',
    'in 2a01:4f8:c17::/64': 'in 2001:db8::/64',
    '::ffff:85.214.132.117': '::ffff:198.51.100.117'
  })
  stays(t, [
    '10.1.2.3 and 192.168.0.1/16',
    'svc-1.2.3.4',
    '1.2.3.4-beta',
    '1.2.3.4.5',
    'v1.2.3.4',
    '300.1.1.1',
    '12:30:45',
    'a::b::c',
    'fe80::1%eth0',
    '::1'
  ])
})

void t.test('ids of clouds keep their form', async (t) => {
  becomes(t, {
    'account 123456789012, and 123456789013.': 'account 900000000001, and 900000000002.',
    'x-123456789012/y': 'x-900000000001/y',
    'role arn:aws:iam::123456789012:role/system/acme;': 'role arn:aws:iam::900000000001:role/system/name-1;',
    'arn:aws-cn:rds:eu-west-1:123456789012:db:acme-1': 'arn:aws-cn:rds:eu-west-1:900000000001:db:name-1',
    'arn:aws:sqs:us-east-1:123456789012:acme': 'arn:aws:sqs:us-east-1:900000000001:name-1',
    'arn:aws:iam::123456789012:role/acme/': 'arn:aws:iam::900000000001:role/name-1/',
    'arn:aws:s3:::acme-bucket': 'arn:aws:s3:::name-1',
    'arn:aws:s3:::acme-bucket/*': 'arn:aws:s3:::name-1/*',
    'arn:aws:s3:us-east-1:123456789012:accesspoint/acme': 'arn:aws:s3:us-east-1:900000000001:accesspoint/name-1',
    'arn:aws:sns:us-east-1:123456789012:acme:dev-1': 'arn:aws:sns:us-east-1:900000000001:name-1:name-2',
    'arn:aws:execute-api:us-east-1:123456789012:acme/prod/GET':
      'arn:aws:execute-api:us-east-1:900000000001:name-1/prod/GET',
    'projects/acme-prod-1/locations/europe-west4': 'projects/project-1/locations/europe-west4',
    'buckets/acme and buckets/acme_2': 'buckets/project-1 and buckets/project-2'
  })
  stays(t, [
    'arn:aws:iam::aws:policy/Admin',
    'projects/default',
    'projects/name-7',
    'arn:aws:s3:::name-7',
    'projects/ab',
    'myprojects/acme',
    'xarn:aws:iam::1:role/acme',
    '1.123456789012',
    '123456789012.5',
    '1234567890123',
    'a123456789012',
    '123456789012a',
    '900000012345'
  ])
})

void t.test('UUIDs keep version and variant, with and without hyphens', async (t) => {
  becomes(t, {
    '1f0c2d3e-1111-4222-8333-444455556666': '00000001-0000-4000-8000-000000000000',
    'ID=1F0C2D3E-1111-7222-B333-444455556666.': 'ID=00000001-0000-7000-b000-000000000000.',
    '1f0c2d3e-1111-4222-8333-444455556666 1F0C2D3E111142228333444455556666':
      '00000001-0000-4000-8000-000000000000 00000001000040008000000000000000',
    '0000000a-0000-4000-8000-000000000000 1f0c2d3e-1111-4222-8333-444455556666':
      '0000000a-0000-4000-8000-000000000000 0000000b-0000-4000-8000-000000000000',
    '00000000-0000-4000-8000-000000000001 1f0c2d3e-1111-4222-8333-444455556666':
      '00000000-0000-4000-8000-000000000001 00000001-0000-4000-8000-000000000001'
  })
  becomes(t, { '01f0c2d3e-1111-4222-8333-444455556666': 'token-1', '1f0c2d3e-1111-4222-8333-4444555566660': 'token-1' })
  stays(t, ['00000001000040008000000000000000'])
})

void t.test('JSON in a text is masked by its fields, eight levels deep', async (t) => {
  becomes(t, {
    '{"password":"opensesame"}': '{"password":"password-1"}',
    ' [{"password": "opensesame"}]': '[{"password":"password-1"}]',
    '"{\\"password\\":\\"opensesame\\"}"': '"{\\"password\\":\\"password-1\\"}"',
    '{ "name": "x" }': '{ "name": "x" }'
  })
  const nested = (levels: number) => {
    let text = 'see jane@acme.io'
    for (let level = 0; level < levels; level++) text = JSON.stringify({ x: text })
    return text
  }
  t.equal(masked(nested(7)), nested(7).replace('jane@acme.io', 'user-1@example.test'))
  t.equal(masked(nested(8)), nested(8).replace('see jane@acme.io', '***'), 'what is deeper is left out')
})

void t.test('base64 in a text is masked as the text that it stands for', async (t) => {
  // Short, so that it does not look as if it was drawn by lot.
  becomes(t, {
    [`see ${base64('call 0170-1234567')}.`]: `see ${base64('call name-1')}.`
  })
})

void t.test('what is encoded too often is left out', async (t) => {
  const often = (times: number) => {
    let text = 'a b'
    for (let time = 0; time < times; time++) text = encodeURIComponent(text)
    return text
  }
  t.equal(masked(often(7)), often(7))
  t.equal(masked(often(8)), '***')
  t.equal(masked(base64(often(7))), base64('***'))
})

void t.test('percent-encoding in a text is undone, as often as it was done', async (t) => {
  becomes(t, {
    'see jane%2540acme.io': 'see user-1%2540example.test',
    'a%20b jane@acme.io': 'a%20b user-1@example.test',
    '100% jane%40acme.io 5%': '100% user-1%40example.test 5%'
  })
  stays(t, ['100%', '%zz', 'a%20b'])
})
