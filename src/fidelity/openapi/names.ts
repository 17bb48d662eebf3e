import { groupBy } from '../../lib/group-by.js'
import type { ProfileDocument } from '../../profile/schemas.js'
import { CATALOGUED } from '../comparables.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import type { Pairing } from './pairings.js'

/** A new name for a name, seen in one place. */
interface Vote {
  readonly name: string
  readonly other: string
}

/** Learns new names of fields, schemas and values. */
export function learnNames({ own, pairings, sides }: Comparison, notes: Draft) {
  const fields = settle(
    pairings.relevant.flatMap(({ fields: { matches } }) =>
      matches.map((one) => ({ name: one.own, other: one.theirs }))
    ),
    own.names.fields
  )
  const schemas = settle(
    [...pairings.named].flatMap(([name, { theirName: other }]) => (other === undefined ? [] : { name, other })),
    own.names.schemas
  )
  const values = settle(valueVotes(), own.names.values)
  for (const [name, other] of fields) {
    const matches = pairings.relevant.flatMap(({ fields }) => fields.matches).filter((one) => one.own === name)
    if (matches.every(({ theirs, byContents }) => theirs !== other || byContents === true))
      notes.explain(['names', 'fields', name], 'Recognised by its contents, not by its name.')
  }
  return { fields, schemas, values }

  /** Values that differ only in brand and spelling. A list of the catalogue counts only as a whole. */
  function valueVotes(): Vote[] {
    return pairings.relevant.flatMap(({ name: schema = 'An unnamed object', own: ours, theirs, fields: { matches } }) =>
      matches.flatMap(({ own: field, theirs: other }) => {
        const [mine, yours] = [valuesOf(sides.own, ours, field), valuesOf(sides.theirs, theirs, other)]
        if (mine.length === 0 || yours.length === 0) return []
        const byKey = new Map(yours.map((value) => [sides.theirs.naming.nameOf(value).key, value]))
        const pairs = mine.flatMap((name) => {
          const value = byKey.get(sides.own.naming.nameOf(name).key)
          return value === undefined ? [] : [{ name, other: value }]
        })
        if (pairs.length === mine.length && mine.length === yours.length) return pairs
        if (CATALOGUED.has(field)) return []
        notes.flag(['names', 'values'], `${schema} has other values for ${field} in the document: ${yours.join(', ')}.`)
        return pairs
      })
    )
  }
}

/** The part `names` of a profile. */
export function toNames(renamed: ReturnType<typeof learnNames>): NonNullable<ProfileDocument['names']> {
  const parts = Object.entries(renamed).filter(([, renames]) => renames.size > 0)
  return Object.fromEntries(parts.map(([kind, renames]) => [kind, Object.fromEntries(renames)]))
}

/** The texts in the enumeration of a field, or of its items. */
export function valuesOf({ schemas }: Comparison['sides']['own'], { fields }: Pairing['own'], field: string): string[] {
  const schema = schemas.read(fields.get(field))
  const { values } = schema.items === undefined ? schema : schemas.read(schema.items)
  return values.filter((value) => typeof value === 'string')
}

/** Settles one new name for each name that changes, so that no two known names become the same. */
function settle(votes: readonly Vote[], known: ReadonlySet<string>): Map<string, string> {
  const groups = groupBy(votes, ({ name, other }) => JSON.stringify([name, other]))
  const renames = new Map<string, string>()
  const owners = new Set<string>()
  // A name that one place keeps is kept everywhere: a new name would be wrong there.
  const kept = new Set(votes.flatMap(({ name, other }) => (name === other ? name : [])))
  for (const [vote] of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const { name, other } = vote!
    if (kept.has(name) || renames.has(name) || owners.has(other)) continue
    renames.set(name, other)
    owners.add(other)
  }
  // A known name that is kept cannot be the new name of another, which is then kept, too.
  for (let isSettled = false; !isSettled;) {
    isSettled = true
    for (const [name, other] of renames) {
      if (!known.has(other) || renames.has(other)) continue
      renames.delete(name)
      isSettled = false
    }
  }
  return new Map([...known].flatMap((name) => (renames.has(name) ? [[name, renames.get(name)!]] : [])))
}
