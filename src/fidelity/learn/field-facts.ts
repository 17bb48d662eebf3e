import type { Entry } from '../fact-book.js'
import type { Evidence } from './evidence.js'

/** What the comparison says of one field of a schema, over all operations. */
export interface FieldFacts {
  readonly schema: string
  readonly field: string
  /** How often both have it. */
  agreements: number
  /** How often only the mock has it, and how often only the service. */
  onlyOurs: number
  onlyTheirs: number
  readonly examples: Entry['examples'][number][]
}

/** The facts about each field, by schema and field. Fields inside objects without a name are left out. */
export function fieldFacts({ conformance }: Evidence): ReadonlyMap<string, FieldFacts> {
  const found = new Map<string, FieldFacts>()
  for (const { key, agreements, differences, examples } of conformance.facts) {
    const { aspect, schema, field = '' } = key
    const isField = aspect === 'field' || aspect === 'further field'
    if (!isField || schema === undefined || field.includes('.')) continue
    const name = `${schema}\n${field}`
    const facts = found.get(name) ?? { schema, field, agreements: 0, onlyOurs: 0, onlyTheirs: 0, examples: [] }
    found.set(name, facts)
    facts.agreements += agreements
    const isTheirs = examples.some(({ theirs }) => theirs !== undefined)
    const isOurs = examples.some(({ theirs }) => theirs === undefined)
    if (isTheirs) facts.onlyTheirs += differences
    if (isOurs) facts.onlyOurs += differences
    for (const example of examples) facts.examples.push(example)
  }
  return found
}
