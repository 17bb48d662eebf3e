import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import t from 'tap'
import { conform } from '../../src/fidelity/conform.js'
import type { Exchange } from '../../src/fidelity/exchange.js'
import { toHarEntry } from '../../src/fidelity/har/write.js'
import { Masker } from '../../src/fidelity/masking/masker.js'
import { canonicalBlock, contains } from '../../src/lib/ip.js'
import { EMPTY } from './empty-exchange.js'
import { playService } from './real-service.js'

const UPSTREAM = 'api.acme-cloud.io'

/** What is written of some exchanges, masked by one masker. */
const written = (...parts: Partial<Exchange>[]): Exchange[] => writtenWith(undefined, ...parts)

function writtenWith(key: string | undefined, ...parts: Partial<Exchange>[]): Exchange[] {
  const masker = new Masker(key)
  masker.maskHost(UPSTREAM)
  return parts.map((part) => masker.maskExchange({ ...EMPTY, ...part }))
}

/** The body of a reply, masked. */
const masked = (body: unknown, more: Partial<Exchange> = {}): unknown => written({ ...more, body })[0]!.body

const base64 = (text: string) => Buffer.from(text).toString('base64')

// Secrets that say themselves what they are, and those that their place gives away.

const letters = (characters: string, minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...characters.split(/(?:)/u)), minLength, maxLength })
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** Neither a word nor a number. */
const key = letters(ALNUM, 8, 30).map((text) => `q7${text}Z`)

const SELF_EVIDENT: readonly fc.Arbitrary<string>[] = [
  letters(UPPER, 16, 24).map((text) => `AKIA${text}`),
  letters(UPPER, 8, 24).map((text) => `ASIA7${text}`),
  letters(ALNUM, 36).map((text) => `ghp_${text}`),
  letters(ALNUM, 24).map((text) => `sk_live_${text}`),
  letters('0123456789', 12).map((text) => `xoxb-${text}-abc`),
  fc
    .tuple(letters(ALNUM, 20), letters(ALNUM, 43))
    .map(([body, signature]) => `eyJhbGciOiJIUzI1NiJ9.${body}.${signature}`),
  fc
    .tuple(letters('bcdfghjkmnpqrstvwxz', 6), letters('bcdfghjkmnpqrstvwxz', 7))
    .map(([user, domain]) => `${user}.x@${domain}.io`),
  fc.integer({ min: 100_000_000_000, max: 899_999_999_999 }).map(String),
  fc.uuid({ version: 4 }).filter((uuid) => !uuid.includes('-0000-')),
  fc
    .tuple(fc.integer({ min: 11, max: 99 }), fc.integer({ min: 10, max: 255 }))
    .map(([a, b]) => `${a === 10 ? 11 : a}.${b}.7.9`),
  letters(ALNUM, 40, 60).map((text) => `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----`)
]

/** Places where a text is seen. */
const PLACES: readonly ((text: string) => Partial<Exchange>)[] = [
  (text) => ({ path: `/v4/things/${encodeURIComponent(text)}/parts` }),
  (text) => ({ query: `a=1&filter=${encodeURIComponent(text)}` }),
  (text) => ({ query: new URLSearchParams([['x', text]]).toString() }),
  (text) => ({ requestHeaders: { 'x-anything': text.replaceAll('\n', '') } }),
  (text) => ({ headers: { location: `/v4/${encodeURIComponent(text)}` } }),
  (text) => ({ requestBody: { deep: [{ er: { value: text } }] } }),
  (text) => ({ body: { Message: `The thing ${text} is not there.` } }),
  (text) => ({ body: `plain ${text} text` }),
  (text) => ({ body: { Result: JSON.stringify({ inner: JSON.stringify([{ value: text }]) }) } }),
  (text) => ({ body: { data: base64(`{"value":${JSON.stringify(text)}}`) } }),
  (text) => ({ body: { data: base64(`see ${text} there`) } }),
  (text) => ({
    requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
    requestBody: new URLSearchParams([['x', text]]).toString()
  }),
  (text) => ({ body: { [text]: 1 } }),
  (text) => ({ body: { Message: `Log: {"value": ${JSON.stringify(text)}, ` } }),
  (text) => ({ body: { someThing: text, list: [text] } }),
  (text) => ({ headers: { location: `https://id.acme-cloud.io/x?next=${encodeURIComponent(text)}#a=${text}` } })
]

