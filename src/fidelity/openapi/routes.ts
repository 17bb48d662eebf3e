import type { ProfileDocument } from '../../profile/schemas.js'
import type { Draft } from '../learn/draft.js'
import type { Operation } from './api.js'
import type { Comparison } from './comparison.js'
import type { OperationMatch } from './operations.js'
import { isSameRoute, isUsual, matchParameters, servablePath } from './paths.js'
import { itemsInText, payloadOf } from './payload.js'

type RouteRule = NonNullable<ProfileDocument['routes']>[number]

/**
 * Paths of the document at which the mock does not have the operation, or not in this form. Its own path of such an
 * operation is switched off. What the document lacks altogether stays: a document may be about a part of the service.
 * @returns them, and operations that the mock knows, at paths where it cannot serve them
 */
export function learnRoutes(comparison: Comparison, notes: Draft) {
  const { operations, sides } = comparison
  const naming = { own: sides.own.naming, theirs: sides.theirs.naming }
  const routes: RouteRule[] = []
  const unserved: Operation[] = []
  for (const match of operations.matches) {
    const { own, theirs } = match
    if (isAsBuiltIn(match)) continue
    const sharing = operations.matches.filter((other) => other.theirs.route === theirs.route)
    const isWhole = sharing.length > 1 && sharing.length === countSharing(own)
    if (sharing[0] !== match) {
      if (!isWhole) notes.doubt(['routes'], `${theirs.method} ${theirs.path} looks like ${own.id} as well.`)
      continue
    }
    const operation = isWhole ? own.name : own.id
    if (!learnRoute(match, operation)) continue
    if (isSameRoute(own.path, theirs.path) && own.method === theirs.method)
      notes.explain(['routes', routes.length], 'It answers in another form there.')
    else notes.explain(['routes', routes.length], `It has moved from ${own.method} ${own.path}.`)
    routes.push({ operation, off: true } as RouteRule)
  }
  for (const match of operations.further) learnRoute(match, match.own.id)
  const missing = operations.missing.map(({ id }) => id)
  if (missing.length > 0)
    notes.explain(
      ['routes'],
      `The document lacks ${missing.join(', ')}. The mock still serves them. ` +
        `To switch one off, add { operation: ${missing[0]!}, off: true }.`
    )
  return { routes, unserved }

  function isAsBuiltIn({ own, theirs }: OperationMatch): boolean {
    return own.method === theirs.method && isSameRoute(own.path, theirs.path) && !isArrayForText(own, theirs)
  }

  /** How many operations of the mock have the same method and path. */
  function countSharing({ route }: Operation): number {
    return comparison.own.operations.filter((other) => other.route === route).length
  }

  /** @returns whether the mock can serve the operation there */
  function learnRoute({ own, theirs }: OperationMatch, operation: string): boolean {
    const path = servablePath(theirs.path)
    const parameters = path === undefined ? undefined : matchParameters(own.path, path, naming)
    if (path === undefined || parameters === undefined) {
      const why = path === undefined ? 'The mock cannot have such a path' : `${own.path} has other parameters`
      notes.doubt(['routes'], `${theirs.method} ${theirs.path} looks like ${own.id}, but is only a stub: ${why}.`)
      unserved.push(theirs)
      return false
    }
    routes.push({
      method: theirs.method,
      path,
      operation,
      ...(isUsual(parameters, own.path) ? {} : { parameters: Object.fromEntries(parameters) }),
      ...(isArrayForText(own, theirs) ? { result: 'array' } : {})
    } as RouteRule)
    return true
  }

  function isArrayForText(own: Operation, theirs: Operation): boolean {
    return (
      itemsInText(own.id, sides.own.schemas) !== undefined &&
      payloadOf(theirs.reply, sides.theirs.schemas)?.type === 'array'
    )
  }
}
