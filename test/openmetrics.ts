export interface Family {
  readonly name: string
  readonly type: string
  readonly samples: readonly Sample[]
}

interface Sample {
  readonly name: string
  /** Such as `{status="200"}`. */
  readonly labels: string
  readonly value: number
}

const FAMILY = /^# HELP (\w+) .+\n# TYPE \1 (counter|gauge|histogram)\n((?:\w+(?:\{.*\})? \S+\n)*)/gm
const SAMPLE = /^(\w+)(\{.*\})? (\S+)$/gm

const ENDINGS: Readonly<Record<string, RegExp>> = {
  counter: /^_total$/,
  gauge: /^$/,
  histogram: /^_(bucket|sum|count)$/
}

/** Reads the part of the OpenMetrics text format that the server writes. (test/container uses Prometheus.) */
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
