import type { Operation } from './api.js'
import { type FieldMatch, type FieldMatches, matchFields, type Sides } from './fields.js'
import type { OperationMatch } from './operations.js'
import { itemsInText, payloadOf } from './payload.js'
import { isCompatible, type Schema } from './schema.js'

/** Where a schema is used. */
type Use = 'request' | 'reply'

/** A schema of the mock with one of the document that is used in the same place. */
export interface Pairing {
  /** Under which name the mock publishes it; undefined for one inside another. */
  readonly name: string | undefined
  /** Under which name the document has it. */
  readonly theirName: string | undefined
  readonly own: Schema
  readonly theirs: Schema
  readonly fields: FieldMatches
  readonly uses: Set<Use>
  /** In how many places they meet. */
  count: number
}

type Names = Pick<Pairing, 'name' | 'theirName'>

/** Two schemas in the same place that do not fit together. */
export interface Mismatch {
  readonly name: string | undefined
  /** The field of the mock; undefined if it is the whole body or payload. */
  readonly field: string | undefined
  readonly operation: string
  readonly own: Schema
  readonly theirs: Schema
}

/** Follows what operations send and answer, and finds the schemas and fields that correspond. */
export function pairSchemas(operations: readonly OperationMatch[], sides: Sides) {
  const first = walk(operations, sides)
  // What was recognised in one schema holds in all of them.
  return walk(operations, { ...sides, renamed: renamesIn(first.all) })
}

function renamesIn(all: readonly Pairing[]): Map<string, FieldMatch> {
  const renamed = new Map<string, FieldMatch>()
  const kept = new Set(
    all.flatMap(({ fields }) => fields.matches.flatMap((one) => (one.own === one.theirs ? one.own : [])))
  )
  for (const { fields } of all)
    for (const match of fields.matches)
      if (!kept.has(match.own) && !renamed.has(match.own)) renamed.set(match.own, match)
  return renamed
}

function walk(operations: readonly OperationMatch[], sides: Sides) {
  const found = new Map<Schema, Map<Schema, Pairing>>()
  const mismatches: Mismatch[] = []
  /** Operations that have a result in only one of the documents. */
  const results: { readonly operation: string; readonly isOurs: boolean }[] = []
  const isShared = (own: Operation) => operations.some((other) => other.own !== own && other.own.route === own.route)
  for (const { own, theirs } of operations) {
    const pair = pairer(own.id)
    pair(own.body, theirs.body, 'request')
    const [ours, others] = [payloadOf(own.reply, sides.own.schemas), payloadOf(theirs.reply, sides.theirs.schemas)]
    // One of them may have an envelope, the other none.
    const isWrapped = (ours === own.reply) === (others === theirs.reply)
    const items = itemsInText(own.id, sides.own.schemas)
    if ((ours === undefined) !== (others === undefined)) {
      // The mock's own document has one reply for all operations that share a route.
      if (!isShared(own)) results.push({ operation: own.id, isOurs: ours !== undefined })
    } else if (items !== undefined && others?.items !== undefined)
      pair(items, sides.theirs.schemas.read(others.items), 'reply')
    else if (isWrapped) pair(own.reply, theirs.reply, 'reply')
    else pair(ours, others, 'reply')
  }
  const all = [...found.values()].flatMap((byTheirs) => [...byTheirs.values()])
  return {
    all,
    /** For each named schema of the mock, the one of the document that stands for it best. */
    named: bestByName(all, sides),
    mismatches,
    results
  }

  function pairer(operation: string) {
    return function pair(
      own: Schema | undefined,
      theirs: Schema | undefined,
      use: Use,
      names: Names = { name: own?.name, theirName: theirs?.name },
      inside?: { name: string | undefined; field: string }
    ): void {
      if (own === undefined || theirs === undefined) return
      if (!isCompatible(own, theirs)) {
        mismatches.push({ name: inside?.name, field: inside?.field, operation, own, theirs })
        return
      }
      if (own.items !== undefined && theirs.items !== undefined) {
        const item = sides.own.schemas.read(own.items)
        const other = sides.theirs.schemas.read(theirs.items)
        // What is in a list may have the name of the list.
        pair(item, other, use, item.name === undefined ? names : { name: item.name, theirName: other.name }, inside)
        return
      }
      if (own.fields.size === 0 || theirs.fields.size === 0) return
      const byTheirs = found.get(own) ?? new Map<Schema, Pairing>()
      found.set(own, byTheirs)
      const known = byTheirs.get(theirs)
      const fields = known?.fields ?? matchFields(own, theirs, sides)
      const pairing = known ?? { ...names, own, theirs, fields, uses: new Set(), count: 0 }
      byTheirs.set(theirs, pairing)
      pairing.count++
      if (pairing.uses.has(use)) return
      pairing.uses.add(use)
      for (const match of pairing.fields.matches) {
        const field = sides.own.schemas.read(own.fields.get(match.own))
        const other = sides.theirs.schemas.read(theirs.fields.get(match.theirs))
        pair(field, other, use, undefined, { name: names.name, field: match.own })
      }
    }
  }
}

/** Of several schemas that a named one meets: the one with its name, otherwise the one that it meets most often. */
function bestByName(all: readonly Pairing[], { own, theirs }: Sides): Map<string, Pairing> {
  const best = new Map<string, Pairing>()
  const isNamesake = (pairing: Pairing) =>
    pairing.theirName !== undefined &&
    theirs.naming.nameOf(pairing.theirName).key === own.naming.nameOf(pairing.name!).key
  const isBetter = (one: Pairing, other: Pairing) =>
    Number(isNamesake(one)) - Number(isNamesake(other)) ||
    one.count - other.count ||
    one.fields.matches.length - other.fields.matches.length
  for (const pairing of all) {
    if (pairing.name === undefined) continue
    const known = best.get(pairing.name)
    if (known === undefined || isBetter(pairing, known) > 0) best.set(pairing.name, pairing)
  }
  return best
}
