// Mutation tests: Stryker makes one mistake at a time, and the tests of the room must notice it. ROOM names a folder of
// src/, or one of these entries: files in which a mistake would let somebody in, or show a secret.
const SECURITY = {
  guard: [['src/http/test-control/guard.ts', 'src/interface/foreign-pages.ts'], ['test-control/guard']],
  credentials: [['src/http/hooks/enter-sandbox.ts'], ['http/credentials', 'resources/users']],
  addresses: [['src/lib/ip.ts'], ['lib/ip', 'http/credentials']],
  mask: [['src/lib/secrets.ts'], ['lib/secrets', 'test-control/requests']],
  masking: [['src/fidelity/masking/*.ts'], ['fidelity/masking*']],
  isolation: [
    ['src/resources/tx.ts', 'src/http/hooks/{enter-sandbox,refuse}.ts'],
    [
      'http/credentials',
      'http/full-database',
      'resources/{backups,not-found,schedules,users}',
      'reliability/isolation',
      'test-control/sandboxes'
    ]
  ]
}

const { ROOM = 'guard' } = process.env
const [mutate, tests] = SECURITY[ROOM] ?? [[`src/${ROOM}/**/*.ts`], [`${ROOM}/**/*`]]

export default {
  // Lists of assumptions are data for documents.
  mutate: [...mutate, '!src/**/assumptions.ts'],
  testRunner: 'tap',
  tap: {
    testFiles: tests.map((test) => `test/${test}.test.ts`),
    nodeArgs: ['--import', './test/transpile.mjs', '-r', '{{hookFile}}', '{{testFile}}']
  },
  ignorePatterns: ['bench', 'dist'],
  concurrency: 2,
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { reportTests: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 90 }
}
