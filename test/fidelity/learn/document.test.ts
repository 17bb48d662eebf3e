import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { readDocument } from '../../../src/fidelity/learn/description.js'
import { type Learned, learnFromDocument } from '../../../src/fidelity/learn/learn.js'
import { writeProfile } from '../../../src/fidelity/learn/write.js'
import { wordsIn } from '../../../src/fidelity/words.js'
import { MOST_BY_HAND } from '../../../src/interface/document-file.js'
import { MOST_STUBS } from '../../../src/profile/edge.js'
import { effort } from '../../effort.js'
import { type Body, pluck } from '../../helper.js'
import { temporaryFolder } from '../../temporary.js'
import { checkForm, ownDocument, renamed } from './documents.js'
import { otherEdition } from './other-edition.js'

const WORKGROUPS = '/controller/v4/v2/workgroups'
const OWN = ownDocument(t)

/** Learns from a document in OpenAPI 3. */
async function learnFrom(t: Test, paths: object, schemas: object = {}, more: object = {}) {
  const document = { openapi: '3.0.3', info: { title: 'T' }, paths, components: { schemas }, ...more }
  const learned = learnFromDocument(await OWN, document)
  checkForm(t, learned)
  return learned
}

const reply = (schema: object) => ({ responses: { 200: { content: { 'application/json': { schema } } } } })
const sends = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } })
const envelope = (Result: object) => ({
  type: 'object',
  properties: { Error: { type: 'boolean' }, Message: { type: 'string' }, Result }
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const string = { type: 'string' }
/** The unclear notes, a line each. */
const unclear = ({ notes }: Learned) =>
  notes
    .filter(({ isUnclear }) => isUnclear)
    .map(({ text }) => text)
    .join('\n')

void t.test("nothing is learned from the mock's own document", async (t) => {
  const own = await OWN
  const { profile, notes } = learnFromDocument(own, own)
  t.strictSame(profile, { profile: 1, name: 'svc-mock' })
  t.strictSame(notes, [])
})

void t.test('renames are recovered, whatever the style, the brand and the names of schemas', async (t) => {
  const own = await OWN
  const styles: ((words: string[]) => string)[] = [
    (words) => words.join('_'),
    (words) => words.join('-'),
    (words) => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
    (words) => words.map(capital).join('')
  ]
  const fields = namesIn(own)
  const known = new Set([...fields, ...Object.keys(own.components.schemas)].flatMap(wordsIn))
  const brands = fc.stringMatching(/^[b-z]{4,6}$/).filter((word) => !known.has(word))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...styles), brands, fc.boolean(), async (style, brand, isOpaque) => {
      const branded = (name: string) => wordsIn(name).map((word) => (word === 'svc' ? brand : word))
      const news = new Map<string, string>()
      for (const name of fields) {
        const other = style(branded(name))
        // Names that differ only in capitals must stay different.
        news.set(name, [...news.values()].includes(other) ? other.toUpperCase() : other)
      }
      const newField = (name: string) => news.get(name)!
      const names = Object.keys(own.components.schemas as object)
      const newSchema = (name: string) =>
        isOpaque ? `Schema${names.indexOf(name)}` : `models.${branded(name).map(capital).join('')}`
      const theirs = renamed(own, {
        field: newField,
        schema: newSchema,
        operation: (id) => Buffer.from(id).toString('hex')
      })
      const { profile } = learnFromDocument(own, theirs)
      const changed = fields.filter((name) => newField(name) !== name)
      t.strictSame(profile.names?.fields, Object.fromEntries(changed.map((name) => [name, newField(name)])))
      t.strictSame(profile.names?.schemas, Object.fromEntries(names.map((name) => [name, newSchema(name)])))
      for (const part of ['catalogue', 'states', 'fields', 'omit', 'routes', 'stubs'] as const)
        t.equal(profile[part], undefined, part)
    }),
    { numRuns: 12 }
  )
})

