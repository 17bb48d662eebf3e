import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { machineTime, wallTime } from '../../lib/time.js'
import type { Metric } from './metric.js'

/** How often the delay of the event loop is measured, in milliseconds. Node counts this in. */
const RESOLUTION = 20

/** Metrics of the process, under the names that others use too. */
export class ProcessMetrics {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION })

  constructor() {
    this.#delay.enable()
  }

  close(): void {
    this.#delay.disable()
  }

  list(): Metric[] {
    const { rss, heapUsed } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const { max, mean, count } = this.#delay
    const p99 = this.#delay.percentile(99)
    this.#delay.reset()
    const delay = (nanoseconds: number) => (count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1e3))
    return [
      ...Object.entries({ mean, max, p99 }).map(([name, value]): Metric => ({
        name: `nodejs_eventloop_lag_${name}_seconds`,
        help: 'Delay of the event loop since the last scrape.',
        type: 'gauge',
        samples: [{ value: delay(value) }]
      })),
      {
        name: 'process_cpu_seconds',
        help: 'CPU time.',
        type: 'counter',
        samples: [{ value: (user + system) / 1e6 }]
      },
      {
        name: 'process_start_time_seconds',
        help: 'When the process started, in seconds since 1970.',
        type: 'gauge',
        samples: [{ value: Math.round(wallTime() - machineTime()) / 1e3 }]
      },
      {
        name: 'process_resident_memory_bytes',
        help: 'Resident memory.',
        type: 'gauge',
        samples: [{ value: rss }]
      },
      { name: 'nodejs_heap_size_used_bytes', help: 'Used heap.', type: 'gauge', samples: [{ value: heapUsed }] }
    ]
  }
}
