import type { OperationMatch } from './operations.js'
import { itemsInText, payloadOf } from './payload.js'
import { isCompatible, type Schema, type Schemas } from './schema.js'
import { isSameKind, isSameName, type Name, type Naming } from './words.js'

interface Side {
  readonly schemas: Schemas
  readonly naming: Naming
}

interface Sides {
  readonly own: Side
  readonly theirs: Side
}

interface FieldMatch {
  readonly own: string
  readonly theirs: string
  /** Whether its contents, rather than its name, matched. */
  readonly byContents?: boolean
}

/** A schema of the mock and one of the document that are used in the same place. */
export interface Pairing {
  /** The name of the mock's schema; undefined for one inside another. */
  readonly name: string | undefined
  readonly theirName: string | undefined
  readonly own: Schema
  readonly theirs: Schema
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
export function pairSchemas(operations: readonly OperationMatch[], sides: Sides) {
  const found = new Map<Schema, Map<Schema, Pairing>>()
  const mismatches: Mismatch[] = []
  for (const { own, theirs } of operations) {
    pair(own.body, theirs.body, 'request', own.id)
    const [ours, others] = [payloadOf(own.reply, sides.own.schemas), payloadOf(theirs.reply, sides.theirs.schemas)]
    // Only one of them may have an envelope.
    const hasSameForm = (ours === own.reply) === (others === theirs.reply)
    const items = itemsInText(own.id, sides.own.schemas)
    if (ours === undefined || others === undefined) continue
    if (items !== undefined && others.items !== undefined)
      pair(items, sides.theirs.schemas.read(others.items), 'reply', own.id)
    else if (hasSameForm) pair(own.reply, theirs.reply, 'reply', own.id)
    else pair(ours, others, 'reply', own.id)
  }
  const all = [...found.values()].flatMap((byTheirs) => [...byTheirs.values()])
  const named = bestByName(all, sides)
  return {
    /** The pairings in `named`, and those without a name. */
    relevant: all.filter((pairing) => pairing.name === undefined || named.get(pairing.name) === pairing),
    /** The best pairing for each named schema of the mock. */
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
      const [item, other] = [sides.own.schemas.read(own.items), sides.theirs.schemas.read(theirs.items)]
      // Unnamed items have the name of their list.
      pair(item, other, use, owner, field, item.name === undefined ? names : { name: item.name, theirName: other.name })
      return
    }
    if (own.fields.size === 0 || theirs.fields.size === 0) return
    const byTheirs = found.get(own) ?? new Map<Schema, Pairing>()
    found.set(own, byTheirs)
    const pairing = byTheirs.get(theirs) ?? {
      ...names,
      own,
      theirs,
      fields: matchFields(own, theirs, sides),
      uses: new Set(),
      count: 0
    }
    byTheirs.set(theirs, pairing)
    pairing.count++
    if (pairing.uses.has(use)) return
    pairing.uses.add(use)
    for (const match of pairing.fields.matches) {
      const inner = sides.own.schemas.read(own.fields.get(match.own))
      const other = sides.theirs.schemas.read(theirs.fields.get(match.theirs))
      pair(inner, other, use, names.name ?? owner, match.own)
    }
  }
}

/** For each named schema, the pairing with its namesake, otherwise the most frequent one. */
function bestByName(all: readonly Pairing[], { own, theirs }: Sides): ReadonlyMap<string, Pairing> {
  const best = new Map<string, Pairing>()
  const isNamesake = ({ name, theirName }: Pairing) =>
    theirName !== undefined && theirs.naming.nameOf(theirName).key === own.naming.nameOf(name!).key
  const isBetter = (one: Pairing, other: Pairing) =>
    (Number(isNamesake(one)) - Number(isNamesake(other)) || one.count - other.count) > 0
  for (const pairing of all) {
    if (pairing.name === undefined) continue
    const known = best.get(pairing.name)
    if (known === undefined || isBetter(pairing, known)) best.set(pairing.name, pairing)
  }
  return best
}

interface Field {
  readonly name: string
  readonly meant: Name
  readonly schema: Schema
}

/**
 * Matches the fields of two schemas: first those with the same name, then those whose names differ only in case,
 * separators or brand, then those whose names mean the same, then those with the same contents.
 */
function matchFields(own: Schema, theirs: Schema, sides: Sides) {
  const ours = fieldsOf(own, sides.own)
  const others = fieldsOf(theirs, sides.theirs)
  const found = new Map<Field, FieldMatch>()
  const taken = new Set<Field>()
  const take = (isSame: (one: Field, other: Field) => boolean, byContents = false) => {
    for (const one of ours) {
      const other = found.has(one) ? undefined : others.find((field) => !taken.has(field) && isSame(one, field))
      if (other === undefined) continue
      found.set(one, { own: one.name, theirs: other.name, byContents })
      taken.add(other)
    }
  }
  take((one, other) => one.name === other.name)
  take((one, other) => one.meant.key === other.meant.key)
  take((one, other) => isCompatible(one.schema, other.schema) && isSameName(one.meant, other.meant))
  take((one, other) => isCompatible(one.schema, other.schema) && areAlike(one.schema, other.schema, sides), true)
  const missing = ours.filter((one) => !found.has(one))
  const added = others.filter((other) => !taken.has(other))
  return {
    matches: ours.flatMap((one) => found.get(one) ?? []),
    /** Fields that only the document has. */
    added: added.map(({ name }) => name),
    /** Fields that only the mock has. */
    missing: missing.map(({ name }) => name),
    /** Pairs that may be the same field, but do not count as matches. */
    doubtful: missing.flatMap((one) =>
      added
        .filter((other) => isCompatible(one.schema, other.schema) && isSameKind(one.meant, other.meant))
        .map((other): FieldMatch => ({ own: one.name, theirs: other.name }))
    )
  }
}

const fieldsOf = ({ fields }: Schema, { schemas, naming }: Side): Field[] =>
  [...fields].map(([name, schema]) => ({ name, meant: naming.nameOf(name), schema: schemas.read(schema) }))

/** Whether two objects, lists or enumerations have most of their contents in common. */
function areAlike(one: Schema, other: Schema, sides: Sides): boolean {
  if (one.items !== undefined && other.items !== undefined)
    return areAlike(sides.own.schemas.read(one.items), sides.theirs.schemas.read(other.items), sides)
  const keys = ({ naming }: Side, { fields }: Schema) => [...fields.keys()].map((name) => naming.nameOf(name).key)
  return (
    sharesMost(one.values.map(String), other.values.map(String)) ||
    sharesMost(keys(sides.own, one), keys(sides.theirs, other))
  )
}

/** Whether a list has at least three, and two thirds, of the mock's entries: editions add more than they drop. */
function sharesMost(ours: readonly string[], others: readonly string[]): boolean {
  const common = ours.filter((one) => others.includes(one)).length
  return common >= 3 && common >= (ours.length * 2) / 3
}
