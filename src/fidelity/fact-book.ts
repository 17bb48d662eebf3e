import type { Fact, FactKey } from '../interface/assumption.js'

/** A key in which values may also be undefined. */
export type LooseKey = Pick<FactKey, 'aspect'> & {
  readonly [Name in keyof Omit<FactKey, 'aspect'>]?: FactKey[Name] | undefined
}
export type LooseFact = LooseKey & Omit<Fact, keyof FactKey>

/** All facts with the same key. */
export interface Entry {
  readonly key: FactKey
  /** Number of observations. */
  agreements: number
  differences: number
  /** Numbers of the first exchanges that agree. */
  readonly agreeing: number[]
  /** The first differences, each of another kind. */
  readonly examples: Fact[]
}

/** Maximum number of examples of an agreement, or of a difference. */
const EXAMPLES = 5

/** Counts facts by key, so that many exchanges need little memory. */
export class FactBook {
  readonly #entries = new Map<string, Entry>()

  add({ aspect, operation, schema, field, condition, subject, agrees, ours, theirs, exchange }: LooseFact): void {
    const given = Object.entries({ aspect, operation, schema, field, condition, subject })
    const key = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as FactKey
    const name = given.map(([, value]) => value).join('\n')
    const entry = this.#entries.get(name) ?? { key, agreements: 0, differences: 0, agreeing: [], examples: [] }
    this.#entries.set(name, entry)
    if (agrees) {
      entry.agreements++
      if (entry.agreeing.length < EXAMPLES && !entry.agreeing.includes(exchange)) entry.agreeing.push(exchange)
    } else {
      entry.differences++
      const isKnown = entry.examples.some((one) => isSame(one.ours, ours) && isSame(one.theirs, theirs))
      if (!isKnown && entry.examples.length < EXAMPLES) entry.examples.push({ ...key, agrees, ours, theirs, exchange })
    }
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()]
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
