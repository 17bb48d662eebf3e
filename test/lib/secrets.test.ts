import t from 'tap'
import { cached } from '../../src/lib/caches.js'
import { hasMasked, isSecret, mask, maskKeepingCounts, mayHoldSecret } from '../../src/lib/secrets.js'

void t.test('fields that may hold a secret are masked at any depth, with any value', async (t) => {
  t.strictSame(
    mask({ a: 1, password: 'x', list: [{ apiKey: 'x' }, { b: { ACCESS_TOKEN: { deep: 'x' } } }], credentials: null }),
    { a: 1, password: '***', list: [{ apiKey: '***' }, { b: { ACCESS_TOKEN: '***' } }], credentials: '***' }
  )
  const items = [1, null, 'a', { password: 'x' }, true, ['https://me:x@example.com']]
  // As text, because a missing item counts as equal to any other.
  t.equal(JSON.stringify(mask(items)), '[1,null,"a",{"password":"***"},true,["https://***@example.com"]]')
  t.strictSame(items[3], { password: 'x' }, 'the original does not change')
  const secret = 'password passwd old_password Secret token credential api_key API-KEY apikey Authorization'.split(' ')
  const more = ['api key', 'pwd', 'userPwd', 'DB_PWD', 'passphrase', 'sess_id', 'private_key', 'accessKey']
  for (const field of [...secret, ...more]) t.ok(isSecret(field), field)
  for (const field of ['name', 'key', 'cloud_provider_id', 'author']) t.notOk(isSecret(field), field)
})

void t.test('counts, booleans and null can be kept', async (t) => {
  const kept = { max_tokens: 1, maxTokens: 2, tokens: 3, token_count: 4, session: true, token: null }
  t.strictSame(maskKeepingCounts(kept), kept)
  t.strictSame(
    maskKeepingCounts({
      a: [{ token: 'x', pass: '', tokens: ['x'] }],
      password: 1234,
      secret: { x: 1 },
      url: 'a://b:c@d'
    }),
    { a: [{ token: '***', pass: '***', tokens: '***' }], password: '***', secret: '***', url: 'a://***@d' }
  )
  t.equal(maskKeepingCounts('{"token":"x"}'), '{"token":"***"}')
})

void t.test('a short word is secret only as a whole word', async (t) => {
  const secret =
    'session sessions pass cookie cookies auth oauth jwt sig signature dsn sessionId sessionid PHPSESSID set-cookie ' +
    'authHeader userOauth HTTP_COOKIES AuthDB db-signature DBPass pass2 sentry_dsn x-amz-sig JWT'
  for (const field of secret.split(' ')) t.ok(isSecret(field), field)
  const others =
    'possession_id obsessionId assess-id passed author signal authored_by designId sessional cookiecutter assign ' +
    'passenger bypass compass authority design sign significant cook dsnx jwtx unauthored DESIGN_TIME DbBypass'
  for (const field of ['', ...others.split(' ')]) t.notOk(isSecret(field), field)
  for (let i = 0; i < 3000; i++) isSecret(`name${i}`)
  t.ok(isSecret('pass'), 'even after many other names')
})

void t.test('a long name is not kept, because clients could fill memory with them', async (t) => {
  let computed = 0
  const lengthOf = cached(10, ({ length }: string) => (computed++, length))
  for (const length of [1000, 1000, 1001, 1001]) t.equal(lengthOf('x'.repeat(length)), length)
  t.equal(computed, 3)
})

void t.test('the key of a fork, and the user info of a URL, are masked in any text', async (t) => {
  for (const [text, masked] of [
    ['postgres://ann:hunter2@db:5432/a?b=c', 'postgres://***@db:5432/a?b=c'],
    ['https://token@host', 'https://***@host'],
    [`key: fork_${'0f'.repeat(12)}.`, 'key: ***.'],
    [`fork_${'0'.repeat(23)}`, `fork_${'0'.repeat(23)}`],
    ['redis://:p@ss@host/0', 'redis://***@host/0'],
    ['from a://x:y@b to c://u:v@d.', 'from a://***@b to c://***@d.'],
    ['https://host/path?mail=a@b', 'https://host/path?mail=a@b'],
    ['a@b://c', 'a@b://c'],
    ['https://host', 'https://host']
  ] as const)
    t.strictSame(mask({ a: [text] }), { a: [masked] }, text)
  const long = `${'://'.repeat(100_000)}${'a'.repeat(300_000)}`
  t.equal(mask(long), long, 'in linear time')
})

void t.test('a value without secrets is not copied, and one with secrets is not changed', async (t) => {
  for (const value of [{ a: [1, { b: 2 }] }, [1, 2], 'password', 5, null, undefined]) t.equal(mask(value), value)
  const body = { password: 'x', a: { b: 1 } }
  t.not(mask(body), body)
  t.equal(mask(body).a, body.a)
  t.equal(body.password, 'x')
})

void t.test('hasMasked() finds a masked secret at any depth', async (t) => {
  for (const value of [
    { password: 'x' },
    { a: 1, b: { token: null } },
    [{ name: 'a' }, { name: 'b', secret: 'x' }],
    'postgres://me:x@host/db',
    '{"password":"x"}',
    ['https://example.com', { url: 'https://me@example.com/path' }]
  ])
    t.ok(hasMasked(mask(value)), JSON.stringify(value))
  for (const value of [null, 1, true, undefined, 'a', '', [], {}, { a: null, b: [1, 'https://example.com/@me'] }])
    t.notOk(hasMasked(mask(value)), JSON.stringify(value))
})

void t.test('JSON in a text is masked like any value', async (t) => {
  for (const [text, masked] of [
    ['{"name":"a","password":"x"}', '{"name":"a","password":"***"}'],
    ['[{"token":"x"}]', '[{"token":"***"}]'],
    ['\n {"token":"x"}', '{"token":"***"}'],
    ['{ "name" : "a" }', '{ "name" : "a" }'],
    ['{"\\u0070assword":"x"}', '{"password":"***"}'],
    ['{"url":"redis:\\/\\/me:x@host"}', '{"url":"redis://***@host"}'],
    ['{"a":"{\\"token\\":1}"}', '{"a":"{\\"token\\":\\"***\\"}"}'],
    ['{"password": postgres://me:x@host', '{"password": postgres://***@host'],
    ['a {"password":"x"}', 'a {"password":"x"}'],
    ['"postgres://me:x@host"', '"postgres://***@host"']
  ] as const) {
    t.strictSame(mask({ a: text }), { a: masked }, text)
    if (masked !== text) t.ok(mayHoldSecret(text), text)
  }
  t.notOk(mayHoldSecret('{"name":"a"}'))
})
