import type { ErrorDetail } from '../../interface/errors.js'
import { BareError } from '../../lib/call-site.js'
import type { ErrorType, OperationId } from './types.js'

/** The fields of the envelope that a reply has. */
export interface Envelope {
  readonly Error?: boolean
  readonly Message?: string
  readonly ErrorDetails?: readonly ErrorDetail[]
  readonly RequestID?: string
  readonly Result?: unknown
}

/** A call of `SandboxHandle.call` failed, or the reply is not one of the interface. */
export class CallError extends BareError {
  /** Always `CallError`. */
  override readonly name = 'CallError'
  /** operationId of the call. */
  readonly operation: OperationId
  /** HTTP status. */
  readonly status: number
  /** Type of the first error; undefined if the reply has no details. */
  readonly Type: ErrorType | undefined
  /** Message of the reply; empty if it has none. */
  readonly Message: string
  /** Details of the reply; empty if it has none. */
  readonly ErrorDetails: readonly ErrorDetail[]
  /** RequestID of the reply; empty if it has none. */
  readonly RequestID: string

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
