import { type ErrorDetail, type FieldError, ServiceError } from '../interface/errors.js'
import { RecordingError } from '../recording/recording-error.js'

/** The failure of a tool. The caller gets the message and the details as the result of the tool. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly details: {
    /** HTTP status, if the server has answered. */
    readonly status?: number
    readonly fields?: readonly FieldError[]
    readonly request_id?: string
    /** What to do about it. */
    readonly remedy?: string
  }

  constructor(message: string, details: Refusal['details'] = {}, options?: ErrorOptions) {
    super(message, options)
    this.details = details
  }
}

export function wrongArgument(field: string, reason: string): Refusal {
  return new Refusal(`The argument ${field} ${reason}.`, { fields: [{ field, reason }] })
}

/** The fields that an error of the server names, if it names any. */
export function fieldsIn(details: readonly ErrorDetail[] = []): { readonly fields?: readonly FieldError[] } {
  const fields = details
    .filter(({ FieldName }) => FieldName !== '')
    .map(({ FieldName: field, Reason: reason }) => ({ field, reason }))
  return fields.length === 0 ? {} : { fields }
}

/** An error as a refusal; undefined if the caller cannot have caused it. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof ServiceError) return new Refusal(error.message, fieldsIn(error.details))
  if (error instanceof RecordingError) return new Refusal(`The recording of the sandbox ${error.message}.`)
  return undefined
}
