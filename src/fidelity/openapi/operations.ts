import type { Api, Operation } from './api.js'
import { isSameRoute, parametersOf, type Path, readPath } from './paths.js'
import { payloadOf, resultOf } from './payload.js'
import type { Schema, Schemas } from './schema.js'
import { commonWords, isSameName, type Naming } from './words.js'

/**
 * How an operation of the document is recognised as one of the mock, the surest way first. By its route: method and
 * path are the same. By its id: operationId and kind of path mean the same, and the method is usual for it. By its end:
 * the last word of the path is the same, as the word before it is, or most fields of what is sent and answered. A pair
 * that only resembles is not taken for the same operation, but named.
 */
const WAYS = ['route', 'id', 'end', 'resemblance'] as const
type Way = (typeof WAYS)[number]

/** Methods that are usual for the first word of an operationId. */
const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ create: ['POST'], delete: ['DELETE', 'POST'], update: ['PUT', 'PATCH', 'POST'] })
)

/** An operation of the mock with the one of the document that it is. */
export interface OperationMatch {
  readonly own: Operation
  readonly theirs: Operation
}

type Compared = ReturnType<typeof compared>
type Shape = NonNullable<ReturnType<typeof shapeOf>>

/** An operation of each document, and what they have in common. */
interface Candidate {
  readonly one: Compared
  readonly other: Compared
  readonly way: Way
}

/** Finds the operations of the mock in a document. */
export function matchOperations(own: Api, theirs: Api, naming: { own: Naming; theirs: Naming }) {
  const ours = own.operations.map((operation) =>
    compared(operation, resultOf(operation, own.schemas), own.schemas, naming.own)
  )
  const others = theirs.operations.map((operation) =>
    compared(operation, payloadOf(operation.reply, theirs.schemas), theirs.schemas, naming.theirs)
  )
  const candidates = ours
    .flatMap((one) =>
      others.flatMap((other): Candidate[] => {
        const way = wayBetween(one, other)
        return way === undefined ? [] : [{ one, other, way }]
      })
    )
    .sort((a, b) => WAYS.indexOf(a.way) - WAYS.indexOf(b.way) || common(b) - common(a) || commonName(b) - commonName(a))

  const found = new Map<Compared, Candidate>()
  const taken = new Map<Operation, Operation>()
  for (const candidate of candidates) {
    const { one, other, way } = candidate
    if (way === 'resemblance' || found.has(one) || taken.has(other.operation)) continue
    found.set(one, candidate)
    taken.set(other.operation, one.operation)
  }
  // Operations that share a route are one in most documents.
  for (const one of ours) {
    if (found.has(one)) continue
    const shared = candidates.find(
      (candidate) =>
        candidate.one === one &&
        candidate.way === 'route' &&
        taken.get(candidate.other.operation)?.route === one.operation.route &&
        covers(candidate.other.body, one.body)
    )
    if (shared !== undefined) found.set(one, shared)
  }

  const matches = ours.flatMap((one) => found.get(one) ?? []).map(matchOf)
  const routes = new Set(matches.map(({ theirs: { route } }) => route))
  const rest = others.filter(({ operation: { route } }) => !routes.has(route))
  const further = rest.flatMap((other) => {
    const match = [...found.values()].find((one) => isFurtherPath(one, other))
    return match === undefined ? [] : matchOf({ one: match.one, other })
  })
  for (const { theirs: match } of further) routes.add(match.route)
  return {
    /** In the order of the mock's own document. */
    matches,
    /** Further paths in the document to operations that have a match. */
    further,
    missing: ours.filter((one) => !found.has(one)).map(({ operation }) => operation),
    /** What only the document has, each route once. */
    unknown: onePerRoute(theirs.operations.filter(({ route }) => !routes.has(route))),
    /** Pairs that may be the same but are not taken for it. */
    doubtful: candidates.filter(({ one, other }) => !found.has(one) && !routes.has(other.operation.route)).map(matchOf)
  }
}