/** Places that give a text away. */
const GIVING_AWAY: readonly ((text: string) => Partial<Exchange>)[] = [
  (text) => ({ requestHeaders: { 'x-api-key': text } }),
  (text) => ({ requestHeaders: { authorization: `Bearer ${text}` } }),
  (text) => ({ requestHeaders: { authorization: `Basic ${base64(`someone:${text}`)}` } }),
  (text) => ({ requestHeaders: { authorization: `Basic ${base64(`${text}:`)}` } }),
  (text) => ({ requestHeaders: { cookie: `a=b; sid=${text}` } }),
  (text) => ({ headers: { 'set-cookie': `sid=${text}; Path=/, other=1; Secure` } }),
  (text) => ({ requestBody: { user: { password: text } } }),
  (text) => ({ requestBody: { list: [{ clientSecret: { value: [text] } }] } }),
  (text) => ({ body: { access_token: text } }),
  (text) => ({ body: { config: JSON.stringify({ db: JSON.stringify({ passwd: text }) }) } }),
  (text) => ({ query: `api_key=${encodeURIComponent(text)}` }),
  (text) => ({ body: { url: `postgres://admin:${encodeURIComponent(text)}@db.acme-cloud.io/x` } }),
  (text) => ({ headers: { location: `//admin:${text}@db.acme-cloud.io/x` } }),
  (text) => ({ body: { Message: `failed with password=${text}` } }),
  (text) => ({ body: { Message: `failed with password='${text}'` } }),
  (text) => ({ body: { Message: `Log: {"password":"${text}` } }),
  (text) => ({ body: { Message: `got Basic ${base64(`someone:${text}`)}` } }),
  (text) => ({ body: { Message: `Log: {\\"password\\":\\"${text}\\"} ...` } }),
  (text) => ({
    requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' },
    requestBody: new URLSearchParams([['password', text]]).toString()
  }),
  (text) => ({ headers: { location: `https://app.acme-cloud.io/back?code=${text}&state=x${text}` } }),
  (text) => ({ headers: { location: `/back#access_token=${text}` } }),
  (text) => ({ requestHeaders: { referer: `https://app.acme-cloud.io/back?code=${text}` } }),
  (text) => ({ query: `code=${text}&grant_type=authorization_code` }),
  (text) => ({ body: { next: `https://app.acme-cloud.io/back?code=${text}` } })
]

/** Bodies that are no JSON: a secret in them is not told by its place. */
const NO_JSON: readonly ((text: string) => Partial<Exchange>)[] = [
  (text) => ({
    requestHeaders: { 'content-type': 'multipart/form-data; boundary=b' },
    requestBody: `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${text}\r\n--b--\r\n`
  }),
  (text) => ({ requestHeaders: { 'content-type': 'application/json' }, requestBody: `{"password":"${text}` }),
  (text) => ({ headers: { 'content-type': 'application/json' }, body: `{"value":${text}}` }),
  (text) => ({ requestHeaders: { 'content-type': 'application/x-www-form-urlencoded' }, requestBody: `{"x":"${text}` }),
  (text) => ({ headers: { 'content-type': 'text/plain' }, body: `password: ${text}` }),
  (text) => ({ headers: { 'content-type': 'text/xml' }, body: `<user><password>${text}</password></user>` }),
  (text) => ({ headers: { 'content-type': 'text/html' }, body: `<script>var apiKey="${text}"</script>` }),
  (text) => ({ headers: { 'content-type': 'text/javascript' }, body: `const apiKey = '${text}'` }),
  (text) => ({ headers: { 'content-type': 'text/event-stream' }, body: `data: password: ${text}\n\n` }),
  (text) => ({ headers: { 'content-type': 'text/event-stream' }, body: `data: {"token":"${text}"}\n\n` }),
  (text) => ({ headers: { 'content-type': 'text/event-stream' }, body: `: the password is ${text}\n\n` }),
  (text) => ({ headers: { 'content-type': 'text/event-stream' }, body: `data: ${JSON.stringify(text)}\n\n` }),
  (text) => ({ body: text })
]

