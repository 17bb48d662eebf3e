import { createRequire } from 'node:module'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Metric } from './metric.js'
import { ProcessMetrics } from './process.js'
import { serverMetrics } from './server.js'

/** The part of prom-client that is used here: a registry writes what its metrics have at the moment. */
interface Client {
  readonly Registry: {
    readonly OPENMETRICS_CONTENT_TYPE: string
    new (contentType: string): {
      registerMetric: (metric: object) => void
      metrics: () => Promise<string>
    }
  }
}

const require = createRequire(import.meta.url)

/** The metrics of a server. They count what happens anyway; only durations are measured from now on. */
export class Metrics {
  readonly #plane: ControlPlane
  readonly #client: Client
  readonly #process = new ProcessMetrics()

  constructor(plane: ControlPlane) {
    this.#plane = plane
    this.#client = require('prom-client') as Client
    plane.traffic.isTimed = true
  }

  /** Media type of {@link read}. */
  get type(): string {
    return this.#client.Registry.OPENMETRICS_CONTENT_TYPE
  }

  /** All metrics in the OpenMetrics text format. */
  read(): Promise<string> {
    const registry = new this.#client.Registry(this.type)
    for (const metric of [...serverMetrics(this.#plane), ...this.#process.list()])
      registry.registerMetric(toRegistered(metric))
    return registry.metrics()
  }

  close(): void {
    this.#process.close()
  }
}

/** The client's own metrics would count once more what is counted already. */
function toRegistered({ samples, ...metric }: Metric): object {
  return { ...metric, get: () => Promise.resolve({ ...metric, values: samples }) }
}
