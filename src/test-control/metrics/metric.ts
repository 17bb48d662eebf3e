import type { Histogram } from '../../lib/histogram.js'

type Labels = Readonly<Record<string, string>>

/** A value of a metric. */
interface Sample {
  /** Absent: the name of its metric. */
  readonly metricName?: string
  readonly labels?: Labels
  readonly value: number
}

/** A metric as it is at the moment. */
export interface Metric {
  /** Without the `_total` of a counter. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** The samples of a histogram: how many values are at most as large as each bound, their number, and their sum. */
export function histogramSamples(name: string, { bounds, counts, sum }: Histogram, labels: Labels = {}): Sample[] {
  let count = 0
  const buckets = counts.map((more, index) => {
    count += more
    return { metricName: `${name}_bucket`, labels: { ...labels, le: boundText(bounds[index]) }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count }
  ]
}

/** OpenMetrics writes bounds with a decimal point. */
function boundText(bound: number | undefined): string {
  if (bound === undefined) return '+Inf'
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound)
}
