/** A metric family of an exposition, as a scraper reads it. */
export interface Family {
  readonly name: string
  readonly type: string
  readonly samples: readonly Sample[]
}

interface Sample {
  readonly name: string
  /** As they are written, such as `{status="200"}`. */
  readonly labels: string
  readonly value: number
}

const FAMILY = /^# HELP (\w+) .+\n# TYPE \1 (counter|gauge|histogram)\n((?:\w+(?:\{.*\})? \S+\n)*)/gm
const SAMPLE = /^(\w+)(\{.*\})? (\S+)$/gm

/** The endings of the names of samples, by type. */
const ENDINGS: Readonly<Record<string, RegExp>> = {
  counter: /^_total$/,
  gauge: /^$/,
  histogram: /^_(bucket|sum|count)$/
}

/**
 * Reads the OpenMetrics text format, as far as the server writes it. Prometheus itself reads it in test/container.
 * @throws if it is something else
 */
export function parseOpenMetrics(text: string): Family[] {
  const families = Array.from(text.matchAll(FAMILY), ([, name = '', type = '', samples = '']): Family => {
    const read = Array.from(samples.matchAll(SAMPLE), ([, sample = '', labels = '', value]) => ({
      name: sample,
      labels,
      value: Number(value)
    }))
    const isRight = read.every((one) => ENDINGS[type]!.test(one.name.slice(name.length)) && !Number.isNaN(one.value))
    if (!isRight) throw new Error(`not OpenMetrics: ${name}`)
    return { name, type, samples: read }
  })
  if (text.replaceAll(FAMILY, '') !== '# EOF\n') throw new Error(`not OpenMetrics: ${text.replaceAll(FAMILY, '')}`)
  return families
}

/** The value of a sample; undefined: there is none. */
export function valueOf(
  families: readonly Family[],
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number | undefined {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return families
    .flatMap(({ samples }) => samples)
    .find((sample) => sample.name === name && pairs.every((pair) => sample.labels.includes(pair)))?.value
}
