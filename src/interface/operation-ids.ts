import { didYouMean, nearest } from '../lib/nearest.js'
import { OPERATION_ROUTES, type OperationId } from './operation-routes.js'

export type { OperationId } from './operation-routes.js'

/** The operationIds of the interface, in its order. */
export const OPERATION_IDS = Object.keys(OPERATION_ROUTES) as readonly OperationId[]

/** Whether a text is an operationId. */
export const isOperation = (id: string): id is OperationId => Object.hasOwn(OPERATION_ROUTES, id)

/** What is wrong with an operationId, if anything is. */
export const operationProblem = (id: string): string | undefined =>
  isOperation(id) ? undefined : `is not an operationId${didYouMean(nearest(id, OPERATION_IDS))}`
