import type { OperationId } from '../../interface/operation-ids.js'
import { OPERATION_ROUTES } from '../../interface/operation-routes.js'
import { BUILT_IN } from '../../profile/profile.js'
import type { ProfileDocument } from '../../profile/schemas.js'
import { Api } from '../api.js'
import { isOk } from '../exchange.js'
import type { Draft } from './draft.js'
import type { Evidence } from './evidence.js'

/** Undoes names and routes of a document where replies only show the built-in ones. */
export function undoDocumented(evidence: Evidence, draft: Draft): void {
  undoNames(evidence, draft)
  undoRoutes(evidence, draft)
}

function undoNames({ calls }: Evidence, draft: Draft): void {
  const kinds = (['fields', 'values'] as const).filter((kind) => draft.get(['names', kind]) !== undefined)
  if (kinds.length === 0) return
  const seen = { fields: new Set<unknown>(), values: new Set<unknown>() }
  for (const { exchange } of calls)
    if (isOk(exchange))
      JSON.stringify(exchange.body, (field, value: unknown) => {
        seen.fields.add(field)
        seen.values.add(value)
        return value
      })
  for (const kind of kinds)
    for (const [builtIn, other] of Object.entries(draft.get(['names', kind]) as Record<string, string>))
      if (seen[kind].has(builtIn) && !seen[kind].has(other)) draft.remove(['names', kind, builtIn])
}

/** A built-in path that answers is not off. */
function undoRoutes({ exchanges, basePath }: Evidence, draft: Draft): void {
  const routes = draft.get(['routes']) as ProfileDocument['routes']
  if (routes?.some(({ off }) => off === true) !== true) return
  const api = new Api(BUILT_IN)
  const answered = new Set<string>()
  for (const exchange of exchanges) {
    const call = isOk(exchange) ? api.recognise(exchange) : undefined
    if (call !== undefined && exchange.path === `${basePath}${call.path}`) answered.add(call.operation)
  }
  // The route at the same path replaces the built-in one, with another form of reply.
  const isReplaced = (operation: string) =>
    routes.some((one) => one.operation === operation && one.path === OPERATION_ROUTES[operation as OperationId].path)
  const left = routes.filter(({ operation, off }) => off !== true || !answered.has(operation) || isReplaced(operation))
  draft.replace(['routes'], left)
}