const matchOf = ({ one, other }: Pick<Candidate, 'one' | 'other'>): OperationMatch => ({
  own: one.operation,
  theirs: other.operation
})

function wayBetween(one: Compared, other: Compared): Way | undefined {
  const [{ method, path }, theirs] = [one.operation, other.operation]
  const hasMethod = method === theirs.method
  if (hasMethod && isSameRoute(path, theirs.path)) return 'route'
  const isUsual = hasMethod || USUAL.get(one.name.words[0] ?? '')?.includes(theirs.method) === true
  const isSameId = isSameName(one.name, other.name)
  if (!isUsual || one.path.isItem !== other.path.isItem) return isUsual && isSameId ? 'resemblance' : undefined
  if (isSameId) return 'id'
  const [isLast, isBefore] = [-1, -2].map((place) => isSameWordAt(place, one.path, other.path))
  if (!isLast) return undefined
  const alike = [areAlike(one.body, other.body), areAlike(one.reply, other.reply)].filter((part) => part !== undefined)
  const isSameEnd = alike.length > 0 ? alike.every(Boolean) : isBefore
  return hasMethod && isSameEnd ? 'end' : 'resemblance'
}

function isSameWordAt(place: number, { words }: Path, { words: others }: Path): boolean {
  const [word, other] = [words.at(place), others.at(place)]
  return word !== undefined && other !== undefined && isSameName(word, other)
}

/** An operation under another path: the same thing at the end of it, and the same fields. */
function isFurtherPath({ one, other: first }: Candidate, other: Compared): boolean {
  return (
    first.operation.method === other.operation.method &&
    isSameWordAt(-1, first.path, other.path) &&
    first.path.isItem === other.path.isItem &&
    [first, one].some(({ body }) => areAlike(body, other.body) ?? true) &&
    [first, one].some(({ reply }) => areAlike(reply, other.reply) ?? true) &&
    parametersOf(other.operation.path).length >= parametersOf(one.operation.path).length
  )
}

/** Whether two bodies or payloads have most of their fields in common; undefined if there is neither. */
function areAlike(one: Shape | undefined, other: Shape | undefined): boolean | undefined {
  if (one === undefined && other === undefined) return undefined
  if (one === undefined || other === undefined || one.isList !== other.isList) return false
  return commonKeys(one, other) >= Math.min(one.keys.size, other.keys.size) / 2
}

const commonKeys = (one: Shape | undefined, other: Shape | undefined) =>
  [...(one?.keys ?? [])].filter((key) => other?.keys.has(key) === true).length

/** How many fields of bodies and payloads two operations have in common. */
const common = ({ one, other }: Candidate) => commonKeys(one.body, other.body) + commonKeys(one.reply, other.reply)

const commonName = ({ one, other }: Candidate) => commonWords(one.name, other.name)

/** Whether a body has most of the fields of another one. */
function covers(one: Shape | undefined, other: Shape | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return commonKeys(one, other) >= other.keys.size / 2
}

function compared(operation: Operation, result: Schema | undefined, schemas: Schemas, naming: Naming) {
  return {
    operation,
    path: readPath(operation.path, naming),
    name: naming.nameOf(operation.id),
    body: shapeOf(operation.body, schemas, naming),
    reply: shapeOf(result, schemas, naming)
  }
}

/** What a body or a payload looks like; undefined for a text or a number, which looks like any other. */
function shapeOf(schema: Schema | undefined, schemas: Schemas, naming: Naming) {
  if (schema === undefined || (schema.items === undefined && schema.fields.size === 0)) return undefined
  const object = schema.items === undefined ? schema : schemas.read(schema.items)
  return {
    isList: schema.items !== undefined,
    keys: new Set([...object.fields.keys()].map((name) => naming.nameOf(name).key))
  }
}

function onePerRoute(operations: readonly Operation[]): Operation[] {
  return [...new Map(operations.toReversed().map((operation) => [operation.route, operation])).values()].toReversed()
}