const SAME = { field: (name: string) => name, schema: (name: string) => name, operation: (id: string) => id }
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The names of all fields of a document, in its order. */
function namesIn(document: Body): string[] {
  const found = new Set<string>()
  renamed(document, {
    ...SAME,
    field: (name) => {
      found.add(name)
      return name
    }
  })
  return [...found]
}

void t.test('an added field uses built-in names, and only what a profile can express', async (t) => {
  const own = await OWN
  const rename = (field: string) => (field === 'creator' ? 'created_by' : field)
  const theirs = renamed(own, { ...SAME, field: rename })
  Object.assign(theirs.components.schemas.FolderStatistics.properties, {
    created_by: string,
    tier: { type: 'string', enum: ['free', 1, null, 'gold'], minLength: 9 },
    count: { type: 'integer', minimum: 0.5 },
    'a.b': string
  })
  const learned = learnFromDocument(own, theirs)
  checkForm(t, learned)
  t.strictSame(learned.profile.names?.fields, { creator: 'created_by' })
  t.strictSame(learned.profile.fields, {
    FolderStatistics: {
      creator: { type: 'string', default: '' },
      tier: { type: 'string', enum: ['free', 'gold'], nullable: true, default: 'free' },
      count: { type: 'integer', default: 1 }
    }
  })
  t.match(unclear(learned), /^.*a\.b.*$/)
})

void t.test('a name that only one schema changes becomes a further field', async (t) => {
  const learned = await learnFrom(t, {
    [WORKGROUPS]: {
      get: reply(
        envelope({ type: 'array', items: { properties: { workgroup_id: string, name: string, org_id: string } } })
      )
    },
    [`${WORKGROUPS}/{id}/databases/{db}`]: {
      get: reply(envelope({ properties: { database_id: string, created_at: string, org_id: string } }))
    }
  })
  t.match(learned.profile.fields?.['SvcDatabase'], { created_at: { from: 'create_time' } })
  t.ok(learned.profile.omit?.['SvcDatabase']?.includes('create_time'))
  t.equal(learned.profile.names?.fields?.['create_time'], undefined)
})

void t.test('a name that only some schemas show by their contents is new in all of them', async (t) => {
  const own = await OWN
  const { profile, notes } = learnFromDocument(
    own,
    renamed(own, { ...SAME, field: (field) => (field === 'region' ? 'place' : field) })
  )
  t.strictSame(profile.names, { fields: { region: 'place' } })
  t.strictSame([profile.fields, profile.omit], [undefined, undefined])
  t.notOk(notes.some(({ isUnclear }) => isUnclear))
})

void t.test('two fields never get the same name', async (t) => {
  const both = {
    properties: { workgroup_id: string, org_name: string, orgName: string, org_id: string, region: string }
  }
  const { profile } = await learnFrom(t, { [`${WORKGROUPS}/{id}`]: { get: reply(envelope(both)) } })
  t.strictSame(profile.fields?.['Workgroup'], { orgName: { type: 'string', default: '' } })
})

void t.test('fields of all versions of OpenAPI are read', async (t) => {
  const types: readonly [object, object][] = [
    [
      { type: 'string', nullable: true },
      { type: 'string', default: '' }
    ],
    [{ type: ['string', 'null'] }, { type: 'string', default: '' }],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'integer', default: 0 }],
    [
      {
        oneOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', enum: ['b', null] }
        ]
      },
      { enum: ['a', 'b'], default: 'a' }
    ],
    [
      { enum: ['x', 'y'], default: 'y' },
      { type: 'string', enum: ['x', 'y'], default: 'y' }
    ],
    [{ const: 7 }, { type: 'integer', enum: [7], default: 7 }],
    [{ type: 'string', examples: ['shown'] }, { default: 'shown' }],
    [{ type: 'integer', example: 'wrong', minimum: 3 }, { default: 3 }],
    [{ type: 'string', minLength: 2 }, { default: 'xx' }],
    [{ allOf: [ref('Part'), { properties: { b: string } }] }, { type: 'object', default: { a: '', b: '' } }],
    [
      {
        allOf: [ref('Part')],
        oneOf: ['1', '2'].map((one) => ({ properties: { a: { const: one }, b: { const: one } } }))
      },
      { type: 'object', default: { a: '', b: '1' } }
    ],
    [{ properties: { a: string } }, { type: 'object', default: { a: '' } }],
    [{ items: string }, { type: 'array', default: [] }],
    [ref('Loop'), { type: 'object', default: { name: '' } }]
  ]
  for (const [schema, rule] of types) {
    const workspace = { properties: { workspace_id: string, status: string, further: schema } }
    const { profile } = await learnFrom(
      t,
      { [`${WORKGROUPS}/{g}/workspaces/{w}`]: { get: reply(envelope(workspace)) } },
      { Part: { properties: { a: string } }, Loop: { properties: { name: string, next: ref('Loop') } } }
    )
    t.match(profile.fields?.['Workspace']?.['further'], rule, JSON.stringify(schema))
  }
})

