import { isCompatible, type Schema, type Schemas } from './schema.js'
import { type Naming, similarity } from './words.js'

/** From here on, a field of the document is taken for one of the mock under another name. */
const SAME_FIELD = 0.7
/** From here on, it may be, which is said but not assumed. */
const PERHAPS = 0.4
/** How much of the likeness of two objects, or of two lists of values, is about what is in them. */
const INSIDE = 0.75

/** How much it counts that most of the mock's list is in a longer one, how much most is, and how many at least. */
const PART_OF = 0.95
const MOST = 2 / 3
const LEAST_COMMON = 3
/** How a field was recognised. */
type How = 'name' | 'shape' | 'place'

export interface FieldMatch {
  readonly own: string
  readonly theirs: string
  readonly how: How
}

export interface FieldMatches {
  readonly matches: readonly FieldMatch[]
  /** Fields that only the document has. */
  readonly added: readonly string[]
  /** Fields that only the mock has. */
  readonly missing: readonly string[]
  /** Pairs that may be the same but are not taken for it. */
  readonly doubtful: readonly FieldMatch[]
}

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
export function matchFields(own: Schema, theirs: Schema, sides: Sides): FieldMatches {
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

  const scored = pairsOf(...left(), sides)
  for (const { one, other, score, how } of scored) if (score >= SAME_FIELD) take(one, other, how)
  const [[one, ...more], [other, ...others_]] = left()
  const isOnly = own.fields.size === 1 && theirs.fields.size === 1 && more.length + others_.length === 0
  if (one !== undefined && other !== undefined && isOnly && isCompatible(one.schema, other.schema))
    take(one, other, 'shape')
  if (ours.length === others.length && ours.filter((one) => isInPlace(one)).length >= ours.length / 2)
    for (const one of ours) {
      const same = others[one.place]!
      if (one.schema.type === same.schema.type && isAlike(one.schema, same.schema)) take(one, same, 'place')
    }
  const [missing, added] = left()
  return {
    matches: ours.flatMap((one) => {
      const match = matches.get(one)
      return match === undefined ? [] : { own: one.name, theirs: match.field.name, how: match.how }
    }),
    added: added.map(({ name }) => name),
    missing: missing.map(({ name }) => name),
    doubtful: scored
      .filter(({ one, other }) => !matches.has(one) && !taken.has(other))
      .map(({ one, other, how }) => ({ own: one.name, theirs: other.name, how }))
  }

  function isInPlace(one: Field): boolean {
    return matches.get(one)?.field.place === one.place
  }
}

function fieldsOf({ fields }: Schema, { schemas }: Side): Field[] {
  return [...fields].map(([name, schema], place) => ({ name, place, schema: schemas.read(schema) }))
}

const keyOf = ({ name }: Field, { naming }: Side) => naming.nameOf(name).key

/** All pairs that have enough in common, the most similar first. */
function pairsOf(ours: readonly Field[], others: readonly Field[], sides: Sides) {
  return ours
    .flatMap((one) => others.map((other) => ({ one, other, ...compareFields(one, other, sides) })))
    .filter(({ score }) => score >= PERHAPS)
    .sort((a, b) => b.score - a.score || a.one.place - b.one.place || a.other.place - b.other.place)
}

function compareFields(one: Field, other: Field, sides: Sides): { score: number; how: How } {
  if (!isCompatible(one.schema, other.schema)) return { score: 0, how: 'name' }
  const names = similarity(sides.own.naming.nameOf(one.name), sides.theirs.naming.nameOf(other.name))
  const inside = likeness(one.schema, other.schema, sides)
  const both = INSIDE * inside + (1 - INSIDE) * names
  return inside > 0 && both > names ? { score: both, how: 'shape' } : { score: names, how: 'name' }
}

/** How much of what is in two objects, lists or enumerations is the same; 0 if that cannot be told. */
function likeness(one: Schema, other: Schema, sides: Sides): number {
  if (one.items !== undefined && other.items !== undefined)
    return likeness(sides.own.schemas.read(one.items), sides.theirs.schemas.read(other.items), sides)
  const values = shared(one.values.map(String), other.values.map(String))
  if (values > 0) return values
  return shared(
    [...one.fields.keys()].map((name) => sides.own.naming.nameOf(name).key),
    [...other.fields.keys()].map((name) => sides.theirs.naming.nameOf(name).key)
  )
}

/**
 * The part of two lists that both have. Another edition adds more than it leaves out, so it counts nearly as much if
 * most of the mock's list is in the other one.
 * @returns 0 if one is so short that this says nothing
 */
function shared(ones: readonly string[], others: readonly string[]): number {
  if (Math.min(ones.length, others.length) < 2) return 0
  const known = new Set(others)
  const common = ones.filter((one) => known.has(one)).length
  const isMost = common >= LEAST_COMMON && common / ones.length >= MOST
  return Math.max((2 * common) / (ones.length + others.length), isMost ? PART_OF : 0)
}

/** Whether two schemas are the same kind of list or object. */
function isAlike(one: Schema, other: Schema): boolean {
  return one.fields.size === other.fields.size && (one.items === undefined) === (other.items === undefined)
}
