/** What is mutated together, and the tests that are to notice it: those that do so soonest come first, and the first failure is enough. */
export const GROUPS = {
  workspaces: {
    mutate: ['src/resources/workspaces/lifecycle.ts'],
    tests: ['mutants/tables', 'resources/workspaces.test', 'test-control/coverage.test', 'state/transient.test', 'resources/backups.test', 'resources/schedules.test']
  },
  backups: {
    mutate: ['src/resources/backups/lifecycle.ts'],
    tests: ['mutants/tables', 'resources/backups.test', 'test-control/coverage.test', 'state/transient.test', 'resources/schedules.test']
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
      'sim/engine.test', 'test-control/transitions.test', 'resources/workspaces.test', 'test-control/requests.test', 'state/transient.test', 'state/documents.test',
      'resources/schedules.test', 'test-control/clock.test'
    ]
  }
}