void t.test('replies lack a field that only requests have', async (t) => {
  const workgroup = { properties: { workgroup_id: string, region: string, pin: { ...string, writeOnly: true } } }
  const { profile } = await learnFrom(t, { [`${WORKGROUPS}/{id}`]: { get: reply(envelope(workgroup)) } })
  t.ok(profile.omit?.['Workgroup']?.includes('pin'))
})

void t.test('a field without a type becomes text, and is unclear', async (t) => {
  const workgroup = { properties: { workgroup_id: string, region: string, oddity: {} } }
  const learned = await learnFrom(t, { [`${WORKGROUPS}/{id}`]: { get: reply(envelope(workgroup)) } })
  t.strictSame(learned.profile.fields?.['Workgroup'], { oddity: { type: 'string', default: '' } })
  t.match(unclear(learned), 'no type')
})

void t.test('an incompatible type is unclear', async (t) => {
  const type = { properties: { typeName: string, cpu: { type: 'integer' }, memory: string } }
  const workspace = { properties: { workspace_id: string, status: string, workspace_type: type } }
  const learned = await learnFrom(t, { [`${WORKGROUPS}/{g}/workspaces/{w}`]: { get: reply(envelope(workspace)) } })
  t.match(unclear(learned), 'cpu of WorkspaceType is of type integer')
})

void t.test('a stub has what the first of several types allows, and checks only values of their type', async (t) => {
  const body = {
    type: 'object',
    properties: { size: { type: 'integer', enum: ['1', '2'] }, kind: { type: 'string', enum: ['a', 1] } }
  }
  const either = { oneOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] }
  const account = { type: 'object', properties: { id: string, pin: { ...string, writeOnly: true } } }
  const { profile } = await learnFrom(t, {
    [WORKGROUPS]: { get: reply({ type: 'array', items: { properties: { workgroup_id: string } } }) },
    '/v1/plans': { post: { ...sends(body), ...reply({ type: 'object', properties: { either } }) } },
    '/v1/moved': { get: { responses: { 302: {}, default: {} } } },
    '/v1/cached': { get: { responses: { 304: {}, default: reply(account).responses[200] } } }
  })
  t.strictSame(Object.fromEntries(profile.stubs!.map(({ path, status, body }) => [path, body ?? status])), {
    '/v1/plans': { either: '2026-01-01' },
    '/v1/moved': 302,
    '/v1/cached': { id: '' }
  })
  t.strictSame(profile.stubs![0]!.request, { kind: { type: 'string', enum: ['a'] } })
})

