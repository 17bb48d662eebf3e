import type { ProfileDocument } from '../../profile/schemas.js'
import type { Described } from './described.js'
import type { Operation } from './description.js'
import type { Draft } from './draft.js'
import type { OperationMatch } from './operations.js'
import { isSameRoute, matchParameters, parametersOf, servablePath } from './paths.js'

type RouteRule = NonNullable<ProfileDocument['routes']>[number]

/**
 * Learns other paths of operations that the mock has, and switches its own paths off. Operations that the document
 * lacks stay, because it may cover only a part of the service.
 * @returns routes, and operations at paths where the mock cannot serve them
 */
export function learnRoutes({ own: ownApi, theirs: theirApi, operations }: Described, draft: Draft) {
  const nameOf = { own: ownApi.nameOf, theirs: theirApi.nameOf }
  const routes: RouteRule[] = []
  const unserved: Operation[] = []
  for (const match of operations.matches) {
    const { own, theirs } = match
    if (own.method === theirs.method && isSameRoute(own.path, theirs.path) && !isArrayForText(match)) continue
    const sharing = operations.matches.filter((other) => other.theirs.route === theirs.route)
    const isWhole = sharing.length === ownApi.operations.filter(({ route }) => route === own.route).length
    if (sharing[0] !== match) continue
    const operation = isWhole ? own.name : own.id
    if (!learnRoute(match, operation)) continue
    draft.explain(['routes', routes.length], `Instead of ${own.method} ${own.path}.`)
    routes.push({ operation, off: true } as RouteRule)
  }
  for (const match of operations.further) learnRoute(match, match.own.id)
  const missing = operations.missing.map(({ id }) => id)
  if (missing.length > 0)
    draft.explain(
      ['routes'],
      `The document lacks ${missing.join(', ')}. The mock still serves them. ` +
        `To switch one off, add { operation: ${missing[0]!}, off: true }.`
    )
  return { routes, unserved }

  /** @returns whether the mock can serve the operation there */
  function learnRoute(match: OperationMatch, operation: string): boolean {
    const { own, theirs } = match
    const path = servablePath(theirs.path)
    const [ours, others] = [parametersOf(own.path), parametersOf(path ?? '')]
    if (path === undefined || ours.length !== others.length) {
      const why = path === undefined ? 'the mock cannot have such a path' : `${own.path} has other parameters`
      draft.flag(['routes'], `${theirs.route} looks like ${own.id}, but is only a stub: ${why}.`)
      unserved.push(theirs)
      return false
    }
    const parameters = matchParameters(ours, others, nameOf)
    routes.push({
      method: theirs.method,
      path,
      operation,
      ...(others.every((name, index) => parameters[name] === ours[index]) ? {} : { parameters }),
      ...(isArrayForText(match) ? { result: 'array' } : {})
    } as RouteRule)
    return true
  }
}

const isArrayForText = ({ own, theirs }: OperationMatch) =>
  own.listInText !== undefined && theirs.payload?.type === 'array'
