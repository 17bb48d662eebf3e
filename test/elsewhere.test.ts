import t from 'tap'

// The tests of the interface once more, where every name and state is another one, every path has moved, and every
// schema has a further field: see test/under-words.ts. Their client translates, so that they know nothing of it.
process.env['TEST_OTHER_WORDS'] = '1'

const FILES = [
  'contract/contract',
  'http/read-cache',
  'http/reads',
  ...['allow-list', 'backups', 'databases', 'schedules', 'users', 'workgroups', 'workspaces'].map(
    (resource) => `resources/${resource}`
  ),
  'documents/documents'
]

void t.test('the interface behaves the same under another profile', async () => {
  for (const file of FILES) await import(`./${file}.test.ts`)
})
