import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Histogram } from '../lib/histogram.js'
import { machineTime, wallTime } from '../lib/time.js'
import { VERSION } from '../lib/version.js'
import type { ControlPlane } from '../resources/control-plane.js'

/** Media type of {@link Metrics.read}. */
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** Interval for measuring the delay of the event loop, in milliseconds. Node includes it in the delay. */
const RESOLUTION = 20

/**
 * The metrics of a server and of its process. The parts of the server count anyway; only the delay of the event loop is
 * measured from now on.
 */
export class Metrics {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION })

  constructor(private readonly plane: ControlPlane) {
    this.#delay.enable()
  }

  /** All metrics in the OpenMetrics text format. */
  read(): string {
    return [...serverMetrics(this.plane), ...this.#processMetrics(), '# EOF\n'].join('')
  }

  close(): void {
    this.#delay.disable()
  }

  /** Metrics of the process, under their customary names. */
  #processMetrics(): string[] {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const { max, mean, count } = this.#delay
    const p99 = this.#delay.percentile(99)
    this.#delay.reset()
    const delay = (nanoseconds: number) => (count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1e3))
    const started = Math.round(wallTime() - machineTime()) / 1e3
    return [
      ...Object.entries({ mean, max, p99 }).map(([name, value]) =>
        gauge(`nodejs_eventloop_lag_${name}_seconds`, 'Delay of the event loop since the last scrape.', delay(value))
      ),
      counter('process_cpu_seconds', 'CPU time.', (user + system) / 1e6),
      gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', started),
      gauge('process_resident_memory_bytes', 'Resident memory.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Used heap.', heapUsed)
    ]
  }
}

function serverMetrics({ traffic, sandboxes, engine, commits, journals }: ControlPlane): string[] {
  const operations = [...traffic.operations]
  return [
    gauge('svc_mock_build_info', 'The version of the server.', 1, { version: VERSION }),
    metric(
      'counter',
      'svc_mock_requests',
      'Requests to the interface, by operation (or none) and status (lost: a fault dropped the reply).',
      operations.flatMap(([operation = 'none', { statuses }]) =>
        [...statuses].map(([status = 'lost', value]): Sample => ['_total', { operation, status: `${status}` }, value])
      )
    ),
    metric(
      'histogram',
      'svc_mock_request_duration_seconds',
      'Time from the arrival of a request in its sandbox until its reply is ready, since the first scrape.',
      operations.flatMap(([operation = 'none', { durations }]) => histogramSamples(durations, { operation }))
    ),
    gauge('svc_mock_sandboxes', 'Sandboxes.', sandboxes.store.count()),
    gauge('svc_mock_sandboxes_in_memory', 'Sandboxes that are in memory.', sandboxes.loaded.size),
    gauge('svc_mock_events_due', 'Scheduled events that have not fired.', engine.dueEvents.count()),
    counter('svc_mock_events_fired', 'Events that have fired, also those of a move that was undone.', engine.fired),
    metric(
      'histogram',
      'svc_mock_commit_batch_size',
      'Writes that shared a commit.',
      histogramSamples(commits.batches)
    ),
    counter('svc_mock_commit_failures', 'Commits that failed, with all of their writes.', commits.failures),
    gauge('svc_mock_write_queue', 'Writes that wait for their commit.', commits.queued),
    gauge('svc_mock_journal_bytes', 'Memory of all journals, approximately.', journals.bytes)
  ]
}

type Labels = Readonly<Record<string, string>>

type Sample = readonly [ending: string, labels: Labels, value: number]

/** The text of a metric. No value of a label needs escaping. */
function metric(type: string, name: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([ending, labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
    return `${name}${ending}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  })
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

const gauge = (name: string, help: string, value: number, labels: Labels = {}) =>
  metric('gauge', name, help, [['', labels, value]])

const counter = (name: string, help: string, value: number) => metric('counter', name, help, [['_total', {}, value]])

/** The number of values up to each bound, their sum, and their total number. */
function histogramSamples({ bounds, counts, sum }: Histogram, labels: Labels = {}): Sample[] {
  let count = 0
  const buckets = counts.map((more, index): Sample => {
    count += more
    return ['_bucket', { ...labels, le: boundText(bounds[index]) }, count]
  })
  return [...buckets, ['_sum', labels, sum], ['_count', labels, count]]
}

/** OpenMetrics writes bounds with a decimal point. */
function boundText(bound: number | undefined): string {
  if (bound === undefined) return '+Inf'
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound)
}
