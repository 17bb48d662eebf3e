import { groupBy } from '../src/lib/group-by.js'

/** A metric family of an exposition, as a scraper reads it. */
export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: readonly Sample[]
}

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The endings of the names of samples, by type. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count']
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const METADATA = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`)
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`)
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]Inf)$/

/**
 * Reads the OpenMetrics text format, as strictly as its specification (1.0) for the types used here.
 * @throws naming the line that breaks a rule
 */
export function parseOpenMetrics(text: string): Family[] {
  const lines = text.split('\n')
  must(lines.pop() === '', 'the last line ends')
  must(lines.pop() === '# EOF', 'the last line is # EOF')
  const families = new Map<string, { name: string; type: string; help: string; samples: Sample[] }>()
  let current: string | undefined
  for (const line of lines) {
    const [, what, subject, rest] = METADATA.exec(line) ?? []
    if (what !== undefined) {
      if (subject !== current) must(!families.has(subject!), `a family stays together: ${line}`)
      const family = families.get(subject!) ?? { name: subject!, type: '', help: '', samples: [] }
      families.set((current = subject!), family)
      must(family.samples.length === 0, `metadata comes first: ${line}`)
      const field = what === 'TYPE' ? 'type' : 'help'
      must(family[field] === '', `it is said once: ${line}`)
      must(field === 'help' || ENDINGS[rest!] !== undefined, `the type is known: ${line}`)
      family[field] = rest!
      continue
    }
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
    const family = families.get(current ?? '')
    must(name !== undefined && family !== undefined, `it is a sample of a family: ${line}`)
    must(NUMBER.test(value!), `the value is a number: ${line}`)
    must(
      ENDINGS[family.type]!.some((ending) => name === `${family.name}${ending}`),
      `the name fits the type: ${line}`
    )
    family.samples.push({ name, labels: labelsOf(labels, line), value: numberOf(value!) })
  }
  const all = [...families.values()]
  const keys = all.flatMap(({ samples }) => samples.map(({ name, labels }) => keyOf(name, labels)))
  must(new Set(keys).size === keys.length, 'no sample is there twice')
  for (const family of all) {
    must(family.type !== 'counter' || family.samples.every(({ value }) => value >= 0), `${family.name} counts up`)
    if (family.type === 'histogram') checkBuckets(family)
  }
  return all
}

/** The value of a sample; undefined: there is none. */
export function valueOf(
  families: readonly Family[],
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number | undefined {
  const key = keyOf(name, labels)
  return families.flatMap(({ samples }) => samples).find((sample) => keyOf(sample.name, sample.labels) === key)?.value
}

function checkBuckets({ name, samples }: Family): void {
  const series = groupBy(samples, ({ labels: { le: _, ...labels } }) => keyOf('', labels))
  for (const [key, all] of series) {
    const buckets = all.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels }) => labels['le']!)
    const [count] = all.filter((sample) => sample.name === `${name}_count`)
    must(
      bounds.every((bound) => /^(\d+\.\d+|\+Inf)$/.test(bound)),
      `${name}${key}: bounds are written in full`
    )
    must(isAscending(bounds.map(numberOf), true), `${name}${key}: bounds ascend`)
    must(isAscending(buckets.map(({ value }) => value)), `${name}${key}: buckets are cumulative`)
    must(bounds.at(-1) === '+Inf' && buckets.at(-1)!.value === count?.value, `${name}${key}: the last one has all`)
  }
}

const isAscending = (values: readonly number[], isStrict = false) =>
  values.every((value, index) => index === 0 || (isStrict ? value > values[index - 1]! : value >= values[index - 1]!))

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== '';) {
    const [all, name, value] = LABEL.exec(rest) ?? []
    must(all !== undefined && !(name! in labels), `labels are well-formed: ${line}`)
    labels[name!] = value!.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))
    rest = rest.slice(all.length)
  }
  return labels
}

const numberOf = (text: string) => Number(text.replace('Inf', 'Infinity'))

const keyOf = (name: string, labels: Readonly<Record<string, string>>) =>
  name + JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))

function must(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new Error(`not OpenMetrics: ${rule}`)
}
