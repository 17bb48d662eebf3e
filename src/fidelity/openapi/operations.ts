import { groupBy } from '../../lib/group-by.js'
import type { Api, Operation } from './api.js'
import { endAlike, isSameRoute, parametersOf, type Path, pathSimilarity, readPath } from './paths.js'
import { payloadOf, resultOf } from './payload.js'
import type { Schema, Schemas } from './schema.js'
import { type Name, type Naming, similarity } from './words.js'

/** From here on, two operations are taken for the same one. */
const SAME_OPERATION = 0.72
/** From here on, they may be the same one, which is said but not assumed. */
const PERHAPS = 0.55
/** From here on, a path leads to an operation that has another one already. */
const FURTHER_PATH = 0.7
/** How alike bodies and payloads are then, at least. */
const FURTHER_SHAPE = 0.9
/** How much each part of an operation says about which one it is. */
const WEIGHTS = { path: 3, schemas: 2, id: 1 } as const
/** Methods that are usual for the first word of an operationId. */
const USUAL: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    create: ['POST'],
    delete: ['DELETE', 'POST'],
    get: ['GET'],
    list: ['GET'],
    update: ['PUT', 'PATCH', 'POST']
  })
)
/** What remains of the similarity if the method differs, but is usual for the operation as well; and if it is not. */
const USUAL_METHOD = 0.95
const OTHER_METHOD = 0.3
/** How much it counts that a body has a part of the fields of another one, and no others. */
const PART_OF = 0.8
/** What remains if one path ends in a parameter and the other does not. */
const OTHER_END = 0.7
/** Paths that are less alike are not compared any further. */
const LEAST_PATH = 0.3

/** An operation of the mock with the one of the document that it is. */
export interface OperationMatch {
  readonly own: Operation
  readonly theirs: Operation
  /** Below {@link SAME_OPERATION} if it was only another path to the operation. */
  readonly score: number
}

export interface OperationMatches {
  /** In the order of the mock's own document. */
  readonly matches: readonly OperationMatch[]
  /** Further paths in the document to operations that have a match. */
  readonly further: readonly OperationMatch[]
  readonly missing: readonly Operation[]
  /** What only the document has, each route once. */
  readonly unknown: readonly Operation[]
  /** Pairs that may be the same but are not taken for it. */
  readonly doubtful: readonly OperationMatch[]
}

interface Compared {
  readonly operation: Operation
  readonly path: Path
  readonly name: Name
  readonly body: Shape | undefined
  readonly reply: Shape | undefined
}

/** What a body or a payload looks like. */
interface Shape {
  readonly isList: boolean
  readonly keys: ReadonlySet<string>
}

/** Finds the operations of the mock in a document. */
export function matchOperations(own: Api, theirs: Api, naming: { own: Naming; theirs: Naming }): OperationMatches {
  const ours = own.operations.map((operation) =>
    compared(operation, resultOf(operation, own.schemas), own.schemas, naming.own)
  )
  const others = theirs.operations.map((operation) =>
    compared(operation, payloadOf(operation.reply, theirs.schemas), theirs.schemas, naming.theirs)
  )
  const candidates = ours
    .flatMap((one, row) => others.map((other, column) => ({ one, other, row, column, score: score(one, other) })))
    .filter((candidate) => candidate.score >= PERHAPS)
    .sort((a, b) => b.score - a.score || a.row - b.row || a.column - b.column)

  const byTheirs = groupBy(candidates, ({ other }) => other)
  const found = new Map<Compared, (typeof candidates)[number]>()
  const taken = new Map<Operation, Operation>()
  for (const candidate of candidates) {
    const { one, other } = candidate
    if (candidate.score < SAME_OPERATION || found.has(one) || taken.has(other.operation)) continue
    found.set(one, candidate)
    taken.set(other.operation, one.operation)
  }
  const matchOf = ({ one, other, score }: (typeof candidates)[number]): OperationMatch => ({
    own: one.operation,
    theirs: other.operation,
    score
  })
  // Operations that share a route are one in most documents.
  for (const one of ours) {
    if (found.has(one)) continue
    const shared = candidates.find(
      (candidate) =>
        candidate.one === one &&
        candidate.score >= EXACT &&
        taken.get(candidate.other.operation)?.route === one.operation.route &&
        covers(candidate.other.body, one.body)
    )
    if (shared !== undefined) found.set(one, shared)
  }

  const matches = ours.flatMap((one) => found.get(one) ?? []).map(matchOf)
  const routes = new Set(matches.map(({ theirs: { route } }) => route))
  const rest = others.filter(({ operation: { route } }) => !routes.has(route))
  const further = rest.flatMap((other) => furtherPath(other) ?? [])
  for (const { theirs: match } of further) routes.add(match.route)
  return {
    matches,
    further,
    missing: ours.filter((one) => !found.has(one)).map(({ operation }) => operation),
    unknown: onePerRoute(theirs.operations.filter(({ route }) => !routes.has(route))),
    doubtful: candidates.filter(({ one, other }) => !found.has(one) && !routes.has(other.operation.route)).map(matchOf)
  }

  /** An operation under another path: the same thing at the end of it, and the same schemas. */
  function furtherPath(other: Compared): OperationMatch | undefined {
    const best = byTheirs.get(other)?.find(({ one }) => found.has(one))
    if (best === undefined || best.score < FURTHER_PATH) return undefined
    const first = found.get(best.one)!.other
    const isSame =
      first.operation.method === other.operation.method &&
      first.path.at(-1)!.name.key === other.path.at(-1)!.name.key &&
      [first, best.one].some(({ body }) => isSameShape(body, other.body)) &&
      [first, best.one].some(({ reply }) => isSameShape(reply, other.reply)) &&
      parametersOf(other.operation.path).length >= parametersOf(best.one.operation.path).length
    return isSame ? matchOf(best) : undefined
  }
}

