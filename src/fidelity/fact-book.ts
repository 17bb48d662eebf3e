import type { Fact, FactKey } from '../interface/assumption.js'

/** All facts with the same key. */
export interface Entry {
  readonly key: FactKey
  /** How many exchanges agree. */
  agreements: number
  differences: number
  /** The first exchanges that agree. */
  readonly agreeing: number[]
  /** The first ones that differ, each in another way. */
  readonly examples: Fact[]
}

/** How many examples of an agreement, or a difference, are kept. */
const EXAMPLES = 5

/** Counts facts by what they are about, so that a long recording needs little memory. */
export class FactBook {
  readonly #entries = new Map<string, Entry>()

  add(fact: Fact): void {
    const { aspect, operation, schema, field, condition, subject, agrees, exchange } = fact
    const name = [aspect, operation, schema, field, condition, subject].join('\n')
    let entry = this.#entries.get(name)
    if (entry === undefined) {
      const key = {
        aspect,
        ...(operation === undefined ? {} : { operation }),
        ...(schema === undefined ? {} : { schema }),
        ...(field === undefined ? {} : { field }),
        ...(condition === undefined ? {} : { condition }),
        ...(subject === undefined ? {} : { subject })
      }
      this.#entries.set(name, (entry = { key, agreements: 0, differences: 0, agreeing: [], examples: [] }))
    }
    if (agrees) {
      entry.agreements++
      if (entry.agreeing.length < EXAMPLES && !entry.agreeing.includes(exchange)) entry.agreeing.push(exchange)
    } else {
      entry.differences++
      const isKnown = entry.examples.some(({ ours, theirs }) => isSame(ours, fact.ours) && isSame(theirs, fact.theirs))
      if (!isKnown && entry.examples.length < EXAMPLES) entry.examples.push(fact)
    }
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()]
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
