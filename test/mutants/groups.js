/**
 * What is mutated together, and the tests that are to notice it: those that do so soonest come first, and the first
 * failure is enough.
 * `npm run test:mutants -- guard mask` runs some of them.
 */
export const GROUPS = {
  workspaces: {
    mutate: ['src/resources/workspaces/lifecycle.ts'],
    tests: [
      'mutants/tables',
      'resources/workspaces.test',
      'test-control/coverage.test',
      'state/transient.test',
      'resources/backups.test',
      'resources/schedules.test'
    ]
  },
  backups: {
    mutate: ['src/resources/backups/lifecycle.ts'],
    tests: [
      'mutants/tables',
      'resources/backups.test',
      'test-control/coverage.test',
      'state/transient.test',
      'resources/schedules.test'
    ]
  },
  schedules: {
    mutate: ['src/resources/schedules/lifecycle.ts', 'src/resources/schedules/times.ts'],
    tests: ['resources/schedules.test', 'test-control/coverage.test', 'state/transient.test']
  },
  time: {
    mutate: ['src/sim/clock.ts', 'src/lib/time.ts', 'src/sim/random.ts'],
    tests: ['sim/clock.test', 'sim/random.test', 'test-control/clock.test', 'test-control/faults.test']
  },
  engine: {
    mutate: ['src/sim/!(clock|random).ts'],
    tests: [
      'sim/engine.test',
      'test-control/transitions.test',
      'resources/workspaces.test',
      'test-control/requests.test',
      'state/transient.test',
      'state/documents.test',
      'resources/schedules.test',
      'test-control/clock.test'
    ]
  },
  // Rooms where a mistake would let somebody in, or show what is secret: each mutant of these is to be noticed.
  guard: {
    mutate: ['src/http/test-control/guard.ts'],
    tests: ['test-control/guard.test', 'test-control/all-sandboxes.test', 'options.test']
  },
  credentials: {
    mutate: ['src/http/credentials.ts', 'src/sandboxes/keys.ts'],
    tests: ['http/credentials.test', 'sandboxes/registry.test', 'test-control/sandboxes.test']
  },
  addresses: {
    mutate: ['src/lib/ip.ts'],
    tests: ['http/credentials.test', 'resources/allow-list.test', 'test-control/guard.test']
  },
  mask: {
    mutate: ['src/journal/mask.ts'],
    tests: ['journal/mask.test', 'test-control/requests.test']
  },
  // The other rooms, from the ground up.
  lib: {
    mutate: ['src/lib/!(ip).ts'],
    tests: [
      'lib/recency.test',
      'lib/kept.test',
      'http/wire.test',
      'http/bodies.test',
      'sim/clock.test',
      'interface.test'
    ]
  },
  db: {
    mutate: ['src/db/*.ts'],
    tests: ['db/database.test', 'db/row-watcher.test', 'db/size.test', 'persistence.test']
  },
  journal: {
    mutate: ['src/journal/!(mask).ts'],
    tests: [
      'journal/journal.test',
      'journal/unread.test',
      'test-control/requests.test',
      'test-control/stream.test',
      'test-control/coverage.test'
    ]
  },
  sandboxes: {
    mutate: ['src/sandboxes/!(keys).ts'],
    tests: [
      'sandboxes/registry.test',
      'test-control/sandboxes.test',
      'test-control/faults.test',
      'reliability/removed-sandbox.test'
    ]
  },
  resources: {
    mutate: ['src/resources/*/!(lifecycle|times|schemas).ts'],
    tests: [
      'resources/workgroups.test',
      'resources/workspaces.test',
      'resources/databases.test',
      'resources/allow-list.test',
      'resources/backups.test',
      'resources/schedules.test',
      'resources/users.test',
      'resources/taking-turns.test'
    ]
  },
  state: {
    mutate: ['src/state/!(schemas).ts'],
    tests: ['state/documents.test', 'state/transient.test', 'state/bounds.test', 'state/round-trip.test']
  },
  'test-control': {
    mutate: ['src/test-control/**/!(schemas).ts'],
    tests: [
      'test-control/event-views.test',
      'test-control/slices.test',
      'test-control/report-rules.test',
      'test-control/limits.test',
      'test-control/workspaces.test',
      'test-control/left-behind.test',
      'test-control/clock.test',
      'test-control/faults.test',
      'test-control/requests.test',
      'test-control/report.test',
      'test-control/sandboxes.test',
      'test-control/coverage.test',
      'test-control/transitions.test',
      'test-control/verify.test',
      'test-control/all-sandboxes.test',
      'test-control/truth.test',
      'test-control/moves.test',
      'test-control/stream.test',
      'http/recorded-requests.test',
      'sandbox-handle.test'
    ]
  },
  http: {
    mutate: ['src/http/*.ts', 'src/http/hooks/*.ts', '!src/http/credentials.ts'],
    tests: [
      'http/room-for-replies.test',
      'http/body-room.test',
      'http/client-errors.test',
      'http/connections.test',
      'http/app.test',
      'http/cors.test',
      'http/room-in-database.test',
      'http/reads.test',
      'http/wire.test',
      'http/bodies.test',
      'http/read-cache.test',
      'http/turns.test',
      'http/unread-replies.test',
      'http/full-database.test',
      'http/brand.test',
      'openapi.test',
      'interface.test',
      'http/recorded-requests.test',
      'http/credentials.test',
      'http/api-docs.test',
      'test-control/coverage.test',
      'test-control/requests.test',
      'test-control/truth.test',
      'test-control/faults.test'
    ]
  },
  interface: {
    mutate: ['src/http/interface/*.ts'],
    tests: [
      'resources/workgroups.test',
      'resources/workspaces.test',
      'resources/databases.test',
      'resources/allow-list.test',
      'resources/backups.test',
      'resources/schedules.test',
      'resources/users.test',
      'interface.test',
      'openapi.test',
      'test-control/coverage.test',
      'test-control/clock.test'
    ]
  },
  'control-routes': {
    mutate: ['src/http/test-control/!(guard).ts'],
    tests: [
      'test-control/readiness.test',
      'test-control/replies.test',
      'test-control/listeners.test',
      'test-control/console-files.test',
      'test-control/workspaces.test',
      'test-control/stream.test',
      'test-control/sandboxes.test',
      'test-control/faults.test',
      'test-control/clock.test',
      'test-control/transitions.test',
      'test-control/requests.test',
      'test-control/coverage.test',
      'test-control/all-sandboxes.test',
      'test-control/truth.test',
      'openapi.test'
    ]
  }
}
