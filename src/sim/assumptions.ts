import { section } from '../interface/assumption.js'

/** Sections "Time" and "Timeline": the mock's own, which no exchange with the service shows. */
export const TIME_ASSUMPTIONS = [
  section('Time', 'the [control API](test-control.md#clock) or a state document; otherwise `src/sim/`.', {
    'P-169': {
      says:
        "Each sandbox has its own stored [clock](test-control.md#clock). If the machine's time is set back, the " +
        "sandbox's clock does not go back with it."
    },
    'P-170': {
      says:
        'A frozen clock stops everything, except that transitions of no duration (`--transitions instant`) still ' +
        'end at once.'
    },
    'P-171': {
      says:
        "Scheduled events are stored, and run at their due time by the sandbox's clock. If the server was not " +
        'running then, the next request runs them, in order, each at its own time.'
    }
  }),
  section('Timeline', 'the lifecycles, which write to it.', {
    'P-172': {
      says:
        'The [timeline](test-control.md#timeline) has a row for each change of `status` and `refresh_status` of a ' +
        'workspace, from its creation (`from` is null) to its end (`gone`).'
    },
    'P-173': {
      says: 'It has a row for each change of the `status` of a backup or restore job, under its own id.'
    },
    'P-174': {
      says:
        'It has a row for each skipped firing of a schedule: `attribute` is `firing`, `to` is `skipped`, and ' +
        '`transition` is `backup.run` or `workspace.schedule`.'
    },
    'P-175': {
      says:
        'Rows stay when their resource is gone. The `request_id` of a firing is that of the request that set the ' +
        'schedule.'
    }
  })
]
