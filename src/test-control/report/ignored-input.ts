import { OPERATION_ROUTES, type OperationId } from '../../interface/operation-routes.js'
import type { RequestEntry } from '../../journal/journal.js'
import { topFields, unreadFields } from '../../journal/unread.js'
import { groupBy } from '../../lib/group-by.js'
import type { Profile } from '../../profile/profile.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import { type Finding, findingOf } from './schemas.js'

// Input of a client that the service ignores.

/** Maximum number of fields named per body; more would be noise. */
const MOST_FIELDS = 10

/** A field or a parameter that a request has in vain. */
interface Ignored {
  readonly request: RequestEntry
  readonly name: string
}

/** Finds fields of bodies that the operation does not have, in requests that succeeded. */
function findIgnoredFields(requests: readonly RequestEntry[], { schemas, profile }: ControlPlane): Finding[] {
  // The journal has built-in names, for which a name that the client made up can have been exchanged.
  const { toWire, pathToWire } = profile.names.fields
  const ignored = requests
    .filter(hasSucceeded)
    .flatMap((request) =>
      unreadFields(request.body, request.bodySchema, schemas, MOST_FIELDS).map((name): Ignored => ({ request, name }))
    )
  return findingsOf(ignored, ({ request: { operation, bodySchema }, name }) => {
    const fields = topFields(bodySchema, schemas).map(toWire)
    const known = fields.length === 0 ? 'it has no body' : `its body has ${fields.join(', ')}`
    return `${operation!} ignores the field ${pathToWire(name)}: ${known}.`
  })
}

/** Finds query parameters that the operation does not have, in requests that succeeded. */
function findIgnoredParameters(requests: readonly RequestEntry[], { profile }: ControlPlane): Finding[] {
  const ignored = requests
    .filter(hasSucceeded)
    .flatMap((request) => unreadParameters(request, profile).map((name) => ({ request, name })))
  return findingsOf(
    ignored,
    ({ request: { operation }, name }) => `${operation!} ignores the query parameter ${name}: it has no such parameter.`
  )
}

/** The query parameters that the operation of a request does not have. */
export function unreadParameters(
  { operation, query }: Pick<RequestEntry, 'operation' | 'query'>,
  { edge: { paths = [] } }: Pick<Profile, 'edge'>
): string[] {
  const names = Object.keys(query)
  // Most requests have none, and lists show many requests.
  if (names.length === 0) return names
  const id = operation as OperationId
  const moved = paths
    .filter(({ operations }) => operations.includes(id))
    .flatMap(({ moves }) => [...(moves?.from.values() ?? [])])
    .filter(({ source }) => source === 'query')
    .map(({ name }) => name)
  const known = [...new URLSearchParams(OPERATION_ROUTES[id].query).keys(), ...moved]
  return names.filter((name) => !known.includes(name))
}

/** Finds requests for paths that do not exist. */
function findUnknownPaths(requests: readonly RequestEntry[]): Finding[] {
  const lost = requests.filter(
    ({ operation, outcome: { error } }) => operation === undefined && error?.condition === 'notFound'
  )
  return [...groupBy(lost, ({ outcome }) => outcome.error!.message)].map(([message, group]) =>
    findingOf('unknown-path', group, message)
  )
}

const hasSucceeded = ({ operation, outcome: { status } }: RequestEntry) =>
  operation !== undefined && status !== undefined && status < 400

/** The rules about input that the service ignores. */
export const IGNORED_INPUT = [findUnknownPaths, findIgnoredFields, findIgnoredParameters]

/** One finding for each operation and name. */
function findingsOf(ignored: readonly Ignored[], messageOf: (one: Ignored) => string): Finding[] {
  return [...groupBy(ignored, ({ request, name }) => `${request.operation!} ${name}`).values()].map((group) =>
    findingOf(
      'ignored-input',
      group.map(({ request }) => request),
      messageOf(group[0]!)
    )
  )
}
