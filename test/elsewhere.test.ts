import t from 'tap'

// Runs tests of the interface again with other names, states and paths, and an added field in every schema. Their
// client translates: see test/under-words.ts.
process.env['TEST_OTHER_WORDS'] = '1'

const FILES = [
  'http/reads',
  ...['allow-list', 'backups', 'databases', 'schedules', 'users', 'workgroups', 'workspaces'].map(
    (resource) => `resources/${resource}`
  ),
  'documents/documents'
]

void t.test('the interface behaves the same under another profile', async () => {
  for (const file of FILES) await import(`./${file}.test.ts`)
})
