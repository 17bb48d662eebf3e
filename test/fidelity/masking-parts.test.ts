import fc from 'fast-check'
import t from 'tap'
import { maskAddress } from '../../src/fidelity/masking/addresses.js'
import { replaceBase64 } from '../../src/fidelity/masking/base64.js'
import { Dictionary } from '../../src/fidelity/masking/dictionary.js'
import { maskHost } from '../../src/fidelity/masking/hosts.js'
import { maskAccount, maskBareUuid, maskUuid } from '../../src/fidelity/masking/ids.js'
import { Pseudonyms, spellingsOf } from '../../src/fidelity/masking/pseudonyms.js'
import { replaceQuoted } from '../../src/fidelity/masking/quoted.js'

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const base64url = (text: string) => Buffer.from(text).toString('base64url')

void t.test('base64 is replaced by that of the masked text, spelled in the same way', async (t) => {
  const replaced = (text: string) => replaceBase64(text, (plain) => plain.replace('jane', 'name-1'))
  t.equal(replaced(`a ${base64('it is jane!')}, b`), `a ${base64('it is name-1!')}, b`)
  const bare = (text: string) => base64(text).replaceAll('=', '')
  t.equal(replaced(bare('it is jane!')), bare('it is name-1!'), 'without padding')
  t.equal(replaced(base64('jane is it')), base64('name-1 is it'), 'two signs of padding')
  t.equal(replaced(base64url('jane > \u00fe\u00ff?~~?')), base64url('name-1 > \u00fe\u00ff?~~?'), 'for URLs')
  t.match(base64url('jane > \u00fe\u00ff?~~?'), /[-_]/)
  t.equal(replaced(base64('jane??>\u00ff~~~?')), base64('name-1??>\u00ff~~~?'))
  t.match(base64('jane??>\u00ff~~~?'), /[+/]/)
  t.equal(replaced(base64('\tjane\r\n \u00e4\uffff')), base64('\tname-1\r\n \u00e4\uffff'), 'lines and letters')
  t.equal(replaced(base64('jane-jane')), bare('name-1-jane'), 'of 12 characters')
})

void t.test('a text that is no base64, or of something else, stays', async (t) => {
  const seen: string[] = []
  const replaced = (text: string) =>
    replaceBase64(text, (plain) => {
      seen.push(plain)
      return 'x'
    })
  for (const text of [
    base64('it jane'),
    'authentication',
    `${base64('it is jane')}=`,
    base64('\u0000it is jane'),
    base64('it is jane\u0007'),
    base64(Buffer.from([0xff, ...Buffer.from('it is jane')])),
    base64('it is \u0085jane')
  ])
    t.equal(replaced(text), text)
  t.strictSame(seen, [])
  const padded = `${base64url('jane > \u00fe\u00ff?~~?x')}==`
  t.equal(
    replaceBase64(padded, (plain) => plain),
    padded,
    'and so does one in which nothing is masked'
  )
})

void t.test('a dictionary replaces its words in a text, the longest first', async (t) => {
  const dictionary = new Dictionary(false)
  t.equal(dictionary.replaceIn('abc'), 'abc')
  for (const [word, replacement] of [
    ['abcd', '<2>'],
    ['abc', '<1>'],
    ['abcdef', '<3>'],
    ['abc', '<x>'],
    ['xyz', 'xyz'],
    ['ab', '<>'],
    ['>ab', '!!!']
  ] as const)
    dictionary.add(word, replacement)
  t.equal(dictionary.size, 4, 'a word has three characters or more, one replacement, and it is another text')
  t.equal(dictionary.replaceIn('abc'), '<1>')
  t.equal(dictionary.replaceIn('abcabcd-abcdefabcde xabcx ab'), '<1><2>-<3><2>e x<1>x ab')
  t.equal(dictionary.replaceIn('abcab'), '<1>ab', 'what was replaced is not looked into')
  t.equal(dictionary.replaceIn('xyz aab'), 'xyz aab')
  t.equal(dictionary.find('abcd'), '<2>')
  t.equal(dictionary.find('xabcd'), undefined)
})

