import { isCompatible, type Schema, type Schemas } from './schema.js'
import { isSameName, likenessOf, type Naming } from './words.js'

/** How a field was recognised. */
type How = 'name' | 'shape' | 'place'

export interface FieldMatch {
  readonly own: string
  readonly theirs: string
  readonly how: How
}

export type FieldMatches = ReturnType<typeof matchFields>

/** One of the two documents. */
interface Side {
  readonly schemas: Schemas
  readonly naming: Naming
}

/** The two documents, and the new names that are known, by the mock's. */
export interface Sides {
  readonly own: Side
  readonly theirs: Side
  readonly renamed: ReadonlyMap<string, FieldMatch>
}

interface Field {
  readonly name: string
  readonly place: number
  readonly schema: Schema
}

/** Finds the fields of a schema of the mock in a schema of the document. */
export function matchFields(own: Schema, theirs: Schema, sides: Sides) {
  const ours = fieldsOf(own, sides.own)
  const others = fieldsOf(theirs, sides.theirs)
  const matches = new Map<Field, { readonly field: Field; readonly how: How }>()
  const taken = new Set<Field>()
  const take = (one: Field, field: Field, how: How) => {
    if (matches.has(one) || taken.has(field)) return
    matches.set(one, { field, how })
    taken.add(field)
  }
  const left = () => [ours.filter((one) => !matches.has(one)), others.filter((other) => !taken.has(other))] as const

  // Those with the same name first, then those that differ in case, separators or brand only.
  const byName = new Map(others.map((other) => [other.name, other]))
  for (const one of ours) {
    const same = byName.get(one.name)
    if (same !== undefined && !sides.renamed.has(one.name)) take(one, same, 'name')
  }
  const byKey = new Map(others.filter((other) => !taken.has(other)).map((other) => [keyOf(other, sides.theirs), other]))
  for (const one of ours) {
    const known = sides.renamed.get(one.name)
    const renamed = byName.get(known?.theirs ?? '')
    const same = renamed ?? byKey.get(keyOf(one, sides.own))
    if (same !== undefined) take(one, same, renamed === undefined ? 'name' : known!.how)
  }

  const likeness = (one: Field, other: Field) => likenessOf(nameOf(one, sides.own), nameOf(other, sides.theirs))
  const isSame = (one: Field, other: Field) => isSameName(nameOf(one, sides.own), nameOf(other, sides.theirs))
  for (const { one, other } of pairsOf(...left(), isSame)) take(one, other, 'name')
  for (const { one, other } of pairsOf(...left(), (one, other) => areAlike(one.schema, other.schema, sides)))
    take(one, other, 'shape')
  const [[one, ...more], [other, ...others_]] = left()
  const isOnly = own.fields.size === 1 && theirs.fields.size === 1 && more.length + others_.length === 0
  if (one !== undefined && other !== undefined && isOnly && isCompatible(one.schema, other.schema))
    take(one, other, 'shape')
  const isInPlace = (one: Field) => matches.get(one)?.field.place === one.place
  if (ours.length === others.length && ours.filter(isInPlace).length >= ours.length / 2)
    for (const one of ours) {
      const same = others[one.place]!
      if (one.schema.type === same.schema.type && isAlike(one.schema, same.schema)) take(one, same, 'place')
    }
  const [missing, added] = left()
  const doubtful = pairsOf(missing, added, (one, other) => likeness(one, other) !== undefined)
  return {
    matches: ours.flatMap((one): FieldMatch[] => {
      const match = matches.get(one)
      return match === undefined ? [] : [{ own: one.name, theirs: match.field.name, how: match.how }]
    }),
    /** Fields that only the document has. */
    added: added.map(({ name }) => name),
    /** Fields that only the mock has. */
    missing: missing.map(({ name }) => name),
    /** Pairs that may be the same but are not taken for it. */
    doubtful: doubtful.map(({ one, other }) => ({ own: one.name, theirs: other.name }))
  }
}

function fieldsOf({ fields }: Schema, { schemas }: Side): Field[] {
  return [...fields].map(([name, schema], place) => ({ name, place, schema: schemas.read(schema) }))
}

const nameOf = ({ name }: Field, { naming }: Side) => naming.nameOf(name)
const keyOf = (field: Field, side: Side) => nameOf(field, side).key

/** The pairs of fields that a rule is true of, and whose types fit. */
function pairsOf(ours: readonly Field[], others: readonly Field[], isPair: (one: Field, other: Field) => boolean) {
  return ours.flatMap((one) =>
    others.flatMap((other) => (isCompatible(one.schema, other.schema) && isPair(one, other) ? [{ one, other }] : []))
  )
}

/** Whether two objects, lists or enumerations have most of what is in them in common. */
function areAlike(one: Schema, other: Schema, sides: Sides): boolean {
  if (one.items !== undefined && other.items !== undefined)
    return areAlike(sides.own.schemas.read(one.items), sides.theirs.schemas.read(other.items), sides)
  const keys = (side: Side, { fields }: Schema) => [...fields.keys()].map((name) => side.naming.nameOf(name).key)
  return (
    sharesMost(one.values.map(String), other.values.map(String)) ||
    sharesMost(keys(sides.own, one), keys(sides.theirs, other))
  )
}

/**
 * Whether a list has at least two thirds of the mock's. Another edition adds more than it leaves out. Fewer than three
 * entries in common say nothing, unless there are no others.
 */
function sharesMost(ours: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others)
  const common = ours.filter((one) => known.has(one)).length
  const isWhole = common === ours.length && common === others.length
  return common >= (isWhole ? 2 : 3) && common >= (ours.length * 2) / 3
}

/** Whether two schemas are the same kind of list or object. */
function isAlike(one: Schema, other: Schema): boolean {
  return one.fields.size === other.fields.size && (one.items === undefined) === (other.items === undefined)
}
