import t from 'tap'
import { parseDocument } from '../../src/interface/document-file.js'

void t.test('a field has a place; for one that is absent, the place is that of what should contain it', async (t) => {
  const { placeOf } = await parseDocument('org: { name: a }\nworkgroups:\n  - name: b\n  - name: c\n')
  for (const [path, place] of [
    [[], 'line 1, column 1'],
    [['org', 'name'], 'line 1, column 8'],
    [['org', 'id'], 'line 1, column 1'],
    [['missing'], 'line 1, column 1'],
    [['workgroups', '1', 'name'], 'line 4, column 5'],
    [['workgroups', '1', 'id'], 'line 4, column 5'],
    [['workgroups', '2'], 'line 2, column 1'],
    [['workgroups', '2', 'name'], 'line 2, column 1'],
    [['workgroups', '0', 'name', 'first', 'letter'], 'line 3, column 5']
  ] as const)
    t.equal(placeOf(path), place, path.join('.'))
})

void t.test('what cannot be parsed keeps the words of the parser, and the cause', async (t) => {
  await t.rejects(parseDocument('a: *nobody'), { name: 'DocumentError', message: /: nobody$/, cause: Error })
})

void t.test('a document that is nested too deeply is refused as such', async (t) => {
  for (const text of [
    '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
    '['.repeat(20_000) + ']'.repeat(20_000),
    `a: ${'['.repeat(501)}`,
    `profile: 1\nfields: ${'{ a: '.repeat(20_000)}1${' }'.repeat(20_000)}`
  ])
    await t.rejects(parseDocument(text), { name: 'DocumentError', message: /^is nested too deeply$/ })
  const { document } = await parseDocument(`# "one of {{{\n${'['.repeat(100)}${']'.repeat(100)}`)
  t.ok(Array.isArray(document))
})