void t.test('a bounded dictionary replaces whole words', async (t) => {
  const dictionary = new Dictionary(true)
  dictionary.add('abc', '<1>')
  dictionary.add('abc-d', '<2>')
  t.equal(
    dictionary.replaceIn('abc abc-d abc-de abcx xabc 1abc abc1 \u00e4abc abc\u00e4'),
    '<1> <2> <1>-de abcx xabc 1abc abc1 \u00e4abc abc\u00e4'
  )
  t.equal(dictionary.replaceIn('_abc_-abc.'), '_<1>_-<1>.')
  t.equal(dictionary.replaceIn('abc abc'), '<1> <1>')
})

void t.test('a secret is known in each of its spellings', async (t) => {
  const secret = 'a "b" \u00e4~\u00ff\u00fe?>'
  t.strictSame(spellingsOf(secret), [
    secret,
    'a%20%22b%22%20%C3%A4~%C3%BF%C3%BE%3F%3E',
    'a+%22b%22+%C3%A4%7E%C3%BF%C3%BE%3F%3E',
    'a \\"b\\" \u00e4~\u00ff\u00fe?>',
    base64(secret),
    base64url(secret)
  ])
})

void t.test('pseudonyms are numbered in turn, and one that was read is not given again', async (t) => {
  const pseudonyms = new Pseudonyms()
  t.equal(pseudonyms.find('a'), undefined)
  t.equal(pseudonyms.of('a', 'name'), 'name-1')
  t.equal(pseudonyms.of('b', 'key'), 'key-1')
  t.equal(pseudonyms.of('a', 'key'), 'name-1', 'a text is one thing')
  t.equal(pseudonyms.find('a'), 'name-1')
  t.equal(
    pseudonyms.of('a', 'host', (number) => `host ${number}`),
    'host 1',
    'but a host is another'
  )
  t.equal(
    pseudonyms.of('a', 'id', (number) => `id ${number}`),
    'id 1'
  )
  t.equal(
    pseudonyms.of('a', 'account', (number) => `account ${number}`),
    'account 1'
  )
  pseudonyms.keep('name-5')
  pseudonyms.keep('name-3')
  pseudonyms.keep('acme')
  pseudonyms.keep('user-7@example.test')
  t.equal(pseudonyms.of('c', 'name'), 'name-6')
  t.equal(pseudonyms.of('d', 'user'), 'user-8')
  t.equal(pseudonyms.of('e', 'key'), 'key-2')
})

void t.test('with a key, numbers are drawn by it, each once', async (t) => {
  const all = (key: string, most: number, count: number) => {
    const pseudonyms = new Pseudonyms(key)
    return Array.from({ length: count }, (_, index) => pseudonyms.number('x', `text ${index}`, most))
  }
  for (const key of ['a', 'b', 'c'])
    t.strictSame(
      all(key, 7, 7).sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7],
      'there is one for each'
    )
  t.ok(
    all('a', 2, 5).every((number) => number === 1 || number === 2),
    'too many texts share some'
  )
  t.strictSame(all('a', 1e9, 5), all('a', 1e9, 5))
  t.ok(
    all('a', 1e9, 5).every((number) => number > 5),
    'a number does not tell the order'
  )
  const kept = new Pseudonyms('a')
  const [first] = all('a', 1e9, 1)
  kept.keep(`key-${first! + 1}`)
  kept.reserve('x', first!)
  t.equal(kept.number('x', 'text 0', 1e9), first! + 1)
  t.not(kept.number('y', 'text 0', 1e9), first, 'another kind has other numbers')
  const name = new Pseudonyms('a').of('acme', 'name')
  const taken = new Pseudonyms('a')
  taken.keep(name)
  t.not(taken.of('acme', 'name'), name, 'one that was read is not given again')
})

const mask = (address: string, prefix?: number) => maskAddress(address, new Pseudonyms(), prefix)

