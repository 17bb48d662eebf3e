import type { ProfileDocument } from '../../profile/schemas.js'
import { CATALOGUED } from '../comparables.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import type { Pairing } from './pairings.js'
import { compare } from './words.js'

/** Fields that the profile can rename. */
const FIELD = /^[A-Za-z_][\w-]*$/
/** Names that a profile can give to schemas. */
const SCHEMA = /^[\w.-]+$/
/** Beginnings of values that carry the brand, by the field that has them. */
const RESOURCE_NAME = 'srn'
const IMAGE = 'image'

/** The fields of the mock that get a new name. */
export function renamedFields({ own, pairings }: Comparison): Map<string, string> {
  const votes = relevant(pairings.all, pairings.named)
    .flatMap(({ fields }) => fields.matches)
    .map(({ own: name, theirs: other }): Vote => ({ name, other }))
    .filter(({ name, other }) => name === other || FIELD.test(other))
  return settle(votes, own.fields)
}

/** Pairings that say how the mock's schemas are called and made: the best one of each, and those without a name. */
export function relevant(all: readonly Pairing[], named: ReadonlyMap<string, Pairing>): Pairing[] {
  return all.filter((pairing) => pairing.name === undefined || named.get(pairing.name) === pairing)
}

export function learnNames(
  comparison: Comparison,
  fields: ReadonlyMap<string, string>,
  notes: Draft
): NonNullable<ProfileDocument['names']> {
  const { own, brand, pairings, sides } = comparison
  const schemas = renamedSchemas(comparison, notes)
  const values = renamedValues(comparison, notes)
  for (const [name, other] of fields) explainHow(comparison, name, other, notes)
  const prefixes = new Map<string, string>()
  const resource = fields.get(RESOURCE_NAME)
  if (own.fields.has(RESOURCE_NAME) && (resource !== undefined || brand !== '')) {
    prefixes.set(`${RESOURCE_NAME}:svc:`, `${resource ?? RESOURCE_NAME}:${brand === '' ? 'svc' : brand}:`)
    if (own.fields.has(IMAGE) && brand !== '') prefixes.set('svc/', `${brand}/`)
  }
  for (const [prefix, other] of prefixes) {
    if (prefix === other) prefixes.delete(prefix)
    else notes.explain(['names', 'prefixes', prefix], 'Follows from the other names; the document does not say it.')
  }
  const parts = Object.entries({ fields, schemas, values, prefixes }).filter(([, renames]) => renames.size > 0)
  return Object.fromEntries(parts.map(([kind, renames]) => [kind, Object.fromEntries(renames)]))

  function renamedSchemas({ own: { others } }: Comparison, notes: Draft): Map<string, string> {
    const votes = [...pairings.named.values()].flatMap(({ name, theirName }) =>
      name === undefined || theirName === undefined ? [] : { name, other: theirName }
    )
    const renames = settle(
      votes.filter(({ other }) => SCHEMA.test(other)),
      others
    )
    for (const { name, other } of votes)
      if (name !== other && renames.get(name) !== other)
        notes.doubt(
          ['names', 'schemas'],
          `${name} looks like ${other}, but cannot have that name: another schema has it, or a profile cannot name it.`
        )
    return renames
  }

  /** Values of enumerations, brand and spelling apart the same. What is in the catalogue only counts as a whole. */
  function renamedValues({ own: { others } }: Comparison, notes: Draft): Map<string, string> {
    const votes: Vote[] = []
    for (const { name: schema, own: ours, theirs, fields } of relevant(pairings.all, pairings.named)) {
      for (const { own: field, theirs: other } of fields.matches) {
        const [mine, yours] = [valuesOf(sides.own, ours, field), valuesOf(sides.theirs, theirs, other)]
        if (mine.length === 0 || yours.length === 0) continue
        const byKey = new Map(yours.map((value) => [sides.theirs.naming.nameOf(value).key, value]))
        const pairs = mine.flatMap((name) => {
          const value = byKey.get(sides.own.naming.nameOf(name).key)
          return value === undefined ? [] : [{ name, other: value }]
        })
        if (pairs.length === mine.length && mine.length === yours.length) {
          for (const pair of pairs) votes.push(pair)
        } else if (!CATALOGUED.has(field)) {
          for (const pair of pairs) votes.push(pair)
          const unknown = yours.filter((value) => pairs.every(({ other }) => other !== value))
          const missing = mine.filter((value) => pairs.every(({ name }) => name !== value))
          notes.doubt(
            ['names', 'values'],
            `${schema ?? 'An object'} has other values for ${field}: the document lists ` +
              `${unknown.join(', ') || 'no others'}, and lacks ${missing.join(', ') || 'none'}.`
          )
        }
      }
    }
    return settle(votes, others)
  }
}

/** The texts that a field lists, or that its items do. */
export function valuesOf({ schemas }: Comparison['sides']['own'], { fields }: Pairing['own'], field: string): string[] {
  const schema = schemas.read(fields.get(field))
  const { values } = schema.items === undefined ? schema : schemas.read(schema.items)
  return values.filter((value) => typeof value === 'string')
}

function explainHow({ pairings }: Comparison, name: string, other: string, notes: Draft): void {
  const matches = pairings.all.flatMap(({ fields }) =>
    fields.matches.filter((one) => one.own === name && one.theirs === other)
  )
  if (matches.every(({ how }) => how === 'place'))
    notes.explain(['names', 'fields', name], 'Recognised by its type and its place only.')
  else if (matches.every(({ how }) => how === 'shape'))
    notes.explain(['names', 'fields', name], 'Recognised by its contents, not by its name.')
}

/** A new name that was seen for a name in one place. */
interface Vote {
  readonly name: string
  readonly other: string
}

/** Settles one new name for each name that changes, so that no two names of all that are known become one. */
function settle(votes: readonly Vote[], known: Iterable<string>): Map<string, string> {
  const counts = new Map<string, Map<string, number>>()
  for (const { name, other } of votes) {
    const others = counts.get(name) ?? new Map<string, number>()
    counts.set(name, others.set(other, (others.get(other) ?? 0) + 1))
  }
  const renames = new Map<string, string>()
  const owners = new Map<string, string>()
  const ranked = [...counts]
    // One that stays anywhere stays everywhere: a new name would be wrong there.
    .filter(([name, others]) => !others.has(name))
    .flatMap(([name, others]) => [...others].map(([other, count]) => ({ name, other, count })))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name) || compare(a.other, b.other))
  for (const { name, other } of ranked) {
    if (renames.has(name) || owners.has(other)) continue
    renames.set(name, other)
    owners.set(other, name)
  }
  // A name that keeps its own bars others from it, which then keep theirs as well.
  const names = new Set(known)
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const [name, other] of renames) {
      if (!names.has(other) || renames.has(other)) continue
      renames.delete(name)
      isSettled = false
    }
  }
  return new Map([...names].flatMap((name) => (renames.has(name) ? [[name, renames.get(name)!]] : [])))
}
