import { groupBy } from '../../lib/group-by.js'
import { CATALOGUED } from '../comparables.js'
import type { Draft } from '../learn/draft.js'
import type { Comparison } from './comparison.js'
import type { Schema } from './schema.js'

/** A new name for a name, seen in one place. */
interface Vote {
  readonly name: string
  readonly other: string
}

export type Renames = ReturnType<typeof renamesIn>

/** Finds new names of fields, schemas and values. */
export function renamesIn({ own, theirs, names, pairings: { relevant, named } }: Comparison, draft: Draft) {
  const ofFields = relevant.flatMap(({ fields }) =>
    fields.matches.map((one) => ({ name: one.own.name, other: one.theirs.name }))
  )
  const ofSchemas = [...named].flatMap(([name, { theirName: other }]) => (other === undefined ? [] : { name, other }))
  return {
    fields: settle(ofFields, names.fields),
    schemas: settle(ofSchemas, names.schemas),
    values: settle(valueVotes(), names.values)
  }

  /** Values that differ only in brand and spelling. A list of the catalogue counts only as a whole. */
  function valueVotes(): Vote[] {
    return relevant.flatMap(({ name: schema = 'An unnamed object', fields: { matches } }) =>
      matches.flatMap(({ own: { name: field, schema: ours }, theirs: { schema: others } }) => {
        const [mine, yours] = [valuesOf(ours()), valuesOf(others())]
        if (mine.length === 0 || yours.length === 0) return []
        const byKey = new Map(yours.map((value) => [theirs.naming.nameOf(value).key, value]))
        const pairs = mine.flatMap((name) => {
          const other = byKey.get(own.naming.nameOf(name).key)
          return other === undefined ? [] : { name, other }
        })
        if (pairs.length === mine.length && mine.length === yours.length) return pairs
        if (CATALOGUED.has(field)) return []
        draft.flag(['names', 'values'], `${schema} has other values for ${field} in the document: ${yours.join(', ')}.`)
        return pairs
      })
    )
  }
}

/** Learns new names. */
export function learnNames(renames: Renames, { pairings }: Comparison, draft: Draft): void {
  for (const [kind, names] of Object.entries(renames))
    for (const [name, other] of names) draft.set(['names', kind, name], other)
  const matches = pairings.relevant.flatMap(({ fields }) => fields.matches)
  for (const [name, other] of renames.fields)
    if (
      matches.every(({ own, theirs, byContents }) => own.name !== name || theirs.name !== other || byContents === true)
    )
      draft.explain(['names', 'fields', name], 'Recognised by its contents, not by its name.')
}

/** The texts in the enumeration of a schema, or of its items. */
export const valuesOf = (schema: Schema): string[] =>
  (schema.items?.() ?? schema).values.filter((value) => typeof value === 'string')

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
  for (;;) {
    const taken = [...renames].find(([, other]) => known.has(other) && !renames.has(other))
    if (taken === undefined)
      return new Map([...known].flatMap((name) => (renames.has(name) ? [[name, renames.get(name)!]] : [])))
    renames.delete(taken[0])
  }
}