void t.test('addresses of hosts are replaced by reserved ones, and others stay', async (t) => {
  for (const address of [
    '10.0.0.1',
    '192.168.1.1',
    '127.0.0.1',
    '0.0.0.0',
    '169.254.1.1',
    '224.0.0.1',
    '192.0.2.7',
    '240.1.2.3',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '2001:db8::1',
    'fe80::1%eth0',
    '2a01:4f8::1%eth0',
    'x',
    '1.2.3',
    '300.1.1.1'
  ])
    t.equal(mask(address), address)
  t.equal(mask('85.214.132.117'), '198.51.100.117')
  t.equal(mask('2a01:4f8:c17::1'), '2001:db8::1')
  t.equal(mask('2002:5db8::17'), '2001:db8::17', '6to4')
  t.equal(mask('2001:0:5db8::17'), '2001:db8::17', 'Teredo')
})

void t.test('the length of a prefix says which network is replaced', async (t) => {
  const at = (address: string, prefixes: readonly number[]) => prefixes.map((prefix) => mask(address, prefix))
  t.strictSame(at('85.214.132.117', [32, 31, 25, 24, 7, 0]), Array(6).fill('198.51.100.117'))
  t.strictSame(at('85.214.132.117', [23, 16, 8]), ['240.0.0.117', '240.0.132.117', '240.214.132.117'])
  t.strictSame(at('2a01:4f8:c17:1:2:3:4:5', [64, 128, 23, 0]), Array(4).fill('2001:db8::1:0'))
  t.strictSame(at('2a01:4f8:c17:1:2:3:4:5', [48, 24]), ['3fff::1:2:3:4:5', '3fff:f8:c17:1:2:3:4:5'])
  t.strictSame(at('2a01:4f8:c17:1:2:3:4:5', [65, 127]), ['2001:db8::2:3:4:5', '2001:db8::1'])
  const pseudonyms = new Pseudonyms()
  const networks = ['85.1.1.7', '85.1.2.7', '85.1.3.7', '85.1.4.7', '85.1.5.7', '85.1.1.8']
  t.strictSame(
    networks.map((address) => maskAddress(address, pseudonyms)),
    ['198.51.100.7', '203.0.113.7', '192.0.2.7', '198.18.0.7', '198.18.1.7', '198.51.100.8'],
    'each has one of its own'
  )
  t.equal(mask('2a01:4f8:c17::ffff'), '2001:db8::ffff')
  t.equal(mask('2a01:4f8:c17::1:0'), '2001:db8::1:0')
})

void t.test('hosts are replaced, but for ids and regions before them, and for ports', async (t) => {
  const hosts = new Dictionary(true)
  const pseudonyms = new Pseudonyms()
  const masked = (text: string) => maskHost(text, pseudonyms, hosts)
  const id = '1f0c2d3e-1111-4222-8333-444455556666'
  const own = '00000001-0000-4000-8000-000000000000'
  t.equal(masked('db.acme.io'), 'host-1.example.test')
  t.equal(masked('DB.Acme.io.:8443'), 'host-1.example.test.:8443')
  t.equal(masked(`${id}.us-east-1.acme.io:80`), `${own}.us-east-1.host-2.example.test:80`)
  t.equal(masked(`${id.toUpperCase()}.acme.io`), `${own}.host-2.example.test`)
  t.equal(masked(`x${id}.acme.io`), 'host-3.example.test')
  t.equal(masked('us-east-1.us-east-1'), 'us-east-1.host-4.example.test', 'something is replaced')
  t.equal(masked('server:80'), 'host-5.example.test:80')
  t.equal(masked('a:b:80'), 'host-6.example.test')
  t.equal(
    hosts.replaceIn('acme.io, db.acme.io, server'),
    'host-2.example.test, host-1.example.test, server',
    'each with dots is known'
  )
  t.equal(masked('[2a01:4f8::1]:80'), '[2001:db8::1]:80')
  t.equal(masked('2a01:4f8::1'), '2001:db8::1')
  t.equal(masked('85.214.132.117:80'), '198.51.100.117:80')
  t.equal(masked('x.host-9.example.test'), 'x.host-9.example.test')
  t.equal(masked('host-8.example.test'), 'host-8.example.test')
  t.equal(masked('new.acme.io'), 'host-10.example.test', 'one that was read is not given again')
  for (const text of [
    '',
    ':80',
    'localhost:80',
    'db.localhost',
    'a.b.invalid',
    'x.test',
    'example',
    'example.com',
    'a.example.org',
    'b.example.net'
  ])
    t.equal(masked(text), text)
  t.equal(masked(`x-${id}.svc.test`), `x-${own}.svc.test`)
  for (const text of ['localhosts', 'xlocalhost', 'example.io', 'test.acme', 'examplexcom', 'my-example.com'])
    t.match(masked(text), /^host-\d+\.example\.test$/, text)
  t.match(masked('xhost-9.example.test.acme'), /^host-\d+\.example\.test$/)
  t.equal(masked('xhost-9.example.test'), 'xhost-9.example.test', 'under a reserved name')
})

