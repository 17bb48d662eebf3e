import t from 'tap'
import { isSecret, mask } from '../../src/journal/mask.js'

void t.test('fields that may hold a secret are masked at any depth, whatever is in them', async (t) => {
  t.strictSame(mask({ a: 1, password: 'x', list: [{ apiKey: 'x' }, { b: { ACCESS_TOKEN: { deep: 'x' } } }], credentials: null }),
    { a: 1, password: '***', list: [{ apiKey: '***' }, { b: { ACCESS_TOKEN: '***' } }], credentials: '***' })
  for (const field of ['password', 'passwd', 'old_password', 'Secret', 'token', 'credential', 'api key', 'api_key', 'API-KEY', 'apikey', 'Authorization']) {
    t.ok(isSecret(field), field)
  }
  for (const field of ['name', 'pass', 'key', 'cloud_provider_id', 'author']) t.notOk(isSecret(field), field)
})

void t.test('what has no secret is not copied, and what has one is not changed itself', async (t) => {
  for (const value of [{ a: [1, { b: 2 }] }, [1, 2], 'password', 5, null, undefined]) t.equal(mask(value), value)
  const body = { password: 'x', a: { b: 1 } }
  t.not(mask(body), body)
  t.equal(mask(body).a, body.a)
  t.equal(body.password, 'x')
})
