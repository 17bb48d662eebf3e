import { groupBy } from '../../lib/group-by.js'
import { type Field, isCompatible, type Schema } from '../schema.js'
import { isSameKind, isSameName, type NameOf } from '../words.js'
import { match } from './match.js'
import type { OperationMatch } from './operations.js'

/** A schema of the mock and one of the document that are used in the same place. */
export interface Pairing {
  /** The name of the mock's schema; undefined for one inside another. */
  readonly name: string | undefined
  readonly theirName: string | undefined
  readonly own: Schema
  readonly fields: ReturnType<typeof matchFields>
  readonly uses: Set<'request' | 'reply'>
  /** The number of places that use both. */
  count: number
}

/** Two schemas of incompatible types in the same place. */
export interface Mismatch {
  /** The field of the mock; undefined for the whole body or payload. */
  readonly field: string | undefined
  /** The schema that has the field, otherwise the operation. */
  readonly owner: string
  readonly own: Schema
  readonly theirs: Schema
}

/** Pairs the schemas and fields in bodies and replies of matching operations. */
export function pairSchemas(operations: readonly OperationMatch[], ourNameOf: NameOf, theirNameOf: NameOf) {
  const found = new Map<Schema, Map<Schema, Pairing>>()
  const mismatches: Mismatch[] = []
  for (const { own, theirs } of operations) {
    pair(own.body, theirs.body, 'request', own.id)
    if (own.payload === undefined || theirs.payload === undefined) continue
    // Only one of them may have an envelope.
    const hasSameForm = (own.payload === own.reply) === (theirs.payload === theirs.reply)
    if (own.listInText !== undefined && theirs.payload.type === 'array')
      pair(own.listInText, theirs.payload, 'reply', own.id)
    else if (hasSameForm) pair(own.reply, theirs.reply, 'reply', own.id)
    else pair(own.payload, theirs.payload, 'reply', own.id)
  }
  const all = [...found.values()].flatMap((byTheirs) => [...byTheirs.values()])
  const isNamesake = ({ name = '', theirName = '' }: Pairing) =>
    Number(theirNameOf(theirName).key === ourNameOf(name).key)
  const named = new Map<string, Pairing>()
  for (const [name, group] of groupBy(all, (pairing) => pairing.name)) {
    const [best] = group.sort((a, b) => isNamesake(b) - isNamesake(a) || b.count - a.count)
    if (name !== undefined) named.set(name, best!)
  }
  return {
    /** The pairings in `named`, and those without a name. */
    relevant: all.filter((pairing) => pairing.name === undefined || named.get(pairing.name) === pairing),
    /** For each named schema of the mock, the pairing with its namesake, otherwise the most frequent one. */
    named,
    mismatches
  }

  function pair(
    own: Schema | undefined,
    theirs: Schema | undefined,
    use: 'request' | 'reply',
    owner: string,
    field?: string,
    names: Pick<Pairing, 'name' | 'theirName'> = { name: own?.name, theirName: theirs?.name }
  ): void {
    if (own === undefined || theirs === undefined) return
    if (!isCompatible(own, theirs)) {
      mismatches.push({ field, owner, own, theirs })
      return
    }
    if (own.items !== undefined && theirs.items !== undefined) {
      const [item, other] = [own.items(), theirs.items()]
      // Unnamed items have the name of their list.
      pair(item, other, use, owner, field, item.name === undefined ? names : undefined)
      return
    }
    if (own.fields.size === 0 || theirs.fields.size === 0) return
    const byTheirs = found.get(own) ?? new Map<Schema, Pairing>()
    found.set(own, byTheirs)
    const known = byTheirs.get(theirs)
    const pairing = known ?? { ...names, own, fields: matchFields(own, theirs), uses: new Set(), count: 0 }
    byTheirs.set(theirs, pairing)
    pairing.count++
    if (pairing.uses.has(use)) return
    pairing.uses.add(use)
    for (const { own: one, theirs: other } of pairing.fields.matches)
      pair(one.schema(), other.schema(), use, names.name ?? owner, one.name)
  }
}

/**
 * Matches the fields of two schemas: first those with the same name, then those whose names differ only in case,
 * separators or brand, then those whose names mean the same, then those with the same contents.
 */
function matchFields(own: Schema, theirs: Schema) {
  const { matches, missing, added } = match(
    [...own.fields.values()],
    [...theirs.fields.values()],
    (one, other) => one.name === other.name,
    (one, other) => one.meant.key === other.meant.key,
    (one, other) => fits(one, other) && isSameName(one.meant, other.meant),
    hasSameContents
  )
  return {
    matches,
    /** Fields that only the document has. */
    added,
    /** Fields that only the mock has. */
    missing,
    /** Pairs that may be the same field, but do not count as matches. */
    doubtful: missing.flatMap((one) =>
      added
        .filter((other) => fits(one, other) && isSameKind(one.meant, other.meant))
        .map((other) => ({ own: one, theirs: other }))
    )
  }
}

const fits = (one: Field, other: Field) => isCompatible(one.schema(), other.schema())

/** The rule for fields that are recognised by their contents, not by their names. */
export const hasSameContents = (one: Field, other: Field) => fits(one, other) && areAlike(one.schema(), other.schema())

/** Whether two objects, lists or enumerations have most of their contents in common. */
function areAlike(one: Schema, other: Schema): boolean {
  if (one.items !== undefined && other.items !== undefined) return areAlike(one.items(), other.items())
  const keys = ({ fields }: Schema) => [...fields.values()].map(({ meant }) => meant.key)
  return sharesMost(one.values.map(String), other.values.map(String)) || sharesMost(keys(one), keys(other))
}

/** Whether a list has at least three, and two thirds, of the mock's entries: editions add more than they drop. */
function sharesMost(ours: readonly string[], others: readonly string[]): boolean {
  const common = ours.filter((one) => others.includes(one)).length
  return common >= 3 && common >= (ours.length * 2) / 3
}