void t.test('ids and accounts keep their form, and one that was read is not given again', async (t) => {
  const pseudonyms = new Pseudonyms()
  const uuid = (text: string) => maskUuid(text, pseudonyms)
  t.equal(uuid('00000004-0000-7000-b000-000000000000'), '00000004-0000-7000-b000-000000000000')
  t.equal(uuid('1F0C2D3E-1111-4222-8333-444455556666'), '00000005-0000-4000-8000-000000000000')
  t.equal(maskBareUuid('1F0C2D3E111142228333444455556666', pseudonyms), '00000005000040008000000000000000')
  t.equal(uuid('FFFFFFFE-0000-4000-8000-00000000000A'), 'FFFFFFFE-0000-4000-8000-00000000000A')
  t.equal(uuid('2f0c2d3e-1111-1222-9333-444455556666'), 'ffffffff-0000-1000-9000-00000000000a')
  t.equal(uuid('3f0c2d3e-1111-1222-9333-444455556666'), '00000000-0000-1000-9000-00000000000b')
  for (const text of [
    '10000000-0000-4000-8000-0000000100000',
    '1f0c2d3e-1111-4000-8000-000000000000',
    '1f0c2d3e-0000-4001-8000-000000000000'
  ])
    t.not(uuid(text), text)
  const account = (text: string) => maskAccount(text, pseudonyms)
  t.equal(account('900000000012'), '900000000012')
  t.equal(account('123456789012'), '900000000013')
  t.equal(account('900000100012'), '900000000014')
})

void t.test('with a key, ids and accounts use all their numbers', async (t) => {
  const pseudonyms = new Pseudonyms('k')
  fc.assert(
    fc.property(fc.uuid({ version: 4 }), (uuid) => {
      const masked = maskUuid(uuid, pseudonyms)
      return maskUuid(masked, pseudonyms) === masked && /^[0-9a-f]{8}-0000-4000-[89ab]000-0{8}[0-9a-f]{4}$/.test(masked)
    })
  )
  const texts = Array.from({ length: 50 }, (_, index) => maskAccount(String(100_000_000_000 + index), pseudonyms))
  t.ok(texts.every((text) => /^9000000\d{5}$/.test(text)))
  t.equal(new Set(texts).size, 50)
})

void t.test('a value in quotes is replaced as a whole, with the quotes and backslashes in it', async (t) => {
  const characters = fc.string({ unit: fc.constantFrom('"', '\\', "'", 'a', ' ', ':', '=', 'password'), maxLength: 12 })
  const replaced = (text: string) =>
    replaceQuoted(
      text,
      (field) => field === 'password',
      () => '<>'
    )
  const log = (levels: number, password: string, more: string) => {
    let text = JSON.stringify({ a: more, password, b: [more] }).slice(1)
    for (let level = 0; level < levels; level++) text = JSON.stringify(text).slice(1, -1)
    return text
  }
  fc.assert(
    fc.property(
      characters,
      fc.constantFrom('', 'x', 'a\\', '"'),
      fc.integer({ min: 0, max: 3 }),
      (secret, more, levels) => {
        return replaced(log(levels, secret, more)) === log(levels, '<>', more)
      }
    )
  )
  fc.assert(
    fc.property(characters, fc.integer({ min: 0, max: 3 }), (secret, levels) => {
      const [before, after] = log(levels, 'SECRET', '').split('SECRET') as [string, string]
      const start = log(levels, secret, '').slice(0, -after.length)
      return replaced(start) === `${before}<>`
    })
  )
  t.pass()
})