void t.test('circular, broken and remote references do no harm, and are mentioned', async (t) => {
  const learned = await learnFrom(
    t,
    {
      [WORKGROUPS]: { get: reply(envelope({ type: 'array', items: ref('Circle') })) },
      '/elsewhere': { $ref: 'other.yaml#/paths/~1elsewhere' },
      '/far': { get: reply({ $ref: 'https://example.com/schema.json' }) },
      '/lost': { get: { responses: { 200: { $ref: '#/components/responses/None' } } } },
      '/self': { get: reply(ref('Itself')) },
      '/apart': { get: { $ref: 'apart.yaml' } }
    },
    {
      Circle: { allOf: [ref('Circle'), { properties: { workgroup_id: string, name: string, up: ref('Circle') } }] },
      Itself: ref('Other'),
      Other: ref('Itself')
    }
  )
  for (const reference of [
    'other.yaml#/paths/~1elsewhere',
    'https://example.com/schema.json',
    'apart.yaml',
    '#/components/responses/None'
  ])
    t.match(unclear(learned), reference)
  t.strictSame(pluck(learned.profile.stubs, 'path'), ['/far', '/lost', '/self', '/apart'])
})

void t.test('a schema may extend one that lists it as an alternative, and others very many', async (t) => {
  const base = (index: number) => ({ allOf: [ref(`Base${index}`), { properties: { [`p${index}`]: string } }] })
  const workgroup = { properties: { workgroup_id: string, region: string, cat: ref('Cat'), dog: ref('Dog') } }
  const { profile } = await learnFrom(
    t,
    { [`${WORKGROUPS}/{id}`]: { get: reply(envelope(workgroup)) }, '/far': { get: reply(ref('Base0')) } },
    {
      Pet: { properties: { id: string }, oneOf: [ref('Cat'), ref('Dog')] },
      Cat: { allOf: [ref('Pet'), { properties: { purr: string } }] },
      Dog: { allOf: [ref('Pet'), { properties: { bark: string } }] },
      ...Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`Base${index}`, base(index + 1)]))
    }
  )
  t.match(profile.fields?.['Workgroup'], {
    cat: { default: { id: '', purr: '' } },
    dog: { default: { id: '', bark: '' } }
  })
  t.match(profile.stubs, [{ body: { p1: '', p2: '' } }])
})

void t.test('of operations that differ only in names of parameters, the first counts', async (t) => {
  const learned = await learnFrom(t, {
    [`${WORKGROUPS}/{id}`]: { get: reply(envelope({ properties: { workgroup_id: string } })) },
    [`${WORKGROUPS}/{name}`]: { get: reply(string) }
  })
  t.equal(learned.summary.matched, 1)
  t.match(unclear(learned), `GET ${WORKGROUPS}/{name} is in the document more than once`)
})

void t.test('a prefix of all paths, or a plural, makes no difference', async (t) => {
  const variables = { name: { default: 'base' }, slashed: { default: '/base' }, version: { default: 1 }, scheme: {} }
  for (const [url, path] of [
    ['https://api.example.com/base/', '/base'],
    ['{scheme}://{region}.example.com/{name}', '/base'],
    ['/base?a=b', '/base'],
    ['https://api.example.com/{slashed}', '/base'],
    ['{name}', '/base'],
    ['/v{version}', '/v1']
  ] as const) {
    const server = { servers: [{ url, variables }] }
    const learned = await learnFrom(t, { [WORKGROUPS]: { get: reply(envelope({})) } }, {}, server)
    t.match(learned.notes[0]?.text, new RegExp(`--base-path ${path}(?![\\w/])`), url)
    t.equal(learned.profile.routes, undefined)
  }
  const moved = await learnFrom(t, {
    '/api/v1/workgroup/{wg}/workspace/{ws}/pause': { post: { operationId: 'pauseWorkspace', ...reply({}) } }
  })
  t.match(moved.profile.routes, [
    { method: 'POST', operation: 'pauseWorkspace' },
    { operation: 'pauseWorkspace', off: true }
  ])
})

void t.test('parameters in another order are matched by name', async (t) => {
  const path = '/controller/v4/v2/workspaces/{workspace}/workgroups/{workgroup}/pause'
  const { profile } = await learnFrom(t, { [path]: { post: { operationId: 'pauseWorkspace', ...reply({}) } } })
  t.strictSame(profile.routes?.[0], {
    method: 'POST',
    path,
    operation: 'pauseWorkspace',
    parameters: { workspace: 'workspaceID', workgroup: 'workgroupID' }
  })
})

