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
      'resources/schedules.test',
      'test-control/clock.test'
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
    tests: [
      'resources/schedule-zones.test',
      'resources/schedule-dates.test',
      'resources/schedules.test',
      'test-control/coverage.test',
      'state/transient.test'
    ]
  },
  time: {
    mutate: ['src/sim/clock.ts', 'src/lib/time.ts', 'src/sim/random.ts'],
    tests: ['lib/time.test', 'sim/clock.test', 'sim/random.test', 'test-control/clock.test', 'test-control/faults.test']
  },
  engine: {
    mutate: ['src/sim/!(clock|random|*schemas).ts'],
    tests: [
      'sim/timeline.test',
      'sim/catching-up.test',
      'sim/engine.test',
      'sim/sleepers.test',
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
    tests: ['test-control/guard.test']
  },
  credentials: {
    mutate: ['src/http/credentials.ts', 'src/sandboxes/keys.ts'],
    tests: ['http/credentials.test', 'test-control/sandboxes.test']
  },
  addresses: {
    mutate: ['src/lib/ip.ts'],
    tests: ['lib/ip.test', 'http/credentials.test']
  },
  mask: {
    mutate: ['src/journal/mask.ts'],
    tests: ['journal/mask.test', 'test-control/requests.test']
  },
  isolation: {
    mutate: [
      'src/resources/{stores,tx}.ts',
      'src/http/hooks/{authenticate,enter-sandbox,refuse-duplicate-headers}.ts',
      'src/http/read-cache.ts'
    ],
    tests: [
      'http/credentials.test',
      'http/read-cache.test',
      'resources/backups.test',
      'resources/schedules.test',
      'resources/users.test',
      'test-control/sandboxes.test'
    ]
  },
  masking: {
    mutate: ['src/fidelity/masking/*.ts'],
    tests: ['fidelity/masking.test']
  },
  // The other rooms, from the ground up.
  lib: {
    mutate: ['src/lib/!(ip).ts'],
    tests: [
      'lib/recency.test',
      'lib/nearest.test',
      'lib/call-site.test',
      'lib/kept.test',
      'lib/group-by.test',
      'lib/late-modules.test',
      'lib/file-problem.test',
      'lib/visible.test',
      'lib/when-ready.test',
      'lib/suggestion.test',
      'lib/document-file.test',
      'lib/describe-errors.test',
      'lib/package-file.test',
      'lib/time.test',
      'lib/errors.test',
      'lib/schemas.test',
      'lib/check.test',
      'lib/validation.test',
      'lib/pacer.test',
      'sim/clock.test',
      'lib/json-pieces.test',
      'lib/operation-ids.test',
      'state/file.test',
      'http/wire.test',
      'http/bodies.test'
    ]
  },
  db: {
    mutate: ['src/db/*.ts'],
    tests: [
      'db/addon.test',
      'db/bound.test',
      'db/connection.test',
      'db/lanes.test',
      'db/group-commit.test',
      'db/row-watcher.test',
      'db/row-history.test',
      'db/undo-log.test',
      'db/database.test',
      'db/size.test'
    ]
  },
  journal: {
    mutate: ['src/journal/!(mask).ts'],
    tests: [
      'journal/size.test',
      'journal/budget.test',
      'journal/event-hub.test',
      'journal/watched.test',
      'journal/change-capture.test',
      'journal/change-log.test',
      'journal/coverage.test',
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
      'sandboxes/quotas.test',
      'sandboxes/snapshots.test',
      'sandboxes/fault-rule.test',
      'sandboxes/fault-schemas.test',
      'sandboxes/store.test',
      'sandboxes/long-reads.test',
      'sandboxes/bare-registry.test',
      'sandboxes/resources.test',
      'sandboxes/writer.test',
      'sandboxes/registry.test',
      'test-control/sandboxes.test',
      'test-control/faults.test',
      'test-control/stale-reads.test',
      'reliability/removed-sandbox.test'
    ]
  },
  resources: {
    mutate: ['src/resources/*/!(lifecycle|times|schemas|examples).ts'],
    tests: [
      'mutants/fields',
      'resources/taking-turns.test',
      'resources/schedule-dates.test',
      'resources/workspace-pages.test',
      'resources/workgroup-text.test',
      'state/every-field.test',
      'state/ids.test',
      'state/checks.test',
      'resources/workgroups.test',
      'resources/workspaces.test',
      'resources/databases.test',
      'resources/allow-list.test',
      'resources/backups.test',
      'resources/schedules.test',
      'resources/users.test',
      'resources/schedule-zones.test',
      'state/documents.test',
      'state/transient.test',
      'test-control/workspaces.test',
      'profile/fields.test',
      'profile/wording.test'
    ]
  },
  state: {
    mutate: ['src/state/!(schemas|demo).ts'],
    tests: [
      'state/seed-file.test',
      'state/every-field.test',
      'state/ids.test',
      'state/checks.test',
      'state/file.test',
      'state/pieces.test',
      'state/documents.test',
      'state/transient.test',
      'state/schema-errors.test',
      'state/under-profiles.test',
      'state/bounds.test',
      'state/round-trip.test'
    ]
  },
  'test-control': {
    mutate: ['src/test-control/**/!(schemas|routes).ts'],
    tests: [
      'test-control/from-caller.test',
      'test-control/call-replies.test',
      'journal/unread.test',
      'test-control/call.test',
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
      'test-control/stale-reads.test',
      'test-control/moves.test',
      'test-control/stream.test',
      'test-control/sleep.test',
      'http/recorded-requests.test',
      'sandbox-handle.test',
      'profile/quotas.test',
      'profile/stubs.test'
    ]
  },
  http: {
    mutate: [
      'src/http/!(credentials|read-cache).ts',
      'src/http/hooks/!(authenticate|enter-sandbox|refuse-duplicate-headers).ts'
    ],
    tests: [
      'http/room-for-replies.test',
      'http/body-room.test',
      'http/body-reader.test',
      'http/json-body.test',
      'http/client-errors.test',
      'http/connections.test',
      'http/app.test',
      'http/cors.test',
      'http/docs-files.test',
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
      'openapi-examples.test',
      'interface.test',
      'http/recorded-requests.test',
      'http/credentials.test',
      'http/home.test',
      'http/send-in-pieces.test',
      'profile/wording.test',
      'profile/routes.test',
      'profile/stubs.test',
      'profile/gateway.test',
      'profile/messages.test',
      'profile/roles.test',
      'test-control/coverage.test',
      'test-control/requests.test',
      'test-control/truth.test',
      'test-control/faults.test',
      'test-control/stale-reads.test'
    ]
  },
  profile: {
    mutate: ['src/profile/!(schemas).ts'],
    tests: [
      'profile/catalogue.test',
      'profile/durations.test',
      'profile/quotas.test',
      'profile/file.test',
      'profile/wording.test',
      'profile/routes.test',
      'profile/stubs.test',
      'profile/gateway.test',
      'profile/messages.test',
      'profile/roles.test',
      'profile/fields.test',
      'profile/command.test'
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
      'openapi-examples.test',
      'interface.test',
      'openapi.test',
      'profile/catalogue.test',
      'profile/routes.test',
      'profile/fields.test',
      'profile/wording.test',
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
      'openapi.test',
      'test-control/metrics.test',
      'test-control/report.test',
      'recording/from-memory.test',
      'mcp/http.test'
    ]
  },
  recording: {
    mutate: ['src/recording/!(schemas).ts'],
    tests: [
      'recording/moments.test',
      'recording/lines.test',
      'recording/from-memory.test',
      'recording/recordings.test',
      'recording/from-node.test',
      'recording/on-failure.test',
      'recording/hostile.test',
      'recording/viewer.test',
      'test-control/stale-reads.test',
      'recording/random-lives.test'
    ]
  },
  mcp: {
    mutate: ['src/mcp/**/*.ts'],
    tests: ['mcp/shorten.test', 'mcp/operations.test', 'mcp/client.test', 'mcp/tool.test', 'mcp/http.test']
  }
}
