import { OPERATION_ROUTES } from '../interface/operation-routes.js'
import type { Call } from './api.js'
import type { Exchange } from './exchange.js'

// A file can lack a body: one that was too large to keep, or that a browser did not save.

/** Whether a reply may have had a body that is not known. */
export const isReplyUnknown = ({ isBodyOmitted, body, status }: Exchange) =>
  isBodyOmitted === true && body === undefined && status !== null && status !== 204

/** Whether a request for an operation may have had a body that is not known. */
export const isRequestUnknown = ({ isBodyOmitted, requestBody }: Exchange, { operation }: Call) =>
  isBodyOmitted === true && requestBody === undefined && OPERATION_ROUTES[operation].hasBody === true
