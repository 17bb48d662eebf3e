import { groupBy } from '../../lib/group-by.js'
import type { Schema } from '../schema.js'
import { isSameName } from '../words.js'
import type { Operation } from './description.js'
import { isSameRoute, parametersOf, type Path } from './paths.js'

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

export function matchOperations(ours: readonly Operation[], others: readonly Operation[]) {
  const candidates = ours
    .flatMap((own) =>
      others.flatMap((theirs) => {
        const way = wayBetween(own, theirs)
        if (way === undefined) return []
        const common = commonKeys(own.body, theirs.body) + commonKeys(resultOf(own), theirs.payload)
        return { own, theirs, way, common }
      })
    )
    .sort((a, b) => WAYS.indexOf(a.way) - WAYS.indexOf(b.way) || b.common - a.common)

  const found = new Map<Operation, OperationMatch>()
  const taken = new Set<Operation>()
  for (const { own, theirs, way } of candidates) {
    if (way === 'resemblance' || found.has(own)) continue
    // Most documents have one operation for those of the mock that share a route.
    const isShared = way === 'route' && areAlike(own.body, theirs.body) !== false
    if (taken.has(theirs) && !isShared) continue
    found.set(own, { own, theirs })
    taken.add(theirs)
  }
  const matches = ours.flatMap((own) => found.get(own) ?? [])
  const routes = new Set(matches.map(({ theirs }) => theirs.route))
  const further = others.flatMap((theirs) => {
    const match = routes.has(theirs.route) ? undefined : matches.find(({ own }) => isFurtherPath(own, theirs))
    return match === undefined ? [] : { own: match.own, theirs }
  })
  for (const { theirs } of further) routes.add(theirs.route)
  const unknown = others.filter(({ route }) => !routes.has(route))
  return {
    /** In the order of the mock's own document. */
    matches,
    /** Further paths of operations that have a match. */
    further,
    missing: ours.filter((own) => !found.has(own)),
    /** Operations that only the document has, one per route. */
    unknown: [...groupBy(unknown, ({ route }) => route).values()].map(([first]) => first!),
    /** Pairs that may be the same operation, but do not count as matches. */
    doubtful: candidates.filter(({ own, theirs }) => !found.has(own) && !routes.has(theirs.route))
  }
}

const resultOf = ({ listInText, payload }: Operation) => listInText ?? payload

function wayBetween(own: Operation, theirs: Operation): Way | undefined {
  const hasMethod = own.method === theirs.method
  if (hasMethod && isSameRoute(own.path, theirs.path)) return 'route'
  const isUsual = hasMethod || USUAL.get(own.meant.words[0] ?? '')?.includes(theirs.method) === true
  if (!isUsual || own.steps.isItem !== theirs.steps.isItem) return undefined
  if (isSameName(own.meant, theirs.meant)) return 'id'
  if (!hasMethod || !isSameWordAt(-1, own.steps, theirs.steps)) return undefined
  const parts = [areAlike(own.body, theirs.body), areAlike(resultOf(own), theirs.payload)]
  const alike = parts.filter((part) => part !== undefined)
  const isSameEnd = alike.length > 0 ? alike.every(Boolean) : isSameWordAt(-2, own.steps, theirs.steps)
  return isSameEnd ? 'end' : 'resemblance'
}

function isSameWordAt(place: number, { words }: Path, { words: others }: Path): boolean {
  const [word, other] = [words.at(place), others.at(place)]
  return word !== undefined && other !== undefined && isSameName(word, other)
}

/** Whether an operation is one of the mock at another path, with the same last word and the same fields. */
function isFurtherPath(own: Operation, theirs: Operation): boolean {
  return (
    own.method === theirs.method &&
    isSameWordAt(-1, own.steps, theirs.steps) &&
    own.steps.isItem === theirs.steps.isItem &&
    areAlike(own.body, theirs.body) !== false &&
    areAlike(resultOf(own), theirs.payload) !== false &&
    parametersOf(theirs.path).length >= parametersOf(own.path).length
  )
}

/** Whether two bodies or payloads have most of their fields in common; undefined if neither has any. */
function areAlike(own: Schema | undefined, theirs: Schema | undefined): boolean | undefined {
  const [one, other] = [own, theirs].filter((schema) => schema?.items !== undefined || (schema?.fields.size ?? 0) > 0)
  if (one === undefined) return undefined
  if (other === undefined || (one.items === undefined) !== (other.items === undefined)) return false
  return commonKeys(one, other) >= Math.min(keysOf(one).size, keysOf(other).size) / 2
}

function commonKeys(one: Schema | undefined, other: Schema | undefined): number {
  const keys = keysOf(other)
  return [...keysOf(one)].filter((key) => keys.has(key)).length
}

/** The keys of the fields of an object, or of the items of a list. */
const keysOf = (schema: Schema | undefined): ReadonlySet<string> =>
  new Set([...((schema?.items?.() ?? schema)?.fields.values() ?? [])].map(({ meant }) => meant.key))