void t.test('a path that the mock cannot serve is a stub or left out, and unclear', async (t) => {
  const status = reply(envelope({ properties: { name: string, status: string, output: string, created_at: string } }))
  const learned = await learnFrom(t, {
    [WORKGROUPS]: { get: reply(envelope({})) },
    [`${WORKGROUPS}/{g}/workspaces/{w}/backups/{job}/status`]: { get: { operationId: 'getRestoreStatus', ...status } },
    '/v1/{a}:{b}': { get: reply({}) },
    '/docs': { get: reply({}) },
    '/v1/{a-b}/{a.b}': { get: reply({}) }
  })
  t.strictSame(pluck(learned.profile.stubs, 'path'), [
    '/v1/{a_b}/{a_b_}',
    `${WORKGROUPS}/{g}/workspaces/{w}/backups/{job}/status`
  ])
  for (const start of ['GET /v1/{a}:{b} is left out', 'GET /docs is left out', `GET ${WORKGROUPS}/{g}/workspaces`])
    t.match(unclear(learned), start)
})

void t.test('an operation that may be one of the mock becomes a stub, and is unclear', async (t) => {
  const learned = await learnFrom(t, {
    [WORKGROUPS]: { get: reply(envelope({})) },
    '/machines/{id}/resume': { post: { responses: { 200: { description: 'Done.' } } } }
  })
  t.match(learned.profile.stubs, [{ method: 'POST', path: '/machines/{id}/resume' }])
  t.match(unclear(learned), 'POST /machines/{id}/resume may be resumeWorkspace')
})

void t.test('the route that three operations share can move as one', async (t) => {
  const own = structuredClone(await OWN)
  const [path, item] = Object.entries(own.paths as object).find(
    ([, { post }]) => post?.operationId === 'changeSchedule'
  )!
  own.paths = Object.fromEntries(Object.entries(own.paths as object).filter(([name]) => name !== path))
  own.paths[path.replace('/backups/schedule', '/plan')] = { post: item.post }
  const { profile } = learnFromDocument(own, own)
  t.equal(profile.routes, undefined)
  const moved = learnFromDocument(await OWN, own)
  checkForm(t, moved)
  t.strictSame(moved.profile.routes, [
    { method: 'POST', path: path.replace('/backups/schedule', '/plan'), operation: 'changeSchedule' },
    { operation: 'changeSchedule', off: true }
  ])
})

void t.test('defaults, and values that only some requests allow, are learned', async (t) => {
  const typed = (values: string[], more = {}) => ({
    properties: { workspace_type_name: { enum: values, ...more }, enable_ha: { type: 'boolean' } }
  })
  const { profile } = await learnFrom(
    t,
    {
      [`${WORKGROUPS}/{g}/workspaces`]: { post: { ...sends(ref('New')), ...reply(envelope({})) } },
      [`${WORKGROUPS}/{g}/workspaces/{w}`]: { put: { ...sends(ref('Change')), ...reply(envelope({})) } }
    },
    { New: typed(['XS', 'S'], { default: 'S' }), Change: typed(['S', 'M']) }
  )
  t.match(profile.catalogue, {
    workspace_types: [{ typeName: 'XS', resize: false }, { typeName: 'S' }, { typeName: 'M', create: false }],
    defaults: { workspace_type: 'S' }
  })
})

void t.test('text of a document stays text: in comments, in stubs, and in names', async (t) => {
  const learned = await learnFrom(
    t,
    {
      [WORKGROUPS]: { get: reply(envelope({ type: 'array', items: ref('evil\nstubs: []') })) },
      '/x': { get: { responses: { 200: { content: { 'application/json': { example: { a: '{{b}}' } } } } } } },
      '/y': { get: reply({ $ref: 'far\n\u2028profile: 2\u0007' }) }
    },
    { 'evil\nstubs: []': { properties: { workgroup_id: string, 'name\nprofile: 2': string, __proto__: string } } }
  )
  t.match(learned.profile.stubs?.[0], { body: { a: '{b}' } })
  t.equal(learned.profile.profile, 1)
})