/** Everything that is kept of an exchange, in every spelling that can be undone. */
function traces(exchange: Exchange): string {
  const har = JSON.stringify(toHarEntry(exchange, 'https://host-1.example.test'))
  const views = [har]
  for (let depth = 0; depth < 4; depth++) {
    const last = views.at(-1)!
    views.push(last.replaceAll(/\\+(["\\/n])/g, '$1').replaceAll(/%[0-9a-f]{2}/gi, (code) => decoded(code)))
  }
  const all = views.join('\n')
  const unpacked = [...all.matchAll(/[\w+/-]{8,}={0,2}/g)].map(([run]) => Buffer.from(run, 'base64').toString('latin1'))
  return [all, ...unpacked].join('\n')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const place = fc.constantFrom(...PLACES)

void t.test('what says itself that it is secret is written nowhere', async (t) => {
  fc.assert(
    fc.property(fc.oneof(...SELF_EVIDENT), place, place, (secret, first, second) => {
      for (const exchange of written(first(secret), second(secret))) {
        const core = secret.startsWith('-----') ? secret.split('\n')[1]! : secret
        if (traces(exchange).includes(core)) throw new Error(`${secret}: ${JSON.stringify(exchange)}`)
      }
    }),
    { numRuns: 1500 }
  )
  t.pass()
})

void t.test('what its place gives away is written nowhere, there and elsewhere', async (t) => {
  fc.assert(
    fc.property(key, fc.constantFrom(...GIVING_AWAY), place, fc.boolean(), (secret, give, other, isTogether) => {
      const exchanges = isTogether
        ? written({ ...other(secret), ...give(secret) })
        : written(give(secret), other(secret))
      for (const exchange of exchanges)
        if (traces(exchange).includes(secret)) throw new Error(`${secret}: ${JSON.stringify(exchange)}`)
    }),
    { numRuns: 1500 }
  )
  t.pass()
})

void t.test('a text that is no JSON is left out, because a secret may be anywhere in it', async (t) => {
  const words = letters('abcdefghijklmnopqrstuvwxyz', 3, 12).map((text) => `q${text}`)
  fc.assert(
    fc.property(fc.oneof(key, words), fc.constantFrom(...NO_JSON), (secret, where) => {
      const [exchange] = written(where(secret))
      if (traces(exchange!).includes(secret)) throw new Error(`${secret}: ${JSON.stringify(exchange)}`)
    }),
    { numRuns: 500 }
  )
  const body = '<password>sesame</password>'
  const requestBody = 'password: open'
  const headers = { 'content-type': 'text/xml' }
  const [exchange] = written({ headers, body, requestHeaders: { 'content-type': 'text/plain' }, requestBody })
  t.match(exchange, { isBodyOmitted: true, omitted: { body: body.length, requestBody: requestBody.length } })
  t.match(toHarEntry(exchange!, 'https://host-1.example.test'), {
    request: { bodySize: requestBody.length, postData: { mimeType: 'text/plain', text: '', _omitted: true } },
    response: { content: { size: body.length, mimeType: 'text/xml', _omitted: true } }
  })
  for (const word of ['ok', 'Forbidden', '404 page not found', 'Bad Gateway.'])
    t.match(written({ body: word })[0], { body: word, isBodyOmitted: undefined }, 'words of a gateway tell nothing')
})

void t.test('ids are replaced, whatever they look like', async (t) => {
  const [exchange] = written({
    path: '/api/controller/v4/v2/workgroups/acme-payroll/workspaces/acme-payroll-1/',
    body: {
      Result: {
        workgroup_id: 'acme-payroll',
        list: [{ id: 'acme-payroll-1', backup_ids: ['acme-b1'] }],
        regions: [{ id: 'paris-two', name: 'Paris' }],
        addons_id: 'acme-addon',
        RequestID: 'req-7'
      }
    }
  })
  t.equal(exchange!.path, '/api/controller/v4/v2/workgroups/name-1/workspaces/name-2/')
  t.strictSame(exchange!.body, {
    Result: {
      workgroup_id: 'name-1',
      list: [{ id: 'name-2', backup_ids: ['name-3'] }],
      regions: [{ id: 'paris-two', name: 'Paris' }],
      addons_id: 'acme-addon',
      RequestID: 'req-7'
    }
  })
})

void t.test('names of people, of orgs and of groups, and telephone numbers, are replaced', async (t) => {
  const body = {
    user: { firstName: 'Jane', lastName: 'Doe', displayName: 'Jane Doe' },
    org: { name: 'Acme' },
    workgroup: { name: 'Payroll' },
    thing: { id: 1, tags: ['acme-tag'] },
    members: ['Joe'],
    Message: 'Call +49 170 1234567, or (555) 123-4567, or 0170/1234567, on 2026-01-31 or in 10-20 min (3 of 5).'
  }
  const text = JSON.stringify(masked(body))
  for (const name of ['Jane', 'Doe', 'Acme', 'Payroll', 'acme-tag', '1234567', '123-4567']) t.notMatch(text, name)
  t.match(text, ', on 2026-01-31 or in 10-20 min (3 of 5).')
})

void t.test('masking is one to one', async (t) => {
  const texts = fc.uniqueArray(fc.oneof(...SELF_EVIDENT), { minLength: 2, maxLength: 12 })
  fc.assert(
    fc.property(texts, (all) => {
      const [first, again] = written({ body: all }, { body: [...all].reverse() })
      const results = first!.body as string[]
      if (new Set(results).size !== all.length) throw new Error(`${JSON.stringify(all)}: ${JSON.stringify(results)}`)
      if (JSON.stringify([...(again!.body as string[])].reverse()) !== JSON.stringify(results))
        throw new Error('changes')
    }),
    { numRuns: 300 }
  )
  t.pass()
})

void t.test('to mask what is masked changes nothing', async (t) => {
  const anything = fc.oneof(...SELF_EVIDENT, key, fc.string(), fc.lorem({ maxCount: 3 }))
  fc.assert(
    fc.property(anything, fc.constantFrom(...PLACES, ...GIVING_AWAY), place, (text, first, second) => {
      const once = written({ ...first(text), ...second(text) })[0]!
      const twice = new Masker().maskExchange(once)
      if (JSON.stringify(once) !== JSON.stringify(twice))
        throw new Error(`${JSON.stringify(once)}\n${JSON.stringify(twice)}`)
    }),
    { numRuns: 1500 }
  )
  t.pass()
})

void t.test('words of the interface, numbers, times and versions stay', async (t) => {
  const body = {
    status: 'Creating',
    region: 'us-east-1',
    platform: 'aws',
    roles: ['svcadmin', 'viewer'],
    svc_version: '4.2.1',
    build_version: '1.2.3.4',
    size: 123456789012,
    created_at: '2026-01-31T09:00:00.000Z',
    cron: '0 9 * * 1-5',
    schedule: '@daily',
    auto_stop: 'PT1H30M',
    enabled: true,
    nothing: null,
    typeName: 'SVC-00',
    token_type: 'Bearer',
    token_count: 12,
    Type: 'Bad-Request',
    Reason: 'is required',
    Message: 'The request is not valid: password must be 1 to 256 characters long, and token: must not be empty.',
    regions: [{ name: 'us-east-1', description: 'US East' }],
    cidrs: ['0.0.0.0/0', '127.0.0.1', '10.1.2.0/24', '::1', '::/0'],
    name: 'default'
  }
  const path = '/controller/v4/v2/workgroups/meta/backups/schedule'
  const requestHeaders = {
    accept: 'application/json',
    'content-type': 'application/json',
    'if-match': '*',
    'user-agent': 'acme-cli/1.2.3.4'
  }
  const headers = {
    'retry-after': '120',
    allow: 'GET, POST',
    'x-ratelimit-remaining': '12',
    'cache-control': 'no-store'
  }
  const [exchange] = written({ path, query: 'operation=set_backup_schedule&limit=10', requestHeaders, headers, body })
  t.match(exchange, { path, query: 'operation=set_backup_schedule&limit=10', requestHeaders, headers })
  t.strictSame(exchange!.body, body)
})

void t.test('names that people choose are replaced, also in messages and paths', async (t) => {
  const id = '1f0c2d3e-1111-4222-8333-444455556666'
  const [create, list, error] = written(
    {
      requestBody: { name: 'Acme payroll', description: 'of Jane', cloud_provider_id: 'acme-account' },
      body: { workspace_id: id, name: 'Acme payroll', workgroup_name: 'Acme', creator: 'jane' }
    },
    { body: [{ workspace_id: id, name: 'workspace-1f0c2d3e', region: 'us-east-1' }] },
    { path: `/v4/${id}/Acme%20payroll`, body: { Message: "There is an 'Acme payroll' in 1f0c2d3e." } }
  )
  t.strictSame(create!.requestBody, { name: 'name-1', description: 'name-2', cloud_provider_id: 'name-3' })
  const own = '00000001-0000-4000-8000-000000000000'
  t.strictSame(create!.body, { workspace_id: own, name: 'name-1', workgroup_name: 'name-4', creator: 'name-5' })
  t.strictSame(
    list!.body,
    [{ workspace_id: own, name: 'workspace-00000001', region: 'us-east-1' }],
    'a name made of an id still belongs to it'
  )
  t.equal(error!.path, `/v4/${own}/name-1`)
  t.strictSame(error!.body, { Message: "There is an 'name-1' in 00000001." })
})

void t.test('hosts keep ids and regions at their beginning', async (t) => {
  const id = '1f0c2d3e-1111-4222-8333-444455556666'
  const own = '00000001-0000-4000-8000-000000000000'
  t.strictSame(
    masked({
      nginx_host: `${id}.us-east-1.rest.acme-cloud.io:8443`,
      url: `https://${UPSTREAM}/v4?x=1`,
      Message: `${UPSTREAM} and http://127.0.0.1:4700/x, http://localhost, see https://acme-cloud.io.`
    }),
    {
      nginx_host: `${own}.us-east-1.host-2.example.test:8443`,
      url: 'https://host-1.example.test/v4?x=1',
      Message: 'host-1.example.test and http://127.0.0.1:4700/x, http://localhost, see https://host-3.example.test.'
    }
  )
})

void t.test('hosts under reserved names stay, but for the ids in them', async (t) => {
  const id = '1f0c2d3e-1111-4222-8333-444455556666'
  const own = '00000001-0000-4000-8000-000000000000'
  t.strictSame(
    masked({ nginx_host: `${id}.workspaces.svc.test:443`, url: `https://${id}.svc.example.com/`, at: 'db.invalid' }),
    { nginx_host: `${own}.workspaces.svc.test:443`, url: `https://${own}.svc.example.com/`, at: 'db.invalid' }
  )
})

void t.test('identifiers of clouds are replaced, and keep their form', async (t) => {
  t.strictSame(
    masked({
      role: 'arn:aws:iam::123456789012:role/acme-admin',
      again: 'arn:aws:s3:::acme-bucket',
      account: '123456789012',
      account_id: 123456789012,
      project: 'projects/acme-prod-1/locations/europe-west4',
      subscription: '/subscriptions/12345678-1234-5234-9234-123456789012/resourceGroups/acme-rg',
      allow: ['8.8.8.0/24', '8.8.8.0', '2606:4700::1111/128'],
      md5: '0123456789abcdef0123456789abcdee'
    }),
    {
      role: 'arn:aws:iam::900000000001:role/name-1',
      again: 'arn:aws:s3:::name-2',
      account: '900000000001',
      account_id: 900000000001,
      project: 'projects/project-1/locations/europe-west4',
      subscription: '/subscriptions/00000001-0000-5000-9000-000000000000/resourceGroups/project-2',
      allow: ['198.51.100.0/24', '198.51.100.0', '2001:db8::1111/128'],
      md5: '000000020000c0000000000000000000'
    }
  )
})

void t.test('unknown headers keep their names only', async (t) => {
  const [exchange] = written({
    requestHeaders: {
      'x-customer': 'acme',
      'x-trace': 'zk3jh4k5Qp34kj5h3mX8w',
      'content-length': '12',
      host: UPSTREAM
    },
    headers: { 'x-internal-node': 'node17', server: 'nginx', etag: 'W/"5f-1"' }
  })
  t.strictSame(exchange!.requestHeaders, { 'x-customer': '***', 'x-trace': 'key-1', host: 'host-1.example.test' })
  t.strictSame(exchange!.headers, { 'x-internal-node': '***', server: 'nginx', etag: 'W/"5f-1"' })
})

void t.test('a long or deep body takes no longer than its length', async (t) => {
  let deep: unknown = 'x'
  for (let level = 0; level < 1000; level++) deep = [deep]
  const long = 'aA1'.repeat(100_000)
  for (const text of [long, '%'.repeat(100_000), '\\"'.repeat(50_000), `a@`.repeat(50_000), ':'.repeat(100_000)])
    masked({ text, deep })
  masked({ text: `${long}%20${long}` })
  t.pass()
})

/** An IPv4 address of a host, and an IPv6 one, as numbers. */
const v4 = fc.tuple(fc.integer({ min: 11, max: 99 }), fc.integer({ min: 0, max: 0xffffff })).map(([a, rest]) => ({
  bits: 32,
  value: (BigInt(a) << 24n) | BigInt(rest)
}))
const v6 = fc
  .bigInt({ min: 0n, max: (1n << 112n) - 1n })
  .map((rest) => ({ bits: 128, value: (0x2a01n << 112n) | rest }))

interface Address {
  readonly bits: number
  readonly value: bigint
}

const textOf = ({ bits, value }: Address) =>
  ipaddr
    .fromByteArray(Array.from({ length: bits / 8 }, (_, i) => Number((value >> BigInt(bits - 8 - 8 * i)) & 0xffn)))
    .toString()

const cidrOf = (address: Address, prefix: number) => `${textOf(address)}/${prefix}`
const networkOf = (address: Address, prefix: number) => canonicalBlock(cidrOf(address, prefix))!

void t.test('masking an address goes well with taking its network', async (t) => {
  const of = (address: fc.Arbitrary<Address>, min: number, max: number) =>
    fc.tuple(
      fc.array(address, { minLength: 1, maxLength: 6 }),
      fc.integer({ min, max }),
      fc.constantFrom(undefined, 'k')
    )
  fc.assert(
    fc.property(fc.oneof(of(v4, 8, 32), of(v6, 24, 64), of(v6, 128, 128)), ([addresses, prefix, key]) => {
      const cidrs = addresses.map((address) => cidrOf(address, prefix))
      const networks = addresses.map((address) => networkOf(address, prefix))
      const bare = addresses.map((address) => textOf(address))
      const [{ body } = { body: undefined }] = writtenWith(key, { body: { cidrs, networks, bare } })
      const after = body as Record<string, string[]>
      const known = new Map<string, string>()
      addresses.forEach((address, i) => {
        const [cidr, network] = [after['cidrs']![i]!, after['networks']![i]!]
        if (canonicalBlock(cidr) !== network) throw new Error(`${cidrs[i]}: ${cidr}, but ${networks[i]}: ${network}`)
        if (network === networks[i] || isPublic(cidr)) throw new Error(`${cidr} of ${cidrs[i]} is public`)
        const isUsual = prefix >= (address.bits === 32 ? 24 : 64)
        if (isUsual && !contains(network, after['bare']![i]!))
          throw new Error(`${after['bare']![i]} is not in ${network}`)
        if ((known.get(networks[i]!) ?? network) !== network) throw new Error(`${networks[i]} has two names`)
        known.set(networks[i]!, network)
      })
      if (new Set(known.values()).size !== known.size) throw new Error('two networks have one name')
    }),
    { numRuns: 500 }
  )
  t.strictSame(masked({ cidr: '85.214.132.117/24', result: '85.214.132.0/24', ip: '85.214.132.117' }), {
    cidr: '198.51.100.117/24',
    result: '198.51.100.0/24',
    ip: '198.51.100.117'
  })
})

const isPublic = (cidr: string) => ipaddr.parse(cidr.split('/')[0]!).range() === 'unicast'

void t.test('with a key, the same stands for a text in each run, and tells nothing of it', async (t) => {
  const parts: Partial<Exchange>[] = [
    { requestHeaders: { 'x-api-key': 'tops3cret-key' }, path: '/v4/workgroups/acme-payroll' },
    { body: { id: '1f0c2d3e-1111-4222-8333-444455556666', name: 'workspace-1f0c2d3e', owner: 'jane@acme-cloud.io' } },
    { body: { cidr: '85.214.132.117/24', ip: '2a01:4f8:c17::1', role: 'arn:aws:iam::123456789012:role/acme' } },
    { body: { url: `https://${UPSTREAM}/`, phone: '+49 170 1234567' } }
  ]
  const monday = writtenWith('key of ours', ...parts)
  const tuesday = writtenWith('key of ours', ...[...parts].reverse()).reverse()
  t.strictSame(monday, tuesday, 'in any order')
  const other = writtenWith('another key', ...parts)
  const [ours, theirs] = [monday, other].map((exchanges) => JSON.stringify(exchanges))
  for (const [pseudonym] of ours!.matchAll(/(?:key|name|user|host)-\d+|[0-9a-f]{8}-0000-[0-9a-f-]+|9000000\d{5}/g))
    t.notMatch(theirs, pseudonym)
  const { id, name } = monday[1]!.body as { id: string; name: string }
  t.equal(name, `workspace-${id.slice(0, 8)}`, 'a name made of an id still belongs to it')
  t.strictSame(
    monday.map((exchange) => new Masker('key of ours').maskExchange(exchange)),
    monday,
    'to mask what is masked changes nothing'
  )
})

void t.test('masking invents no difference, whatever the hosts of workspaces are under', async (t) => {
  const text = JSON.stringify(await playService({ seed: 1 }))
  const exchanges = JSON.parse(text.replaceAll('workspaces.svc.test', 'us-east-1.rest.acme-cloud.io')) as Exchange[]
  const { ledger } = await conform(written(...exchanges))
  t.strictSame(
    ledger.filter(({ verdict }) => verdict === 'contradicted').map(({ id, examples }) => [id, examples[0]]),
    []
  )
  t.match(
    ledger.find(({ id }) => id === 'P-016'),
    { verdict: 'confirmed' }
  )
})
