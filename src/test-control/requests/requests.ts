import { invalidBody } from '../../interface/errors.js'
import { OPERATION_IDS } from '../../interface/operation-ids.js'
import type { Shape } from '../../interface/schemas.js'
import { mustBeOneOf } from '../../lib/nearest.js'
import { parseTimestamp, TIMESTAMP_FORM } from '../../lib/time.js'
import { isTraceId } from '../../lib/trace.js'
import type { ControlPlane } from '../../resources/control-plane.js'
import type { Sandbox } from '../../sandboxes/sandbox.js'
import { wholeRequest } from '../cut-ids.js'
import type { RequestFilterSchema } from './schemas.js'
import { toRequestView } from './views.js'

/**
 * Lists the requests to the interface.
 * @throws {ServiceError} naming the invalid field of the filter
 */
export function listRequests(plane: ControlPlane, sandbox: Sandbox, filter: Shape<typeof RequestFilterSchema>) {
  const { operation, status, request_id, trace, since, limit = Infinity } = filter
  const { journal } = sandbox
  const id = request_id && wholeRequest(plane, sandbox, request_id)
  if (operation !== undefined) checkOperation('operation', operation)
  const isWanted = status === undefined ? () => true : statusFilter(status)
  const earliest = since === undefined ? -Infinity : parseTimestamp(since)
  if (earliest === undefined) throw invalidBody([{ field: 'since', reason: `must be a timestamp ${TIMESTAMP_FORM}` }])
  if (trace !== undefined && !isTraceId(trace))
    throw invalidBody([
      { field: 'trace', reason: 'must be a trace-id: 32 hexadecimal digits in lower case, not all 0' }
    ])
  const entries = journal
    .requests()
    .filter(
      (entry) =>
        (operation === undefined || entry.operation === operation) &&
        isWanted(entry.outcome.status) &&
        (id === undefined || entry.id === id) &&
        (trace === undefined || entry.trace === trace) &&
        entry.received >= earliest
    )
  const requests = entries.slice(-limit).map((entry) => toRequestView(plane, entry))
  return { requests, total: entries.length, dropped: journal.dropped }
}

/** @throws {ServiceError} listing the operations, if it is not one of them */
export function checkOperation(field: string, operationId: string): void {
  const known: readonly string[] = OPERATION_IDS
  if (!known.includes(operationId)) throw invalidBody([{ field, reason: mustBeOneOf(operationId, known) }])
}

function statusFilter(status: string): (actual: number | undefined) => boolean {
  if (!/^[1-5](\d\d|xx)$/i.test(status))
    throw invalidBody([{ field: 'status', reason: 'must be a status such as 404, or a class such as 4xx' }])
  return status.toLowerCase().endsWith('xx')
    ? (actual) => actual !== undefined && Math.floor(actual / 100) === Number(status[0])
    : (actual) => actual === Number(status)
}
