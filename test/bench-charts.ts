import { barChart } from './bar-chart.js'
import { read } from './doc-parts.js'

// Charts of the benchmarks, from the output of `bench/report.js`.

interface Results<Row> {
  readonly date: string
  readonly machine: string
  readonly measured: readonly Row[]
}

interface Rate {
  readonly server: string
  /** Absent if others have nothing similar. */
  readonly kind?: string
  readonly what: string
  /** Requests per second. */
  readonly rate: number
  /** Of one reply. */
  readonly bytes: number
}

interface Growth {
  readonly what: string
  readonly size: number
  readonly readCpu: number
  readonly writeCpu: number
}

/** See docs/reliability.md. */
const GROWTH_GOAL = 1.3

const OWN = 'svc-mock'

const resultsOf = (name: string) => JSON.parse(read(`bench/results/${name}.json`)) as unknown

export function sideBySideChart(): string {
  const { date, machine, measured } = resultsOf('side-by-side') as Results<Rate>
  const [bare] = measured
  const panels = measured
    .filter(({ server, kind }) => server === OWN && kind !== undefined)
    .map((own) => {
      const rows = measured.filter(({ kind }) => kind === own.kind)
      return {
        // Without the number of the operation.
        title: own.what.replace(/ \(\d+\)$/, ''),
        most: Math.max(...rows.map(({ rate }) => rate)),
        bars: rows.map(({ server, rate, bytes }) => ({
          label: server,
          value: rate,
          text: `${((rate / bare!.rate) * 100).toFixed(1)} % (${grouped(rate)}/s of ${kilobytes(bytes)} kB)`,
          isStrong: server === OWN
        }))
      }
    })
  return barChart({
    title: `Requests per second, as a share of a bare Fastify route (${grouped(bare!.rate)}/s)`,
    subtitle: `Each panel has its own scale. ${machine}, ${date}`,
    panels
  })
}

/** The cost of requests as data grows, compared with the smallest size. */
export function growthChart(): string {
  const { date, machine, measured } = resultsOf('growth') as Results<Growth>
  const costs = measured.map((row) => {
    const least = measured.find(({ what }) => what === row.what)!
    return { ...row, read: row.readCpu / least.readCpu, create: row.writeCpu / least.writeCpu }
  })
  const most = Math.max(GROWTH_GOAL, ...costs.flatMap(({ read, create }) => [read, create]))
  const panels = [...new Set(measured.map(({ what }) => what))].map((title) => ({
    title,
    most,
    mark: { value: GROWTH_GOAL, label: `goal: ${GROWTH_GOAL} ×` },
    bars: costs
      .filter(({ what }) => what === title)
      .flatMap(({ size, ...cost }) =>
        (['read', 'create'] as const).map((request) => ({
          label: `${grouped(size)}: ${request}`,
          value: cost[request],
          text: `${cost[request].toFixed(2)} ×`,
          isStrong: request === 'read'
        }))
      )
  }))
  return barChart({
    title: 'CPU time of a read and a create, against the smallest size',
    subtitle: `${machine}, ${date}`,
    panels
  })
}

const kilobytes = (bytes: number) => (bytes < 10_000 ? (bytes / 1000).toFixed(1) : grouped(bytes / 1000))

const grouped = (value: number) => Math.round(value).toLocaleString('en-US')
