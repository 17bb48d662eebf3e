import { join } from 'node:path'
import t from 'tap'
import { readSeedFile } from '../../src/documents/file.js'
import { SeedFileError } from '../../src/documents/seed-file-error.js'
import { WORKSPACE_STATES } from '../../src/resources/workspaces/lifecycle.js'
import { buildMock, replaceMethod } from '../helper.js'
import { type Fields, oneOf, sentenceOf, wrongType } from '../messages.js'
import { REGIONS } from '../sandbox.js'

void t.test('an unusable seed file is refused in one line that names all errors', async (t) => {
  const { plane } = await buildMock(t)
  const warnings: unknown[] = []
  replaceMethod(t, process, 'emitWarning', (warning: unknown) => {
    warnings.push(warning)
  })
  const files = {
    'broken.yaml': 'org:\n  name: [unclosed\nworkgroups: []\n',
    'twice.yaml': 'org: { name: a }\nclock: { mode: frozen }\norg: { name: b }\n',
    'status.yaml': 'workgroups:\n  - workspaces:\n      - id: a\n        staus: Stopped\n      - status: stoped\n',
    'fields.json': '{\n  "workgroups": [\n    { "nmae": "x", "workspaces": { "id": "a" } }\n  ]\n}\n',
    'alias.yaml': 'org: &a { nmae: x }\nclock: *a\n',
    'fields.yaml': 'workgroups:\n  - { nmae: x, region: nowhere, databases: [{ id: a }, { id: a }] }\n',
    'newline.yaml': 'workgroups:\n  - workspaces: [{ database: "a\\nb" }]\n',
    'tagged.yaml': 'org: !unknown { name: a }\nother: 1\n',
    'empty.yaml': '',
    'null.yaml': 'null # nothing\n',
    'endless.yaml': 'a: 1\nb: -.inf\n',
    'text.yaml': 'just a text',
    'newer.yaml': 'format: 99\n',
    'bomb.yaml':
      'a0: &a0 ' +
      `[x]\n${Array.from(
        { length: 9 },
        (_, i) => `a${i + 1}: &a${i + 1} ` + `[${Array(9).fill(`*a${i}`).join(', ')}]`
      ).join('\n')}\n`,
    folder: {}
  }
  const directory = t.testdir(files)
  const invalid = (fields: Fields) => `the seed file PATH is not valid: ${sentenceOf(fields, {}, 'it')}`
  const cases: Record<string, RegExp | string> = {
    'missing.yaml': 'the seed file PATH does not exist',
    folder: 'the seed file PATH is a directory, not a file',
    'broken.yaml': /^the seed file PATH is neither JSON nor YAML: .+ at line 3, column 1$/,
    'twice.yaml': 'the seed file PATH is neither JSON nor YAML: Map keys must be unique at line 3, column 1',
    'fields.yaml': invalid({
      'workgroups.0.nmae (line 2, column 7)': ['unknownMeant', { meant: 'name' }],
      'workgroups.0.region (line 2, column 16)': oneOf(...REGIONS),
      'workgroups.0.databases.1.id (line 2, column 58)': ['taken', { field: 'workgroups.0.databases.0.id' }]
    }),
    'status.yaml': invalid({
      'workgroups.0.workspaces.0.staus (line 4, column 9)': ['unknownMeant', { meant: 'status' }],
      'workgroups.0.workspaces.1.status (line 5, column 9)': oneOf(...Object.keys(WORKSPACE_STATES))
    }),
    'fields.json': invalid({
      'workgroups.0.nmae (line 3, column 7)': ['unknownMeant', { meant: 'name' }],
      'workgroups.0.workspaces (line 3, column 20)': wrongType('array', 'object')
    }),
    'alias.yaml': invalid({
      'org.nmae (line 1, column 11)': ['unknownMeant', { meant: 'name' }],
      'clock.nmae (line 1, column 11)': 'unknownInFile'
    }),
    'newline.yaml': invalid({
      'workgroups.0.workspaces.0.database (line 2, column 20)': ['databaseId', { id: 'a b' }]
    }),
    'tagged.yaml': invalid({ 'other (line 2, column 1)': 'unknownInFile' }),
    'empty.yaml': 'the seed file PATH is empty',
    'null.yaml': 'the seed file PATH is empty',
    'endless.yaml': 'the seed file PATH has a number that is out of range: -.inf at line 2, column 4',
    'text.yaml': invalid({ '': wrongType('object', 'string') }),
    'newer.yaml': invalid({ 'format (line 1, column 1)': ['newerFormat', { known: 1, format: 99 }] }),
    'bomb.yaml': /^the seed file PATH is neither JSON nor YAML: Excessive alias count/
  }
  t.strictSame(Object.keys(cases).sort(), [...Object.keys(files), 'missing.yaml'].sort())
  for (const [name, expected] of Object.entries(cases)) {
    const path = join(directory, name)
    const error: unknown = await readSeedFile(path, plane).then(
      () => undefined,
      (thrown: unknown) => thrown
    )
    t.type(error, SeedFileError, name)
    t.ok((error as Error).cause, 'with what lies behind it')
    const message = (error as Error).message.replaceAll(path, 'PATH')
    if (typeof expected === 'string') t.equal(message, expected)
    else t.match(message, expected)
    t.notMatch(message, '\n')
  }
  t.strictSame(warnings, [], 'it is told, and not printed')
})
