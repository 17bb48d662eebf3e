import { didYouMean, nearest } from '../lib/nearest.js'
import { OPERATION_ROUTES, type OperationId } from './operation-routes.js'

export type { OperationId } from './operation-routes.js'

/** The operationIds of the interface, in its order. */
export const OPERATION_IDS = Object.keys(OPERATION_ROUTES) as readonly OperationId[]

export const isOperation = (id: string): id is OperationId => Object.hasOwn(OPERATION_ROUTES, id)

/** The reason why a text is not an operationId, if it is not. */
export const operationProblem = (id: string): string | undefined =>
  isOperation(id) ? undefined : `is not an operationId${didYouMean(nearest(id, OPERATION_IDS))}`