/** The score of an operation with the same method and path. */
const EXACT = 2

function score(one: Compared, other: Compared): number {
  const ids = similarity(one.name, other.name)
  const { method, path } = one.operation
  const alike = bodySimilarity(one, other)
  const schemas = alike ?? 0
  if (method === other.operation.method && isSameRoute(path, other.operation.path))
    // Several may have it; then their bodies decide.
    return EXACT + schemas / 2 + ids / 10
  const factor = methodFactor(one, other)
  if (factor < PERHAPS) return 0
  const paths = pathSimilarity(one.path, other.path) * (endAlike(one.path, other.path) ? 1 : OTHER_END)
  if (paths < LEAST_PATH) return 0
  const known = alike === undefined ? 0 : WEIGHTS.schemas
  const sum = WEIGHTS.path * paths + known * schemas + WEIGHTS.id * ids
  return factor * (sum / (WEIGHTS.path + known + WEIGHTS.id))
}

function methodFactor({ operation: { method }, name }: Compared, { operation: other }: Compared): number {
  if (method === other.method) return 1
  return USUAL.get(name.words[0] ?? '')?.includes(other.method) === true ? USUAL_METHOD : OTHER_METHOD
}

/** How alike the bodies and the payloads are; undefined if neither operation has any. */
function bodySimilarity(one: Compared, other: Compared): number | undefined {
  const parts = [shapeSimilarity(one.body, other.body), shapeSimilarity(one.reply, other.reply)].filter(
    (part) => part !== undefined
  )
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0) / parts.length
}

function shapeSimilarity(one: Shape | undefined, other: Shape | undefined): number | undefined {
  if (one === undefined && other === undefined) return undefined
  if (one === undefined || other === undefined) return 0.3
  const common = [...one.keys].filter((key) => other.keys.has(key)).length
  const all = one.keys.size + other.keys.size
  const least = Math.min(one.keys.size, other.keys.size)
  const part = least > 1 ? PART_OF * (common / least) : 0
  return (all === 0 ? 1 : Math.max((2 * common) / all, part)) * (one.isList === other.isList ? 1 : 0.6)
}

const isSameShape = (one: Shape | undefined, other: Shape | undefined) =>
  (shapeSimilarity(one, other) ?? 1) >= FURTHER_SHAPE

/** Whether a body has most of the fields of another one. */
function covers(one: Shape | undefined, other: Shape | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return [...other.keys].filter((key) => one.keys.has(key)).length >= other.keys.size / 2
}

function compared(operation: Operation, result: Schema | undefined, schemas: Schemas, naming: Naming): Compared {
  return {
    operation,
    path: readPath(operation.path, naming),
    name: naming.nameOf(operation.id),
    body: shapeOf(operation.body, schemas, naming),
    reply: shapeOf(result, schemas, naming)
  }
}

/** @returns undefined for a text or a number, which looks like any other */
function shapeOf(schema: Schema | undefined, schemas: Schemas, naming: Naming): Shape | undefined {
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