void t.test('anything but an OpenAPI document of the service is refused', async (t) => {
  const own = await OWN
  for (const [document, reason] of [
    [null, /not an object/],
    [[], /not an object/],
    ['text', /not an object/],
    [{}, /neither the field openapi nor swagger/],
    [{ openapi: '4.0.0', paths: {} }, /version 4\.0\.0/],
    [{ swagger: '1.2', paths: {} }, /version 1\.2/],
    [{ openapi: '3.1.0' }, /no paths/],
    [{ openapi: '3.1.0', paths: {} }, /no operations/],
    [{ openapi: '3.1.0', paths: { x: { get: {} }, '/y': { get: 1, head: {} } } }, /no operations/],
    [{ swagger: 2, paths: { '/pets/{id}': { get: reply({}) } } }, /no operation in common/],
    [{ swagger: '2.0', paths: { '/pet': { post: {} }, '/store/inventory': { get: {} } } }, /no operation in common/]
  ] as const)
    t.throws(
      () => learnFromDocument(own, document),
      { name: 'DocumentError', message: reason },
      JSON.stringify(document)
    )
})

void t.test('anything that looks like a document gives a profile or an explanation', async (t) => {
  const own = await OWN
  const noise = fc.jsonValue({ depthSize: 'small' }) as fc.Arbitrary<Body>
  await fc.assert(
    fc.asyncProperty(noise, noise, async (schema, part) => {
      const edition = otherEdition()
      edition.definitions.Workspace = schema
      edition.definitions.Backup.properties.status = part
      edition.paths['/noise'] = { get: part, put: schema, post: { responses: { 200: { schema } }, parameters: part } }
      checkForm(t, learnFromDocument(own, edition))
    }),
    { numRuns: 15 }
  )
})

async function readText(t: Test, text: string) {
  const file = join(temporaryFolder(t), 'document')
  writeFileSync(file, text)
  return readDocument(file)
}

void t.test('JSON and YAML are read, and repeated keys are reported', async (t) => {
  t.strictSame(await readText(t, '{"a": 1}'), { document: { a: 1 }, duplicates: [] })
  t.strictSame(await readText(t, 'a: 1\nb: 2\na: 3'), { document: { a: 3, b: 2 }, duplicates: ['a (line 3)'] })
  const bomb = ['a0: &a0 [x]', ...Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)]
  t.ok((await readText(t, bomb.join('\n'))).document, 'aliases are not expanded')
})

void t.test('a document of several megabytes is learned from', async (t) => {
  const own = await OWN
  const edition = otherEdition()
  const size = JSON.stringify(edition).length
  for (let copy = 0; copy < effort(1e6, 4e6) / size; copy++) {
    for (const [path, item] of Object.entries(edition.paths as object).slice(0, 40))
      edition.paths[`/copy${copy}${path}/more`] = structuredClone(item)
    for (const [name, schema] of Object.entries(edition.definitions as object).slice(0, 40))
      edition.definitions[`${name}${copy}`] = structuredClone(schema)
  }
  const { document } = await readText(t, JSON.stringify(edition))
  const learned = learnFromDocument(own, document)
  t.equal(learned.summary.matched, 38)
  t.equal(learned.summary.stubbed, MOST_STUBS)
  t.match(unclear(learned), new RegExp(`further operations .*${MOST_STUBS}`))
})

void t.test('a profile learned from many long replies is small enough to be used', async (t) => {
  const long = { type: 'array', items: { type: 'string', example: 'x'.repeat(2000) } }
  const paths = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`/long${index}`, { get: reply(long) }]))
  const learned = await learnFrom(t, { [WORKGROUPS]: { get: reply({}) }, ...paths })
  t.equal(learned.profile.stubs?.length, 900)
  t.ok(writeProfile(learned).length < MOST_BY_HAND)
  t.match(unclear(learned), 'further bodies left out')
})
