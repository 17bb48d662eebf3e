import type { ErrorDetail } from '../../interface/errors.js'
import { BareError } from '../../lib/call-site.js'
import type { ErrorType, OperationId } from './types.js'

/** The envelope, as far as a reply has it. */
export interface Envelope {
  readonly Error?: boolean
  readonly Message?: string
  readonly ErrorDetails?: readonly ErrorDetail[]
  readonly RequestID?: string
  readonly Result?: unknown
}

/** The reply to a call of `SandboxHandle.call` says that the call failed, or is not one of the interface. */
export class CallError extends BareError {
  /** Always `CallError`. */
  override readonly name = 'CallError'
  /** operationId of the call. */
  readonly operation: OperationId
  /** HTTP status of the reply. */
  readonly status: number
  /** The kind of error, that of the first detail; undefined if the reply has no details. */
  readonly Type: ErrorType | undefined
  /** What happened, in words. */
  readonly Message: string
  /** The errors, one entry for each. */
  readonly ErrorDetails: readonly ErrorDetail[]
  /** Id of the request. */
  readonly RequestID: string

  /** @param reply the envelope of the reply */
  constructor(operation: OperationId, status: number, { Message = '', ErrorDetails = [], RequestID = '' }: Envelope) {
    const [first] = ErrorDetails
    super(`${operation}: ${[status, first?.Type].filter((code) => code !== undefined).join(' ')}: ${Message}`)
    this.operation = operation
    this.status = status
    this.Type = first?.Type
    this.Message = Message
    this.ErrorDetails = ErrorDetails
    this.RequestID = RequestID
  }
}
