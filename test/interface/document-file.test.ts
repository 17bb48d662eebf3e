import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseDocument, readDocumentFile } from '../../src/interface/document-file.js'

void t.test('a field has a place, and an absent field has the place of its parent', async (t) => {
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

void t.test('an error of the parser keeps its words and its cause', async (t) => {
  await t.rejects(parseDocument('a: *nobody'), { name: 'DocumentError', message: /: nobody$/, cause: Error })
})

void t.test('a file may be as PowerShell writes it', async (t) => {
  const file = join(t.testdir(), 'state')
  for (const text of ['{"org":{"name":"ä"}}', 'org:\r\n  name: ä\r\n'])
    for (const encoding of ['utf8', 'utf16le'] as const) {
      writeFileSync(file, `\ufeff${text}`, encoding)
      t.strictSame((await readDocumentFile(file)).document, { org: { name: 'ä' } }, `${encoding} ${text}`)
    }
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

void t.test('JSON that would take the YAML parser long is parsed as JSON, and its errors are named', async (t) => {
  const many = (count: number, item: string) => `[${`${item},`.repeat(count)}{}]`
  const { document, placeOf } = await parseDocument(many(200_000, '{"a":1}'))
  t.equal((document as unknown[]).length, 200_001)
  t.equal(placeOf(['1', 'a']), undefined, 'nobody waits for a place')
  t.equal((await parseDocument(many(300_000, '1'))).placeOf(['1']), undefined)
  await t.rejects(parseDocument(many(200_000, '{"a":1}').slice(0, -1)), { message: /^is not JSON: / })
  await t.rejects(parseDocument(many(200_000, '{"a":1,"a":2}')), { message: /name twice/ })
  await t.rejects(parseDocument('{"a":1,"a":2}'), { message: /unique at line 1, column 8$/ })
  await t.rejects(parseDocument('[1e999]'), { message: /out of range: 1e999/ })
  t.equal((await parseDocument('{"a:":":\\":"}')).placeOf(['a:']), 'line 1, column 2')
})

void t.test('YAML that would take too long is refused with the reason', async (t) => {
  const anchors = Array.from({ length: 2000 }, (_, i) => `- &a${i} x\n- *a${i}\n`).join('')
  for (const [text, reason] of [
    ['\t\t:\n'.repeat(200_000), /tokens of YAML/],
    ['\n'.repeat(1_000_000), /tokens of YAML/],
    [anchors, /1000 aliases/],
    ['? '.repeat(500), /question mark/],
    ['{{a: b}: c}: d', /key that is not a text/],
    ['!a '.repeat(20_000), /at most one tag at line 1, column 4$/],
    [`%YAML 1.1\n---\na: &a {x: 1}\nb:\n${'- <<: *a\n'.repeat(900)}`, /merge key/]
  ] as const)
    await t.rejects(parseDocument(text), { name: 'DocumentError', message: reason })
  const { document } = await parseDocument("a: '*x ? &y'\nb: |\n  ? c\n  *d\nc: what? *me\n")
  t.strictSame(document, { a: '*x ? &y', b: '? c\n*d\n', c: 'what? *me' })
})
