import { VERSION } from '../../lib/version.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { histogramSamples, type Metric } from './metric.js'

const DURATION = 'svc_mock_request_duration_seconds'
const BATCH = 'svc_mock_commit_batch_size'

/** Metrics of what the server does. Nothing here counts: it reads what the parts of the server count anyway. */
export function serverMetrics({ traffic, sandboxes, engine, commits, journals }: ControlPlane): Metric[] {
  const operations = [...traffic.operations]
  return [
    gauge('svc_mock_build_info', 'The version of the server.', 1, { version: VERSION }),
    {
      name: 'svc_mock_requests',
      help: 'Requests to the interface, by operation (or none) and status (lost: a fault dropped the reply).',
      type: 'counter',
      samples: operations.flatMap(([operation = 'none', { statuses }]) =>
        [...statuses].map(([status = 'lost', value]) => ({ labels: { operation, status: String(status) }, value }))
      )
    },
    {
      name: DURATION,
      help: 'Time from the arrival of a request in its sandbox until its reply is ready, since the first scrape.',
      type: 'histogram',
      samples: operations.flatMap(([operation = 'none', { durations }]) =>
        histogramSamples(DURATION, durations, { operation })
      )
    },
    gauge('svc_mock_sandboxes', 'Sandboxes.', sandboxes.store.count()),
    gauge('svc_mock_sandboxes_in_memory', 'Sandboxes that are in memory.', sandboxes.loaded),
    gauge('svc_mock_events_due', 'Scheduled events that have not fired.', engine.dueEvents.count()),
    counter('svc_mock_events_fired', 'Events that have fired, also those of a move that was undone.', engine.fired),
    {
      name: BATCH,
      help: 'Writes that shared a commit.',
      type: 'histogram',
      samples: histogramSamples(BATCH, commits.batches)
    },
    counter('svc_mock_commit_failures', 'Commits that failed, with all of their writes.', commits.failures),
    gauge('svc_mock_write_queue', 'Writes that wait for their commit.', commits.queued),
    gauge('svc_mock_journal_bytes', 'Memory of all journals, approximately.', journals.bytes)
  ]
}

const gauge = (name: string, help: string, value: number, labels: Readonly<Record<string, string>> = {}): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ labels, value }]
})

const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }]
})
