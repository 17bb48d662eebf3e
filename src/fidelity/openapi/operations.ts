import { groupBy } from '../../lib/group-by.js'
import type { Api, Operation } from './api.js'
import { isSameRoute, parametersOf, type Path, readPath } from './paths.js'
import { payloadOf, resultOf } from './payload.js'
import type { Schema, Schemas } from './schema.js'
import { isSameName, type Naming } from './words.js'

/**
 * How an operation of the document is recognised as one of the mock, surest way first:
 *
 * - route: method and path are the same.
 * - id: operationId and kind of path mean the same, and the method is usual for it.
 * - end: method and last word of the path are the same, and so are most fields of body and reply, or the word before.
 * - resemblance: only method and last word are the same. This is not a match, but is mentioned.
 */
const WAYS = ['route', 'id', 'end', 'resemblance'] as const
type Way = (typeof WAYS)[number]

/** Usual methods by the first word of an operationId. */
const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ create: ['POST'], delete: ['DELETE', 'POST'], update: ['PUT', 'PATCH', 'POST'] })
)

export interface OperationMatch {
  readonly own: Operation
  readonly theirs: Operation
}

type Compared = ReturnType<typeof compared>
type Shape = NonNullable<ReturnType<typeof shapeOf>>

export function matchOperations(own: Api, theirs: Api, naming: { own: Naming; theirs: Naming }) {
  const ours = own.operations.map((operation) =>
    compared(operation, resultOf(operation, own.schemas), own.schemas, naming.own)
  )
  const others = theirs.operations.map((operation) =>
    compared(operation, payloadOf(operation.reply, theirs.schemas), theirs.schemas, naming.theirs)
  )
  const candidates = ours
    .flatMap((one) =>
      others.flatMap((other) => {
        const way = wayBetween(one, other)
        return way === undefined ? [] : [{ one, other, way, common: commonFields(one, other) }]
      })
    )
    .sort((a, b) => WAYS.indexOf(a.way) - WAYS.indexOf(b.way) || b.common - a.common)

  const found = new Map<Compared, Compared>()
  const taken = new Set<Compared>()
  for (const { one, other, way } of candidates) {
    if (way === 'resemblance' || found.has(one)) continue
    // Most documents have one operation for those of the mock that share a route.
    const isShared = way === 'route' && areAlike(one.body, other.body) !== false
    if (taken.has(other) && !isShared) continue
    found.set(one, other)
    taken.add(other)
  }
  const matches = ours.flatMap((one) => (found.has(one) ? matchOf(one, found.get(one)!) : []))
  const routes = new Set(matches.map(({ theirs: { route } }) => route))
  const further = others.flatMap((other) => {
    if (routes.has(other.operation.route)) return []
    const one = [...found.keys()].find((known) => isFurtherPath(known, other))
    return one === undefined ? [] : matchOf(one, other)
  })
  for (const { theirs: match } of further) routes.add(match.route)
  const unknown = theirs.operations.filter(({ route }) => !routes.has(route))
  return {
    /** In the order of the mock's own document. */
    matches,
    /** Further paths of operations that have a match. */
    further,
    missing: ours.filter((one) => !found.has(one)).map(({ operation }) => operation),
    /** Operations that only the document has, one per route. */
    unknown: [...groupBy(unknown, ({ route }) => route).values()].map(([first]) => first!),
    /** Pairs that may be the same operation, but do not count as matches. */
    doubtful: candidates
      .filter(({ one, other }) => !found.has(one) && !routes.has(other.operation.route))
      .map(({ one, other }) => matchOf(one, other))
  }
}

const matchOf = (one: Compared, other: Compared): OperationMatch => ({ own: one.operation, theirs: other.operation })

function wayBetween(one: Compared, other: Compared): Way | undefined {
  const [{ method, path }, theirs] = [one.operation, other.operation]
  const hasMethod = method === theirs.method
  if (hasMethod && isSameRoute(path, theirs.path)) return 'route'
  const isUsual = hasMethod || USUAL.get(one.name.words[0] ?? '')?.includes(theirs.method) === true
  if (!isUsual || one.path.isItem !== other.path.isItem) return undefined
  if (isSameName(one.name, other.name)) return 'id'
  if (!hasMethod || !isSameWordAt(-1, one.path, other.path)) return undefined
  const alike = [areAlike(one.body, other.body), areAlike(one.reply, other.reply)].filter((part) => part !== undefined)
  const isSameEnd = alike.length > 0 ? alike.every(Boolean) : isSameWordAt(-2, one.path, other.path)
  return isSameEnd ? 'end' : 'resemblance'
}

function isSameWordAt(place: number, { words }: Path, { words: others }: Path): boolean {
  const [word, other] = [words.at(place), others.at(place)]
  return word !== undefined && other !== undefined && isSameName(word, other)
}

/** Whether an operation is one of the mock at another path, with the same last word and the same fields. */
function isFurtherPath(one: Compared, other: Compared): boolean {
  return (
    one.operation.method === other.operation.method &&
    isSameWordAt(-1, one.path, other.path) &&
    one.path.isItem === other.path.isItem &&
    areAlike(one.body, other.body) !== false &&
    areAlike(one.reply, other.reply) !== false &&
    parametersOf(other.operation.path).length >= parametersOf(one.operation.path).length
  )
}

/** Whether two bodies or payloads have most of their fields in common; undefined if both are absent. */
function areAlike(one: Shape | undefined, other: Shape | undefined): boolean | undefined {
  if (one === undefined && other === undefined) return undefined
  if (one === undefined || other === undefined || one.isList !== other.isList) return false
  return commonKeys(one, other) >= Math.min(one.keys.size, other.keys.size) / 2
}

const commonKeys = (one: Shape | undefined, other: Shape | undefined) =>
  [...(one?.keys ?? [])].filter((key) => other?.keys.has(key) === true).length

const commonFields = (one: Compared, other: Compared) =>
  commonKeys(one.body, other.body) + commonKeys(one.reply, other.reply)

function compared(operation: Operation, result: Schema | undefined, schemas: Schemas, naming: Naming) {
  return {
    operation,
    path: readPath(operation.path, naming),
    name: naming.nameOf(operation.id),
    body: shapeOf(operation.body, schemas, naming),
    reply: shapeOf(result, schemas, naming)
  }
}

/** The shape of a body or a payload; undefined for a scalar, which cannot be distinguished. */
function shapeOf(schema: Schema | undefined, schemas: Schemas, naming: Naming) {
  if (schema === undefined || (schema.items === undefined && schema.fields.size === 0)) return undefined
  const object = schema.items === undefined ? schema : schemas.read(schema.items)
  return {
    isList: schema.items !== undefined,
    keys: new Set([...object.fields.keys()].map((name) => naming.nameOf(name).key))
  }
}
